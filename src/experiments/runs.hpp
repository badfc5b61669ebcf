// Integrations behind the numbers of one experiment. Each is made once, however many ask for it.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "experiments/once.hpp"
#include "experiments/parameters.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/state.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::experiments {

// Thrown where the person asked to stop.
struct Interrupted {};

// The rows of a run as plain numbers, by the name of the column without its unit.
struct Motion {
  std::map<std::string, std::vector<double>, std::less<>> columns;
  Setup setup;
  std::string failure;  // why the rows end early; empty: they do not

  std::size_t size() const { return columns.at("t").size(); }
};

// A state in SI units and the user's body axes, with what derives from it.
struct Moment {
  State<double> state;
  Vec3<double> w_B;
};

struct EndErrors {
  double attitude, momentum, rotation_vector, velocity;
};

class Runs {
 public:
  Runs(std::string folder, const std::atomic<bool>& stop) : folder_(std::move(folder)), stop_(stop) {}

  // The scenario that the parameters describe; throws Error.
  Scenario scenario(const Parameters& parameters) const;

  // A run to its end, or to where it failed. Throws Interrupted.
  std::shared_ptr<const Result> result(const Parameters& parameters);
  std::shared_ptr<const Motion> motion(const Parameters& parameters);

  // Errors at the end against the problem's reference, or against another method's run (`against`, `against_step`).
  // None where the run failed. Throws Error where there is nothing to compare with.
  std::optional<EndErrors> errors(const Parameters& parameters);

  // For runs that are asked for only once: not kept.
  Result run(const Scenario& scenario) const;

  // Any other number that takes long to find.
  std::shared_ptr<const double> number(const std::string& key, const std::function<double()>& make) {
    return numbers_.get(key, make);
  }

 private:
  RunControl stoppable() const;
  Moment reference(const Parameters& parameters, const Result& of);

  std::string folder_;
  const std::atomic<bool>& stop_;
  Once<Result> results_;
  Once<Motion> motions_;
  Once<double> numbers_;
};

}  // namespace polhode::experiments
