// The units in which a situation is integrated.
#pragma once

namespace polhode {

// Exact powers of two by which inertia and time are scaled on entry, so that products of three moments cannot overflow.
// Scaling by powers of two changes no bit of a result: the same problem in other units gives the same digits.
struct Units {
  int inertia_exponent = 0;  // 1 internal unit of inertia = 2^inertia_exponent kg m^2
  int time_exponent = 0;     // 1 internal unit of time = 2^time_exponent s

  constexpr int momentum_exponent() const { return inertia_exponent - time_exponent; }
  constexpr int energy_exponent() const { return inertia_exponent - 2 * time_exponent; }

  friend constexpr bool operator==(const Units&, const Units&) = default;
};

}  // namespace polhode
