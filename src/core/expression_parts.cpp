// Programs made from programs: their switches, decided switches, derivatives.
#include <algorithm>
#include <array>

#include "core/expression_graph.hpp"

namespace polhode {

namespace {

using KnownSwitches = std::map<std::uint16_t, bool>;

KnownSwitches known_switches(const ExpressionProgram& program, std::uint64_t decided, std::uint64_t positive) {
  KnownSwitches known;
  for (std::size_t i = 0; i < program.switches.size(); ++i)
    if ((decided >> i & 1) != 0) known[program.switches[i]] = (positive >> i & 1) != 0;
  return known;
}

ExpressionProgram program_of(const std::vector<std::uint16_t>& nodes, const ExpressionProgram& from,
                             const KnownSwitches& known) {
  ExpressionGraph graph;
  const auto to = graph.copy(from, known);
  std::vector<std::uint16_t> outputs;
  for (const std::uint16_t node : nodes) outputs.push_back(to[node]);
  return graph.finish(outputs, from.input_count, from.function_count);
}

}  // namespace

ExpressionProgram switch_functions(const ExpressionProgram& program, std::uint64_t decided, std::uint64_t positive) {
  return program_of(program.switches, program, known_switches(program, decided, positive));
}

ExpressionProgram frozen(const ExpressionProgram& program, std::uint64_t decided, std::uint64_t positive) {
  return program_of(program.outputs, program, known_switches(program, decided, positive));
}

ExpressionProgram gradient(const ExpressionProgram& program, std::span<const std::size_t> inputs) {
  ExpressionGraph graph;
  const auto to = graph.copy(program);
  std::vector<std::uint16_t> outputs;
  for (const auto& slope : graph.gradient(to[program.outputs[0]], inputs))
    outputs.push_back(slope ? *slope : graph.constant(0));
  return graph.finish(outputs, program.input_count, program.function_count);
}

ExpressionProgram turning_derivative(const ExpressionProgram& program, std::size_t first) {
  ExpressionGraph graph;
  const auto to = graph.copy(program);
  std::array<std::size_t, 9> entries;
  for (std::size_t i = 0; i < 9; ++i) entries[i] = first + i;
  const auto slope = graph.gradient(to[program.outputs[0]], entries);
  // d(R hat(e_k)) has in row i the entries R_ij and R_ik of the two other columns, one of them with a minus.
  std::vector<std::uint16_t> outputs;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t j = (k + 1) % 3, l = (k + 2) % 3;
    std::optional<std::uint16_t> sum;
    for (std::size_t i = 0; i < 3; ++i) {
      if (const auto& v = slope[3 * i + l]) {
        const auto term = graph.multiply(*v, graph.input(first + 3 * i + j));
        sum = sum ? graph.add(*sum, term) : term;
      }
      if (const auto& v = slope[3 * i + j]) {
        const auto term = graph.multiply(*v, graph.input(first + 3 * i + l));
        sum = sum ? graph.subtract(*sum, term) : graph.make(ExpressionOp::negate, term);
      }
    }
    outputs.push_back(sum ? *sum : graph.constant(0));
  }
  return graph.finish(outputs, program.input_count, program.function_count);
}

ExpressionProgram single_output(const ExpressionProgram& program, std::size_t output) {
  ExpressionGraph graph;
  const auto to = graph.copy(program);
  return graph.finish({to[program.outputs[output]]}, program.input_count, program.function_count);
}

ExpressionCalls calls_of(const ExpressionProgram& program) {
  ExpressionProgram counted = program;
  ExpressionCalls calls;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> known;  // argument and function
  for (ExpressionNode& n : counted.nodes) {
    if (n.op != ExpressionOp::call) continue;
    const auto found = std::find(known.begin(), known.end(), std::pair(n.a, n.b));
    const auto number = static_cast<std::uint16_t>(found - known.begin());
    if (found == known.end()) {
      known.emplace_back(n.a, n.b);
      calls.functions.push_back(n.b);
    }
    n.b = number;
  }
  ExpressionGraph graph;
  const auto to = graph.copy(counted);
  std::vector<std::uint16_t> outputs, arguments;
  for (const std::uint16_t output : program.outputs) outputs.push_back(to[output]);
  for (const auto& [argument, function] : known) arguments.push_back(to[argument]);
  calls.program = graph.finish(outputs, program.input_count, calls.functions.size());
  calls.arguments = graph.finish(arguments, program.input_count, calls.functions.size());
  return calls;
}

AffineExpression affine_in(const ExpressionProgram& program, std::size_t output, std::size_t input) {
  ExpressionGraph graph;
  const auto to = graph.copy(program);
  const auto of = to[program.outputs[output]];
  const ExpressionProgram single = graph.finish({of}, program.input_count, program.function_count);
  if (std::any_of(single.inputs.begin(), single.inputs.end(), [&](std::size_t i) { return i != input; })) return {};
  const std::array<std::size_t, 1> inputs{input};
  const auto slope = graph.gradient(of, inputs)[0];
  const auto parts = [](const quad& x) {
    const auto high = static_cast<long double>(x);
    return ExpressionConstant{high, static_cast<long double>(x - quad(high))};
  };
  if (!slope) {
    const auto value = graph.value(of);
    return value ? AffineExpression{true, parts(*value), {}} : AffineExpression{};
  }
  const auto steepness = graph.value(*slope);
  if (!steepness) return {};
  // The rest of it is its value where the input is zero.
  ExpressionGraph at_zero;
  std::vector<std::uint16_t> there(single.nodes.size());
  for (std::size_t i = 0; i < single.nodes.size(); ++i) {
    const ExpressionNode& n = single.nodes[i];
    if (n.op == ExpressionOp::constant) {
      there[i] = at_zero.constant(quad(single.constants[n.a].high) + quad(single.constants[n.a].low));
    } else if (n.op == ExpressionOp::input) {
      there[i] = at_zero.constant(0);
    } else {
      there[i] = at_zero.make(n.op, there[n.a], n.op == ExpressionOp::call ? n.b : there[n.b], there[n.c]);
    }
  }
  const auto rest = at_zero.value(there[single.outputs[0]]);
  return rest ? AffineExpression{true, parts(*rest), parts(*steepness)} : AffineExpression{};
}

}  // namespace polhode
