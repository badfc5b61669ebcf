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
template <class M>
double defect() {
  return symplectic_defect<M>(0.3, 7);
}
constexpr double rounding = 1e-13, plain = 1e-6;

TEST(WhatPapersSay, TheExactFlowIsSymplectic) {
  const double exact = symplectic_defect<Taylor<12>>(0.01, 7);  // the two-form, its sign and the frame are right
  EXPECT_LT(exact, rounding);
}

TEST(WhatPapersSay, NewmarkIsNotSymplectic) {
  EXPECT_GT(defect<Newmark<>>(), plain);
  EXPECT_GT(defect<Newmark<Increment::cayley>>(), plain);
}

TEST(WhatPapersSay, LieVerletIsSymplectic) { EXPECT_LT(defect<LieVerlet>(), rounding); }

TEST(WhatPapersSay, LieMidpointWithTwoTurnsIsNotSymplectic) { EXPECT_GT(defect<LieMidpoint<2>>(), plain); }

TEST(WhatPapersSay, SimoWongIsNotSymplectic) { EXPECT_GT(defect<SimoWong>(), plain); }

TEST(WhatPapersSay, HulbertStaggeredIsNotSymplectic) { EXPECT_GT(defect<HulbertStaggered>(), plain); }

TEST(WhatPapersSay, VariationalIsSymplectic) { EXPECT_LT(defect<Variational>(), rounding); }

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
