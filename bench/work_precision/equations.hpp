// The equations of motion as one would write them by hand for a general solver: x = (q, w_B) in R^7,
//   dq/dt = q (0, w_B) / 2,   dw_B/dt = I^-1 (tau_B - w_B x I w_B),
// with every quotient of constants computed beforehand and each torque in its shortest form. SI units, principal axes.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "idle.hpp"
#include "polhode/model/setup.hpp"

namespace polhode::bench {

using Seven = std::array<double, 7>;  // q_w, q_x, q_y, q_z, w_x, w_y, w_z

// Each adds I^-1 tau_B to the rates of w_B. J are the inverse moments.

struct NoPush {
  void add(const double*, double*) const {}
};

// A weight on the third axis: tau_B = m g l (R^T e3) x e3, of which only x and y are not zero.
struct AxialWeight {
  double along_x, along_y;

  AxialWeight(double weight_times_arm, const Vec3<double>& J)
      : along_x(2 * weight_times_arm * J.x), along_y(-2 * weight_times_arm * J.y) {}
  void add(const double* q, double* rate) const {
    rate[4] += along_x * (q[2] * q[3] + q[0] * q[1]);
    rate[5] += along_y * (q[1] * q[3] - q[0] * q[2]);
  }
};

// A weight anywhere: tau_B = (R^T e3) x arm.
struct TiltedWeight {
  Vec3<double> arm, J;

  void add(const double* q, double* rate) const {
    const double x = 2 * (q[1] * q[3] - q[0] * q[2]), y = 2 * (q[2] * q[3] + q[0] * q[1]);
    const double z = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    rate[4] += J.x * (y * arm.z - z * arm.y);
    rate[5] += J.y * (z * arm.x - x * arm.z);
    rate[6] += J.z * (x * arm.y - y * arm.x);
  }
};

// V = s (-1/r + 0.001 r^-10) with r = 1.1 + (R e3)_3.
struct ChargedPush {
  double along_x, along_y;

  ChargedPush(double strength, const Vec3<double>& J) : along_x(2 * strength * J.x), along_y(-2 * strength * J.y) {}
  void add(const double* q, double* rate) const {
    const double z = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    const double u = 1 / (1.1 + z), u2 = u * u, u4 = u2 * u2;
    const double slope = u2 * (1 - 0.01 * (u4 * u4 * u));
    rate[4] += along_x * slope * (q[2] * q[3] + q[0] * q[1]);
    rate[5] += along_y * slope * (q[1] * q[3] - q[0] * q[2]);
  }
};

// V = (d(R, 1) - 1)^2 - alpha / d(R, Q), as StressTest writes it.
struct ValleyAndWell {
  double strength, alpha;
  Rotation<double> well;
  Vec3<double> J;

  void add(const double* q, double* rate) const {
    const Vec3<double> v{q[1], q[2], q[3]};
    const double w_w = well.w * q[0] + dot(well.v, v);
    const Vec3<double> v_w = well.w * v - q[0] * well.v - cross(well.v, v);
    const double d = std::sqrt(8 * squared_norm(v)), d2_w = 8 * squared_norm(v_w);
    const double valley = -8 * strength * (1 - 1 / d) * q[0];
    const double pull = -4 * strength * alpha * w_w / (d2_w * std::sqrt(d2_w));
    rate[4] += J.x * (valley * v.x + pull * v_w.x);
    rate[5] += J.y * (valley * v.y + pull * v_w.y);
    rate[6] += J.z * (valley * v.z + pull * v_w.z);
  }
};

// The weight on the third axis, which learns of its attitude late: both of its components wait for q_w.
struct ExpensiveWeight : AxialWeight {
  const Idling* idling;

  ExpensiveWeight(double weight_times_arm, const Vec3<double>& J, const Idling* before)
      : AxialWeight(weight_times_arm, J), idling(before) {}
  void add(const double* q, double* rate) const {
    const double late[4] = {idling->until_known(q[0]), q[1], q[2], q[3]};
    AxialWeight::add(late, rate);
  }
};

template <class Push>
struct Equations {
  Vec3<double> gyration;
  Push push;
  mutable long long evaluations = 0;

  Equations(const Vec3<double>& inertia, const Push& of_torque)
      : gyration{(inertia.y - inertia.z) / inertia.x, (inertia.z - inertia.x) / inertia.y,
                 (inertia.x - inertia.y) / inertia.z},
        push(of_torque) {}

  void operator()(const double* x, double* rate) const {
    ++evaluations;
    const double a = 0.5 * x[4], b = 0.5 * x[5], c = 0.5 * x[6];
    rate[0] = -x[1] * a - x[2] * b - x[3] * c;
    rate[1] = x[0] * a + x[2] * c - x[3] * b;
    rate[2] = x[0] * b + x[3] * a - x[1] * c;
    rate[3] = x[0] * c + x[1] * b - x[2] * a;
    rate[4] = gyration.x * x[5] * x[6];
    rate[5] = gyration.y * x[6] * x[4];
    rate[6] = gyration.z * x[4] * x[5];
    push.add(x, rate);
  }
  void operator()(const Seven& x, Seven& rate, double) const { (*this)(x.data(), rate.data()); }
};

using AnyEquations = std::variant<Equations<NoPush>, Equations<AxialWeight>, Equations<TiltedWeight>,
                                  Equations<ChargedPush>, Equations<ValleyAndWell>, Equations<ExpensiveWeight>>;

// Empty for a torque that is not written down here. With idling, a weight that idles before it answers.
std::optional<AnyEquations> equations_of(const Setup& setup, const Idling* idling);

}  // namespace polhode::bench
