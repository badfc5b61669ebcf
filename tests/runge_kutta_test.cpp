// Averages of rotations: where nothing is said the mean on the sphere is one.
#include "polhode/methods/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <random>

namespace polhode::test::runge_kutta_test {
namespace {

// The weighted sum of the rotations from a mean to what it is a mean of, which vanishes.
template <class T>
T off_balance(const Rotation<T>& mean, const std::array<Vec3<T>, 4>& w_S, const T& h) {
  Vec3<T> sum{};
  const std::array<T, 4> sixths{T(1), T(2), T(2), T(1)};
  for (std::size_t i = 0; i < 4; ++i) sum += sixths[i] * log(inverse(mean) * exp(h * w_S[i]));
  return norm(sum) / T(6);
}

std::array<Vec3<double>, 4> some_velocities(std::mt19937& random, double spread) {
  std::normal_distribution<double> any;
  std::array<Vec3<double>, 4> w_S;
  for (Vec3<double>& w : w_S)
    w = Vec3<double>{1, 0.5, -0.25} + spread * Vec3<double>{any(random), any(random), any(random)};
  return w_S;
}

TEST(MeanOnSphere, IsTheMeanOfWhatAStepMakes) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto w_S = some_velocities(random, 0.2);
    Work work;
    EXPECT_LT(off_balance(MeanOnSphere::average(w_S, 0.5, work), w_S, 0.5), 1e-15);
    EXPECT_TRUE(work.converged);
  }
}

// Of rotations all around there may be none that is found, and then the work says so.
TEST(MeanOnSphere, SaysWhereItIsNotFound) {
  std::mt19937 random(2);
  int failed = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto w_S = some_velocities(random, 10);
    Work work;
    const Rotation<double> mean = MeanOnSphere::average(w_S, 1.0, work);
    if (work.converged) {
      EXPECT_LT(off_balance(mean, w_S, 1.0), 1e-13);
    } else {
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  std::array<Vec3<double>, 4> none = some_velocities(random, 0.1);
  none[2].y = std::nan("");
  Work work;
  MeanOnSphere::average(none, 1.0, work);
  EXPECT_FALSE(work.converged);
}

}  // namespace
}  // namespace polhode::test::runge_kutta_test
