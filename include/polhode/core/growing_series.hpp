// Power series that grow by one coefficient at a time, as a scalar.
//
// A field written for any scalar is run once per order. The i-th operation of every run finds, on a tape, the
// coefficients that the i-th operation of the runs before has left there, and adds the next one in O(order): all
// coefficients up to order N cost O(N^2) per operation, where truncated series (series.hpp) run again from the beginning
// for every order cost O(N^3). The recurrences are the same ones. Since the coefficient of order k of the torque is all
// that order k + 1 of the motion waits for, this is what a Taylor method needs [JZ05].
//
// Every run must make the same operations in the same order. Comparisons look at the value at s = 0, which does not
// change from run to run, so that a branch on them does no harm.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "polhode/core/series.hpp"
#include "polhode/core/sum_of_products.hpp"

namespace polhode {

// The most coefficients after the first that pay: [JZ05, Sec. 3.2.1] at the rounding of T, 1 - ln(eps)/2 rounded up.
template <class T>
inline constexpr std::size_t longest_series = [] {
  constexpr double half_ln_2 = 0.34657359027997264;
  return static_cast<std::size_t>(half_ln_2 * (std::numeric_limits<value_of<T>>::digits - 1) + 1) + 1;
}();

// As many as a series can hold: those, or in short scalars what the longest of a fixed order asks for.
template <class T>
inline constexpr std::size_t series_capacity = std::max<std::size_t>(longest_series<T>, 12);

namespace detail {

// The coefficients of one series, forwards from the first and backwards to the last number: a convolution then reads
// two rows in the same direction. What was not written is not read.
template <class T>
struct SeriesRow {
  static constexpr std::size_t last = 2 * series_capacity<T> + 1;

  std::array<T, last + 1> c;

  [[gnu::always_inline]] void set(std::size_t n, const T& x) { c[n] = c[last - n] = x; }

  // sum over 0 < i < n of a_i b_(n-i)
  [[gnu::always_inline]] static T inner_products(const SeriesRow& a, const SeriesRow& b, std::size_t n) {
    return sum_of_products(&a.c[1], &b.c[last - (n - 1)], n - 1);
  }
  // Coefficient n of a product. The newest coefficients by themselves: a pair of which one was written a moment ago is
  // slow to read.
  [[gnu::always_inline]] static T product(const SeriesRow& a, const SeriesRow& b, std::size_t n) {
    if (n == 0) return a.c[0] * b.c[0];
    return inner_products(a, b, n) + (a.c[0] * b.c[n] + a.c[n] * b.c[0]);
  }
};

}  // namespace detail

// Where the operations of a run keep their coefficients. It is large, meant for the stack, and not initialised. A torque of
// more operations than it has rows takes further ones from the heap.
template <class T>
class SeriesTape {
 public:
  static constexpr std::size_t size = 384;  // operations; a heavy top takes 40 and the stress test 90
  using Row = detail::SeriesRow<T>;

  // Rows from here on are those of the operations; the ones before belong to whoever grows the series.
  explicit SeriesTape(std::size_t inputs) : inputs_(inputs) {}
  SeriesTape(const SeriesTape&) = delete;
  SeriesTape& operator=(const SeriesTape&) = delete;

  void begin_run(std::size_t order) {
    order_ = order;
    next_ = inputs_;
  }
  std::size_t order() const { return order_; }
  Row& input(std::size_t i) { return rows_[i]; }
  const Row& input(std::size_t i) const { return rows_[i]; }
  Row& next() {
    const std::size_t i = next_++;
    return i < size ? rows_[i] : further(i - size);
  }

 private:
  [[gnu::noinline]] Row& further(std::size_t i) {
    if (i == further_.size()) further_.push_back(std::make_unique<Row>());
    return *further_[i];
  }

  std::size_t inputs_, next_ = 0, order_ = 0;
  std::vector<std::unique_ptr<Row>> further_;  // each by itself: series point to them
  std::array<Row, size> rows_;
};

template <class T>
class GrowingSeries {
 public:
  using Tape = SeriesTape<T>;
  using Row = typename Tape::Row;

  GrowingSeries() = default;
  GrowingSeries(const T& constant) : constant_(constant) {}
  template <NumberOtherThan<T> A>
  GrowingSeries(A constant) : constant_(T(constant)) {}
  GrowingSeries(Tape& tape, Row& row) : tape_(&tape), row_(&row) {}

  T coefficient(std::size_t n) const { return is_constant() ? (n == 0 ? constant_ : T(0)) : row_->c[n]; }
  T value() const { return coefficient(0); }

  friend GrowingSeries operator+(const GrowingSeries& a, const GrowingSeries& b) {
    if (b.is_constant()) return a + b.constant_;
    if (a.is_constant()) return b + a.constant_;
    return a.made(a.newest() + b.newest());
  }
  friend GrowingSeries operator-(const GrowingSeries& a, const GrowingSeries& b) {
    if (b.is_constant()) return a - b.constant_;
    if (a.is_constant()) return a.constant_ - b;
    return a.made(a.newest() - b.newest());
  }
  friend GrowingSeries operator-(const GrowingSeries& a) {
    return a.is_constant() ? GrowingSeries(T(-a.constant_)) : a.made(-a.newest());
  }
  friend GrowingSeries operator*(const GrowingSeries& a, const GrowingSeries& b) {
    if (b.is_constant()) return a * b.constant_;
    if (a.is_constant()) return b * a.constant_;
    return a.made(Row::product(*a.row_, *b.row_, a.order()));
  }
  // q b = a
  friend GrowingSeries operator/(const GrowingSeries& a, const GrowingSeries& b) {
    if (b.is_constant()) return a / b.constant_;
    const std::size_t n = b.order();
    Row& q = b.tape_->next();
    const T above = a.is_constant() ? (n == 0 ? a.constant_ : T(0)) : a.newest();
    const T& b_0 = b.row_->c[0];
    q.set(n, n == 0 ? T(above / b_0) : T((above - b.row_->c[n] * q.c[0] - Row::inner_products(*b.row_, q, n)) / b_0));
    return {*b.tape_, q};
  }

  // A plain number is not convolved, and nothing is done for a zero or a one.
  friend GrowingSeries operator+(const GrowingSeries& a, const T& b) {
    if (a.is_constant()) return a.constant_ + b;
    if (is_plain(b, 0)) return a;
    return a.made(a.order() == 0 ? a.newest() + b : a.newest());
  }
  friend GrowingSeries operator+(const T& a, const GrowingSeries& b) { return b + a; }
  friend GrowingSeries operator-(const GrowingSeries& a, const T& b) { return a + T(-b); }
  friend GrowingSeries operator-(const T& a, const GrowingSeries& b) {
    if (b.is_constant()) return a - b.constant_;
    return b.made(b.order() == 0 ? a - b.newest() : -b.newest());
  }
  friend GrowingSeries operator*(const GrowingSeries& a, const T& b) {
    if (a.is_constant()) return a.constant_ * b;
    if (is_plain(b, 0)) return T(0);
    if (is_plain(b, 1)) return a;
    return a.made(a.newest() * b);
  }
  friend GrowingSeries operator*(const T& a, const GrowingSeries& b) { return b * a; }
  friend GrowingSeries operator/(const GrowingSeries& a, const T& b) {
    return a.is_constant() ? GrowingSeries(T(a.constant_ / b)) : a.made(a.newest() / b);
  }
  friend GrowingSeries operator/(const T& a, const GrowingSeries& b) { return GrowingSeries(a) / b; }

  template <NumberOtherThan<T> A>
  friend GrowingSeries operator+(const GrowingSeries& a, A b) {
    return a + T(b);
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator+(A a, const GrowingSeries& b) {
    return T(a) + b;
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator-(const GrowingSeries& a, A b) {
    return a - T(b);
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator-(A a, const GrowingSeries& b) {
    return T(a) - b;
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator*(const GrowingSeries& a, A b) {
    return a * T(b);
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator*(A a, const GrowingSeries& b) {
    return T(a) * b;
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator/(const GrowingSeries& a, A b) {
    return a / T(b);
  }
  template <NumberOtherThan<T> A>
  friend GrowingSeries operator/(A a, const GrowingSeries& b) {
    return T(a) / b;
  }

  GrowingSeries& operator+=(const GrowingSeries& b) { return *this = *this + b; }
  GrowingSeries& operator-=(const GrowingSeries& b) { return *this = *this - b; }
  GrowingSeries& operator*=(const GrowingSeries& b) { return *this = *this * b; }
  GrowingSeries& operator/=(const GrowingSeries& b) { return *this = *this / b; }

  // Order and sign are those of the value at s = 0.
  friend bool operator<(const GrowingSeries& a, const GrowingSeries& b) { return a.value() < b.value(); }
  friend bool operator>(const GrowingSeries& a, const GrowingSeries& b) { return a.value() > b.value(); }
  friend bool operator<=(const GrowingSeries& a, const GrowingSeries& b) { return a.value() <= b.value(); }
  friend bool operator>=(const GrowingSeries& a, const GrowingSeries& b) { return a.value() >= b.value(); }

  // r^2 = a
  friend GrowingSeries sqrt(const GrowingSeries& a) {
    if (a.is_constant()) return T(sqrt(a.constant_));
    const std::size_t n = a.order();
    Row& r = a.tape_->next();
    r.set(n, n == 0 ? T(sqrt(a.newest())) : T((a.newest() - Row::inner_products(r, r, n)) / (T(2) * r.c[0])));
    return {*a.tape_, r};
  }
  // e' = a' e
  friend GrowingSeries exp(const GrowingSeries& a) {
    if (a.is_constant()) return T(exp(a.constant_));
    const Row& slope = a.slope();
    const std::size_t n = a.order();
    Row& e = a.tape_->next();
    e.set(n, n == 0 ? T(exp(a.newest())) : integral(slope, e, n));
    return {*a.tape_, e};
  }
  // a l' = a'
  friend GrowingSeries log(const GrowingSeries& a) {
    if (a.is_constant()) return T(log(a.constant_));
    const std::size_t n = a.order();
    Row &l = a.tape_->next(), &slope = a.tape_->next();
    if (n == 0) {
      l.set(0, T(log(a.newest())));
    } else {
      const T sum = Row::inner_products(slope, *a.row_, n);
      l.set(n, (a.newest() - sum / number(n)) / a.row_->c[0]);
    }
    slope.set(n, number(n) * l.c[n]);
    return {*a.tape_, l};
  }
  // s' = a' c, c' = -a' s
  friend void sin_cos(const GrowingSeries& a, GrowingSeries& s, GrowingSeries& c) {
    if (a.is_constant()) {
      const auto first = cos_and_sin(a.constant_);
      s = first.sine, c = first.cosine;
      return;
    }
    const Row& slope = a.slope();
    const std::size_t n = a.order();
    Row &sine = a.tape_->next(), &cosine = a.tape_->next();
    const auto first = n == 0 ? cos_and_sin(a.newest()) : detail::CosSin<T>{T(0), T(0)};
    sine.set(n, n == 0 ? first.sine : integral(slope, cosine, n));
    cosine.set(n, n == 0 ? first.cosine : T(-integral(slope, sine, n)));
    s = {*a.tape_, sine};
    c = {*a.tape_, cosine};
  }
  friend GrowingSeries sin(const GrowingSeries& a) {
    GrowingSeries s, c;
    sin_cos(a, s, c);
    return s;
  }
  friend GrowingSeries cos(const GrowingSeries& a) {
    GrowingSeries s, c;
    sin_cos(a, s, c);
    return c;
  }
  // (x^2 + y^2) f' = x y' - y x'
  friend GrowingSeries atan2(const GrowingSeries& y, const GrowingSeries& x) {
    if (y.is_constant() && x.is_constant()) return T(atan2(y.constant_, x.constant_));
    // A constant beside a series becomes one: with rows for all, one formula does.
    const GrowingSeries &of_tape = y.is_constant() ? x : y, a = of_tape.grown(y), b = of_tape.grown(x);
    const GrowingSeries r = a * a + b * b;
    const Row &a_slope = a.slope(), &b_slope = b.slope();
    const std::size_t n = a.order();
    Row &f = a.tape_->next(), &slope = a.tape_->next();
    if (n == 0) {
      f.set(0, T(atan2(a.newest(), b.newest())));
    } else {
      const T sum = number(n) * (integral(a_slope, *b.row_, n) - integral(b_slope, *a.row_, n)) -
                    Row::inner_products(slope, *r.row_, n);
      f.set(n, sum / (number(n) * r.row_->c[0]));
    }
    slope.set(n, number(n) * f.c[n]);
    return {*a.tape_, f};
  }

  // f' = a' (1 + f^2) and f' = a' (1 - f^2)
  friend GrowingSeries tan(const GrowingSeries& a) {
    return a.is_constant() ? GrowingSeries(T(tan(a.constant_)))
                           : a.riccati(a.order() == 0 ? T(tan(a.newest())) : T(0), 1);
  }
  friend GrowingSeries tanh(const GrowingSeries& a) {
    return a.is_constant() ? GrowingSeries(T(tanh(a.constant_)))
                           : a.riccati(a.order() == 0 ? T(tanh(a.newest())) : T(0), -1);
  }
  // sqrt(1 - a^2) f' = a', the same with the other sign, and (1 + a^2) f' = a'
  friend GrowingSeries asin(const GrowingSeries& a) {
    if (a.is_constant()) return T(asin(a.constant_));
    return a.over(sqrt(T(1) - a * a), a.order() == 0 ? T(asin(a.newest())) : T(0));
  }
  friend GrowingSeries acos(const GrowingSeries& a) {
    if (a.is_constant()) return T(acos(a.constant_));
    return a.over(-sqrt(T(1) - a * a), a.order() == 0 ? T(acos(a.newest())) : T(0));
  }
  friend GrowingSeries atan(const GrowingSeries& a) {
    if (a.is_constant()) return T(atan(a.constant_));
    return a.over(a * a + T(1), a.order() == 0 ? T(atan(a.newest())) : T(0));
  }

 private:
  bool is_constant() const { return tape_ == nullptr; }
  std::size_t order() const { return tape_->order(); }
  // The coefficient that this run has added.
  [[gnu::always_inline]] const T& newest() const { return row_->c[tape_->order()]; }
  // A zero that carries derivatives is none.
  static bool is_plain(const T& x, int number) {
    if constexpr (std::is_floating_point_v<T>) {
      return x == T(number);
    } else {
      return false;
    }
  }
  static T number(std::size_t n) { return T(static_cast<int>(n)); }

  [[gnu::always_inline]] GrowingSeries made(const T& coefficient) const {
    Row& row = tape_->next();
    row.set(tape_->order(), coefficient);
    return {*tape_, row};
  }
  // n a_n
  const Row& slope() const {
    Row& row = tape_->next();
    row.set(order(), number(order()) * newest());
    return row;
  }
  GrowingSeries grown(const GrowingSeries& other) const {
    return other.is_constant() ? made(order() == 0 ? other.constant_ : T(0)) : other;
  }
  // Coefficient n of the integral of a' b.
  static T integral(const Row& slope, const Row& b, std::size_t n) {
    return (Row::inner_products(slope, b, n) + slope.c[n] * b.c[0]) / number(n);
  }

  // f with f' = a' (1 + sign f^2); its value is used at order 0.
  GrowingSeries riccati(const T& value, int sign) const {
    const Row& a_slope = slope();
    const std::size_t n = order();
    Row &f = tape_->next(), &factor = tape_->next();
    f.set(n, n == 0 ? value : integral(a_slope, factor, n));
    factor.set(n, T(sign) * Row::product(f, f, n) + T(n == 0 ? 1 : 0));
    return {*tape_, f};
  }
  // f with r f' = a'; its value is used at order 0.
  GrowingSeries over(const GrowingSeries& r, const T& value) const {
    const std::size_t n = order();
    Row &f = tape_->next(), &f_slope = tape_->next();
    f.set(n, n == 0 ? value : T((newest() - Row::inner_products(f_slope, *r.row_, n) / number(n)) / r.row_->c[0]));
    f_slope.set(n, number(n) * f.c[n]);
    return {*tape_, f};
  }

  Tape* tape_ = nullptr;  // none: a constant
  Row* row_ = nullptr;
  T constant_{};
};

template <class T>
struct ValueOf<GrowingSeries<T>> {
  using type = value_of<T>;
};

template <class T>
inline constexpr std::size_t derivatives_of<GrowingSeries<T>> = series_capacity<T> + derivatives_of<T>;

template <class T>
GrowingSeries<T> select(bool mask, const GrowingSeries<T>& a, const GrowingSeries<T>& b) {
  return mask ? a : b;
}
template <class T>
GrowingSeries<T> abs(const GrowingSeries<T>& a) {
  return a.value() < T(0) ? -a : a;
}
template <class T>
GrowingSeries<T> min(const GrowingSeries<T>& a, const GrowingSeries<T>& b) {
  return b < a ? b : a;
}
template <class T>
GrowingSeries<T> max(const GrowingSeries<T>& a, const GrowingSeries<T>& b) {
  return a < b ? b : a;
}
template <class T>
GrowingSeries<T> copysign(const GrowingSeries<T>& a, const GrowingSeries<T>& b) {
  return copysign(T(1), a.value()) * copysign(T(1), b.value()) < T(0) ? -a : a;
}

}  // namespace polhode
