// Many bodies at once: eight floats or four doubles side by side in the registers of the processor, with the bits that each
// body has from `step` alone.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "polhode/core/instruction_set.hpp"
#include "polhode/core/transpose.hpp"
#include "polhode/engine/step.hpp"

namespace polhode {

namespace detail {

// Which body comes i-th: all in their order, or those of a list.
struct InOrder {
  constexpr std::size_t operator[](std::size_t i) const { return i; }
};

// Things in memory at equal distances, in bytes; a distance of zero is one thing for all.
template <class T>
struct Strided {
  T* first;
  std::size_t distance;

  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  T* operator+(std::size_t i) const { return reinterpret_cast<T*>(reinterpret_cast<Byte*>(first) + i * distance); }
  T& operator[](std::size_t i) const { return *(*this + i); }
  friend bool operator==(const Strided& a, std::nullptr_t) { return a.first == nullptr; }
};

// Whether a state is the one that its memory belongs to. Of 32 bytes at a time, in which the eighth number is another one.
template <class T>
[[gnu::always_inline]] inline bool untouched(const Spin<T>& state) {
  using Part = typename Pack<T>::Part;
  constexpr std::size_t rows = 8 * sizeof(T) / 32;
  bool same = true;
  for (std::size_t i = 0; i < rows; ++i) {
    Part now, then;
    __builtin_memcpy(&now, reinterpret_cast<const char*>(&state) + 32 * i, 32);
    __builtin_memcpy(&then, reinterpret_cast<const char*>(&state) + 8 * sizeof(T) + 32 * i, 32);
    if (i + 1 == rows) then[pack_width<T> - 1] = now[pack_width<T> - 1];
    same = same & all_set(now == then);
  }
  return same;
}

// With the instruction of AVX, where GCC, told to mind errno, would take roots in halves and wait for these.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC push_options
#pragma GCC target("avx2")  // makes the names of its instructions known
#pragma GCC pop_options
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
struct Avx2Root {
  template <class S>
  [[gnu::always_inline]] S operator()(const S& x) const {
    S made;
    if constexpr (sizeof(x[0]) == 4) {
      made.part[0] = __builtin_ia32_sqrtps256(x.part[0]);
    } else {
      made.part[0] = __builtin_ia32_sqrtpd256(x.part[0]);
    }
    return made;
  }
};
#pragma GCC diagnostic pop
#else
using Avx2Root = SquareRoot;
#endif

// A pack of bodies. Returns how many were refused.
template <class T, class Root, class States, class Bodies, class Torques, class Order>
[[gnu::always_inline]] inline std::size_t step_pack(const States& states, const Bodies& bodies,
                                                    const Torques& torques_S, const Order& order, std::size_t first,
                                                    T h) {
  static_assert(sizeof(Spin<T>) == 16 * sizeof(T), "four times four numbers");
  using S = Pack<T>;
  using Mask = LaneMask<T, pack_width<T>, pack_width<T>>;
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr std::size_t width = pack_width<T>;

  std::array<Pack<T>, 8> state;
  std::array<Pack<T>, 4> inverse;
  load_eight<T>(
      state, [&](std::size_t i)
                 __attribute__((always_inline)) { return reinterpret_cast<const char*>(states + order[first + i]); });
  const auto inertia_of = [&](std::size_t i) __attribute__((always_inline)) {
    return reinterpret_cast<const char*>(bodies + order[first + i]);
  };
  load_four<T>(inverse, inertia_of);
  const Mask turned = !(inverse[3] == S(T(0)));
  std::array<Pack<T>, 4> axes = inverse;  // of no meaning where no body is turned
  if (any(turned))
    load_four<T>(
        axes, [&](std::size_t i) __attribute__((always_inline)) { return inertia_of(i) + 4 * sizeof(T); });

  const S marks = mark_of(Vec3<S>{inverse[0], inverse[1], inverse[2]});
  std::array<T, width> mark_of_each;
  marks.store(mark_of_each);
  // A bit for each body, spread out by comparing: a vector read back from single numbers would wait for all of them.
  Bits untouched_ones = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const Spin<T>& one = *(states + order[first + i]);
    const bool same = std::bit_cast<Bits>(mark_of_each[i]) == std::bit_cast<Bits>(one.memory.mark);
    untouched_ones |= Bits(same & untouched(one)) << i;
  }
  Mask remembered;
  for (std::size_t i = 0; i < width; ++i) remembered.part[0][i] = Bits(1) << i;
  remembered.part[0] = (remembered.part[0] & untouched_ones) == remembered.part[0];

  Vec3<S> impulse{S(T(0)), S(T(0)), S(T(0))};
  if (!(torques_S == nullptr))
    for (std::size_t i = 0; i < width; ++i) set_lane(impulse, i, Vec3<T>(h * torques_S[order[first + i]]));

  const StepInertia<S, Mask> body{{inverse[0], inverse[1], inverse[2]}, {axes[0], {axes[1], axes[2], axes[3]}}, turned};
  const Stepped<S, Mask> made =
      stepped<S, Mask>({state[0], {state[1], state[2], state[3]}}, {state[4], state[5], state[6]}, state[7], remembered,
                       body, impulse, S(h), Root{});

  const bool all = every(made.ok);
  store_eight<T>(
      {made.R_SB.w, made.R_SB.v.x, made.R_SB.v.y, made.R_SB.v.z, made.L.x, made.L.y, made.L.z, made.rate},
      [&](std::size_t i, const auto& row, std::size_t offset) __attribute__((always_inline)) {
        if (!all && !made.ok[i]) [[unlikely]]
          return;
        char* const to = reinterpret_cast<char*>(states + order[first + i]) + offset;
        __builtin_memcpy(to, &row, 32);
        __builtin_memcpy(to + 8 * sizeof(T), &row, 32);
      });
  std::size_t refused = 0;
  for (std::size_t i = 0; i < width; ++i) {
    if (!all && !made.ok[i]) [[unlikely]] {
      ++refused;
    } else {
      (*(states + order[first + i])).memory.mark = mark_of_each[i];
    }
  }
  return refused;
}

template <class T, class Root, class States, class Bodies, class Torques, class Order>
[[gnu::always_inline]] inline std::size_t step_rows(const States& states, const Bodies& bodies,
                                                    const Torques& torques_S, const Order& order, std::size_t count,
                                                    T h) {
  constexpr std::size_t width = pack_width<T>;
  std::size_t refused = 0, i = 0;
  for (; i + width <= count; i += width) refused += step_pack<T, Root>(states, bodies, torques_S, order, i, h);
  for (; i < count; ++i) {
    const std::size_t at = order[i];
    if (!step(states[at], bodies[at], torques_S == nullptr ? Vec3<T>{} : torques_S[at], h)) ++refused;
  }
  return refused;
}

// Products and sums are not fused: no FMA here.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
template <class T, class States, class Bodies, class Torques, class Order>
[[gnu::flatten, gnu::target("avx2")]] std::size_t step_rows_avx2(const States& states, const Bodies& bodies,
                                                                 const Torques& torques_S, const Order& order,
                                                                 std::size_t count, T h) {
  return step_rows<T, Avx2Root>(states, bodies, torques_S, order, count, h);
}
#endif
template <class T, class States, class Bodies, class Torques, class Order>
[[gnu::flatten]] std::size_t step_rows_plain(const States& states, const Bodies& bodies, const Torques& torques_S,
                                             const Order& order, std::size_t count, T h) {
  return step_rows<T, SquareRoot>(states, bodies, torques_S, order, count, h);
}

template <class T, class States, class Bodies, class Torques, class Order>
std::size_t step_ordered(const States& states, const Bodies& bodies, const Torques& torques_S, const Order& order,
                         std::size_t count, T h) noexcept {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
  if (instruction_set() != InstructionSet::baseline) return step_rows_avx2(states, bodies, torques_S, order, count, h);
#endif
  return step_rows_plain(states, bodies, torques_S, order, count, h);
}

}  // namespace detail

// One step of every body. The spans are of one length, or that of the torques is empty: no torques at all. Returns how many
// bodies were refused and left as they were; `step` says why.
template <class T>
std::size_t step_all(std::span<Spin<T>> states, std::span<const Same<Inertia<T>>> bodies,
                     std::span<const Same<Vec3<T>>> torques_S, Same<T> h) noexcept {
  return detail::step_ordered(states.data(), bodies.data(), torques_S.empty() ? nullptr : torques_S.data(),
                              detail::InOrder{}, states.size(), h);
}

// Only of those whose places are listed, each once: a body that sleeps costs nothing.
template <class T>
std::size_t step_all(std::span<Spin<T>> states, std::span<const Same<Inertia<T>>> bodies,
                     std::span<const Same<Vec3<T>>> torques_S, Same<T> h,
                     std::span<const std::uint32_t> awake) noexcept {
  return detail::step_ordered(states.data(), bodies.data(), torques_S.empty() ? nullptr : torques_S.data(), awake,
                              awake.size(), h);
}

}  // namespace polhode
