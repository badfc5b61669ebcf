// Where the numbers of bodies are in an HDF5 file: for who writes and who reads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode::hdf5 {

inline constexpr long long ensemble_layout = 1;

// A dataset with a row for each body.
struct PlacedColumn {
  std::string place;
  std::size_t width = 1;  // numbers of a body
  std::string unit, about;
  std::vector<std::string> components{};  // of states
  std::string frame{};                    // of vectors
  std::string name{};                     // of an event, as it was given
  std::function<const std::vector<double>&(const EnsembleChunk&)> values;
};

std::vector<PlacedColumn> placed_columns(const EnsembleAbout& about);

}  // namespace polhode::hdf5
