// Trial runs over a situation or the beginning of it, measured against a reference of their own: the motion by Lie-Taylor
// steps in a wider scalar.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "polhode/methods/registry.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/run/scalar_kind.hpp"

namespace polhode {

// Moments at which a trial is compared with its reference, equally spaced to the end.
inline constexpr std::size_t pilot_nodes = 16;

struct PilotRun {
  bool finished = false;                     // or a step failed on the way
  std::array<double, pilot_nodes> errors{};  // of the attitude [rad]; 0 where no step ends at the node
  long long torque_evaluations = 0;
  double seconds = 0;  // of wall clock, without looking at anything

  // The largest in the last quarter of the way to a node: a single moment may be lucky.
  double error_at(std::size_t node) const {
    return *std::max_element(errors.begin() + static_cast<std::ptrdiff_t>((3 * node - 1) / 4),
                             errors.begin() + static_cast<std::ptrdiff_t>(node));
  }
  double error() const { return finished ? error_at(pilot_nodes) : std::numeric_limits<double>::infinity(); }
};

// The median energy error in the first and in the last quarter, relative to the kinetic energy or the whole. Not the
// largest: where a step passes close to a singularity, the energy is off for a moment and comes back.
struct EnergyErrors {
  double first = 0, last = 0, rounding = 0;

  // A drift makes the last quarter seven times the first, a random walk 2.6 times; what is bounded stays.
  bool grow() const { return last > rounding && last > 2.6 * first; }
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
  // How much larger a small change of the start has become at each node: the angle there over that at the start.
  virtual std::array<double, pilot_nodes> amplification() const = 0;
};

// The horizon is in seconds, negative backwards. Throws std::runtime_error where the motion runs into a singularity.
std::unique_ptr<Pilots> make_pilots(const Setup& setup, ScalarKind scalar, double horizon);

// Compiled apart: the slowest of the four scalars, and not optimised.
std::unique_ptr<Pilots> make_pilots_in_long_double(const Setup& setup, double horizon);
std::unique_ptr<Pilots> make_pilots_in_quad(const Setup& setup, double horizon);

}  // namespace polhode
