// What a run is differentiated by, and where those numbers stand in a Setup.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/methods/registry.hpp"
#include "polhode/run/options.hpp"
#include "polhode/run/result.hpp"
#include "polhode/run/sensitivities.hpp"
#include "polhode/run/steps.hpp"

namespace polhode {

struct SeedPlace {
  DifferentiableNumber number;
  std::vector<const double*> places;  // in the Setup; several that change together
  std::optional<std::size_t> turn{};  // of the start, about this body axis: no number of the Setup
  bool is_cut_time = false;           // at which a torque jumps
};

std::vector<SeedPlace> seed_places(const Setup& setup);

// What is asked of a run besides its motion.
struct TangentRequest {
  std::vector<std::string> names;  // of single numbers
  bool monodromy = false, lyapunov = false;

  bool any() const { return !names.empty() || monodromy || lyapunov; }
  bool of_state() const { return monodromy || lyapunov; }
};

// Throws SetupError for a name that nothing has, and for what has no derivative. `length` [s]: of the run.
TangentRequest tangent_request(const RunRequest& request, const MethodSpec& method, double length);

// The columns that a row has of them.
std::vector<DerivedColumns> derived_columns(const Setup& setup, const TangentRequest& request);

}  // namespace polhode
