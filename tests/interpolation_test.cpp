// Piecewise polynomials through given values: what each kind is exact for, how smooth it is and how fast it converges, on
// numbers, duals, power series and in quad.
#include "polhode/core/interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "polhode/core/dual.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/series.hpp"

namespace polhode::interpolation_test {
namespace {

constexpr Interpolation every_kind[] = {Interpolation::linear, Interpolation::cubic_hermite,
                                        Interpolation::natural_spline};
const std::vector<double> uneven{-1.0, -0.25, 0.0, 0.5, 2.0, 2.125, 4.0};

template <class T = double>
PiecewiseCubic<T> through(const std::vector<double>& knots, const std::function<T(const T&)>& f, Interpolation kind) {
  std::vector<T> x(knots.begin(), knots.end()), y;
  for (const T& knot : x) y.push_back(f(knot));
  return {x, y, kind};
}

// Value and derivatives at a place, of the piece that is asked for.
Series<double, 3> expanded(const PiecewiseCubic<double>& curve, std::size_t piece, double x) {
  return curve.in_piece(piece, Series<double, 3>::variable(x));
}

TEST(Interpolation, PassesThroughItsValuesFromBothSides) {
  const auto wild = [](const double& x) { return std::sin(3 * x) + x * x; };
  for (const Interpolation kind : every_kind) {
    const auto curve = through<double>(uneven, wild, kind);
    for (std::size_t i = 0; i < uneven.size(); ++i) {
      EXPECT_EQ(curve(uneven[i]), wild(uneven[i]));
      EXPECT_NEAR(curve.in_piece(i, uneven[i]), wild(uneven[i]), 1.5e-14)  // four roundings of 16
          << "from the left";
      EXPECT_EQ(curve.piece_at(uneven[i]), i + 1) << "a knot begins a piece";
      EXPECT_EQ(curve.piece_at(std::nextafter(uneven[i], -10)), i);
    }
  }
}

TEST(Interpolation, IsConstantOutside) {
  for (const Interpolation kind : every_kind) {
    const auto curve = through<double>(
        uneven, [](const double& x) { return x * x * x; }, kind);
    EXPECT_EQ(curve(-1.5), -1);
    EXPECT_EQ(curve(-1e300), -1);
    EXPECT_EQ(curve(4.0), 64);
    EXPECT_EQ(curve(1e300), 64);
    EXPECT_EQ(expanded(curve, 0, -7).c[1], 0);
    EXPECT_EQ(expanded(curve, uneven.size(), 7).c[1], 0);
  }
}

TEST(Interpolation, IsExactForWhatItSays) {
  const auto line = [](const double& x) { return 2 - 0.5 * x; };
  const auto parabola = [](const double& x) { return 1 + 0.3 * x - 0.7 * x * x; };
  for (double x = -1; x <= 4; x += 0.03125) {
    for (const Interpolation kind : every_kind)
      EXPECT_NEAR(through<double>(uneven, line, kind)(x), line(x), 4e-15) << x;
    EXPECT_NEAR(through<double>(uneven, parabola, Interpolation::cubic_hermite)(x), parabola(x), 2e-14) << x;
  }
  const auto straight = through<double>({1, 3}, parabola, Interpolation::linear);
  for (const Interpolation kind : every_kind) {
    EXPECT_NEAR(through<double>({1, 3}, parabola, kind)(1.7), straight(1.7), 1e-15) << "two knots";
    EXPECT_EQ(through<double>({1}, parabola, kind)(1.7), parabola(1)) << "one knot";
  }
}

// By hand: with the knots 0, 1, 2 and the values 0, 1, 0 the second derivative in the middle is -3.
TEST(Interpolation, TheNaturalSplineOfThreeKnots) {
  const auto spline = through<double>(
      {0, 1, 2}, [](const double& x) { return 1 - std::abs(x - 1); }, Interpolation::natural_spline);
  for (const double x : {0.0, 0.25, 0.5, 0.9}) {
    EXPECT_NEAR(spline(x), 1.5 * x - 0.5 * x * x * x, 1e-15);
    EXPECT_NEAR(spline(2 - x), 1.5 * x - 0.5 * x * x * x, 1e-15);
  }
}

// Both sides: as smooth as it says, and not smoother.
TEST(Interpolation, IsAsSmoothAsItSays) {
  const auto wild = [](const double& x) { return std::cos(2 * x) + 0.1 * x; };
  for (const Interpolation kind : every_kind) {
    const auto curve = through<double>(uneven, wild, kind);
    const std::size_t smooth = static_cast<std::size_t>(kind);  // 0, 1 and 2 continuous derivatives
    for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
      const auto before = expanded(curve, i, uneven[i]), after = expanded(curve, i + 1, uneven[i]);
      for (std::size_t n = 0; n <= smooth; ++n) EXPECT_NEAR(before.c[n], after.c[n], 2e-13) << i << ", " << n;
      EXPECT_GT(std::abs(before.c[smooth + 1] - after.c[smooth + 1]), 1e-3) << i;
    }
  }
  const auto spline = through<double>(uneven, wild, Interpolation::natural_spline);
  EXPECT_NEAR(expanded(spline, 1, uneven.front()).c[2], 0, 1e-15);
  EXPECT_NEAR(expanded(spline, uneven.size() - 1, uneven.back()).c[2], 0, 1e-14);
}

// Of sin on half a period, whose second derivative vanishes at both ends.
TEST(Interpolation, ConvergesAtItsOrder) {
  const double orders[] = {2, 3, 4};
  for (const Interpolation kind : every_kind) {
    const auto error = [&](int intervals) {
      std::vector<double> knots;
      for (int i = 0; i <= intervals; ++i) knots.push_back(std::numbers::pi * i / intervals);
      const auto curve = through<double>(
          knots, [](const double& x) { return std::sin(x); }, kind);
      double largest = 0;
      for (int i = 0; i <= 8 * intervals; ++i) {
        const double x = std::numbers::pi * i / (8 * intervals);
        largest = std::max(largest, std::abs(curve(x) - std::sin(x)));
      }
      return largest;
    };
    EXPECT_NEAR(std::log2(error(32) / error(64)), orders[static_cast<std::size_t>(kind)], 0.1);
  }
}

TEST(Interpolation, RunsOnDualsSeriesAndQuad) {
  const auto wild = [](const double& x) { return std::sin(3 * x) + x * x; };
  for (const Interpolation kind : every_kind) {
    const auto curve = through<double>(uneven, wild, kind);
    for (double x = -1.9; x < 5; x += 0.37) {
      const auto dual = curve(Dual<double, 1>::variable(x, 0));
      const auto series = curve(Series<double, 3>::variable(x));
      EXPECT_EQ(dual.value, curve(x));
      EXPECT_EQ(series.c[0], curve(x));
      EXPECT_NEAR(dual.d[0], series.c[1], 1e-13);
      const double h = 1e-3;  // stays within the piece
      const double sum = series.c[0] + h * (series.c[1] + h * (series.c[2] + h * series.c[3]));
      EXPECT_NEAR(sum, curve(x + h), 1e-14) << x;
    }
    const auto wide = through<quad>(
        uneven, [&](const quad& x) { return quad(wild(double(x))); }, kind);
    for (double x = -0.9; x < 4; x += 0.37) EXPECT_NEAR(double(wide(quad(x))), curve(x), 1e-13);
    if (kind != Interpolation::natural_spline) continue;
    for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
      const auto at = [&](std::size_t piece) {
        return wide.in_piece(piece, Series<quad, 3>::variable(quad(uneven[i])));
      };
      EXPECT_LT(double(abs(quad(at(i).c[2] - at(i + 1).c[2]))), 1e-30);
    }
  }
}

TEST(Interpolation, SaysWhenItOverflows) {
  const auto huge = [](const double& x) { return x == 0 ? 0 : 1e200; };
  for (const Interpolation kind : every_kind) {
    EXPECT_TRUE(through<double>({0, 1e-90, 1}, huge, kind).is_finite() || kind != Interpolation::linear);
    EXPECT_FALSE(through<double>({0, 1e-200, 1}, huge, kind).is_finite());
  }
}

}  // namespace
}  // namespace polhode::interpolation_test
