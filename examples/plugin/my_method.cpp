// A method of one's own: the explicit midpoint rule on the rotation group, with the momentum in space.
//
//   R_h = R exp(h/2 w),  l_h = l + h/2 tau(R)        the middle of the step, by Euler's method
//   R'  = R exp(h w_h),  l'  = l + h tau(R_h)        the whole step, with velocity and torque of the middle
#include <polhode/plugin.hpp>

using namespace polhode;

struct MyMethod {
  static constexpr std::string_view family = "My methods", cite = "HLW06, Sec. II.1",
                                    about = "the explicit midpoint rule on the rotation group",
                                    good_for = "a start: two screens to read", not_for = "long runs: its energy drifts";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 2};

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, State<T> s, T h, Work& work) {
    const Vec3<T> l_S = spatial_momentum(s);
    const T half = h / T(2);
    State<T> middle{s.R_SB * exp(half * velocity_at(sys, s.pi_B, s.t)), {}, s.t + half};
    middle.pi_B = inverse(middle.R_SB) * (l_S + half * torque_spatial(sys, s.R_SB, s.pi_B, s.t, work));

    const Vec3<T> tau_S = torque_spatial(sys, middle.R_SB, middle.pi_B, middle.t, work);
    s.R_SB = renormalised(s.R_SB * exp(h * velocity_at(sys, middle.pi_B, middle.t)));
    s.pi_B = inverse(s.R_SB) * (l_S + h * tau_S);
    s.t = s.t + h;
    return s;
  }
};

// In double, and in quad as well, in which diagnose sees every defect.
POLHODE_PLUGIN(MyMethod, "my-method", polhode::quad)
