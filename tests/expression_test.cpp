// Expressions of users: what they come to on every scalar, what they refuse, and what is made of their switches.
#include "polhode/core/expression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "polhode/core/evaluate_expression.hpp"
#include "polhode/core/quad.hpp"

namespace polhode::expression_test {
namespace {

const ExpressionNames names{
    .inputs = {"t", "x", "y", "z", "wx"}, .constants = {{"a", 2.0}, {"c", 0.1}}, .functions = {}, .quantities = {}};

double value_of_text(const std::string& text, std::vector<double> inputs = {0.7, 0.3, -0.4, 1.25, 2.5}) {
  return evaluate(parse_expression(text, names), inputs.data());
}

struct Case {
  std::string text;
  double expected;
};

TEST(Expression, BindsAsArithmeticDoes) {
  const double t = 0.7, x = 0.3, y = -0.4, z = 1.25;
  for (const auto& [text, expected] : std::vector<Case>{{"1 + 2*3", 7},
                                                        {"(1 + 2)*3", 9},
                                                        {"7 - 2 - 1", 4},
                                                        {"16/4/2", 2},
                                                        {"2^3^2", 512},
                                                        {"-2^2", -4},
                                                        {"2^-1", 0.5},
                                                        {"2^-2^2", 1.0 / 16},
                                                        {"--3", 3},
                                                        {"2*-3", -6},
                                                        {"2--3", 5},
                                                        {"-+-x", x},
                                                        {"1e3 + .5 + 2.", 1002.5},
                                                        {"2e-1*1E1", 2},
                                                        {"t\n + x", t + x},
                                                        {"a*x^2 - c", 2 * x * x - 0.1},
                                                        {"x^0", 1},
                                                        {"y^3", y * y * y},
                                                        {"y^-2", 1 / (y * y)},
                                                        {"z^0.5", std::sqrt(z)},
                                                        {"z^t", std::pow(z, t)},
                                                        {"pi", std::numbers::pi},
                                                        {"abs(y) + min(x, y) + max(x, y)", 0.4 + y + x},
                                                        {"atan2(y, x)", std::atan2(y, x)},
                                                        {"if(x < y, 1, 2)", 2},
                                                        {"if(x > y, 1, 2)", 1},
                                                        {"if(x <= 0.3, 1, 2)", 1},
                                                        {"if(x >= 0.3, 1, 2)", 1},
                                                        {"if(x == 0.3, 1, 2)", 1},
                                                        {"if(x != 0.3, 1, 2)", 2},
                                                        {"if(x < 0 or y < 0, 1, 2)", 1},
                                                        {"if(x < 0 || y < 0, 1, 2)", 1},
                                                        {"if(x < 0 and y < 0, 1, 2)", 2},
                                                        {"if(x < 0 && y < 0, 1, 2)", 2},
                                                        {"if(not x < 0, 1, 2)", 1},
                                                        {"if(!(x < 0), 1, 2)", 1},
                                                        {"if(not not x < 0, 1, 2)", 2},
                                                        // and binds tighter than or
                                                        {"if(x > 0 or y > 0 and x < 0, 1, 2)", 1},
                                                        {"if((x > 0 or y > 0) and x < 0, 1, 2)", 2},
                                                        {"if(((x)) > (((y))), 1, 2)", 1},
                                                        {"if((((x > y))), if(1 < 2, 3, 4), 5)", 3}}) {
    EXPECT_DOUBLE_EQ(value_of_text(text), expected) << text;
  }
}

TEST(Expression, HasNoPowerOfANegativeNumberUnlessTheExponentIsWhole) {
  EXPECT_TRUE(std::isnan(value_of_text("y^t")));
  EXPECT_TRUE(std::isnan(value_of_text("y^1.5")));
  EXPECT_TRUE(std::isnan(value_of_text("(-8)^(1/3)")));
  EXPECT_EQ(value_of_text("y^1024", {0, 0, -1, 0, 0}), 1);
  EXPECT_EQ(value_of_text("y^1023", {0, 0, -1, 0, 0}), -1);
  EXPECT_TRUE(std::isnan(value_of_text("y^1025", {0, 0, -1, 0, 0})));  // beyond what is written as products
}

// Every function once, and what it is in the standard library, at values where it is defined.
struct Function {
  std::string text;
  double (*function)(double, double);
};
const std::vector<Function> functions{
    {"sin(x)", [](double x, double) { return std::sin(x); }},
    {"cos(x)", [](double x, double) { return std::cos(x); }},
    {"tan(x)", [](double x, double) { return std::tan(x); }},
    {"asin(x)", [](double x, double) { return std::asin(x); }},
    {"acos(x)", [](double x, double) { return std::acos(x); }},
    {"atan(x)", [](double x, double) { return std::atan(x); }},
    {"exp(x)", [](double x, double) { return std::exp(x); }},
    {"log(x)", [](double x, double) { return std::log(x); }},
    {"sqrt(x)", [](double x, double) { return std::sqrt(x); }},
    {"abs(y)", [](double, double y) { return std::abs(y); }},
    {"tanh(x)", [](double x, double) { return std::tanh(x); }},
    {"atan2(x, y)", [](double x, double y) { return std::atan2(x, y); }},
    {"min(x, y)", [](double x, double y) { return std::min(x, y); }},
    {"max(x, y)", [](double x, double y) { return std::max(x, y); }},
    {"x^y", [](double x, double y) { return std::pow(x, y); }},
    {"x^3", [](double x, double) { return x * x * x; }},
    {"if(x < y, x/y, x - y)", [](double x, double y) { return x < y ? x / y : x - y; }}};

template <class S>
class ExpressionOn : public testing::Test {};
using Scalars = testing::Types<float, double, long double, quad, Lanes<double, 4>, Lanes<float, 8>, Dual<double, 2>,
                               Series<double, 3>, Series<quad, 2>, Dual<Series<double, 2>, 3>, GrowingSeries<double>>;
TYPED_TEST_SUITE(ExpressionOn, Scalars);

template <class S>
double first_of(const S& s) {
  if constexpr (is_lanes<S>) {
    return static_cast<double>(s[0]);
  } else if constexpr (requires { s.coefficient(0); }) {
    return static_cast<double>(s.value());
  } else if constexpr (requires { s.value; }) {
    return first_of(s.value);
  } else if constexpr (requires { s.c; }) {
    return first_of(s.c[0]);
  } else {
    return static_cast<double>(s);
  }
}

TYPED_TEST(ExpressionOn, EveryFunctionIsThatOfTheStandardLibrary) {
  using S = TypeParam;
  using V = value_of<S>;
  const double tolerance = std::is_same_v<V, float> ? 1e-6 : 4e-15;
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{0.25, -0.75}, {0.75, 1.5}, {0.5, 0.5}}) {
    for (const Function& f : functions) {
      const S inputs[] = {S(V(0)), S(V(x)), S(V(y)), S(V(0)), S(V(0))};
      const S result = evaluate(parse_expression(f.text, names), inputs);
      EXPECT_NEAR(first_of(result), f.function(x, y), tolerance * (1 + std::abs(f.function(x, y)))) << f.text;
    }
  }
}

TEST(Expression, HasInEveryLaneTheBitsOfThatNumberAlone) {
  for (const Function& f : functions) {
    const ExpressionProgram program = parse_expression(f.text, names);
    Lanes<double, 4> x, y;
    for (std::size_t i = 0; i < 4; ++i)
      x.set(i, 0.2 + 0.17 * static_cast<double>(i)), y.set(i, 0.9 - 0.31 * static_cast<double>(i));
    const Lanes<double, 4> inputs[] = {0.0, x, y, 0.0, 0.0}, result = evaluate(program, inputs);
    for (std::size_t i = 0; i < 4; ++i) {
      const double alone[] = {0, x[i], y[i], 0, 0};
      EXPECT_EQ(result[i], evaluate(program, alone)) << f.text;
    }
  }
}

// Coefficients of f(x0 + s) by a Cauchy integral around x0: the trapezoidal rule on a circle converges as fast as the series.
TEST(Expression, RunsOnSeriesToTheCoefficientsOfCauchysIntegral) {
  constexpr std::size_t N = 6, points = 128;
  using C = std::complex<double>;
  const double x0 = 0.4, radius = 0.25;
  struct Analytic {
    const char* text;
    C (*function)(C);
  };
  for (const auto& [text, function] : std::vector<Analytic>{{"sin(x)", [](C z) { return std::sin(z); }},
                                                            {"cos(x)", [](C z) { return std::cos(z); }},
                                                            {"tan(x)", [](C z) { return std::tan(z); }},
                                                            {"asin(x)", [](C z) { return std::asin(z); }},
                                                            {"acos(x)", [](C z) { return std::acos(z); }},
                                                            {"atan(x)", [](C z) { return std::atan(z); }},
                                                            {"exp(x)", [](C z) { return std::exp(z); }},
                                                            {"log(x)", [](C z) { return std::log(z); }},
                                                            {"sqrt(x)", [](C z) { return std::sqrt(z); }},
                                                            {"tanh(x)", [](C z) { return std::tanh(z); }},
                                                            {"x^1.7", [](C z) { return std::pow(z, 1.7); }},
                                                            {"x^x", [](C z) { return std::pow(z, z); }},
                                                            {"x^-3", [](C z) { return 1.0 / (z * z * z); }},
                                                            {"atan2(x, 1.5)", [](C z) { return std::atan(z / 1.5); }},
                                                            {"abs(-x)/(1 + x)", [](C z) { return z / (1.0 + z); }}}) {
    const ExpressionProgram program = parse_expression(text, names);
    using S = Series<double, N>;
    const S inputs[] = {S(0.0), S::variable(x0), S(0.0), S(0.0), S(0.0)};
    const S series = evaluate(program, inputs);
    SeriesTape<double> tape(1);
    std::array<double, N + 1> grown;
    for (std::size_t n = 0; n <= N; ++n) {
      tape.input(0).set(n, n == 0 ? x0 : n == 1 ? 1.0 : 0.0);
      tape.begin_run(n);
      const GrowingSeries<double> x(tape, tape.input(0));
      const GrowingSeries<double> all[] = {0.0, x, 0.0, 0.0, 0.0};
      grown[n] = evaluate(program, all).coefficient(n);
    }
    for (std::size_t n = 0; n <= N; ++n) {
      C sum = 0;
      for (std::size_t k = 0; k < points; ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k) / points;
        sum += function(x0 + std::polar(radius, angle)) * std::polar(1.0, -angle * static_cast<double>(n));
      }
      const double expected = sum.real() / points / std::pow(radius, n);
      EXPECT_NEAR(series.c[n], expected, 1e-14 * std::pow(1 / radius, n) * 4) << text << ", coefficient " << n;
      EXPECT_NEAR(grown[n], expected, 1e-14 * std::pow(1 / radius, n) * 4) << text << ", growing, coefficient " << n;
    }
  }
}

TEST(Expression, KnowsPiAndAThirdToAllDigitsOfAQuad) {
  const quad none[5] = {};
  const quad pi = evaluate(parse_expression("pi", names), none);
  EXPECT_LT(abs(pi - quad(4) * atan(quad(1))), quad(1e-33));
  EXPECT_LT(abs(evaluate(parse_expression("1/3", names), none) * quad(3) - quad(1)), quad(1e-33));
  // A number that is written is a double, as everywhere in a scenario.
  EXPECT_EQ(evaluate(parse_expression("0.1", names), none), quad(0.1));
}

TEST(Expression, MergesWhatIsTheSameAndComputesWhatIsConstant) {
  EXPECT_EQ(parse_expression("sin(2*pi*a)", names).operations(), 0u);
  EXPECT_EQ(parse_expression("sin(x*y) + sin(y*x)", names).operations(), 3u);
  EXPECT_EQ(parse_expression("x*y - z*t", names).operations(), 1u);
  const std::vector<std::string> texts{"x*y*z", "x*y*t"};
  EXPECT_EQ(parse_expressions(texts, names).operations(), 1u);  // three products at once; they would be two with a fourth
  const double inputs[] = {0.7, 0.3, -0.4, 1.25, 0};
  double outputs[2];
  evaluate(parse_expressions(texts, names), inputs, outputs);
  EXPECT_DOUBLE_EQ(outputs[0], 0.3 * -0.4 * 1.25);
  EXPECT_DOUBLE_EQ(outputs[1], 0.3 * -0.4 * 0.7);
}

TEST(Expression, SumsOfThreeProductsAreOneOperationAndRoundedLikeThree) {
  const double inputs[] = {0.7, 0.3, -0.4, 1.25, 0};
  const double t = inputs[0], x = inputs[1], y = inputs[2], z = inputs[3];
  const auto check = [&](const std::string& text, double expected) {
    const ExpressionProgram program = parse_expression(text, names);
    EXPECT_EQ(program.operations(), 1u) << text;
    EXPECT_EQ(evaluate(program, inputs), expected) << text;
  };
  check("x*y + z*t + x*z", (x * y + z * t) + x * z);
  check("x*z + (z*t + x*y)", x * z + (z * t + x * y));
  check("sqrt(x*x + y*y + z*z)", std::sqrt((x * x + y * y) + z * z));
  // The parts of a sum that others need too are made once, before it.
  const std::vector<std::string> texts{"x*y + z*t + x*z", "x*y + z*t", "sqrt(x*y + z*t + x*z)"};
  const ExpressionProgram program = parse_expressions(texts, names);
  EXPECT_EQ(program.operations(), 3u);
  double outputs[3];
  evaluate(program, inputs, outputs);
  EXPECT_EQ(outputs[0], (x * y + z * t) + x * z);
  EXPECT_EQ(outputs[1], x * y + z * t);
  EXPECT_EQ(outputs[2], std::sqrt(outputs[0]));
}

// A number with all that its scalar carries beside its value.
template <class S>
S full(double x) {
  S made{};
  if constexpr (is_lanes<S>) {
    for (std::size_t i = 0; i < S::size; ++i) made.set(i, static_cast<value_of<S>>(x + 0.1 * static_cast<double>(i)));
  } else if constexpr (requires { made.coefficient(0); }) {
    made = S(value_of<S>(x));
  } else if constexpr (requires { made.d; }) {
    made.value = full<decltype(made.value)>(x);
    for (std::size_t i = 0; i < made.d.size(); ++i)
      made.d[i] = full<decltype(made.value)>(0.3 * x - 0.7 * static_cast<double>(i));
  } else if constexpr (requires { made.c; }) {
    for (std::size_t i = 0; i < made.c.size(); ++i)
      made.c[i] = full<std::decay_t<decltype(made.c[0])>>(x / static_cast<double>(i + 1));
  } else {
    made = static_cast<S>(x);
  }
  return made;
}
template <class S>
bool same(const S& a, const S& b) {
  bool all = true;
  if constexpr (is_lanes<S>) {
    for (std::size_t i = 0; i < S::size; ++i) all = all && a[i] == b[i];
  } else if constexpr (requires { a.coefficient(0); }) {
    all = a.coefficient(0) == b.coefficient(0);
  } else if constexpr (requires { a.d; }) {
    all = same(a.value, b.value);
    for (std::size_t i = 0; i < a.d.size(); ++i) all = all && same(a.d[i], b.d[i]);
  } else if constexpr (requires { a.c; }) {
    for (std::size_t i = 0; i < a.c.size(); ++i) all = all && same(a.c[i], b.c[i]);
  } else {
    all = a == b;
  }
  return all;
}

TYPED_TEST(ExpressionOn, NormsByAFactorAndProductsInThreesAreRoundedLikeTheirParts) {
  using S = TypeParam;
  const S t = full<S>(0.75), x = full<S>(0.3), y = full<S>(-0.4), z = full<S>(1.25), w = full<S>(2.5);
  const S inputs[] = {t, x, y, z, w};
  const S norm = S(t * S(sqrt(S(S(x * x + y * y) + z * z))));
  const auto check = [&](const std::vector<std::string>& texts, std::size_t operations,
                         const std::vector<S>& expected) {
    const ExpressionProgram program = parse_expressions(texts, names);
    EXPECT_EQ(program.operations(), operations) << texts[0];
    std::vector<S> outputs(texts.size());
    evaluate(program, inputs, outputs.data());
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_TRUE(same(outputs[i], expected[i])) << texts[i];
  };
  check({"t*sqrt(x^2 + y^2 + z^2)"}, 1, {norm});
  check({"t*sqrt(x^2 + y^2 + z^2)*x", "t*sqrt(x^2 + y^2 + z^2)*y", "t*sqrt(x^2 + y^2 + z^2)*z"}, 2,
        {S(x * norm), S(y * norm), S(z * norm)});
  check({"t*sqrt(x^2 + y^2 + z^2) + wx"}, 2, {S(norm + w)});
  check({"t*sqrt(x*y + y^2 + z^2)"}, 2, {S(t * S(sqrt(S(S(x * y + y * y) + z * z))))});
  // Four products in a row, of which one needs another; and the norm itself is wanted as well.
  check({"x*y*z", "x*z", "y*z"}, 2, {S(z * S(x * y)), S(x * z), S(y * z)});
  check({"t*sqrt(x^2 + y^2 + z^2)", "sqrt(x^2 + y^2 + z^2)"}, 2, {norm, S(sqrt(S(S(x * x + y * y) + z * z)))});
}

TEST(Expression, TellsWhichInputsItNeeds) {
  const ExpressionProgram program = parse_expression("x + 0*y + sin(t)*(z - z)", names);
  EXPECT_TRUE(program.depends_on(0));
  EXPECT_TRUE(program.depends_on(1));
  EXPECT_FALSE(program.depends_on(4));
}

struct Mistake {
  std::string text;
  std::size_t line, column;
  std::string part;  // of the sentence
};

ExpressionError error_of(const std::string& text, const ExpressionNames& of = names) {
  try {
    parse_expression(text, of);
  } catch (const ExpressionError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return {0, 0, "", ""};
}

TEST(Expression, SaysWhereItIsWrongAndWhatWouldBeRight) {
  for (const auto& [text, line, column, part] :
       std::vector<Mistake>{{"", 1, 1, "the text ends, where a number, a name or a parenthesis is expected"},
                            {"  ", 1, 3, "the text ends"},
                            {"1 +", 1, 4, "the text ends, where a number, a name or a parenthesis is expected"},
                            {"1 + * 2", 1, 5, "found '*', where a number"},
                            {"(1 + 2", 1, 7, "the text ends, where an operator or ) is expected"},
                            {"1 + 2)", 1, 6, "found ')', where an operator or the end is expected"},
                            {"2 x", 1, 3, "found 'x', where an operator or the end is expected"},
                            {"2exp(x)", 1, 2, "found 'exp'"},
                            {"sin(x, y)", 1, 1, "sin takes 1 argument, and is given 2"},
                            {"atan2(x)", 1, 1, "atan2 takes 2 arguments, and is given 1"},
                            {"if(x < y, 1)", 1, 1, "if takes 3 arguments, and is given 2"},
                            {"sin()", 1, 5, "found ')', where a number"},
                            {"sin(x", 1, 6, "the text ends, where an operator, a comma or ) is expected"},
                            {"sin x", 1, 5, "found 'x'"},
                            {"1 + sin", 1, 5, "'sin' is a function: write sin(...)"},
                            {"x + wq", 1, 5, "there is no 'wq'; nearest: wx"},
                            {"x + cosh(t)", 1, 5, "there is no function 'cosh'; nearest: cos"},
                            {"x(2)", 1, 1, "'x' is no function; for a product write x*(...)"},
                            {"x +\n  y + qqqqq", 2, 7, "there is no 'qqqqq'; known: t, x, y, z, wx, a, c, pi"},
                            {"if(x, 1, 2)", 1, 4, "a number stands where a condition such as wz > 0.5 is needed"},
                            {"1 + (x < y)", 1, 6, "a condition stands where a number is needed"},
                            {"x < y", 1, 1, "a condition stands where a number is needed"},
                            {"not x", 1, 5, "a number stands where a condition"},
                            {"if(0 < x < 1, 1, 2)", 1, 10, "found '<', where an operator, a comma or ) is expected"},
                            {"1e999", 1, 1, "the number 1e999 is beyond what a double holds"},
                            {"x = 3", 1, 3, "found '='"},
                            {"x & y", 1, 3, "found '&'"},
                            {"system(1)", 1, 1, "there is no function 'system'"},
                            {"x; y", 1, 2, "found ';'"},
                            {"x[0]", 1, 2, "found '['"},
                            {"\"x\"", 1, 1, "found '\"'"},
                            {"x + \xc3\xa9", 1, 5, "found a character that no expression has"},
                            {"x and y > 0", 1, 1, "a number stands where a condition"},
                            {"and", 1, 1, "found 'and', where a number"}}) {
    const ExpressionError error = error_of(text);
    EXPECT_EQ(error.line, line) << text;
    EXPECT_EQ(error.column, column) << text << ": " << error.what();
    EXPECT_NE(error.sentence.find(part), std::string::npos) << text << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("column " + std::to_string(column)), std::string::npos);
  }
}

TEST(Expression, IsBoundedInLengthNestingOperationsNumbersAndSwitches) {
  const auto repeated = [](const std::string& part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  EXPECT_NO_THROW(parse_expression(repeated("(", 200) + "x" + repeated(")", 200), names));
  EXPECT_NE(error_of(repeated("(", 201) + "x" + repeated(")", 201)).sentence.find("nested deeper than 200"),
            std::string::npos);
  EXPECT_NE(error_of(repeated("(", 100000)).sentence.find("longer than 10000"), std::string::npos);
  EXPECT_NE(error_of(repeated("(", 9000)).sentence.find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of(repeated("sin(", 201) + "x" + repeated(")", 201)).sentence.find("nested deeper"),
            std::string::npos);
  // Chains that do not nest may be as long as the text.
  EXPECT_NO_THROW(parse_expression(repeated("-", 9998) + "x", names));
  EXPECT_NO_THROW(parse_expression("x" + repeated("^x", 4000), names));
  EXPECT_NO_THROW(parse_expression("if(" + repeated("not ", 2000) + "x < 0, 1, 2)", names));
  EXPECT_NO_THROW(parse_expression(repeated("!", 0) + "if(" + repeated("!", 9000) + "(x < 0), 1, 2)", names));
  EXPECT_NO_THROW(parse_expression("x" + repeated(" + x", 2499), names));
  EXPECT_NO_THROW(parse_expression(std::string(9999, ' ') + "x", names));
  EXPECT_NE(error_of(std::string(10000, ' ') + "x").sentence.find("longer than 10000"), std::string::npos);

  std::string numbers = "0", switches = "0", many = "0";
  for (int i = 1; i <= 1000; ++i) numbers += "+" + std::to_string(i) + "*x";
  EXPECT_NE(error_of(numbers).sentence.find("more than 1000 different numbers"), std::string::npos);
  for (int i = 1; i <= 64; ++i) switches += "+abs(x-" + std::to_string(i) + ")";
  EXPECT_NO_THROW(parse_expression(switches, names));
  EXPECT_NE(error_of(switches + "+abs(y)").sentence.find("65 switches"), std::string::npos);

  // Two operations for each of 300 terms in each of 30 quantities.
  ExpressionNames quantities = names;
  std::string all = "0";
  for (int q = 0; q < 30; ++q) {
    std::string text = "0";
    for (int i = 0; i < 300; ++i) text += "+sin(t+" + std::to_string(i) + ")*" + std::to_string(q + 2);
    quantities.quantities["q" + std::to_string(q)] = text;
    all += "+q" + std::to_string(q);
  }
  EXPECT_NO_THROW(parse_expression("q0+q1+q2", quantities));
  EXPECT_NE(error_of(all, quantities).sentence.find("more than 10000 operations"), std::string::npos);
  ExpressionNames constants = names;
  for (int i = 0; i < 1000; ++i) constants.constants["k" + std::to_string(i)] = i;
  EXPECT_NE(error_of("x", constants).sentence.find("1002 constants, more than 1000"), std::string::npos);
}

TEST(Expression, RefusesNamesThatAreTakenOrAreNone) {
  for (const std::string bad : {"sin", "pi", "if", "and", "t", "2x", "", "a-b"}) {
    ExpressionNames of = names;
    of.constants[bad] = 1;
    EXPECT_NE(error_of("x", of).sentence.find("'" + bad + "'"), std::string::npos) << bad;
  }
}

TEST(Expression, UsesQuantitiesThatUseEachOther) {
  ExpressionNames of = names;
  of.quantities = {{"b", "2*d"}, {"d", "x + 1"}, {"e", "b*d"}};
  const double inputs[] = {0, 3, 0, 0, 0};
  EXPECT_DOUBLE_EQ(evaluate(parse_expression("e - b", of), inputs), 24);
  double all[3];
  evaluate(parse_quantities(of), inputs, all);
  EXPECT_DOUBLE_EQ(all[0], 8);
  EXPECT_DOUBLE_EQ(all[1], 4);
  EXPECT_DOUBLE_EQ(all[2], 32);
}

TEST(Expression, RefusesQuantitiesInACircle) {
  ExpressionNames of = names;
  of.quantities = {{"b", "2*d"}, {"d", "x + e"}, {"e", "\n b"}};
  const ExpressionError error = error_of("b", of);
  EXPECT_EQ(error.quantity, "e");
  EXPECT_EQ(error.line, 2u);
  EXPECT_EQ(error.column, 2u);
  EXPECT_NE(error.sentence.find("b -> d -> e -> b"), std::string::npos) << error.what();
  of.quantities = {{"b", "b"}};
  EXPECT_THROW(parse_quantities(of), ExpressionError);
  of.quantities = {{"b", "2*dd"}};
  EXPECT_EQ(error_of("b", of).quantity, "b");
}

TEST(Expression, ConditionsTellWhetherTheyHoldAndWhereTheySwitch) {
  const ExpressionProgram condition = parse_condition("x < 1 and (y > t or not z >= 2)", names);
  ASSERT_EQ(condition.switches.size(), 3u);
  const ExpressionProgram g = switch_functions(condition);
  for (const double x : {0.5, 1.0, 1.5})
    for (const double y : {-1.0, 0.25, 1.0})
      for (const double z : {1.0, 2.0, 3.0}) {
        const double inputs[] = {0.25, x, y, z, 0};
        EXPECT_EQ(holds(condition, inputs), x < 1 && (y > 0.25 || !(z >= 2)));
        double values[3];
        evaluate(g, inputs, values);
        EXPECT_EQ(values[0], x - 1);
        EXPECT_EQ(values[1], y - 0.25);
        EXPECT_EQ(values[2], z - 2);
      }
  EXPECT_THROW(parse_condition("x", names), ExpressionError);
  const double none[5] = {};
  EXPECT_TRUE(holds(parse_condition("1 < 2", names), none));
  EXPECT_FALSE(holds(parse_condition("1 > 2", names), none));
}

TEST(Expression, ASwitchWrittenTheOtherWayRoundIsTheSame) {
  EXPECT_EQ(parse_expression("if(x < y, 1, 2) + if(y < x, 3, 4) + min(x, y)", names).switches.size(), 1u);
  EXPECT_EQ(parse_expression("if(x == y, 1, 2)", names).switches.size(), 0u);
}

TEST(Expression, DecidedSwitchesLeaveTheBranchThatWasTaken) {
  const ExpressionProgram program = parse_expression("abs(x) + if(y > 1, sin(t), z*t)", names);
  ASSERT_EQ(program.switches.size(), 2u);
  for (const double x : {-0.5, 0.5})
    for (const double y : {0.5, 1.5}) {
      const std::uint64_t positive = (x > 0 ? 1u : 0u) | (y > 1 ? 2u : 0u);
      const ExpressionProgram smooth = frozen(program, positive);
      EXPECT_TRUE(smooth.is_smooth());
      const double inputs[] = {0.7, x, y, 1.25, 0};
      EXPECT_EQ(evaluate(smooth, inputs), evaluate(program, inputs));
      // It stays on its branch beyond the switch.
      const double beyond[] = {0.7, -x, 2 - y, 1.25, 0};
      EXPECT_NE(evaluate(smooth, beyond), evaluate(program, beyond));
    }
  const ExpressionProgram half = frozen(program, 1, 1);
  ASSERT_EQ(half.switches.size(), 1u);
  const double inputs[] = {0.7, -0.5, 0.5, 1.25, 0};
  EXPECT_DOUBLE_EQ(evaluate(half, inputs), -0.5 + 1.25 * 0.7);
  EXPECT_DOUBLE_EQ(evaluate(switch_functions(half), inputs), -0.5);
}

TEST(Expression, SwitchesOfSwitchesKeepTheirPlaces) {
  const ExpressionProgram program = parse_expression("if(if(x > 0, y, -y) > 1, 2, 3)", names);
  ASSERT_EQ(program.switches.size(), 2u);
  const double inputs[] = {0, -0.5, 3, 0, 0};
  double values[2];
  evaluate(switch_functions(program, 0b11, 0b01), inputs, values);  // x counts as positive
  EXPECT_EQ(values[0], -0.5);
  EXPECT_EQ(values[1], 2);
  evaluate(switch_functions(program, 0b11, 0b00), inputs, values);
  EXPECT_EQ(values[1], -4);
}

TEST(Expression, GradientsAreThoseOfDuals) {
  const std::size_t inputs[] = {1, 2};
  for (const Function& f : functions) {
    const ExpressionProgram program = parse_expression(f.text + "*(1 + x*y/t)", names);
    const ExpressionProgram slopes = gradient(program, inputs);
    for (const auto& [x, y] : std::vector<std::pair<double, double>>{{0.25, -0.75}, {0.75, 1.5}}) {
      using D = Dual<double, 2>;
      const D duals[] = {0.7, D::variable(x, 0), D::variable(y, 1), 0.0, 0.0};
      const D expected = evaluate(program, duals);
      const double numbers[] = {0.7, x, y, 0, 0};
      double found[2];
      evaluate(slopes, numbers, found);
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(found[i], expected.d[i], 4e-14 * (1 + std::abs(expected.d[i]))) << f.text;
    }
  }
}

TEST(Expression, AffineFunctionsOfTimeAreRecognised) {
  const std::vector<std::string> texts{"3*t - 6", "t", "2*(t - x)", "t^2", "5", "(t + 1)/4 - t", "sin(t)"};
  const ExpressionProgram program = parse_expressions(texts, names);
  const AffineExpression a = affine_in(program, 0, 0), b = affine_in(program, 1, 0), f = affine_in(program, 5, 0);
  EXPECT_TRUE(a.is_affine && b.is_affine && f.is_affine);
  EXPECT_EQ(a.value.high, -6);
  EXPECT_EQ(a.slope.high, 3);
  EXPECT_EQ(b.value.high, 0);
  EXPECT_EQ(b.slope.high, 1);
  EXPECT_EQ(f.value.high, 0.25);
  EXPECT_EQ(f.slope.high, -0.75);
  EXPECT_TRUE(affine_in(program, 4, 0).is_affine);
  EXPECT_EQ(affine_in(program, 4, 0).slope.high, 0);
  for (const std::size_t other : {2u, 3u, 6u}) EXPECT_FALSE(affine_in(program, other, 0).is_affine);
}

struct SquareAndSine {
  template <class S>
  S operator()(std::size_t which, std::size_t order, const S& x) const {
    if (which == 0) return order == 0 ? S(x * x) : order == 1 ? S(x + x) : S(value_of<S>(2));
    return order == 0 ? S(sin(x)) : S(cos(x));
  }
};

TEST(Expression, CallsTheFunctionsThatItIsGiven) {
  ExpressionNames of = names;
  of.functions = {"square", "sine"};
  const ExpressionProgram program = parse_expression("square(x + 1)*sine(t)", of);
  const double inputs[] = {0.7, 0.3, 0, 0, 0};
  EXPECT_DOUBLE_EQ(evaluate(program, inputs, SquareAndSine{}), 1.3 * 1.3 * std::sin(0.7));
  const std::size_t x[] = {1};
  EXPECT_DOUBLE_EQ(evaluate(gradient(program, x), inputs, SquareAndSine{}), 2.6 * std::sin(0.7));
  const ExpressionCalls calls = calls_of(program);
  ASSERT_EQ(calls.functions.size(), 2u);
  double arguments[2];
  evaluate(calls.arguments, inputs, arguments);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(arguments[i], calls.functions[i] == 0 ? 1.3 : 0.7);
  EXPECT_EQ(calls_of(parse_expression("square(x) + square(t) + square(x)", of)).functions.size(), 2u);
  EXPECT_NE(error_of("square(x, y)", of).sentence.find("square takes 1 argument"), std::string::npos);
  EXPECT_NE(error_of("squar(x)", of).sentence.find("nearest: square"), std::string::npos);
}

TEST(Expression, ProgramsThatDoNotFitOnTheStackAreTheSame) {
  std::string text = "0";
  double expected = 0;
  for (int i = 1; i <= 400; ++i) {
    text += "+sin(" + std::to_string(i) + "*x)";
    expected += std::sin(i * 0.3);
  }
  const ExpressionProgram program = parse_expression(text, names);
  EXPECT_GT(program.registers, 256u);
  const double inputs[] = {0, 0.3, 0, 0, 0};
  EXPECT_DOUBLE_EQ(evaluate(program, inputs), expected);
  EXPECT_DOUBLE_EQ(evaluate(program, inputs), expected);
  const Lanes<double, 8> lanes[] = {0.0, 0.3, 0.0, 0.0, 0.0};
  EXPECT_DOUBLE_EQ(evaluate(program, lanes)[5], expected);
}

}  // namespace
}  // namespace polhode::expression_test
