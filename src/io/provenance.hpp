// Where a result came from and what its columns are, for every format of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/run/result.hpp"

namespace polhode {

struct ProvenanceEntry {
  std::string key, text;
  std::optional<double> number;  // where the text is one, without its unit
};

// All but the scenario, in their order; what does not apply is left out.
std::vector<ProvenanceEntry> provenance_entries(const Provenance& about);

// A group of columns: one dataset, or one key of an object.
struct RowGroup {
  std::string name;  // as --columns has it, "t" for the time, or that of a quantity
  std::vector<std::string> components;
  std::string unit;   // "1" for numbers without
  std::string frame;  // "body" or "spatial", the axes of the components; empty where they are not a vector's
  std::string about;
  std::size_t first;  // of its cells in a row
};

std::vector<RowGroup> row_groups(const Provenance& about);

}  // namespace polhode
