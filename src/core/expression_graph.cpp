#include "core/expression_graph.hpp"

#include <utility>

#include "polhode/core/elementary.hpp"

namespace polhode {

namespace {

using GraphOp = ExpressionOp;

constexpr std::size_t most_nodes = 60000;  // that sixteen bits count, with room for constants

bool is_condition_on_sign(GraphOp op) { return op >= GraphOp::below && op <= GraphOp::unequal; }

bool compare_with_zero(GraphOp op, const quad& g) {
  switch (op) {
    case GraphOp::below: return g < quad(0);
    case GraphOp::at_most: return g <= quad(0);
    case GraphOp::above: return g > quad(0);
    case GraphOp::at_least: return g >= quad(0);
    case GraphOp::equal: return g == quad(0);
    default: return !(g == quad(0));
  }
}

GraphOp mirrored(GraphOp op) {
  switch (op) {
    case GraphOp::below: return GraphOp::above;
    case GraphOp::at_most: return GraphOp::at_least;
    case GraphOp::above: return GraphOp::below;
    case GraphOp::at_least: return GraphOp::at_most;
    default: return op;
  }
}

quad folded(GraphOp op, const quad& a, const quad& b) {
  switch (op) {
    case GraphOp::add: return a + b;
    case GraphOp::subtract: return a - b;
    case GraphOp::multiply: return a * b;
    case GraphOp::divide: return a / b;
    case GraphOp::negate: return -a;
    case GraphOp::sqrt: return sqrt(a);
    case GraphOp::exp: return exp(a);
    case GraphOp::log: return log(a);
    case GraphOp::sin: return sin(a);
    case GraphOp::cos: return cos(a);
    case GraphOp::tan: return tan(a);
    case GraphOp::asin: return asin(a);
    case GraphOp::acos: return acos(a);
    case GraphOp::atan: return atan(a);
    case GraphOp::tanh: return tanh(a);
    case GraphOp::atan2: return atan2(a, b);
    case GraphOp::power: return power(a, b);
    default: return std::numeric_limits<quad>::quiet_NaN();
  }
}

bool takes_two(GraphOp op) {
  return op == GraphOp::add || op == GraphOp::subtract || op == GraphOp::multiply || op == GraphOp::divide ||
         op == GraphOp::atan2 || op == GraphOp::power;
}

}  // namespace

ExpressionGraph::Node ExpressionGraph::keep(const ExpressionNode& node) {
  const auto [place, is_new] = known_.try_emplace({node.op, node.a, node.b, node.c}, Node(nodes_.size()));
  if (is_new) {
    if (nodes_.size() >= most_nodes)
      throw Error(ErrorKind::bad_request, "an expression came to more than 60000 operations; write a simpler one");
    nodes_.push_back(node);
  }
  return place->second;
}

ExpressionGraph::Node ExpressionGraph::constant(const quad& value) {
  // Two zeros are not alike, and a number that is none is not even like itself.
  const auto high = static_cast<long double>(value);
  const std::tuple key(high, static_cast<long double>(value - quad(high)), std::signbit(high));
  if (isfinite(value))
    if (const auto known = known_constants_.find(key); known != known_constants_.end()) return known->second;
  constants_.push_back(value);
  const Node made = keep({Op::constant, static_cast<std::uint16_t>(constants_.size() - 1)});
  if (isfinite(value)) known_constants_[key] = made;
  return made;
}

std::optional<quad> ExpressionGraph::value(Node i) const {
  if (nodes_[i].op != Op::constant) return std::nullopt;
  return constants_[nodes_[i].a];
}

ExpressionGraph::Node ExpressionGraph::make(Op op, Node a, Node b, Node c) {
  const auto is = [this](Node i, Op what) { return nodes_[i].op == what; };
  const auto known = [&](bool yes) { return keep({yes ? Op::yes : Op::no}); };
  switch (op) {
    case Op::both:
      if (is(a, Op::no) || is(b, Op::no)) return known(false);
      if (is(a, Op::yes)) return b;
      return is(b, Op::yes) || a == b ? a : keep({op, a, b});
    case Op::either:
      if (is(a, Op::yes) || is(b, Op::yes)) return known(true);
      if (is(a, Op::no)) return b;
      return is(b, Op::no) || a == b ? a : keep({op, a, b});
    case Op::opposite:
      if (is(a, Op::yes) || is(a, Op::no)) return known(is(a, Op::no));
      return is(a, Op::opposite) ? nodes_[a].a : keep({op, a});
    case Op::choose:
      if (is(a, Op::yes) || b == c) return b;
      return is(a, Op::no) ? c : keep({op, a, b, c});
    case Op::yes:
    case Op::no: return known(op == Op::yes);
    case Op::call: return call(b, c, a);
    default: break;
  }
  const bool two = takes_two(op), a_known = is(a, Op::constant), b_known = two && is(b, Op::constant);
  const auto is_number = [&](Node i, int number) {
    return is(i, Op::constant) && constants_[nodes_[i].a] == quad(number);
  };
  if (is_condition_on_sign(op)) return a_known ? known(compare_with_zero(op, *value(a))) : keep({op, a});
  if (a_known && (b_known || !two)) return constant(folded(op, *value(a), *value(two ? b : a)));
  if (op == Op::negate) return is(a, Op::negate) ? nodes_[a].a : keep({op, a});
  if (op == Op::add) {
    if (is_number(a, 0)) return b;
    if (is_number(b, 0)) return a;
    if (is(b, Op::negate)) return subtract(a, nodes_[b].a);
    if (is(a, Op::negate)) return subtract(b, nodes_[a].a);
  }
  if (op == Op::subtract) {
    if (is_number(b, 0)) return a;
    if (is(b, Op::negate)) return add(a, nodes_[b].a);
  }
  if (op == Op::multiply) {
    if (is_number(a, 1)) return b;
    if (is_number(b, 1)) return a;
  }
  if (op == Op::divide && is_number(b, 1)) return a;
  if (op == Op::add || op == Op::multiply) return keep({op, std::min(a, b), std::max(a, b)});
  return keep({op, a, two ? b : Node(0)});
}

ExpressionGraph::Node ExpressionGraph::compare(Op op, Node a, Node b) {
  if (const auto other = known_.find({Op::subtract, b, a, 0}); other != known_.end())
    return make(mirrored(op), other->second);
  return make(op, subtract(a, b));
}

ExpressionGraph::Node ExpressionGraph::whole_power(Node a, int exponent) {
  if (exponent == 0) return constant(1);
  if (exponent < 0) return divide(constant(1), whole_power(a, -exponent));
  if (exponent == 1) return a;
  const Node half = whole_power(a, exponent / 2), square = multiply(half, half);
  return exponent % 2 == 0 ? square : multiply(square, a);
}

ExpressionGraph::Node ExpressionGraph::power(Node a, Node b) {
  if (const std::optional<quad> exponent = value(b)) {
    if (abs(*exponent) <= quad(1024) && floor(*exponent) == *exponent)
      return whole_power(a, static_cast<int>(static_cast<double>(*exponent)));
    if (*exponent == quad(0.5)) return make(Op::sqrt, a);
  }
  return make(Op::power, a, b);
}

std::vector<ExpressionGraph::Node> ExpressionGraph::copy(const ExpressionProgram& from,
                                                         const std::map<Node, bool>& known) {
  std::vector<Node> to(from.nodes.size());
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    const ExpressionNode& n = from.nodes[i];
    const auto decided = is_condition_on_sign(n.op) ? known.find(n.a) : known.end();
    if (n.op == Op::constant) {
      to[i] = constant(quad(from.constants[n.a].high) + quad(from.constants[n.a].low));
    } else if (n.op == Op::input) {
      to[i] = input(n.a);
    } else if (n.op == Op::call) {
      to[i] = call(n.b, n.c, to[n.a]);
    } else if (decided != known.end()) {
      to[i] = make(compare_with_zero(n.op, decided->second ? quad(1) : quad(-1)) ? Op::yes : Op::no, 0);
    } else {
      to[i] = make(n.op, to[n.a], to[n.b], to[n.c]);
    }
  }
  return to;
}

std::vector<std::optional<ExpressionGraph::Node>> ExpressionGraph::gradient(Node of,
                                                                            std::span<const std::size_t> inputs) {
  std::vector<std::optional<Node>> slope(of + 1);
  slope[of] = constant(1);
  const auto give = [&](Node to, Node share) { slope[to] = slope[to] ? add(*slope[to], share) : share; };
  const auto take = [&](Node to, Node share) {
    slope[to] = slope[to] ? subtract(*slope[to], share) : make(Op::negate, share);
  };
  const Node one = constant(1), none = constant(0);
  const auto square = [&](Node a) { return multiply(a, a); };
  for (std::size_t j = of + 1; j-- > 0;) {
    if (!slope[j]) continue;
    const auto i = static_cast<Node>(j);
    const ExpressionNode n = nodes_[i];
    const Node g = *slope[j], a = n.a, b = n.b;
    switch (n.op) {
      case Op::add: give(a, g), give(b, g); break;
      case Op::subtract: give(a, g), take(b, g); break;
      case Op::multiply: give(a, multiply(g, b)), give(b, multiply(g, a)); break;
      case Op::divide: give(a, divide(g, b)), take(b, divide(multiply(g, i), b)); break;
      case Op::negate: take(a, g); break;
      case Op::sqrt: give(a, divide(multiply(g, constant(0.5)), i)); break;
      case Op::exp: give(a, multiply(g, i)); break;
      case Op::log: give(a, divide(g, a)); break;
      case Op::sin: give(a, multiply(g, make(Op::cos, a))); break;
      case Op::cos: take(a, multiply(g, make(Op::sin, a))); break;
      case Op::tan: give(a, multiply(g, add(one, square(i)))); break;
      case Op::asin: give(a, divide(g, make(Op::sqrt, subtract(one, square(a))))); break;
      case Op::acos: take(a, divide(g, make(Op::sqrt, subtract(one, square(a))))); break;
      case Op::atan: give(a, divide(g, add(one, square(a)))); break;
      case Op::tanh: give(a, multiply(g, subtract(one, square(i)))); break;
      case Op::atan2: {
        const Node weight = divide(g, add(square(a), square(b)));
        give(a, multiply(weight, b)), take(b, multiply(weight, a));
        break;
      }
      case Op::power:
        give(a, multiply(multiply(g, b), power(a, subtract(b, one))));
        if (!value(b)) give(b, multiply(multiply(g, i), make(Op::log, a)));
        break;
      case Op::call: give(a, multiply(g, call(n.b, n.c + 1u, a))); break;
      case Op::choose: give(b, make(Op::choose, a, g, none)), give(n.c, make(Op::choose, a, none, g)); break;
      default: break;
    }
  }
  std::vector<std::optional<Node>> answer;
  for (const std::size_t which : inputs) {
    const auto known = known_.find({Op::input, Node(which), 0, 0});
    answer.push_back(known != known_.end() && known->second <= of ? slope[known->second] : std::nullopt);
  }
  return answer;
}

}  // namespace polhode
