// The motion of a step as polynomials in time, for whoever asks for many states of it or for its derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "polhode/run/dense_output.hpp"

namespace polhode {

// Quaternion and momentum in body axes through the dense output at Chebyshev's points, over a part of a stretch.
template <class T>
class StepPolynomial {
 public:
  // `from` and `to`: shares of the stretch.
  StepPolynomial(DenseOutput<T>& dense, std::size_t stretch, const T& from, const T& to, std::size_t degree)
      : from_(from), to_(to), within_(dense.stretch(stretch)), c_(degree + 1) {
    std::vector<Values> value(degree + 1);
    Rotation<T> last{};
    for (std::size_t j = 0; j <= degree; ++j) {
      const T share = j == 0 ? from : j == degree ? to : T(from + T(0.5) * T(T(1) - cosine(j, degree)) * (to - from));
      const State<T> s = dense.after_share(share, stretch).state;
      Rotation<T> q = s.R_SB;
      if (j > 0 && q.w * last.w + dot(q.v, last.v) < T(0)) q = {-q.w, -q.v};  // one of two that are one rotation
      last = q;
      value[j] = {q.w, q.v.x, q.v.y, q.v.z, s.pi_B.x, s.pi_B.y, s.pi_B.z};
    }
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t j = 0; j <= degree; ++j) {
        // T_k at x = -cos(pi j/degree) is (-1)^k cos(pi j k/degree).
        const double ends = (j == 0 || j == degree ? 0.5 : 1) * (k == 0 || k == degree ? 0.5 : 1);
        const double sign = k % 2 == 0 ? 1 : -1;
        const T weight = T(2 * sign * ends) * cosine(j * k, degree) / T(static_cast<double>(degree));
        for (std::size_t n = 0; n < components; ++n) c_[k][n] = c_[k][n] + weight * value[j][n];
      }
    }
  }

  std::size_t degree() const { return c_.size() - 1; }
  T time(const T& s) const { return within_.begin + (from_ + s * (to_ - from_)) * (within_.end - within_.begin); }
  T begin() const { return from_ == T(0) ? within_.begin : time(T(0)); }
  T end() const { return to_ == T(1) ? within_.end : time(T(1)); }

  // At s from 0 to 1, a number or a power series, of the attitude and of the momentum in the units of the stepper.
  template <class S>
  void evaluate(const S& s, Rotation<S>& R_SB, Vec3<S>& pi_B) const {
    const auto number = [](const T& x) { return S(static_cast<value_of<S>>(x)); };
    const S twice_x = S(number(T(4)) * s) - number(T(2));
    std::array<S, components> sum;
    for (std::size_t n = 0; n < components; ++n) {  // Clenshaw's recursion
      S b = number(c_.back()[n]), b_next = number(T(0));
      for (std::size_t k = c_.size() - 1; k-- > 1;) {
        const S b_now = S(twice_x * b) - b_next + number(c_[k][n]);
        b_next = b;
        b = b_now;
      }
      sum[n] = S(number(T(0.5)) * S(twice_x * b)) - b_next + number(c_[0][n]);
    }
    R_SB = normalised(Rotation<S>{sum[0], {sum[1], sum[2], sum[3]}});
    pi_B = {sum[4], sum[5], sum[6]};
  }

  // How large the last coefficients are beside the values: what a higher degree would still change, about.
  double rest() const {
    double largest[2] = {1, 0}, last[2] = {0, 0};
    for (std::size_t k = 0; k < c_.size(); ++k) {
      for (std::size_t n = 0; n < components; ++n) {
        using std::abs;
        const double size = static_cast<double>(T(abs(c_[k][n])));
        const std::size_t kind = n < 4 ? 0 : 1;
        largest[kind] = std::max(largest[kind], size);
        if (k + 2 >= c_.size()) last[kind] = std::max(last[kind], size);
      }
    }
    return std::max(last[0] / largest[0], largest[1] > 0 ? last[1] / largest[1] : 0.0);
  }

 private:
  static constexpr std::size_t components = 7;
  using Values = std::array<T, components>;

  // cos(pi j/n)
  static T cosine(std::size_t j, std::size_t n) {
    using std::acos;
    using std::cos;
    const T pi = acos(T(-1));
    return T(cos(T(pi * T(static_cast<double>(j % (2 * n))) / T(static_cast<double>(n)))));
  }

  T from_, to_;
  typename DenseOutput<T>::Stretch within_;
  std::vector<Values> c_;  // of Chebyshev's polynomials on [-1, 1]
};

inline constexpr std::size_t highest_step_degree = 16;

namespace detail {

template <class T>
void add_step_polynomials(DenseOutput<T>& dense, std::size_t stretch, const T& from, const T& to, std::size_t degree,
                          double rest_of_whole, int halvings, std::vector<StepPolynomial<T>>& found) {
  constexpr int most_halvings = 8;
  const double small = 256 * static_cast<double>(epsilon<T>());
  StepPolynomial<T> all(dense, stretch, from, to, degree);
  if (degree < highest_step_degree && !(all.rest() <= small))
    all = StepPolynomial<T>(dense, stretch, from, to, highest_step_degree);
  // In a half a smooth motion has coefficients that are smaller by far: those that are not are noise or a jump.
  const double rest = all.rest();
  if (rest <= small || halvings == most_halvings || (rest < 1e-6 && !(rest * 16 < rest_of_whole))) {
    found.push_back(std::move(all));
    return;
  }
  const T middle = T(0.5) * (from + to);
  add_step_polynomials(dense, stretch, from, middle, highest_step_degree, rest, halvings + 1, found);
  add_step_polynomials(dense, stretch, middle, to, highest_step_degree, rest, halvings + 1, found);
}

}  // namespace detail

// A stretch of the last step in as many polynomials as it takes to have its motion to rounding: one for a step of less than
// about a radian.
template <class T>
std::vector<StepPolynomial<T>> step_polynomials(DenseOutput<T>& dense, std::size_t stretch) {
  const std::size_t order = dense.order() > 14 ? 14 : static_cast<std::size_t>(dense.order());
  const std::size_t degree = std::max<std::size_t>(8, order + 2);
  std::vector<StepPolynomial<T>> found;
  detail::add_step_polynomials(dense, stretch, T(0), T(1), degree, std::numeric_limits<double>::infinity(), 0, found);
  return found;
}

}  // namespace polhode
