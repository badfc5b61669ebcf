// What is known of bodies that were followed, or read: the same whatever their order.
#pragma once

#include <cmath>
#include <vector>

#include "ensemble/quantities.hpp"
#include "polhode/ensemble/result.hpp"

namespace polhode {

// Of each body of a chunk, whether it failed: it has no part in statistics.
std::vector<bool> which_failed(const EnsembleChunk& chunk);

// The numbers that quantiles are of.
template <class Take>
void each_value(const EnsembleQuantity& quantity, const EnsembleChunk& chunk, const std::vector<bool>& failed,
                const Take& take) {
  for (std::size_t i = 0; i < chunk.count; ++i) {
    if (failed[i]) continue;
    const double x = quantity.of(chunk, i);
    if (std::isfinite(x)) take(x);
  }
}

class Summary {
 public:
  // `keep_values`: where quantiles are wanted, all values are in memory until the end.
  Summary(const EnsembleAbout& about, const EnsembleSettings& settings, bool keep_values = true);

  const std::vector<EnsembleQuantity>& quantities() const { return quantities_; }
  // Of a chunk: by any thread, without a lock.
  std::vector<Tally> of(const EnsembleChunk& chunk) const;
  void add(const EnsembleChunk& chunk, const std::vector<Tally>& tallies);

  std::uint64_t followed() const { return followed_; }
  std::uint64_t failed() const { return failed_; }
  // Its own values go with it.
  void tell(EnsembleResult& result);

 private:
  std::vector<EnsembleQuantity> quantities_;
  std::vector<double> probabilities_;
  std::vector<Tally> tallies_, empty_;
  std::vector<std::vector<double>> values_;  // of all bodies, where they are kept
  std::uint64_t followed_ = 0, failed_ = 0;
  std::vector<BodyFailure> failures_;
};

// The first hundred are kept.
void keep_first_failures(std::vector<BodyFailure>& failures);

}  // namespace polhode
