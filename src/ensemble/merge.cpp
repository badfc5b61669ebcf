#include "polhode/ensemble/merge.hpp"

#include <algorithm>
#include <chrono>

#include "ensemble/quantile_search.hpp"
#include "ensemble/summary.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

constexpr std::uint64_t bodies_at_once = 4096;
constexpr std::uint64_t bytes_of_a_look = 256 << 20;

// Looks at all bodies in their order, some at a time, more than once.
class Merging {
 public:
  Merging(const EnsembleParts& parts, const EnsembleControl& control) : parts_(parts), control_(control) {}

  EnsembleResult merge(EnsembleWriter* writer) {
    const EnsembleAbout& about = parts_.about();
    Summary summary(about, parts_.wanted(), false);
    const std::vector<double>& probabilities = parts_.wanted().quantiles;
    if (!probabilities.empty()) searches_.resize(summary.quantities().size(), QuantileSearch(probabilities));
    looks_ = probabilities.empty() ? 1 : 4 + 3 * (batches() - 1);
    if (writer != nullptr) writer->begin(about);
    look([&](const EnsembleChunk& chunk) {
      summary.add(chunk, summary.of(chunk));
      count(chunk, summary.quantities(), 0, searches_.size());
      if (writer != nullptr) writer->chunk(chunk);
    });
    EnsembleResult result;
    result.about = about;
    summary.tell(result);
    select(summary.quantities(), result);
    result.kept = result.followed;
    result.seconds = parts_.seconds();
    if (result.seconds > 0)
      result.body_steps_per_second =
          static_cast<double>(result.followed) * static_cast<double>(about.steps) / result.seconds;
    if (writer != nullptr) writer->end(result);
    return result;
  }

 private:
  // Quantities that are counted in one look, for their memory.
  std::size_t batch() const {
    const std::uint64_t bytes = QuantileSearch::most_bytes(parts_.wanted().quantiles.size());
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, bytes_of_a_look / bytes));
  }
  std::size_t batches() const { return (searches_.size() + batch() - 1) / batch(); }

  template <class Take>
  void look(const Take& take) {
    const std::uint64_t all = parts_.about().bodies;
    for (const BodyRange& range : parts_.bodies_in({0, all})) {
      for (std::uint64_t first = range.first; first < range.last;) {
        // At the edges of the chunks of the file that is written.
        const std::uint64_t last = std::min(range.last, (first / bodies_at_once + 1) * bodies_at_once);
        take(parts_.read({first, last}));
        show(last, all);
        first = last;
      }
    }
    ++look_;
  }

  void show(std::uint64_t bodies, std::uint64_t all) const {
    if (control_.stop != nullptr && *control_.stop)
      throw Error(ErrorKind::interrupted, (control_.stopped_by ? "ended by " + control_.stopped_by() : "ended") +
                                              " before all parts were joined; nothing was written");
    if (!control_.progress) return;
    EnsembleProgress progress;
    progress.bodies = bodies;
    progress.all = all;
    progress.done = (static_cast<double>(look_) + static_cast<double>(bodies) / static_cast<double>(all)) /
                    static_cast<double>(looks_);
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    control_.progress(progress);
  }

  void count(const EnsembleChunk& chunk, const std::vector<EnsembleQuantity>& quantities, std::size_t begin,
             std::size_t end) {
    if (begin == end) return;
    const std::vector<bool> failed = which_failed(chunk);
    for (std::size_t k = begin; k < end; ++k)
      each_value(quantities[k], chunk, failed, [&](double x) { searches_[k].add(x); });
  }

  // The first round was that of the look at which bodies were written.
  void select(const std::vector<EnsembleQuantity>& quantities, EnsembleResult& result) {
    for (std::size_t begin = 0; begin < searches_.size(); begin += batch()) {
      const std::size_t end = std::min(begin + batch(), searches_.size());
      for (bool more = true; more;) {
        for (std::size_t k = begin; k < end; ++k) more = searches_[k].next_round();
        if (more) look([&](const EnsembleChunk& chunk) { count(chunk, quantities, begin, end); });
      }
      for (std::size_t k = begin; k < end; ++k)
        result.quantiles.push_back(
            {quantities[k].name, quantities[k].time, parts_.wanted().quantiles, searches_[k].quantiles()});
    }
  }

  const EnsembleParts& parts_;
  const EnsembleControl& control_;
  std::vector<QuantileSearch> searches_;
  std::size_t looks_ = 1, look_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

EnsembleResult merge(const EnsembleParts& parts, EnsembleWriter* writer, const EnsembleControl& control) {
  parts.check_whole();
  return Merging(parts, control).merge(writer);
}

}  // namespace polhode
