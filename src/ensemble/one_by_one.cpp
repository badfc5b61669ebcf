#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ensemble/cells.hpp"
#include "ensemble/free_error.hpp"
#include "ensemble/group.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode {
namespace {

// The rows of a run as states of one body: the start, the snapshots it came to, and where it ended, which may have been
// before the next of them.
class StatesOfRows final : public ResultWriter {
 public:
  StatesOfRows(EnsembleChunk& chunk, std::size_t body) : chunk_(chunk), body_(body) {}

  void begin(const Provenance&) override {}
  void row(std::span<const Number> cells) override {
    // Only now is it known that the row before was not the last.
    if (rows_ >= 2) put(chunk_.snapshots[rows_ - 2], body_, last_);
    last_ = state_of(cells);
    ++rows_;
  }
  void end(const Result&) override {}

 private:
  static BodyState state_of(std::span<const Number> cells) {
    const auto number = [&](std::size_t i) { return cells[i].value; };
    return {{number(1), {number(2), number(3), number(4)}},
            {number(5), number(6), number(7)},
            {number(8), number(9), number(10)},
            number(11)};
  }

  EnsembleChunk& chunk_;
  std::size_t body_, rows_ = 0;
  BodyState last_{};
};

BodyState state_of(const Snapshot& at) {
  const auto vector = [](const std::array<Number, 3>& v) { return Vec3<double>{v[0].value, v[1].value, v[2].value}; };
  const auto& q = at.attitude_wxyz;
  return {{q[0].value, {q[1].value, q[2].value, q[3].value}},
          vector(at.angular_velocity_body),
          vector(at.angular_momentum_spatial),
          at.energy.value};
}

class OneByOne final : public Group {
 public:
  explicit OneByOne(const Plan& typical) : request_(typical.request), passages_(passage_names(request_)) {
    // Whatever chose method and step, they are the same for all bodies.
    request_.run.method = typical.method.name;
    request_.run.parameters.clear();
    request_.run.goal.reset();
    request_.run.tolerance = typical.tolerance;
    request_.run.step = typical.steps.size;
    request_.every = std::numeric_limits<long long>::max();
    request_.keeps_rows = true;
    request_.problem = nullptr;
  }

  bool follow(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk, GroupControl& group) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      RunRequest request = request_;
      request.setup = bodies[i];
      StatesOfRows rows(chunk, first + i);
      RunControl control;
      control.stop = group.stop;
      std::optional<Plan> planned;
      try {
        planned = plan(std::move(request));
      } catch (const SetupError& error) {  // a draw of which no run can be made
        chunk.failures.push_back({chunk.first + first + i, 0, bodies[i].time, error.key + ": " + error.what()});
        continue;
      }
      const Result result = run(*planned, &rows, control);
      if (result.interrupted) return false;
      group.body_steps += static_cast<std::uint64_t>(result.steps);
      take(result, bodies[i], first + i, chunk);
    }
    return true;
  }

 private:
  void take(const Result& result, const Setup& setup, std::size_t body, EnsembleChunk& chunk) const {
    const BodyState start = state_of(result.start), end = state_of(result.end);
    put(chunk.start, body, start);
    put(chunk.end, body, end);
    if (result.status != RunStatus::finished) chunk.end_time[body] = result.end.time.value;
    chunk.energy_error[body] = relative(result.energy_change, start.energy);
    chunk.momentum_error[body] = relative(result.momentum_change, norm(start.momentum_S));
    if (!chunk.attitude_error.empty()) {
      const ScalarKind scalar = request_.run.scalar;
      const bool as_packs = scalar == ScalarKind::double_ || scalar == ScalarKind::float_;
      chunk.attitude_error[body] = !result.attitude_error ? not_a_number
                                   : as_packs             ? free_attitude_error(setup, end.R_SU, result.end.time.value)
                                                          : result.attitude_error->value;
    }
    for (std::size_t k = 0; k < chunk.passages.size(); ++k) {
      const std::string& name = passages_[k];
      const auto found = std::find_if(result.events.begin(), result.events.end(),
                                      [&](const Event& event) { return event.name == name; });
      chunk.passages[k][body] = found == result.events.end() ? not_a_number : found->at.time.value;
    }
    for (std::size_t k = 0; k < chunk.quantities.size(); ++k) chunk.quantities[k][body] = result.quantities[k].value;
    if (result.failure)
      chunk.failures.push_back(
          {chunk.first + body, result.failure->step, result.end.time.value, result.failure->sentence});
  }

  RunRequest request_;
  std::vector<std::string> passages_;
};

}  // namespace

std::unique_ptr<Group> one_by_one(const Plan& typical) { return std::make_unique<OneByOne>(typical); }

}  // namespace polhode
