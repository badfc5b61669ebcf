// Bodies on a graphics card.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ensemble/card.hpp"
#include "ensemble/group.hpp"
#include "ensemble/side_by_side.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

constexpr long long steps_of_a_launch = 1024;  // between two looks at the stop flag

class OnCard final : public Group {
 public:
  OnCard(const Plan& typical, const polhode_card::Kernel& kernel, bool same_field, std::size_t most)
      : kernel_(kernel), most_(most), alone_(one_by_one(typical)), bodies_(typical, same_field), card_(kernel, most) {}

  bool follow(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk, GroupControl& control) override {
    if (bodies.size() > most_ || !bodies_.take(bodies)) {
      // A body of which no run can be made is searched for by halves, and told about alone.
      if (bodies.size() == 1) return alone_->follow(bodies, first, chunk, control);
      const std::size_t half = bodies.size() / 2;
      return follow(bodies.first(half), first, chunk, control) &&
             follow(bodies.subspan(half), first + half, chunk, control);
    }
    numbers_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) numbers_.push_back(bodies_.numbers(i, kernel_.field));
    card_.start(numbers_);
    card_.read();
    // The card takes the next steps while this thread looks at the states that were read.
    long long taken = 0;
    std::optional<std::size_t> last;  // mark; none: the start
    const auto look = [&] {
      const std::span<const double> rows = card_.numbers();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        StateNumbers at;
        for (std::size_t k = 0; k < at.size(); ++k) at[k] = rows[k * card_.stride() + i];
        if (last) {
          bodies_.see(*last, at, i, first + i, chunk);
        } else {
          bodies_.see_start(at, i, first + i, chunk);
        }
      }
    };
    for (std::size_t mark = 0; mark < bodies_.marks().size(); ++mark) {
      const long long at = bodies_.marks()[mark], before = taken;
      while (taken < at) {
        if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) return stopped();
        const long long to = kernel_.at_once ? at : std::min(at, taken + steps_of_a_launch);
        card_.advance(bodies_.steps(taken, to));
        taken = to;
        if (taken < at) card_.finish();  // or an interrupt would wait for all that is queued
      }
      look();
      card_.finish();
      control.body_steps += static_cast<std::uint64_t>(taken - before) * bodies.size();
      card_.read();
      last = mark;
    }
    look();
    return follow_failed(bodies, first, chunk, control);
  }

 private:
  bool stopped() {
    card_.finish();
    return false;
  }

  // A step failed: where and why is told where the body goes by itself.
  bool follow_failed(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk, GroupControl& control) {
    const std::span<const unsigned char> failed = card_.failed();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (failed[i] == 0) continue;
      for (BodyStates& snapshot : chunk.snapshots) forget(snapshot, first + i);
      forget(chunk.end, first + i);
      if (!alone_->follow(bodies.subspan(i, 1), first + i, chunk, control)) return false;
    }
    return true;
  }

  const polhode_card::Kernel& kernel_;
  std::size_t most_;
  std::unique_ptr<Group> alone_;
  SideBySide bodies_;
  CardBodies card_;
  std::vector<polhode_packs::BodyNumbers> numbers_;
};

[[noreturn]] void refuse(const std::string& why) {
  throw Error(
      ErrorKind::bad_request,
      fmt::format("the graphics card cannot follow these bodies: {}; on device cpu the processor does", why));
}

// A word for the torque where kernels do not know it.
constexpr std::string_view known_torques = "none, a heavy top's and the gravity gradient's";

}  // namespace

std::unique_ptr<Group> on_card(const Plan& typical, bool same_field, std::size_t most) {
  const Prepared<double> prepared = prepare<double>(typical.request.setup);
  if (const std::string why = reason_against_lanes(typical, prepared); !why.empty()) refuse(why);
  const polhode_packs::Field field = field_for_lanes(prepared.field);
  if (field == polhode_packs::Field::called) refuse(fmt::format("of torques it knows {}, each alone", known_torques));
  const polhode_card::Kernel* kernel = card_kernel(static_cast<int>(typical.method.index), field, false);
  if (kernel == nullptr) refuse(fmt::format("there are no kernels of {} in this build", typical.method.name));
  return std::make_unique<OnCard>(typical, *kernel, same_field, most);
}

}  // namespace polhode
