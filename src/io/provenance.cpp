#include "io/provenance.hpp"

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace polhode {
namespace {

ProvenanceEntry angle_entry(std::string key, double value, const char* format) {
  return {std::move(key), fmt::format(fmt::runtime(format), value), value};
}

// "wx_B[rad/s]" is the component wx_B in rad/s, in body axes.
RowGroup row_group(std::string_view name, const std::vector<std::string_view>& headers, std::string_view about,
                   std::size_t first) {
  RowGroup group{std::string(name), {}, "1", "", std::string(about), first};
  for (const std::string_view header : headers) {
    const std::size_t bracket = header.find('[');
    group.components.emplace_back(header.substr(0, bracket));
    if (bracket != std::string_view::npos) group.unit = header.substr(bracket + 1, header.size() - bracket - 2);
  }
  if (group.components.front().ends_with("_B")) group.frame = "body";
  if (group.components.front().ends_with("_S")) group.frame = "spatial";
  return group;
}

}  // namespace

std::vector<ProvenanceEntry> provenance_entries(const Provenance& about) {
  std::vector<ProvenanceEntry> all{{"program", "polhode " + about.version, {}},
                                   {"method", about.method, {}},
                                   {"problem", about.problem, {}},
                                   {"scalar", std::string(scalar_name(about.scalar)), {}}};
  if (about.step) all.push_back({"step", shortest(*about.step), *about.step});
  all.push_back({"step_file", about.step_file, {}});
  all.push_back({"step_scale", about.step_scale, {}});
  all.push_back({"energy_terms", std::string(energy_terms(about)), {}});
  all.push_back({"energy_conserved", about.energy_conserved ? "yes" : "no", {}});
  if (about.tolerance) all.push_back(angle_entry("tolerance", *about.tolerance, "{} rad"));
  if (about.selection) {
    all.push_back({"requested", std::string(automatic_method), {}});
    all.push_back(angle_entry("tolerance", about.selection->tolerance, "{} rad"));
    all.push_back({"goal", std::string(goal_name(about.selection->goal)), {}});
    all.push_back(angle_entry("predicted_error", about.selection->predicted_error, "{:.2e} rad"));
  }
  std::erase_if(all, [](const ProvenanceEntry& entry) { return entry.text.empty(); });
  return all;
}

std::vector<RowGroup> row_groups(const Provenance& about) {
  std::vector<RowGroup> groups{row_group("t", {"t[s]"}, "time", 0)};
  const auto next = [&] { return groups.back().first + groups.back().components.size(); };
  for (const Column one : about.columns) {
    const ColumnInfo& info = column_groups()[one.place];
    groups.push_back(row_group(info.name, info.headers, info.about, next()));
  }
  for (const std::string& name : about.quantities)
    groups.push_back({name, {name}, "1", "", "a quantity of the scenario, in the units of its expression", next()});
  for (const DerivedColumns& derived : about.derived) {
    const std::vector<std::string_view> headers(derived.headers.begin(), derived.headers.end());
    groups.push_back(row_group(derived.name, headers, derived.about, next()));
    groups.back().frame = derived.frame;
  }
  return groups;
}

}  // namespace polhode
