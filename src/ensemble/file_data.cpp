#include "ensemble/file_data.hpp"

#include <fmt/format.h>

#include <cassert>

#include "core/number_text.hpp"
#include "polhode/run/columns.hpp"

namespace polhode {

std::vector<FileEntry> ensemble_entries(const EnsembleAbout& about) {
  const auto count = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
  return {{"version", about.version},
          {"title", about.title},
          {"method", about.method},
          {"step", about.step},
          {"steps", about.steps},
          {"begin", about.begin},
          {"end", about.end},
          {"bodies", count(about.bodies)},
          {"first", count(about.first)},
          {"last", count(about.last)},
          {"seed", about.seed},
          {"data", about.data},
          {"energy_conserved", about.energy_conserved ? "yes" : "no"}};
}

std::string entry_text(const FileEntry& entry) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) return shortest(value);
        return fmt::format("{}", value);
      },
      entry.value);
}

const std::vector<StateColumns>& state_columns() {
  static const std::vector<StateColumns> columns = [] {
    constexpr std::vector<double> BodyStates::*members[] = {&BodyStates::attitude_wxyz,
                                                            &BodyStates::angular_velocity_body,
                                                            &BodyStates::angular_momentum_spatial, &BodyStates::energy};
    Provenance about;
    about.columns = standard_columns();
    const std::vector<RowGroup> groups = row_groups(about);  // the first is the time
    assert(groups.size() == std::size(members) + 1);
    std::vector<StateColumns> list;
    for (std::size_t i = 0; i < std::size(members); ++i) list.push_back({groups[i + 1], members[i]});
    return list;
  }();
  return columns;
}

std::vector<StatesAt> states_of(const EnsembleAbout& about) {
  std::vector<StatesAt> all;
  all.push_back({"start", about.begin, [](const EnsembleChunk& chunk) -> const BodyStates& { return chunk.start; }});
  for (std::size_t k = 0; k < about.snapshots.size(); ++k)
    all.push_back({"snapshots/" + std::to_string(k), about.snapshots[k],
                   [k](const EnsembleChunk& chunk) -> const BodyStates& { return chunk.snapshots[k]; }});
  all.push_back({"end", std::nullopt, [](const EnsembleChunk& chunk) -> const BodyStates& { return chunk.end; }});
  return all;
}

std::vector<BodyColumn> body_columns(const EnsembleAbout& about) {
  using Values = const std::vector<double>&;
  std::vector<BodyColumn> all;
  all.push_back({"", "energy_error", "1", "change of the energy over its size at the start, or in J where that is zero",
                 [](const EnsembleChunk& chunk) -> Values { return chunk.energy_error; }});
  all.push_back(
      {"", "momentum_error", "1",
       "size of the change of the spatial angular momentum over its size at the start, or in kg m^2/s where that "
       "is zero",
       [](const EnsembleChunk& chunk) -> Values { return chunk.momentum_error; }});
  if (about.has_attitude_error)
    all.push_back({"", "attitude_error", "rad", "angle to the closed form at the end",
                   [](const EnsembleChunk& chunk) -> Values { return chunk.attitude_error; }});
  for (std::size_t k = 0; k < about.passages.size(); ++k)
    all.push_back({"passages", about.passages[k], "s", "time of the first such event, NaN where there was none",
                   [k](const EnsembleChunk& chunk) -> Values { return chunk.passages[k]; }});
  for (std::size_t k = 0; k < about.quantities.size(); ++k)
    all.push_back({"quantities", about.quantities[k], "1",
                   "a quantity of the scenario at the end, in the units of its expression",
                   [k](const EnsembleChunk& chunk) -> Values { return chunk.quantities[k]; }});
  return all;
}

}  // namespace polhode
