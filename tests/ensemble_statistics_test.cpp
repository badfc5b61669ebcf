// Statistics that do not depend on the order: against whole numbers, in which every double and every square is exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "ensemble/quantile_search.hpp"
#include "polhode/ensemble/statistics.hpp"

namespace polhode::ensemble_statistics_test {
namespace {

using boost::multiprecision::cpp_int;
using testing::Each;
using testing::ElementsAre;
using Values = std::vector<double>;

constexpr double largest = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

double two_to(int n) { return std::ldexp(1, n); }

// x/2^-1074. What would follow the largest double is there for the infinite.
cpp_int in_tinies(double x) {
  if (std::isinf(x)) return cpp_int(x > 0 ? 1 : -1) << (1024 + 1074);
  int exponent = 0;
  const auto digits = static_cast<long long>(std::ldexp(std::frexp(x, &exponent), 53));
  const int shift = exponent - 53 + 1074;
  return shift >= 0 ? cpp_int(digits) << shift : cpp_int(digits) / (cpp_int(1) << -shift);
}

// That x is the double nearest to a number, or the even one of two. `sign(c)` is that of the number - c 2^-1075.
void expect_nearest(double x, const std::function<int(const cpp_int&)>& sign) {
  ASSERT_FALSE(std::isnan(x));
  const bool even = std::bit_cast<std::uint64_t>(x) % 2 == 0;
  // Beyond the infinite is nothing.
  if (x != -infinity) {
    const int above_lower = sign(in_tinies(x) + in_tinies(std::nextafter(x, -infinity)));
    EXPECT_TRUE(above_lower > 0 || (above_lower == 0 && even)) << std::hexfloat << x << " is too large";
  }
  if (x != infinity) {
    const int above_upper = sign(in_tinies(x) + in_tinies(std::nextafter(x, infinity)));
    EXPECT_TRUE(above_upper < 0 || (above_upper == 0 && even)) << std::hexfloat << x << " is too small";
  }
}

int sign_of(const cpp_int& x) { return x.compare(0); }

cpp_int sum_in_tinies(const Values& values) {
  cpp_int sum = 0;
  for (const double x : values) sum += in_tinies(x);
  return sum;
}

void expect_nearest_mean(double mean, const Values& values) {
  const cpp_int sum = 2 * sum_in_tinies(values);
  expect_nearest(mean, [&](const cpp_int& halves) { return sign_of(cpp_int(sum - halves * values.size())); });
}

// By what values are off the mean: n^2 (n - 1) variance = sum of (n x - sum)^2.
void expect_nearest_deviation(double deviation, const Values& values) {
  const cpp_int n = values.size(), sum = sum_in_tinies(values);
  cpp_int squares = 0;
  for (const double x : values) {
    const cpp_int off = n * in_tinies(x) - sum;
    squares += off * off;
  }
  EXPECT_GE(deviation, 0);
  expect_nearest(deviation, [&](const cpp_int& halves) {
    return halves < 0 ? 1 : sign_of(cpp_int(4 * squares - n * n * (n - 1) * halves * halves));
  });
}

ExactSum sum_of(const Values& values) {
  ExactSum sum;
  for (const double x : values) sum.add(x);
  return sum;
}

ExactSum squares_of(const Values& values) {
  ExactSum squares;
  for (const double x : values) squares.add_square(x);
  return squares;
}

Tally tally_of(const Values& values, Tally tally = {}) {
  for (const double x : values) tally.add(x);
  return tally;
}

Tally histogram_of(const Values& values, double low, double high, int bins) {
  return tally_of(values, Tally({"energy", low, high, bins}));
}

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_); }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  double normal() { return std::normal_distribution<double>()(generator_); }
  // Any bits: of either sign, of all magnitudes, with denormals.
  double any() {
    for (;;) {
      const auto x = std::bit_cast<double>(generator_());
      if (std::isfinite(x)) return below(20) == 0 ? std::ldexp(x / largest, -1040) : x;
    }
  }
  // Of most sums the large ones go away and leave the small ones.
  Values any_that_cancel(std::size_t n) {
    Values values;
    while (values.size() < n) {
      values.push_back(any());
      if (below(2) == 0) values.push_back(-values[below(values.size())]);
    }
    shuffle(values);
    return values;
  }
  void shuffle(Values& values) { std::shuffle(values.begin(), values.end(), generator_); }

 private:
  std::mt19937_64 generator_;
};

// Bits, so that NaN is like NaN and 0 is not like -0.
std::vector<std::uint64_t> bits_of(const Values& values) {
  std::vector<std::uint64_t> bits;
  for (const double x : values) bits.push_back(std::bit_cast<std::uint64_t>(x));
  return bits;
}

TEST(ExactSum, IsZeroWithoutValues) {
  EXPECT_EQ(bits_of({ExactSum().value()}), bits_of({0.0}));
  EXPECT_EQ(bits_of({sum_of({-0.0, -0.0}).value()}), bits_of({0.0}));
}

TEST(ExactSum, KeepsWhatIsSmallNextToWhatIsLarge) {
  EXPECT_EQ(sum_of({1e308, 1, -1e308}).value(), 1);
  EXPECT_EQ(sum_of({1e308, -tiny, -1e308}).value(), -tiny);
  EXPECT_EQ(sum_of({tiny, largest, -tiny, -largest}).value(), 0);
  EXPECT_EQ(sum_of({-largest, -largest, -3, largest, largest}).value(), -3) << "beyond the largest double in between";
}

TEST(ExactSum, OfOneValueIsTheValue) {
  Random random(1);
  Values values{tiny, -tiny, largest, -largest, std::numeric_limits<double>::min(), 1 - two_to(-53), 3 * tiny};
  for (int i = 0; i < 3000; ++i) values.push_back(random.any());
  for (const double x : values) EXPECT_EQ(sum_of({x}).value(), x);
  for (int exponent = -537; exponent < 512; ++exponent) {
    EXPECT_EQ(squares_of({-two_to(exponent)}).value(), two_to(2 * exponent)) << exponent;
    if (exponent < -511) continue;
    // (2^26 - 1)^2 = 2^52 - 2^27 + 1
    EXPECT_EQ(squares_of({(two_to(26) - 1) * two_to(exponent - 26)}).value(),
              (two_to(52) - two_to(27) + 1) * two_to(2 * exponent - 52))
        << exponent;
  }
}

TEST(ExactSum, RoundsOnceAndTiesToEven) {
  for (const double sign : {1.0, -1.0}) {
    const auto value = [&](Values values) {
      for (double& x : values) x *= sign;
      return sign * sum_of(values).value();
    };
    EXPECT_EQ(value({1, two_to(-53)}), 1);
    EXPECT_EQ(value({1, two_to(-53), tiny}), 1 + two_to(-52));
    EXPECT_EQ(value({1, two_to(-53), -tiny}), 1);
    EXPECT_EQ(value({1 + two_to(-52), two_to(-53)}), 1 + two_to(-51));
    EXPECT_EQ(value({1 + two_to(-52), two_to(-53), -tiny}), 1 + two_to(-52));
    // Below a power of two doubles are twice as dense.
    EXPECT_EQ(value({1, -two_to(-54)}), 1);
    EXPECT_EQ(value({1, -two_to(-54), -tiny}), 1 - two_to(-53));
    EXPECT_EQ(value({largest, two_to(970)}), infinity);
    EXPECT_EQ(value({largest, two_to(970), -tiny}), largest);
    EXPECT_EQ(value({largest, largest}), infinity);
  }
}

TEST(ExactSum, RoundsOnceAndTiesToEvenBelowTheLeastDouble) {
  const double quarter = two_to(-538);  // the root of a quarter of the least double
  EXPECT_EQ(squares_of({quarter}).value(), 0);
  EXPECT_EQ(squares_of({quarter, quarter}).value(), 0);
  EXPECT_EQ(squares_of({quarter, quarter, tiny}).value(), tiny) << "the square of the least double is 2^-2148";
  EXPECT_EQ(squares_of({quarter, quarter, quarter}).value(), tiny);
  EXPECT_EQ(squares_of({two_to(-537), quarter, quarter}).value(), 2 * tiny);
  EXPECT_EQ(sum_of({tiny}).mean(2), 0);
  EXPECT_EQ(sum_of({3 * tiny}).mean(2), 2 * tiny);
  EXPECT_EQ(sum_of({-3 * tiny}).mean(2), -2 * tiny);
  EXPECT_EQ(sum_of({two_to(-1022)}).mean(3), std::nearbyint(two_to(52) / 3) * tiny);
}

TEST(ExactSum, IsThatOfWholeNumbers) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Values values = random.any_that_cancel(1 + random.below(20));
    const cpp_int sum = 2 * sum_in_tinies(values);
    expect_nearest(sum_of(values).value(), [&](const cpp_int& halves) { return sign_of(cpp_int(sum - halves)); });
    expect_nearest_mean(sum_of(values).mean(values.size()), values);
  }
}

TEST(ExactSum, OfSquaresIsThatOfWholeNumbers) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    Values values;
    const int scale = trial % 2 == 0 ? 0 : -500;  // around 1, and where squares are denormal
    for (std::size_t i = 0; i <= random.below(20); ++i)
      values.push_back(std::ldexp(random.normal(), scale - trial / 4));
    cpp_int sum = 0;
    for (const double x : values) sum += in_tinies(x) * in_tinies(x);
    const cpp_int unit = cpp_int(1) << 1074;
    expect_nearest(squares_of(values).value(),
                   [&](const cpp_int& halves) { return sign_of(cpp_int(2 * sum - halves * unit)); });
  }
}

// Carries and borrows go through all words above.
TEST(ExactSum, ChangesItsSignAndBack) {
  ExactSum sum;
  sum.add(0.75);
  for (int i = 0; i < 1000; ++i) {
    const double turn = std::ldexp(1.5, i % 7 * 60);
    sum.add(-turn);
    EXPECT_EQ(sum.value(), 0.75 - turn);
    sum.add(turn);
    EXPECT_EQ(sum.value(), 0.75);
  }
}

TEST(ExactSum, HasTheSameBitsInAnyOrderAndGrouping) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    Values values = random.any_that_cancel(2 + random.below(60));
    const ExactSum sum = sum_of(values), squares = squares_of(values);
    const std::size_t n = values.size();
    for (int again = 0; again < 5; ++again) {
      random.shuffle(values);
      ExactSum sums[4], all_squares[4];
      for (const double x : values) {
        const std::size_t group = random.below(4);
        sums[group].add(x);
        all_squares[group].add_square(x);
      }
      for (const std::size_t group : {2, 0, 3}) {
        sums[1].add(sums[group]);
        all_squares[1].add(all_squares[group]);
      }
      EXPECT_EQ(bits_of({sums[1].value(), sums[1].mean(n), all_squares[1].value()}),
                bits_of({sum.value(), sum.mean(n), squares.value()}));
      EXPECT_EQ(deviation_of(sums[1], all_squares[1], n), deviation_of(sum, squares, n));
    }
  }
}

TEST(ExactSum, IsThatOfItsPlacesAddedUp) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    Values all;
    std::array<std::uint64_t, ExactSum::places> sums{};
    for (int process = 0; process < 5; ++process) {
      const Values some = random.any_that_cancel(random.below(8));
      all.insert(all.end(), some.begin(), some.end());
      const auto places = sum_of(some).to_places();
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += places[i];
    }
    expect_nearest(ExactSum::from_places(sums).value(),
                   [&](const cpp_int& halves) { return sign_of(cpp_int(2 * sum_in_tinies(all) - halves)); });
  }
  // As many processes as there may be.
  const std::uint64_t most = 1ULL << 32;
  for (const double x : {1.0, -1.0, largest, -largest, tiny, -tiny, -1.0 / 3}) {
    auto sums = sum_of({x}).to_places();
    for (std::uint64_t& place : sums) place *= most;
    EXPECT_EQ(ExactSum::from_places(sums).mean(most), x);
  }
}

TEST(ExactSum, HasRoomForAllThatCanBeCounted) {
  ExactSum sum = sum_of({-largest}), even = sum_of({largest, -largest}), squares = squares_of({largest, -largest});
  for (int doubled = 0; doubled < 62; ++doubled) {
    sum.add(ExactSum(sum));
    even.add(ExactSum(even));
    squares.add(ExactSum(squares));
  }
  EXPECT_EQ(sum.mean(1ULL << 62), -largest);
  EXPECT_EQ(even.value(), 0);
  EXPECT_EQ(deviation_of(even, squares, 1ULL << 63), largest) << "sqrt(n/(n - 1)) is 1 + 2^-64";
}

// Of two values whose sum is zero: the root of the sum of their squares. 2^53 + 1 is between two doubles.
TEST(ExactSum, GivesADeviationThatIsRoundedOnce) {
  const auto root = [](Values values) { return deviation_of(ExactSum(), sum_of(values), 2); };
  EXPECT_EQ(root({two_to(106), two_to(54), 1}), two_to(53));
  for (const double more : {1.0, tiny}) {
    EXPECT_EQ(root({two_to(106), two_to(54), 1, more}), two_to(53) + 2);
    EXPECT_EQ(root({two_to(106), two_to(54), 1, -more}), two_to(53));
  }
  // (2^53 + 3)^2
  EXPECT_EQ(root({two_to(106), 3 * two_to(54), 9}), two_to(53) + 4);
  EXPECT_EQ(root({two_to(106), 3 * two_to(54), 9, -tiny}), two_to(53) + 2);
}

TEST(ExactSum, OfManyValues) {
  const int n = 1'000'000;
  ExactSum tenths, numbers;
  for (int i = 1; i <= n; ++i) {
    tenths.add(-0.1);
    numbers.add_square(i);
  }
  EXPECT_EQ(tenths.mean(n), -0.1);
  expect_nearest(tenths.value(),
                 [&](const cpp_int& halves) { return sign_of(cpp_int(2 * n * in_tinies(-0.1) - halves)); });
  EXPECT_EQ(numbers.value(), 333333833333500000.0) << "n (n + 1) (2 n + 1)/6";
}

TEST(Tally, OfNoneAndOfOne) {
  const Tally none;
  EXPECT_EQ(none.count(), 0u);
  for (const double x : {none.least(), none.largest(), none.mean(), none.deviation()}) EXPECT_TRUE(std::isnan(x));
  const Tally one = tally_of({-3.5});
  EXPECT_EQ(one.count(), 1u);
  for (const double x : {one.least(), one.largest(), one.mean()}) EXPECT_EQ(x, -3.5);
  EXPECT_TRUE(std::isnan(one.deviation()));
  EXPECT_FALSE(one.histogram());
  EXPECT_TRUE(one.bins().empty());
}

TEST(Tally, OfAFewNumbers) {
  const Tally tally = tally_of({7, -2, 4, 3});  // off the mean by 4, -5, 1, 0
  EXPECT_EQ(tally.count(), 4u);
  EXPECT_EQ(tally.least(), -2);
  EXPECT_EQ(tally.largest(), 7);
  EXPECT_EQ(tally.mean(), 3);
  EXPECT_EQ(tally.deviation(), std::sqrt(14.0));
}

TEST(Tally, LosesNothingWhereTheMeanIsLarge) {
  for (const double large : {1e9, -1e9, 1e15, two_to(51)}) {
    const Tally tally = tally_of({large, large + 1, large + 2});
    EXPECT_EQ(tally.mean(), large + 1);
    EXPECT_EQ(tally.deviation(), 1);
  }
  EXPECT_EQ(tally_of({largest, largest, largest}).mean(), largest) << "of which the sum is no double";
}

TEST(Tally, OfEqualValuesHasNoDeviation) {
  for (const double x : {0.1, -1e9 / 3, 1e-320, tiny, largest, 0.0}) {
    for (const std::size_t n : {2u, 3u, 1000u}) {
      const Tally tally = tally_of(Values(n, x));
      EXPECT_EQ(tally.mean(), x);
      EXPECT_EQ(tally.deviation(), 0) << x;
    }
  }
}

TEST(Tally, HasTheNearestMeanAndDeviation) {
  Random random(5);
  std::vector<Values> all{{tiny, 0},           {tiny, 0, 0},         {largest, 0, 0},
                          {largest, -largest}, {1, 1 + two_to(-52)}, {largest, tiny}};
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 2 + random.below(12);
    const double middle = std::ldexp(random.normal(), trial % 60), spread = std::ldexp(1, -trial % 23);
    Values some_near;
    for (std::size_t i = 0; i < n; ++i) some_near.push_back(middle + spread * random.normal());
    all.push_back(some_near);
    all.push_back(random.any_that_cancel(n));
    Values denormal;
    for (std::size_t i = 0; i < n; ++i) denormal.push_back(tiny * std::round(100 * random.normal()));
    all.push_back(denormal);
  }
  for (const Values& values : all) {
    SCOPED_TRACE(testing::PrintToString(values));
    const Tally tally = tally_of(values);
    expect_nearest_mean(tally.mean(), values);
    expect_nearest_deviation(tally.deviation(), values);
  }
}

TEST(Tally, CountsApartWhatIsNotFinite) {
  const Tally tally = histogram_of({nan, 1, infinity, 2, -nan, -infinity, 3}, 1.5, 2.5, 1);
  EXPECT_EQ(tally.count(), 3u);
  EXPECT_EQ(tally.not_finite(), 4u);
  EXPECT_EQ(tally.least(), 1);
  EXPECT_EQ(tally.largest(), 3);
  EXPECT_EQ(tally.mean(), 2);
  EXPECT_EQ(tally.deviation(), 1);
  EXPECT_EQ(tally.below(), 1u);
  EXPECT_THAT(tally.bins(), ElementsAre(1));
  EXPECT_EQ(tally.above(), 1u);
}

TEST(Tally, HasNoZeroWithASign) {
  for (const Values& values : {Values{0.0, -0.0}, {-0.0, 0.0}, {-0.0}}) {
    const Tally tally = tally_of(values);
    EXPECT_EQ(bits_of({tally.least(), tally.largest(), tally.mean()}), bits_of({0, 0, 0}));
  }
}

void expect_equal_bits(const Tally& a, const Tally& b) {
  EXPECT_EQ(a.histogram(), b.histogram());
  const auto counts = [](const Tally& tally) {
    std::vector<std::uint64_t> all(tally.bins().begin(), tally.bins().end());
    all.insert(all.end(), {tally.count(), tally.not_finite(), tally.below(), tally.above()});
    return all;
  };
  EXPECT_EQ(counts(a), counts(b));
  EXPECT_EQ(bits_of({a.least(), a.largest(), a.mean(), a.deviation()}),
            bits_of({b.least(), b.largest(), b.mean(), b.deviation()}));
}

TEST(Tally, OfPartsIsThatOfTheWhole) {
  Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    // A part may be empty, or have nothing that is finite.
    Values values = random.any_that_cancel(random.below(20));
    for (std::size_t n = random.below(40); n > 0; --n) values.push_back(random.normal());
    values.insert(values.end(), {nan, infinity, -0.0, 0.0});
    const Tally empty(HistogramRequest{"energy", -1, 1, 7}), whole = tally_of(values, empty);
    random.shuffle(values);
    std::vector<Tally> parts(5, empty);
    for (const double x : values) parts[random.below(parts.size())].add(x);
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].add(parts[i]);
    expect_equal_bits(parts[0], whole);
    Tally from_nothing = empty;
    from_nothing.add(whole);
    expect_equal_bits(from_nothing, whole);
  }
}

TEST(Histogram, HasEqualPartsAndAClosedEnd) {
  const Tally tally = histogram_of({-0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}, 0, 4, 4);
  EXPECT_THAT(tally.edges(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(tally.bins(), ElementsAre(2, 2, 2, 3));
  EXPECT_EQ(tally.below(), 1u);
  EXPECT_EQ(tally.above(), 1u);
  EXPECT_EQ(histogram_of({-0.0}, 0.0, 1, 3).bins()[0], 1u);
  EXPECT_EQ(histogram_of({0.0}, -1, -0.0, 3).bins()[2], 1u);
}

// low + i (high - low)/bins, next to which nothing is nearer.
TEST(Histogram, HasTheNearestEdges) {
  EXPECT_THAT(histogram_of({}, 0, 1, 10).edges(), ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1));
  EXPECT_THAT(histogram_of({}, -0.5, 0.5, 5).edges(), ElementsAre(-0.5, -0.3, -0.1, 0.1, 0.3, 0.5));
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    double low = trial % 2 == 0 ? random.any() : random.between(-3, 1), high = trial % 2 == 0 ? random.any() : low + 2;
    if (low > high) std::swap(low, high);
    const int bins = 1 + trial;
    const Tally tally = histogram_of({}, low, high, bins);
    ASSERT_EQ(tally.edges().size(), tally.bins().size() + 1);
    EXPECT_EQ(tally.edges().front(), low);
    EXPECT_EQ(tally.edges().back(), high);
    for (int i = 0; i <= bins; ++i) {
      const cpp_int exact = bins * in_tinies(low) + i * cpp_int(in_tinies(high) - in_tinies(low));
      expect_nearest(tally.edges()[static_cast<std::size_t>(i)],
                     [&](const cpp_int& halves) { return sign_of(cpp_int(2 * exact - bins * halves)); });
    }
  }
}

TEST(Histogram, CountsOnTheRightSideOfEveryEdge) {
  for (const auto& [low, high] :
       {std::pair{0.0, 1.0}, {-0.7, 0.3}, {1e9, 1e9 + 1e-3}, {-largest, largest}, {0, 1e-320}}) {
    for (const int bins : {1, 2, 3, 10, 49, 1000}) {
      const Tally empty = histogram_of({}, low, high, bins);
      std::size_t i = 0;
      const auto count = [&](double x, std::size_t bin) {
        const Tally tally = tally_of({x}, empty);
        EXPECT_EQ(tally.bins()[bin], 1u) << std::hexfloat << x << ", edge " << i << " of " << bins;
      };
      for (; i + 1 < empty.edges().size(); ++i) {
        const double edge = empty.edges()[i];
        count(edge, i);
        if (i > 0) count(std::nextafter(edge, -infinity), i - 1);
      }
      count(high, i - 1);
      count(std::nextafter(high, -infinity), i - 1);
      EXPECT_EQ(tally_of({std::nextafter(low, -largest)}, empty).below(), low > -largest ? 1u : 0u);
      EXPECT_EQ(tally_of({std::nextafter(high, largest)}, empty).above(), high < largest ? 1u : 0u);
    }
  }
}

TEST(Histogram, CountsEverythingOnceWhereBinsAreNarrowerThanDoubles) {
  const double high = 1 + 3 * two_to(-52);
  const Tally tally = histogram_of({1, 1 + two_to(-52), 1 + two_to(-51), high}, 1, high, 100);
  EXPECT_EQ(std::accumulate(tally.bins().begin(), tally.bins().end(), std::uint64_t{0}), 4u);
  EXPECT_EQ(tally.bins().back(), 1u);
  EXPECT_EQ(tally.below() + tally.above(), 0u);
}

// Hyndman and Fan 1996, type 7: with the values sorted and counted from 0, that of rank (n - 1) p, with straight lines
// between ranks.
long double quantile_of_sorted(const Values& sorted, double p) {
  const long double rank = static_cast<long double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(std::floor(rank));
  if (below + 1 == sorted.size()) return sorted.back();
  return sorted[below] +
         (rank - static_cast<long double>(below)) * (static_cast<long double>(sorted[below + 1]) - sorted[below]);
}

TEST(Quantiles, OfValuesWhoseRanksAreWhole) {
  Values values{5, 1, 4, 2, 3};
  EXPECT_THAT(quantiles_of(values, Values{0, 0.25, 0.5, 0.75, 1}), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(quantiles_of(values, Values{0.75, 0.125, 0.75, 1, 0}), ElementsAre(4, 1.5, 4, 5, 1)) << "in any order";
  EXPECT_TRUE(quantiles_of(values, {}).empty());
}

TEST(Quantiles, OfFew) {
  Values none, one{-7}, two{3, 1};
  EXPECT_THAT(quantiles_of(none, Values{0, 0.5}), ElementsAre(testing::IsNan(), testing::IsNan()));
  EXPECT_THAT(quantiles_of(one, Values{0, 0.3, 1}), Each(-7));
  EXPECT_THAT(quantiles_of(two, Values{0, 0.25, 0.5, 1}), ElementsAre(1, 1.5, 2, 3));
}

TEST(Quantiles, AreThoseOfSortedValues) {
  Random random(8);
  Values probabilities{0, 1, 0.5, 1e-12, 1 - two_to(-53)};
  for (int i = 0; i < 40; ++i) probabilities.push_back(i % 2 == 0 ? random.between(0, 1) : 0.025 * i);
  for (const std::size_t n : {1, 2, 3, 7, 20, 101, 5000}) {
    for (const bool repeated : {false, true}) {
      Values values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(repeated ? double(random.below(4)) : random.normal());
      Values sorted = values;
      std::sort(sorted.begin(), sorted.end());
      const Values found = quantiles_of(values, probabilities);
      ASSERT_EQ(found.size(), probabilities.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        // The rank is rounded once, and the line has three more operations with numbers below 10.
        const double tolerance = 10 * (static_cast<double>(n) + 4) * two_to(-53);
        EXPECT_NEAR(found[i], static_cast<double>(quantile_of_sorted(sorted, probabilities[i])), tolerance)
            << n << " values, " << probabilities[i];
      }
      std::sort(values.begin(), values.end());
      EXPECT_EQ(values, sorted) << "no value was lost";
    }
  }
}

TEST(Quantiles, HaveTheSameBitsInAnyOrder) {
  Random random(9);
  const Values probabilities{0.05, 0.95, 0.5, 0, 1, 1.0 / 3};
  for (int trial = 0; trial < 100; ++trial) {
    Values values = random.any_that_cancel(1 + random.below(50));
    values.insert(values.end(), random.below(9), 0.0);
    values.insert(values.end(), random.below(9), -0.0);
    const Values found = quantiles_of(values, probabilities);
    for (int again = 0; again < 5; ++again) {
      random.shuffle(values);
      EXPECT_EQ(bits_of(quantiles_of(values, probabilities)), bits_of(found));
    }
  }
}

// Values in several places, which are looked at once in each round.
Values searched(const std::vector<Values>& places, const Values& probabilities, int bits_of_a_round) {
  std::vector<QuantileSearch> searches(places.size(), QuantileSearch(probabilities, bits_of_a_round));
  for (bool more = true; more;) {
    for (std::size_t k = 0; k < places.size(); ++k)
      for (const double x : places[k]) searches[k].add(x);
    std::vector<std::uint64_t> sum(searches[0].counts().size());
    for (QuantileSearch& one : searches)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.counts()[i];
    for (QuantileSearch& one : searches) {
      std::copy(sum.begin(), sum.end(), one.counts().begin());
      more = one.next_round();
    }
  }
  for (const QuantileSearch& one : searches) EXPECT_EQ(bits_of(one.quantiles()), bits_of(searches[0].quantiles()));
  return searches[0].quantiles();
}

TEST(Quantiles, AreFoundByCountingBitsAsBySorting) {
  Random random(10);
  const Values probabilities{0.05, 0.95, 0.5, 0, 1, 1.0 / 3, 0.5};
  for (int trial = 0; trial < 30; ++trial) {
    Values values = random.any_that_cancel(1 + random.below(60));
    values.insert(values.end(), random.below(9), 0.0);
    values.insert(values.end(), random.below(9), -0.0);
    values.insert(values.end(), random.below(3), tiny);
    values.insert(values.end(), random.below(3), -largest);
    for (int i = 0; i < 50 * (trial % 3); ++i) values.push_back(1 + 1e-15 * static_cast<double>(random.below(20)));
    std::vector<Values> places(1 + random.below(3));
    for (const double x : values) places[random.below(places.size())].push_back(x);
    for (const int bits : {8, 16})
      EXPECT_EQ(bits_of(searched(places, probabilities, bits)), bits_of(quantiles_of(values, probabilities)));
  }
  EXPECT_THAT(searched({{}, {}}, {0, 0.5}, 16), ElementsAre(testing::IsNan(), testing::IsNan()));
}

TEST(Quantiles, DoNotOverflowBetweenFiniteValues) {
  const double large = two_to(1023);
  Values values{large, -large};
  EXPECT_THAT(quantiles_of(values, Values{0, 0.25, 0.5, 0.75, 1}),
              ElementsAre(-large, -large / 2, 0, large / 2, large));
}

}  // namespace
}  // namespace polhode::ensemble_statistics_test
