// Adams-Bashforth-Moulton with each way of combining rotations, beside programs in quaternions of another library; and the
// explicit method of Simo and Wong where the step changes.
#include "polhode/methods/multistep.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "matrix_programs.hpp"

namespace polhode::test::multistep_test {
namespace {

using Quaternion = Eigen::Quaterniond;
using Four = std::array<double, 4>;

constexpr Four bashforth{55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
    moulton{9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24};

// A body at one time: its attitude, spatial velocity and spatial torque.
struct Moment {
  Quaternion q;
  Vector w, t;
};

Quaternion turn(const Vector& x) { return Quaternion(exponential(x)); }
Vector logarithm(const Quaternion& q) {
  const Eigen::AngleAxisd a(q);
  return a.angle() * a.axis();
}

// The attitude after a step from four moments, newest first.
using Combine = std::function<Quaternion(const Quaternion& from, const std::array<Moment, 4>&, const Four&, double h)>;

Quaternion by_mean_velocity(const Quaternion& from, const std::array<Moment, 4>& at, const Four& weights, double h) {
  Vector mean = Vector::Zero();
  for (std::size_t i = 0; i < 4; ++i) mean += weights[i] * at[i].w;
  return turn(h * mean) * from;
}
Quaternion in_four_dimensions(const Quaternion& from, const std::array<Moment, 4>& at, const Four& weights, double h) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < 4; ++i) sum += weights[i] * turn(h * at[i].w).coeffs();
  return Quaternion(Eigen::Vector4d(sum.normalized())) * from;
}
// Rotations q with weights a_i have their mean where sum a_i log(m^-1 q_i) = 0.
Quaternion on_the_sphere(const Quaternion& from, const std::array<Moment, 4>& at, const Four& weights, double h) {
  Quaternion mean = turn(h * at[0].w);
  for (int n = 0; n < 100; ++n) {
    Vector off = Vector::Zero();
    for (std::size_t i = 0; i < 4; ++i) off += weights[i] * logarithm(mean.conjugate() * turn(h * at[i].w));
    mean = (mean * turn(0.5 * off)).normalized();
  }
  return mean * from;
}
// q' = (w_S/2) q, which is q w_B/2.
Quaternion by_rates(const Quaternion& from, const std::array<Moment, 4>& at, const Four& weights, double h) {
  Eigen::Vector4d sum = from.coeffs();
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector half = 0.5 * at[i].w;
    sum += h * weights[i] * (Quaternion(0, half.x(), half.y(), half.z()) * at[i].q).coeffs();
  }
  return Quaternion(Eigen::Vector4d(sum.normalized()));
}

// The body of spun_top() by predictor and corrector, from the first four states of the method itself.
class Program {
 public:
  Program(Combine combine, const std::array<State<double>, 4>& first, double h) : combine_(std::move(combine)), h_(h) {
    for (std::size_t i = 0; i < 4; ++i)
      past_[3 - i] = moment(quaternion(first[i].R_SB), vector(spatial_momentum(first[i])));
    L_ = vector(spatial_momentum(first[3]));
  }

  void step() {
    const auto momentum = [&](const std::array<Moment, 4>& at, const Four& weights) {
      Vector L = L_;
      for (std::size_t i = 0; i < 4; ++i) L += h_ * weights[i] * at[i].t;
      return L;
    };
    const Quaternion q = past_[0].q;
    const Moment predicted = moment(combine_(q, past_, bashforth, h_), momentum(past_, bashforth));
    const std::array<Moment, 4> with_it{predicted, past_[0], past_[1], past_[2]};
    L_ = momentum(with_it, moulton);
    past_ = {moment(combine_(q, with_it, moulton, h_), L_), past_[0], past_[1], past_[2]};
  }

  State<double> state() const {
    const Quaternion q = past_[0].q;
    const Vector P = q.conjugate() * L_;
    return {{q.w(), {q.x(), q.y(), q.z()}}, {P.x(), P.y(), P.z()}, 0};
  }

 private:
  static Quaternion quaternion(const Rotation<double>& R) { return {R.w, R.v.x, R.v.y, R.v.z}; }
  Moment moment(const Quaternion& q, const Vector& L) const {
    const Matrix R = q.toRotationMatrix();
    return {q, R * body_.I.inverse() * R.transpose() * L, MatrixTop::torque_S(R)};
  }

  Combine combine_;
  double h_;
  MatrixTop body_;
  std::array<Moment, 4> past_;
  Vector L_;
};

template <class Combination>
double distance_to_program(const Combine& combine) {
  using M = AdamsBashforthMoulton4<Combination>;
  const double h = 0.1;
  std::array<State<double>, 4> first{start_state(2)};
  std::size_t n = 0;
  Work work;
  const State<double> end = integrate<M>(spun_top(), start_state(2), h, 100, work, [&](const State<double>& s) {
    if (++n < 4) first[n] = s;
  });
  Program program(combine, first, h);
  for (int i = 3; i < 100; ++i) program.step();
  return work.converged ? distance(end, program.state()) : HUGE_VAL;
}

TEST(AdamsBashforthMoulton, IsWhatAProgramInOtherQuaternionsComputes) {
  EXPECT_LT(distance_to_program<TurnByMeanVelocity>(by_mean_velocity), rounding);
  EXPECT_LT(distance_to_program<MeanTurnInSpace>(in_four_dimensions), rounding);
  // Each step rounds four logarithms, whose weights have sizes that add up to 160/24.
  EXPECT_LT(distance_to_program<MeanTurnOnSphere>(on_the_sphere), 160.0 / 24 * rounding);
  EXPECT_LT(distance_to_program<QuaternionRates>(by_rates), rounding);
}

TEST(AdamsBashforthMoulton, TheCombinationsDiffer) {
  EXPECT_GT(distance_to_program<MeanTurnInSpace>(by_mean_velocity), 1000 * rounding);
  EXPECT_GT(distance_to_program<MeanTurnOnSphere>(in_four_dimensions), 1000 * rounding);
  EXPECT_GT(distance_to_program<QuaternionRates>(by_mean_velocity), 1000 * rounding);
}

// Where the axis stays, turns by one velocity are what they are, and any mean of them is the same.
TEST(AdamsBashforthMoulton, AMeanOfEqualTurnsIsTheTurn) {
  const std::array<Vec3<double>, 4> equal{{{0.3, -0.4, 0.5}, {0.3, -0.4, 0.5}, {0.3, -0.4, 0.5}, {0.3, -0.4, 0.5}}};
  const Rotation<double> turned = exp(0.7 * equal[0]);
  for (const MeanWeights& weights : {bashforth_weights, moulton_weights}) {
    Work work;
    EXPECT_LT(angle_between(mean_of_quaternions(turns_of(equal, 0.7), weights), turned), 1e-15);
    EXPECT_LT(angle_between(mean_on_sphere(turns_of(equal, 0.7), weights, work), turned), 1e-15);
    EXPECT_TRUE(work.converged);
  }
}

// The method with the formulas for equal steps, whatever the steps are: Z = nu + (nu - nu_before)/2, and the torque by
// (3, -1)/2.
struct EqualStepsFormula {
  template <class T>
  using Memory = History<T, 1>;

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return Memory<T>::of(s);
  }
  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    const Vec3<T> nu_B = sys.body.velocity(s.pi_B), t_S = torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
    State<T> next;
    if (memory.filled == 0) {
      next = start_step<Taylor<2>, 1>(sys, s, memory, h, work);
    } else {
      const Vec3<T> mean_B = nu_B + T(0.5) * (nu_B - memory.rate[0]);
      memory.momentum_S += T(T(0.5) * h) * (T(3) * t_S - memory.torque_S_past[0]);
      next = memory.arrived(Rotation<T>(s.R_SB * exp(h * mean_B)), T(s.t + h));
    }
    memory.push(nu_B, t_S);
    return next;
  }
};

// Two steps in turn, the second `times` as long as the first: at every step the ratio of the steps is another.
template <class M>
std::vector<ErrorAtStep> errors_with_steps_in_turn(double times) {
  using Real = long double;
  const Real duration = 4;
  Work work;
  const State<Real> exact = integrate<Taylor<12>>(tilted_top<Real>(), start_state<Real>(), duration / 1200, 1200, work);
  std::vector<ErrorAtStep> errors;
  for (int pairs = 32; pairs <= 1024; pairs *= 2) {
    const Real h = duration / (pairs * (1 + Real(times)));
    State<Real> s = start_state<Real>();
    auto memory = start<M>(tilted_top<Real>(), s, h, work);
    for (int n = 0; n < 2 * pairs; ++n)
      s = advance<M>(tilted_top<Real>(), s, memory, Real(n % 2 == 0 ? h : times * h), work);
    errors.push_back({static_cast<double>(h), distance(s, exact)});
  }
  return errors;
}

TEST(SimoWongExplicit, KeepsItsOrderWhereTheStepChanges) {
  for (const double times : {1.0, 2.0, 3.0, 0.25}) {
    const auto fit = observed_order(errors_with_steps_in_turn<SimoWongExplicit<false>>(times), 2e-15, 2e-2);
    ASSERT_TRUE(fit) << times;
    EXPECT_NEAR(fit->order, 2, 0.1) << times;
  }
  // The formula for equal steps does not: that is what the ratio is for.
  const auto fit = observed_order(errors_with_steps_in_turn<EqualStepsFormula>(3), 2e-15, 2e-2);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 1, 0.1);
}

// Bit for bit what the formula for equal steps gives at equal steps.
TEST(SimoWongExplicit, AtEqualStepsTheRatioIsNotSeen) {
  Work work;
  const State<double> a = integrate<SimoWongExplicit<false>>(spun_top(), start_state(2), 0.1, 100, work);
  const State<double> b = integrate<EqualStepsFormula>(spun_top(), start_state(2), 0.1, 100, work);
  EXPECT_EQ(a.R_SB, b.R_SB);
  EXPECT_EQ(a.pi_B, b.pi_B);
}

}  // namespace
}  // namespace polhode::test::multistep_test
