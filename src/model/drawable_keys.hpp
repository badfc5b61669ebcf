// The numbers of a Setup that may differ from body to body, by the keys of its scenario.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/distribution.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

struct DrawableKey {
  std::string name;                  // "start.angular_velocity_body", "torque[0].field"
  std::string_view group{};          // keys of one say the same in different ways; empty: no other does
  std::vector<std::size_t> sizes{};  // how many numbers it takes, the customary one first
  std::string wanted{};              // what they are: "three numbers in rad/s, body axes"
  std::string unit{};                // "1" where they have none
  bool takes_numbers = true;         // drawn one by one, uniform or normal
  bool takes_rotations = false;
  bool takes_tables = true;
  bool of_length_one = false;  // what is drawn is divided by its length
  std::function<void(Setup&, std::span<const double>)> put{};
};

inline constexpr std::string_view inertia_key = "body.inertia";

// Every one of a situation, in the order of its scenario.
std::vector<DrawableKey> drawable_keys(const Setup& setup);
// Null where none has this name.
const DrawableKey* find_key(const std::vector<DrawableKey>& keys, std::string_view name);

// Its name in the table [ensemble], "angular_velocity_body", and as a dotted key, "ensemble.angular_velocity_body".
std::string name_in_ensemble(std::string_view key);
std::string ensemble_key(std::string_view key);

// Says why nothing of this name can be drawn.
[[noreturn]] void refuse_drawn_key(const Setup& setup, const std::string& name);

// Throws SetupError, under "ensemble.KEY", for a key that the setup has not, for keys that do not go together, and for numbers
// that do not fit.
void check_drawn(const Setup& setup, const std::vector<DrawnKey>& drawn);

// Whether moments are positive and violate no triangle inequality, unless the setup allows it: what check() asks of them.
bool is_of_a_body(const Setup& setup);

}  // namespace polhode
