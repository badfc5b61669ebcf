// Many bodies at once: eight floats or four doubles side by side in the registers of the processor, with the bits that each
// body has from `step` alone.
#pragma once

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

// A row of each of several bodies, beginning `offset` bytes into it: pack i has number i of all of them.
template <class T, class Owner, class Order, std::size_t... I>
[[gnu::always_inline]] inline void load_row(Rows<T>& rows, std::size_t offset, const Owner& owners, const Order& order,
                                            std::size_t first, std::index_sequence<I...>) {
  (__builtin_memcpy(&rows[I].part[0], reinterpret_cast<const char*>(owners + order[first + I]) + offset, 32), ...);
  transpose<T>(rows);
}
template <class T, class Owner, class Order, std::size_t... I>
[[gnu::always_inline]] inline void store_row(Rows<T>& rows, std::size_t offset, const Owner& owners, const Order& order,
                                             std::size_t first, std::index_sequence<I...>) {
  transpose<T>(rows);
  (__builtin_memcpy(reinterpret_cast<char*>(owners + order[first + I]) + offset, &rows[I].part[0], 32), ...);
}

// Count numbers of each body of a pack, which stand in a row of memory.
template <class T, std::size_t Count>
struct BodyRows {
  static constexpr std::size_t length = row_length<T>;
  using Each = std::make_index_sequence<length>;

  std::array<Rows<T>, Count / length> rows;

  template <std::size_t I>
  [[gnu::always_inline]] RowPack<T>& number() {
    return rows[I / length][I % length];
  }
  template <class Owner, class Order>
  [[gnu::always_inline]] void load(const Owner& owners, const Order& order, std::size_t first) {
    [&]<std::size_t... R>(std::index_sequence<R...>) __attribute__((always_inline)) {
      (load_row<T>(rows[R], 32 * R, owners, order, first, Each{}), ...);
    }
    (std::make_index_sequence<Count / length>{});
  }
  template <class Owner, class Order>
  [[gnu::always_inline]] void store(const Owner& owners, const Order& order, std::size_t first) {
    [&]<std::size_t... R>(std::index_sequence<R...>) __attribute__((always_inline)) {
      (store_row<T>(rows[R], 32 * R, owners, order, first, Each{}), ...);
    }
    (std::make_index_sequence<Count / length>{});
  }
};

template <std::size_t I>
inline constexpr std::integral_constant<std::size_t, I> at{};

template <class T, std::size_t Count, std::size_t I>
[[gnu::always_inline]] inline void put(BodyRows<T, Count>&, std::integral_constant<std::size_t, I>) {}
template <class T, std::size_t Count, std::size_t I, class... Others>
[[gnu::always_inline]] inline void put(BodyRows<T, Count>& row, std::integral_constant<std::size_t, I>,
                                       const RowPack<T>& one, const Others&... others) {
  row.template number<I>() = one;
  put(row, at<I + 1>, others...);
}

template <class T, class States, class Bodies, class Torques, class Order>
[[gnu::always_inline]] inline std::size_t step_rows(const States& states, const Bodies& bodies,
                                                    const Torques& torques_S, const Order& order, std::size_t count,
                                                    T h) {
  static_assert(sizeof(Spin<T>) == 16 * sizeof(T), "a state is two rows of eight floats, or four of four doubles");
  using S = RowPack<T>;
  using Mask = decltype(S() == S());
  constexpr std::size_t width = row_length<T>;
  std::size_t refused = 0, i = 0;
  for (; i + width <= count; i += width) {
    BodyRows<T, 16> s;
    BodyRows<T, 8> b;
    s.load(states, order, i);
    b.load(bodies, order, i);
    Vec3<S> impulse{S(T(0)), S(T(0)), S(T(0))};
    if (torques_S != nullptr)
      for (std::size_t k = 0; k < width; ++k) set_lane(impulse, k, Vec3<T>(h * torques_S[order[i + k]]));
    const auto rotation = [&]<std::size_t I>(auto& row, std::integral_constant<std::size_t, I>)
        __attribute__((always_inline)) {
      return Rotation<S>{row.template number<I>(),
                         {row.template number<I + 1>(), row.template number<I + 2>(), row.template number<I + 3>()}};
    };
    const auto vector = [&]<std::size_t I>(auto& row, std::integral_constant<std::size_t, I>)
        __attribute__((always_inline)) {
      return Vec3<S>{row.template number<I>(), row.template number<I + 1>(), row.template number<I + 2>()};
    };
    Rotation<S> R = rotation(s, at<0>);
    Vec3<S> L = vector(s, at<4>);
    typename Spin<S>::Memory memory{s.template number<7>(), rotation(s, at<8>), vector(s, at<12>),
                                    s.template number<15>()};
    const StepInertia<S, Mask> body{vector(b, at<0>), rotation(b, at<4>), !(b.template number<3>() == S(T(0)))};
    const Mask ok = step_in_place<S, Mask>(R, L, memory, body, impulse, S(h));
    put(s, at<0>, R.w, R.v.x, R.v.y, R.v.z, L.x, L.y, L.z, memory.rate, memory.R_SB.w, memory.R_SB.v.x, memory.R_SB.v.y,
        memory.R_SB.v.z, memory.L.x, memory.L.y, memory.L.z, memory.inverse_moments);
    s.store(states, order, i);
    if (!every(ok)) [[unlikely]]
      for (std::size_t k = 0; k < width; ++k) refused += ok[k] ? 0 : 1;
  }
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
  return step_rows(states, bodies, torques_S, order, count, h);
}
#endif
template <class T, class States, class Bodies, class Torques, class Order>
[[gnu::flatten]] std::size_t step_rows_plain(const States& states, const Bodies& bodies, const Torques& torques_S,
                                             const Order& order, std::size_t count, T h) {
  return step_rows(states, bodies, torques_S, order, count, h);
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
