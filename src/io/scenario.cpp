#include "polhode/io/scenario.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "polhode/io/reference_folder.hpp"

namespace polhode {
namespace {

// More than any scenario or list of steps needs; a device that never ends is not read for ever.
constexpr std::size_t largest_file = std::size_t{256} << 20;

[[noreturn]] void unreadable(const std::string& path, int error) {
  const char* remedy = error == EISDIR   ? "name a file in it"
                       : error == EACCES ? "check its permissions"
                                         : "check the name";
  throw Error(ErrorKind::file_missing, fmt::format("cannot read '{}': {}; {}", path, std::strerror(error), remedy));
}

// The only torque is "torque" to its reader, not "torque[0]", and so is the only event.
std::string shown(const Scenario& scenario, std::string key) {
  for (const std::string table : {"torque", "event", "ensemble.torque"}) {
    const std::string first = table + "[0]", second = table.substr(table.find('.') + 1) + "[1]";
    if (key.starts_with(first) && !scenario.origins.contains(second)) key.replace(0, first.size(), table);
  }
  return key;
}

// A file that is not there is the fault of the key that names it.
std::vector<double> numbers_from(const Scenario& scenario, const char* key, const std::string& path,
                                 std::vector<double> (*read)(const std::string&)) {
  try {
    return read(path);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::file_missing) throw;
    throw Error(error.kind, located(scenario, SetupError(key, error.what())).what());
  }
}

}  // namespace

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

RunRequest run_request(const Scenario& scenario, bool rows) {
  RunRequest request;
  request.setup = scenario.setup;
  request.run = scenario.run;
  request.columns = scenario.output.columns;
  request.quantities = scenario.quantities;
  request.shown_quantities = scenario.output.quantities.value_or(names_of(scenario.quantities));
  request.events = scenario.events;
  request.every = scenario.output.every;
  request.times = scenario.output.times;
  request.times_file = scenario.output.times_file;
  request.keeps_rows = rows || !scenario.output.file.empty();
  request.says_where_rows_are = is_stated(scenario, "run.step") || is_stated(scenario, "run.steps");
  request.problem = scenario.problem;
  if (scenario.run.reference) request.reference = reference_of(scenario);
  request.title = scenario.title;
  request.text = scenario.text;
  if (!scenario.run.step_file.empty() && scenario.run.method != automatic_method)
    request.run.listed_steps = numbers_from(scenario, "run.step_file", scenario.run.step_file, read_step_file);
  if (!scenario.output.times_file.empty())
    request.times = numbers_from(scenario, "output.times_file", scenario.output.times_file, read_times_file);
  return request;
}

Plan plan(const Scenario& scenario, bool rows, const std::atomic<bool>* stop) {
  try {
    return plan(run_request(scenario, rows), stop);
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
}

std::shared_ptr<MotionReference> reference_of(const Scenario& scenario) {
  return std::make_shared<MotionReference>(scenario.setup,
                                           std::make_shared<ReferenceFolder>(references_folder(scenario.source)));
}

Error located(const Scenario& scenario, const SetupError& error) {
  const Origins::const_iterator none = scenario.origins.end();
  const auto name_of = [&](Origins::const_iterator origin) {
    if (origin == none) return std::string();
    if (!origin->second.given_as.empty() || !scenario.callers_names) return origin->second.given_as;
    return scenario.callers_names(origin->first);
  };
  auto place = none;
  std::string given_as;
  const auto look_at = [&](const std::string& key) {
    if (!given_as.empty()) return;
    place = scenario.origins.find(key);
    given_as = name_of(place);
    if (given_as.empty()) place = none;
  };
  look_at(error.key);
  for (const std::string& other : error.others) look_at(other);
  // A key that is missing has no line and no name of its own; its table has.
  std::string table = error.key, within;
  while (place == none) {
    place = scenario.origins.find(table);
    if (place != none || table.find('.') == std::string::npos) break;
    table.erase(table.rfind('.'));
    within = error.key.substr(table.size());
  }
  if (given_as.empty()) given_as = name_of(place);
  if (!given_as.empty()) return {ErrorKind::bad_request, fmt::format("{}{}: {}", given_as, within, error.what())};
  if (scenario.source.empty()) return {ErrorKind::bad_request, error.what()};
  const std::string subject = error.key.empty() ? "" : shown(scenario, error.key) + ": ";
  const std::string line = place != none && place->second.line > 0 ? fmt::format(":{}", place->second.line) : "";
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
