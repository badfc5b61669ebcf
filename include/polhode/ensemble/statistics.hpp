// Statistics of many bodies that do not depend on their order: the same bits for any number of threads and machines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "polhode/run/ensemble_settings.hpp"

namespace polhode {

// The sum of doubles, and of their squares, without rounding: whole numbers that hold every bit a double can have. What
// is added is finite.
class ExactSum {
 public:
  void add(double x);
  void add_square(double x);
  void add(const ExactSum& other);
  // Rounded once, to nearest, ties to even: infinite where that is beyond the largest double.
  double value() const { return mean(1); }
  double mean(std::uint64_t count) const;  // the sum/count
  // Whole numbers below 2^32 that may be added up place by place with those of up to 2^32 other sums.
  static constexpr std::size_t places = 136;
  std::array<std::uint64_t, places> to_places() const;
  static ExactSum from_places(std::span<const std::uint64_t, places> sums);
  // Of a sample: the root of (squares - sum^2/count)/(count - 1), of at least two values.
  friend double deviation_of(const ExactSum& sum, const ExactSum& squares, std::uint64_t count);

 private:
  // Two's complement, the least bit 2^-2176: room for squares of denormals, and for 2^64 squares of the largest double.
  static constexpr std::size_t words = places / 2;
  std::array<std::uint64_t, words> bits_{};
};

// Count, least, largest, mean and standard deviation, and a histogram where one is asked for. 0 and -0 are both 0.
class Tally {
 public:
  Tally() = default;
  // Bounds that are finite, the lower one first, and at least one bin.
  explicit Tally(const HistogramRequest& histogram);

  void add(double x);            // what is not finite is counted apart
  void add(const Tally& other);  // of the same histogram
  // For tallies of several processes: counts and sums as whole numbers to be added up place by place. The least and the
  // largest value are apart from these.
  std::vector<std::uint64_t> to_places() const;
  void set_sums(std::span<const std::uint64_t> sums, double least, double largest);

  std::uint64_t count() const { return count_; }  // of what is finite
  std::uint64_t not_finite() const { return not_finite_; }
  double least() const { return least_; }  // NaN of none, as are the following
  double largest() const { return largest_; }
  double mean() const;
  double deviation() const;  // of the sample: of n values divided by n - 1, and NaN of one
  const std::optional<HistogramRequest>& histogram() const { return histogram_; }
  // Bin i has what is at least edge i and less than edge i + 1; the last one has `high` too.
  std::span<const std::uint64_t> bins() const { return bins_; }
  // One more than bins: low + i (high - low)/bins, rounded once.
  std::span<const double> edges() const { return edges_; }
  std::uint64_t below() const { return below_; }
  std::uint64_t above() const { return above_; }

 private:
  std::uint64_t count_ = 0, not_finite_ = 0, below_ = 0, above_ = 0;
  double least_ = std::numeric_limits<double>::quiet_NaN(), largest_ = least_;
  ExactSum sum_, squares_;
  std::optional<HistogramRequest> histogram_;
  std::vector<std::uint64_t> bins_;
  std::vector<double> edges_;
};

// Exact quantiles by order statistics, with linear interpolation between neighbours (Hyndman and Fan's type 7, numpy's
// default). The values are finite, and are put into another order; the probabilities are from 0 to 1, in any order. NaN
// of none.
std::vector<double> quantiles_of(std::span<double> values, std::span<const double> probabilities);

}  // namespace polhode
