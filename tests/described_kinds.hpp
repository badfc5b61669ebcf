// Every kind of torque, in general position, and how its data read in other axes, in other units and with time running
// the other way. What a key means is said here a second time, by hand: the library's own list of quantities is under test.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "polhode/model/setup.hpp"

namespace polhode::test {

using V = Vec3<double>;
using R = Rotation<double>;
using Torques = std::vector<FieldData<double>>;

// Other axes: there a vector in space has the components space * v_S, one in the body body * v_B, and the attitude is
// space * R_SB * body^-1.
struct Axes {
  R space, body;
};

// Other units: a number of kg m^2 is multiplied by `inertia`, a number of seconds by `time`.
struct Factors {
  double inertia = 1, time = 1;

  double rate() const { return 1 / time; }
  double momentum() const { return inertia / time; }
  double torque() const { return inertia / time / time; }
};

template <class Field>
struct Described {
  static_assert(sizeof(Field) == 0,
                "a new kind of torque: say how it reads in other axes, units and backwards in time");
};

// What most kinds have in common: they can be told in any axes, and do not change when time runs the other way.
struct DescribedAnywhere {
  static Axes fitted(const Axes& axes) { return axes; }
  template <class Field>
  static Torques mirrored(const Field& field) {
    return {field};
  }
};

template <>
struct Described<HeavyTop<double>> : DescribedAnywhere {
  using Field = HeavyTop<double>;
  static Field sample() { return {0.45, {0.3, -0.5, 0.8}, {0.2, 0.6, 0.7}}; }
  static Field turned(const Field& f, const Axes& axes) {
    return {f.weight_times_arm, axes.body * f.axis_body, axes.space * f.up_spatial};
  }
  static Field rescaled(const Field& f, const Factors& by) {
    return {f.weight_times_arm * by.torque(), f.axis_body, f.up_spatial};
  }
};

template <>
struct Described<ConstantSpatial<double>> : DescribedAnywhere {
  using Field = ConstantSpatial<double>;
  static Field sample() { return {{0.31, -0.22, 0.17}}; }
  static Field turned(const Field& f, const Axes& axes) { return {axes.space * f.torque_S}; }
  static Field rescaled(const Field& f, const Factors& by) { return {by.torque() * f.torque_S}; }
};

template <>
struct Described<ConstantBody<double>> : DescribedAnywhere {
  using Field = ConstantBody<double>;
  static Field sample() { return {{-0.24, 0.33, 0.19}}; }
  static Field turned(const Field& f, const Axes& axes) { return {axes.body * f.torque_B}; }
  static Field rescaled(const Field& f, const Factors& by) { return {by.torque() * f.torque_B}; }
};

// Its planet goes around the other way.
template <>
struct Described<GravityGradient<double>> : DescribedAnywhere {
  using Field = GravityGradient<double>;
  static Field sample() {
    Field f;
    f.mean_motion = 0.6;
    f.orbit_normal_spatial = {2, -1, 2};
    f.radius_spatial = {1, -2, -2};
    return f;
  }
  static Field turned(Field f, const Axes& axes) {
    f.orbit_normal_spatial = axes.space * f.orbit_normal_spatial;
    f.radius_spatial = axes.space * f.radius_spatial;
    return f;
  }
  static Field rescaled(Field f, const Factors& by) {
    f.mean_motion *= by.rate();
    return f;
  }
  static Torques mirrored(Field f) {
    f.orbit_normal_spatial = -f.orbit_normal_spatial;
    return {f};
  }
};

// It pulls the third axis of the scenario towards the third axis of space, whatever axes these are.
template <>
struct Described<Coulomb<double>> : DescribedAnywhere {
  using Field = Coulomb<double>;
  static Field sample() { return {1, 0.6}; }
  static Axes fitted(const Axes& axes) {
    return {exp(V{0, 0, 1 + log(axes.space).x}), exp(V{0, 0, 2 + log(axes.body).y})};
  }
  static Field turned(const Field& f, const Axes&) { return f; }
  static Field rescaled(Field f, const Factors& by) {
    f.strength *= by.torque();
    return f;
  }
};

// Its valley is where both sets of axes are the same: they have to be turned together.
template <>
struct Described<StressTest<double>> : DescribedAnywhere {
  using Field = StressTest<double>;
  static Field sample() {
    Field f;
    f.alpha = 0.4;
    f.well = {1.1, 0.3, -0.7};
    f.strength = 0.3;
    return f;
  }
  static Axes fitted(const Axes& axes) { return {axes.body, axes.body}; }
  static Field turned(Field f, const Axes& axes) {
    f.well = axes.space * f.well;
    return f;
  }
  static Field rescaled(Field f, const Factors& by) {
    f.strength *= by.torque();
    return f;
  }
};

template <>
struct Described<UniformField<double>> : DescribedAnywhere {
  using Field = UniformField<double>;
  static Field sample() { return {{0.25, -0.3, 0.35}, {0.6, 0.2, -0.5}, {0.1, 0.2, -0.15}, 1.7}; }
  static Field turned(const Field& f, const Axes& axes) {
    return {axes.space * f.field, axes.body * f.axis_body, axes.space * f.oscillation, f.angular_frequency};
  }
  static Field rescaled(const Field& f, const Factors& by) {
    return {by.torque() * f.field, f.axis_body, by.torque() * f.oscillation, by.rate() * f.angular_frequency};
  }
};

// The metre stays what it is: a number of kilograms is multiplied like one of kg m^2, a force like a torque.
template <>
struct Described<TwoMasses<double>> : DescribedAnywhere {
  using Field = TwoMasses<double>;
  static Field sample() {
    return {0.7, 0.4, 0.9, {0.3, 0.5, -0.8}, {0.21, -0.13, 0.4}, {-0.3, 0.1, 0.2}, 0.35, {0.6, -1.1, 0.8}};
  }
  static Field turned(Field f, const Axes& axes) {
    f.axis_body = axes.body * f.axis_body;
    f.force_1 = axes.space * f.force_1;
    f.force_2 = axes.space * f.force_2;
    f.centre = axes.space * f.centre;
    return f;
  }
  static Field rescaled(Field f, const Factors& by) {
    f.mass_1 *= by.inertia;
    f.mass_2 *= by.inertia;
    f.force_1 = by.torque() * f.force_1;
    f.force_2 = by.torque() * f.force_2;
    f.attraction *= by.rate() * by.rate();
    return f;
  }
};

// Backwards, the blow comes at the beginning of its pulse: that takes two.
template <>
struct Described<Pulse<double>> : DescribedAnywhere {
  using Field = Pulse<double>;
  static Field sample() { return {{0.3, 0.4, -0.2}, 0.37, 0.81, {-0.12, 0.2, 0.15}}; }
  static Field turned(const Field& f, const Axes& axes) {
    return {axes.space * f.torque_S, f.from, f.until, axes.space * f.impulse_S};
  }
  static Field rescaled(const Field& f, const Factors& by) {
    return {by.torque() * f.torque_S, by.time * f.from, by.time * f.until, by.momentum() * f.impulse_S};
  }
  static Torques mirrored(const Field& f) {
    return {Field{f.torque_S, -f.until, -f.from, {}}, Field{{}, -f.until, -f.until, f.impulse_S}};
  }
};

inline Mat3<double> turned_matrix(const Mat3<double>& m, const R& axes) {
  Mat3<double> result;
  for (std::size_t k = 0; k < 3; ++k) {
    V axis{};
    axis[k] = 1;
    const V column = axes * (m * (inverse(axes) * axis));
    for (std::size_t i = 0; i < 3; ++i) result[i][k] = column[i];
  }
  return result;
}
inline Mat3<double> times_number(double factor, Mat3<double> m) {
  for (auto& row : m)
    for (double& x : row) x *= factor;
  return m;
}

// Backwards, it feeds the rotation.
template <>
struct Described<Damping<double>> : DescribedAnywhere {
  using Field = Damping<double>;
  static Field sample() {
    return {Mat3<double>{{{0.3, 0.05, -0.1}, {0.02, 0.2, 0.04}, {0.07, -0.03, 0.25}}},
            Mat3<double>{{{0.1, 0.02, 0}, {0.02, 0.2, -0.05}, {0.03, 0.01, 0.15}}}};
  }
  static Field turned(const Field& f, const Axes& axes) {
    return {turned_matrix(*f.linear, axes.body), turned_matrix(*f.quadratic, axes.body), f.amplifies};
  }
  static Field rescaled(const Field& f, const Factors& by) {
    return {times_number(by.momentum(), *f.linear), times_number(by.inertia, *f.quadratic), f.amplifies};
  }
  static Torques mirrored(const Field& f) {
    return {Field{times_number(-1, *f.linear), times_number(-1, *f.quadratic), true}};
  }
};

// Teslas stay what they are: a number of A m^2 is multiplied like a torque. Backwards, satellite and planet go around the
// other way.
template <>
struct Described<Magnetic<double>> : DescribedAnywhere {
  using Field = Magnetic<double>;
  static Field sample() {
    Field f;
    f.dipole_body = {1.2, -0.7, 0.5};
    f.equatorial_field = 0.3;
    f.mean_motion = 0.6;
    f.orbit_normal_spatial = {2, -1, 2};
    f.radius_spatial = {1, -2, -2};
    f.pole_spatial = {0.3, 0.4, -0.9};
    f.planet_rate = 0.25;
    f.planet_axis_spatial = {0.1, -0.2, 1};
    return f;
  }
  static Field turned(Field f, const Axes& axes) {
    f.dipole_body = axes.body * f.dipole_body;
    for (auto* direction : {&f.orbit_normal_spatial, &f.radius_spatial, &f.pole_spatial, &f.planet_axis_spatial})
      *direction = axes.space * **direction;
    return f;
  }
  static Field rescaled(Field f, const Factors& by) {
    f.dipole_body = by.torque() * f.dipole_body;
    *f.mean_motion *= by.rate();
    *f.planet_rate *= by.rate();
    return f;
  }
  static Torques mirrored(Field f) {
    f.orbit_normal_spatial = -*f.orbit_normal_spatial;
    f.planet_axis_spatial = -*f.planet_axis_spatial;
    return {f};
  }
};

// Knots on the steps of these tests, and between them.
template <>
struct Described<TorqueTable<double>> : DescribedAnywhere {
  using Field = TorqueTable<double>;
  static Field sample() {
    return {DataTable{{{"t", {-3, -1.1, -0.45, 0.02, 0.4, 0.733, 1.05, 1.11, 4}},
                       {"x", {0.1, 0.3, -0.2, 0.25, 0.1, -0.1, 0.4, 0.2, 0}},
                       {"y", {-0.3, 0.2, 0.1, -0.15, 0.35, 0.2, 0, -0.2, 0.1}},
                       {"z", {0.2, -0.1, 0.15, 0.3, -0.25, 0.1, 0.2, 0.3, -0.1}}}},
            TorqueFrame::body, Interpolation::cubic_hermite};
  }
  // function(t, torque) of every row.
  template <class Function>
  static Field changed(const Field& f, const Function& function) {
    DataTable data = *f.file.table;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      V torque{data.columns[1].values[i], data.columns[2].values[i], data.columns[3].values[i]};
      function(data.columns[0].values[i], torque);
      for (std::size_t k = 0; k < 3; ++k) data.columns[k + 1].values[i] = torque[k];
    }
    return {data, f.frame, f.interpolation};
  }
  static Field turned(const Field& f, const Axes& axes) {
    return changed(
        f, [&](double&, V& torque) { torque = (f.frame == TorqueFrame::body ? axes.body : axes.space) * torque; });
  }
  static Field rescaled(const Field& f, const Factors& by) {
    return changed(f, [&](double& t, V& torque) {
      t *= by.time;
      torque = by.torque() * torque;
    });
  }
  static Torques mirrored(const Field& f) {
    DataTable data = *f.file.table;
    for (double& t : data.columns[0].values) t = -t;
    for (auto& column : data.columns) std::reverse(column.values.begin(), column.values.end());
    return {Field{data, f.frame, f.interpolation}};
  }
};

// Axes and units are in its constants: V = (1 + d cos(n t)) u . R v.
template <>
struct Described<ExpressionTorque<double>> : DescribedAnywhere {
  using Field = ExpressionTorque<double>;
  static Field sample() {
    Field f;
    f.potential_energy =
        "(1 + d*cos(n*t))*(ux*(vx*Rxx + vy*Rxy + vz*Rxz) + uy*(vx*Ryx + vy*Ryy + vz*Ryz) + uz*(vx*Rzx + vy*Rzy + "
        "vz*Rzz))";
    f.constants = {{"d", 0.4}, {"n", 1.3}};
    set(f, "u", {0.25, -0.4, 0.3});
    set(f, "v", {-0.6, 0.5, 0.9});
    return f;
  }
  static Field turned(Field f, const Axes& axes) {
    set(f, "u", axes.space * get(f, "u"));
    set(f, "v", axes.body * get(f, "v"));
    return f;
  }
  static Field rescaled(Field f, const Factors& by) {
    set(f, "u", by.torque() * get(f, "u"));
    f.constants["n"] *= by.rate();
    return f;
  }

 private:
  static void set(Field& f, const std::string& name, const V& value) {
    f.constants[name + "x"] = value.x;
    f.constants[name + "y"] = value.y;
    f.constants[name + "z"] = value.z;
  }
  static V get(const Field& f, const std::string& name) {
    return {f.constants.at(name + "x"), f.constants.at(name + "y"), f.constants.at(name + "z")};
  }
};

// The samples of all kinds in the library's list.
inline Torques every_kind() {
  return std::apply([](const auto&... field) { return Torques{Described<std::decay_t<decltype(field)>>::sample()...}; },
                    FieldKinds<double>{});
}

inline std::string_view kind_of(const FieldData<double>& torque) {
  return std::visit([](const auto& field) { return field.kind; }, torque);
}

// function(field, Described<its kind>{}) of each torque, one after the other.
template <class Function>
void visit_torques(const Torques& torques, const Function& function) {
  for (const FieldData<double>& torque : torques)
    std::visit([&](const auto& field) { function(field, Described<std::decay_t<decltype(field)>>{}); }, torque);
}

}  // namespace polhode::test
