// Torques of the bodies of a pack, evaluated by the library.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "ensemble/pack_kernels.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

// What the bodies have: one field for all of them, or each its own.
struct FieldsOfBodies {
  std::span<const Prepared<double>> bodies;
  bool shared = false;

  const Prepared<double>& body(std::size_t i) const { return bodies[std::min(i, bodies.size() - 1)]; }
};

namespace detail {

template <std::size_t Width>
void torques_side_by_side(const FieldSum<double>& field, const double* motion, std::size_t row, double* torque) {
  // Registers of every processor: this is not compiled for one instruction set.
  using Pack = Lanes<double, Width, 2>;
  const auto load = [&](std::size_t k) {
    Pack x;
    for (std::size_t i = 0; i < Width; ++i) x.set(i, motion[k * row + i]);
    return x;
  };
  const Vec3<Pack> all = field.torque(Rotation<Pack>{load(0), {load(1), load(2), load(3)}},
                                      Vec3<Pack>{load(4), load(5), load(6)}, load(7));
  for (std::size_t i = 0; i < Width; ++i)
    for (std::size_t k = 0; k < 3; ++k) torque[k * row + i] = all[k][i];
}

}  // namespace detail

// For packs of `Width` bodies; `context` is a FieldsOfBodies.
template <std::size_t Width>
void called_torques(const void* context, std::size_t first, const double* motion, double* torque) {
  const auto& fields = *static_cast<const FieldsOfBodies*>(context);
  if (fields.shared) {
    constexpr std::size_t at_once = 4;
    for (std::size_t i = 0; i < Width; i += at_once)
      detail::torques_side_by_side<at_once>(fields.body(first).field, motion + i, Width, torque + i);
    return;
  }
  for (std::size_t i = 0; i < Width; ++i) {
    const auto number = [&](std::size_t k) { return motion[k * Width + i]; };
    const Vec3<double> one =
        fields.body(first + i).field.torque(Rotation<double>{number(0), {number(1), number(2), number(3)}},
                                            Vec3<double>{number(4), number(5), number(6)}, number(7));
    for (std::size_t k = 0; k < 3; ++k) torque[k * Width + i] = one[k];
  }
}

}  // namespace polhode
