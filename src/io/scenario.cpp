#include "polhode/io/scenario.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "io/scenario_checks.hpp"
#include "polhode/core/names.hpp"

namespace polhode {
namespace {

struct ScalarInfo {
  ScalarKind kind;
  std::string_view name;
  int digits;
};
constexpr std::array<ScalarInfo, 4> scalars{{{ScalarKind::float_, "float", 9},
                                             {ScalarKind::double_, "double", 17},
                                             {ScalarKind::long_double_, "long-double", 21},
                                             {ScalarKind::quad_, "quad", 36}}};

const ScalarInfo& info(ScalarKind kind) { return scalars.at(static_cast<std::size_t>(kind)); }

// More than any scenario or list of steps needs; a device that never ends is not read for ever.
constexpr std::size_t largest_file = std::size_t{256} << 20;

[[noreturn]] void unreadable(const std::string& path, int error) {
  const char* remedy = error == EISDIR   ? "name a file in it"
                       : error == EACCES ? "check its permissions"
                                         : "check the name";
  throw Error(ErrorKind::file_missing, fmt::format("cannot read '{}': {}; {}", path, std::strerror(error), remedy));
}

// The only torque is "torque" to its reader, not "torque[0]".
std::string shown(const Scenario& scenario, std::string key) {
  constexpr std::string_view first = "torque[0]";
  if (key.starts_with(first) && !scenario.origins.contains("torque[1]")) key.replace(0, first.size(), "torque");
  return key;
}

}  // namespace

std::string_view scalar_name(ScalarKind kind) { return info(kind).name; }
int significant_digits(ScalarKind kind) { return info(kind).digits; }

ScalarKind parse_scalar(std::string_view name) {
  std::vector<std::string> names;
  for (const ScalarInfo& scalar : scalars) {
    if (scalar.name == name) return scalar.kind;
    names.emplace_back(scalar.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw std::invalid_argument(
      fmt::format("no scalar named '{}'; {}", name,
                  nearest.empty() ? "choose float, double, long-double or quad" : "nearest: " + nearest));
}

std::string_view on_failure_name(OnFailure choice) { return choice == OnFailure::halve ? "halve" : "stop"; }

OnFailure parse_on_failure(std::string_view name) {
  for (const OnFailure choice : {OnFailure::stop, OnFailure::halve}) {
    if (name == on_failure_name(choice)) return choice;
  }
  throw std::invalid_argument(fmt::format("'{}' is not a choice; give {}", name, on_failure_wanted));
}

std::string_view goal_name(Goal goal) {
  switch (goal) {
    case Goal::time: return "time";
    case Goal::torque_evaluations: return "torque-evaluations";
    case Goal::energy: break;
  }
  return "energy";
}

Goal parse_goal(std::string_view name) {
  for (const Goal goal : {Goal::time, Goal::torque_evaluations, Goal::energy}) {
    if (name == goal_name(goal)) return goal;
  }
  throw std::invalid_argument(fmt::format("'{}' is not a goal; give {}", name, goal_wanted));
}

bool is_stated(const Scenario& scenario, std::string_view key) { return scenario.origins.contains(key); }

Scenario problem_scenario(const Problem& problem) {
  Scenario scenario;
  scenario.title = problem.name;
  scenario.problem = &problem;
  scenario.setup = problem.setup;
  scenario.run.step = problem.step;
  scenario.run.duration = problem.duration;
  scenario.text = to_toml(scenario);
  return scenario;
}

Error located(const Scenario& scenario, const SetupError& error) {
  // A key that is missing has no line of its own; its table has.
  std::string key = error.key;
  auto place = scenario.origins.find(key);
  while (place == scenario.origins.end() && key.find('.') != std::string::npos) {
    key.erase(key.rfind('.'));
    place = scenario.origins.find(key);
  }
  if (place != scenario.origins.end() && !place->second.flag.empty()) {
    return {ErrorKind::bad_request, fmt::format("{}: {}", place->second.flag, error.what())};
  }
  if (scenario.source.empty()) return {ErrorKind::bad_request, error.what()};
  const std::string subject = error.key.empty() ? "" : shown(scenario, error.key) + ": ";
  const std::string line =
      place != scenario.origins.end() && place->second.line > 0 ? fmt::format(":{}", place->second.line) : "";
  return {ErrorKind::bad_file, fmt::format("{}{}: {}{}", scenario.source, line, subject, error.what())};
}

std::string read_text_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) unreadable(path, errno);
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t count = 0;
  while ((count = ::read(file, buffer.data(), buffer.size())) > 0 && text.size() <= largest_file) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const int error = count < 0 ? errno : 0;
  ::close(file);
  if (error != 0) unreadable(path, error);
  if (text.size() > largest_file) unreadable(path, EFBIG);
  return text;
}

}  // namespace polhode
