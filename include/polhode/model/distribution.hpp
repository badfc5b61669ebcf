// How the numbers of a situation differ from body to body, as data.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace polhode {

// One draw has as many numbers as the key that it is for. Draws of different keys, and of different bodies, are independent.
struct Distribution {
  enum class Kind {
    uniform,    // each number between first and second
    normal,     // mean first, deviation second
    rotations,  // attitudes, none of them preferred; directions likewise
    table       // those of a file, a row for each body
  };
  Kind kind = Kind::uniform;
  std::vector<double> first{}, second{};
  // Of a table: row after row, how many numbers are in one, and where they were read.
  std::shared_ptr<const std::vector<double>> rows{};
  std::size_t width = 0;
  std::string file{};                  // as the scenario has it; empty where there was no file
  std::vector<std::string> columns{};  // empty: those that the key has by default

  std::size_t row_count() const { return rows && width > 0 ? rows->size() / width : 0; }
  // Tables are equal by their numbers.
  friend bool operator==(const Distribution& a, const Distribution& b);
};

// The key is that of a scenario: "body.inertia", "start.attitude_wxyz", "start.angular_velocity_body",
// "torque[0].weight_times_arm", "torque[1].constants.c", "body.wheels[0].speed". A distribution of rotations is for
// "start.attitude" or "start.direction".
struct DrawnKey {
  std::string key;
  Distribution distribution;

  friend bool operator==(const DrawnKey&, const DrawnKey&) = default;
};

}  // namespace polhode
