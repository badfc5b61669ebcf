// What tumbles: a T-handle, a rod and a book, and how they are thrown.
#pragma once

#include <polhode/core/rotation.hpp>

#include <vector>

namespace tumble {

using Vec = polhode::Vec3<double>;
using Rotation = polhode::Rotation<double>;

// A box of a solid, about the centre of mass of the whole.
struct Box {
  double mass;  // [kg]
  Vec edges, centre;
};

// Principal axes along x, y, z; the moments rise in this order, so that y is the middle one.
struct Solid {
  const char* name;
  std::vector<Box> boxes;
  double speed;  // [rad/s]
};
inline constexpr std::size_t middle = 1;

// A cross bar on top of a stem, both of aluminium; the stem is the middle axis.
inline Solid handle() {
  const double density = 2700, thick = 0.06, across = 0.4, along = 0.24;
  const double bar = density * thick * thick * across, stem = density * thick * thick * along;
  const double apart = 0.5 * (thick + along), above = apart * stem / (bar + stem);
  return {"T-handle",
          {{bar, {across, thick, thick}, {0, above, 0}}, {stem, {thick, along, thick}, {0, above - apart, 0}}},
          10};
}
inline Solid rod() { return {"rod", {{2, {1, 0.14, 0.07}, {}}}, 8}; }
inline Solid book() { return {"book", {{1, {0.24, 0.17, 0.03}, {}}}, 6}; }
inline std::vector<Solid> solids() { return {handle(), rod(), book()}; }

// In general position, and spinning five degrees off the middle axis. Much nearer to it, when a slender body turns over is
// decided by digits that a float does not have: the rod's energy is within 2e-4 of that of a rotation which never does.
inline Rotation first_attitude() { return normalised(Rotation{0.8, {0.3, -0.4, 0.3}}); }
inline Vec first_velocity_B(const Solid& solid) { return solid.speed * Vec{0.08, 1, 0.01}; }

}  // namespace tumble
