// Functions given by their values at some points: piecewise polynomials that can be evaluated on any scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "polhode/core/scalar.hpp"

namespace polhode {

// Between two knots of values y, slopes m and second derivatives y'',
//   linear          the straight line; continuous, exact for straight lines.
//   cubic_hermite   the cubic with the values and slopes at both ends, where the slope at a knot is that of the parabola
//                   through it and its neighbours (at an end: through the first or last three); once continuously
//                   differentiable, exact for parabolas.
//   natural_spline  the cubic whose second derivative is continuous, and zero at both ends: twice continuously
//                   differentiable, exact for straight lines.
// Two knots make a straight line of all three, and one a constant.
enum class Interpolation { linear, cubic_hermite, natural_spline };

// A function of one variable in pieces. Piece i lies between knots i - 1 and i; the first and the last piece reach from
// the knots at the ends to infinity and are constant there. A knot belongs to the piece that begins at it.
template <class T>
class PiecewiseCubic {
 public:
  // Knots, one or more, which increase, and as many values.
  PiecewiseCubic(std::vector<T> knots, std::span<const T> values, Interpolation interpolation)
      : knots_(std::move(knots)), degree_(interpolation == Interpolation::linear ? 1 : 3) {
    const std::size_t n = knots_.size();
    pieces_.reserve(n + 1);
    pieces_.push_back({values.front()});
    if (interpolation == Interpolation::linear) {
      for (std::size_t i = 0; i + 1 < n; ++i) pieces_.push_back({values[i], chord(values, i)});
    } else if (interpolation == Interpolation::cubic_hermite) {
      add_hermite(values);
    } else {
      add_spline(values);
    }
    pieces_.push_back({values.back()});
  }

  const std::vector<T>& knots() const { return knots_; }

  // The piece in which x lies. Of a power series, that of its value.
  template <class S>
  std::size_t piece_at(const S& x) const {
    const auto after =
        std::partition_point(knots_.begin(), knots_.end(), [&](const T& knot) { return !(x < S(knot)); });
    return static_cast<std::size_t>(after - knots_.begin());
  }

  // The polynomial of one piece, wherever x is.
  template <class S>
  S in_piece(std::size_t piece, const S& x) const {
    const auto& c = pieces_[piece];
    const S u = x - knots_[piece == 0 ? 0 : piece - 1];
    S sum(c[degree_]);
    for (std::size_t k = degree_; k-- > 0;) sum = c[k] + u * sum;
    return sum;
  }
  // Its derivative.
  template <class S>
  S derivative_in_piece(std::size_t order, std::size_t piece, const S& x) const {
    if (order > degree_) return S(T(0));
    const auto& c = pieces_[piece];
    const S u = x - knots_[piece == 0 ? 0 : piece - 1];
    const auto factor = [order](std::size_t k) {
      int product = 1;
      for (std::size_t i = 0; i < order; ++i) product *= static_cast<int>(k - i);
      return T(product);
    };
    S sum(T(factor(degree_) * c[degree_]));
    for (std::size_t k = degree_; k-- > order;) sum = T(factor(k) * c[k]) + u * sum;
    return sum;
  }
  template <class S>
  S operator()(const S& x) const {
    return in_piece(piece_at(x), x);
  }

  // Knots too close for the values at them make a polynomial that overflows.
  bool is_finite() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const std::array<T, 4>& c) {
      return isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]) && isfinite(c[3]);
    });
  }

 private:
  T width(std::size_t i) const { return knots_[i + 1] - knots_[i]; }
  T chord(std::span<const T> y, std::size_t i) const { return (y[i + 1] - y[i]) / width(i); }

  void add_hermite(std::span<const T> y) {
    const std::size_t n = knots_.size();
    // Of the parabola through three knots in a row: at the middle one, and at the first and last ones of all.
    const auto slope = [&](std::size_t i) -> T {
      if (n < 3) return n == 2 ? chord(y, 0) : T(0);
      const std::size_t k = std::clamp<std::size_t>(i, 1, n - 2);
      const T before = width(k - 1), after = width(k), all = before + after;
      const T left = chord(y, k - 1), right = chord(y, k);
      if (i < k) return left + before / all * (left - right);
      if (i > k) return right + after / all * (right - left);
      return after / all * left + before / all * right;
    };
    T m = slope(0);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const T h = width(i), d = chord(y, i), next = slope(i + 1);
      pieces_.push_back({y[i], m, (T(3) * d - T(2) * m - next) / h, (m + next - T(2) * d) / h / h});
      m = next;
    }
  }

  // With M the second derivatives at the knots, and zero at the ends,
  //   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (d_i - d_(i-1)),
  // d being the slopes of the chords. The matrix is diagonally dominant: elimination needs no pivots.
  void add_spline(std::span<const T> y) {
    const std::size_t n = knots_.size();
    std::vector<T> M(n, T(0)), upper(n, T(0));
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const T before = width(i - 1), after = width(i);
      const T pivot = T(2) * (before + after) - before * upper[i - 1];
      upper[i] = after / pivot;
      M[i] = (T(6) * (chord(y, i) - chord(y, i - 1)) - before * M[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) M[i] = M[i] - upper[i] * M[i + 1];
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const T h = width(i);
      pieces_.push_back(
          {y[i], chord(y, i) - h / T(6) * (T(2) * M[i] + M[i + 1]), M[i] / T(2), (M[i + 1] - M[i]) / (T(6) * h)});
    }
  }

  std::vector<T> knots_;
  std::vector<std::array<T, 4>> pieces_;  // one more than knots: powers of the distance from the knot before
  std::size_t degree_;
};

}  // namespace polhode
