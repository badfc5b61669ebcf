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

// The first registers are the inputs, and set.
template <class S, class Functions>
void run_program(const ExpressionProgram& program, const Functions& functions, S* r, ConditionOf<S>* is) {
  const auto set = [r](std::size_t i, const S& x) { ::new (static_cast<void*>(r + i)) S(x); };
  const std::size_t first = program.input_count, count = program.constant_values.size();
  for (std::size_t i = 0; i < count; ++i) set(first + i, constant_in<S>(program, i));
  const S zero(value_of<S>(0));
  const auto holds = [is](std::size_t i, const ConditionOf<S>& x) {
    ::new (static_cast<void*>(is + i)) ConditionOf<S>(x);
  };
  const ExpressionInstruction* const end = program.code.data() + program.code.size();
  for (const ExpressionInstruction* i = program.code.data(); i != end; ++i) {
    switch (i->op) {
      case ExpressionOp::add: set(i->to, r[i->a] + r[i->b]); break;
      case ExpressionOp::subtract: set(i->to, r[i->a] - r[i->b]); break;
      case ExpressionOp::multiply: set(i->to, r[i->a] * r[i->b]); break;
      case ExpressionOp::divide: set(i->to, r[i->a] / r[i->b]); break;
      case ExpressionOp::negate: set(i->to, -r[i->a]); break;
      case ExpressionOp::multiply_add: set(i->to, r[i->a] * r[i->b] + r[i->c]); break;
      case ExpressionOp::multiply_subtract: set(i->to, r[i->a] * r[i->b] - r[i->c]); break;
      case ExpressionOp::subtract_product: set(i->to, r[i->c] - r[i->a] * r[i->b]); break;
      case ExpressionOp::sum_of_products: set(i->to, r[i->a] * r[i->b] + r[i->c] * r[i->d]); break;
      case ExpressionOp::difference_of_products: set(i->to, r[i->a] * r[i->b] - r[i->c] * r[i->d]); break;
      case ExpressionOp::choose_below: set(i->to, select(r[i->a] < zero, r[i->b], r[i->c])); break;
      case ExpressionOp::choose_at_most: set(i->to, select(r[i->a] <= zero, r[i->b], r[i->c])); break;
      case ExpressionOp::choose_above: set(i->to, select(r[i->a] > zero, r[i->b], r[i->c])); break;
      case ExpressionOp::choose_at_least: set(i->to, select(r[i->a] >= zero, r[i->b], r[i->c])); break;
      case ExpressionOp::sqrt: set(i->to, S(sqrt(r[i->a]))); break;
      case ExpressionOp::exp: set(i->to, S(exp(r[i->a]))); break;
      case ExpressionOp::log: set(i->to, S(log(r[i->a]))); break;
      case ExpressionOp::sin: set(i->to, S(sin(r[i->a]))); break;
      case ExpressionOp::cos: set(i->to, S(cos(r[i->a]))); break;
      case ExpressionOp::tan: set(i->to, S(tan(r[i->a]))); break;
      case ExpressionOp::asin: set(i->to, S(asin(r[i->a]))); break;
      case ExpressionOp::acos: set(i->to, S(acos(r[i->a]))); break;
      case ExpressionOp::atan: set(i->to, S(atan(r[i->a]))); break;
      case ExpressionOp::tanh: set(i->to, S(tanh(r[i->a]))); break;
      case ExpressionOp::atan2: set(i->to, S(atan2(r[i->a], r[i->b]))); break;
      case ExpressionOp::power: set(i->to, S(power(r[i->a], r[i->b]))); break;
      case ExpressionOp::call: set(i->to, S(functions(i->b, i->c, r[i->a]))); break;
      case ExpressionOp::below: holds(i->to, r[i->a] < zero); break;
      case ExpressionOp::at_most: holds(i->to, r[i->a] <= zero); break;
      case ExpressionOp::above: holds(i->to, r[i->a] > zero); break;
      case ExpressionOp::at_least: holds(i->to, r[i->a] >= zero); break;
      case ExpressionOp::equal: holds(i->to, r[i->a] <= zero && r[i->a] >= zero); break;
      case ExpressionOp::unequal: holds(i->to, !(r[i->a] <= zero && r[i->a] >= zero)); break;
      case ExpressionOp::both: holds(i->to, is[i->a] && is[i->b]); break;
      case ExpressionOp::either: holds(i->to, is[i->a] || is[i->b]); break;
      case ExpressionOp::opposite: holds(i->to, !is[i->a]); break;
      case ExpressionOp::choose: set(i->to, select(is[i->a], r[i->b], r[i->c])); break;
      default: __builtin_unreachable();  // the others are no instructions
    }
  }
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

// Room to run one program: set the inputs that it needs, then run. Nothing is set before.
template <class S>
class ExpressionRoom {
  using Condition = detail::ConditionOf<S>;
  static constexpr std::size_t most_registers = sizeof(S) <= 32 ? 256 : 64, most_conditions = 32;

 public:
  [[gnu::always_inline]] explicit ExpressionRoom(const ExpressionProgram& program) {
    registers_ = registers_here_.data();
    conditions_ = conditions_here_.data();
    if (program.registers > most_registers || program.conditions > most_conditions) move_out(program);
  }
  ExpressionRoom(const ExpressionRoom&) = delete;
  ExpressionRoom& operator=(const ExpressionRoom&) = delete;

  [[gnu::always_inline]] void set(std::size_t input, const S& x) {
    ::new (static_cast<void*>(registers_ + input)) S(x);
  }
  template <class Functions>
  [[gnu::always_inline]] void run(const ExpressionProgram& program, const Functions& functions) {
    detail::run_program(program, functions, registers_, conditions_);
  }
  // Once it has been run.
  [[gnu::always_inline]] const S& output(const ExpressionProgram& program, std::size_t j) const {
    return registers_[program.results[j]];
  }

 private:
  [[gnu::noinline]] void move_out(const ExpressionProgram& program) {
    thread_local detail::RoomOfThread<S> registers;
    thread_local detail::RoomOfThread<Condition> conditions;
    registers_ = registers.at_least(program.registers);
    conditions_ = conditions.at_least(program.conditions);
  }

  S* registers_;
  Condition* conditions_;
  detail::UnsetRegisters<S, most_registers> registers_here_;
  detail::UnsetRegisters<Condition, most_conditions> conditions_here_;
};

// outputs[j], as many as the program has, at inputs[i], as many as it was parsed with.
template <class S, class Functions = NoFunctions>
void evaluate(const ExpressionProgram& program, const S* inputs, S* outputs, const Functions& functions = {}) {
  ExpressionRoom<S> room(program);
  for (const std::uint16_t i : program.inputs) room.set(i, inputs[i]);
  room.run(program, functions);
  for (std::size_t j = 0; j < program.results.size(); ++j) outputs[j] = room.output(program, j);
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
