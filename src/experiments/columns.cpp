#include "experiments/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "polhode/core/error.hpp"
#include "polhode/core/names.hpp"
#include "polhode/core/rotation.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::experiments {
namespace {

class Rows {
 public:
  explicit Rows(const Motion& motion) : motion_(motion) {}

  double at(const char* column, std::size_t row) const { return motion_.columns.find(column)->second[row]; }
  std::size_t size() const { return motion_.size(); }

  Rotation<double> attitude(std::size_t n) const { return {at("qw", n), {at("qx", n), at("qy", n), at("qz", n)}}; }
  Vec3<double> velocity_B(std::size_t n) const { return {at("wx_B", n), at("wy_B", n), at("wz_B", n)}; }
  Vec3<double> momentum_S(std::size_t n) const { return {at("Lx_S", n), at("Ly_S", n), at("Lz_S", n)}; }
  Vec3<double> momentum_B(std::size_t n) const { return inverse(attitude(n)) * momentum_S(n); }
  double energy(std::size_t n) const { return at("E", n); }
  Vec3<double> polhode_B(std::size_t n) const {
    return {at("polhode_x_B", n), at("polhode_y_B", n), at("polhode_z_B", n)};
  }
  Vec3<double> herpolhode_S(std::size_t n) const {
    return {at("herpolhode_x_S", n), at("herpolhode_y_S", n), at("herpolhode_z_S", n)};
  }
  double time(std::size_t n) const { return at("t", n); }

  // I x in the user's body axes.
  Vec3<double> inertia_times(const Vec3<double>& x) const {
    if (const auto* moments = std::get_if<Vec3<double>>(&motion_.setup.inertia)) return times(*moments, x);
    const auto& m = std::get<Mat3<double>>(motion_.setup.inertia);
    return {m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z, m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z,
            m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z};
  }
  double potential(std::size_t n) const {
    const Vec3<double> w_B = velocity_B(n);
    return energy(n) - 0.5 * dot(w_B, inertia_times(w_B));
  }

  // The rotation vector q of the step from row n to the next, and what the papers make of it: q belongs to its middle.
  Vec3<double> increment(std::size_t n) const { return log(inverse(attitude(n)) * attitude(n + 1)); }
  double length(std::size_t n) const { return time(n + 1) - time(n); }
  Vec3<double> mid_momentum_B(std::size_t n) const { return (1 / length(n)) * inertia_times(increment(n)); }
  Vec3<double> mid_momentum_S(std::size_t n) const { return attitude(n) * exp(0.5 * increment(n)) * mid_momentum_B(n); }
  Vec3<double> mean_momentum_S(std::size_t n) const {
    const Vec3<double> p_B = mid_momentum_B(n);
    return 0.5 * (attitude(n) * p_B + attitude(n + 1) * p_B);
  }
  double mid_energy(std::size_t n) const {
    return 0.5 / length(n) * dot(increment(n), mid_momentum_B(n)) + 0.5 * (potential(n) + potential(n + 1));
  }
  // How far the points of the body that touch the plane moved in a step, over how far the place where they do moved.
  double slip(std::size_t n) const {
    const Vec3<double> touching_B = 0.5 * (polhode_B(n) + polhode_B(n + 1));
    return norm(attitude(n + 1) * touching_B - attitude(n) * touching_B) / norm(herpolhode_S(n + 1) - herpolhode_S(n));
  }
  double chord_ratio(std::size_t n) const {
    return norm(herpolhode_S(n + 1) - herpolhode_S(n)) / norm(polhode_B(n + 1) - polhode_B(n));
  }
  // Half the gradient of rho . I rho.
  Vec3<double> normal_B(std::size_t n) const { return inertia_times(polhode_B(n)); }

  // In degrees, on the branch nearest to what the velocities at both ends would make: a step may turn by more than pi.
  double increment_degrees(std::size_t n) const {
    const double reduced = norm(increment(n)), turn = 2 * std::numbers::pi;
    const double expected = 0.5 * std::abs(length(n)) * (norm(velocity_B(n)) + norm(velocity_B(n + 1)));
    const double whole = std::round((expected - reduced) / turn), other = std::round((expected + reduced) / turn);
    const double same_way = reduced + turn * whole, other_way = turn * other - reduced;
    const bool nearer = std::abs(same_way - expected) <= std::abs(other_way - expected);
    return (nearer ? same_way : other_way) * 180 / std::numbers::pi;
  }

 private:
  const Motion& motion_;
};

struct Derived {
  const char* name;
  bool between_rows;  // belongs to the middle of a step
  std::function<double(const Rows&, std::size_t)> value;
};

const std::vector<Derived>& derived_columns() {
  static const std::vector<Derived> list{
      {"energy_error", false, [](const Rows& r, std::size_t n) { return r.energy(n) - r.energy(0); }},
      {"energy_error_relative", false, [](const Rows& r, std::size_t n) { return r.energy(n) / r.energy(0) - 1; }},
      {"energy_ratio", false, [](const Rows& r, std::size_t n) { return r.energy(n) / r.energy(0); }},
      {"px_B", false, [](const Rows& r, std::size_t n) { return r.momentum_B(n).x; }},
      {"py_B", false, [](const Rows& r, std::size_t n) { return r.momentum_B(n).y; }},
      {"pz_B", false, [](const Rows& r, std::size_t n) { return r.momentum_B(n).z; }},
      {"p_norm", false, [](const Rows& r, std::size_t n) { return norm(r.momentum_S(n)); }},
      {"p_ratio", false, [](const Rows& r, std::size_t n) { return norm(r.momentum_S(n)) / norm(r.momentum_S(0)); }},
      {"L_change", false, [](const Rows& r, std::size_t n) { return norm(r.momentum_S(n) - r.momentum_S(0)); }},
      {"L_change_relative", false,
       [](const Rows& r, std::size_t n) { return norm(r.momentum_S(n) - r.momentum_S(0)) / norm(r.momentum_S(0)); }},
      {"rvx", false, [](const Rows& r, std::size_t n) { return log(r.attitude(n)).x; }},
      {"rvy", false, [](const Rows& r, std::size_t n) { return log(r.attitude(n)).y; }},
      {"rvz", false, [](const Rows& r, std::size_t n) { return log(r.attitude(n)).z; }},
      {"increment_deg", true, [](const Rows& r, std::size_t n) { return r.increment_degrees(n); }},
      {"mid_px_B", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_B(n).x; }},
      {"mid_py_B", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_B(n).y; }},
      {"mid_pz_B", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_B(n).z; }},
      {"mid_p_norm", true, [](const Rows& r, std::size_t n) { return norm(r.mid_momentum_B(n)); }},
      {"mid_p_ratio", true,
       [](const Rows& r, std::size_t n) { return norm(r.mid_momentum_B(n)) / norm(r.momentum_S(0)); }},
      {"mid_energy", true, [](const Rows& r, std::size_t n) { return r.mid_energy(n); }},
      {"mid_energy_ratio", true, [](const Rows& r, std::size_t n) { return r.mid_energy(n) / r.energy(0); }},
      {"mid_Lx_S", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_S(n).x; }},
      {"mid_Ly_S", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_S(n).y; }},
      {"mid_Lz_S", true, [](const Rows& r, std::size_t n) { return r.mid_momentum_S(n).z; }},
      {"mean_Lx_S", true, [](const Rows& r, std::size_t n) { return r.mean_momentum_S(n).x; }},
      {"mean_Ly_S", true, [](const Rows& r, std::size_t n) { return r.mean_momentum_S(n).y; }},
      {"mean_Lz_S", true, [](const Rows& r, std::size_t n) { return r.mean_momentum_S(n).z; }},
      {"contact_ellipsoid", false, [](const Rows& r, std::size_t n) { return dot(r.polhode_B(n), r.normal_B(n)); }},
      {"contact_second_ellipsoid", false,
       [](const Rows& r, std::size_t n) {
         const Vec3<double> gradient = 2 * r.normal_B(n), l_S = r.momentum_S(n);
         return dot(gradient, gradient) * r.energy(n) / (2 * dot(l_S, l_S));
       }},
      {"contact_tangency", false,
       [](const Rows& r, std::size_t n) {
         const Vec3<double> normal_S = r.attitude(n) * r.normal_B(n), l_S = r.momentum_S(n);
         return norm(cross(normal_S, l_S)) / (norm(normal_S) * norm(l_S));
       }},
      {"contact_axis", false,
       [](const Rows& r, std::size_t n) {
         const Vec3<double> rho_B = r.polhode_B(n), w_B = r.velocity_B(n);
         return norm(cross(rho_B, w_B)) / (norm(rho_B) * norm(w_B));
       }},
      {"contact_distance", false,
       [](const Rows& r, std::size_t n) {
         const Vec3<double> l_S = r.momentum_S(n);
         return dot(r.attitude(n) * r.polhode_B(n), l_S) / norm(l_S);
       }},
      {"contact_departure", false, [](const Rows& r, std::size_t n) { return norm(r.polhode_B(n) - r.polhode_B(0)); }},
      {"contact_slip", true, [](const Rows& r, std::size_t n) { return r.slip(n); }},
      {"contact_chord_ratio", true, [](const Rows& r, std::size_t n) { return r.chord_ratio(n); }}};
  return list;
}

[[noreturn]] void refuse(std::string_view column, const Motion& motion) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : motion.columns) names.push_back(name);
  for (const Derived& derived : derived_columns()) names.emplace_back(derived.name);
  throw Error(ErrorKind::bad_file,
              fmt::format("column = '{}' is none that this run has; there are {}", column, fmt::join(names, ", ")));
}

double slope(const Curve& c) {
  const double n = static_cast<double>(c.t.size());
  const double t_mean = std::reduce(c.t.begin(), c.t.end()) / n;
  double tt = 0, tv = 0;
  for (std::size_t i = 0; i < c.t.size(); ++i) {
    tt += (c.t[i] - t_mean) * (c.t[i] - t_mean);
    tv += (c.t[i] - t_mean) * c.values[i];
  }
  return tv / tt;
}

double largest_size(std::vector<double>::const_iterator first, std::vector<double>::const_iterator last) {
  double largest = 0;
  for (; first != last; ++first) largest = larger(largest, std::abs(*first));
  return largest;
}

double least(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), v.front(), smaller); }
double greatest(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), v.front(), larger); }

double sign_changes(const std::vector<double>& v) {
  if (const auto nan = std::ranges::find_if(v, [](double x) { return std::isnan(x); }); nan != v.end()) return *nan;
  double changes = 0, before = 0;
  for (const double x : v) {
    if (x * before < 0) ++changes;
    if (x != 0) before = x;
  }
  return changes;
}

// The smallest (sign = 1) or, negative, the largest (sign = -1) difference of successive values.
double extreme_rise(const std::vector<double>& v, double sign) {
  double extreme = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < v.size(); ++i) extreme = smaller(extreme, sign * (v[i] - v[i - 1]));
  return sign * extreme;
}

using Statistic = double (*)(const Curve&);
const std::map<std::string, Statistic, std::less<>>& statistics() {
  static const std::map<std::string, Statistic, std::less<>> list{
      {"min", [](const Curve& c) { return least(c.values); }},
      {"max", [](const Curve& c) { return greatest(c.values); }},
      {"range", [](const Curve& c) { return greatest(c.values) - least(c.values); }},
      {"mean",
       [](const Curve& c) {
         return std::accumulate(c.values.begin(), c.values.end(), 0.0) / static_cast<double>(c.values.size());
       }},
      {"first", [](const Curve& c) { return c.values.front(); }},
      {"last", [](const Curve& c) { return c.values.back(); }},
      {"max_abs", [](const Curve& c) { return largest_size(c.values.begin(), c.values.end()); }},
      {"sign_changes", [](const Curve& c) { return sign_changes(c.values); }},
      {"slope", [](const Curve& c) { return slope(c); }},
      {"smallest_rise", [](const Curve& c) { return extreme_rise(c.values, 1); }},
      {"largest_rise", [](const Curve& c) { return extreme_rise(c.values, -1); }}};
  return list;
}

}  // namespace

std::vector<std::string> poinsot_columns() {
  return {"polhode_x_B",
          "polhode_y_B",
          "polhode_z_B",
          "herpolhode_x_S",
          "herpolhode_y_S",
          "herpolhode_z_S",
          "qw",
          "qx",
          "qy",
          "qz",
          "Lx_S",
          "Ly_S",
          "Lz_S"};
}

Columns groups_behind(std::string_view column) {
  if (column.starts_with("momentum_along_")) return {polhode::column(column)};
  if (column.starts_with("polhode_") || column.starts_with("herpolhode_") || column.starts_with("contact_")) {
    return {polhode::column("polhode"), polhode::column("herpolhode")};
  }
  return {};
}

Curve curve_of(const Motion& motion, std::string_view column) {
  if (const auto found = motion.columns.find(column); found != motion.columns.end()) {
    return {motion.columns.at("t"), found->second};
  }
  const auto derived = std::ranges::find(derived_columns(), column, &Derived::name);
  if (derived == derived_columns().end()) refuse(column, motion);
  const Rows rows(motion);
  Curve curve;
  const std::size_t count = rows.size() - (derived->between_rows ? 1 : 0);
  for (std::size_t n = 0; n < count; ++n) {
    curve.t.push_back(derived->between_rows ? 0.5 * (rows.time(n) + rows.time(n + 1)) : rows.time(n));
    curve.values.push_back(derived->value(rows, n));
  }
  return curve;
}

double statistic_of(const Curve& curve, std::string_view statistic) {
  if (curve.values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto found = statistics().find(statistic);
  if (found != statistics().end()) return found->second(curve);
  constexpr std::string_view quarters = "max_abs_q";
  if (statistic.size() == quarters.size() + 1 && statistic.starts_with(quarters)) {
    const auto quarter = static_cast<std::size_t>(statistic.back() - '1');
    const std::size_t n = curve.values.size();
    if (quarter < 4) {
      const auto begin = curve.values.begin();
      return largest_size(begin + static_cast<long>(quarter * n / 4), begin + static_cast<long>((quarter + 1) * n / 4));
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, unused] : statistics()) names.push_back(name);
  throw Error(ErrorKind::bad_file, fmt::format("statistic = '{}' is none; there are {}, and max_abs_q1 to max_abs_q4",
                                               statistic, fmt::join(names, ", ")));
}

}  // namespace polhode::experiments
