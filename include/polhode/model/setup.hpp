// A physical situation as data: body, start and torques in plain doubles, as a scenario file or a problem states them.
// Every scalar builds its own System from the same data, in its own precision.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "polhode/model/compiled_torque.hpp"
#include "polhode/model/units.hpp"

namespace polhode {

// What is wrong with the data: the key it is under, and a sentence with the value, the bound and a remedy.
struct SetupError : std::invalid_argument {
  std::string key;                  // dotted, e.g. "body.inertia"
  std::vector<std::string> others;  // further keys it does not go together with: either may be at fault
  SetupError(std::string key_, const std::string& sentence, std::vector<std::string> others_ = {})
      : std::invalid_argument(sentence), key(std::move(key_)), others(std::move(others_)) {}
};

struct AttitudeData {
  // direction: of the third axis, to which e3 is turned without twist; such a situation is one on the sphere
  enum class Kind { wxyz, xyzw, matrix, rotation_vector, mrp, direction } kind = Kind::wxyz;
  std::vector<double> values{1, 0, 0, 0};  // 4, 4, 9 (row-major), 3, 3, 3
};

struct MotionData {
  enum class Kind { angular_velocity_body, angular_velocity_spatial, angular_momentum_body, angular_momentum_spatial };
  Kind kind = Kind::angular_velocity_body;
  Vec3<double> value{};
};

// A wheel inside the body, symmetric about an axis that is fixed in it. The body's inertia includes it, locked.
struct WheelData {
  Vec3<double> axis{0, 0, 1};    // in body axes; normalised
  double inertia = 0;            // about its axis [kg m^2]
  double speed = 0;              // relative to the body [rad/s]: constant, or at the start where there is a torque
  std::optional<double> torque;  // of the motor along the axis [N m], by which the wheel's axial momentum changes

  friend bool operator==(const WheelData&, const WheelData&) = default;
};

inline constexpr std::size_t most_wheels = 16;

inline constexpr std::string_view called_torque_kind = "program";  // in records

// A torque that the program around the library computes. It knows doubles, in whatever scalar a run is made, and no
// derivatives: methods that need a power series refuse it.
struct CalledTorque {
  // In SI units and the user's body axes.
  struct Motion {
    double t;
    Rotation<double> R_SU;  // from these axes to space
    Vec3<double> w_U;
  };

  std::string name;  // for records
  // The torques [N m] at so many motions: one, or the nodes of a step where a method asks for them together.
  std::function<void(std::span<const Motion> at, std::span<Vec3<double>> torques_U)> torques{};
  bool depends_on_velocity = true;
  bool takes_many = false;  // several motions in one call cost less than one by one
};

struct Setup {
  std::variant<Vec3<double>, Mat3<double>> inertia = Vec3<double>{1, 1, 1};  // principal moments, or a tensor
  bool unphysical = false;                                                   // allow moments no mass distribution has
  std::vector<WheelData> wheels{};
  AttitudeData attitude;
  MotionData motion;
  double time = 0;
  std::vector<FieldData<double>> torques;
  std::vector<CalledTorque> called_torques{};  // added to these
};

// Neither torques nor wheels: the free body, whose motion is known in closed form.
inline bool moves_freely(const Setup& setup) {
  return setup.torques.empty() && setup.called_torques.empty() && setup.wheels.empty();
}

inline Space space_of(const Setup& setup) {
  return setup.attitude.kind == AttitudeData::Kind::direction ? Space::sphere : Space::rotations;
}

// The situation in scalar T and internal units, in principal axes, ready to be integrated.
template <class T>
struct Prepared {
  Body<T> body;
  FieldSum<T> field;
  State<T> start;
  Units units;

  T time_in(double seconds) const;           // to internal units
  State<T> in_user_units(State<T> s) const;  // SI units; attitude and momentum referred to the user's body axes
  Body<T> body_in_user_units() const;        // moments and the momentum of wheels in SI units, principal axes
  // Kinetic plus potential energy, without the wheels' own, is a constant of the exact motion.
  bool conserves_energy() const { return field.conserves_energy() && body.wheels.rate == Vec3<T>{}; }
};

// Checks without building: throws SetupError for whatever is not a valid situation.
void check(const Setup& setup);

// Throws SetupError. Instantiated for float, double, long double and quad.
template <class T>
Prepared<T> prepare(const Setup& setup);

}  // namespace polhode
