#include "ensemble/summary.hpp"

#include <algorithm>

namespace polhode {
namespace {

constexpr std::size_t failures_listed = 100;

}  // namespace

void keep_first_failures(std::vector<BodyFailure>& failures) {
  std::sort(failures.begin(), failures.end(),
            [](const BodyFailure& a, const BodyFailure& b) { return a.body < b.body; });
  if (failures.size() > failures_listed) failures.resize(failures_listed);
}

std::vector<bool> which_failed(const EnsembleChunk& chunk) {
  std::vector<bool> failed(chunk.count);
  for (const BodyFailure& failure : chunk.failures) failed[failure.body - chunk.first] = true;
  return failed;
}

Summary::Summary(const EnsembleAbout& about, const EnsembleSettings& settings, bool keep_values)
    : quantities_(ensemble_quantities(about)), probabilities_(settings.quantiles) {
  for (const EnsembleQuantity& quantity : quantities_) {
    const auto wanted = std::find_if(settings.histograms.begin(), settings.histograms.end(),
                                     [&](const HistogramRequest& one) { return one.quantity == quantity.name; });
    tallies_.push_back(wanted == settings.histograms.end() ? Tally() : Tally(*wanted));
  }
  if (keep_values && !probabilities_.empty()) values_.resize(quantities_.size());
  empty_ = tallies_;
}

std::vector<Tally> Summary::of(const EnsembleChunk& chunk) const {
  const std::vector<bool> failed = which_failed(chunk);
  std::vector<Tally> tallies = empty_;
  for (std::size_t k = 0; k < quantities_.size(); ++k)
    for (std::size_t i = 0; i < chunk.count; ++i)
      if (!failed[i]) tallies[k].add(quantities_[k].of(chunk, i));
  return tallies;
}

void Summary::add(const EnsembleChunk& chunk, const std::vector<Tally>& tallies) {
  for (std::size_t k = 0; k < tallies.size(); ++k) tallies_[k].add(tallies[k]);
  if (!values_.empty()) {
    const std::vector<bool> failed = which_failed(chunk);
    for (std::size_t k = 0; k < values_.size(); ++k)
      each_value(quantities_[k], chunk, failed, [&](double x) { values_[k].push_back(x); });
  }
  followed_ += chunk.count;
  failed_ += chunk.failures.size();
  failures_.insert(failures_.end(), chunk.failures.begin(), chunk.failures.end());
  keep_first_failures(failures_);
}

void Summary::tell(EnsembleResult& result) {
  result.followed = followed_;
  result.failed = failed_;
  result.failures = failures_;
  for (std::size_t k = 0; k < quantities_.size(); ++k)
    result.statistics.push_back({quantities_[k].name, quantities_[k].time, tallies_[k]});
  for (std::size_t k = 0; k < values_.size(); ++k)
    result.quantiles.push_back({quantities_[k].name, quantities_[k].time, probabilities_,
                                quantiles_of(values_[k], probabilities_), std::move(values_[k])});
}

}  // namespace polhode
