#include "ensemble/hdf5/layout.hpp"

#include <algorithm>
#include <set>

#include "ensemble/file_data.hpp"

namespace polhode::hdf5 {
namespace {

// Names of events can be any text; a slash would lead into a group, and a point be the group itself.
std::string link_name(std::string name, std::set<std::string>& taken) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  if (name == ".") name = "_";
  std::string free = name;
  for (int again = 2; !taken.insert(free).second; ++again) free = name + '_' + std::to_string(again);
  return free;
}

PlacedColumn placed(const StatesAt& at, const StateColumns& column) {
  const RowGroup& row = column.group;
  return {.place = at.place + '/' + row.name,
          .width = row.components.size(),
          .unit = row.unit,
          .about = row.about,
          .components = row.components,
          .frame = row.frame,
          .values = [of = at.of, values = column.values](const EnsembleChunk& chunk) -> const std::vector<double>& {
            return of(chunk).*values;
          }};
}

}  // namespace

std::vector<PlacedColumn> placed_columns(const EnsembleAbout& about) {
  std::vector<PlacedColumn> all;
  for (const StatesAt& at : states_of(about)) {
    if (!at.time)
      all.push_back(
          {.place = at.place + "/time",
           .unit = "s",
           .about = "of the last state",
           .values = [](const EnsembleChunk& chunk) -> const std::vector<double>& { return chunk.end_time; }});
    for (const StateColumns& column : state_columns()) all.push_back(placed(at, column));
  }
  std::set<std::string> taken;
  for (const BodyColumn& column : body_columns(about)) {
    const bool passage = column.group == "passages";
    const std::string link = passage ? link_name(column.name, taken) : column.name;
    all.push_back({.place = column.group.empty() ? link : column.group + '/' + link,
                   .unit = column.unit,
                   .about = column.about,
                   .name = passage ? column.name : "",
                   .values = column.values});
  }
  return all;
}

}  // namespace polhode::hdf5
