// polhode problems: the benchmark problems and their data.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "io/problem_words.hpp"
#include "polhode/io/bibliography.hpp"
#include "polhode/problems/problem.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

std::string torques(const Problem& problem) {
  std::vector<std::string_view> kinds;
  for (const auto& torque : problem.setup.torques) {
    kinds.push_back(std::visit([](const auto& field) { return field.kind; }, torque));
  }
  if (!problem.setup.wheels.empty()) kinds.emplace_back("wheels");
  return kinds.empty() ? "free" : fmt::format("{}", fmt::join(kinds, " + "));
}

void print_problems() {
  fmt::print("{:<23} {:<14} {:<9} {:<11} {:<22} {}\n", "problem", "torque", "step [s]", "time [s]", "source", "about");
  for (const Problem& problem : problems()) {
    fmt::print("{:<23} {:<14} {:<9} {:<11} {:<22} {}\n", problem.name, torques(problem), problem.step, problem.duration,
               problem.cite, problem.about);
  }
}

void print_problems_as_json() {
  auto list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems()) list.push_back(entry_of(problem));
  fmt::print("{}\n", list.dump(2));
}

// Values as a scenario file has them: its tables within a line are not those of JSON.
std::string toml_value(const nlohmann::ordered_json& value) {
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& [key, part] : value.items())
    parts.push_back(value.is_object() ? fmt::format("{} = {}", key, toml_value(part)) : toml_value(part));
  return value.is_object() ? fmt::format("{{ {} }}", fmt::join(parts, ", "))
                           : fmt::format("[{}]", fmt::join(parts, ","));
}

void print_data(const nlohmann::ordered_json& table, std::string_view heading) {
  fmt::print("\n  [{}]\n", heading);
  for (const auto& [key, value] : table.items()) fmt::print("  {} = {}\n", key, toml_value(value));
}

void print_page(const Problem& problem) {
  const nlohmann::ordered_json entry = entry_of(problem);
  fmt::print("{}\n\n", problem.name);
  const auto line = [](std::string_view title, const std::string& words) {
    fmt::print("  {:<12}{}", title, wrapped(words, 14, 14));
  };
  line("about", std::string(problem.about));
  line("torque", torques(problem));
  line("step", fmt::format("{} s, customary", problem.step));
  line("duration", fmt::format("{} s, customary", problem.duration));
  const auto& known = entry["reference"];
  line("reference", known.is_null()
                        ? "none"
                        : fmt::format("up to {} s, by {}; they differ by {} rad at most", known["duration"].dump(),
                                      fmt::join(known["integrators"].get<std::vector<std::string>>(), " and "),
                                      known["attitude_disagreement"].dump()));
  line("source", std::string(problem.cite));
  for (const std::string& key : cited_keys(problem.cite)) {
    if (const Publication* publication = find_publication(key)) line(key, entry_text(*publication));
  }
  fmt::print("\nIn a scenario file:\n");
  nlohmann::ordered_json body{{"inertia", entry["inertia"]}};
  for (const char* key : {"unphysical", "wheels"})
    if (entry.contains(key)) body[key] = entry[key];
  print_data(body, "body");
  print_data(entry["start"], "start");
  for (const auto& torque : entry["torque"]) print_data(torque, entry["torque"].size() > 1 ? "[torque]" : "torque");
  fmt::print("\nTry it:\n  polhode run --problem {0} --method auto\n  polhode init {0}.toml --problem {0}\n",
             problem.name);
}

}  // namespace

Command add_problems(CLI::App& program, Talk&) {
  CLI::App* command =
      program.add_subcommand("problems", "List the benchmark problems with their data and source, or show one");
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "One problem: its data, its reference and its source")->type_name(" ");
  command->add_flag("--json", *json, "As a JSON array, with data as a scenario file takes them; with NAME one object");
  command->footer(
      examples({"polhode problems", "polhode problems fast-top",
                "polhode init top.toml --problem fast-top   # the data as a scenario"}) +
      exit_codes({ExitCode::done, ExitCode::usage}) +
      read_on({"docs/references.md (how good the references are)", "docs/errata.md (what papers leave open)"}));
  return {command, [json, name] {
            if (name->empty()) {
              *json ? print_problems_as_json() : print_problems();
              return ExitCode::done;
            }
            const Problem& problem = named_problem(*name, "");
            *json ? fmt::print("{}\n", entry_of(problem).dump(2)) : print_page(problem);
            return ExitCode::done;
          }};
}

}  // namespace polhode
