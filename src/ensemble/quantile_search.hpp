// Exact quantiles of numbers that are not in memory together: in a file, or in several processes. They are looked at
// several times, and each time counted by some more of their bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polhode {

class QuantileSearch {
 public:
  // Probabilities from 0 to 1, in any order. With 16 bits in a round there are four of them, and with 8 bits eight, with a
  // 256th of the counts.
  explicit QuantileSearch(std::span<const double> probabilities, int bits_of_a_round = 16);

  // Of every finite number, in any order, once in each round.
  void add(double x);
  // Of this round. Where others see other numbers, their counts are to be added up before the round ends.
  std::span<std::uint64_t> counts() { return counts_; }
  // False after the last round.
  bool next_round();
  // As quantiles_of() has them; NaN of no numbers.
  std::vector<double> quantiles() const;
  // What a round of 16 bits keeps in memory at most.
  static std::uint64_t most_bytes(std::size_t probabilities);

 private:
  struct Wanted {
    std::uint64_t rank;     // among the numbers that begin like it
    std::size_t beginning;  // of beginnings_
  };

  void want(std::uint64_t all);

  std::size_t bins() const { return std::size_t{1} << bits_; }

  std::vector<double> probabilities_;
  int bits_, known_ = 0;  // of a round, and of those before
  std::uint64_t all_ = 0;
  std::vector<std::uint64_t> beginnings_{0};  // the bits that are known, in order
  std::vector<std::uint64_t> counts_;         // for each beginning, by the next bits
  std::vector<Wanted> wanted_;                // two for each probability
};

}  // namespace polhode
