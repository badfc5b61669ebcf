// What is asked of an ensemble: how its bodies differ, and what is wanted of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/distribution.hpp"

namespace polhode {

// Counts of a quantity in bins of equal width.
struct HistogramRequest {
  std::string quantity;
  double low = 0, high = 1;
  int bins = 50;

  friend bool operator==(const HistogramRequest&, const HistogramRequest&) = default;
};

// What a scenario says of an ensemble. The scenario itself is the body that all others differ from.
struct EnsembleSettings {
  std::optional<long long> bodies{};  // or as many as a table has
  unsigned long long seed = 1;        // below 2^63, what a scenario file can hold
  std::vector<DrawnKey> drawn{};
  std::vector<double> snapshots{};  // [s], besides the end
  std::vector<HistogramRequest> histograms{};
  std::vector<double> quantiles{};  // probabilities

  friend bool operator==(const EnsembleSettings&, const EnsembleSettings&) = default;
};

inline constexpr std::string_view bodies_wanted = "a whole number of bodies, at least 1";
inline constexpr std::string_view seed_wanted = "a whole number from 0 to 9223372036854775807";
inline constexpr std::string_view snapshots_wanted = "times in seconds, such as [10, 100]";
inline constexpr std::string_view quantiles_wanted = "probabilities from 0 to 1, such as [0.05, 0.5, 0.95]";
inline constexpr std::string_view histogram_wanted =
    "tables such as { quantity = \"energy\", low = 0, high = 2, bins = 40 }";
inline constexpr int most_bins = 1'000'000;

// Why there cannot be so many bins, in a sentence; empty where there can.
std::string why_no_bins(long long bins);

// Throws SetupError, under "ensemble.KEY", for what the settings alone show to be wrong. check_drawn() says what distributions
// are to a setup.
void check(const EnsembleSettings& settings);

}  // namespace polhode
