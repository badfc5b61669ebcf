// One motion told in many ways: in other axes, in other units, with another form of the start, with time running the
// other way. Runs go the way of a user: a scenario file, a method by its name, rows.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "described_kinds.hpp"
#include "polhode/run/run.hpp"

namespace polhode::test {

using Situation = polhode::Setup;  // GoogleTest has a Setup of its own
constexpr double eps = std::numeric_limits<double>::epsilon();

// Three different moments in rising order, as the axes of a tensor come out: some methods treat axes in turn.
inline Situation body_under(const Torques& torques) {
  const R attitude = exp(V{0.5, -0.9, 0.4});
  Situation s;
  s.inertia = V{0.9, 1.6, 2.1};
  s.attitude = {AttitudeData::Kind::wxyz, {attitude.w, attitude.v.x, attitude.v.y, attitude.v.z}};
  s.motion = {MotionData::Kind::angular_velocity_body, {0.7, -0.5, 0.9}};
  s.time = 0.25;
  s.torques = torques;
  return s;
}

// What a row of the standard columns says.
struct Row {
  double t = 0;
  R R_SB;
  V w_B, l_S;
  double energy = 0;
};

struct Motion {
  std::vector<Row> rows;
  Result result;

  const Row& end() const { return rows.back(); }
};

inline Row row_of(const std::vector<Number>& c) {
  return {c[0].value,
          {c[1].value, {c[2].value, c[3].value, c[4].value}},
          {c[5].value, c[6].value, c[7].value},
          {c[8].value, c[9].value, c[10].value},
          c[11].value};
}

inline Scenario scenario_of(const Situation& situation, const RunSettings& run) {
  Scenario scenario;
  scenario.setup = situation;
  scenario.run = run;
  return scenario;
}

// Written as a file, read again and run.
inline Result run_as_file(const Scenario& scenario, Table& table) {
  const Scenario read = parse_scenario(to_toml(scenario), "motion.toml");
  return run(read, plan(read), &table);
}

inline Motion motion_of(const Situation& situation, const RunSettings& run) {
  Table table;
  Motion motion{{}, run_as_file(scenario_of(situation, run), table)};
  for (const auto& cells : table.rows) motion.rows.push_back(row_of(cells));
  return motion;
}

inline RunSettings by(const std::string& method, double step, double duration) {
  RunSettings run;
  run.method = method;
  run.step = step;
  run.duration = duration;
  return run;
}

// ---- the attitude and the motion that a situation states

inline R attitude_of(const Situation& s) {
  const auto& q = s.attitude.values;
  return {q[0], {q[1], q[2], q[3]}};
}
inline AttitudeData told(const R& q) { return {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}}; }

inline Mat3<double> tensor_in(const R& body, const V& moments) {
  const Mat3<double> axes = matrix(body);
  Mat3<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < 3; ++k) tensor[i][j] += axes[i][k] * moments[k] * axes[j][k];
      tensor[j][i] = tensor[i][j];
    }
  return tensor;
}

// The axes nearest to these in which all of its torques can be told.
inline Axes fitted(const Situation& s, Axes axes) {
  visit_torques(s.torques, [&](const auto&, auto described) { axes = described.fitted(axes); });
  return axes;
}

// For a situation as body_under() makes it.
inline Situation in_axes(Situation s, const Axes& axes) {
  Torques torques;
  visit_torques(s.torques, [&](const auto& field, auto kind) { torques.push_back(kind.turned(field, axes)); });
  s.torques = torques;
  s.inertia = tensor_in(axes.body, std::get<V>(s.inertia));
  s.attitude = told(axes.space * attitude_of(s) * inverse(axes.body));
  s.motion.value = axes.body * s.motion.value;
  return s;
}

inline Situation in_units(Situation s, const Factors& by) {
  Torques torques;
  visit_torques(s.torques, [&](const auto& field, auto kind) { torques.push_back(kind.rescaled(field, by)); });
  s.torques = torques;
  s.inertia = by.inertia * std::get<V>(s.inertia);
  s.motion.value = by.rate() * s.motion.value;
  s.time *= by.time;
  return s;
}
inline RunSettings in_units(RunSettings run, const Factors& by) {
  run.step *= by.time;
  if (run.duration) *run.duration *= by.time;
  return run;
}

// The motion that passes through the same attitudes in the opposite order.
inline Situation mirrored(Situation s) {
  Torques torques;
  visit_torques(s.torques, [&](const auto& field, auto kind) {
    for (const auto& part : kind.mirrored(field)) torques.push_back(part);
  });
  s.torques = torques;
  s.motion.value = -s.motion.value;
  s.time = -s.time;
  return s;
}

// ---- rows told in the first description again

inline Row in_first_axes(Row row, const Axes& axes) {
  row.R_SB = inverse(axes.space) * row.R_SB * axes.body;
  row.w_B = inverse(axes.body) * row.w_B;
  row.l_S = inverse(axes.space) * row.l_S;
  return row;
}
inline Row in_first_units(Row row, const Factors& by) {
  row.t /= by.time;
  row.w_B = row.w_B / by.rate();
  row.l_S = row.l_S / by.momentum();
  row.energy /= by.torque();
  return row;
}
inline Row mirrored(Row row) {
  row.t = -row.t;
  row.w_B = -row.w_B;
  row.l_S = -row.l_S;
  return row;
}

// The largest difference: of time [s], attitude [rad], and velocity, momentum and energy next to their size.
inline double distance(const Row& a, const Row& b) {
  const double kinetic = 0.5 * norm(a.w_B) * norm(a.l_S);  // or more
  double largest = 0;
  for (const double difference :
       {std::abs(a.t - b.t), angle_between(a.R_SB, b.R_SB), norm(a.w_B - b.w_B) / norm(a.w_B),
        norm(a.l_S - b.l_S) / norm(a.l_S), std::abs(a.energy - b.energy) / (kinetic + std::abs(a.energy))})
    largest = difference <= largest ? largest : std::isnan(difference) ? HUGE_VAL : difference;
  return largest;
}

template <class Back>
double distance(const Motion& a, const Motion& b, const Back& back) {
  if (a.result.failure || b.result.failure || a.rows.empty() || a.rows.size() != b.rows.size()) return HUGE_VAL;
  double largest = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) largest = std::max(largest, distance(a.rows[i], back(b.rows[i])));
  return largest;
}

// What the result of a run sums up; 0 where there is nothing to tell.
struct Summary {
  double energy_change, momentum_change, energy_error_max, drift, uncertainty;

  friend bool operator==(const Summary&, const Summary&) = default;
};
inline Summary summary_of(const Result& result, const Factors& by = {}) {
  const Drift drift = result.energy_drift.value_or(Drift{0, 0});
  const double energy = by.torque(), power = by.torque() / by.time;
  return {result.energy_change / energy, result.momentum_change / by.momentum(),
          result.energy_error_max.value_or(0) / energy, drift.rate / power, drift.uncertainty / power};
}

inline bool same_bits(const Row& a, const Row& b) {
  return a.t == b.t && a.R_SB == b.R_SB && a.w_B == b.w_B && a.l_S == b.l_S && a.energy == b.energy;
}

// What rounding may do in so many steps: some units for the data, and a few for each evaluation of the torque, of which
// each turns and crosses a few vectors.
inline double rounding(const std::string& method, std::size_t steps) {
  const Claims claims = parse_method(method).claims;
  return eps * (32 + 4 * static_cast<double>(steps) * (1 + claims.torque_evaluations));
}

// The same in a motion that may come near a spin about a principal axis: there a turn hardly changes the energy, and a
// projection makes up for its rounding by a turn that is |w| |l| / |w x l| times as large.
inline double rounding(const std::string& method, const Motion& motion) {
  double magnified = 1;
  if (method.find("+energy") != std::string::npos)
    for (const Row& row : motion.rows)
      magnified = std::max(magnified, norm(row.w_B) * norm(row.l_S) / norm(cross(row.R_SB * row.w_B, row.l_S)));
  return magnified * rounding(method, motion.rows.size() - 1);
}

// [SW91] as it was computed for a table of [B01]: a factor 1/h is missing, and so the second is no unit like another, and
// time runs forwards.
inline bool depends_on_the_second(const std::string& method) { return method.starts_with("simo-wong-buss"); }

}  // namespace polhode::test
