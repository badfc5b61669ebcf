// A torque by formulas of a user.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "polhode/core/evaluate_expression.hpp"
#include "polhode/model/expression_formulas.hpp"

namespace polhode {

// The torque by expressions of time, attitude and angular velocity (core/expression.hpp), or a potential from which it is
// derived:
//   tau = -d V(R exp(hat(d))) / dd  at  d = 0.
// Expressions are in SI units and in the axes in which the user gave the body. They may call the columns of a table as
// functions.
//
// Where a switch (if, abs, min, max) or the piece of a table depends on nothing but the time, and linearly, the time is
// cut. A switch that depends on the motion is shown by switch_values(), and a field in which all of them are decided, and
// which is smooth, is made by decided() (src/methods/switched_stepper.hpp).
template <class T>
struct ExpressionTorque {
  static constexpr std::string_view kind = "expression";
  static constexpr bool is_large = true;
  static constexpr std::string_view about = "a torque, or a potential, by expressions of time, attitude and rate";

  TorqueFrame frame = TorqueFrame::body;
  std::string x{}, y{}, z{}, potential_energy{};
  NamedNumbers constants{};
  DataFile table{};
  Interpolation interpolation = Interpolation::linear;

  static constexpr auto keys() {
    using Self = ExpressionTorque;
    constexpr Quantity none = Quantity::none;
    return std::tuple{
        Key{"frame", &Self::frame, none, false, "axes of x, y and z: body or spatial"},
        Key{"x", &Self::x, none, false, "expression of t, qw to qz, wx to wz and Rxx to Rzz [N m]"},
        Key{"y", &Self::y, none, false, "the same of the second component"},
        Key{"z", &Self::z, none, false, "the same of the third component"},
        Key{"potential", &Self::potential_energy, none, false,
            "expression of t and Rxx to Rzz [J], of which the torque is derived, or checked"},
        Key{"constants", &Self::constants, none, false, "names and numbers for the expressions"},
        Key{"table", &Self::table, none, false, "CSV file with t[s] and columns that are functions: rho(t)"},
        Key{"interpolation", &Self::interpolation, none, false,
            "between the rows of the table: linear, cubic-hermite or natural-spline"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (const auto wrong = objection_to(texts())) report(wrong->key, std::string_view(wrong->sentence));
  }

  std::optional<std::pair<double, double>> time_range() const { return time_range_of(texts()); }

  // Programs, and how to get to their units and axes. Shared, because a stepper copies its field.
  struct Formula {
    ExpressionFormulas of;
    std::vector<PiecewiseCubic<T>> curves;
    std::vector<std::size_t> pieces;                  // of the calls, where they are known
    std::vector<T> cuts;                              // in internal units
    std::uint64_t timed = 0;                          // switches that only time decides
    ExpressionProgram switches;                       // g of the others
    std::vector<ExpressionProgram> timed_switches{};  // those of them that depend on time alone, one by one
    T seconds{1}, per_second{1}, torque{1};           // the units of time, rate and torque
    Rotation<T> R_UB{};
    bool is_turned = false;
    std::array<bool, 9> needs{};  // entries of R
    bool needs_time = false, needs_rate = false, needs_quaternion = false, needs_matrix = false;
    bool needs_turn = false, is_simple = false;
    std::vector<PiecewiseCubic<double>> in_double{};  // the curves, where T is another scalar

    const std::vector<PiecewiseCubic<double>>& double_curves() const {
      if constexpr (std::is_same_v<T, double>) {
        return curves;
      } else {
        return in_double;
      }
    }

    // Those that are needed.
    template <class Room, class S>
    [[gnu::always_inline]] void set_inputs(Room& room, const Rotation<S>& R_SU, const Vec3<S>& w_U, const S& t) const {
      const S &w = R_SU.w, &x_ = R_SU.v.x, &y_ = R_SU.v.y, &z_ = R_SU.v.z;
      if (needs_time) room.set(StateInputs::t, t * seconds);
      if (needs_quaternion) {
        room.set(StateInputs::q, w);
        room.set(StateInputs::q + 1, x_);
        room.set(StateInputs::q + 2, y_);
        room.set(StateInputs::q + 3, z_);
      }
      if (needs_rate) {
        room.set(StateInputs::w, w_U.x * per_second);
        room.set(StateInputs::w + 1, w_U.y * per_second);
        room.set(StateInputs::w + 2, w_U.z * per_second);
      }
      if (!needs_matrix) return;
      const T one(1), two(2);
      const auto entry = [&](std::size_t i, const auto& of_attitude) {
        if (needs[i]) room.set(StateInputs::R + i, of_attitude());
      };
      entry(0, [&] { return S(one - two * (y_ * y_ + z_ * z_)); });
      entry(1, [&] { return S(two * (x_ * y_ - w * z_)); });
      entry(2, [&] { return S(two * (x_ * z_ + w * y_)); });
      entry(3, [&] { return S(two * (x_ * y_ + w * z_)); });
      entry(4, [&] { return S(one - two * (x_ * x_ + z_ * z_)); });
      entry(5, [&] { return S(two * (y_ * z_ - w * x_)); });
      entry(6, [&] { return S(two * (x_ * z_ - w * y_)); });
      entry(7, [&] { return S(two * (y_ * z_ + w * x_)); });
      entry(8, [&] { return S(one - two * (x_ * x_ + y_ * y_)); });
    }

    // In the axes in which the formula is written.
    template <class S>
    [[gnu::noinline]] Vec3<S> simple_torque(const Rotation<S>& R_SU, const Vec3<S>& w_U, const S& t) const {
      SmallExpressionRoom<S> room;
      set_inputs(room, R_SU, w_U, t);
      room.run(of.torque.program);
      return torque_in<S>(room);
    }
    template <class S>
    [[gnu::noinline]] Vec3<S> any_torque(const Rotation<S>& R_SU, const Vec3<S>& w_U, const S& t) const {
      ExpressionRoom<S> room(of.torque.program);
      set_inputs(room, R_SU, w_U, t);
      room.run(of.torque.program, TableFunctions<T>{curves, of.torque.columns, pieces});
      return torque_in<S>(room);
    }
    template <class S, class Room>
    [[gnu::always_inline]] Vec3<S> torque_in(const Room& room) const {
      const ExpressionProgram& program = of.torque.program;
      return {room.output(program, 0) * torque, room.output(program, 1) * torque, room.output(program, 2) * torque};
    }
  };
  std::shared_ptr<const Formula> formula{};  // by acts_on()

  void acts_on(const Body<T>& body, const Units& units) {
    using std::ldexp;
    auto made = std::make_shared<Formula>();
    made->of = expression_formulas(texts());
    if (table.table) {
      made->curves = curves_of<T>(*table.table, made->of.columns, interpolation);
      if constexpr (!std::is_same_v<T, double>)
        made->in_double = curves_of<double>(*table.table, made->of.columns, interpolation);
    }
    made->seconds = ldexp(T(1), units.time_exponent);
    made->per_second = ldexp(T(1), -units.time_exponent);
    made->torque = ldexp(T(1), -units.energy_exponent());
    made->R_UB = body.principal_axes;
    made->is_turned = !(made->R_UB == Rotation<T>{});
    const auto of = [](const ExpressionConstant& c) { return T(T(c.high) + T(c.low)); };
    const auto cut_where = [&](const AffineExpression& affine, const T& value) {
      if (affine.slope.high == 0) return;
      made->cuts.push_back((value - of(affine.value)) / of(affine.slope) * made->per_second);
    };
    const StateFormula& torque_formula = made->of.torque;
    for (std::size_t i = 0; i < torque_formula.switches.size(); ++i) {
      if (!torque_formula.switches[i].is_affine) continue;
      made->timed |= std::uint64_t{1} << i;
      cut_where(torque_formula.switches[i], T(0));
    }
    for (std::size_t i = 0; i < torque_formula.arguments.size(); ++i) {
      const AffineExpression& argument = torque_formula.arguments[i];
      if (!argument.is_affine) continue;
      for (const T& knot : made->curves[torque_formula.columns[i]].knots()) cut_where(argument, knot);
    }
    std::sort(made->cuts.begin(), made->cuts.end());
    made->cuts.erase(std::unique(made->cuts.begin(), made->cuts.end()), made->cuts.end());
    finish(*made);
    formula = std::move(made);
  }
  // For kernels that are called directly: in SI units, and in the axes of the body as they are.
  ExpressionTorque in_si_units() const {
    ExpressionTorque copy = *this;
    copy.acts_on(Body<T>(Vec3<T>{T(1), T(1), T(1)}), {});
    return copy;
  }

  const std::vector<T>& cuts() const {
    static const std::vector<T> none;
    return formula ? formula->cuts : none;
  }
  // With the switches and pieces that time decides as they are from a cut on, or before the first.
  ExpressionTorque smooth_from(const std::optional<T>& cut) const {
    if (!formula || formula->cuts.empty()) return *this;
    auto made = std::make_shared<Formula>(*formula);
    const std::vector<T>& all = formula->cuts;
    const auto next = cut ? std::upper_bound(all.begin(), all.end(), *cut) : all.begin();
    const T before = next == all.begin() ? T(all.front() - T(1)) : *(next - 1);
    const T after = next == all.end() ? T(all.back() + T(1)) : *next;
    const T inside = (before + after) / T(2) * formula->seconds;
    const auto at = [&](const AffineExpression& affine) {
      const auto of = [](const ExpressionConstant& c) { return T(T(c.high) + T(c.low)); };
      return T(of(affine.value) + of(affine.slope) * inside);
    };
    const StateFormula& whole = formula->of.torque;
    std::uint64_t positive = 0;
    for (std::size_t i = 0; i < whole.switches.size(); ++i)
      if (whole.switches[i].is_affine && at(whole.switches[i]) > T(0)) positive |= std::uint64_t{1} << i;
    if (formula->timed != 0) made->of.torque.program = frozen(whole.program, formula->timed, positive);
    made->pieces.assign(whole.columns.size(), TableFunctions<T>::anywhere);
    for (std::size_t i = 0; i < whole.columns.size(); ++i)
      if (whole.arguments[i].is_affine)
        made->pieces[i] = formula->curves[whole.columns[i]].piece_at(at(whole.arguments[i]));
    made->cuts.clear();
    made->timed = 0;
    finish(*made);
    ExpressionTorque smooth;
    smooth.formula = std::move(made);
    return smooth;
  }

  // How many switches depend on the motion, and their functions g: where one changes its sign, so does the formula.
  std::size_t switch_count() const { return formula ? formula->of.torque.program.switches.size() : 0; }
  template <class S>
  void switch_values(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t, S* values) const {
    ExpressionRoom<S> room(formula->switches);
    formula->set_inputs(room, in_user_axes(R_SB), in_user_axes(w_B), t);
    room.run(formula->switches, TableFunctions<T>{formula->curves, formula->of.torque.columns, formula->pieces});
    for (std::size_t i = 0; i < formula->switches.results.size(); ++i) values[i] = room.output(formula->switches, i);
  }
  // Of a step by h from time t, the share in which each switch that depends on time alone changes its sign once at most.
  double clear_share(const T& t, const T& h) const {
    const TableFunctions<double> columns{formula->double_curves(), formula->of.torque.columns, formula->pieces};
    return share_with_one_change(formula->timed_switches, columns, static_cast<double>(T(t * formula->seconds)),
                                 static_cast<double>(T(h * formula->seconds)));
  }
  // With those decided whose bit is in `decided`: g_i > 0 where it is in `positive` too. The values of all of them are still
  // shown.
  ExpressionTorque decided(std::uint64_t decided, std::uint64_t positive) const {
    auto made = std::make_shared<Formula>(*formula);
    const ExpressionProgram& whole = formula->of.torque.program;
    made->switches = switch_functions(whole, decided, positive);
    made->of.torque.program = frozen(whole, decided, positive);
    note_needs(*made);
    ExpressionTorque smooth;
    smooth.formula = std::move(made);
    return smooth;
  }

  bool depends_on_velocity() const { return !formula || formula->needs_rate; }
  bool conserves_energy() const {
    return formula && formula->of.potential && !formula->of.potential->program.depends_on(StateInputs::t);
  }

  template <class S>
  [[gnu::always_inline]] Vec3<S> torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    if (!formula) return {};
    if (formula->needs_turn) return in_other_axes(R_SB, w_B, t);
    return in_axes(R_SB, w_B, t);
  }
  template <class S>
  S potential(const Rotation<S>& R_SB, const S& t) const {
    if (!formula || !formula->of.potential) return S(T(0));
    const StateFormula& of = *formula->of.potential;
    std::array<S, StateInputs::count> inputs;
    inputs[StateInputs::t] = t * formula->seconds;
    const Mat3<S> R = matrix(in_user_axes(R_SB));
    for (std::size_t i = 0; i < 9; ++i) inputs[StateInputs::R + i] = R[i / 3][i % 3];
    static const std::vector<std::size_t> anywhere;
    const S value = evaluate(of.program, inputs.data(), TableFunctions<T>{formula->curves, of.columns, anywhere});
    return value * formula->torque;
  }

 private:
  ExpressionTexts texts() const { return {frame, {x, y, z}, potential_energy, constants, table.table, interpolation}; }

  static void finish(Formula& made) {
    made.switches = switch_functions(made.of.torque.program);
    made.timed_switches = functions_of_time(made.switches);
    note_needs(made);
  }
  static void note_needs(Formula& made) {
    const auto needs = [&](std::size_t i) {
      return made.of.torque.program.depends_on(i) || made.switches.depends_on(i);
    };
    made.needs_time = needs(StateInputs::t);
    for (std::size_t i = StateInputs::q; i < StateInputs::w; ++i) made.needs_quaternion |= needs(i);
    made.needs_rate = needs(StateInputs::w) || needs(StateInputs::w + 1) || needs(StateInputs::w + 2);
    for (std::size_t i = 0; i < 9; ++i) made.needs[i] = needs(StateInputs::R + i);
    made.needs_turn = made.is_turned || made.of.frame == TorqueFrame::spatial;
    made.is_simple = !made.of.torque.program.calls_functions && SmallExpressionRoom<T>::fits(made.of.torque.program);
    made.needs_matrix = std::find(made.needs.begin(), made.needs.end(), true) != made.needs.end();
  }

  template <class S>
  Rotation<S> in_user_axes(const Rotation<S>& R_SB) const {
    return formula->is_turned ? R_SB * inverse(cast<S>(formula->R_UB)) : R_SB;
  }
  template <class S>
  Vec3<S> in_user_axes(const Vec3<S>& w_B) const {
    return formula->is_turned ? cast<S>(formula->R_UB) * w_B : w_B;
  }
  template <class S>
  [[gnu::always_inline]] Vec3<S> in_axes(const Rotation<S>& R_SU, const Vec3<S>& w_U, const S& t) const {
    if constexpr (std::is_floating_point_v<S>) {
      if (formula->is_simple) return formula->simple_torque(R_SU, w_U, t);
    }
    return formula->any_torque(R_SU, w_U, t);
  }
  template <class S>
  [[gnu::noinline]] Vec3<S> in_other_axes(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    const Vec3<S> tau = in_axes(in_user_axes(R_SB), in_user_axes(w_B), t);
    if (formula->of.frame == TorqueFrame::spatial) return inverse(R_SB) * tau;
    return inverse(cast<S>(formula->R_UB)) * tau;
  }
};

}  // namespace polhode
