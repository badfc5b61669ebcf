// Many bodies at once, with their numbers as arrays.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "polhode/ensemble/ensemble.hpp"
#include "polhode/ensemble/files.hpp"
#include "polhode/ensemble/json.hpp"
#include "request.hpp"
#include "text.hpp"

namespace polhode::python {
namespace {

using BodyArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A row for each body: (n, width), or (n,).
BodyArray rows_of(std::uint64_t bodies, py::ssize_t width) {
  const auto n = static_cast<py::ssize_t>(bodies);
  return width == 1 ? BodyArray(n) : BodyArray({n, width});
}

struct ArraysOfStates {
  explicit ArraysOfStates(std::uint64_t bodies)
      : attitude(rows_of(bodies, 4)),
        velocity(rows_of(bodies, 3)),
        momentum(rows_of(bodies, 3)),
        energy(rows_of(bodies, 1)) {}

  BodyArray attitude, velocity, momentum, energy;

  py::dict as_dict() const {
    py::dict all;
    all["attitude"] = attitude;
    all["angular_velocity"] = velocity;
    all["momentum"] = momentum;
    all["energy"] = energy;
    return all;
  }
};

// Memory of arrays that were made before, so that it needs no lock of Python's. What is not written is not a number.
class Target {
 public:
  Target(BodyArray& array, std::size_t width) : to_(array.mutable_data()), width_(width) {
    std::fill(to_, to_ + array.size(), std::numeric_limits<double>::quiet_NaN());
  }
  void put(std::uint64_t first, const std::vector<double>& values) const {
    std::copy(values.begin(), values.end(), to_ + first * width_);
  }
  // Scalar last.
  void put_turned(std::uint64_t first, const std::vector<double>& quaternions) const {
    put(first, quaternions);
    for (double* q = to_ + first * 4; q < to_ + first * 4 + quaternions.size(); q += 4) std::rotate(q, q + 1, q + 4);
  }

 private:
  double* to_;
  std::size_t width_;
};

class Arrays final : public EnsembleWriter {
 public:
  Arrays(const EnsembleAbout& about, bool scalar_first, EnsembleWriter* also)
      : first_(about.first), scalar_first_(scalar_first), also_(also) {
    const std::uint64_t bodies = about.last - about.first;
    for (std::size_t k = 0; k < about.snapshots.size() + 2; ++k) states_.emplace_back(bodies);
    const std::size_t numbers =
        3 + (about.has_attitude_error ? 1U : 0U) + about.passages.size() + about.quantities.size();
    for (std::size_t k = 0; k < numbers; ++k) numbers_.push_back(rows_of(bodies, 1));
    for (ArraysOfStates& states : states_) {
      targets_.emplace_back(states.attitude, 4);
      targets_.emplace_back(states.velocity, 3);
      targets_.emplace_back(states.momentum, 3);
      targets_.emplace_back(states.energy, 1);
    }
    for (BodyArray& array : numbers_) targets_.emplace_back(array, 1);
  }

  void begin(const EnsembleAbout& about) override {
    if (also_ != nullptr) also_->begin(about);
  }
  void chunk(const EnsembleChunk& chunk) override {
    const std::uint64_t at = chunk.first - first_;
    auto target = targets_.begin();
    const auto put_states = [&](const BodyStates& states) {
      scalar_first_ ? target->put(at, states.attitude_wxyz) : target->put_turned(at, states.attitude_wxyz);
      (++target)->put(at, states.angular_velocity_body);
      (++target)->put(at, states.angular_momentum_spatial);
      (++target)->put(at, states.energy);
      ++target;
    };
    put_states(chunk.start);
    put_states(chunk.end);
    for (const BodyStates& states : chunk.snapshots) put_states(states);
    (target++)->put(at, chunk.end_time);
    (target++)->put(at, chunk.energy_error);
    (target++)->put(at, chunk.momentum_error);
    if (!chunk.attitude_error.empty()) (target++)->put(at, chunk.attitude_error);
    for (const auto& passage : chunk.passages) (target++)->put(at, passage);
    for (const auto& quantity : chunk.quantities) (target++)->put(at, quantity);
    if (also_ != nullptr) also_->chunk(chunk);
  }
  void end(const EnsembleResult& result) override {
    if (also_ != nullptr) also_->end(result);
  }

  py::dict as_dict(const EnsembleAbout& about) const {
    py::dict all;
    all["start"] = states_[0].as_dict();
    all["end"] = states_[1].as_dict();
    py::list snapshots;
    for (std::size_t k = 2; k < states_.size(); ++k) snapshots.append(states_[k].as_dict());
    all["snapshots"] = snapshots;
    std::size_t next = 0;
    all["end_time"] = numbers_[next++];
    all["energy_error"] = numbers_[next++];
    all["momentum_error"] = numbers_[next++];
    all["attitude_error"] = about.has_attitude_error ? py::object(numbers_[next++]) : py::object(py::none());
    py::dict passages, quantities;
    for (const std::string& name : about.passages) passages[py::str(name)] = numbers_[next++];
    for (const std::string& name : about.quantities) quantities[py::str(name)] = numbers_[next++];
    all["passages"] = passages;
    all["quantities"] = quantities;
    return all;
  }

 private:
  std::uint64_t first_;
  bool scalar_first_;
  EnsembleWriter* also_;
  std::vector<ArraysOfStates> states_;
  std::vector<BodyArray> numbers_;
  std::vector<Target> targets_;
};

const ArgumentNames ensemble_arguments{{"ensemble.bodies", "bodies"},
                                       {"ensemble.snapshots", "snapshots"},
                                       {"ensemble.quantiles", "quantiles"},
                                       {"ensemble.histogram", "histograms"},
                                       {"run.method", "method"},
                                       {"run.step", "step"},
                                       {"run.duration", "t_span"},
                                       {"run.tolerance", "tolerance"},
                                       {"run.scalar", "scalar"},
                                       {"run.on_failure", "on_failure"},
                                       {"run.stop_when", "stop_when"},
                                       {"event", "events"}};

// `rows`: keys and arrays (n, width), a row for each body.
py::dict ensemble(const Request& asked, const std::vector<std::pair<std::string, BodyArray>>& rows, int threads,
                  std::uint64_t part, std::uint64_t parts, bool on_card, bool fast, const py::bytes& output_file) {
  if (part > parts)
    throw py::value_error(
        fmt::format("shard: ({}, {}) is no part of a whole; give (i, n) with i from 1 to n", part, parts));
  const std::string file = output_file;
  EnsembleRequest request;
  request.run = run_request(asked.scenario);
  request.ensemble = asked.scenario.ensemble.value_or(EnsembleSettings{});
  request.threads = threads;
  request.part = part;
  request.parts = parts;
  if (on_card) request.device = Device::cuda;
  request.fast = fast;
  for (const auto& [key, array] : rows) {
    DrawnKey drawn{key, {Distribution::Kind::table}};
    drawn.distribution.rows = std::make_shared<std::vector<double>>(array.data(), array.data() + array.size());
    drawn.distribution.width = static_cast<std::size_t>(array.shape(1));
    request.ensemble.drawn.push_back(std::move(drawn));
  }
  Trouble trouble;
  std::optional<Ensemble> made;
  std::unique_ptr<EnsembleFile> output;
  const auto make = [&] {
    made.emplace(std::move(request));
    if (file.empty()) return;
    try {
      output = open_ensemble_file(file);
    } catch (const std::invalid_argument& error) {
      throw SetupError("output", error.what());
    }
  };
  try {
    with_arguments(ensemble_arguments, [&] { without_lock(trouble, make); });
  } catch (const SetupError& error) {
    constexpr std::string_view of_ensemble = "ensemble.";
    if (asked.scenario.origins.contains(error.key)) throw located(asked.scenario, error);
    if (!error.key.starts_with(of_ensemble)) throw;
    throw SetupError(fmt::format("draw['{}']", error.key.substr(of_ensemble.size())), error.what());
  }
  Arrays arrays(made->about(), asked.scalar_first, output.get());
  EnsembleResult result;
  without_lock(trouble, [&] {
    EnsembleControl control;
    control.stop = &trouble.stop();
    result = made->follow(&arrays, control);
  });
  py::dict answer = arrays.as_dict(made->about());
  answer["t_snapshots"] = made->about().snapshots;
  answer["json"] = to_json(result);
  return answer;
}

}  // namespace

void add_ensemble(py::module_& module) { module.def("ensemble", &ensemble); }

}  // namespace polhode::python
