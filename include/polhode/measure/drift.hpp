// Whether a quantity that should stay does: the slope of a straight line through a series, with an uncertainty that
// holds for the errors that integrators make, which oscillate and remember.
//
// The series is kept as the means of blocks of equal length, one value each at first; when 64 of them are full they are
// merged in pairs. The line is fitted to these means by least squares. The standard error of its slope, from m means,
// is that of independent residuals times sqrt((1 + a)/(1 - a)), a the correlation of neighbouring residuals. What the m
// residuals of a line show of a is too small by (2 + 4 a)/m, which is put back. From a = 0.6 on they cannot be told
// from a random walk; a = 1 - 1/m is taken then, which gives the slope of a walk its spread.
//
// A fast oscillation may hide a slow one from this. So the blocks are merged in pairs down to eight, and the largest of
// the standard errors is taken.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "polhode/measure/extremes.hpp"

namespace polhode {

struct Drift {
  double rate;         // change of the value per unit of time
  double uncertainty;  // standard error of the rate
};

class DriftFit {
 public:
  void add(double time, double value) {
    if (used_ == 0 || blocks_[used_ - 1].count == block_size_) {
      if (used_ == most_blocks) {
        used_ = merge_pairs(blocks_, used_);
        block_size_ *= 2;
      }
      blocks_[used_++] = {};
    }
    Block& block = blocks_[used_ - 1];
    block.count += 1;
    block.time += (time - block.time) / block.count;
    block.value += (value - block.value) / block.count;
    // std::max would drop a NaN.
    if (!(std::abs(value) <= largest_)) largest_ = std::isfinite(value) ? std::abs(value) : infinity;
  }

  // The largest |value|, infinite if one was not finite.
  double largest() const { return largest_; }

  // None for fewer than eight values, or where one is not finite.
  std::optional<Drift> fit() const {
    if (used_ < fewest_blocks || !std::isfinite(largest_)) return std::nullopt;
    // In units in which squares neither overflow nor underflow.
    const double time_unit = std::abs(blocks_[used_ - 1].time - blocks_[0].time);
    const double value_unit = largest_ > 0 ? largest_ : 1;
    Blocks blocks = centred(time_unit, value_unit);
    double tt = 0, tv = 0;
    for (const Block& b : blocks) {
      tt += b.count * b.time * b.time;
      tv += b.count * b.time * b.value;
    }
    const double slope = tv / tt;
    double error = 0;
    for (std::size_t m = used_; m >= fewest_blocks; m = merge_pairs(blocks, m)) {
      error = larger(error, standard_error(blocks, m, slope));
    }
    const Drift drift{slope * (value_unit / time_unit), error * (value_unit / time_unit)};
    if (!std::isfinite(drift.rate) || !std::isfinite(drift.uncertainty)) return std::nullopt;
    return drift;
  }

 private:
  static constexpr std::size_t most_blocks = 64;
  static constexpr std::size_t fewest_blocks = 8;  // of which an uncertainty can be found
  static constexpr double like_a_walk = 0.6;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Block {
    double time = 0, value = 0;  // means
    double count = 0;            // of samples; their weight in the fit
  };
  using Blocks = std::array<Block, most_blocks>;

  // The first m blocks become (m + 1)/2; an odd one stays as it is.
  static std::size_t merge_pairs(Blocks& blocks, std::size_t m) {
    for (std::size_t i = 0; i + 1 < m; i += 2) {
      const Block &a = blocks[i], &b = blocks[i + 1];
      const double share = b.count / (a.count + b.count);
      blocks[i / 2] = {a.time + share * (b.time - a.time), a.value + share * (b.value - a.value), a.count + b.count};
    }
    if (m % 2 == 1) blocks[m / 2] = blocks[m - 1];
    return (m + 1) / 2;
  }

  // In these units, with the means taken off.
  Blocks centred(double time_unit, double value_unit) const {
    Blocks blocks{};
    double count = 0, time = 0, value = 0;
    for (std::size_t i = 0; i < used_; ++i) {
      const Block& b = blocks_[i];
      blocks[i] = {(b.time - blocks_[0].time) / time_unit, b.value / value_unit, b.count};
      count += b.count;
      time += b.count * blocks[i].time;
      value += b.count * blocks[i].value;
    }
    for (std::size_t i = 0; i < used_; ++i) {
      blocks[i].time -= time / count;
      blocks[i].value -= value / count;
    }
    return blocks;
  }

  static double standard_error(const Blocks& blocks, std::size_t used, double slope) {
    const auto m = static_cast<double>(used);
    double tt = 0, squares = 0, neighbours = 0, before = 0;
    for (std::size_t i = 0; i < used; ++i) {
      const Block& b = blocks[i];
      const double residual = std::sqrt(b.count) * (b.value - slope * b.time);
      tt += b.count * b.time * b.time;
      squares += residual * residual;
      neighbours += residual * before;
      before = residual;
    }
    const double seen = squares > 0 ? neighbours / squares : 0;
    const double corrected = (m * seen + 2) / (m - 4);
    const double correlation = corrected > like_a_walk ? 1 - 1 / m : std::max(corrected, 0.0);
    return std::sqrt(squares / (m - 2) / tt * (1 + correlation) / (1 - correlation));
  }

  Blocks blocks_{};
  std::size_t used_ = 0;
  double block_size_ = 1;
  double largest_ = 0;
};

}  // namespace polhode
