#include "polhode/ensemble/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "ensemble/quantile_search.hpp"
#include "ensemble/summary.hpp"

namespace polhode {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void sum_counts(EnsembleResult& result, Ranks& ranks) {
  std::uint64_t counts[] = {result.followed, result.failed, result.kept};
  ranks.sum(counts);
  result.followed = counts[0];
  result.failed = counts[1];
  result.kept = counts[2];
}

void join_tallies(std::vector<NamedTally>& tallies, Ranks& ranks) {
  std::vector<std::uint64_t> sums;
  std::vector<std::size_t> ends;
  std::vector<double> least, largest;
  for (const NamedTally& one : tallies) {
    const std::vector<std::uint64_t> places = one.tally.to_places();
    sums.insert(sums.end(), places.begin(), places.end());
    ends.push_back(sums.size());
    least.push_back(one.tally.count() > 0 ? one.tally.least() : infinity);
    largest.push_back(one.tally.count() > 0 ? one.tally.largest() : -infinity);
  }
  ranks.sum(sums);
  ranks.least(least);
  ranks.largest(largest);
  for (std::size_t k = 0, begin = 0; k < tallies.size(); begin = ends[k++])
    tallies[k].tally.set_sums({sums.data() + begin, ends[k] - begin}, least[k], largest[k]);
}

// Of all quantities in the same rounds: eight sums.
void join_quantiles(std::vector<NamedQuantiles>& quantiles, Ranks& ranks) {
  constexpr int bits_of_a_round = 8;
  std::vector<QuantileSearch> searches;
  for (const NamedQuantiles& one : quantiles) searches.emplace_back(one.probabilities, bits_of_a_round);
  for (bool more = !searches.empty(); more;) {
    std::vector<std::uint64_t> counts;
    for (std::size_t k = 0; k < searches.size(); ++k) {
      for (const double x : quantiles[k].of) searches[k].add(x);
      counts.insert(counts.end(), searches[k].counts().begin(), searches[k].counts().end());
    }
    ranks.sum(counts);
    auto from = counts.begin();
    for (QuantileSearch& search : searches) {
      const auto to = from + static_cast<std::ptrdiff_t>(search.counts().size());
      std::copy(from, to, search.counts().begin());
      from = to;
      more = search.next_round();
    }
  }
  for (std::size_t k = 0; k < searches.size(); ++k) quantiles[k].values = searches[k].quantiles();
}

// A line each, and a line for its reason.
std::string text_of(const std::vector<BodyFailure>& failures) {
  std::string text;
  for (const BodyFailure& one : failures) {
    std::string reason = one.reason;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    fmt::format_to(std::back_inserter(text), "{} {} {}\n{}\n", one.body, one.step, one.time, reason);
  }
  return text;
}
void add_failures(const std::string& text, std::vector<BodyFailure>& failures) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t middle = text.find('\n', at), end = text.find('\n', middle + 1);
    char* rest = nullptr;
    BodyFailure one;
    one.body = std::strtoull(text.c_str() + at, &rest, 10);
    one.step = std::strtoll(rest, &rest, 10);
    one.time = std::strtod(rest, nullptr);
    one.reason = text.substr(middle + 1, end - middle - 1);
    failures.push_back(std::move(one));
    at = end + 1;
  }
}

}  // namespace

EnsembleResult whole_of(EnsembleResult mine, Ranks& ranks) {
  EnsembleResult whole = std::move(mine);
  ranks.meet();
  whole.about.first = 0;
  whole.about.last = whole.about.bodies;
  whole.about.ranks = ranks.count();
  const double steps = whole.seconds * whole.body_steps_per_second;
  sum_counts(whole, ranks);
  double together[] = {whole.seconds};
  ranks.largest(together);
  whole.seconds = together[0];
  // Rounded, as steps per second are anyway; it is no result of the motion.
  std::uint64_t all_steps[] = {static_cast<std::uint64_t>(std::llround(steps))};
  ranks.sum(all_steps);
  whole.body_steps_per_second = static_cast<double>(all_steps[0]) / whole.seconds;
  join_tallies(whole.statistics, ranks);
  join_quantiles(whole.quantiles, ranks);
  const std::vector<std::string> failures = ranks.gather(text_of(whole.failures));
  whole.failures.clear();
  for (const std::string& text : failures) add_failures(text, whole.failures);
  keep_first_failures(whole.failures);
  whole.interrupted = whole.followed < whole.about.bodies;
  if (whole.interrupted)
    whole.incomplete = fmt::format("{} of {} bodies were followed", whole.followed, whole.about.bodies);
  return whole;
}

}  // namespace polhode
