// Bodies in packs, by the kernels of one instruction set.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <optional>

#include "ensemble/called_torque.hpp"
#include "ensemble/cells.hpp"
#include "ensemble/group.hpp"
#include "ensemble/pack_kernels.hpp"
#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference.hpp"
#include "run/column_list.hpp"
#include "run/watched.hpp"

namespace polhode {
namespace {

using polhode_packs::BodyNumbers;
using polhode_packs::Kernel;

constexpr double most_steps_at_once = 4096;  // between two looks at the stop flag

// The numbers of a field that kernels know by its type, key after key.
template <class F>
void write_numbers(const F& field, double* to) {
  const auto write = [&](const auto& member) {
    if constexpr (std::is_same_v<std::decay_t<decltype(member)>, double>) {
      *to++ = member;
    } else {
      for (std::size_t k = 0; k < 3; ++k) *to++ = member[k];
    }
  };
  std::apply([&](const auto&... key) { (write(field.*(key.member)), ...); }, F::keys());
}

void write(const Vec3<double>& v, double* to) {
  for (std::size_t k = 0; k < 3; ++k) to[k] = v[k];
}

// As StepTimes has them.
double step_of(const Prepared<double>& prepared, const Steps& steps) {
  return (steps.backwards ? -1 : 1) * prepared.time_in(steps.size);
}

BodyNumbers numbers_of(const Prepared<double>& prepared, const Steps& steps, polhode_packs::Field kind) {
  BodyNumbers numbers{};
  const State<double>& s = prepared.start;
  numbers.attitude[0] = s.R_SB.w;
  write(s.R_SB.v, numbers.attitude + 1);
  write(s.pi_B, numbers.momentum_B);
  numbers.time = s.t;
  write(prepared.body.inertia, numbers.inertia);
  numbers.second = prepared.body.second;
  numbers.step = step_of(prepared, steps);
  if (steps.length) {
    const double length = prepared.time_in(*steps.length);
    numbers.last_step = length - static_cast<double>(steps.count - 1) * numbers.step;
    numbers.end_time = s.t + length;
  }
  const auto& terms = prepared.field.terms();
  if (kind == polhode_packs::Field::heavy_top) write_numbers(std::get<HeavyTop<double>>(terms.front()), numbers.field);
  if (kind == polhode_packs::Field::gravity_gradient)
    write_numbers(std::get<GravityGradient<double>>(terms.front()), numbers.field);
  return numbers;
}

auto torques_for(std::size_t width) {
  return width == 4 ? &called_torques<4> : width == 8 ? &called_torques<8> : &called_torques<16>;
}

struct FreeMemory {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};

class InPacks final : public Group {
 public:
  InPacks(const Plan& typical, const Kernel& kernel, bool same_field)
      : plan_(typical),
        kernel_(kernel),
        same_field_(same_field),
        alone_(one_by_one(typical)),
        cells_({}, &typical.watched->quantities),
        memory_(static_cast<std::byte*>(::operator new[](kernel.bytes, std::align_val_t{64}))) {
    for (const double t : typical.times.value_or(std::vector<double>{})) marks_.push_back(step_at(t));
    marks_.push_back(plan_.steps.count);
  }

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
  long long step_at(double t) const { return std::llround(std::abs(t - plan_.request.setup.time) / plan_.steps.size); }

  // Whether all went well; none: it was stopped.
  std::optional<bool> follow_pack(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk,
                                  GroupControl& control) {
    prepared_.clear();
    try {
      for (const Setup& body : bodies) prepared_.push_back(prepare<double>(body));
    } catch (const SetupError&) {
      return false;
    }
    const auto same_units = [&](const Prepared<double>& one) { return one.units == prepared_.front().units; };
    FieldsOfBodies fields{prepared_, same_field_ && std::all_of(prepared_.begin(), prepared_.end(), same_units)};
    const polhode_packs::CalledField called{torques_for(kernel_.width), &fields,
                                            prepared_.front().field.depends_on_velocity()};
    std::vector<BodyNumbers> numbers;
    for (std::size_t i = 0; i < kernel_.width; ++i)
      numbers.push_back(numbers_of(fields.body(i), plan_.steps, kernel_.field));
    kernel_.start(memory_.get(), numbers.data(), &called, 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) put(chunk.start, first + i, seen(i, reached(i, 0)));
    starts_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) starts_.push_back(reached(i, 0));
    long long taken = 0;
    for (std::size_t k = 0; k < marks_.size(); ++k) {
      while (taken < marks_[k]) {
        if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) return std::nullopt;
        const long long to = std::min(marks_[k], taken + static_cast<long long>(most_steps_at_once));
        if (!advance(taken, to)) return false;
        control.body_steps += static_cast<std::uint64_t>(to - taken) * bodies.size();
        taken = to;
      }
      const bool at_end = k + 1 == marks_.size();
      BodyStates& states = at_end ? chunk.end : chunk.snapshots[k];
      for (std::size_t i = 0; i < bodies.size(); ++i) put(states, first + i, seen(i, reached(i, taken)));
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) take_errors(bodies[i], i, first + i, chunk);
    return true;
  }

  bool advance(long long from, long long to) {
    const bool converged =
        kernel_.advance(memory_.get(), {from, to, plan_.steps.length.has_value() && to == plan_.steps.count});
    double sum = 0;
    for (std::size_t i = 0; i < kernel_.width; ++i)
      for (const double x : read(i)) sum += x - x;
    return converged && sum == 0;
  }

  std::array<double, 10> read(std::size_t i) const {
    std::array<double, 10> numbers;
    kernel_.read(memory_.get(), i, numbers.data());
    return numbers;
  }

  Reached<double> reached(std::size_t i, long long taken) const {
    const std::array<double, 10> x = read(i);
    return {{{x[0], {x[1], x[2], x[3]}}, {x[4], x[5], x[6]}, time(prepared_[i], taken)}, {x[7], x[8], x[9]}};
  }
  // As StepTimes has it.
  double time(const Prepared<double>& prepared, long long taken) const {
    const Steps& steps = plan_.steps;
    if (steps.length && taken == steps.count) return prepared.start.t + prepared.time_in(*steps.length);
    return prepared.start.t + static_cast<double>(taken) * step_of(prepared, steps);
  }

  BodyState seen(std::size_t i, const Reached<double>& at) const {
    const View<double> view(prepared_[i]);
    return {view.state(at).R_SB, view.velocity_B(at.state), view.momentum_S(at), view.energy(at.state)};
  }

  void take_errors(const Setup& setup, std::size_t i, std::size_t body, EnsembleChunk& chunk) {
    const View<double> view(prepared_[i]);
    const Reached<double> end = reached(i, plan_.steps.count);
    const double energy = view.energy(starts_[i].state);
    const Vec3<double> momentum_S = view.momentum_S(starts_[i]);
    chunk.energy_error[body] = relative(view.energy(end.state) - energy, energy);
    chunk.momentum_error[body] = relative(norm(view.momentum_S(end) - momentum_S), norm(momentum_S));
    const std::vector<Number>& quantities = cells_.quantities(view, end);
    for (std::size_t k = 0; k < quantities.size(); ++k) chunk.quantities[k][body] = quantities[k].value;
    if (chunk.attitude_error.empty()) return;
    const auto state = cast<long double>(prepared_[i].in_user_units(end.state));
    if (const auto exact = closed_form_at<long double>(setup, state.t))
      chunk.attitude_error[body] = static_cast<double>(attitude_error(state, exact->state));
  }

  const Plan& plan_;
  const Kernel& kernel_;
  bool same_field_;
  std::unique_ptr<Group> alone_;
  RowCells<double> cells_;
  std::unique_ptr<std::byte[], FreeMemory> memory_;
  std::vector<long long> marks_;  // steps after which states are looked at
  std::vector<Prepared<double>> prepared_;
  std::vector<Reached<double>> starts_;
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

polhode_packs::Field kind_of(const FieldSum<double>& field) {
  if (field.empty()) return polhode_packs::Field::free;
  if (field.terms().size() == 1) {
    if (std::holds_alternative<HeavyTop<double>>(field.terms().front())) return polhode_packs::Field::heavy_top;
    if (std::holds_alternative<GravityGradient<double>>(field.terms().front()))
      return polhode_packs::Field::gravity_gradient;
  }
  return polhode_packs::Field::called;
}

bool is_smooth(const FieldSum<double>& field) {
  const auto is_cut = [](const auto& term) {
    return std::visit(
        [](const auto& torque) {
          if constexpr (CutField<std::decay_t<decltype(torque)>>) return !std::ranges::empty(torque.cuts());
          return false;
        },
        term);
  };
  return switch_count(field) == 0 && std::none_of(field.terms().begin(), field.terms().end(), is_cut);
}

// Snapshots within steps need the dense output of a stepper.
bool at_whole_steps(const Plan& plan) {
  if (!plan.times) return true;
  const double begin = plan.request.setup.time, h = (plan.steps.backwards ? -1 : 1) * plan.steps.size;
  return std::all_of(plan.times->begin(), plan.times->end(),
                     [&](double t) { return t == begin + std::nearbyint((t - begin) / h) * h; });
}

std::string reason_against(const Plan& plan, const Prepared<double>& prepared) {
  const MethodInfo& method = methods()[plan.method.index];
  if (!method.plugin.empty()) return fmt::format("{} was loaded from a plug-in", method.name);
  if (!method.claims.batch) return fmt::format("{} has no form for packs", method.name);
  if (!plan.method.suffixes.empty()) return "methods with a suffix have no form for packs";
  if (!plan.method.parameters.empty() && plan.method.name != method.name)
    return fmt::format("{} has parameters that are not the defaults", method.name);
  if (plan.tolerance) return fmt::format("{} chooses its own steps for a tolerance", method.name);
  if (plan.request.run.scalar != ScalarKind::double_)
    return fmt::format("packs are of doubles, and the scalar is {}", scalar_name(plan.request.run.scalar));
  if (!plan.steps.listed.empty()) return "the steps are of different sizes";
  if (plan.watched->looks_at_steps()) return "events are looked for one body at a time";
  if (!plan.request.setup.wheels.empty()) return "bodies with wheels have no form for packs";
  if (!plan.request.setup.called_torques.empty()) return "the torque is a function of the calling program";
  if (space_of(plan.request.setup) == Space::sphere) return "motions on the sphere have no form for packs";
  if (!is_smooth(prepared.field)) return "the torque has jumps or corners (a pulse, a table, abs, min, max or if)";
  if (!at_whole_steps(plan)) return "a snapshot lies between two steps";
  return "";
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
  why_not = reason_against(typical, prepared);
  if (!why_not.empty()) return nullptr;
  const auto serves = [&](polhode_packs::Field kind) {
    return [&, kind](const Kernel& kernel) {
      return kernel.method == static_cast<int>(typical.method.index) && kernel.field == kind;
    };
  };
  const std::span<const Kernel> all = kernels_of(set);
  const polhode_packs::Field kind = kind_of(prepared.field);
  auto found = std::find_if(all.begin(), all.end(), serves(kind));
  if (found == all.end() && kind != polhode_packs::Field::free)
    found = std::find_if(all.begin(), all.end(), serves(polhode_packs::Field::called));
  if (found != all.end()) return std::make_unique<InPacks>(typical, *found, same_field);
  why_not = fmt::format("there are no packs of {} in this field in this build", typical.method.name);
  return nullptr;
}

}  // namespace polhode
