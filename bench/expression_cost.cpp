// Cost of a torque by expressions beside the same torque as a C++ function, both as terms of a sum of fields, in double.
//
// Before anything is timed the two are compared: they have the same values at all states that are used. Then batches of
// evaluations take turns, and the medians of their times are printed with their ratio; more than three times is exit code
// 1.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "polhode/model/any_field.hpp"

namespace {

using namespace polhode;
using V = Vec3<double>;
using R = Rotation<double>;

constexpr double most = 3;
constexpr int states = 1000, rounds = 20, batches = 31;

struct Case {
  std::string name;
  ExpressionTorque<double> expression;
  std::function<V(const R&, const V&, const double&)> function;
};

ExpressionTorque<double> by_components(const std::string& x, const std::string& y, const std::string& z,
                                       NamedNumbers constants) {
  ExpressionTorque<double> field;
  field.x = x;
  field.y = y;
  field.z = z;
  field.constants = std::move(constants);
  return field;
}

ExpressionTorque<double> by_potential(const std::string& potential, NamedNumbers constants) {
  ExpressionTorque<double> field;
  field.potential_energy = potential;
  field.constants = std::move(constants);
  return field;
}

std::vector<Case> cases() {
  return {{"damped and driven", by_components("-c*wx", "-c*wy + a*sin(3*t)", "-c*wz", {{"a", 2}, {"c", 0.1}}),
           [](const R&, const V& w, const double& t) {
             return V{-0.1 * w.x, -0.1 * w.y + 2 * std::sin(3 * t), -0.1 * w.z};
           }},
          {"attitude control",
           by_components("-k*qw*qx - d*wx", "-k*qw*qy - d*wy", "-k*qw*qz - d*wz", {{"k", 1.5}, {"d", 0.7}}),
           [](const R& q, const V& w, const double&) {
             return V{-1.5 * q.w * q.v.x - 0.7 * w.x, -1.5 * q.w * q.v.y - 0.7 * w.y, -1.5 * q.w * q.v.z - 0.7 * w.z};
           }},
          {"heavy top", by_components("mgl*Rzy", "-mgl*Rzx", "0", {{"mgl", 0.45}}),
           [](const R& q, const V&, const double&) {
             const V up = inverse(q) * V{0, 0, 1};
             return V{0.45 * up.y, -0.45 * up.x, 0};
           }},
          {"heavy top by its potential", by_potential("mgl*Rzz", {{"mgl", 0.45}}),
           [](const R& q, const V&, const double&) {
             const V up = inverse(q) * V{0, 0, 1};
             return V{0.45 * up.y, -0.45 * up.x, 0};
           }},
          {"drag by the square of the rate",
           by_components("-c*sqrt(wx^2 + wy^2 + wz^2)*wx", "-c*sqrt(wx^2 + wy^2 + wz^2)*wy",
                         "-c*sqrt(wx^2 + wy^2 + wz^2)*wz", {{"c", 0.2}}),
           [](const R&, const V& w, const double&) { return -0.2 * norm(w) * w; }},
          {"thruster", by_components("0", "0", "if(wz > 0.5, -a, b)", {{"a", 0.3}, {"b", 0.1}}),
           [](const R&, const V& w, const double&) {
             return V{0, 0, w.z > 0.5 ? -0.3 : 0.1};
           }}};
}

struct Situation {
  R R_SB;
  V w_B;
  double t;
};

std::vector<Situation> situations() {
  std::vector<Situation> all;
  for (int i = 0; i < states; ++i) {
    const double s = 0.01 * i;
    all.push_back({normalised(exp(V{std::sin(s), 1.3 * std::cos(2 * s), 0.7 * std::sin(3 * s)})),
                   {std::cos(s), std::sin(1.7 * s), 0.5 + std::cos(5 * s)},
                   s});
  }
  return all;
}

// Seconds for one evaluation.
double time_of(const FieldSum<double>& field, const std::vector<Situation>& all, double& sum) {
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round)
    for (const Situation& s : all) sum += field.torque(s.R_SB, s.w_B, s.t).z;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return seconds.count() / rounds / static_cast<double>(all.size());
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  const std::vector<Situation> all = situations();
  bool kept = true;
  double sum = 0;
  fmt::print("{:32}{:>16}{:>16}{:>8}\n", "torque", "expression [ns]", "C++ [ns]", "ratio");
  for (const Case& one : cases()) {
    Callback<double> callback;
    callback.torque_B = TorqueFunction<double>(one.function);
    const FieldSum<double> expression({one.expression.in_si_units()}), function({callback});
    for (const Situation& s : all) {
      const V a = expression.torque(s.R_SB, s.w_B, s.t), b = function.torque(s.R_SB, s.w_B, s.t);
      if (!(norm(a - b) <= 1e-15 * (1 + norm(b)))) {
        fmt::print("{}: the two torques differ\n", one.name);
        return 1;
      }
    }
    std::vector<double> of_expression, of_function;
    for (int i = 0; i < batches; ++i) {
      of_expression.push_back(time_of(expression, all, sum));
      of_function.push_back(time_of(function, all, sum));
    }
    const double ratio = median(of_expression) / median(of_function);
    kept = kept && ratio <= most;
    fmt::print("{:32}{:16.2f}{:16.2f}{:8.2f}\n", one.name, 1e9 * median(of_expression), 1e9 * median(of_function),
               ratio);
  }
  if (!kept) fmt::print("more than {} times\n", most);
  return kept && std::isfinite(sum) ? 0 : 1;
}
