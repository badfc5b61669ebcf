// A scalar that counts what is done with it: the arithmetic of a kernel, as the kernel itself has it.
#pragma once

#include <cmath>

#include "polhode/core/scalar.hpp"

namespace polhode::bench {

// Products, sums, quotients and roots, one each; a product with a sum is two, fused or not. Signs, comparisons and choices are
// none.
inline long long counted_operations = 0;

struct Counted {
  double value = 0;

  Counted() = default;
  template <class A>
    requires std::is_arithmetic_v<A> Counted(A x) : value(static_cast<double>(x)) {}

    friend Counted operator+(Counted a, Counted b) { return one(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return one(a.value - b.value); }
    friend Counted operator*(Counted a, Counted b) { return one(a.value * b.value); }
    friend Counted operator/(Counted a, Counted b) { return one(a.value / b.value); }
    friend Counted sqrt(Counted a) { return one(std::sqrt(a.value)); }
    Counted& operator+=(Counted b) { return *this = *this + b; }
    Counted& operator-=(Counted b) { return *this = *this - b; }
    Counted& operator*=(Counted b) { return *this = *this * b; }
    friend Counted operator-(Counted a) { return {-a.value}; }
    friend Counted abs(Counted a) { return {std::abs(a.value)}; }
    friend Counted copysign(Counted a, Counted sign) { return {std::copysign(a.value, sign.value)}; }
    friend Counted sin(Counted a) { return {std::sin(a.value)}; }
    friend Counted cos(Counted a) { return {std::cos(a.value)}; }
    friend bool isfinite(Counted a) { return std::isfinite(a.value); }
    friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
    friend auto operator<=>(Counted a, Counted b) { return a.value <=> b.value; }

   private:
    static Counted one(double x) {
      ++counted_operations;
      return {x};
    }
};

}  // namespace polhode::bench

namespace polhode {

// Kernels then go the way that they go with doubles.
template <>
struct ValueOf<bench::Counted> {
  using type = double;
};

}  // namespace polhode
