// The bodies of the test that a device gives a processor's bits, and where their ends stand in its file.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields/heavy_top.hpp"

namespace polhode::bits {

inline constexpr int bodies = 64, steps = 100;
inline constexpr double step = 0.03;
inline constexpr std::size_t numbers = 7;  // of a body: quaternion, momentum

// From rest to a few radians a step, with three, two and no equal moments.
inline Vec3<double> moments_of(int i) {
  if (i % 8 == 4) return {1.2, 1.2, 0.7};
  if (i % 8 == 6) return {0.4, 1.2, 1.2};
  if (i % 8 == 7) return {1.1, 1.1, 1.1};
  return {0.9 + 0.01 * i, 1.3, 1.7 - 0.01 * i};
}
inline State<double> start_of(int i) {
  const double spins[8] = {1, 0, 1e-9, 40, 0.2, 100, 3, 7e-3};
  const double spin = spins[i % 8] * (1 + 0.1 * (i / 8));
  State<double> s;
  s.R_SB = normalised(Rotation<double>{0.8, {0.1 * (i % 5), -0.4, 0.7}});
  s.pi_B = spin * Vec3<double>{0.6, -0.5 + 0.01 * i, 0.8};
  return s;
}
inline HeavyTop<double> gravity() {
  HeavyTop<double> field;
  field.weight_times_arm = 0.5;
  field.axis_body = {1.0 / 3, 2.0 / 3, 2.0 / 3};
  return field;
}

// Of entry n of the catalogue, free (0) or in gravity (1).
constexpr std::size_t place(std::size_t n, std::size_t field) { return (2 * n + field) * bodies * numbers; }

inline void put(double* to, const State<double>& s) {
  const double all[numbers] = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z, s.pi_B.x, s.pi_B.y, s.pi_B.z};
  for (std::size_t k = 0; k < numbers; ++k) to[k] = all[k];
}

// f(entry, number) for the entries that run in packs; those run on a device too. Free-exact's rates are made in long double
// on a processor and in double on a device.
template <class M>
inline constexpr bool is_compared = M::claims.batch && !std::is_same_v<M, FreeExact>;

template <class Function, class... Entries, std::size_t... N>
void for_each(const Function& f, MethodList<Entries...>, std::index_sequence<N...>) {
  (f(Entries{}, std::integral_constant<std::size_t, N>{}), ...);
}
template <class Function>
void for_each(const Function& f) {
  for_each(f, Catalogue{}, std::make_index_sequence<Catalogue::size>{});
}

}  // namespace polhode::bits
