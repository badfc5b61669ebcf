#include "experiments/runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/columns.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::experiments {
namespace {

const std::vector<std::string_view> run_keys{"problem", "scenario", "method", "step",
                                             "steps",   "duration", "scalar", "every"};

// A problem's name where one is meant; the nearest where there is none.
const Problem& problem_named(const std::string& name) {
  if (const Problem* problem = find_problem(name)) return *problem;
  std::vector<std::string> names;
  for (const Problem& problem : problems()) names.emplace_back(problem.name);
  throw Error(ErrorKind::bad_file,
              fmt::format("problem = '{}' is none of the problems; nearest: {}", name, nearest_name(name, names)));
}

Vec3<double> vector_of(const std::array<Number, 3>& numbers) {
  return {numbers[0].value, numbers[1].value, numbers[2].value};
}

Moment moment(const Snapshot& at) {
  const auto& q = at.attitude_wxyz;
  return {{{q[0].value, {q[1].value, q[2].value, q[3].value}}, vector_of(at.angular_momentum_body), at.time.value},
          vector_of(at.angular_velocity_body)};
}

class KeepNumbers : public ResultWriter {
 public:
  explicit KeepNumbers(Motion& motion) : motion_(motion) {}

  void begin(const Provenance& about) override {
    for (const std::string& header : column_headers(about)) {
      places_.push_back(&motion_.columns[header.substr(0, header.find('['))]);
    }
  }
  void row(std::span<const Number> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) places_[i]->push_back(cells[i].value);
  }
  void end(const Result&) override {}

 private:
  Motion& motion_;
  std::vector<std::vector<double>*> places_;
};

}  // namespace

Scenario Runs::scenario(const Parameters& parameters) const {
  Scenario made = parameters.has("scenario") ? read_scenario(folder_ + '/' + parameters.text("scenario"))
                                             : problem_scenario(problem_named(parameters.text("problem")));
  for (const char* key : {"method", "step", "steps", "duration", "scalar"}) {
    if (parameters.has(key)) override_key(made, fmt::format("run.{}", key), key, parameters.text(key));
  }
  if (parameters.has("every")) override_key(made, "output.every", "every", parameters.text("every"));
  return made;
}

RunControl Runs::stoppable() const {
  RunControl control;
  control.stop = &stop_;
  return control;
}

Result Runs::run(const Scenario& scenario) const {
  Result result = polhode::run(plan(scenario), nullptr, stoppable());
  if (result.interrupted) throw Interrupted{};
  return result;
}

std::shared_ptr<const Result> Runs::result(const Parameters& parameters) {
  return results_.get(parameters.key(run_keys), [&] { return run(scenario(parameters)); });
}

std::shared_ptr<const Motion> Runs::motion(const Parameters& parameters) {
  const Columns more = groups_behind(parameters.text_or("column", ""));
  return motions_.get(parameters.key(run_keys) + fmt::format("{}", fmt::join(column_names(more), ",")), [&] {
    Scenario made = scenario(parameters);
    made.output.columns.insert(column("direction"));
    made.output.columns.insert(more);
    Motion motion;
    motion.setup = made.setup;
    KeepNumbers sink(motion);
    const Result result = polhode::run(plan(made), &sink, stoppable());
    if (result.interrupted) throw Interrupted{};
    if (result.failure) motion.failure = result.failure->what;
    return motion;
  });
}

Moment Runs::reference(const Parameters& parameters, const Result& of) {
  if (parameters.has("against")) {
    Parameters other = parameters;
    other.set("method", parameters.text("against"));
    if (parameters.has("against_step")) other.set("step", parameters.text("against_step"));
    const std::shared_ptr<const Result> run = result(other);
    if (!run->failure) return moment(run->end);
    throw Error(ErrorKind::bad_file,
                fmt::format("against = '{}': that run failed: {}", parameters.text("against"), run->failure->what));
  }
  const Scenario made = scenario(parameters);
  if (made.problem != nullptr) {
    if (const auto found = reference_at<long double>(*made.problem, static_cast<long double>(of.end.time.value))) {
      const State<double> state = cast<double>(found->state);
      const Prepared<double> prepared = prepare<double>(made.setup);
      const Rotation<double>& R_UB = prepared.body.principal_axes;
      const Vec3<double> w_B = R_UB * prepared.body_in_user_units().velocity(inverse(R_UB) * state.pi_B, state.t);
      return {state, w_B};
    }
  }
  throw Error(ErrorKind::bad_file,
              "there is no reference to measure an error against; name a method with against = \"...\"");
}

std::optional<EndErrors> Runs::errors(const Parameters& parameters) {
  const std::shared_ptr<const Result> run = result(parameters);
  if (run->failure) return std::nullopt;
  const Moment end = moment(run->end), truth = reference(parameters, *run);
  EndErrors errors{attitude_error(end.state, truth.state), momentum_error(end.state, truth.state),
                   norm(log(end.state.R_SB) - log(truth.state.R_SB)), norm(end.w_B - truth.w_B)};
  if (run->about.space == Space::sphere) errors.attitude = direction_error(end.state, truth.state);
  // Those of the run itself are measured in its own scalar.
  if (!parameters.has("against") && run->attitude_error) {
    errors.attitude = run->attitude_error->value;
    errors.momentum = run->momentum_error->value;
  }
  return errors;
}

}  // namespace polhode::experiments
