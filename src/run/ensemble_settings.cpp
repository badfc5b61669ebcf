#include "polhode/run/ensemble_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "model/drawable_keys.hpp"

namespace polhode {
namespace {

// Tables must be as long as each other, and long enough.
void check_table_lengths(const EnsembleSettings& settings) {
  const DrawnKey* first = nullptr;
  const auto source = [](const DrawnKey& one) {
    return one.distribution.file.empty() ? "the table" : "'" + one.distribution.file + "'";
  };
  const auto counted = [](std::size_t rows) { return fmt::format("{} row{}", rows, rows == 1 ? "" : "s"); };
  for (const DrawnKey& one : settings.drawn) {
    if (one.distribution.kind != Distribution::Kind::table) continue;
    const std::size_t rows = one.distribution.row_count();
    if (first != nullptr && first->distribution.row_count() != rows)
      throw SetupError(
          ensemble_key(one.key),
          fmt::format("{} has {}, and {} of {} has {}; row i of every table is of body i: give as many of each",
                      source(one), counted(rows), source(*first), name_in_ensemble(first->key),
                      first->distribution.row_count()));
    if (first == nullptr) first = &one;
    if (settings.bodies && static_cast<unsigned long long>(*settings.bodies) > rows)
      throw SetupError("ensemble.bodies",
                       fmt::format("{} bodies are more than the {} of {}; ask for as many, or leave the key out",
                                   *settings.bodies, counted(rows), source(one)),
                       {ensemble_key(one.key)});
  }
}

void check_histogram(const std::string& key, const HistogramRequest& histogram) {
  const auto fail = [&](const char* of, const std::string& sentence) { throw SetupError(key + of, sentence); };
  if (histogram.quantity.empty()) fail(".quantity", "is empty; give the name of a quantity, such as energy");
  for (const double edge : {histogram.low, histogram.high})
    if (!std::isfinite(edge)) fail(".low", fmt::format("{} is not finite; give two numbers, low below high", edge));
  if (!(histogram.low < histogram.high) || !std::isfinite(histogram.high - histogram.low))
    fail(".low", fmt::format("{} and high = {} leave no range between them; give two numbers, low below high",
                             shortest(histogram.low), shortest(histogram.high)));
  if (const std::string why = why_no_bins(histogram.bins); !why.empty()) fail(".bins", why);
}

}  // namespace

std::string why_no_bins(long long bins) {
  if (bins >= 1 && bins <= most_bins) return "";
  return fmt::format("{} is not between 1 and {}; give a number of bins such as 50", bins, most_bins);
}

void check(const EnsembleSettings& settings) {
  if (settings.bodies && *settings.bodies < 1)
    throw SetupError("ensemble.bodies", fmt::format("{} is below 1; give {}", *settings.bodies, bodies_wanted));
  if (settings.seed >> 63 != 0)
    throw SetupError("ensemble.seed", fmt::format("{} is too large; give {}", settings.seed, seed_wanted));
  for (const double t : settings.snapshots)
    if (!std::isfinite(t))
      throw SetupError("ensemble.snapshots", fmt::format("{} is not finite; give {}", t, snapshots_wanted));
  for (const double p : settings.quantiles)
    if (!(p >= 0 && p <= 1))
      throw SetupError("ensemble.quantiles",
                       fmt::format("{} is not from 0 to 1; give {}", shortest(p), quantiles_wanted));
  for (std::size_t i = 0; i < settings.histograms.size(); ++i)
    check_histogram(fmt::format("ensemble.histogram[{}]", i), settings.histograms[i]);
  check_table_lengths(settings);
}

}  // namespace polhode
