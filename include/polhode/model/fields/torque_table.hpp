// A torque that was measured, or computed elsewhere: its values at some times.
#pragma once

#include <span>

#include "polhode/core/interpolation.hpp"
#include "polhode/core/lane_array.hpp"
#include "polhode/model/fields/key.hpp"

namespace polhode {

// Bodies side by side may be in different pieces at a time.
template <class S>
concept SingleBody = !is_lanes<S>;

// The torque as columns x, y and z [N m] beside the times t [s], in body or spatial axes, and in between a piecewise
// polynomial (core/interpolation.hpp).
//
// A run that leaves the range of the times is refused where it is planned. A kernel that is called with a time outside
// of it gets the torque of the nearer end. Where two polynomials meet, a stepper made by name ends its step and starts its
// method again, so that each keeps its order.
template <class T>
struct TorqueTable {
  static constexpr std::string_view kind = "table";
  static constexpr bool is_large = true;
  static constexpr std::string_view about = "a torque by its values at some times, interpolated";

  using Curve = PiecewiseCubic<T>;
  using Curves = std::array<Curve, 3>;

  DataFile file{};
  TorqueFrame frame = TorqueFrame::body;
  Interpolation interpolation = Interpolation::linear;
  std::shared_ptr<const Curves> curves{};   // by acts_on(); shared, because a stepper copies its field
  std::optional<std::size_t> only_piece{};  // of a smooth field, by smooth_from()

  static constexpr auto keys() {
    return std::tuple{Key{"file", &TorqueTable::file, Quantity::none, true,
                          "CSV file with columns t[s] and x, y, z[N m] of the torque"},
                      Key{"frame", &TorqueTable::frame, Quantity::none, false, "axes of x, y and z: body or spatial"},
                      Key{"interpolation", &TorqueTable::interpolation, Quantity::none, false,
                          "between the rows: linear, cubic-hermite or natural-spline"}};
  }

  template <class Report>
  void check(const Report& report) const {
    const std::string name = file.name.empty() ? "the table" : "'" + file.name + "'";
    if (!file.table) return report("file", "is missing; give the name of a CSV file, or a DataTable");
    for (const std::string_view component : {"x", "y", "z"}) {
      const DataTable::Column* column = file.table->find(component);
      if (column == nullptr)
        return report("file", name, " has no column ", component, "; a torque has columns t[s], x, y and z[N m]");
      if (!column->unit.empty() && column->unit != "N m" && column->unit != "Nm" && column->unit != "N*m")
        return report("file", name, " has ", component, " in '", std::string_view(column->unit),
                      "'; give the torque in N m, and no unit or [N m] in the header");
    }
    const Curves made = interpolated({}, {});
    if (!std::all_of(made.begin(), made.end(), [](const Curve& curve) { return curve.is_finite(); }))
      report("file", name,
             " has times too close together for its numbers: between them the torque overflows; leave out "
             "rows, or interpolate linearly");
  }

  T largest_torque() const {
    T largest(0);
    for (const char* component : {"x", "y", "z"})
      for (const double value : file.table->find(component)->values) largest = max(largest, T(abs(value)));
    return largest;
  }

  std::optional<std::pair<double, double>> time_range() const {
    const DataTable::Column* t = file.table ? file.table->find("t") : nullptr;
    if (t == nullptr || t->values.empty()) return std::nullopt;
    return std::pair(t->values.front(), t->values.back());
  }

  void acts_on(const Body<T>& body, const Units& units) {
    curves = std::make_shared<const Curves>(interpolated(body.principal_axes, units));
  }
  // For kernels that are called directly: in SI units, and in the axes of the body as they are.
  static TorqueTable of(DataFile data, TorqueFrame axes = TorqueFrame::body,
                        Interpolation way = Interpolation::linear) {
    TorqueTable table{std::move(data), axes, way};
    table.acts_on(Body<T>(Vec3<T>{T(1), T(1), T(1)}), {});
    return table;
  }

  // Times at which polynomials meet.
  std::span<const T> cuts() const {
    if (!curves || only_piece) return {};
    return (*curves)[0].knots();
  }
  // The polynomial from a cut on, or before the first, for all times.
  TorqueTable smooth_from(const std::optional<T>& cut) const {
    TorqueTable table;
    table.frame = frame;
    table.curves = curves;
    table.only_piece = only_piece ? *only_piece : cut ? (*curves)[0].piece_at(*cut) : 0;
    return table;
  }

  template <SingleBody S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    if (!curves) return {};
    const auto& [x, y, z] = *curves;
    const std::size_t piece = only_piece ? *only_piece : x.piece_at(t);
    const Vec3<S> tau{x.in_piece(piece, t), y.in_piece(piece, t), z.in_piece(piece, t)};
    return frame == TorqueFrame::body ? tau : inverse(R_SB) * tau;
  }

 private:
  // In principal axes, if the values are those of body axes.
  Curves interpolated(const Rotation<T>& R_UB, const Units& units) const {
    using std::ldexp;
    const auto column = [&](const char* name) -> const std::vector<double>& { return file.table->find(name)->values; };
    const int of_time = exponent_of(Quantity::time, units), of_torque = exponent_of(Quantity::torque, units);
    const auto &times = column("t"), &x_given = column("x"), &y_given = column("y"), &z_given = column("z");
    std::vector<T> t, x, y, z;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const T time = ldexp(T(times[i]), of_time);
      if (!t.empty() && !(t.back() < time)) continue;  // a scalar shorter than double does not tell them apart
      const Vec3<T> given{ldexp(T(x_given[i]), of_torque), ldexp(T(y_given[i]), of_torque),
                          ldexp(T(z_given[i]), of_torque)};
      const Vec3<T> tau = frame == TorqueFrame::body ? inverse(R_UB) * given : given;
      t.push_back(time);
      x.push_back(tau.x);
      y.push_back(tau.y);
      z.push_back(tau.z);
    }
    return {Curve(t, x, interpolation), Curve(t, y, interpolation), Curve(t, z, interpolation)};
  }
};

}  // namespace polhode
