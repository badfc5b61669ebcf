// polhode problems: the benchmark problems and their data.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "polhode/io/json.hpp"
#include "polhode/io/reference_file.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode {
namespace {

std::string torques(const Problem& problem) {
  std::vector<std::string_view> kinds;
  for (const auto& torque : problem.setup.torques) {
    kinds.push_back(std::visit([](const auto& field) { return field.kind; }, torque));
  }
  return kinds.empty() ? "free" : fmt::format("{}", fmt::join(kinds, " + "));
}

void print_problems() {
  fmt::print("{:<23} {:<14} {:<9} {:<11} {:<22} {}\n", "problem", "torque", "step [s]", "time [s]", "source", "about");
  for (const Problem& problem : problems()) {
    fmt::print("{:<23} {:<14} {:<9} {:<11} {:<22} {}\n", problem.name, torques(problem), problem.step, problem.duration,
               problem.cite, problem.about);
  }
}

// null where there is none.
nlohmann::ordered_json reference(const Problem& problem) {
  const ReferenceFile* file = find_reference(problem);
  if (file == nullptr) return nullptr;
  auto integrators = nlohmann::ordered_json::array();
  for (const ReferenceIntegrator& integrator : file->integrators) {
    integrators.push_back(fmt::format("{}, order {}, {}", integrator.name, integrator.order, integrator.scalar));
  }
  return {{"duration", problem.reference_duration},
          {"integrators", integrators},
          {"attitude_disagreement", file->attitude_disagreement},
          {"momentum_disagreement", file->momentum_disagreement}};
}

void print_problems_as_json() {
  auto list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems()) {
    nlohmann::ordered_json entry{{"name", problem.name},
                                 {"cite", problem.cite},
                                 {"about", problem.about},
                                 {"space", space_name(space_of(problem.setup))}};
    entry.update(nlohmann::ordered_json::parse(to_json(problem.setup)));
    entry["step"] = problem.step;
    entry["duration"] = problem.duration;
    entry["reference"] = reference(problem);
    list.push_back(std::move(entry));
  }
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

Command add_problems(CLI::App& program) {
  CLI::App* command = program.add_subcommand("problems", "List the benchmark problems with their data and source");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As a JSON array, with data as a scenario file takes them");
  command->footer(
      examples({"polhode problems", "polhode init top.toml --problem fast-top   # the data as a scenario"}));
  return {command, [json] {
            *json ? print_problems_as_json() : print_problems();
            return ExitCode::done;
          }};
}

}  // namespace polhode
