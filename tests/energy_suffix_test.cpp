// +energy/k as a part of a run: it acts after the steps k, 2k, 3k and no other, in either direction of time, and brings the
// energy to what it shall be: that of the start, or what the torque has done since, by the trapezoidal rule.
#include <gtest/gtest.h>

#include <cmath>

#include "descriptions.hpp"
#include "method_names.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode::test::energy_suffix_test {
namespace {

constexpr double h = 0.05;
constexpr std::size_t steps = 22;

Motion run_by(const Situation& s, const std::string& method, int way) {
  return motion_of(s, by(method, h, way * h * static_cast<double>(steps)));
}

std::vector<std::string> projectable() {
  std::vector<std::string> names;
  for (const std::string& name : tested_names())
    if (name.ends_with("+energy")) names.push_back(name.substr(0, name.size() - 7));
  for (const char* composed : {"mclachlan-reich-123@triple-jump", "lie-verlet@suzuki", "newmark@kahan-li-6"})
    names.emplace_back(composed);
  return names;
}

double kinetic(const Row& row) {
  const V moments{0.9, 1.6, 2.1};  // of body_under()
  return 0.5 * dot(row.w_B, times(moments, row.w_B));
}

TEST(EnergySuffix, LeavesTheStepsBeforeTheKthAlone) {
  for (const std::string& method : projectable()) {
    for (const Torques& torques : {Torques{}, Torques{Described<HeavyTop<double>>::sample()},
                                   Torques{Described<ConstantBody<double>>::sample()}}) {
      const Situation s = body_under(torques);
      for (const int way : {1, -1}) {
        const Motion plain = run_by(s, method, way);
        for (const std::size_t k : {2U, 3U, 7U}) {
          const Motion projected = run_by(s, method + "+energy/" + std::to_string(k), way);
          ASSERT_EQ(projected.rows.size(), steps + 1);
          for (std::size_t i = 0; i < k; ++i)
            EXPECT_TRUE(same_bits(plain.rows[i], projected.rows[i])) << method << ", k = " << k << ", row " << i;
        }
      }
    }
  }
}

// A turn that is given up leaves 64 units and more; kinetic and potential energy are rounded for a row, too.
TEST(EnergySuffix, RestoresTheEnergyAfterEveryKthStep) {
  for (const std::string& method : projectable()) {
    for (const Torques& torques : {Torques{}, Torques{Described<HeavyTop<double>>::sample()}}) {
      const Situation s = body_under(torques);
      for (const int way : {1, -1}) {
        for (const std::size_t k : {1U, 2U, 3U, 7U}) {
          const Motion projected = run_by(s, method + "+energy/" + std::to_string(k), way);
          EXPECT_EQ(projected.result.work.projections_given_up, 0) << method;
          const double energy = projected.rows[0].energy, size = std::abs(energy) + kinetic(projected.rows[0]);
          for (std::size_t i = k; i <= steps; i += k)
            EXPECT_NEAR(projected.rows[i].energy, energy, 64 * eps * size) << method << ", k = " << k << ", row " << i;
        }
      }
    }
  }
}

// Every step in between is one of the method alone, from where the projection has left the body.
TEST(EnergySuffix, ActsAfterEveryKthStepAndNoOther) {
  for (const std::string method :
       {"rkmk-4", "taylor-1", "mclachlan-reich-231", "lie-verlet@suzuki", "crouch-grossman-4"}) {
    for (const auto& torque : every_kind()) {
      const Situation s = body_under({torque});
      if (kind_of(torque) == "pulse" || kind_of(torque) == "table") continue;  // begins to count anew at a cut
      for (const int way : {1, -1}) {
        for (const std::size_t k : {2U, 3U, 7U}) {
          const Motion projected = run_by(s, method + "+energy/" + std::to_string(k), way);
          for (std::size_t i = 0; i < steps; ++i) {
            const Row& row = projected.rows[i];
            Situation next = s;
            next.attitude = told(row.R_SB);
            next.motion.value = row.w_B;
            next.time = row.t;
            const Row alone = motion_of(next, by(method, h, way * h)).end();
            const double apart = angle_between(alone.R_SB, projected.rows[i + 1].R_SB);
            if ((i + 1) % k != 0) {
              EXPECT_LT(apart, rounding(method, 1)) << method << ", " << kind_of(torque) << ", step " << i + 1;
            } else if (method == "taylor-1") {  // whose error of one step is far above rounding
              EXPECT_GT(apart, 1e-8) << kind_of(torque) << ", step " << i + 1;
            }
          }
        }
      }
    }
  }
}

// The torque of the kinds that have no potential, or one that depends on time, at a row.
V torque_S(const FieldData<double>& torque, const Row& row) {
  if (const auto* fixed = std::get_if<ConstantSpatial<double>>(&torque)) return fixed->torque_S;
  if (const auto* fixed = std::get_if<ConstantBody<double>>(&torque)) return row.R_SB * fixed->torque_B;
  const auto& field = std::get<UniformField<double>>(torque);
  const V g_S = field.field + std::cos(field.angular_frequency * row.t) * field.oscillation;
  return cross(row.R_SB * (field.axis_body / norm(field.axis_body)), g_S);
}

// E_1 = E_0 + h/2 (w_0 . t_0 + w_1 . t_1) with what the step reaches before the body is turned, summed over k steps. Methods
// that know the work of the torque to a higher order are not among these.
TEST(EnergySuffix, BalancesTheWorkOfTheTorqueByTheTrapezoidalRule) {
  for (const std::string method : {"rkmk-4", "mclachlan-reich-231@suzuki", "crouch-grossman-4", "rotor-verlet"}) {
    for (const auto& torque : every_kind()) {
      const std::string_view kind = kind_of(torque);
      if (kind != "constant-spatial" && kind != "constant-body" && kind != "uniform-field") continue;
      const Situation s = body_under({torque});
      const auto power = [&](const Row& row) { return dot(row.R_SB * row.w_B, torque_S(torque, row)); };
      for (const int way : {1, -1}) {
        for (const std::size_t k : {1U, 3U, 7U}) {
          const Motion projected = run_by(s, method + "+energy/" + std::to_string(k), way);
          EXPECT_EQ(projected.result.work.projections_given_up, 0);
          double energy = kinetic(projected.rows[0]), rectangles = energy;
          for (std::size_t i = 0; i < steps; ++i) {
            const Row& row = projected.rows[i];
            Situation next = s;
            next.attitude = told(row.R_SB);
            next.motion.value = row.w_B;
            next.time = row.t;
            const Row alone = motion_of(next, by(method, h, way * h)).end();
            energy += way * h / 2 * (power(row) + power(alone));
            rectangles += way * h * power(row);
            if ((i + 1) % k != 0) continue;
            EXPECT_NEAR(kinetic(projected.rows[i + 1]), energy, 16 * eps * static_cast<double>(i + 1) * energy)
                << method << ", " << kind << ", k = " << k << ", step " << i + 1;
          }
          EXPECT_GT(std::abs(rectangles - energy), 1e-4) << "another rule would not be noticed";
        }
      }
    }
  }
}

// A stepper that is started again knows nothing of before: neither the energy nor how many steps there were.
TEST(EnergySuffix, ForgetsWhenItIsStartedAgain) {
  for (const auto& torque : every_kind()) {
    const auto prepared = prepare<double>(body_under({torque}));
    const auto fresh = make_stepper(parse_method("taylor-1+energy/3"), prepared.body, prepared.field);
    const auto used = fresh->clone();
    const double step = prepared.time_in(h);
    used->start(prepared.start, step);
    for (int n = 0; n < 4; ++n) used->step(step);
    used->start(prepared.start, step);
    fresh->start(prepared.start, step);
    for (int n = 0; n < 7; ++n) {
      used->step(step);
      fresh->step(step);
      ASSERT_TRUE(used->state.R_SB == fresh->state.R_SB && used->state.pi_B == fresh->state.pi_B)
          << kind_of(torque) << ", step " << n + 1;
    }
  }
}

}  // namespace
}  // namespace polhode::test::energy_suffix_test
