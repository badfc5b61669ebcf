// Which methods are compiled for numbers that carry derivatives (core/jet.hpp), by name: every one of them costs compile
// time once more. They ask a torque for its values only; with suffixes they reach any order.
#pragma once

#include "polhode/methods/catalogue.hpp"

namespace polhode {

template <class M>
inline constexpr bool has_tangent = false;
template <int A, int B, int C, class Map>
inline constexpr bool has_tangent<AxisSplitting<A, B, C, Map>> = true;
template <class Base>
inline constexpr bool has_tangent<TripleJump<Base>> = has_tangent<Base>;
template <>
inline constexpr bool has_tangent<NoSquish> = true;
template <>
inline constexpr bool has_tangent<LieVerlet> = true;
template <>
inline constexpr bool has_tangent<MuntheKaas4> = true;
template <>
inline constexpr bool has_tangent<CommutatorFree4> = true;
template <class Table>
inline constexpr bool has_tangent<CrouchGrossman<Table>> = true;
template <>
inline constexpr bool has_tangent<TextbookRungeKutta4> = true;

}  // namespace polhode
