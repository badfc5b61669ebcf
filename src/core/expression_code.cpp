// From a graph to what is run: what is needed, in registers, with products and the sums behind them in one instruction.
#include <algorithm>
#include <array>

#include "core/expression_graph.hpp"

namespace polhode {

namespace {

using CodeOp = ExpressionOp;

bool gives_condition(CodeOp op) {
  return op == CodeOp::yes || op == CodeOp::no || (op >= CodeOp::below && op <= CodeOp::opposite);
}

bool is_function(CodeOp op) { return op >= CodeOp::exp && op <= CodeOp::call; }

// In the order of the choices by them.
bool is_comparison(CodeOp op) { return op >= CodeOp::below && op <= CodeOp::at_least; }

// The operands of a node, of which a call has one and a choice three.
std::size_t operands(CodeOp op) {
  switch (op) {
    case CodeOp::constant:
    case CodeOp::input:
    case CodeOp::yes:
    case CodeOp::no: return 0;
    case CodeOp::add:
    case CodeOp::subtract:
    case CodeOp::multiply:
    case CodeOp::divide:
    case CodeOp::atan2:
    case CodeOp::power:
    case CodeOp::both:
    case CodeOp::either: return 2;
    case CodeOp::choose: return 3;
    default: return 1;
  }
}

// Products one after the other, whose results are in a row of registers.
std::vector<ExpressionInstruction> with_products_in_threes(const std::vector<ExpressionInstruction>& code) {
  std::vector<ExpressionInstruction> made;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto is_product = [&](std::size_t k) { return k < code.size() && code[k].op == CodeOp::multiply; };
    if (is_product(i) && is_product(i + 1) && is_product(i + 2)) {
      const ExpressionInstruction &one = code[i], &two = code[i + 1], &three = code[i + 2];
      made.push_back({CodeOp::products, one.to, one.a, one.b, two.a, two.b, three.a, three.b});
      i += 2;
    } else {
      made.push_back(code[i]);
    }
  }
  return made;
}

class CodeWriter {
 public:
  explicit CodeWriter(ExpressionProgram& program) : program_(program), place_(program.nodes.size()) { count_uses(); }

  void write() {
    program_.constant_values.clear();
    for (const ExpressionConstant& constant : program_.constants)
      program_.constant_values.push_back(static_cast<double>(constant.high));
    constexpr std::size_t at_once = ExpressionProgram::constants_at_once;
    program_.constant_values.resize(std::max(at_once, (program_.constants.size() + at_once - 1) / at_once * at_once));
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      const ExpressionNode& n = program_.nodes[i];
      if (n.op == CodeOp::constant) place_[i] = static_cast<std::uint16_t>(program_.input_count + n.a);
      if (n.op != CodeOp::input) continue;
      place_[i] = n.a;
      program_.inputs.push_back(n.a);
    }
    program_.registers = program_.input_count + program_.constant_values.size();
    program_.code.clear();
    for (std::size_t i = 0; i < program_.nodes.size(); ++i)
      if (operands(program_.nodes[i].op) > 0 && !is_absorbed_[i]) emit(i);
    program_.code = with_products_in_threes(program_.code);
    program_.code.push_back({});
    for (const std::uint16_t output : program_.outputs) program_.results.push_back(place_[output]);
  }

 private:
  void count_uses() {
    std::vector<int> uses(program_.nodes.size());
    for (const std::uint16_t output : program_.outputs) ++uses[output];
    for (const ExpressionNode& n : program_.nodes) {
      const std::array<std::uint16_t, 3> of{n.a, n.b, n.c};
      for (std::size_t k = 0; k < operands(n.op); ++k) ++uses[of[k]];
    }
    is_absorbed_.resize(uses.size());
    // What only one other needs is made there: a product by a sum, a sum of two products by one of three, that by its
    // root, a comparison by a choice.
    const auto absorb_if = [&](std::uint16_t i, bool fits) {
      if (fits && uses[i] == 1) is_absorbed_[i] = true;
    };
    for (const ExpressionNode& n : program_.nodes) {
      if (n.op == CodeOp::add || n.op == CodeOp::subtract) {
        for (const std::uint16_t term : {n.a, n.b}) absorb_if(term, program_.nodes[term].op == CodeOp::multiply);
        if (n.op == CodeOp::add && is_absorbed_[n.b]) absorb_if(n.a, sums_two_products(n.a));
        if (n.op == CodeOp::add && is_absorbed_[n.a]) absorb_if(n.b, sums_two_products(n.b));
      }
      if (n.op == CodeOp::sqrt) absorb_if(n.a, sums_three_products(n.a));
      if (n.op == CodeOp::choose) absorb_if(n.a, is_comparison(program_.nodes[n.a].op));
    }
    // A norm by the product that is not part of a sum itself, with the factor before it as the product has them.
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const ExpressionNode& n = program_.nodes[i];
      if (n.op == CodeOp::multiply && !is_absorbed_[i]) absorb_if(n.b, is_norm(n.b));
    }
  }

  // The root of the sum of three squares, all of it made at once.
  bool is_norm(std::uint16_t i) const {
    const ExpressionNode& n = program_.nodes[i];
    return n.op == CodeOp::sqrt && is_absorbed_[n.a] && are_squares(program_.nodes[n.a]);
  }
  bool are_squares(const ExpressionNode& n) const {
    if (n.op == CodeOp::multiply) return n.a == n.b;
    return are_squares(program_.nodes[n.a]) && are_squares(program_.nodes[n.b]);
  }

  bool is_absorbed_product(std::uint16_t i) const {
    return is_absorbed_[i] && program_.nodes[i].op == CodeOp::multiply;
  }
  bool sums_two_products(std::uint16_t i) const {
    const ExpressionNode& n = program_.nodes[i];
    return n.op == CodeOp::add && is_absorbed_product(n.a) && is_absorbed_product(n.b);
  }
  bool sums_three_products(std::uint16_t i) const {
    const ExpressionNode& n = program_.nodes[i];
    return n.op == CodeOp::add && is_absorbed_[n.a] && is_absorbed_[n.b] && !sums_two_products(i);
  }

  void emit(std::size_t i) {
    const ExpressionNode& n = program_.nodes[i];
    std::size_t& next = gives_condition(n.op) ? program_.conditions : program_.registers;
    place_[i] = static_cast<std::uint16_t>(next++);
    if (is_function(n.op)) program_.calls_functions = true;
    ExpressionInstruction made{.op = n.op, .to = place_[i], .a = place_[n.a]};
    const std::size_t count = operands(n.op);
    if (count > 1) made.b = place_[n.b];
    if (count > 2) made.c = place_[n.c];
    if (n.op == CodeOp::call) made.b = n.b, made.c = n.c;
    if (n.op == CodeOp::add || n.op == CodeOp::subtract) join(n, made);
    if (n.op == CodeOp::sqrt && is_absorbed_[n.a]) {
      join(program_.nodes[n.a], made);
      made.op = CodeOp::root_of_three;
    }
    if (n.op == CodeOp::multiply && is_absorbed_[n.b]) {
      join(program_.nodes[program_.nodes[n.b].a], made);
      made = {.op = CodeOp::scaled_norm, .to = made.to, .a = made.a, .b = made.c, .c = made.e, .d = place_[n.a]};
    }
    if (n.op == CodeOp::choose && is_absorbed_[n.a]) {
      const ExpressionNode& comparison = program_.nodes[n.a];
      const auto kind = static_cast<std::uint16_t>(comparison.op) - static_cast<std::uint16_t>(CodeOp::below);
      made.op = static_cast<CodeOp>(static_cast<std::uint16_t>(CodeOp::choose_below) + kind);
      made.a = place_[comparison.a];
    }
    program_.code.push_back(made);
  }

  void join(const ExpressionNode& n, ExpressionInstruction& made) {
    const bool first = is_absorbed_[n.a], second = is_absorbed_[n.b], adds = n.op == CodeOp::add;
    const ExpressionNode &p = program_.nodes[n.a], &q = program_.nodes[n.b];
    if (first && second && p.op == CodeOp::add) {
      join(p, made);
      made.op = CodeOp::sum_of_three;
      made.e = place_[q.a], made.f = place_[q.b];
    } else if (first && second && q.op == CodeOp::add) {
      join(q, made);
      made.op = CodeOp::sum_of_three;
      made.e = place_[p.a], made.f = place_[p.b];
    } else if (first && second) {
      made.op = adds ? CodeOp::sum_of_products : CodeOp::difference_of_products;
      made.a = place_[p.a], made.b = place_[p.b], made.c = place_[q.a], made.d = place_[q.b];
    } else if (first) {
      made.op = adds ? CodeOp::multiply_add : CodeOp::multiply_subtract;
      made.a = place_[p.a], made.b = place_[p.b], made.c = place_[n.b];
    } else if (second) {
      made.op = adds ? CodeOp::multiply_add : CodeOp::subtract_product;
      made.a = place_[q.a], made.b = place_[q.b], made.c = place_[n.a];
    }
  }

  ExpressionProgram& program_;
  std::vector<std::uint16_t> place_;  // register or condition of a node
  std::vector<bool> is_absorbed_;
};

}  // namespace

bool ExpressionProgram::depends_on(std::size_t input) const {
  return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
}

ExpressionProgram ExpressionGraph::finish(const std::vector<Node>& outputs, std::size_t inputs,
                                          std::size_t functions) const {
  std::vector<bool> needed(nodes_.size());
  for (const Node output : outputs) needed[output] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const std::array<Node, 3> of{nodes_[i].a, nodes_[i].b, nodes_[i].c};
    for (std::size_t k = 0; needed[i] && k < operands(nodes_[i].op); ++k) needed[of[k]] = true;
  }
  ExpressionProgram program;
  program.input_count = inputs;
  program.function_count = functions;
  std::vector<Node> to(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!needed[i]) continue;
    ExpressionNode n = nodes_[i];
    if (n.op == Op::constant) {
      const quad& value = constants_[n.a];
      const auto high = static_cast<long double>(value);
      // What is not finite has no rest.
      const auto low = isfinite(value) ? static_cast<long double>(value - quad(high)) : 0.0L;
      n.a = static_cast<std::uint16_t>(program.constants.size());
      program.constants.push_back({high, low});
    } else {
      const std::size_t count = operands(n.op);
      if (count > 0) n.a = to[n.a];
      if (count > 1) n.b = to[n.b];
      if (count > 2) n.c = to[n.c];
    }
    to[i] = static_cast<Node>(program.nodes.size());
    program.nodes.push_back(n);
    const bool switches = n.op >= Op::below && n.op <= Op::at_least;
    if (switches && std::find(program.switches.begin(), program.switches.end(), n.a) == program.switches.end())
      program.switches.push_back(n.a);
  }
  for (const Node output : outputs) program.outputs.push_back(to[output]);
  CodeWriter(program).write();
  return program;
}

}  // namespace polhode
