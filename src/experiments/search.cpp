#include "experiments/search.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

namespace polhode::experiments {
namespace {

class Search {
 public:
  Search(const Parameters& parameters, Runs& runs)
      : parameters_(parameters),
        runs_(runs),
        scenario_(runs.scenario(parameters)),
        duration_(parameters.number("duration")),
        accuracy_(parameters.number("accuracy")),
        limit_(parameters.has("limit") ? parameters.count("limit") : 20480) {
    scenario_.run.duration.reset();
  }

  double result() {
    long long enough = 0;
    for (long long n = largest_doubling(); n >= first && satisfied(n); n /= 2) enough = n;
    if (enough == 0) return std::numeric_limits<double>::quiet_NaN();
    long long missed = enough == first ? 0 : enough / 2;
    while (enough - missed > 1) {
      const long long middle = missed + (enough - missed) / 2;
      (satisfied(middle) ? enough : missed) = middle;
    }
    // Beyond a thousand steps the error changes too little from one N to the next for a miss far away.
    const long long end = enough < 1000 ? 1000 : enough + 60;
    long long last_miss = enough - 1;
    for (long long n = enough; n < end; ++n) {
      if (!satisfied(n)) last_miss = n;
    }
    return static_cast<double>(last_miss + 1);
  }

 private:
  static constexpr long long first = 10;

  long long largest_doubling() const {
    long long n = first;
    while (2 * n <= limit_) n *= 2;
    return n;
  }

  bool satisfied(long long n) {
    const auto [place, is_new] = known_.try_emplace(n, false);
    if (is_new) place->second = error(n) <= accuracy_;
    return place->second;
  }

  double error(long long n) {
    if (parameters_.has("against")) {
      Parameters of_this = parameters_;
      of_this.set("step", fmt::format("{}", duration_ / static_cast<double>(n)));
      const std::optional<EndErrors> errors = runs_.errors(of_this);
      return errors ? errors->attitude : std::numeric_limits<double>::infinity();
    }
    scenario_.run.step = duration_ / static_cast<double>(n);
    scenario_.run.steps = n;
    const Result result = runs_.run(scenario_);
    const bool known = !result.failure && result.attitude_error.has_value();
    return known ? result.attitude_error->value : std::numeric_limits<double>::infinity();
  }

  const Parameters& parameters_;
  Runs& runs_;
  Scenario scenario_;
  double duration_, accuracy_;
  long long limit_;
  std::map<long long, bool> known_;
};

}  // namespace

double steps_needed(const Parameters& parameters, Runs& runs) {
  const std::string key = parameters.key({"problem", "scenario", "method", "duration", "accuracy", "limit", "against"});
  return *runs.number(key, [&] { return Search(parameters, runs).result(); });
}

}  // namespace polhode::experiments
