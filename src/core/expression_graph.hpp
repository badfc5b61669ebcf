// The graph of an expression while it is made: equal nodes are one, and what is constant is computed at once.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "polhode/core/expression.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {

class ExpressionGraph {
 public:
  using Node = std::uint16_t;
  using Op = ExpressionOp;

  Node constant(const quad& value);
  Node input(std::size_t which) { return keep({Op::input, static_cast<std::uint16_t>(which)}); }
  // An operation, or what it comes to.
  Node make(Op op, Node a, Node b = 0, Node c = 0);
  Node call(std::size_t function, std::size_t order, Node argument) {
    return keep({Op::call, argument, static_cast<std::uint16_t>(function), static_cast<std::uint16_t>(order)});
  }
  // a against b, by the sign of a - b or, where that exists already, of b - a.
  Node compare(Op op, Node a, Node b);
  Node add(Node a, Node b) { return make(Op::add, a, b); }
  Node subtract(Node a, Node b) { return make(Op::subtract, a, b); }
  Node multiply(Node a, Node b) { return make(Op::multiply, a, b); }
  Node divide(Node a, Node b) { return make(Op::divide, a, b); }
  Node power(Node a, Node b);

  const ExpressionNode& node(Node i) const { return nodes_[i]; }
  std::optional<quad> value(Node i) const;
  std::size_t size() const { return nodes_.size(); }

  // A copy of another program's nodes; its node i becomes the i-th answer. `known` says which switches are decided (true:
  // g > 0).
  std::vector<Node> copy(const ExpressionProgram& from, const std::map<Node, bool>& known = {});

  // Derivatives of a node with respect to inputs, by going backwards; none: it does not depend on it.
  std::vector<std::optional<Node>> gradient(Node of, std::span<const std::size_t> inputs);

  // The program of what the outputs need.
  ExpressionProgram finish(const std::vector<Node>& outputs, std::size_t inputs, std::size_t functions) const;

 private:
  Node keep(const ExpressionNode& node);
  Node whole_power(Node a, int exponent);

  std::vector<ExpressionNode> nodes_;
  std::vector<quad> constants_;
  std::map<std::tuple<ExpressionOp, Node, Node, Node>, Node> known_;
  std::map<std::tuple<long double, long double, bool>, Node> known_constants_;
};

}  // namespace polhode
