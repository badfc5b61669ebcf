// Bodies in packs, by the kernels of one instruction set.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "ensemble/group.hpp"
#include "ensemble/pack_kernels.hpp"
#include "ensemble/side_by_side.hpp"

namespace polhode {
namespace {

using polhode_packs::BodyNumbers;
using polhode_packs::Kernel;

constexpr long long most_steps_at_once = 4096;  // between two looks at the stop flag

auto torques_for(std::size_t width) {
  return width == 4 ? &called_torques<4> : width == 8 ? &called_torques<8> : &called_torques<16>;
}

struct FreeMemory {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};

class InPacks final : public Group {
 public:
  InPacks(const Plan& typical, const Kernel& kernel, bool same_field)
      : kernel_(kernel),
        alone_(one_by_one(typical)),
        bodies_(typical, same_field),
        memory_(static_cast<std::byte*>(::operator new[](kernel.bytes, std::align_val_t{64}))) {}

  bool follow(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk, GroupControl& control) override {
    for (std::size_t begin = 0; begin < bodies.size(); begin += kernel_.width) {
      const auto pack = bodies.subspan(begin, std::min(kernel_.width, bodies.size() - begin));
      const std::optional<bool> good = follow_pack(pack, first + begin, chunk, control);
      if (!good) return false;
      // A step failed: which body's, where and why is told where each goes by itself.
      if (!*good && !alone_->follow(pack, first + begin, chunk, control)) return false;
    }
    return true;
  }

 private:
  // Whether all went well; none: it was stopped.
  std::optional<bool> follow_pack(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk,
                                  GroupControl& control) {
    if (!bodies_.take(bodies)) return false;
    const FieldsOfBodies fields = bodies_.fields();
    const polhode_packs::CalledField called{torques_for(kernel_.width), &fields,
                                            fields.body(0).field.depends_on_velocity()};
    std::vector<BodyNumbers> numbers;
    for (std::size_t i = 0; i < kernel_.width; ++i) numbers.push_back(bodies_.numbers(i, kernel_.field));
    kernel_.start(memory_.get(), numbers.data(), &called, 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies_.see_start(read(i), i, first + i, chunk);
    long long taken = 0;
    for (std::size_t mark = 0; mark < bodies_.marks().size(); ++mark) {
      const long long at = bodies_.marks()[mark];
      while (taken < at) {
        if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) return std::nullopt;
        const long long to = std::min(at, taken + most_steps_at_once);
        if (!advance(taken, to)) return false;
        control.body_steps += static_cast<std::uint64_t>(to - taken) * bodies.size();
        taken = to;
      }
      for (std::size_t i = 0; i < bodies.size(); ++i) bodies_.see(mark, read(i), i, first + i, chunk);
    }
    return true;
  }

  bool advance(long long from, long long to) {
    const bool converged = kernel_.advance(memory_.get(), bodies_.steps(from, to));
    double sum = 0;
    for (std::size_t i = 0; i < kernel_.width; ++i)
      for (const double x : read(i)) sum += x - x;
    return converged && sum == 0;
  }

  StateNumbers read(std::size_t i) const {
    StateNumbers numbers;
    kernel_.read(memory_.get(), i, numbers.data());
    return numbers;
  }

  const Kernel& kernel_;
  std::unique_ptr<Group> alone_;
  SideBySide bodies_;
  std::unique_ptr<std::byte[], FreeMemory> memory_;
};

std::span<const Kernel> kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(POLHODE_PACKS)
  switch (set) {
    case InstructionSet::avx512: return polhode_packs::kernels_of_avx512();
    case InstructionSet::avx2: return polhode_packs::kernels_of_avx2();
    case InstructionSet::baseline: return polhode_packs::kernels_of_sse2();
  }
#endif
  return {};
}

}  // namespace

std::string_view instruction_set_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512: return "avx512";
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::baseline: break;
  }
  return "sse2";
}

std::unique_ptr<Group> in_packs(const Plan& typical, bool same_field, InstructionSet set, std::string& why_not) {
  const Prepared<double> prepared = prepare<double>(typical.request.setup);
  why_not = reason_against_lanes(typical, prepared);
  if (!why_not.empty()) return nullptr;
  const auto serves = [&](polhode_packs::Field kind) {
    return [&, kind](const Kernel& kernel) {
      return kernel.method == static_cast<int>(typical.method.index) && kernel.field == kind;
    };
  };
  const std::span<const Kernel> all = kernels_of(set);
  const polhode_packs::Field kind = field_for_lanes(prepared.field);
  auto found = std::find_if(all.begin(), all.end(), serves(kind));
  if (found == all.end() && kind != polhode_packs::Field::free)
    found = std::find_if(all.begin(), all.end(), serves(polhode_packs::Field::called));
  if (found != all.end()) return std::make_unique<InPacks>(typical, *found, same_field);
  why_not = fmt::format("there are no packs of {} in this field in this build", typical.method.name);
  return nullptr;
}

}  // namespace polhode
