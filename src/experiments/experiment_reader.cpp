#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "core/number_text.hpp"
#include "experiments/columns.hpp"
#include "experiments/experiment.hpp"
#include "io/table_reader.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode::experiments {
namespace {

// Numbers and strings as the text that a row of published.csv would give for them.
std::string text_of(const TableReader& reader, std::string_view key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return shortest(number->get());
  reader.refuse(key, fmt::format("{} is {}; give a number or a string", quoted(node), type_name(node)));
}

std::vector<std::string> list_of(const TableReader& reader, std::string_view key) {
  const toml::node* node = reader.node(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty()) {
    reader.refuse(key, fmt::format("{} is not a list; give one like [0.25, 0.125]", quoted(*node)));
  }
  std::vector<std::string> list;
  for (const toml::node& element : *array) list.push_back(text_of(reader, key, element));
  return list;
}

class ExperimentReader {
 public:
  explicit ExperimentReader(const std::string& folder) {
    made_.folder = folder;
    made_.name = std::filesystem::path(folder).filename().string();
    file_.source = folder + "/experiment.toml";
  }

  Experiment read() {
    try {
      const toml::table whole = toml::parse(read_text_file(file_.source), file_.source);
      const TableReader top(whole, "", file_.origins);
      top.allow_only({"title", "paper", "place", "set", "about", "measure", "claim", "compare", "explained",
                      "tolerance", "table", "figure", "panel"});
      made_.title = required(top, "title");
      made_.paper = optional(top, "paper");
      made_.place = optional(top, "place");
      made_.about = required(top, "about");
      made_.set = set_of(top);
      for_each(whole, "measure", [&](const TableReader& table) { made_.measures.push_back(measure_of(table)); });
      for_each(whole, "claim", [&](const TableReader& table) { made_.claims.push_back(claim_of(table)); });
      for_each(whole, "compare", [&](const TableReader& table) { add_comparison(table); });
      for_each(whole, "explained", [&](const TableReader& table) { add_explanation(table); });
      for_each(whole, "tolerance", [&](const TableReader& table) { made_.tolerances.push_back(tolerance_of(table)); });
      for_each(whole, "panel", [&](const TableReader& table) { made_.panels.push_back(panel_of(table)); });
      read_table(whole);
      read_figure(whole);
    } catch (const toml::parse_error& error) {
      throw Error(ErrorKind::bad_file,
                  fmt::format("{}:{}: {}", file_.source, error.source().begin.line, std::string(error.description())));
    } catch (const SetupError& error) {
      throw located(file_, error);
    }
    const std::string published = made_.folder + "/published.csv";
    if (std::filesystem::exists(published)) made_.published = read_csv(published);
    return std::move(made_);
  }

 private:
  static std::string required(const TableReader& table, std::string_view key) {
    const std::optional<std::string> text = table.string(key, "a string");
    if (!text || text->empty()) table.refuse(key, "is missing; give a string");
    return *text;
  }
  static std::string optional(const TableReader& table, std::string_view key) {
    return table.string(key, "a string").value_or("");
  }

  static Set set_of(const TableReader& table, Set otherwise = Set::quick) {
    const std::string name = optional(table, "set");
    if (name.empty()) return otherwise;
    for (const Set set : {Set::quick, Set::standard, Set::long_}) {
      if (name == set_name(set)) return set;
    }
    table.refuse("set", fmt::format("'{}' is not a set; choose quick, default or long", name));
  }

  template <class Use>
  void for_each(const toml::table& whole, const char* key, const Use& use) {
    const toml::node* node = whole.get(key);
    if (node == nullptr) return;
    const toml::array* tables = node->as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) {
      throw SetupError(key, fmt::format("is not a list of tables; write [[{}]]", key));
    }
    for (std::size_t i = 0; i < tables->size(); ++i) {
      use(TableReader(*(*tables)[i].as_table(), fmt::format("{}[{}]", key, i + 1), file_.origins));
    }
  }

  static Parameters parameters_of(const TableReader& table) {
    Parameters parameters;
    for (const std::string& key : parameter_names()) {
      if (key == "step_sizes") continue;
      if (const toml::node* node = table.node(key)) parameters.set(key, text_of(table, key, *node));
    }
    return parameters;
  }

  Measure measure_of(const TableReader& table) const {
    std::vector<std::string> keys = parameter_names();
    keys.insert(keys.end(), {"name", "set", "methods", "durations"});
    table.allow_only(keys);
    Measure measure;
    measure.name = required(table, "name");
    measure.set = std::max(set_of(table), made_.set);
    measure.parameters = parameters_of(table);
    measure.methods = list_of(table, "methods");
    measure.durations = list_of(table, "durations");
    measure.step_sizes = list_of(table, "step_sizes");
    if (measure.parameters.text_or("quantity", "").starts_with("order_")) {
      measure.parameters.set("step_sizes", fmt::format("{}", fmt::join(measure.step_sizes, ",")));
      measure.step_sizes.clear();
    }
    return measure;
  }

  Claim claim_of(const TableReader& table) const {
    table.allow_only({"id", "claim", "place", "measured", "holds", "partly", "missing", "criterion", "note", "test",
                      "filter", "verdict", "set"});
    Claim claim{
        required(table, "id"),
        required(table, "claim"),
        optional(table, "place"),
        table.strings("measured", "a list of strings like \"ratio = a / b\"").value_or(std::vector<std::string>{}),
        optional(table, "holds"),
        optional(table, "partly"),
        optional(table, "missing"),
        optional(table, "criterion"),
        optional(table, "note"),
        optional(table, "test"),
        optional(table, "filter"),
        optional(table, "verdict"),
        std::max(set_of(table), made_.set)};
    if (int(claim.test.empty()) + int(claim.holds.empty()) + int(claim.missing.empty()) != 2) {
      table.refuse("holds", "give either this, an expression, or a test with its verdict, or what is `missing` to decide");
    }
    if (!claim.test.empty() && claim.verdict.empty()) table.refuse("verdict", "is missing; a test needs one");
    if (!claim.test.empty() && claim.filter.empty()) {
      table.refuse("filter", "is missing; name the tests of the program that decide, like \"Suite.Test\"");
    }
    if (claim.test.empty() && !claim.filter.empty()) table.refuse("filter", "belongs to a test, and there is none");
    if (claim.test.empty() && !claim.verdict.empty()) {
      table.refuse("verdict", "is not for claims that are measured here: `holds` or `missing` decides");
    }
    if (claim.test.empty() && claim.criterion.empty()) {
      table.refuse("criterion", "is missing; say why these bounds decide");
    }
    if (claim.test.empty() && claim.measured.empty()) {
      table.refuse("measured", "is missing; name the numbers that decide, like [\"ratio = a / b\"]");
    }
    return claim;
  }

  void add_comparison(const TableReader& table) {
    table.allow_only({"name", "relative", "absolute", "low", "high", "reason"});
    const auto number = [&](const char* key) { return table.number(key, "a number"); };
    made_.comparisons[required(table, "name")] = {number("relative"), number("absolute"), number("low"), number("high"),
                                                  required(table, "reason")};
  }

  void add_explanation(const TableReader& table) {
    table.allow_only({"item", "verdict", "reason"});
    const std::string verdict = required(table, "verdict");
    if (verdict != "misprint" && verdict != "solved" && verdict != "differs") {
      table.refuse("verdict", fmt::format("'{}' explains nothing; choose misprint, solved or differs", verdict));
    }
    made_.explanations[required(table, "item")] = {verdict, required(table, "reason")};
  }

  static RowTolerance tolerance_of(const TableReader& table) {
    table.allow_only({"rows", "relative", "absolute", "factor", "reason"});
    RowTolerance stated;
    stated.rows =
        table.strings("rows", "a list of items, claims or their numbers like \"order.ratio\"").value_or(stated.rows);
    if (stated.rows.empty()) table.refuse("rows", "is missing; list items, claims or their numbers");
    stated.reason = required(table, "reason");
    const auto positive = [&](const char* key, double least) {
      const std::optional<double> value = table.number(key, "a number");
      if (value && !(*value >= least)) table.refuse(key, fmt::format("is {}; give {} or more", *value, least));
      return value;
    };
    const std::optional<double> relative = positive("relative", 1e-10), absolute = positive("absolute", 0);
    stated.tolerance.factor = positive("factor", 1.01);
    if (stated.tolerance.factor.has_value() == (relative || absolute)) {
      table.refuse("factor", "give either this, or relative and absolute or one of them");
    }
    stated.tolerance.relative = relative.value_or(stated.tolerance.relative);
    stated.tolerance.absolute = absolute.value_or(stated.tolerance.absolute);
    return stated;
  }

  Panel panel_of(const TableReader& table) {
    table.allow_only({"title", "kind",    "problem", "scenario", "methods",  "step_sizes", "duration",
                      "every", "columns", "x_label", "y_label",  "log",      "reference",  "reference_slope",
                      "set",   "curves",  "scalar",  "steps",    "from_row", "levels",     "marks"});
    Panel panel;
    panel.title = optional(table, "title");
    panel.kind = required(table, "kind");
    const std::vector<std::string> kinds{"time-series", "space-curve", "convergence", "scan",
                                         "table-dots",  "poinsot",     "drawing"};
    if (std::ranges::find(kinds, panel.kind) == kinds.end()) {
      table.refuse("kind", fmt::format("'{}' is none; choose one of {}", panel.kind, fmt::join(kinds, ", ")));
    }
    panel.parameters = parameters_of(table);
    panel.methods = list_of(table, "methods");
    panel.step_sizes = list_of(table, "step_sizes");
    panel.columns = panel.kind == "poinsot" ? poinsot_columns() : list_of(table, "columns");
    panel.x_label = optional(table, "x_label");
    panel.y_label = optional(table, "y_label");
    panel.log = table.string("log", "none, x, y or both").value_or(panel.kind == "convergence" ? "both" : "none");
    panel.reference = optional(table, "reference");
    panel.reference_slope = table.number("reference_slope", "a number");
    panel.set = std::max(set_of(table), made_.set);
    for (const std::string& level : list_of(table, "levels")) panel.levels.push_back(number_of(table, "levels", level));
    for_each_in(table, "curves", [&](const TableReader& curve) { panel.scans.push_back(scan_of(curve)); });
    for_each_in(table, "marks", [&](const TableReader& mark) {
      mark.allow_only({"label", "at"});
      panel.marks.push_back(
          {required(mark, "label"), mark.numbers("at", 3, "three numbers").value_or(std::vector{0.0})});
      if (panel.marks.back().at.size() != 3) mark.refuse("at", "is missing; give three numbers");
    });
    return panel;
  }

  template <class Use>
  void for_each_in(const TableReader& table, const char* key, const Use& use) {
    const toml::node* node = table.node(key);
    if (node == nullptr) return;
    const toml::array* tables = node->as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) table.refuse(key, "is not a list of tables");
    for (std::size_t i = 0; i < tables->size(); ++i) {
      use(TableReader(*(*tables)[i].as_table(), fmt::format("{}[{}]", table.dotted(key), i + 1), file_.origins));
    }
  }

  static double number_of(const TableReader& table, std::string_view key, const std::string& text) {
    double value = 0;
    if (!read_number(text, value)) table.refuse(key, fmt::format("'{}' is not a number", text));
    return value;
  }

  static Panel::Scan scan_of(const TableReader& curve) {
    curve.allow_only({"label", "x", "y", "over"});
    Panel::Scan scan{required(curve, "label"), list_of(curve, "x"), list_of(curve, "y")};
    if (scan.x.size() != scan.y.size()) {
      curve.refuse("y", fmt::format("has {} elements, and x has {}", scan.y.size(), scan.x.size()));
    }
    if (const auto over = curve.numbers("over", 3, "first and last value of s and how many there are")) {
      scan.from = (*over)[0];
      scan.to = (*over)[1];
      scan.count = static_cast<int>((*over)[2]);
      if (scan.x.size() != 1 || scan.count < 2) {
        curve.refuse("over", "is for one expression in s for x and one for y, and two values of s or more");
      }
    }
    return scan;
  }

  void read_table(const toml::table& whole) {
    const toml::table* node = whole["table"].as_table();
    if (node == nullptr) return;
    const TableReader table(*node, "table", file_.origins);
    table.allow_only({"rows", "columns"});
    made_.table_rows = required(table, "rows");
    made_.table_columns = required(table, "columns");
  }

  void read_figure(const toml::table& whole) {
    const toml::table* node = whole["figure"].as_table();
    if (node == nullptr) return;
    const TableReader table(*node, "figure", file_.origins);
    table.allow_only({"caption", "columns"});
    made_.caption = required(table, "caption");
    made_.figure_columns = static_cast<int>(table.count("columns", "a whole number").value_or(0));
  }

  Experiment made_;
  Scenario file_;  // where complaints find their lines
};

}  // namespace

Experiment read_experiment(const std::string& folder) { return ExperimentReader(folder).read(); }

}  // namespace polhode::experiments
