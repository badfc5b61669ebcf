// Explicit Runge-Kutta methods of Crouch and Grossman [CG93; OM99]: where the classical method adds stages, the
// attitude is turned by one stage after the other,
//
//   R_i = R exp(h a_i1 W_1) exp(h a_i2 W_2) ...,   R <- R exp(h b_1 W_1) exp(h b_2 W_2) ...,
//
// while the momentum, which lives in a linear space, is added up as usual. Since rotations do not commute a table must
// satisfy more conditions than the classical ones to keep its order.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/decimal.hpp"
#include "polhode/core/table.hpp"
#include "polhode/methods/method.hpp"

namespace polhode {

template <class T, std::size_t Stages>
struct Tableau {
  std::array<std::array<T, Stages>, Stages> a{};
  std::array<T, Stages> b{};
};

// The classical table satisfies the classical conditions only.
struct ClassicalTable {
  static constexpr std::string_view cite = "CG93; KE05, Sec. 3.1";
  static constexpr std::string_view about =
      "Crouch-Grossman with the classical Runge-Kutta table: of order 2 on rotations";
  static constexpr std::size_t stages = 4;
  static constexpr std::string_view good_for = "seeing that the classical table loses two orders on a group";
  static constexpr std::string_view not_for = "anything else: four torque calls for second order";
  static constexpr Orders order{2, 2}, order_free{2, 4};

  template <class T>
  static constexpr Tableau<T, stages> make() {
    const T sixth = T(1) / T(6), third = T(1) / T(3);
    return {{{{}, {T(0.5)}, {T(0), T(0.5)}, {T(0), T(0), T(1)}}}, {sixth, third, third, sixth}};
  }
};

struct TableOfOrder3 {
  static constexpr std::string_view cite = "CG93; HLW06, Sec. IV.8.1";
  static constexpr std::string_view about = "Crouch-Grossman with three stages: order 3";
  static constexpr std::size_t stages = 3;
  static constexpr std::string_view good_for = "comparison: the cheapest Crouch-Grossman method of order 3";
  static constexpr std::string_view not_for = "long runs: nothing is kept";
  static constexpr Orders order{3, 3}, order_free{};

  template <class T>
  static constexpr Tableau<T, stages> make() {
    return {{{{}, {T(0.75)}, {T(119) / T(216), T(17) / T(108)}}}, {T(13) / T(51), T(-2) / T(3), T(24) / T(17)}};
  }
};

// Printed with 16 digits [OM99]. Two of the fifteen coefficients are free; these are the ones nearest to the printed
// ones that satisfy the thirteen conditions to 40 digits.
struct TableOfOrder4 {
  static constexpr std::string_view cite = "OM99";
  static constexpr std::string_view about = "Crouch-Grossman with Owren and Marthinsen's five stages: order 4";
  static constexpr std::size_t stages = 5;
  static constexpr std::string_view good_for = "comparison: Crouch-Grossman with the fewest stages for order 4";
  static constexpr std::string_view not_for = "long runs: nothing is kept; rkmk-4 has order 4 with four torque calls";
  static constexpr Orders order{4, 4}, order_free{};

  template <class T>
  static constexpr Tableau<T, stages> make() {
    return {
        {{{},
          {decimal<T>("0.817722798812485183864383415847723193")},
          {decimal<T>("0.319987637547642681409609258329034770"), decimal<T>("0.065986426355602187354603228667333554")},
          {decimal<T>("0.921441719446494612602955614447966895"), decimal<T>("0.499785777677357298630580622441638903"),
           decimal<T>("-1.096998444837158207718266818416109476")},
          {decimal<T>("0.355235855902332201054156819447120916"), decimal<T>("0.239095837230732569585299130695142428"),
           decimal<T>("1.391856572420324594286736990115349792"),
           decimal<T>("-1.109297939211346510584177249926216330")}}},
        {decimal<T>("0.137083152063075537029594773567693535"), decimal<T>("-0.018369853156402019112610887745429207"),
         decimal<T>("0.739781398537077998929143616490662484"), decimal<T>("-0.190714256550588896697746577033424798"),
         decimal<T>("0.332219559106837379851619074720497986")}};
  }
};

// A torque is taken at the attitude, momentum and time of the stage.
template <class Table>
struct CrouchGrossman {
  static constexpr std::string_view family = "crouch-grossman";
  static constexpr std::string_view cite = Table::cite;
  static constexpr std::string_view about = Table::about;
  static constexpr std::string_view good_for = Table::good_for;
  static constexpr std::string_view not_for = Table::not_for;
  static constexpr Claims claims{.order_attitude = Table::order.attitude,
                                 .order_momentum = Table::order.momentum,
                                 .order_free = Table::order_free,
                                 .torque_evaluations = Table::stages,
                                 .wheels = true,
                                 .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    using V = value_of<T>;
    const auto& table = table_of<Table, V>();
    std::array<Vec3<T>, Table::stages> W, rate;
    const auto reached = [&](const std::array<V, Table::stages>& weights, std::size_t stages, bool attitude_needed) {
      State<T> at = s;
      for (std::size_t j = 0; j < stages; ++j) {
        if (weights[j] == V(0)) continue;
        const T reach = h * T(weights[j]);
        if (attitude_needed) at.R_SB = at.R_SB * exp(reach * W[j]);
        at.pi_B += reach * rate[j];
        at.t = at.t + reach;
      }
      return at;
    };
    for (std::size_t i = 0; i < Table::stages; ++i) {
      const State<T> at = reached(table.a[i], i, !is_free<F>);
      W[i] = velocity_at(sys, at.pi_B, at.t);
      rate[i] = cross(at.pi_B, W[i]) + torque_at_velocity(sys, at.R_SB, W[i], at.t, work);
    }
    State<T> next = reached(table.b, Table::stages, true);
    next.R_SB = renormalised(next.R_SB);
    next.t = s.t + h;
    return next;
  }
};

}  // namespace polhode
