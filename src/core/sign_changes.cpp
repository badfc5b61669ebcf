#include "polhode/core/sign_changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace polhode {
namespace {

constexpr std::array degrees{8, 16, 32, 64};
constexpr int most_halvings = 5;  // of the interval, before the function counts as not smooth

// sum c_k T_k(x) by Clenshaw's recurrence.
double value_at(std::span<const double> c, double x) {
  double next = 0, after = 0;
  for (std::size_t k = c.size() - 1; k > 0; --k) {
    const double here = 2 * x * next - after + c[k];
    after = next;
    next = here;
  }
  return x * next - after + c[0];
}

// cos(pi j / n), j from 0 to 2 n. A step may ask for all of them thousands of times.
template <int n>
const std::array<double, 2 * n + 1>& cosines() {
  static const std::array<double, 2 * n + 1> table = [] {
    std::array<double, 2 * n + 1> values{};
    for (int j = 0; j <= 2 * n; ++j) values[static_cast<std::size_t>(j)] = std::cos(std::numbers::pi * j / n);
    return values;
  }();
  return table;
}
std::span<const double> cosines_of(int degree) {
  switch (degree) {
    case 8: return cosines<8>();
    case 16: return cosines<16>();
    case 32: return cosines<32>();
    default: return cosines<64>();
  }
}

// The coefficients of the polynomial that has these values at cos(pi j / n), j = 0 ... n.
std::vector<double> coefficients(const std::vector<double>& values) {
  const int n = static_cast<int>(values.size()) - 1;
  std::vector<double> c(values.size());
  const std::span<const double> points = cosines_of(n);
  for (int k = 0; k <= n; ++k) {
    double sum = 0.5 * (values.front() + (k % 2 == 0 ? values.back() : -values.back()));
    for (int j = 1; j < n; ++j)
      sum += values[static_cast<std::size_t>(j)] * points[static_cast<std::size_t>(j * k % (2 * n))];
    c[static_cast<std::size_t>(k)] = sum * (k == 0 || k == n ? 1.0 : 2.0) / n;
  }
  return c;
}

double largest(std::span<const double> c) {
  double size = 0;
  for (const double x : c) size = std::max(size, std::abs(x));
  return size;
}

// The last ones are down at the rounding of the largest. With many points they are allowed that of a function which has
// lost some digits, such as the angle acos(x) or the sine of a large number.
double largest_of_tail(const std::vector<double>& c) {
  return largest(std::span(c).last(std::max<std::size_t>(3, c.size() / 8)));
}
bool resolved(const std::vector<double>& c) {
  const double rounding = c.size() <= 33 ? 4e-15 : 1e-12;
  return largest_of_tail(c) <= rounding * largest(c);
}

std::vector<double> derivative(const std::vector<double>& c) {
  std::vector<double> d(c.size() + 1);
  for (std::size_t k = c.size() - 1; k > 0; --k) d[k - 1] = d[k + 1] + 2 * static_cast<double>(k) * c[k];
  d[0] /= 2;
  d.resize(std::max<std::size_t>(1, c.size() - 1));
  return d;
}

// `unseen`: by how much the function may differ from the polynomial.
bool has_no_root(const std::vector<double>& c, double unseen = 0) {
  double others = unseen;
  for (const double x : std::span(c).subspan(1)) others += std::abs(x);
  return std::abs(c[0]) > others;
}

// Coefficients that are not at rounding yet, but so small that what follows them, should it fall no faster than the sum of
// so many of the last, cannot make a root.
bool clearly_has_no_root(const std::vector<double>& c) {
  const double last = largest(std::span(c).last(3));
  return has_no_root(c, 10 * static_cast<double>(c.size()) * last);
}

class Isolation {
 public:
  Isolation(std::vector<double> c, double from, double to, std::vector<SignChange>& found)
      : c_(std::move(c)),
        rounding_(std::max(1e-15 * largest(c_), 8 * largest_of_tail(c_))),
        from_(from),
        to_(to),
        found_(found) {}

  void run() { look(-1, 1, value_at(c_, -1), value_at(c_, 1)); }

 private:
  // Values at the ends are those of the whole polynomial: neighbours then agree on the sign at their common end.
  void look(double a, double b, double value_a, double value_b) {
    const std::vector<double> part = on(a, b);
    if (has_no_root(part)) return;
    // Where the polynomial is all rounding, a pair of roots means nothing.
    if (has_no_root(derivative(part)) || largest(part) <= rounding_) {
      if ((value_a >= 0) != (value_b >= 0)) found_.push_back({seen(a), seen(b), value_b >= 0});
      return;
    }
    const double middle = a + 0.4921875 * (b - a);  // roots like to be in the middle
    const double value = value_at(c_, middle);
    look(a, middle, value_a, value);
    look(middle, b, value, value_b);
  }

  std::vector<double> on(double a, double b) const {
    if (a == -1 && b == 1) return c_;
    const std::span<const double> points = cosines_of(static_cast<int>(c_.size()) - 1);
    std::vector<double> values;
    for (std::size_t j = 0; j < c_.size(); ++j) values.push_back(value_at(c_, a + (b - a) * 0.5 * (1 + points[j])));
    return coefficients(values);
  }

  double seen(double x) const {
    if (x == 1) return to_;
    return from_ + (to_ - from_) * 0.5 * (1 + x);
  }

  std::vector<double> c_;
  double rounding_;
  double from_, to_;
  std::vector<SignChange>& found_;
};

// A root that is at an end to rounding, where the sign of the polynomial is not that of the function, is set right.
void agree_at_ends(std::vector<SignChange>& here, double from, double to, double value_from, double value_to) {
  const bool odd = here.size() % 2 == 1;
  if (odd == ((value_from >= 0) != (value_to >= 0))) return;
  const bool at_end = std::abs(value_to) < std::abs(value_from);
  if (at_end && !here.empty() && here.back().to == to) {
    here.pop_back();
  } else if (at_end) {
    here.push_back({here.empty() ? from : here.back().to, to, value_to >= 0});
  } else if (!here.empty() && here.front().from == from) {
    here.erase(here.begin());
  } else {
    here.insert(here.begin(), {from, here.empty() ? to : here.front().from, value_from < 0});
  }
}

bool isolate(const std::function<double(double)>& function, double from, double to, int halvings,
             std::vector<SignChange>& found) {
  for (const int degree : degrees) {
    std::vector<double> values;
    for (int j = 0; j <= degree; ++j) {
      const double x = j == 0        ? to
                       : j == degree ? from
                                     : from + (to - from) * 0.5 * (1 + cosines_of(degree)[static_cast<std::size_t>(j)]);
      values.push_back(function(x));
      if (!std::isfinite(values.back())) return false;
    }
    std::vector<double> c = coefficients(values);
    if (clearly_has_no_root(c)) return true;
    if (!resolved(c)) continue;
    std::vector<SignChange> here;
    Isolation(std::move(c), from, to, here).run();
    agree_at_ends(here, from, to, values.back(), values.front());
    found.insert(found.end(), here.begin(), here.end());
    return true;
  }
  if (halvings == 0) return false;
  const double middle = 0.5 * (from + to);
  return isolate(function, from, middle, halvings - 1, found) && isolate(function, middle, to, halvings - 1, found);
}

}  // namespace

std::optional<std::vector<SignChange>> sign_changes(const std::function<double(double)>& function) {
  std::vector<SignChange> found;
  if (!isolate(function, 0, 1, most_halvings, found)) return std::nullopt;
  return found;
}

std::vector<SignChange> sampled_sign_changes(const std::function<double(double)>& function, int parts) {
  std::vector<SignChange> found;
  double before = function(0);
  for (int i = 1; i <= parts; ++i) {
    const double here = function(static_cast<double>(i) / parts);
    if ((before >= 0) != (here >= 0))
      found.push_back({static_cast<double>(i - 1) / parts, static_cast<double>(i) / parts, here >= 0});
    before = here;
  }
  return found;
}

}  // namespace polhode
