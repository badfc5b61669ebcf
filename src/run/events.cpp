#include "polhode/run/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "polhode/model/expression_formulas.hpp"
#include "run/watched.hpp"

namespace polhode {
namespace {

// As the reader counts events: the key under which an event's expression stands.
std::string event_key(std::size_t i, std::string_view key) { return fmt::format("event[{}].{}", i, key); }

// A mistake is reported under the key of the text that it is in.
template <class Parse>
ExpressionProgram parsed(const std::string& key, const Parse& parse) {
  try {
    return parse();
  } catch (const ExpressionError& error) {
    throw SetupError(error.quantity.empty() ? key : "quantities." + error.quantity,
                     ExpressionError(error.line, error.column, {}, error.sentence).what());
  }
}

void check_quantities(const RunRequest& request) {
  if (request.quantities.empty() && request.shown_quantities.empty()) return;
  std::set<std::string_view> taken{"standard"};
  for (const ColumnInfo& group : column_groups()) taken.insert(group.name);
  for (const QuantityData& quantity : request.quantities) {
    const std::string key = "quantities." + quantity.name;
    if (!taken.insert(quantity.name).second)
      throw SetupError(
          key, fmt::format("there is a column or a quantity named '{}' already; give it another name", quantity.name));
    if (quantity.text.empty()) throw SetupError(key, "is empty; give an expression, such as \"acos(Rzz)*180/pi\"");
  }
  const std::vector<std::string> names = names_of(request.quantities);
  for (const std::string& name : request.shown_quantities) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw SetupError("output.columns",
                       fmt::format("no quantity is named '{}'; there are {}", name, fmt::join(names, ", ")));
  }
}

ExpressionNames names_in(const RunRequest& request) {
  ExpressionNames names;
  names.inputs = StateInputs::names();
  for (const QuantityData& quantity : request.quantities) names.quantities[quantity.name] = quantity.text;
  const std::string wrong = objection(names);
  if (!wrong.empty()) throw SetupError("quantities", wrong);
  return names;
}

WatchedEvent watched_event(const EventData& event, std::size_t i, const ExpressionNames& names) {
  if (event.name.empty()) throw SetupError(event_key(i, "name"), "is empty; give the event a name");
  if (event.function) {
    if (!event.when.empty())
      throw SetupError(event_key(i, "when"), "an expression and a function exclude each other; keep one of them");
    return {event.name, {{}, event.function, event.smooth}, event.direction, event.terminal};
  }
  ExpressionProgram program = parsed(event_key(i, "when"), [&] { return parse_expression(event.when, names); });
  const bool smooth = program.is_smooth();
  return {event.name, {std::move(program), {}, smooth}, event.direction, event.terminal};
}

WatchedCondition watched_condition(const std::string& text, const ExpressionNames& names) {
  WatchedCondition made;
  made.condition = parsed("run.stop_when", [&] { return parse_condition(text, names); });
  const ExpressionProgram comparisons = switch_functions(made.condition);
  for (std::size_t i = 0; i < comparisons.outputs.size(); ++i) {
    const ExpressionProgram one = single_output(comparisons, i);
    const bool smooth = one.is_smooth();
    for (const bool negated : {false, true}) made.comparisons.push_back({one, {}, smooth, negated});
  }
  return made;
}

}  // namespace

std::string_view crossing_name(Crossing crossing) {
  switch (crossing) {
    case Crossing::rising: return "rising";
    case Crossing::falling: return "falling";
    case Crossing::both: break;
  }
  return "both";
}

Crossing parse_crossing(std::string_view name) {
  for (const Crossing crossing : {Crossing::both, Crossing::rising, Crossing::falling})
    if (name == crossing_name(crossing)) return crossing;
  throw std::invalid_argument(fmt::format("'{}' is not a direction; give {}", name, crossing_wanted));
}

std::vector<std::string> names_of(const std::vector<QuantityData>& quantities) {
  std::vector<std::string> names;
  for (const QuantityData& quantity : quantities) names.push_back(quantity.name);
  return names;
}

std::shared_ptr<const Watched> parse_watched(const RunRequest& request) {
  check_quantities(request);
  auto watched = std::make_shared<Watched>();
  if (request.quantities.empty() && request.events.empty() && request.run.stop_when.empty()) return watched;
  const ExpressionNames names = names_in(request);
  for (const QuantityData& quantity : request.quantities)
    parsed("quantities." + quantity.name, [&] { return parse_expression(quantity.text, names); });
  if (!request.shown_quantities.empty()) {
    watched->quantities = parsed("quantities", [&] { return parse_expressions(request.shown_quantities, names); });
  }
  for (std::size_t i = 0; i < request.events.size(); ++i)
    watched->events.push_back(watched_event(request.events[i], i, names));
  if (!request.run.stop_when.empty()) watched->stop_when = watched_condition(request.run.stop_when, names);
  return watched;
}

std::shared_ptr<const ExpressionProgram> parse_step_scale(const RunRequest& request) {
  if (request.run.step_scale.empty()) return nullptr;
  const ExpressionNames names = names_in(request);
  return std::make_shared<const ExpressionProgram>(
      parsed("run.step_scale", [&] { return parse_expression(request.run.step_scale, names); }));
}

}  // namespace polhode
