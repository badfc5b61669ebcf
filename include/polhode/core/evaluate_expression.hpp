// Runs the program of an expression on any scalar. Nothing is allocated, but once per thread and scalar for programs of
// very many operations.
#pragma once

#include <cstddef>
#include <cstring>
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
  const S* data() const { return reinterpret_cast<const S*>(room); }
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
[[gnu::always_inline]] inline S function_value(const ExpressionInstruction& i, const Functions& functions, const S* r) {
  using Op = ExpressionOp;
  switch (i.op) {
    case Op::exp: return S(exp(r[i.a]));
    case Op::log: return S(log(r[i.a]));
    case Op::sin: return S(sin(r[i.a]));
    case Op::cos: return S(cos(r[i.a]));
    case Op::tan: return S(tan(r[i.a]));
    case Op::asin: return S(asin(r[i.a]));
    case Op::acos: return S(acos(r[i.a]));
    case Op::atan: return S(atan(r[i.a]));
    case Op::tanh: return S(tanh(r[i.a]));
    case Op::atan2: return S(atan2(r[i.a], r[i.b]));
    case Op::power: return S(power(r[i.a], r[i.b]));
    default: return S(functions(i.b, i.c, r[i.a]));  // a call
  }
}

// The first registers are the inputs, and set. A program that calls no function is run without a call in it: no number
// has to be put away for one.
template <bool calls_functions, class S, class Functions>
[[gnu::always_inline]] inline void run_inlined(const ExpressionProgram& program,
                                               [[maybe_unused]] const Functions& functions, S* r, ConditionOf<S>* is) {
  using Op = ExpressionOp;
  const auto set = [r](std::size_t to, const S& x) { ::new (static_cast<void*>(r + to)) S(x); };
  const auto holds = [is](std::size_t to, const ConditionOf<S>& x) {
    ::new (static_cast<void*>(is + to)) ConditionOf<S>(x);
  };
  const S zero(value_of<S>(0));
  if constexpr (std::is_same_v<S, double>) {
    constexpr std::size_t n = ExpressionProgram::constants_at_once;
    double* to = r + program.input_count;
    const double *from = program.constant_values.data(), *const last = from + program.constant_values.size();
    do {
      std::memcpy(to, from, n * sizeof(double));
      from += n;
      to += n;
    } while (from != last);
  } else {
    for (std::size_t i = 0; i < program.constants.size(); ++i) set(program.input_count + i, constant_in<S>(program, i));
  }
  const ExpressionInstruction* i = program.code.data();
  // What is cheap comes in rows, one for each component. A row is gone through without choosing anew.
  const auto row_of = [&](Op op, const auto& result) __attribute__((always_inline)) {
    do set(i->to, result());
    while ((++i)->op == op);
  };
  const auto one = [&](const S& result) __attribute__((always_inline)) {
    set(i->to, result);
    ++i;
  };
  const auto whether = [&](const ConditionOf<S>& result) __attribute__((always_inline)) {
    holds(i->to, result);
    ++i;
  };
  while (i->op != Op::end) {
    switch (i->op) {
      case Op::add: row_of(Op::add, [&] { return S(r[i->a] + r[i->b]); }); break;
      case Op::subtract: row_of(Op::subtract, [&] { return S(r[i->a] - r[i->b]); }); break;
      case Op::multiply: row_of(Op::multiply, [&] { return S(r[i->a] * r[i->b]); }); break;
      case Op::multiply_add: row_of(Op::multiply_add, [&] { return S(r[i->a] * r[i->b] + r[i->c]); }); break;
      case Op::multiply_subtract: row_of(Op::multiply_subtract, [&] { return S(r[i->a] * r[i->b] - r[i->c]); }); break;
      case Op::subtract_product: row_of(Op::subtract_product, [&] { return S(r[i->c] - r[i->a] * r[i->b]); }); break;
      case Op::sum_of_products:
        row_of(Op::sum_of_products, [&] { return S(r[i->a] * r[i->b] + r[i->c] * r[i->d]); });
        break;
      case Op::difference_of_products:
        row_of(Op::difference_of_products, [&] { return S(r[i->a] * r[i->b] - r[i->c] * r[i->d]); });
        break;
      case Op::sum_of_three:
        row_of(Op::sum_of_three, [&] { return S(r[i->a] * r[i->b] + r[i->c] * r[i->d] + r[i->e] * r[i->f]); });
        break;
      case Op::root_of_three: one(S(sqrt(S(r[i->a] * r[i->b] + r[i->c] * r[i->d] + r[i->e] * r[i->f])))); break;
      case Op::scaled_norm:
        one(S(r[i->d] * S(sqrt(S(r[i->a] * r[i->a] + r[i->b] * r[i->b] + r[i->c] * r[i->c])))));
        break;
      case Op::products:
        set(i->to, S(r[i->a] * r[i->b]));
        set(i->to + 1u, S(r[i->c] * r[i->d]));
        set(i->to + 2u, S(r[i->e] * r[i->f]));
        ++i;
        break;
      case Op::divide: one(r[i->a] / r[i->b]); break;
      case Op::negate: one(-r[i->a]); break;
      case Op::sqrt: one(S(sqrt(r[i->a]))); break;
      case Op::choose_below: one(select(r[i->a] < zero, r[i->b], r[i->c])); break;
      case Op::choose_at_most: one(select(r[i->a] <= zero, r[i->b], r[i->c])); break;
      case Op::choose_above: one(select(r[i->a] > zero, r[i->b], r[i->c])); break;
      case Op::choose_at_least: one(select(r[i->a] >= zero, r[i->b], r[i->c])); break;
      case Op::below: whether(r[i->a] < zero); break;
      case Op::at_most: whether(r[i->a] <= zero); break;
      case Op::above: whether(r[i->a] > zero); break;
      case Op::at_least: whether(r[i->a] >= zero); break;
      case Op::equal: whether(r[i->a] <= zero && r[i->a] >= zero); break;
      case Op::unequal: whether(!(r[i->a] <= zero && r[i->a] >= zero)); break;
      case Op::both: whether(is[i->a] && is[i->b]); break;
      case Op::either: whether(is[i->a] || is[i->b]); break;
      case Op::opposite: whether(!is[i->a]); break;
      case Op::choose: one(select(is[i->a], r[i->b], r[i->c])); break;
      default:
        if constexpr (calls_functions) {
          one(function_value(*i, functions, r));
          break;
        } else {
          __builtin_unreachable();
        }
    }
  }
}
// Of any program, once for all who run one on this scalar.
template <class S, class Functions>
[[gnu::noinline]] void run_program(const ExpressionProgram& program, const Functions& functions, S* r,
                                   ConditionOf<S>* is) {
  run_inlined<true>(program, functions, r, is);
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

// Room to run one program that is not too large and calls no function: set the inputs that it needs, then run. Nothing is set
// before. Where time matters: all of it is inlined, without a call in it.
template <class S>
class SmallExpressionRoom {
  using Condition = detail::ConditionOf<S>;
  static constexpr std::size_t most_registers = sizeof(S) <= 32 ? 256 : 64, most_conditions = 32;

 public:
  static bool fits(const ExpressionProgram& program) {
    return program.registers <= most_registers && program.conditions <= most_conditions;
  }

  SmallExpressionRoom() = default;
  SmallExpressionRoom(const SmallExpressionRoom&) = delete;
  SmallExpressionRoom& operator=(const SmallExpressionRoom&) = delete;

  [[gnu::always_inline]] void set(std::size_t input, const S& x) {
    ::new (static_cast<void*>(registers_.data() + input)) S(x);
  }
  [[gnu::always_inline]] void run(const ExpressionProgram& program) {
    detail::run_inlined<false>(program, NoFunctions{}, registers_.data(), conditions_.data());
  }
  // Once it has been run.
  [[gnu::always_inline]] const S& output(const ExpressionProgram& program, std::size_t j) const {
    return registers_.data()[program.results[j]];
  }

 private:
  template <class>
  friend class ExpressionRoom;

  detail::UnsetRegisters<S, most_registers> registers_;
  detail::UnsetRegisters<Condition, most_conditions> conditions_;
};

// The same for any program.
template <class S>
class ExpressionRoom {
  using Condition = detail::ConditionOf<S>;

 public:
  explicit ExpressionRoom(const ExpressionProgram& program) {
    registers_ = here_.registers_.data();
    conditions_ = here_.conditions_.data();
    if (!SmallExpressionRoom<S>::fits(program)) move_out(program);
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

  SmallExpressionRoom<S> here_;
  S* registers_ = nullptr;
  Condition* conditions_ = nullptr;
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
