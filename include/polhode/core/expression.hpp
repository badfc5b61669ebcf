// Expressions of a user, such as "-0.1*wx + 2*sin(3*t)": parsed once into a program of arithmetic that is then evaluated on
// any scalar (evaluate_expression.hpp).
//
// Grammar, from what binds loosest to what binds tightest:
//   a or b (||);  a and b (&&);  not a (!);  a < b, <=, >, >=, ==, !=;  a + b, a - b;  a * b, a / b;  -a;  a ^ b, from the
//   right;  numbers, names, (a), functions: sin cos tan asin acos atan exp log sqrt abs tanh atan2(y, x) min(a, b)
//   max(a, b), if(condition, a, b), and the functions that are given. The constant pi is known.
// Nothing but arithmetic can be called, and length, nesting and the number of operations are bounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/core/error.hpp"

namespace polhode {

// What an expression may speak of.
struct ExpressionNames {
  std::vector<std::string> inputs;  // an input has the index that it has here
  std::map<std::string, double> constants;
  std::vector<std::string> functions;             // of one argument: the columns of a table
  std::map<std::string, std::string> quantities;  // named expressions, which may use each other
};

struct ExpressionLimits {
  static constexpr std::size_t characters = 10000, nesting = 200, constants = 1000, operations = 10000, switches = 64;
};

// A mistake in a text, where it begins (both counted from one), and in which of the named quantities: none if it is the
// text that was asked for. what() says the place and the sentence.
struct ExpressionError : Error {
  std::size_t line, column;
  std::string quantity, sentence;
  ExpressionError(std::size_t line_, std::size_t column_, std::string quantity_, std::string sentence_);
};

enum class ExpressionOp : std::uint16_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  tanh,
  atan2,
  power,
  call,   // derivative of order c of function b, at a
  below,  // conditions: a against zero
  at_most,
  above,
  at_least,
  equal,
  unequal,
  both,
  either,
  opposite,
  choose,  // a ? b : c
  // Two or three operations at once, in instructions only.
  multiply_add,       // a b + c
  multiply_subtract,  // a b - c
  subtract_product,   // c - a b
  sum_of_products,    // a b + c d
  difference_of_products,
  sum_of_three,   // (a b + c d) + e f
  root_of_three,  // the root of that
  scaled_norm,    // d times the root of (a a + b b) + c c
  products,       // a b, c d and e f, in three registers from the one for the result
  choose_below,   // a < 0 ? b : c
  choose_at_most,
  choose_above,
  choose_at_least,
  end,
  // In graphs only.
  constant,  // number a of the constants
  input,     // input a
  yes,       // conditions that are known; no finished program has them
  no
};

// One operation on earlier ones.
struct ExpressionNode {
  ExpressionOp op;
  std::uint16_t a = 0, b = 0, c = 0;
  friend bool operator==(const ExpressionNode&, const ExpressionNode&) = default;
};

// The same for the interpreter: operands are registers, or numbers of conditions.
struct ExpressionInstruction {
  ExpressionOp op = ExpressionOp::end;
  std::uint16_t to = 0, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
};

// A constant to 113 bits as the sum of two numbers, so that pi and 1/3 are right in every scalar.
struct ExpressionConstant {
  long double high, low;
};

// Where a number changes its sign, the program takes another branch.
struct ExpressionProgram {
  // The graph, every node after its operands and no two alike. Functions below make other programs from it.
  std::vector<ExpressionNode> nodes;
  std::vector<ExpressionConstant> constants;
  std::vector<std::uint16_t> outputs;               // nodes
  std::vector<std::uint16_t> switches;              // nodes g: conditions compare them with zero
  std::size_t input_count = 0, function_count = 0;  // that it was parsed with

  // What is run. Registers hold all inputs, of which those that are not needed are not read, the constants, then results.
  static constexpr std::size_t constants_at_once = 4;
  std::vector<double> constant_values = std::vector<double>(constants_at_once);  // zeros fill up a multiple of that
  std::vector<std::uint16_t> inputs;                                             // which ones are needed
  std::vector<ExpressionInstruction> code{{}};                                   // the last is `end`
  std::vector<std::uint16_t> results;                                            // registers
  std::size_t registers = 0, conditions = 0;
  bool calls_functions = false;  // sines and the like

  // Without a switch it is as smooth as its functions are. (== and != are none: they hold at an instant.)
  bool is_smooth() const { return switches.empty(); }
  bool depends_on(std::size_t input) const;
  std::size_t operations() const { return code.size() - 1; }
};

// Throw ExpressionError. Several texts make one program with as many outputs, which shares what they have in common.
ExpressionProgram parse_expression(std::string_view text, const ExpressionNames& names);
ExpressionProgram parse_expressions(std::span<const std::string> texts, const ExpressionNames& names);

// "angle < 10 and wz > 0": the output is 1 where it holds and 0 where not, and the switches are left - right of each
// comparison.
ExpressionProgram parse_condition(std::string_view text, const ExpressionNames& names);

// All quantities of `names` in the order of their names, an output each: a cycle among them is refused.
ExpressionProgram parse_quantities(const ExpressionNames& names);

// What is wrong with the names themselves: one that is no name, or that something else has; empty if nothing is.
std::string objection(const ExpressionNames& names);

// Functions known to every expression, if, and, or, not and pi: names that nothing else may have.
const std::vector<std::string>& reserved_expression_names();

// The switches g_i as outputs; and with some of them decided as below, so that they are smooth where one depends on another.
ExpressionProgram switch_functions(const ExpressionProgram& program, std::uint64_t decided = 0,
                                   std::uint64_t positive = 0);

// The program with those switches decided whose bit is in `decided`: g_i counts as positive where bit i is in `positive`,
// and as negative otherwise. The others keep their order.
ExpressionProgram frozen(const ExpressionProgram& program, std::uint64_t decided, std::uint64_t positive);
inline ExpressionProgram frozen(const ExpressionProgram& program, std::uint64_t positive) {
  return frozen(program, ~std::uint64_t{0}, positive);
}

// Derivatives of output 0 with respect to inputs.
ExpressionProgram gradient(const ExpressionProgram& program, std::span<const std::size_t> inputs);

// Of a V(R) whose R stands row by row in nine inputs from `first` on: -d V(R exp(hat(d))) / dd at d = 0, three outputs.
ExpressionProgram turning_derivative(const ExpressionProgram& program, std::size_t first);

// One output of several.
ExpressionProgram single_output(const ExpressionProgram& program, std::size_t output);

// The functions that are called, each once per argument: the program with calls counted from zero in the order of
// `functions`, the arguments as outputs, and the number that the function had.
struct ExpressionCalls {
  ExpressionProgram program, arguments;
  std::vector<std::size_t> functions;
};
ExpressionCalls calls_of(const ExpressionProgram& program);

// value + slope * input, where an output is that and speaks of no other input. The slope may be zero.
struct AffineExpression {
  bool is_affine = false;
  ExpressionConstant value{}, slope{};
};
AffineExpression affine_in(const ExpressionProgram& program, std::size_t output, std::size_t input);

}  // namespace polhode
