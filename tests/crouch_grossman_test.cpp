// Crouch and Grossman's methods: their tables, and the order that each keeps on rotations.
#include "polhode/methods/crouch_grossman.hpp"

#include <gtest/gtest.h>

#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"

namespace polhode::test::crouch_grossman_test {
namespace {

using Classical = CrouchGrossman<ClassicalTable>;
using Order3 = CrouchGrossman<TableOfOrder3>;
using Order4 = CrouchGrossman<TableOfOrder4>;

TEST(Decimal, EveryDigitCounts) {
  EXPECT_EQ(decimal<double>("-0.125"), -0.125);
  EXPECT_EQ(decimal<double>("12"), 12.0);
  const char* digits = "0.817722798812485183864383415847723193";
  EXPECT_LE(std::abs(decimal<double>(digits) - 0.817722798812485183864), 1.2e-16);
  EXPECT_LE(std::abs(decimal<long double>(digits) - 0.817722798812485183864L), 1.1e-19L);
  EXPECT_LE(abs(decimal<quad>(digits) - quad(digits)), quad("4e-34"));
}

// The conditions of the classical theory up to order 3, and the one that rotations add there [HLW06, Sec. IV.8.1]:
// sum b_i^2 c_i + 2 sum_(i<j) b_i c_i b_j = 1/3.
template <class Table>
void expect_conditions(int order, bool on_rotations) {
  const auto t = Table::template make<quad>();
  std::array<quad, Table::stages> c{};
  quad sum_b = 0, bc = 0, bcc = 0, bac = 0, ordered = 0;
  for (std::size_t i = 0; i < Table::stages; ++i)
    for (std::size_t j = 0; j < i; ++j) c[i] += t.a[i][j];
  for (std::size_t i = 0; i < Table::stages; ++i) {
    sum_b += t.b[i];
    bc += t.b[i] * c[i];
    bcc += t.b[i] * c[i] * c[i];
    ordered += t.b[i] * t.b[i] * c[i];
    for (std::size_t j = 0; j < i; ++j) bac += t.b[i] * t.a[i][j] * c[j];
    for (std::size_t j = i + 1; j < Table::stages; ++j) ordered += 2 * t.b[i] * c[i] * t.b[j];
  }
  const quad rounding("2e-33");
  EXPECT_LT(abs(sum_b - 1), rounding);
  EXPECT_LT(abs(bc - quad(1) / 2), rounding);
  if (order < 3) return;
  EXPECT_LT(abs(bcc - quad(1) / 3), rounding);
  EXPECT_LT(abs(bac - quad(1) / 6), rounding);
  if (on_rotations) {
    EXPECT_LT(abs(ordered - quad(1) / 3), rounding);
  } else {
    EXPECT_GT(abs(ordered - quad(1) / 3), quad(0.01));
  }
}
TEST(CrouchGrossman, ConditionsOnTheTables) {
  expect_conditions<ClassicalTable>(4, false);
  expect_conditions<TableOfOrder3>(3, true);
  expect_conditions<TableOfOrder4>(4, true);
}

// The table of order 4 has the sixteen digits that are printed.
TEST(CrouchGrossman, TableOfOrder4AsPrinted) {
  const auto t = TableOfOrder4::make<long double>();
  const long double half_digit = 0.501e-16L;  // and rounding
  const std::vector<long double> printed{
      .8177227988124852L,   .3199876375476427L, .0659864263556022L, .9214417194464946L,  .4997857776773573L,
      -1.0969984448371582L, .3552358559023322L, .2390958372307326L, 1.3918565724203246L, -1.1092979392113465L};
  std::size_t n = 0;
  for (std::size_t i = 1; i < 5; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_LT(std::abs(t.a[i][j] - printed[n++]), half_digit) << i << j;
  const std::vector<long double> b{.1370831520630755L, -.0183698531564020L, .7397813985370780L, -.1907142565505889L,
                                   .3322195591068374L};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_LT(std::abs(t.b[i] - b[i]), half_digit) << i;
}

// With sixteen digits the error could not fall below 1e-16; with these it does, at order 4.
TEST(CrouchGrossman, Order4InQuad) {
  const auto sys = tilted_top<quad>();
  Work work;
  const State<quad> exact = integrate<Taylor<12>>(sys, start_state<quad>(), quad(0.25) / 60, 60, work);
  std::vector<ErrorAtStep> errors;
  for (int steps = 500; steps <= 4000; steps *= 2) {
    const State<quad> s = integrate<Order4>(sys, start_state<quad>(), quad(0.25) / steps, steps, work);
    errors.push_back({0.25 / steps, static_cast<double>(attitude_error(s, exact) + momentum_error(s, exact))});
  }
  EXPECT_LT(errors.back().error, 1e-17);
  EXPECT_NEAR(observed_order(errors, 1e-25, 1e-10)->order, 4, 0.1);
}

}  // namespace
}  // namespace polhode::test::crouch_grossman_test
