// polhode methods: the catalogue, for people, scripts and documents.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "method_page.hpp"
#include "io/method_words.hpp"
#include "plugins.hpp"
#include "polhode/methods/composition.hpp"
#include "recommended_methods.hpp"
#include "streams.hpp"

namespace polhode {
namespace {

struct MethodsFlags {
  std::string name;
  bool json = false;
  bool markdown = false;
  bool guide = false;
  bool recommended = false;
};

struct Heading {
  std::string_view title;
  int width;
};
constexpr Heading headings[] = {{"method", 29},     {"order", 14},        {"with drag", 9}, {"symmetric", 10},
                                {"symplectic", 11}, {"L free", 7},        {"L field", 8},   {"E free", 8},
                                {"E field", 8},     {"torque calls", 13}, {"needs", 13}};

std::vector<std::string> cells(const MethodInfo& method) {
  const Claims& c = method.claims;
  return {std::string(method.name),
          order_text(c),
          order_with_velocity_text(c),
          std::string(text(c.symmetric)),
          std::string(text(c.symplectic)),
          std::string(text(c.momentum_free)),
          std::string(text(c.momentum_along_field)),
          std::string(text(c.energy_free)),
          std::string(text(c.energy)),
          fmt::format("{}", c.torque_evaluations),
          std::string(text(c.needs))};
}

void print_methods() {
  std::string line;
  for (const Heading& heading : headings) line += fmt::format("{:<{}} ", heading.title, heading.width);
  fmt::print("{}source\n", line);
  std::string_view family;
  for (const MethodInfo& method : methods()) {
    if (method.family != family) fmt::print("\n{}\n", family = method.family);
    const std::vector<std::string> row = cells(method);
    line.clear();
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}} ", row[i], headings[i].width);
    fmt::print("{}{}\n", line, method.cite);
    for (const std::string_view alias : method.aliases) fmt::print("  also called {}\n", alias);
    for (const ParameterInfo& parameter : method.parameters)
      fmt::print("  takes {}:{}=..., {}\n", method.name, parameter.name, bounds_text(parameter));
  }
  fmt::print("\nSuffixes, written after a method's name:\n");
  for (const SuffixInfo& suffix : suffixes()) fmt::print("  {:<14} {}\n", suffix.name, suffix.about);
  fmt::print(
      "\nauto, in place of a name, chooses a method and its step for 'polhode run', by trials on the situation "
      "itself:\n"
      "  polhode run tumble.toml --method auto --tolerance 1e-8 --goal time|torque-evaluations|energy\n");
  fmt::print(
      "\norder         of attitude, and of momentum where it differs\n"
      "with drag     the order in a torque that depends on the angular velocity; 'polhode methods --guide' says what\n"
      "              compositions keep there; with +energy it is 2 at most in a torque without potential, except for\n"
      "              Taylor methods\n"
      "L, E          how well momentum and energy are kept: of a free body, and in a heavy top's field, where it is\n"
      "              the momentum along the field\n"
      "torque calls  evaluations of the field per step\n"
      "needs         values of the torque, the field on power series, a body without torque, or, on a dumbbell, whose\n"
      "              methods move a direction on the sphere S^2, a potential of that direction, or a uniform field\n");
}

void print_methods_as_markdown() {
  std::string titles, rule;
  for (const Heading& heading : headings) {
    titles += fmt::format("| {} ", heading.title);
    rule += "|---";
  }
  fmt::print("{}| source |\n{}|---|\n", titles, rule);
  for (const MethodInfo& method : methods()) {
    std::vector<std::string> row = cells(method);
    row[0] = fmt::format("`{}`", row[0]);
    fmt::print("| {} | {} |\n", fmt::join(row, " | "), method.cite);
  }
}

// "exactly", "bounded" or nothing, in a sentence.
std::string kept(const Claims& c) {
  std::string words;
  const auto add = [&](Keeps keeps, std::string_view what) {
    if (keeps == Keeps::no) return;
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : ", ", what, keeps == Keeps::exact ? "exactly" : "within bounds");
  };
  add(c.momentum_free, "the momentum of a free body");
  add(c.momentum_along_field, "its component along a heavy top's field");
  add(c.energy_free, "the energy of a free body");
  add(c.energy, "the energy in a field");
  return words.empty() ? "nothing beyond its order" : words;
}

// Where it is lower than in other torques, for the method and for what is composed of it.
std::string order_with_drag(const Claims& c) {
  if (!takes_any_torque(c)) return "";
  std::string words;
  if (orders_with_velocity(c) != orders_of(c, false))
    words = fmt::format(", {} with drag", order_with_velocity_text(c));
  if (!c.symmetric || !c.composes) return words;
  const Claims raised = composed(c, 2, 3);
  if (orders_with_velocity(raised) != orders_of(raised, false)) {
    words +=
        fmt::format("{} {} with drag when composed", words.empty() ? "," : " and", order_with_velocity_text(raised));
  }
  return words;
}

// One paragraph each. Methods that differ in the order of the axes alone share one.
void print_guide() {
  fmt::print(
      "# Methods\n\n"
      "Written by `polhode methods --guide` from the catalogue; `tools/update-readme` brings it up to date. What a\n"
      "method keeps is what the tests measure, in both directions. Sources are keys of\n"
      "[bibliography.bib](bibliography.bib).\n\n"
      "Suffixes, written after a method's name, compose: `mclachlan-reich-231@suzuki+energy/10`. Those that begin "
      "with\n"
      "`~` stand last ([adaptive.md](adaptive.md)).\n\n"
      "| suffix | what it does |\n|---|---|\n");
  for (const SuffixInfo& suffix : suffixes()) fmt::print("| `{}` | {} |\n", suffix.name, suffix.about);
  fmt::print(
      "\n## All methods\n\n"
      "*Order* is that of attitude and momentum alike; *with drag* is the order in any torque that depends on the\n"
      "angular velocity. *L free* and *E free*: momentum and energy of a free body; *L field* and *E field*: momentum\n"
      "along a heavy top's field, and energy in it. *Torque calls* are evaluations of the field per step.\n\n");
  print_methods_as_markdown();
  std::string_view family;
  const auto& all = methods();
  for (std::size_t i = 0; i < all.size();) {
    const MethodInfo& method = all[i];
    if (method.family != family) fmt::print("\n## {}\n", family = method.family);
    std::string names;
    std::size_t next = i;
    for (; next < all.size() && all[next].about == method.about && all[next].good_for == method.good_for &&
           all[next].claims == method.claims;
         ++next) {
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", all[next].name);
      if (!all[next].aliases.empty()) names += fmt::format(" (`{}`)", fmt::join(all[next].aliases, "`, `"));
    }
    const Claims& c = method.claims;
    fmt::print(
        "\n**{}**: {} [{}]. Order {}{}{}{}; {} torque evaluation{} a step{}{}. Keeps {}.\n"
        "*Good for* {}.\n*Not for* {}.\n",
        names, method.about, method.cite, order_text(c), order_with_drag(c), c.symmetric ? ", time-symmetric" : "",
        c.symplectic ? ", symplectic" : "", c.torque_evaluations, c.torque_evaluations == 1 ? "" : "s",
        c.needs == Needs::series ? " on power series" : "",
        c.takes_tolerance ? "; with a tolerance, steps of its own" : "", kept(c), method.good_for, method.not_for);
    for (const ParameterInfo& parameter : method.parameters)
      fmt::print("*Parameter* `{}`: {}; {}, as `{}:{}={}`.\n", parameter.name, parameter.meaning,
                 bounds_text(parameter), method.name, parameter.name, parameter.highest);
    i = next;
  }
}

void print_methods_as_json() {
  auto list = nlohmann::ordered_json::array();
  for (const MethodInfo& method : methods()) list.push_back(entry_of(method, method.claims));
  fmt::print("{}\n", list.dump(2));
}

ExitCode print_page(const MethodsFlags& flags) {
  try {
    fmt::print("{}", flags.json ? method_page_as_json(flags.name) + '\n' : method_page(flags.name));
  } catch (const MethodError& error) {
    throw Error(ErrorKind::bad_request, error.what());
  }
  return ExitCode::done;
}

}  // namespace

Command add_methods(CLI::App& program, Talk&) {
  CLI::App* command =
      program.add_subcommand("methods", "List every method with its claims and its source, or show one");
  auto flags = std::make_shared<MethodsFlags>();
  CLI::Option* name = command->add_option("NAME", flags->name, "One method, with suffixes or without: a page on it");
  name->type_name(" ");
  CLI::Option* json = command->add_flag("--json", flags->json, "As a JSON array; with NAME as one object");
  CLI::Option* table =
      command->add_flag("--markdown", flags->markdown, "As a Markdown table")->excludes(json)->excludes(name);
  CLI::Option* guide = command->add_flag("--guide", flags->guide, "A paragraph each: what it is good for, and what not")
                           ->excludes(json)
                           ->excludes(table)
                           ->excludes(name);
  add_load_flag(*command);
  command->add_flag("--recommended", flags->recommended, "The dozen that people choose from, and what each is for")
      ->excludes(json)
      ->excludes(guide)
      ->excludes(name);
  command->footer(examples({"polhode methods --recommended", "polhode methods lie-verlet",
                            "polhode methods mclachlan-reich-231@suzuki+energy/10      # the claims that result",
                            "polhode methods newmark-gamma:gamma=0.5",
                            "polhode methods my-method --load ./my_method.so",
                            "polhode methods --json | jq -r '.[] | select(.symplectic) | .name'"}) +
                  exit_codes({ExitCode::done, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing}) +
                  read_on({"docs/methods.md (a paragraph each)", "docs/auto.md (how auto chooses)", "docs/theory.md"}));
  return {command, [flags] {
            if (!flags->name.empty()) return print_page(*flags);
            if (flags->recommended) {
              to_stdout(flags->markdown ? recommended_methods_as_markdown() : recommended_methods());
              return ExitCode::done;
            }
            flags->json       ? print_methods_as_json()
            : flags->markdown ? print_methods_as_markdown()
            : flags->guide    ? print_guide()
                              : print_methods();
            return ExitCode::done;
          }};
}

}  // namespace polhode
