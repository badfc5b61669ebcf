// Every column of a result: its name, its headers, what it is and how it is found. One more struct and one more entry of
// the list at the end make one more column, for files, flags and help alike.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "polhode/core/evaluate_expression.hpp"
#include "run/euler_321.hpp"
#include "run/view.hpp"

namespace polhode {

template <class T>
struct Moment {
  const View<T>& view;
  const Reached<T>& at;
  State<T> state = view.state(at);  // SI units, the user's axes
};

template <class T>
std::array<T, 3> components(const Vec3<T>& v) {
  return {v.x, v.y, v.z};
}

struct ColumnOnRequest {
  static constexpr bool standard = false;
  static constexpr std::optional<Quantity> needs{};  // a torque must name a direction of this sort
  static constexpr std::string_view needs_in_words{};
  static constexpr bool without_wheels = false;  // has no meaning for a body with wheels
};
struct StandardColumn : ColumnOnRequest {
  static constexpr bool standard = true;
};

struct AttitudeColumn : StandardColumn {
  static constexpr std::string_view name = "attitude_wxyz";
  static constexpr std::string_view about = "unit quaternion, scalar first, from body to spatial axes";
  static constexpr std::array<std::string_view, 4> headers{"qw", "qx", "qy", "qz"};
  template <class T>
  static std::array<T, 4> of(const Moment<T>& m) {
    const Rotation<T>& R = m.state.R_SB;
    return {R.w, R.v.x, R.v.y, R.v.z};
  }
};

struct VelocityColumn : StandardColumn {
  static constexpr std::string_view name = "angular_velocity_body";
  static constexpr std::string_view about = "angular velocity in body axes";
  static constexpr std::array<std::string_view, 3> headers{"wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(m.view.velocity_B(m.at.state));
  }
};

struct MomentumColumn : StandardColumn {
  static constexpr std::string_view name = "angular_momentum_spatial";
  static constexpr std::string_view about = "angular momentum in spatial axes";
  static constexpr std::array<std::string_view, 3> headers{"Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(m.view.momentum_S(m.at));
  }
};

struct EnergyColumn : StandardColumn {
  static constexpr std::string_view name = "energy";
  static constexpr std::string_view about = "kinetic plus potential energy";
  static constexpr std::array<std::string_view, 1> headers{"E[J]"};
  template <class T>
  static std::array<T, 1> of(const Moment<T>& m) {
    return {m.view.energy(m.at.state)};
  }
};

struct DirectionColumn : ColumnOnRequest {
  static constexpr std::string_view name = "direction";
  static constexpr std::string_view about = "direction of the body's third axis in space";
  static constexpr std::array<std::string_view, 3> headers{"dx", "dy", "dz"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(third_axis(m.state.R_SB));
  }
};

struct RotationIncrementColumn : ColumnOnRequest {
  static constexpr std::string_view name = "rotation_increment";
  static constexpr std::string_view about = "angle of the rotation made in the step before this row";
  static constexpr std::array<std::string_view, 1> headers{"rotation_increment[rad/step]"};
  template <class T>
  static std::array<T, 1> of(const Moment<T>& m) {
    return {angle_between(m.at.R_before, m.at.state.R_SB)};
  }
};

struct MomentumAlongAxisColumn : ColumnOnRequest {
  static constexpr std::string_view name = "momentum_along_axis";
  static constexpr std::string_view about = "component of the momentum along the body's axis named by the torque";
  static constexpr std::array<std::string_view, 1> headers{"momentum_along_axis[kg m^2/s]"};
  static constexpr std::optional<Quantity> needs = Quantity::direction_body;
  static constexpr std::string_view needs_in_words = "an axis of the body";
  template <class T>
  static std::array<T, 1> of(const Moment<T>& m) {
    return {m.view.momentum_along_axis(m.at)};
  }
};

struct MomentumAlongFieldColumn : ColumnOnRequest {
  static constexpr std::string_view name = "momentum_along_field";
  static constexpr std::string_view about = "component of the momentum along the spatial direction named by the torque";
  static constexpr std::array<std::string_view, 1> headers{"momentum_along_field[kg m^2/s]"};
  static constexpr std::optional<Quantity> needs = Quantity::direction_spatial;
  static constexpr std::string_view needs_in_words = "a direction in space";
  template <class T>
  static std::array<T, 1> of(const Moment<T>& m) {
    return {m.view.momentum_along_field(m.at)};
  }
};

struct Euler321Column : ColumnOnRequest {
  static constexpr std::string_view name = "euler_321_deg";
  static constexpr std::string_view about = "yaw, pitch and roll: turns about z, then the new y, then the new x";
  static constexpr std::array<std::string_view, 3> headers{"yaw[deg]", "pitch[deg]", "roll[deg]"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    const T degrees = T(45) / T(atan2(T(1), T(1)));
    return components(degrees * euler_321(m.state.R_SB));
  }
};

struct MrpColumn : ColumnOnRequest {
  static constexpr std::string_view name = "mrp";
  static constexpr std::string_view about = "modified Rodrigues parameters, tan(angle/4) times the axis";
  static constexpr std::array<std::string_view, 3> headers{"mrp_x", "mrp_y", "mrp_z"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(mrp(m.state.R_SB));
  }
};

struct PolhodeColumn : ColumnOnRequest {
  static constexpr std::string_view name = "polhode";
  static constexpr bool without_wheels = true;
  static constexpr std::string_view about =
      "contact of inertia ellipsoid and invariable plane, body axes: rho = velocity / sqrt(2 kinetic energy)";
  static constexpr std::array<std::string_view, 3> headers{"polhode_x_B[1/(m kg^0.5)]", "polhode_y_B[1/(m kg^0.5)]",
                                                           "polhode_z_B[1/(m kg^0.5)]"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(m.view.contact_B(m.at.state));
  }
};

struct HerpolhodeColumn : ColumnOnRequest {
  static constexpr std::string_view name = "herpolhode";
  static constexpr bool without_wheels = true;
  static constexpr std::string_view about =
      "the same in spatial axes, from the centre's projection on that plane: R rho - (R rho . L / L . L) L";
  static constexpr std::array<std::string_view, 3> headers{
      "herpolhode_x_S[1/(m kg^0.5)]", "herpolhode_y_S[1/(m kg^0.5)]", "herpolhode_z_S[1/(m kg^0.5)]"};
  template <class T>
  static std::array<T, 3> of(const Moment<T>& m) {
    return components(m.view.contact_on_plane_S(m.at));
  }
};

using ColumnList = std::tuple<AttitudeColumn, VelocityColumn, MomentumColumn, EnergyColumn, DirectionColumn,
                              RotationIncrementColumn, MomentumAlongAxisColumn, MomentumAlongFieldColumn,
                              Euler321Column, MrpColumn, PolhodeColumn, HerpolhodeColumn>;

static_assert(std::tuple_size_v<ColumnList> <= 64, "Columns has a bit for each");

// Calls function(kind, place) for every column.
template <class Function>
void for_each_column(const Function& function) {
  std::size_t place = 0;
  std::apply([&](auto... kind) { (function(kind, Column{place++}), ...); }, ColumnList{});
}

// The cells of a row: the time, then the columns that are wanted. They are looked up once.
template <class T>
class RowCells {
 public:
  // `quantities` must outlive this.
  explicit RowCells(const Columns& columns, const ExpressionProgram* quantities = nullptr)
      : quantities_(quantities), values_(quantities != nullptr ? quantities->outputs.size() : 0) {
    for_each_column([&](auto kind, Column here) {
      if (columns.contains(here)) finders_.push_back(&append<decltype(kind)>);
    });
  }

  const std::vector<Number>& of(const View<T>& view, const Reached<T>& at) {
    const Moment<T> moment{view, at};
    cells_.clear();
    cells_.push_back(to_number(moment.state.t));
    for (const Finder find : finders_) find(moment, cells_);
    append_quantities(view, at);
    return cells_;
  }
  const std::vector<Number>& quantities(const View<T>& view, const Reached<T>& at) {
    cells_.clear();
    append_quantities(view, at);
    return cells_;
  }

 private:
  using Finder = void (*)(const Moment<T>&, std::vector<Number>&);

  template <class Kind>
  static void append(const Moment<T>& moment, std::vector<Number>& cells) {
    for (const T& x : Kind::of(moment)) cells.push_back(to_number(x));
  }

  void append_quantities(const View<T>& view, const Reached<T>& at) {
    if (values_.empty()) return;
    evaluate(*quantities_, view.motion(at.state).data(), values_.data());
    for (const T& x : values_) cells_.push_back(to_number(x));
  }

  std::vector<Finder> finders_;
  const ExpressionProgram* quantities_;
  std::vector<T> values_;
  std::vector<Number> cells_;
};

}  // namespace polhode
