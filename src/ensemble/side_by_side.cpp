#include "ensemble/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensemble/field_numbers.hpp"
#include "ensemble/free_error.hpp"
#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "run/watched.hpp"

namespace polhode {
namespace {

using polhode_packs::BodyNumbers;

template <class F, class T>
void write_numbers(const FieldSum<T>& field, double* to) {
  for_each_number(std::get<F>(field.terms().front()), [&](const T& x) { *to++ = x; });
}

template <class T>
void write(const Vec3<T>& v, double* to) {
  for (std::size_t k = 0; k < 3; ++k) to[k] = v[k];
}

// As StepTimes has them.
template <class T>
T step_of(const Prepared<T>& prepared, const Steps& steps) {
  return T(steps.backwards ? -1 : 1) * prepared.time_in(steps.size);
}

template <class T>
Vec3<T> three(const StateNumbers& x, std::size_t from) {
  return {static_cast<T>(x[from]), static_cast<T>(x[from + 1]), static_cast<T>(x[from + 2])};
}

bool is_smooth(const FieldSum<double>& field) { return switch_count(field) == 0 && !has_cuts(field); }

// Snapshots within steps need the dense output of a stepper.
bool at_whole_steps(const Plan& plan) {
  if (!plan.times) return true;
  const double begin = plan.request.setup.time, h = (plan.steps.backwards ? -1 : 1) * plan.steps.size;
  return std::all_of(plan.times->begin(), plan.times->end(),
                     [&](double t) { return t == begin + std::nearbyint((t - begin) / h) * h; });
}

}  // namespace

template <class T>
SideBySide<T>::SideBySide(const Plan& typical, bool same_field)
    : plan_(typical), same_field_(same_field), cells_({}, &typical.watched->quantities) {
  for (const double t : typical.times.value_or(std::vector<double>{})) marks_.push_back(step_at(t));
  marks_.push_back(plan_.steps.count);
}

template <class T>
bool SideBySide<T>::take(std::span<const Setup> bodies) {
  setups_ = bodies;
  prepared_.clear();
  starts_.clear();
  try {
    for (const Setup& body : bodies) prepared_.push_back(prepare<T>(body));
  } catch (const SetupError&) {
    return false;
  }
  return true;
}

template <class T>
FieldsOfBodies SideBySide<T>::fields() const requires std::is_same_v<T, double> {
  const auto same_units = [&](const Prepared<T>& one) { return one.units == prepared_.front().units; };
  return {prepared_, same_field_ && std::all_of(prepared_.begin(), prepared_.end(), same_units)};
}

template <class T>
BodyNumbers SideBySide<T>::numbers(std::size_t i, polhode_packs::Field kind) const {
  const Prepared<T>& prepared = prepared_[std::min(i, prepared_.size() - 1)];
  const Steps& steps = plan_.steps;
  BodyNumbers numbers{};
  const State<T>& s = prepared.start;
  numbers.attitude[0] = s.R_SB.w;
  write(s.R_SB.v, numbers.attitude + 1);
  write(s.pi_B, numbers.momentum_B);
  numbers.time = s.t;
  write(prepared.body.inertia, numbers.inertia);
  numbers.second = prepared.body.second;
  numbers.step = step_of(prepared, steps);
  if (steps.length) {
    const T length = prepared.time_in(*steps.length);
    numbers.last_step = length - static_cast<T>(steps.count - 1) * step_of(prepared, steps);
    numbers.end_time = s.t + length;
  }
  if (kind == polhode_packs::Field::heavy_top) write_numbers<HeavyTop<T>>(prepared.field, numbers.field);
  if (kind == polhode_packs::Field::gravity_gradient) write_numbers<GravityGradient<T>>(prepared.field, numbers.field);
  return numbers;
}

template <class T>
polhode_packs::Steps SideBySide<T>::steps(long long from, long long to) const {
  return {from, to, plan_.steps.length.has_value() && to == plan_.steps.count};
}

template <class T>
void SideBySide<T>::see_start(const StateNumbers& at, std::size_t i, std::size_t to, EnsembleChunk& chunk) {
  starts_.push_back(reached(at, i, 0));
  put(chunk.start, to, seen(starts_.back(), i));
}

template <class T>
void SideBySide<T>::see(std::size_t mark, const StateNumbers& at, std::size_t i, std::size_t to, EnsembleChunk& chunk) {
  const bool at_end = mark + 1 == marks_.size();
  const Reached<T> state = reached(at, i, marks_[mark]);
  put(at_end ? chunk.end : chunk.snapshots[mark], to, seen(state, i));
  if (at_end) take_errors(state, i, to, chunk);
}

template <class T>
long long SideBySide<T>::step_at(double t) const {
  return std::llround(std::abs(t - plan_.request.setup.time) / plan_.steps.size);
}

// As StepTimes has it.
template <class T>
T SideBySide<T>::time(const Prepared<T>& prepared, long long taken) const {
  const Steps& steps = plan_.steps;
  if (steps.length && taken == steps.count) return prepared.start.t + prepared.time_in(*steps.length);
  return prepared.start.t + static_cast<T>(taken) * step_of(prepared, steps);
}

template <class T>
Reached<T> SideBySide<T>::reached(const StateNumbers& x, std::size_t i, long long taken) const {
  return {{{static_cast<T>(x[0]), three<T>(x, 1)}, three<T>(x, 4), time(prepared_[i], taken)}, three<T>(x, 7)};
}

template <class T>
BodyState SideBySide<T>::seen(const Reached<T>& at, std::size_t i) const {
  const View<T> view(prepared_[i]);
  return {cast<double>(view.state(at).R_SB), cast<double>(view.velocity_B(at.state)), cast<double>(view.momentum_S(at)),
          view.energy(at.state)};
}

// As a run has them: changes in its scalar, beside what they are changes of in double.
template <class T>
void SideBySide<T>::take_errors(const Reached<T>& end, std::size_t i, std::size_t to, EnsembleChunk& chunk) {
  const View<T> view(prepared_[i]);
  const T energy = view.energy(starts_[i].state);
  const Vec3<T> momentum_S = view.momentum_S(starts_[i]);
  chunk.energy_error[to] = relative(static_cast<T>(view.energy(end.state) - energy), energy);
  chunk.momentum_error[to] = relative(norm(view.momentum_S(end) - momentum_S), norm(cast<double>(momentum_S)));
  const std::vector<Number>& quantities = cells_.quantities(view, end);
  for (std::size_t k = 0; k < quantities.size(); ++k) chunk.quantities[k][to] = quantities[k].value;
  if (chunk.attitude_error.empty()) return;
  const State<T> state = view.state(end);
  chunk.attitude_error[to] = free_attitude_error(setups_[i], cast<double>(state.R_SB), static_cast<double>(state.t));
}

template class SideBySide<double>;
template class SideBySide<float>;

polhode_packs::Field field_for_lanes(const FieldSum<double>& field) {
  if (field.empty()) return polhode_packs::Field::free;
  if (field.terms().size() == 1) {
    if (std::holds_alternative<HeavyTop<double>>(field.terms().front())) return polhode_packs::Field::heavy_top;
    if (std::holds_alternative<GravityGradient<double>>(field.terms().front()))
      return polhode_packs::Field::gravity_gradient;
  }
  return polhode_packs::Field::called;
}

std::string reason_against_lanes(const Plan& plan, const Prepared<double>& prepared) {
  const MethodInfo& method = methods()[plan.method.index];
  if (!method.plugin.empty()) return fmt::format("{} was loaded from a plug-in", method.name);
  if (!method.claims.batch) return fmt::format("{} has no form for packs", method.name);
  if (!plan.method.suffixes.empty()) return "methods with a suffix have no form for packs";
  if (!plan.method.parameters.empty() && plan.method.name != method.name)
    return fmt::format("{} has parameters that are not the defaults", method.name);
  if (plan.tolerance) return fmt::format("{} chooses its own steps for a tolerance", method.name);
  if (plan.request.run.scalar != ScalarKind::double_ && plan.request.run.scalar != ScalarKind::float_)
    return fmt::format("packs are of doubles or floats, and the scalar is {}", scalar_name(plan.request.run.scalar));
  if (!plan.steps.listed.empty()) return "the steps are of different sizes";
  if (plan.watched->looks_at_steps()) return "events are looked for one body at a time";
  if (!plan.request.setup.wheels.empty()) return "bodies with wheels have no form for packs";
  if (!plan.request.setup.called_torques.empty()) return "the torque is a function of the calling program";
  if (space_of(plan.request.setup) == Space::sphere) return "motions on the sphere have no form for packs";
  if (!is_smooth(prepared.field)) return "the torque has jumps or corners (a pulse, a table, abs, min, max or if)";
  if (!at_whole_steps(plan)) return "a snapshot lies between two steps";
  return "";
}

}  // namespace polhode
