// The closed form of the free problems against their cached references, which two integrators made that know nothing of
// elliptic functions.
#include "polhode/problems/exact.hpp"

#include <gtest/gtest.h>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/problems/reference_file.hpp"

namespace polhode::test::exact_test {
namespace {

// The sides differ by the rounding of the data to quad, which in the course of a few hundred radians grows to 1e-31.
TEST(Exact, AgreesWithTheCacheAtEveryNode) {
  int free_problems = 0;
  for (const Problem& problem : problems()) {
    if (!moves_freely(problem.setup)) continue;
    ++free_problems;
    const ReferenceFile* file = find_reference(problem);
    ASSERT_NE(file, nullptr) << problem.name;
    for (const ReferenceNode& node : file->nodes) {
      const auto& q = node.attitude_wxyz;
      const auto& p = node.angular_momentum_body;
      const State<quad> cached{
          {quad(q[0]), {quad(q[1]), quad(q[2]), quad(q[3])}}, {quad(p[0]), quad(p[1]), quad(p[2])}, quad(node.time)};
      const auto exact = exact_at<quad>(problem, cached.t);
      ASSERT_TRUE(exact);
      EXPECT_LT(attitude_error(*exact, cached), quad(1e-30)) << problem.name << " at " << node.time;
      EXPECT_LT(momentum_error(*exact, cached), quad(1e-30) * norm(cached.pi_B)) << problem.name << " at " << node.time;
    }
  }
  EXPECT_GE(free_problems, 4);
}

TEST(Exact, AnyTimeForAFreeBodyAndNoneWithTorque) {
  const Problem& free_body = *find_problem("free-mclachlan-zanna");
  const auto far = reference_at(free_body, 1e9L);
  ASSERT_TRUE(far);
  EXPECT_LT(far->attitude_uncertainty, 1e-9);
  EXPECT_FALSE(reference_at(free_body, std::numeric_limits<long double>::infinity()));
  EXPECT_FALSE(exact_at<long double>(*find_problem("asymmetric-top"), 1.0L));
  EXPECT_FALSE(exact_at<long double>(*find_problem("gyrostat"), 1.0L)) << "wheels turn a body as a torque does";
}

TEST(Exact, LongDoubleIsTheQuadRounded) {
  for (const Problem& problem : problems()) {
    if (!moves_freely(problem.setup)) continue;
    for (const long double t : {-3.0L, 0.7L, 4.0L}) {
      const State<quad> narrow = cast<quad>(*exact_at<long double>(problem, t)),
                        wide = *exact_at<quad>(problem, quad(t));
      // The data themselves are rounded to long double on entry.
      const quad turned = norm(wide.pi_B) * abs(quad(t)) / quad(0.0025);
      EXPECT_LT(attitude_error(narrow, wide), quad(1e-18) * (1 + turned)) << problem.name << " at " << t;
    }
  }
}

}  // namespace
}  // namespace polhode::test::exact_test
