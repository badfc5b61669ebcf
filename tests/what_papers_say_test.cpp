// Claims of the papers that no run can decide: which methods are symplectic, and which symmetric in time. Measured here
// whatever the methods claim of themselves; experiments/*/experiment.toml names these tests as evidence.
#include <gtest/gtest.h>

#include "kernel_measures.hpp"
#include "polhode/methods/hulbert_staggered.hpp"
#include "polhode/methods/lie_midpoint.hpp"
#include "polhode/methods/lie_verlet.hpp"
#include "polhode/methods/newmark.hpp"
#include "polhode/methods/newmark_spatial.hpp"
#include "polhode/methods/simo_wong.hpp"
#include "polhode/methods/variational.hpp"
#include "symplectic_defect.hpp"

namespace polhode::test::what_papers_say_test {
namespace {

// Seven steps of more than half a radian each: a defect of third order is far above rounding.
double defect(const char* method) { return symplectic_defect(method, 0.3, 7); }
constexpr double rounding = symplectic_rounding, plain = 1e-6;

TEST(WhatPapersSay, TheExactFlowIsSymplectic) {
  const double exact =
      symplectic_defect("picard-lobatto-16", 0.01, 7);  // the two-form, its sign and the frame are right
  EXPECT_LT(exact, rounding);
}

TEST(WhatPapersSay, NewmarkIsNotSymplectic) {
  EXPECT_GT(defect("newmark"), plain);
  EXPECT_GT(defect("newmark-cayley"), plain);
}

TEST(WhatPapersSay, LieVerletIsSymplectic) { EXPECT_LT(defect("lie-verlet"), rounding); }

TEST(WhatPapersSay, LieMidpointWithTwoTurnsIsNotSymplectic) { EXPECT_GT(defect("lie-midpoint-ea"), plain); }

TEST(WhatPapersSay, SimoWongIsNotSymplectic) { EXPECT_GT(defect("simo-wong"), plain); }

TEST(WhatPapersSay, HulbertStaggeredIsNotSymplectic) { EXPECT_GT(defect("hulbert-staggered"), plain); }

TEST(WhatPapersSay, VariationalIsSymplectic) { EXPECT_LT(defect("variational"), rounding); }

template <class M>
double gap() {
  return symmetry_gap<M>(tilted_top(), start_state(2), 0.3, 20);
}

TEST(WhatPapersSay, NewmarkLieVerletAndLieMidpointAreTimeSymmetric) {
  EXPECT_LT(gap<Newmark<>>(), 1e-12);
  EXPECT_LT(gap<Newmark<Increment::cayley>>(), 1e-12);
  EXPECT_LT(gap<LieVerlet>(), 1e-12);
  EXPECT_LT(gap<LieMidpoint<2>>(), 1e-12);
}

TEST(WhatPapersSay, NewmarkAndSimoWongAreTimeSymmetric) {
  EXPECT_LT(gap<Newmark<>>(), 1e-12);
  EXPECT_LT(gap<NewmarkSpatial>(), 1e-12);
  EXPECT_LT(gap<SimoWong>(), 1e-12);
}

// A method that is not symmetric shows it by the same measure.
TEST(WhatPapersSay, TheTaylorMethodIsNotTimeSymmetric) { EXPECT_GT(gap<Taylor<3>>(), plain); }

}  // namespace
}  // namespace polhode::test::what_papers_say_test
