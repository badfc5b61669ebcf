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

// T: the scalar of the kernel.
template <class T>
class InPacks final : public Group {
 public:
  InPacks(const Plan& typical, const Kernel& kernel, bool same_field, bool fused)
      : kernel_(kernel),
        fused_(fused),
        alone_(one_by_one(typical)),
        bodies_(typical, same_field),
        memory_(static_cast<std::byte*>(::operator new[](kernel.bytes, std::align_val_t{64}))) {}

  bool fused() const override { return fused_; }

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
    std::vector<BodyNumbers> numbers;
    for (std::size_t i = 0; i < kernel_.width; ++i) numbers.push_back(bodies_.numbers(i, kernel_.field));
    start_pack(numbers);
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

  void start_pack(const std::vector<BodyNumbers>& numbers) {
    if constexpr (std::is_same_v<T, double>) {
      fields_.emplace(bodies_.fields());
      const polhode_packs::CalledField called{torques_for(kernel_.width), &*fields_,
                                              fields_->body(0).field.depends_on_velocity()};
      kernel_.start(memory_.get(), numbers.data(), &called, 0);
    } else {
      kernel_.start(memory_.get(), numbers.data(), nullptr, 0);
    }
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
  bool fused_;
  std::unique_ptr<Group> alone_;
  SideBySide<T> bodies_;
  std::optional<FieldsOfBodies> fields_;  // of the pack
  std::unique_ptr<std::byte[], FreeMemory> memory_;
};

std::span<const Kernel> kernels_of([[maybe_unused]] InstructionSet set, [[maybe_unused]] bool fused) {
#if defined(POLHODE_PACKS)
  if (fused) {
    if (set == InstructionSet::avx512) return polhode_packs::kernels_of_avx512_fused();
    if (set == InstructionSet::avx2) return polhode_packs::kernels_of_avx2_fused();
    return {};  // SSE2 has no instruction that fuses
  }
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

std::unique_ptr<Group> in_packs(const Plan& typical, bool same_field, InstructionSet set, bool fast,
                                std::string& why_not) {
  const Prepared<double> prepared = prepare<double>(typical.request.setup);
  why_not = reason_against_lanes(typical, prepared);
  if (!why_not.empty()) return nullptr;
  const bool single = typical.request.run.scalar == ScalarKind::float_;
  const polhode_packs::Field kind = field_for_lanes(prepared.field);
  const auto found = [&](bool fused, polhode_packs::Field field) -> const Kernel* {
    for (const Kernel& kernel : kernels_of(set, fused))
      if (kernel.method == static_cast<int>(typical.method.index) && kernel.field == field && kernel.single == single)
        return &kernel;
    return nullptr;
  };
  const Kernel* kernel = fast ? found(true, kind) : nullptr;
  const bool fused = kernel != nullptr;
  if (kernel == nullptr) kernel = found(false, kind);
  if (kernel == nullptr && kind != polhode_packs::Field::free) kernel = found(false, polhode_packs::Field::called);
  if (kernel == nullptr) {
    why_not = fmt::format("there are no packs of {}{} in this field in this build", typical.method.name,
                          single ? " in float" : "");
    return nullptr;
  }
  if (single) return std::make_unique<InPacks<float>>(typical, *kernel, same_field, fused);
  return std::make_unique<InPacks<double>>(typical, *kernel, same_field, fused);
}

}  // namespace polhode
