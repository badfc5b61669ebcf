#include "io/drawn_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/core/names.hpp"
#include "polhode/run/columns.hpp"

namespace polhode {
namespace {

using ColumnNames = std::vector<std::string>;

// "inertia", "angular_velocity_body", "torque.field", and of several torques "torque_1.field": a bracket begins a unit.
std::string column_name_of(const DrawableKey& key, const Setup& setup) {
  std::string name = name_in_ensemble(key.name);
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return name;
  const std::size_t end = name.find(']'),
                    count = name.starts_with("torque") ? setup.torques.size() : setup.wheels.size();
  const std::string place = count == 1 ? "" : "_" + name.substr(bracket + 1, end - bracket - 1);
  return name.replace(bracket, end + 1 - bracket, place);
}

ColumnNames components_named(const DrawableKey& key, const std::string& name, std::size_t size) {
  constexpr std::string_view axes = "xyz", scalar_first = "wxyz", scalar_last = "xyzw";
  if (size == 1) return {name};
  ColumnNames names;
  if (size == 9) {
    // Of a tensor, what is above the diagonal stands for what is below.
    const bool symmetric = key.name == inertia_key;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        names.push_back(symmetric && j < i ? fmt::format("{}.{}{}", name, axes[j], axes[i])
                                           : fmt::format("{}.{}{}", name, axes[i], axes[j]));
    return names;
  }
  for (const char axis : size == 3 ? axes : key.name == "start.attitude_xyzw" ? scalar_last : scalar_first)
    names.push_back(fmt::format("{}.{}", name, axis));
  return names;
}

// Those that results have, and those that are named after the key.
std::vector<ColumnNames> default_columns(const DrawableKey& key, const Setup& setup) {
  const std::string name = column_name_of(key, setup);
  std::vector<ColumnNames> choices;
  for (const ColumnInfo& group : column_groups()) {
    if (group.name != name) continue;
    choices.emplace_back();
    for (const std::string_view header : group.headers) choices.back().push_back(column_named(header).name);
  }
  for (const std::size_t size : key.sizes) choices.push_back(components_named(key, name, size));
  return choices;
}

std::string listed(const ColumnNames& names) {
  constexpr std::size_t most = 12;
  const std::size_t count = std::min(names.size(), most);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  return names.size() > count ? fmt::format("{} and {} more", text, names.size() - count) : text;
}

ColumnNames without_repeats(const ColumnNames& names) {
  ColumnNames once;
  for (const std::string& name : names)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  return once;
}

class ColumnFinder {
 public:
  ColumnFinder(const ColumnFile& table, const std::string& file, const DrawableKey& key)
      : table_(table), file_(file), key_(key) {}

  bool has(const std::string& name) const { return count(name) > 0; }

  // A column, or all components of what is in several.
  ColumnNames meant_by(const std::string& name) const {
    ColumnNames components;
    for (const NamedColumn& column : table_.columns())
      if (column.of == name) components.push_back(column.name);
    return has(name) || components.empty() ? ColumnNames{name} : components;
  }

  std::size_t find(const std::string& name) const {
    if (count(name) > 1)
      fail(fmt::format("'{}' has {} columns {}; name one of them differently", file_, count(name), name));
    const auto& columns = table_.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.name == name; });
    const std::string& unit = found->unit;
    if (!unit.empty() && unit != "1" && unit != key_.unit)
      fail(fmt::format("column {} of '{}' is in '{}'; {}", name, file_, unit,
                       key_.unit == "1" ? "give numbers without a unit" : fmt::format("give it in {}", key_.unit)));
    return static_cast<std::size_t>(found - columns.begin());
  }

  [[noreturn]] void refuse_missing(const ColumnNames& missing, std::string_view or_else) const {
    ColumnNames there;
    for (const NamedColumn& column : table_.columns()) there.push_back(column.name);
    const std::string nearest = missing.size() == 1 ? nearest_name(missing[0], there) : "";
    fail(fmt::format("'{}' has no column{} {}{}; it has {}{}", file_, missing.size() == 1 ? "" : "s", listed(missing),
                     or_else, listed(there), nearest.empty() ? "" : "; nearest: " + nearest));
  }
  [[noreturn]] void fail(const std::string& sentence) const { throw SetupError(ensemble_key(key_.name), sentence); }

 private:
  std::ptrdiff_t count(const std::string& name) const {
    const auto& columns = table_.columns();
    return std::count_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
  }

  const ColumnFile& table_;
  const std::string& file_;
  const DrawableKey& key_;
};

// The first choice of which there is a column; none where there is none.
const ColumnNames* first_there(const ColumnFinder& finder, const std::vector<ColumnNames>& choices) {
  const auto is_there = [&](const std::string& name) { return finder.has(name); };
  for (const ColumnNames& choice : choices)
    if (std::any_of(choice.begin(), choice.end(), is_there)) return &choice;
  return nullptr;
}

ColumnNames chosen_columns(const ColumnFinder& finder, const std::vector<ColumnNames>& choices) {
  if (const ColumnNames* chosen = first_there(finder, choices)) return *chosen;
  std::string or_else;
  for (std::size_t i = 1; i < choices.size(); ++i)
    or_else += fmt::format(", nor {}", listed(without_repeats(choices[i])));
  finder.refuse_missing(without_repeats(choices.front()), or_else + ", and columns = [...] names no others");
}

ColumnNames asked_columns(const ColumnFinder& finder, const ColumnNames& given, std::vector<ColumnNames> choices) {
  // The name of a group stands for those that the key has by default there.
  if (given.size() == 1 && !finder.has(given[0])) {
    for (ColumnNames& choice : choices)
      for (std::string& name : choice) name = fmt::format("{}/{}", given[0], name);
    if (const ColumnNames* chosen = first_there(finder, choices)) return *chosen;
  }
  ColumnNames names;
  for (const std::string& one : given) {
    const ColumnNames meant = finder.meant_by(column_named(one).name);
    names.insert(names.end(), meant.begin(), meant.end());
  }
  return names;
}

}  // namespace

Distribution drawn_from(const ColumnFile& table, const std::string& file, std::vector<std::string> columns,
                        const Setup& setup, const DrawableKey& key) {
  const ColumnFinder finder(table, file, key);
  std::vector<ColumnNames> choices = default_columns(key, setup);
  const ColumnNames names =
      columns.empty() ? chosen_columns(finder, choices) : asked_columns(finder, columns, std::move(choices));
  ColumnNames missing;
  for (const std::string& name : without_repeats(names))
    if (!finder.has(name)) missing.push_back(name);
  if (!missing.empty()) finder.refuse_missing(missing, "");
  if (std::find(key.sizes.begin(), key.sizes.end(), names.size()) == key.sizes.end())
    finder.fail(fmt::format("{} columns are named; name one for each of {}", names.size(), key.wanted));
  std::vector<std::size_t> places;
  for (const std::string& name : names) places.push_back(finder.find(name));
  Distribution made{.kind = Distribution::Kind::table};
  made.rows = std::make_shared<const std::vector<double>>(table.rows(places));
  made.width = names.size();
  made.file = file;
  made.columns = std::move(columns);
  return made;
}

}  // namespace polhode
