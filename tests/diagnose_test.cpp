// diagnose finds of listed methods what the tests of claims found, and of a method that claims too much that it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "polhode/measure/claims.hpp"
#include "polhode/measure/energy_record.hpp"
#include "polhode/methods/method_stepper.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/plugin.hpp"
#include "polhode/model/fields.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/studies/diagnose.hpp"

namespace polhode::diagnose_test {
namespace {

using ::testing::HasSubstr;

Diagnosis diagnosis(const std::string& method, const char* problem) {
  return diagnose({find_problem(problem)->setup, problem, method});
}
Diagnosis diagnosis(const std::string& method) {
  const bool sphere = parse_method(method).space == Space::sphere;
  return diagnosis(method, sphere ? "dumbbell" : "asymmetric-top-tilted");
}

const Finding& line(const Diagnosis& study, const std::string& key) {
  for (const Finding& finding : study.findings)
    if (finding.key == key) return finding;
  throw std::logic_error("no line " + key);
}

std::string told(const Diagnosis& study) {
  std::string text = study.method + "\n";
  for (const Finding& finding : study.findings)
    text += finding.key + ": " + finding.claimed + " | " + finding.measured + " | " + finding.zero + " | " +
            std::string(verdict_name(finding.verdict)) + " " + finding.note + "\n";
  return text;
}

// The first method of each family, and suffixes and parameters.
std::vector<std::string> one_of_each() {
  std::vector<std::string> names;
  std::set<std::string_view> families;
  for (const MethodInfo& method : methods())
    if (method.plugin.empty() && families.insert(method.family).second) names.emplace_back(method.name);
  for (const char* name : {"mclachlan-reich-231@suzuki", "lie-verlet@kahan-li-6", "rkmk-4+energy",
                           "newmark-gamma:gamma=0.7", "taylor-4+energy/10"})
    names.emplace_back(name);
  return names;
}

class OfEachFamily : public testing::TestWithParam<std::string> {};

// That a drift is not seen in one situation is no disagreement; everything else has to be seen.
TEST_P(OfEachFamily, ClaimsAndMeasurementsAgree) {
  const Diagnosis study = diagnosis(GetParam());
  EXPECT_EQ(study.count(Verdict::disagrees), 0U) << told(study);
  EXPECT_EQ(study.scalar, "quad");
  EXPECT_LT(study.reference_uncertainty, 1e-27);
  for (const Finding& finding : study.findings) {
    const bool of_energy = finding.key.starts_with("energy_") || finding.key.starts_with("drift_");
    // Without torque a direction follows a great circle at a constant rate, which these methods have exactly.
    const bool flattered = parse_method(GetParam()).space == Space::sphere && finding.key.ends_with("_free");
    if (!of_energy && !flattered && finding.key != "seconds_per_step") {
      EXPECT_EQ(verdict_name(finding.verdict), "agrees") << finding.key << "\n" << told(study);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Methods, OfEachFamily, testing::ValuesIn(one_of_each()), test_name);

TEST(Diagnose, FindsAMethodThatClaimsTooMuch) {
  load_plugin(POLHODE_BINARY_DIR "/tests/test_methods.so");
  const Diagnosis study = diagnosis("plugged-order-4");
  EXPECT_EQ(study.scalar, "double");
  for (const char* key :
       {"order_attitude_free", "order_momentum_free", "order_attitude_field", "order_momentum_field"}) {
    EXPECT_EQ(line(study, key).verdict, Verdict::disagrees) << told(study);
    EXPECT_NEAR(*line(study, key).value, 2, 0.1) << key;
    EXPECT_EQ(line(study, key).claimed, "4");
  }
  EXPECT_EQ(study.count(Verdict::disagrees), 4U) << "the rest is true\n" << told(study);
}

// The same method by its name in quad, and from a plug-in in double: both see what it is.
TEST(Diagnose, InDoubleSeesWhatItSeesInQuad) {
  load_plugin(POLHODE_BINARY_DIR "/tests/test_methods.so");
  const Diagnosis in_double = diagnosis("plugged-axes"), in_quad = diagnosis("mclachlan-reich-231");
  EXPECT_EQ(in_double.scalar, "double");
  EXPECT_EQ(in_quad.scalar, "quad");
  ASSERT_EQ(in_double.findings.size(), in_quad.findings.size());
  for (std::size_t i = 0; i < in_quad.findings.size(); ++i)
    EXPECT_EQ(verdict_name(in_double.findings[i].verdict), verdict_name(in_quad.findings[i].verdict))
        << told(in_double) << told(in_quad);
}

TEST(Diagnose, SaysWhatIsNotClaimedOfASituation) {
  auto setup = find_problem("asymmetric-top-tilted")->setup;
  Damping<double> drag;
  drag.linear = Mat3<double>{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
  setup.torques.emplace_back(drag);
  const Diagnosis study = diagnose({setup, "with drag", "mclachlan-reich-231@suzuki"});
  EXPECT_EQ(study.count(Verdict::disagrees), 0U) << told(study);
  EXPECT_EQ(line(study, "order_attitude_free").claimed, "4");
  EXPECT_EQ(line(study, "order_attitude_field").claimed, "3") << "cubes of the fractions add up to nothing";
  EXPECT_EQ(line(study, "energy_field").verdict, Verdict::no_claim);
}

TEST(Diagnose, RefusesWhatCannotBe) {
  const auto refused = [](const char* method, const char* problem) -> std::string {
    try {
      diagnosis(method, problem);
    } catch (const SetupError& error) {
      EXPECT_EQ(error.key, "run.method");
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(refused("rkmk-5", "fast-top"), HasSubstr("no method named 'rkmk-5'"));
  EXPECT_THAT(refused("dumbbell-midpoint", "fast-top"), HasSubstr("moves a direction on the sphere"));
}

// Of a type, without a name: the same numbers as by its name.
TEST(Measure, TakesTypesAsItTakesNames) {
  const Body<double> body({0.9144, 1.098, 1.66});
  HeavyTop<double> gravity;
  gravity.weight_times_arm = 0.5;
  gravity.axis_body = {1.0 / 3, 2.0 / 3, 2.0 / 3};
  const State<double> start{exp(Vec3<double>{0.3, -0.5, 0.8}), {1.7, 2.9, 0.6}, 0};
  const auto by_type = stepper_of<MuntheKaas4>(System<double, HeavyTop<double>>{body, gravity});
  const auto by_name = make_stepper(parse_method("rkmk-4"), body, FieldSum<double>({gravity}));
  const double defect = symmetry_defect(*by_type, start, 0.3, 20);
  EXPECT_GT(defect, 1e-6);
  EXPECT_NEAR(defect, symmetry_defect(*by_name, start, 0.3, 20), 1e-12);
  EXPECT_NEAR(symplectic_defect(*by_type, start, 0.3, 7), symplectic_defect(*by_name, start, 0.3, 7), 1e-10);
}

// J pulled back by a linear map of body momenta, R -> R, pi -> c pi, is known: it multiplies b by c.
class Scaling final : public Stepper<double> {
 public:
  explicit Scaling(double factor) : factor_(factor) {}
  void start(const State<double>& s, const double&) override { state = s; }
  void step(const double& h) override {
    state.pi_B = factor_ * state.pi_B;
    state.t += h;
  }
  void reverse() override {}
  void turn(const Rotation<double>&) override {}
  Vec3<double> momentum_S() const override { return spatial_momentum(state); }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<Scaling>(*this); }
  void copy_from(const Stepper<double>& other) override { state = other.state; }
  MotionRates<double> rates() const override { return {}; }

 private:
  double factor_;
};

TEST(Measure, TheTwoFormOfAScalingIsMultiplied) {
  const State<double> start{exp(Vec3<double>{0.3, -0.5, 0.8}), {0.4, 0.2, 0.1}, 0};
  Scaling none(1), tenth(1.1);
  EXPECT_LT(symplectic_defect(none, start, 0.1, 7), symplectic_rounding<double>());
  // From after the first step to after the second; the largest entry of J is 1, of the Jacobian 1.21.
  EXPECT_NEAR(symplectic_defect(tenth, start, 0.1, 2), (1.21 - 1.1) / (1.21 * 1.21), 1e-9);
}

TEST(Measure, AnEnergyThatGrowsIsADriftAndOneThatOscillatesIsNot) {
  const auto record = [](double slope) {
    Scaling still(1);
    const EnergyOf energy = [=](const State<double>& s) { return std::sin(s.t) + slope * s.t; };
    return energy_record(still, State<double>{{}, {1, 0, 0}, 0}, 0.1, 40000, energy);
  };
  EXPECT_TRUE(record(0).stays());
  EXPECT_FALSE(record(0).drifts());
  EXPECT_LT(std::abs(record(0).drift->rate), 3 * record(0).drift->uncertainty);
  EXPECT_TRUE(record(1e-3).drifts());
  EXPECT_NEAR(record(1e-3).drift->rate, 1e-3, 5 * record(1e-3).drift->uncertainty);
  EXPECT_TRUE(record(1e-9).creeps(1)) << "in soft means";
}

}  // namespace
}  // namespace polhode::diagnose_test
