#include "ensemble/quantile_search.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "ensemble/quantile_place.hpp"

namespace polhode {
namespace {

constexpr int all_bits = 64;
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Whole numbers in the order of the doubles.
std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
double number_of(std::uint64_t key) { return std::bit_cast<double>((key & sign_bit) != 0 ? key ^ sign_bit : ~key); }

}  // namespace

QuantileSearch::QuantileSearch(std::span<const double> probabilities, int bits_of_a_round)
    : probabilities_(probabilities.begin(), probabilities.end()), bits_(bits_of_a_round), counts_(bins()) {
  assert(all_bits % bits_of_a_round == 0);
}

std::uint64_t QuantileSearch::most_bytes(std::size_t probabilities) {
  return (sizeof(std::uint64_t) << 16) * 2 * probabilities;
}

void QuantileSearch::add(double x) {
  assert(std::isfinite(x) && known_ < all_bits);
  const std::uint64_t key = key_of(x + 0.0);  // -0 is 0
  const std::uint64_t beginning = known_ == 0 ? 0 : key >> (all_bits - known_);
  const auto at = std::lower_bound(beginnings_.begin(), beginnings_.end(), beginning);
  if (at == beginnings_.end() || *at != beginning) return;
  const std::uint64_t next = key >> (all_bits - known_ - bits_) & (bins() - 1);
  ++counts_[static_cast<std::size_t>(at - beginnings_.begin()) * bins() + next];
}

void QuantileSearch::want(std::uint64_t all) {
  all_ = all;
  if (all == 0) return;
  for (const double p : probabilities_) {
    const QuantilePlace place = quantile_place(p, all - 1);
    wanted_.insert(wanted_.end(), {{place.below, 0}, {place.above, 0}});
  }
}

bool QuantileSearch::next_round() {
  if (known_ == 0) want(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
  std::vector<std::uint64_t> longer;
  for (Wanted& one : wanted_) {
    const std::uint64_t* counts = counts_.data() + one.beginning * bins();
    std::uint64_t next = 0;
    for (; one.rank >= counts[next]; ++next) one.rank -= counts[next];
    longer.push_back(beginnings_[one.beginning] << bits_ | next);
  }
  beginnings_ = longer;
  std::sort(beginnings_.begin(), beginnings_.end());
  beginnings_.erase(std::unique(beginnings_.begin(), beginnings_.end()), beginnings_.end());
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    wanted_[i].beginning = static_cast<std::size_t>(
        std::lower_bound(beginnings_.begin(), beginnings_.end(), longer[i]) - beginnings_.begin());
  known_ += bits_;
  const bool more = known_ < all_bits;
  counts_.assign(more ? bins() * beginnings_.size() : 0, 0);
  counts_.shrink_to_fit();
  return more;
}

std::vector<double> QuantileSearch::quantiles() const {
  assert(known_ == all_bits);
  if (all_ == 0) return std::vector(probabilities_.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> all;
  for (std::size_t i = 0; i < probabilities_.size(); ++i) {
    const auto value = [&](std::size_t k) { return number_of(beginnings_[wanted_[2 * i + k].beginning]); };
    all.push_back(quantile_place(probabilities_[i], all_ - 1).between(value(0), value(1)));
  }
  return all;
}

}  // namespace polhode
