#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"
#include "polhode/simulation.h"

struct polhode_simulation {
  polhode::Simulation simulation;
  std::vector<polhode::Event> events{};  // and
  std::string saved{};                   // what was handed out last
};

namespace polhode {
namespace {

// A plain array, which needs no room that may be lacking.
thread_local char last_error[4096] = "";

int failed(polhode_simulation_status status, const char* sentence) noexcept {
  std::size_t length = 0;
  for (; sentence[length] != '\0' && length + 1 < sizeof last_error; ++length) last_error[length] = sentence[length];
  last_error[length] = '\0';
  return status;
}

polhode_simulation_status status_of(const Error& error) noexcept {
  switch (error.kind) {
    case ErrorKind::file_missing: return POLHODE_SIMULATION_FILE_MISSING;
    case ErrorKind::run_failed: return POLHODE_SIMULATION_FAILED;
    case ErrorKind::input_output:
    case ErrorKind::broken_pipe: return POLHODE_SIMULATION_NOT_WRITTEN;
    default: return POLHODE_SIMULATION_BAD_SCENARIO;
  }
}

// Calls what may throw, and answers for it.
template <class Function>
int guarded(Function&& function) noexcept {
  try {
    return function();
  } catch (const Error& error) {
    return failed(status_of(error), error.what());
  } catch (const std::bad_alloc&) {
    return failed(POLHODE_SIMULATION_NO_MEMORY, "there is no memory left");
  } catch (const std::exception& error) {
    return failed(POLHODE_SIMULATION_BAD_ARGUMENT, error.what());
  }
}

int null_pointer() noexcept { return failed(POLHODE_SIMULATION_BAD_ARGUMENT, "a pointer is null"); }

template <class Read>
polhode_simulation* made(Read&& read) noexcept {
  polhode_simulation* simulation = nullptr;
  guarded([&] {
    const Scenario scenario = read();
    try {
      if (scenario.run.method.empty()) throw SetupError("run.method", "no method is chosen; name one under [run]");
      simulation = new polhode_simulation{Simulation(plan(scenario, true))};
    } catch (const SetupError& error) {
      throw located(scenario, error);
    }
    return POLHODE_SIMULATION_OK;
  });
  return simulation;
}

// Of the standard columns: time, attitude, velocity, momentum, energy.
polhode_motion motion_from(const std::vector<double>& cells) {
  polhode_motion motion{};
  auto cell = cells.begin();
  motion.time = *cell++;
  for (double& x : motion.attitude_wxyz) x = *cell++;
  for (double& x : motion.angular_velocity_body) x = *cell++;
  for (double& x : motion.angular_momentum_spatial) x = *cell++;
  motion.energy = *cell;
  return motion;
}

polhode_motion motion_from(const Snapshot& snapshot) {
  polhode_motion motion{};
  motion.time = static_cast<double>(snapshot.time.value);
  for (std::size_t i = 0; i < 4; ++i) motion.attitude_wxyz[i] = static_cast<double>(snapshot.attitude_wxyz[i].value);
  for (std::size_t i = 0; i < 3; ++i) {
    motion.angular_velocity_body[i] = static_cast<double>(snapshot.angular_velocity_body[i].value);
    motion.angular_momentum_spatial[i] = static_cast<double>(snapshot.angular_momentum_spatial[i].value);
  }
  motion.energy = static_cast<double>(snapshot.energy.value);
  return motion;
}

}  // namespace
}  // namespace polhode

using namespace polhode;

polhode_simulation* polhode_simulation_open(const char* path) {
  if (path == nullptr) return null_pointer(), nullptr;
  return made([&] { return read_scenario(path); });
}
polhode_simulation* polhode_simulation_parse(const char* toml) {
  if (toml == nullptr) return null_pointer(), nullptr;
  return made([&] { return parse_scenario(toml, "scenario"); });
}
void polhode_simulation_close(polhode_simulation* simulation) { delete simulation; }

int polhode_simulation_advance_to(polhode_simulation* simulation, double time) {
  if (simulation == nullptr) return null_pointer();
  if (!std::isfinite(time)) return failed(POLHODE_SIMULATION_BAD_ARGUMENT, "the time to advance to is not finite");
  return guarded([&] {
    simulation->simulation.advance_to(time);
    return simulation->simulation.ended() ? POLHODE_SIMULATION_ENDED : POLHODE_SIMULATION_OK;
  });
}
int polhode_simulation_now(const polhode_simulation* simulation, polhode_motion* motion) {
  if (simulation == nullptr || motion == nullptr) return null_pointer();
  return guarded([&] {
    *motion = motion_from(simulation->simulation.columns());
    return POLHODE_SIMULATION_OK;
  });
}
int polhode_simulation_at(const polhode_simulation* simulation, double time, polhode_motion* motion) {
  if (simulation == nullptr || motion == nullptr) return null_pointer();
  return guarded([&] {
    *motion = motion_from(simulation->simulation.columns_at(time));
    return POLHODE_SIMULATION_OK;
  });
}

size_t polhode_simulation_event_count(polhode_simulation* simulation) {
  if (simulation == nullptr) return static_cast<void>(null_pointer()), 0;
  guarded([&] {
    simulation->events = simulation->simulation.events();
    return POLHODE_SIMULATION_OK;
  });
  return simulation->events.size();
}
int polhode_simulation_event(polhode_simulation* simulation, size_t i, const char** name, polhode_motion* motion) {
  if (simulation == nullptr || name == nullptr || motion == nullptr) return null_pointer();
  if (i >= polhode_simulation_event_count(simulation))
    return failed(POLHODE_SIMULATION_BAD_ARGUMENT, "there are fewer events than that");
  *name = simulation->events[i].name.c_str();
  *motion = motion_from(simulation->events[i].at);
  return POLHODE_SIMULATION_OK;
}

int polhode_simulation_run(const polhode_simulation* simulation, const char* output) {
  if (simulation == nullptr || output == nullptr) return null_pointer();
  return guarded([&]() -> int {
    const auto file = result_format(output).open(output);
    const Result result = simulation->simulation.run(file.get());
    if (result.failure) throw Error(ErrorKind::run_failed, result.failure->sentence);
    if (!result.incomplete.empty()) return POLHODE_SIMULATION_GUARDED;
    return result.status == RunStatus::event ? POLHODE_SIMULATION_ENDED : POLHODE_SIMULATION_OK;
  });
}

int polhode_simulation_save(polhode_simulation* simulation, const void** bytes, size_t* size) {
  if (simulation == nullptr || bytes == nullptr || size == nullptr) return null_pointer();
  return guarded([&] {
    simulation->saved = simulation->simulation.save();
    *bytes = simulation->saved.data();
    *size = simulation->saved.size();
    return POLHODE_SIMULATION_OK;
  });
}
int polhode_simulation_restore(polhode_simulation* simulation, const void* bytes, size_t size) {
  if (simulation == nullptr || bytes == nullptr) return null_pointer();
  return guarded([&] {
    simulation->simulation.restore(std::string_view(static_cast<const char*>(bytes), size));
    return POLHODE_SIMULATION_OK;
  });
}

const char* polhode_last_error(void) { return last_error; }
