#include "polhode/model/expression_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/core/evaluate_expression.hpp"
#include "polhode/core/sign_changes.hpp"

namespace polhode {

namespace {

constexpr std::array<std::string_view, 3> component_keys{"x", "y", "z"};

ExpressionNames expression_names(const ExpressionTexts& texts, const std::vector<std::string>& columns) {
  ExpressionNames names{.inputs = StateInputs::names(), .constants = {}, .functions = {}, .quantities = {}};
  const auto need = [&](const std::string& key) {
    if (const std::string wrong = objection(names); !wrong.empty()) throw ExpressionObjection{key, wrong};
  };
  names.constants = {texts.constants.begin(), texts.constants.end()};
  need("constants");
  names.functions = columns;
  need("table");
  return names;
}

StateFormula formula_of(const ExpressionProgram& program) {
  ExpressionCalls calls = calls_of(program);
  StateFormula formula{std::move(calls.program), std::move(calls.functions), {}, {}};
  for (std::size_t i = 0; i < formula.columns.size(); ++i)
    formula.arguments.push_back(affine_in(calls.arguments, i, StateInputs::t));
  const ExpressionProgram g = switch_functions(formula.program);
  for (std::size_t i = 0; i < g.outputs.size(); ++i) formula.switches.push_back(affine_in(g, i, StateInputs::t));
  return formula;
}

bool depends_on_any(const ExpressionProgram& program, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (program.depends_on(i)) return true;
  return false;
}

// The inputs at an attitude, a rate and a time.
std::array<double, StateInputs::count> inputs_at(const Rotation<double>& R_SU, const Vec3<double>& w_U, double t) {
  const Mat3<double> R = matrix(R_SU);
  return {t,       R_SU.w,  R_SU.v.x, R_SU.v.y, R_SU.v.z, w_U.x,   w_U.y,   w_U.z,  R[0][0],
          R[0][1], R[0][2], R[1][0],  R[1][1],  R[1][2],  R[2][0], R[2][1], R[2][2]};
}

// Attitudes in no special position: turns by every second radian about the axes of a cube and more.
std::vector<Rotation<double>> some_attitudes() {
  std::vector<Rotation<double>> attitudes;
  for (int i = 0; i < 12; ++i) {
    const double u = 0.37 + 0.7548776662466927 * i, v = 0.61 + 0.5698402909980532 * i;
    const double z = 2 * (u - std::floor(u)) - 1, angle = 6.283185307179586 * (v - std::floor(v));
    const double r = std::sqrt(1 - z * z), turn = 0.3 + 0.45 * i;
    attitudes.push_back(
        normalised(exp(Vec3<double>{turn * r * std::cos(angle), turn * r * std::sin(angle), turn * z})));
  }
  return attitudes;
}

std::string in_words(const Vec3<double>& v) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x, v.y, v.z); }

// A torque in body axes from the inputs, with the sizes that rounding is measured by.
class TorqueTrial {
 public:
  TorqueTrial(const StateFormula& formula, TorqueFrame frame, const std::vector<PiecewiseCubic<double>>& curves)
      : formula_(formula), frame_(frame), curves_(curves) {}

  Vec3<double> operator()(const Rotation<double>& R_SU, const Vec3<double>& w_U, double t) const {
    const auto inputs = inputs_at(R_SU, w_U, t);
    std::array<double, 3> tau;
    evaluate(formula_.program, inputs.data(), tau.data(), TableFunctions<double>{curves_, formula_.columns, {}});
    const Vec3<double> given{tau[0], tau[1], tau[2]};
    return frame_ == TorqueFrame::body ? given : inverse(R_SU) * given;
  }

 private:
  const StateFormula& formula_;
  TorqueFrame frame_;
  const std::vector<PiecewiseCubic<double>>& curves_;
};

double size_of(const Vec3<double>& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// Where two torques that ought to be the same are not: the attitude, and both.
struct TorqueDifference {
  Rotation<double> R_SU;
  double t;
  Vec3<double> one, other;
};

template <class One, class Other>
std::optional<TorqueDifference> difference(const One& one, const Other& other) {
  const Vec3<double> w_U{0.3, -0.7, 0.45};
  std::vector<TorqueDifference> trials;
  double largest = 0;
  for (const Rotation<double>& R_SU : some_attitudes()) {
    for (const double t : {0.0, 0.8, 13.0}) {
      const TorqueDifference trial{R_SU, t, one(R_SU, w_U, t), other(R_SU, w_U, t)};
      if (!all_finite(trial.one) || !all_finite(trial.other)) continue;
      largest = std::max({largest, size_of(trial.one), size_of(trial.other)});
      trials.push_back(trial);
    }
  }
  const auto found = std::find_if(trials.begin(), trials.end(), [&](const TorqueDifference& trial) {
    return size_of(trial.one - trial.other) > 1e-9 * largest;
  });
  return found == trials.end() ? std::nullopt : std::optional(*found);
}

std::string place_of(const TorqueDifference& found) {
  const Rotation<double>& q = found.R_SU;
  return fmt::format("at t = {} s and the attitude [{:.6g}, {:.6g}, {:.6g}, {:.6g}] (w, x, y, z)", found.t, q.w, q.v.x,
                     q.v.y, q.v.z);
}

}  // namespace

const std::vector<std::string>& StateInputs::names() {
  static const std::vector<std::string> all(list.begin(), list.end());
  return all;
}

ExpressionFormulas expression_formulas(const ExpressionTexts& texts) {
  ExpressionFormulas formulas;
  if (texts.table)
    for (const DataTable::Column& column : texts.table->columns)
      if (column.name != "t") formulas.columns.push_back(column.name);
  const ExpressionNames names = expression_names(texts, formulas.columns);
  const auto checked = [](std::string_view key, const auto& parse) {
    try {
      return parse();
    } catch (const ExpressionError& error) {
      throw ExpressionObjection{std::string(key), error.what()};
    } catch (const Error& error) {
      throw ExpressionObjection{std::string(key), error.what()};
    }
  };
  const bool has_torque =
      std::any_of(texts.torque.begin(), texts.torque.end(), [](const auto& x) { return !x.empty(); });
  if (!has_torque && texts.potential.empty())
    throw ExpressionObjection{"x", "is missing, and so are y, z and potential; give one of them"};
  std::optional<ExpressionProgram> potential;
  if (!texts.potential.empty()) {
    potential = checked("potential", [&] { return parse_expression(texts.potential, names); });
    if (depends_on_any(*potential, StateInputs::w, StateInputs::R))
      throw ExpressionObjection{"potential",
                                "depends on the angular velocity; a potential is one of the attitude, t and R"};
    if (depends_on_any(*potential, StateInputs::q, StateInputs::w))
      throw ExpressionObjection{"potential",
                                "depends on the quaternion; write it with Rxx to Rzz, from which the torque is "
                                "derived"};
    formulas.potential = formula_of(*potential);
  }
  if (!has_torque) {
    formulas.torque = formula_of(checked("potential", [&] { return turning_derivative(*potential, StateInputs::R); }));
    formulas.frame = TorqueFrame::body;
    return formulas;
  }
  // One by one for the key of what is wrong, then together for what they share.
  std::array<std::string, 3> all;
  for (std::size_t i = 0; i < 3; ++i) {
    all[i] = texts.torque[i].empty() ? "0" : texts.torque[i];
    checked(component_keys[i], [&] { return parse_expression(all[i], names); });
  }
  formulas.torque = formula_of(checked("x", [&] { return parse_expressions(all, names); }));
  formulas.frame = texts.frame;
  return formulas;
}

std::optional<ExpressionObjection> objection_to(const ExpressionTexts& texts) {
  std::optional<ExpressionFormulas> made;
  try {
    made = expression_formulas(texts);
  } catch (const ExpressionObjection& found) {
    return found;
  }
  const std::vector<PiecewiseCubic<double>> curves =
      texts.table ? curves_of<double>(*texts.table, made->columns, texts.interpolation)
                  : std::vector<PiecewiseCubic<double>>{};
  for (const auto& curve : curves)
    if (!curve.is_finite())
      return ExpressionObjection{"table",
                                 "has rows too close together for their numbers: between them a column overflows; "
                                 "leave out rows, or interpolate linearly"};
  const std::size_t first = static_cast<std::size_t>(
      std::find_if(texts.torque.begin(), texts.torque.end(), [](const auto& text) { return !text.empty(); }) -
      texts.torque.begin());
  if (first == 3) return std::nullopt;
  const std::string key(component_keys[first]);
  const TorqueTrial torque(made->torque, made->frame, curves);
  const auto opposite = [&](const Rotation<double>& R_SU, const Vec3<double>& w_U, double t) {
    return torque(Rotation<double>{-R_SU.w, -R_SU.v}, w_U, t);
  };
  if (depends_on_any(made->torque.program, StateInputs::q, StateInputs::w))
    if (const auto found = difference(torque, opposite))
      return ExpressionObjection{
          key,
          fmt::format("the torque differs between q and -q, which are one attitude: {} it is {} and {} N m; multiply "
                      "qx, qy and qz by qw, or by if(qw < 0, -1, 1)",
                      place_of(*found), in_words(found->one), in_words(found->other))};
  if (!made->potential) return std::nullopt;
  if (depends_on_any(made->torque.program, StateInputs::w, StateInputs::R))
    return ExpressionObjection{key,
                               "the torque depends on the angular velocity, and that of a potential does not; give "
                               "another [[torque]] for what is no potential's"};
  ExpressionTexts alone = texts;
  alone.torque = {};
  const ExpressionFormulas derived = expression_formulas(alone);
  if (const auto found = difference(torque, TorqueTrial(derived.torque, TorqueFrame::body, curves)))
    return ExpressionObjection{
        "potential",
        fmt::format("is not that of the torque: {} the torque is {} N m in body axes and the potential's {} "
                    "N m; correct one of them, or leave out x, y and z",
                    place_of(*found), in_words(found->one), in_words(found->other))};
  return std::nullopt;
}

std::optional<std::pair<double, double>> time_range_of(const ExpressionTexts& texts) {
  if (!texts.table) return std::nullopt;
  const DataTable::Column* times = texts.table->find("t");
  if (times == nullptr || times->values.empty()) return std::nullopt;
  std::optional<ExpressionFormulas> made;
  try {
    made = expression_formulas(texts);
  } catch (const ExpressionObjection&) {
    return std::nullopt;  // which is said elsewhere
  }
  std::pair<double, double> range{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const AffineExpression& argument : made->torque.arguments) {
    const auto slope = static_cast<double>(argument.slope.high), value = static_cast<double>(argument.value.high);
    if (!argument.is_affine || slope == 0) continue;
    const double one = (times->values.front() - value) / slope, other = (times->values.back() - value) / slope;
    range = {std::max(range.first, std::min(one, other)), std::min(range.second, std::max(one, other))};
  }
  return std::isfinite(range.first) ? std::optional(range) : std::nullopt;
}

std::vector<ExpressionProgram> functions_of_time(const ExpressionProgram& program) {
  std::vector<ExpressionProgram> made;
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const ExpressionProgram one = single_output(program, i);
    if (one.inputs.size() == 1 && one.inputs[0] == StateInputs::t) made.push_back(one);
  }
  return made;
}

double share_with_one_change(const std::vector<ExpressionProgram>& functions, const TableFunctions<double>& columns,
                             double from, double length) {
  double share = 1;
  for (const ExpressionProgram& one : functions) {
    const auto function = [&](double u) {
      const double t = from + u * length;
      return evaluate(one, &t, columns);
    };
    const auto smooth = sign_changes(function);
    const std::vector<SignChange> changes = smooth ? *smooth : sampled_sign_changes(function, 64);
    if (changes.size() > 1) share = std::min(share, (changes[0].to + changes[1].from) / 2);
  }
  return share;
}

}  // namespace polhode
