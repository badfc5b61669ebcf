#include "studies/situations.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/extremes.hpp"
#include "studies/probe_in.hpp"

namespace polhode {

template Probed probe<double>(const Situation&, const MethodSpec&, const ReferenceEnd&, const std::atomic<bool>*);

namespace {

bool is_smooth_field(const FieldSum<double>& field) {
  return Pieces<double>(field).size() == 1 && switch_count(field) == 0;
}

// A spatial direction along which no torque is seen on the way: at right angles to the two that differ most.
std::optional<Vec3<double>> axis_without(const std::vector<Vec3<double>>& torques_S) {
  Vec3<double> normal{};
  double largest = 0;
  for (const Vec3<double>& torque : torques_S) {
    largest = larger(largest, norm(torque));
    if (norm(cross(torques_S[0], torque)) > norm(normal)) normal = cross(torques_S[0], torque);
  }
  if (!(norm(normal) > 1e-6 * largest * largest)) return std::nullopt;
  normal = normal / norm(normal);
  for (const Vec3<double>& torque : torques_S)
    if (!(std::abs(dot(normal, torque)) < 1e-12 * largest)) return std::nullopt;
  // Of directions that are all but an axis of space, that axis: rounding would be taken for a change of momentum.
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(std::abs(normal[i]) - 1) < 1e-12) {
      normal = {};
      normal[i] = 1;
    }
  return normal;
}

[[noreturn]] void refuse_rest() {
  throw SetupError("start", "nothing moves here: the body is at rest and no torque acts on it; let it turn",
                   {"torque", "body"});
}

// Follows the motion for twenty radians, or what seems to be as long.
Situation looked_at(const Setup& setup, bool is_free) {
  const Prepared<double> prepared = prepare<double>(setup);
  const Body<double>& body = prepared.body;
  const double least = std::min({body.inertia.x, body.inertia.y, body.inertia.z});
  const auto velocity_of = [&](const State<double>& s) { return norm(body.velocity(s.pi_B, s.t)); };
  Work uncounted;
  const System<double, FieldSum<double>> system{body, prepared.field};
  const auto torque_of = [&](const State<double>& s) { return torque_spatial(system, s.R_SB, s.pi_B, s.t, uncounted); };
  const double first = larger(velocity_of(prepared.start), std::sqrt(norm(torque_of(prepared.start)) / least));
  if (!(first > 0)) refuse_rest();
  const auto stepper = make_stepper<double>(parse_method("rkmk-4"), body, prepared.field);
  const double h = 0.05 / first;
  stepper->start(prepared.start, h);
  double rate = first, momentum = norm(prepared.start.pi_B), kinetic = body.kinetic_energy(prepared.start.pi_B, 0);
  std::vector<Vec3<double>> torques_S{torque_of(prepared.start)};
  for (int n = 0; n < 400; ++n) {
    stepper->step(h);
    rate = larger(rate, velocity_of(stepper->state));
    momentum = larger(momentum, norm(stepper->state.pi_B));
    kinetic = larger(kinetic, body.kinetic_energy(stepper->state.pi_B, stepper->state.t));
    torques_S.push_back(torque_of(stepper->state));
  }
  Situation situation{setup, is_free, rate * prepared.time_in(1), kinetic, momentum, std::nullopt, false, false};
  if (!is_free) situation.torque_free_axis_S = axis_without(torques_S);
  situation.depends_on_velocity = prepared.field.depends_on_velocity();
  situation.energy_is_kept = prepared.conserves_energy() && is_smooth_field(prepared.field);
  return situation;
}

// Of this thread alone, so that other work on the machine counts for less [s].
double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int timed_steps = 1000, timing_repeats = 7;

double seconds_of(Stepper<double>& stepper, const State<double>& start, double h) {
  stepper.start(start, h);
  const double begin = processor_time();
  for (int n = 0; n < timed_steps; ++n) stepper.step(h);
  return (processor_time() - begin) / timed_steps;
}

}  // namespace

std::vector<Situation> situations_of(const Setup& setup, const MethodSpec& method) {
  std::vector<Situation> list;
  Setup without = setup;
  without.torques.clear();
  without.called_torques.clear();
  const auto take = [&](const Setup& one, bool is_free) {
    const Prepared<double> prepared = prepare<double>(one);
    make_stepper<double>(method, prepared.body, prepared.field)->start(prepared.start, 1e-3);
    list.push_back(looked_at(one, is_free));
  };
  const bool moves_alone = norm(prepare<double>(without).start.pi_B) > 0;
  if (moves_alone) take(without, true);
  if (!(setup.torques.empty() && setup.called_torques.empty()) && method.claims.needs != Needs::no_torque)
    take(setup, false);
  if (list.empty() && method.claims.needs != Needs::no_torque) refuse_rest();
  if (list.empty())
    throw MethodError(
        method.name +
        " takes no torque, and the body does not turn without; give it a start that does, or another method");
  return list;
}

Claims claims_in(const Situation& situation, const Claims& claims) {
  Claims here = claims;
  const Prepared<double> prepared = prepare<double>(situation.setup);
  if (!situation.energy_is_kept) {
    here.symplectic = false;
    here.energy = here.energy_free = Keeps::no;
  }
  if (situation.depends_on_velocity) {
    here.symmetric = here.symmetric && here.gains_with_velocity == Gains::all;
    const Orders orders = orders_with_velocity(claims);
    here.order_attitude = orders.attitude;
    here.order_momentum = orders.momentum;
  }
  if (!is_smooth_field(prepared.field)) here.symmetric = here.symplectic = false;
  return here;
}

LongRunEnergy long_run(const Situation& situation, const MethodSpec& method, EnergyCurve& curve) {
  const Prepared<double> prepared = prepare<double>(situation.setup);
  const auto stepper = make_stepper<double>(method, prepared.body, prepared.field);
  stepper->set_tolerance(coarse_tolerance(method.claims));
  const EnergyOf energy_of = [&](const State<double>& s) { return energy(prepared.body, prepared.field, s); };
  // As many steps as the cost of one allows, so that the answer does not keep one waiting.
  const int steps = static_cast<int>(std::clamp(200000 / (1 + method.claims.torque_evaluations), 8000.0, 40000.0));
  const LongRun wanted{prepared.time_in(situation.time_for(1.5)), steps};
  EnergyRecord record = with_room_to_grow(*stepper, prepared.start, wanted, situation.kinetic_energy, energy_of);
  const double seconds = 1 / prepared.time_in(1);
  // Once more, for the figure.
  constexpr int stretches = 400;
  const int in_each = std::max(1, record.steps / stretches);
  int n = 0;
  const auto keep = [&](double time, double error) {
    const double share = error / situation.kinetic_energy;
    if (n++ % in_each == 0) {
      curve.time.push_back(time * seconds);
      curve.least.push_back(share);
      curve.greatest.push_back(share);
    }
    curve.least.back() = smaller(curve.least.back(), share);
    curve.greatest.back() = larger(curve.greatest.back(), share);
  };
  record = energy_record(*stepper, prepared.start, record.step, record.steps, energy_of, keep);
  curve.situation = situation.is_free ? "free" : "field";
  curve.step = record.step * seconds;
  curve.steps = record.steps;
  return {record, situation.kinetic_energy, seconds};
}

StepCost cost_of(const Situation& situation, const MethodSpec& method) {
  const Prepared<double> prepared = prepare<double>(situation.setup);
  const auto stepper = make_stepper<double>(method, prepared.body, prepared.field);
  const auto yardstick = make_stepper<double>(parse_method("rkmk-4"), prepared.body, prepared.field);
  const double h = prepared.time_in(situation.time_for(0.1));
  StepCost cost;
  stepper->start(prepared.start, h);
  for (int n = 0; n < 10; ++n) stepper->step(h);
  const Work before = stepper->work;
  for (int n = 0; n < 100; ++n) stepper->step(h);
  cost.torque_evaluations = static_cast<double>(stepper->work.torque_evaluations - before.torque_evaluations) / 100;
  cost.solver_iterations = static_cast<double>(stepper->work.solver_iterations - before.solver_iterations) / 100;
  cost.seconds = cost.of_yardstick = std::numeric_limits<double>::infinity();
  for (int i = 0; i < timing_repeats; ++i) {
    cost.seconds = smaller(cost.seconds, seconds_of(*stepper, prepared.start, h));
    cost.of_yardstick = smaller(cost.of_yardstick, seconds_of(*yardstick, prepared.start, h));
  }
  return cost;
}

}  // namespace polhode
