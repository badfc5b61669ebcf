// Trial runs over a situation or the beginning of it, measured against a reference of their own: the motion by Lie-Taylor
// steps in a wider scalar.
#pragma once

#include <limits>
#include <memory>

#include "polhode/io/scenario.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

struct PilotRun {
  bool finished = false;  // or a step failed on the way
  // The largest attitude error [rad] in the last quarter of the horizon, of its first half, and of its first quarter; as
  // far as steps end at one of its sixteenths. A single moment may be lucky.
  double error = std::numeric_limits<double>::infinity();
  double error_at_half = 0, error_at_quarter = 0;
  long long torque_evaluations = 0;
  double seconds = 0;  // of wall clock, without looking at anything
};

// The largest energy error in the first and in the last quarter, relative to the kinetic energy or the whole.
struct EnergyErrors {
  double first = 0, last = 0, rounding = 0;

  // A drift makes the last quarter seven times the first, a random walk twice; what is bounded stays.
  bool grow() const { return last > rounding && last > 1.7783 * first; }
};

// One method on one horizon.
class Pilot {
 public:
  virtual ~Pilot() = default;
  virtual PilotRun run(long long steps) = 0;
  virtual EnergyErrors energy_errors(long long steps) = 0;
};

class Pilots {
 public:
  virtual ~Pilots() = default;
  // Throws MethodError where the method does not take the situation.
  virtual std::unique_ptr<Pilot> by(const MethodSpec& method) const = 0;
  virtual double turned() const = 0;  // [rad], about
};

// The horizon is in seconds, negative backwards. Throws std::runtime_error where the motion runs into a singularity.
std::unique_ptr<Pilots> make_pilots(const Setup& setup, ScalarKind scalar, double horizon);

// Compiled apart, because Boost's multiprecision headers are slow to compile.
std::unique_ptr<Pilots> make_pilots_in_long_double(const Setup& setup, double horizon);
std::unique_ptr<Pilots> make_pilots_in_quad(const Setup& setup, double horizon);

}  // namespace polhode
