// What files of ensembles hold, whatever their format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/provenance.hpp"
#include "polhode/ensemble/result.hpp"

namespace polhode {

struct FileEntry {
  std::string key;
  std::variant<std::string, double, long long, unsigned long long> value;
};

// What the ensemble is, but for its scenario: nothing that depends on the machine.
std::vector<FileEntry> ensemble_entries(const EnsembleAbout& about);
std::string entry_text(const FileEntry& entry);

// A group of columns of a state, as results of runs have it.
struct StateColumns {
  RowGroup group;
  std::vector<double> BodyStates::*values;
};
const std::vector<StateColumns>& state_columns();

struct StatesAt {
  std::string place;           // "start", "snapshots/0", ..., "end"
  std::optional<double> time;  // [s]; none: each body has its own
  std::function<const BodyStates&(const EnsembleChunk&)> of;
};
// As they follow each other.
std::vector<StatesAt> states_of(const EnsembleAbout& about);

// A number that each body has once.
struct BodyColumn {
  std::string group;  // "passages", "quantities" or empty
  std::string name, unit, about;
  std::function<const std::vector<double>&(const EnsembleChunk&)> values;
};
std::vector<BodyColumn> body_columns(const EnsembleAbout& about);

}  // namespace polhode
