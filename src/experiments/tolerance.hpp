// How far a number may be from the one recorded beside its experiment.
#pragma once

#include <optional>
#include <string>

namespace polhode::experiments {

struct Tolerance {
  double relative = 1e-6;
  double absolute = 0;           // a floor: for numbers that are zero but for rounding, or for chance
  std::optional<double> factor;  // instead of the two: the sign and, within this factor, the size
};

// "rel 1e-06", "rel 1e-06 abs 1e-13", "factor 10".
std::string words(const Tolerance& tolerance);

// The tolerance that such words state; none for other words ("timed", "test", "used").
std::optional<Tolerance> stated_tolerance(const std::string& words);

// Whether a number is the recorded one. NaN, that is a run that fails, is itself alone, and so is an infinity.
bool agrees(double measured, double recorded, const Tolerance& tolerance);

// Twelve digits: far more than any tolerance asks for, and short enough to read.
std::string record_text(double value);

}  // namespace polhode::experiments
