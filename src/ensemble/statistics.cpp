#include "polhode/ensemble/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "ensemble/quantile_place.hpp"

namespace polhode {
namespace {

std::vector<double> edges_of(const HistogramRequest& histogram) {
  ExactSum weighted;  // (bins - i) low + i high
  for (int i = 0; i < histogram.bins; ++i) weighted.add(histogram.low);
  std::vector<double> edges;
  for (int i = 0; i <= histogram.bins; ++i) {
    edges.push_back(weighted.mean(static_cast<std::uint64_t>(histogram.bins)));
    weighted.add(histogram.high);
    weighted.add(-histogram.low);
  }
  return edges;
}

// Brings the values of these ranks to their places. Values that are before them come before rank `first`.
void put_in_place(std::span<double> values, std::size_t first, std::span<const std::size_t> ranks) {
  if (ranks.empty()) return;
  const std::size_t middle = ranks.size() / 2, place = ranks[middle] - first;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  put_in_place(values.first(place), first, ranks.first(middle));
  put_in_place(values.subspan(place + 1), first + place + 1, ranks.subspan(middle + 1));
}

}  // namespace

Tally::Tally(const HistogramRequest& histogram) : histogram_(histogram) {
  assert(std::isfinite(histogram.low) && std::isfinite(histogram.high) && histogram.low < histogram.high);
  assert(histogram.bins > 0);
  bins_.resize(static_cast<std::size_t>(histogram.bins));
  edges_ = edges_of(histogram);
}

void Tally::add(double x) {
  if (!std::isfinite(x)) {
    ++not_finite_;
    return;
  }
  x += 0.0;  // -0 becomes 0, or the order would choose the sign of the least
  ++count_;
  least_ = std::fmin(least_, x);
  largest_ = std::fmax(largest_, x);
  sum_.add(x);
  squares_.add_square(x);
  if (!histogram_) return;
  if (x < edges_.front()) {
    ++below_;
  } else if (x > edges_.back()) {
    ++above_;
  } else {
    const auto beyond = std::upper_bound(edges_.begin(), edges_.end() - 1, x);
    ++bins_[static_cast<std::size_t>(beyond - edges_.begin() - 1)];
  }
}

void Tally::add(const Tally& other) {
  assert(histogram_ == other.histogram_);
  count_ += other.count_;
  not_finite_ += other.not_finite_;
  below_ += other.below_;
  above_ += other.above_;
  least_ = std::fmin(least_, other.least_);
  largest_ = std::fmax(largest_, other.largest_);
  sum_.add(other.sum_);
  squares_.add(other.squares_);
  std::transform(bins_.begin(), bins_.end(), other.bins_.begin(), bins_.begin(), std::plus<>());
}

std::vector<std::uint64_t> Tally::to_places() const {
  std::vector<std::uint64_t> all{count_, not_finite_, below_, above_};
  for (const ExactSum& sum : {sum_, squares_}) {
    const auto places = sum.to_places();
    all.insert(all.end(), places.begin(), places.end());
  }
  all.insert(all.end(), bins_.begin(), bins_.end());
  return all;
}

void Tally::set_sums(std::span<const std::uint64_t> sums, double least, double largest) {
  constexpr std::size_t counts = 4;
  assert(sums.size() == counts + 2 * ExactSum::places + bins_.size());
  count_ = sums[0];
  not_finite_ = sums[1];
  below_ = sums[2];
  above_ = sums[3];
  sum_ = ExactSum::from_places(sums.subspan<counts, ExactSum::places>());
  squares_ = ExactSum::from_places(sums.subspan<counts + ExactSum::places, ExactSum::places>());
  std::copy(sums.end() - static_cast<std::ptrdiff_t>(bins_.size()), sums.end(), bins_.begin());
  least_ = count_ > 0 ? least : std::numeric_limits<double>::quiet_NaN();
  largest_ = count_ > 0 ? largest : std::numeric_limits<double>::quiet_NaN();
}

double Tally::mean() const { return count_ > 0 ? sum_.mean(count_) : std::numeric_limits<double>::quiet_NaN(); }

double Tally::deviation() const {
  return count_ > 1 ? deviation_of(sum_, squares_, count_) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> quantiles_of(std::span<double> values, std::span<const double> probabilities) {
  if (values.empty()) return std::vector(probabilities.size(), std::numeric_limits<double>::quiet_NaN());
  assert(std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }));
  const std::size_t last = values.size() - 1;
  std::vector<std::size_t> ranks;
  for (const double p : probabilities) {
    assert(p >= 0 && p <= 1);
    const QuantilePlace place = quantile_place(p, last);
    ranks.insert(ranks.end(), {place.below, place.above});
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  put_in_place(values, 0, ranks);

  std::vector<double> quantiles;
  for (const double p : probabilities) {
    const QuantilePlace place = quantile_place(p, last);
    quantiles.push_back(place.between(values[place.below], values[place.above]));
  }
  return quantiles;
}

}  // namespace polhode
