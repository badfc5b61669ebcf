// What is watched for while a body turns: quantities with names of their own, and events, which are where one of them
// changes its sign.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/state.hpp"

namespace polhode {

// An expression with a name, for columns, events and conditions. It may use quantities listed with it.
struct QuantityData {
  std::string name, text;

  friend bool operator==(const QuantityData&, const QuantityData&) = default;
};

std::vector<std::string> names_of(const std::vector<QuantityData>& quantities);

// Which changes of sign are an event; time runs as the run does, backwards in a run backwards.
enum class Crossing { both, rising, falling };

std::string_view crossing_name(Crossing crossing);
Crossing parse_crossing(std::string_view name);  // throws std::invalid_argument with a sentence
inline constexpr std::string_view crossing_wanted = "rising, falling or both";

// A function of a state in SI units and the user's axes, and of the angular velocity [rad/s] in these.
using EventFunction = std::function<double(const State<double>&, const Vec3<double>& w_B)>;

// An event is where `when` changes its sign; a value of zero counts as positive. The function takes the place of the
// expression for a user of C++. One that says it is smooth is treated as a smooth expression is: no two events within a
// step are missed. Others are looked at sixteen times a step.
struct EventData {
  std::string name;
  std::string when{};
  EventFunction function{};
  bool smooth = false;  // what its author knows of `function`
  Crossing direction = Crossing::both;
  bool terminal = false;  // ends the run
};

// The name of the event that a condition is, which ends the run where it comes true.
inline constexpr std::string_view stop_when_event = "stop_when";

}  // namespace polhode
