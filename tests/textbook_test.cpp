// The textbooks' methods beside programs in matrices and four-vectors, and what they make of a free body.
#include "polhode/methods/textbook.hpp"

#include <gtest/gtest.h>

#include "matrix_programs.hpp"

namespace polhode::test::textbook_test {
namespace {

// Quaternion (w, x, y, z) and velocity as seven numbers, in the field of spun_top().
using Seven = Eigen::Matrix<double, 7, 1>;

struct Program {
  MatrixTop top;
  Seven y;

  void start(const State<double>& s) {
    top.set(s);
    y << s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z, top.W;
  }
  Vector velocity_rate(const Eigen::Vector4d& q, const Vector& w) const {
    const Matrix R = Eigen::Quaterniond(q(0), q(1), q(2), q(3)).normalized().toRotationMatrix();
    const Vector arm = Vector(1, 2, 2) / 3, up_B = R.transpose() * Vector(0, 0, 1);
    return top.I.inverse() * (0.125 * up_B.cross(arm) - w.cross(top.I * w));
  }
  static Eigen::Vector4d quaternion_rate(const Eigen::Vector4d& q, const Vector& w) {
    Eigen::Vector4d rate;
    rate << -q.tail<3>().dot(w), q(0) * w + q.tail<3>().cross(w);
    return rate / 2;
  }
  Seven rate(const Seven& at) const {
    Seven r;
    r << quaternion_rate(at.head<4>(), at.tail<3>()), velocity_rate(at.head<4>(), at.tail<3>());
    return r;
  }
  State<double> state() const {
    const Vector P = top.I * y.tail<3>();
    return {{y(0), {y(1), y(2), y(3)}}, {P.x(), P.y(), P.z()}, 0};
  }
};

struct EulerProgram : Program {
  void step(double h) {
    const Eigen::Vector4d q = y.head<4>();
    const Vector w = y.tail<3>() + h * velocity_rate(q, y.tail<3>());
    y << (q + h * quaternion_rate(q, w)).normalized(), w;
  }
};
struct RungeKuttaProgram : Program {
  void step(double h) {
    const Seven k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    y.head<4>().normalize();
  }
};

TEST(Textbook, MethodsAreThoseOfTheTextbooks) {
  EXPECT_LT(distance_to<TextbookEuler>(EulerProgram()), rounding);
  EXPECT_LT(distance_to<TextbookRungeKutta4>(RungeKuttaProgram()), rounding);
}

// Told in other axes of space and of the body, motion and torque are the same.
template <class M>
double difference_in_other_axes() {
  const Rotation<double> space = exp(Vec3<double>{0.7, -0.4, 0.9});
  auto turned = spun_top();
  turned.field.up_spatial = space * turned.field.up_spatial;
  State<double> start = start_state(2);
  start.R_SB = space * start.R_SB;
  Work work;
  State<double> end = integrate<M>(turned, start, 0.1, 100, work);
  end.R_SB = inverse(space) * end.R_SB;
  return distance(end, integrate<M>(spun_top(), start_state(2), 0.1, 100, work));
}

TEST(Textbook, MethodsDoNotDependOnTheAxes) {
  EXPECT_LT(difference_in_other_axes<TextbookEuler>(), rounding);
  EXPECT_LT(difference_in_other_axes<TextbookRungeKutta4>(), rounding);
}

// The velocity of the free body goes outwards in every step by (h |w'|)^2: energy and momentum grow for ever.
TEST(Textbook, EulerGainsEnergyAndMomentum) {
  const double scale = energy(free_body().body, Free{}, start_state(2));
  const EnergyError error = energy_error<TextbookEuler>(free_body(), start_state(2), 0.01, 8000);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_GT(error.mean[i], error.mean[i - 1]);
  EXPECT_GT(error.mean[7], 0.01 * scale);
  Work work;
  const State<double> end = integrate<TextbookEuler>(free_body(), start_state(2), 0.01, 8000, work);
  EXPECT_GT(norm(end.pi_B), 1.01 * norm(start_state(2).pi_B));
}

// Of second order in time, the gain of a step is seen at once: |pi_1|^2 = |pi_0|^2 + h^2 |pi_0 x w_0|^2.
TEST(Textbook, EulersGainOfAStepIsTheSquareOfTheChange) {
  Work work;
  const State<double> s = start_state(2);
  const Vec3<double> change = cross(s.pi_B, free_body().body.velocity(s.pi_B));
  for (const double h : {0.5, 0.1}) {
    const State<double> next = TextbookEuler::step(free_body(), s, h, work);
    EXPECT_NEAR(squared_norm(next.pi_B), squared_norm(s.pi_B) + h * h * squared_norm(change), 1e-14);
  }
}

}  // namespace
}  // namespace polhode::test::textbook_test
