// A flat stone that is thrown into water, without its weight: Kirchhoff's body in an ideal fluid, on the group SE(3). The
// orders of several methods, and what becomes of energy and momenta in a long run.
#include <polhode/core/lie_methods.hpp>
#include <polhode/core/lie_taylor.hpp>
#include <polhode/methods/moving_methods.hpp>
#include <polhode/model/ellipsoid_in_fluid.hpp>

#include <cmath>
#include <cstdio>

using namespace polhode;

// An ellipsoid three times as dense as water: half axes [m], densities [kg/m^3].
const MovingSystem<double> stone{ellipsoid_in_fluid(Vec3<double>{0.05, 0.04, 0.01}, 3000.0, 1000.0)};

// It flies edge on at about 1 m/s [m/s] and tumbles [rad/s].
MovingState<double> thrown() {
  const Twist<double> twist_B{{3, 8, 2}, {1, 0.1, 0.2}};
  return {{}, stone.body.momentum(twist_B), 0};
}

template <class Method>
MovingState<double> advanced(MovingState<double> s, double duration, int steps) {
  for (int n = 0; n < steps; ++n) s = Method::step(stone, s, duration / steps);
  return s;
}

template <class Method>
void order(const char* name, const Rotation<double>& attitude) {
  const auto error = [&](int steps) {
    return angle_between(advanced<Method>(thrown(), 0.1, steps).y_SB.rotation, attitude);
  };
  const double coarse = error(20), fine = error(40);
  std::printf("%-26s %9.1e %9.1e %7.2f\n", name, coarse, fine, std::log2(coarse / fine));
}

template <class Method>
void kept(const char* name) {
  const MovingState<double> begin = thrown();
  MovingState<double> s = begin;
  std::printf("%-26s", name);
  for (const double end : {10.0, 100.0, 1000.0}) {
    s = advanced<Method>(s, end - s.t, static_cast<int>(std::lround((end - s.t) / 0.005)));
    std::printf(" %9.1e", energy(stone, s) / energy(stone, begin) - 1);
  }
  const Vec3<double>&p0 = begin.mu_B.linear, &p = s.mu_B.linear;
  std::printf(" %9.1e %9.1e\n", squared_norm(p) / squared_norm(p0) - 1,
              dot(p, s.mu_B.angular) / dot(p0, begin.mu_B.angular) - 1);
}

int main() {
  using Fourth = ComposedMoving<ScrewSplitting, lie::Suzuki<2>>;
  const RigidMotion<double> pose = advanced<OnPoses<lie::MuntheKaas<8>>>(thrown(), 0.1, 200).y_SB;
  std::printf("after 0.1 s the stone is at (%.6f, %.6f, %.6f) m; error of its attitude in rad:\n\n", pose.shift.x,
              pose.shift.y, pose.shift.z);
  std::printf("method                      20 steps  40 steps   order\n");
  order<ScrewSplitting>("screws", pose.rotation);
  order<Fourth>("screws, composed", pose.rotation);
  order<OnPoses<lie::MuntheKaas<4>>>("Runge-Kutta-Munthe-Kaas 4", pose.rotation);
  order<OnPoses<lie::MuntheKaas<6>>>("Runge-Kutta-Munthe-Kaas 6", pose.rotation);
  order<OnPoses<lie::Taylor<6>>>("Taylor 6", pose.rotation);

  std::printf("\nat 200 steps a second, relative changes of energy, |p|^2 and p . l:\n\n");
  std::printf("method                          10 s     100 s    1000 s     |p|^2     p . l\n");
  kept<ScrewSplitting>("screws");
  kept<OnPoses<lie::MuntheKaas<4>>>("Runge-Kutta-Munthe-Kaas 4");
}
