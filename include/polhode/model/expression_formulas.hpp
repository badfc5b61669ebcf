// The texts of a torque given by expressions, and the programs that they come to.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/core/expression.hpp"
#include "polhode/core/interpolation.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/model/fields/key.hpp"

namespace polhode {

// The inputs of an expression of the state, in SI units and the user's body axes, by their places: t; qw qx qy qz; wx wy wz
// in body axes; Rxx to Rzz, rows in space and columns in the body.
struct StateInputs {
  static constexpr std::size_t t = 0, q = 1, w = 5, R = 8, count = 17;
  static constexpr std::array<std::string_view, count> list{
      "t", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "Rxx", "Rxy", "Rxz", "Ryx", "Ryy", "Ryz", "Rzx", "Rzy", "Rzz"};
  static const std::vector<std::string>& names();
};

struct ExpressionTexts {
  TorqueFrame frame;
  std::array<std::string, 3> torque;  // empty: zero
  std::string potential;              // empty: none
  NamedNumbers constants;
  std::shared_ptr<const DataTable> table;  // may be none
  Interpolation interpolation;
};

// A program of the state, whose calls are counted.
struct StateFormula {
  ExpressionProgram program;
  std::vector<std::size_t> columns;         // of a call: the curve
  std::vector<AffineExpression> arguments;  // of a call, as a function of time
  std::vector<AffineExpression> switches;   // as a function of time
};

struct ExpressionFormulas {
  StateFormula torque;  // three outputs
  TorqueFrame frame;    // in which they are
  std::optional<StateFormula> potential;
  std::vector<std::string> columns;  // of the table, that may be called
};

// Why texts are no torque.
struct ExpressionObjection {
  std::string key, sentence;
};

// Throws ExpressionObjection where a text is no expression.
ExpressionFormulas expression_formulas(const ExpressionTexts& texts);

// What else may be wrong: a torque that differs between q and -q, or that is not the one of its potential.
std::optional<ExpressionObjection> objection_to(const ExpressionTexts& texts);

// Times [s] for which the columns that are functions of time are given.
std::optional<std::pair<double, double>> time_range_of(const ExpressionTexts& texts);

// The columns of a table in SI units, as functions of its column t.
template <class T>
std::vector<PiecewiseCubic<T>> curves_of(const DataTable& table, const std::vector<std::string>& columns,
                                         Interpolation interpolation) {
  const auto of = [&](std::string_view name) {
    const auto& values = table.find(name)->values;
    return std::vector<T>(values.begin(), values.end());
  };
  std::vector<PiecewiseCubic<T>> curves;
  for (const std::string& column : columns) {
    const std::vector<T> times = of("t"), all = of(column);
    std::vector<T> knots, values;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!knots.empty() && !(knots.back() < times[i])) continue;  // a short scalar does not tell them apart
      knots.push_back(times[i]);
      values.push_back(all[i]);
    }
    curves.emplace_back(knots, values, interpolation);
  }
  return curves;
}

// What the calls of a formula mean.
template <class T>
struct TableFunctions {
  static constexpr std::size_t anywhere = static_cast<std::size_t>(-1);

  const std::vector<PiecewiseCubic<T>>& curves;
  const std::vector<std::size_t>& columns;
  const std::vector<std::size_t>& pieces;  // of a call, where it is known; may be empty

  template <class S>
  S operator()(std::size_t call, std::size_t order, const S& x) const {
    if constexpr (is_lanes<S>) {
      return each_lane(x, [&](const auto& one) { return (*this)(call, order, one); });
    } else {
      const PiecewiseCubic<T>& curve = curves[columns[call]];
      const bool known = call < pieces.size() && pieces[call] != anywhere;
      const std::size_t piece = known ? pieces[call] : curve.piece_at(x);
      return order == 0 ? curve.in_piece(piece, x) : curve.derivative_in_piece(order, piece, x);
    }
  }
};

// The outputs that depend on time alone, each a program.
std::vector<ExpressionProgram> functions_of_time(const ExpressionProgram& program);

// The share of a time, from its beginning, in which each of these changes its sign once at most.
double share_with_one_change(const std::vector<ExpressionProgram>& functions, const TableFunctions<double>& columns,
                             double from, double length);

}  // namespace polhode
