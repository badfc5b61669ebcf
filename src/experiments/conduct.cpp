#include "experiments/conduct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "experiments/curves.hpp"
#include "experiments/expression.hpp"
#include "experiments/quantities.hpp"
#include "experiments/tasks.hpp"
#include "experiments/test_run.hpp"
#include "polhode/core/error.hpp"

namespace polhode::experiments {
namespace {

// A number to be found, and where it goes.
struct Wanted {
  Parameters parameters;
  std::string what;  // for complaints
  double value = 0;
};

class Conductor {
 public:
  Conductor(const Experiment& experiment, const Conduct& how)
      : experiment_(experiment), how_(how), runs_(experiment.folder, *how.stop) {}

  Outcome outcome() {
    const auto begin = std::chrono::steady_clock::now();
    collect_measures();
    collect_items();
    collect_panels();
    collect_tests();
    do_the_work();
    for (const auto& [variable, wanted] : by_variable_) variables_[variable] = wanted_[wanted].value;
    finish_items();
    for (const Claim& claim : experiment_.claims) finish(claim);
    for (std::size_t i = 0; i < outcome_.panels.size(); ++i) {
      draw_scans(*outcome_.panels[i].panel, static_cast<int>(i) + 1, how_.folder, variables_, outcome_.panels[i]);
    }
    outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(outcome_);
  }

 private:
  struct PlannedItem {
    ItemOutcome outcome;
    std::string comparison, expression;
    std::optional<std::size_t> wanted;
  };

  bool in_set(Set set) const { return set <= how_.set; }

  std::size_t want(const Parameters& parameters, const std::string& what) {
    wanted_.push_back({parameters, what});
    return wanted_.size() - 1;
  }

  void collect_measures() {
    // A measure that rows of published.csv fill in is a template and has no value of its own.
    std::vector<std::string> templates;
    if (experiment_.published) {
      for (std::size_t row = 0; row < experiment_.published->rows.size(); ++row) {
        templates.push_back(experiment_.published->cell(row, "measure"));
      }
    }
    for (const Measure& measure : experiment_.measures) {
      if (std::ranges::find(templates, measure.name) != templates.end()) continue;
      for (const Instance& instance : instances(measure)) {
        command_of_variable_[instance.variable] = command_of(instance.parameters, experiment_.name);
        if (!in_set(measure.set)) {
          later_.push_back(instance.variable);
          continue;
        }
        by_variable_[instance.variable] = want(instance.parameters, fmt::format("measure '{}'", instance.variable));
      }
    }
  }

  const Measure& measure_named(const std::string& name, int line) const {
    const auto found = std::ranges::find(experiment_.measures, name, &Measure::name);
    if (found != experiment_.measures.end()) return *found;
    throw Error(ErrorKind::bad_file, fmt::format("{}:{}: measure = '{}', but experiment.toml has no [[measure]] of "
                                                 "that name",
                                                 experiment_.published->path, line, name));
  }

  void collect_items() {
    if (!experiment_.published) return;
    const CsvTable& table = *experiment_.published;
    const std::vector<std::string> own{"item", "published", "unit", "place", "measure", "compare", "note"};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      PlannedItem item;
      item.outcome.item = table.cell(row, "item");
      item.outcome.published = table.cell(row, "published");
      item.outcome.unit = table.cell(row, "unit");
      item.outcome.place = table.cell(row, "place");
      item.outcome.note = table.cell(row, "note");
      item.comparison = table.cell(row, "compare");
      const std::string& measured_by = table.cell(row, "measure");
      Parameters parameters;
      if (!measured_by.empty() && !measured_by.starts_with('=')) {
        const Measure& measure = measure_named(measured_by, table.lines[row]);
        if (!in_set(measure.set)) {
          ++outcome_.left_out;
          continue;
        }
        parameters = measure.parameters;
      }
      for (const std::string& column : table.header) {
        if (std::ranges::find(own, column) != own.end()) continue;
        const std::string& cell = table.cell(row, column);
        const bool is_parameter = std::ranges::find(parameter_names(), column) != parameter_names().end();
        if (is_parameter && !cell.empty()) parameters.set(column, cell);
        item.outcome.fields.emplace_back(column, cell);
      }
      if (measured_by.starts_with('=')) {
        item.expression = measured_by.substr(1);
        if (speaks_of_later(item.expression)) {
          ++outcome_.left_out;
          continue;
        }
      } else if (!measured_by.empty()) {
        item.wanted = want(parameters, fmt::format("{}:{}", table.path, table.lines[row]));
        item.outcome.command = command_of(parameters, experiment_.name);
      }
      items_.push_back(std::move(item));
    }
  }

  void collect_panels() {
    outcome_.panels.reserve(experiment_.panels.size());
    for (const Panel& panel : experiment_.panels) {
      const bool later = std::ranges::any_of(panel.scans, [&](const Panel::Scan& scan) {
        return std::ranges::any_of(scan.y, [&](const std::string& y) { return speaks_of_later(y); });
      });
      if (!in_set(panel.set) || later) {
        ++outcome_.left_out;
        continue;
      }
      outcome_.panels.push_back({&panel, {}});
      const int number = static_cast<int>(outcome_.panels.size());
      for (auto& task : curve_tasks(panel, number, how_.folder, runs_, outcome_.panels.back())) {
        tasks_.push_back(std::move(task));
      }
    }
  }

  void collect_tests() {
    for (const Claim& claim : experiment_.claims) {
      if (claim.test.empty() || !in_set(claim.set)) continue;
      std::string& outcome = test_outcomes_[claim.id];
      tasks_.emplace_back([this, &claim, &outcome] {
        outcome = outcome_of_test(how_.tests, claim.test, claim.filter, how_.folder);
        if (*how_.stop) throw Interrupted{};
      });
    }
  }

  bool speaks_of_later(const std::string& expression) const {
    const std::vector<std::string> names = names_in_expression(expression);
    return std::ranges::any_of(
        names, [&](const std::string& name) { return std::ranges::find(later_, name) != later_.end(); });
  }

  // Whether an expression has a number of the clock in it, or one of the `timed` numbers.
  bool is_timed(const std::string& expression, const std::vector<std::string>& timed = {}) const {
    const std::vector<std::string> names = names_in_expression(expression);
    return std::ranges::any_of(names, [&](const std::string& name) {
      if (std::ranges::find(timed, name) != timed.end()) return true;
      const auto found = by_variable_.find(name);
      return found != by_variable_.end() && is_timing(wanted_[found->second].parameters);
    });
  }

  void find(Wanted& wanted) {
    try {
      wanted.value = measure(wanted.parameters, runs_);
    } catch (const Error& error) {
      throw Error(error.kind, fmt::format("{}: {}: {}", experiment_.name, wanted.what, error.what()));
    }
  }

  void do_the_work() {
    std::vector<std::function<void()>> timings;
    for (Wanted& wanted : wanted_) {
      auto& list = is_timing(wanted.parameters) ? timings : tasks_;
      list.emplace_back([this, &wanted] { find(wanted); });
    }
    const auto total = static_cast<double>(tasks_.size() + timings.size());
    double done = 0;
    const auto count = [&] {
      done += 1;
      if (how_.progress) how_.progress(done / total);
    };
    do_all(timings, 1, count);
    do_all(tasks_, how_.threads, count);
  }

  void finish_items() {
    for (PlannedItem& item : items_) {
      if (item.wanted || !item.expression.empty()) {
        const double measured = item.wanted ? wanted_[*item.wanted].value : evaluate(item.expression, variables_);
        judge(item.outcome, measured, experiment_, item.comparison);
        if (!item.expression.empty()) item.outcome.command = commands({item.expression});
        const bool timed = item.wanted ? is_timing(wanted_[*item.wanted].parameters) : is_timed(item.expression);
        item.outcome.allowed = timed ? "timed" : words(tolerance_of(experiment_, item.outcome.item));
      } else {
        item.outcome.verdict = item.outcome.allowed = "used";
      }
      outcome_.items.push_back(std::move(item.outcome));
    }
  }

  // The commands behind the variables of some expressions, each once.
  std::string commands(const std::vector<std::string>& expressions) const {
    std::vector<std::string> list;
    for (const std::string& expression : expressions) {
      for (const std::string& name : names_in_expression(expression)) {
        const auto found = command_of_variable_.find(name);
        if (found == command_of_variable_.end() || found->second.empty()) continue;
        if (std::ranges::find(list, found->second) == list.end()) list.push_back(found->second);
      }
    }
    return fmt::format("{}", fmt::join(list, "; "));
  }

  static std::string verdict_of(const Claim& claim, const Variables& known) {
    if (!claim.missing.empty()) return "cannot be decided";
    const Answer holds = decide(claim.holds, known);
    if (holds == Answer::yes) return "holds";
    if (holds == Answer::undecided) return "undecided";
    if (claim.partly.empty()) return "does not hold";
    const Answer partly = decide(claim.partly, known);
    return partly == Answer::yes ? "holds in part" : partly == Answer::undecided ? "undecided" : "does not hold";
  }

  void finish(const Claim& claim) {
    ClaimOutcome done;
    done.id = claim.id;
    done.claim = claim.claim;
    done.place = claim.place;
    done.criterion = claim.criterion;
    done.holds_if = claim.holds;
    done.note = claim.note;
    done.missing = claim.missing;
    if (!claim.test.empty()) {
      if (!in_set(claim.set)) {
        ++outcome_.left_out;
        return;
      }
      done.test = claim.test;
      done.filter = claim.filter;
      done.test_outcome = test_outcomes_.at(claim.id);
      done.verdict = done.test_outcome == "failed" ? "not proved" : claim.verdict;
      done.command = fmt::format("build/release/tests/{} --gtest_filter='{}'", claim.test, claim.filter);
      outcome_.claims.push_back(std::move(done));
      return;
    }
    std::vector<std::string> expressions;
    for (const std::string& condition : {claim.holds, claim.partly})
      if (!condition.empty()) expressions.push_back(condition);
    Variables known = variables_;
    for (const std::string& line : claim.measured) {
      const std::size_t equals = line.find(" = ");
      if (equals == std::string::npos) {
        throw Error(ErrorKind::bad_file,
                    fmt::format("{}: claim '{}': '{}' is not 'name = expression'", experiment_.name, claim.id, line));
      }
      done.measured.push_back({line.substr(0, equals), line.substr(equals + 3)});
      expressions.push_back(done.measured.back().expression);
    }
    const bool later = std::ranges::any_of(expressions, [&](const auto& e) { return speaks_of_later(e); });
    if (later || !in_set(claim.set)) {
      ++outcome_.left_out;
      return;
    }
    std::vector<std::string> timed;
    try {
      for (MeasuredNumber& number : done.measured) {
        known[number.name] = number.value = evaluate(number.expression, known);
        number.allowed = words(tolerance_of(experiment_, claim.id, number.name));
        if (!is_timed(number.expression, timed)) continue;
        number.allowed = "timed";
        timed.push_back(number.name);
      }
      done.verdict = verdict_of(claim, known);
    } catch (const Error& error) {
      throw Error(error.kind, fmt::format("{}: claim '{}': {}", experiment_.name, claim.id, error.what()));
    }
    done.command = commands(expressions);
    done.timed = std::ranges::any_of(expressions, [&](const auto& e) { return is_timed(e, timed); });
    outcome_.claims.push_back(std::move(done));
  }

  const Experiment& experiment_;
  const Conduct& how_;
  Runs runs_;
  std::vector<Wanted> wanted_;
  std::map<std::string, std::size_t> by_variable_;  // index into wanted_
  std::map<std::string, std::string> command_of_variable_;
  std::vector<std::string> later_;  // variables of larger sets
  std::vector<PlannedItem> items_;
  std::vector<std::function<void()>> tasks_;
  std::map<std::string, std::string> test_outcomes_;  // by claim
  Variables variables_;
  Outcome outcome_;
};

}  // namespace

Outcome conduct(const Experiment& experiment, const Conduct& how) { return Conductor(experiment, how).outcome(); }

}  // namespace polhode::experiments
