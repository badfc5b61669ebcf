// Runs the program of an expression on any scalar. Nothing is allocated, but once per thread and scalar for programs of
// very many operations.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "polhode/core/elementary.hpp"
#include "polhode/core/expression.hpp"

namespace polhode {

// Stands for the functions of a program that calls none. In general: functions(k, n, x) is the n-th derivative of function
// k at x.
struct NoFunctions {
  template <class S>
  S operator()(std::size_t, std::size_t, const S& x) const {
    return x;
  }
};

namespace detail {

template <class S>
using ConditionOf = decltype(std::declval<const S&>() < std::declval<const S&>());

// Room that is not set: what a register holds is written before it is read.
template <class S, std::size_t N>
struct UnsetRegisters {
  static_assert(std::is_trivially_destructible_v<S>);
  alignas(S) std::byte room[N * sizeof(S)];
  S* data() { return reinterpret_cast<S*>(room); }
};

template <class S>
S constant_in(const ExpressionProgram& program, std::size_t i) {
  using V = value_of<S>;
  if constexpr (std::is_same_v<V, double> || std::is_same_v<V, float>) {
    return S(static_cast<V>(program.constant_values[i]));
  } else {
    return S(V(V(program.constants[i].high) + V(program.constants[i].low)));
  }
}

template <class S, class Functions>
void run_program(const ExpressionProgram& program, const S* inputs, S* outputs, const Functions& functions, S* r,
                 ConditionOf<S>* is) {
  std::size_t first = 0;
  const auto set = [r](std::size_t i, const S& x) { ::new (static_cast<void*>(r + i)) S(x); };
  for (const std::size_t constants = program.constants.size(); first < constants; ++first)
    set(first, constant_in<S>(program, first));
  for (const std::uint16_t input : program.inputs) set(first++, inputs[input]);
  const S zero(value_of<S>(0));
  const auto holds = [is](std::size_t i, const ConditionOf<S>& x) {
    ::new (static_cast<void*>(is + i)) ConditionOf<S>(x);
  };
  const ExpressionInstruction* const end = program.code.data() + program.code.size();
  for (const ExpressionInstruction* i = program.code.data(); i != end; ++i) {
    const S &a = r[i->a], &b = r[i->b], &c = r[i->c];
    switch (i->op) {
      case ExpressionOp::add: set(i->to, a + b); break;
      case ExpressionOp::subtract: set(i->to, a - b); break;
      case ExpressionOp::multiply: set(i->to, a * b); break;
      case ExpressionOp::divide: set(i->to, a / b); break;
      case ExpressionOp::negate: set(i->to, -a); break;
      case ExpressionOp::multiply_add: set(i->to, a * b + c); break;
      case ExpressionOp::multiply_subtract: set(i->to, a * b - c); break;
      case ExpressionOp::subtract_product: set(i->to, c - a * b); break;
      case ExpressionOp::sum_of_products: set(i->to, a * b + c * r[i->d]); break;
      case ExpressionOp::difference_of_products: set(i->to, a * b - c * r[i->d]); break;
      case ExpressionOp::sqrt: set(i->to, S(sqrt(a))); break;
      case ExpressionOp::exp: set(i->to, S(exp(a))); break;
      case ExpressionOp::log: set(i->to, S(log(a))); break;
      case ExpressionOp::sin: set(i->to, S(sin(a))); break;
      case ExpressionOp::cos: set(i->to, S(cos(a))); break;
      case ExpressionOp::tan: set(i->to, S(tan(a))); break;
      case ExpressionOp::asin: set(i->to, S(asin(a))); break;
      case ExpressionOp::acos: set(i->to, S(acos(a))); break;
      case ExpressionOp::atan: set(i->to, S(atan(a))); break;
      case ExpressionOp::tanh: set(i->to, S(tanh(a))); break;
      case ExpressionOp::atan2: set(i->to, S(atan2(a, b))); break;
      case ExpressionOp::power: set(i->to, S(power(a, b))); break;
      case ExpressionOp::call: set(i->to, S(functions(i->b, i->c, a))); break;
      case ExpressionOp::below: holds(i->to, a < zero); break;
      case ExpressionOp::at_most: holds(i->to, a <= zero); break;
      case ExpressionOp::above: holds(i->to, a > zero); break;
      case ExpressionOp::at_least: holds(i->to, a >= zero); break;
      case ExpressionOp::equal: holds(i->to, a <= zero && a >= zero); break;
      case ExpressionOp::unequal: holds(i->to, !(a <= zero && a >= zero)); break;
      case ExpressionOp::both: holds(i->to, is[i->a] && is[i->b]); break;
      case ExpressionOp::either: holds(i->to, is[i->a] || is[i->b]); break;
      case ExpressionOp::opposite: holds(i->to, !is[i->a]); break;
      case ExpressionOp::choose: set(i->to, select(is[i->a], b, c)); break;
      case ExpressionOp::constant:
      case ExpressionOp::input:
      case ExpressionOp::yes:
      case ExpressionOp::no: break;
    }
  }
  for (const std::uint16_t result : program.results) *outputs++ = r[result];
}

// For a program that does not fit on the stack.
template <class S>
struct RoomOfThread {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size = 0;

  S* at_least(std::size_t count) {
    static_assert(alignof(S) <= 64);
    const std::size_t needed = count * sizeof(S) + 64;
    if (size < needed) bytes = std::make_unique<std::byte[]>(size = 2 * needed);
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.get());
    return reinterpret_cast<S*>(bytes.get() + (64 - address % 64));
  }
};

}  // namespace detail

// outputs[j], as many as the program has, at inputs[i], as many as it was parsed with.
template <class S, class Functions = NoFunctions>
void evaluate(const ExpressionProgram& program, const S* inputs, S* outputs, const Functions& functions = {}) {
  using Condition = detail::ConditionOf<S>;
  constexpr std::size_t room = sizeof(S) <= 32 ? 256 : 64, conditions = 32;
  if (program.registers <= room && program.conditions <= conditions) {
    detail::UnsetRegisters<S, room> registers;
    detail::UnsetRegisters<Condition, conditions> masks;
    detail::run_program(program, inputs, outputs, functions, registers.data(), masks.data());
  } else {
    thread_local detail::RoomOfThread<S> registers;
    thread_local detail::RoomOfThread<Condition> masks;
    detail::run_program(program, inputs, outputs, functions, registers.at_least(program.registers),
                        masks.at_least(program.conditions));
  }
}

// Of a program with one output.
template <class S, class Functions = NoFunctions>
S evaluate(const ExpressionProgram& program, const S* inputs, const Functions& functions = {}) {
  S output;
  evaluate(program, inputs, &output, functions);
  return output;
}

// Whether a condition (parse_condition) holds.
template <class Functions = NoFunctions>
bool holds(const ExpressionProgram& condition, const double* inputs, const Functions& functions = {}) {
  return evaluate(condition, inputs, functions) > 0.5;
}

}  // namespace polhode
