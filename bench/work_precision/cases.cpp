#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "polhode/problems/exact.hpp"
#include "polhode/problems/reference.hpp"
#include "torque_time.hpp"

namespace polhode::bench {
namespace {

constexpr std::array<double, errors.size()> throughout(double ratio) {
  return {ratio, ratio, ratio, ratio, ratio, ratio};
}

// A random attitude, and the start's speed about a random axis of the body.
Setup elsewhere(Setup setup, double speed, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Rotation<double> q{normal(random), {normal(random), normal(random), normal(random)}};
  q = normalised(q);
  const Vec3<double> axis{normal(random), normal(random), normal(random)};
  setup.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  setup.motion = {MotionData::Kind::angular_velocity_body, (speed / norm(axis)) * axis};
  return setup;
}

// Where a start at random may lead into, and no step is small enough.
bool has_singularity(const Setup& setup) {
  return std::any_of(setup.torques.begin(), setup.torques.end(), [](const FieldData<double>& torque) {
    return std::holds_alternative<Coulomb<double>>(torque) || std::holds_alternative<StressTest<double>>(torque);
  });
}

// The attitude at the end, in long double.
Rotation<long double> end_of(const Problem& problem, const Setup& start, double duration) {
  Problem moved = problem;
  moved.setup = start;
  if (const auto exact = exact_at<long double>(moved, duration)) return exact->R_SB;
  return propagated<long double>(start, duration).R_SB;
}

}  // namespace

std::vector<CaseSpec> case_list() {
  std::vector<CaseSpec> list;
  list.push_back({"P1", "free-mclachlan-zanna", 100, 0, Goal{.time = {{12, 20, 30, 45, 70, 200}}}});
  list.push_back({"P1 to 1e4", "free-mclachlan-zanna", 1e4, 0, Goal{.time = throughout(1000)}});
  list.push_back({"P2", "fast-top", 10, 0, Goal{.time = throughout(8), .evaluations = throughout(12)}});
  list.push_back({"P3", "asymmetric-top", 50, 0, Goal{.time = {{1.1, 1.4, 1.8, 3, 3.5, 5}}, .conserves = true}});
  list.push_back({"P3 with an expensive torque, 1 us", "asymmetric-top", 50, 1e-6,
                  Goal{.time = {{1.5, 1.5, 1.5, 1.5, 1.5, 1.4}}, .evaluations = throughout(2)}});
  list.push_back({"P3 with an expensive torque, 10 us", "asymmetric-top", 50, 1e-5, Goal{.time = throughout(2.3)}});
  for (const Problem& problem : problems()) {
    const auto same = [&](const CaseSpec& other) { return other.problem == problem.name; };
    if (std::none_of(list.begin(), list.end(), same))
      list.push_back({std::string(problem.name), std::string(problem.name),
                      std::min(problem.duration, problem.reference_duration)});
  }
  return list;
}

Case make_case(const CaseSpec& spec) {
  const Problem* problem = find_problem(spec.problem);
  if (problem == nullptr) throw std::invalid_argument("no problem named " + spec.problem);
  Case made;
  made.name = spec.name;
  made.about = problem->about;
  made.setup = problem->setup;
  made.duration = spec.duration;
  const bool is_expensive = spec.torque_seconds > 0;
  made.idling = is_expensive ? &idling() : nullptr;
  made.with_kernels = spec.goal && !is_expensive;  // of an expensive torque nothing is known to the compiler

  const Prepared<double> prepared = prepare<double>(made.setup);
  const State<double> start = prepared.in_user_units(prepared.start);
  // A direction on the sphere becomes an attitude, so that any integrator of rotations can take it.
  if (space_of(made.setup) == Space::sphere)
    made.setup.attitude = {AttitudeData::Kind::wxyz, {start.R_SB.w, start.R_SB.v.x, start.R_SB.v.y, start.R_SB.v.z}};
  const double speed = norm(prepared.body_in_user_units().velocity(start.pi_B));
  made.turned = speed * spec.duration;

  std::mt19937_64 random(1);
  made.starts.push_back(made.setup);
  if (!has_singularity(made.setup))
    for (std::size_t i = 0; i < random_starts; ++i) made.starts.push_back(elsewhere(made.setup, speed, random));
  const auto reference =
      space_of(problem->setup) == Space::rotations ? reference_at<long double>(*problem, spec.duration) : std::nullopt;
  for (const Setup& s : made.starts) {
    made.ends.push_back(made.ends.empty() && reference ? reference->state.R_SB : end_of(*problem, s, spec.duration));
  }
  return made;
}

Seven seven_of(const Setup& start) {
  const Prepared<double> prepared = prepare<double>(start);
  const State<double> s = prepared.in_user_units(prepared.start);
  const Vec3<double> w_B = prepared.body_in_user_units().velocity(s.pi_B);
  return {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z, w_B.x, w_B.y, w_B.z};
}

}  // namespace polhode::bench
