// What a method that moves a direction asks of the body, the field and the start.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "polhode/methods/registry.hpp"

namespace polhode {

namespace detail {

// Data are given in double, or rounded more coarsely.
template <class T>
double rounding_of_data() {
  return std::max(1e-12, 64 * static_cast<double>(epsilon<T>()));
}

template <class T>
bool is_third_axis(const Vec3<T>& a) {
  return static_cast<double>(norm(a - Vec3<T>{T(0), T(0), T(1)})) <= rounding_of_data<T>();
}

// A field whose potential depends on the direction of one axis of the body alone.
template <class F, class T>
concept PotentialOfAxis = requires(const F field) {
  { field.axis_body } -> std::convertible_to<Vec3<T>>;
};

}  // namespace detail

template <class T>
void require_sphere(std::string_view method, Needs needs, const Body<T>& body, const FieldSum<T>& field) {
  const auto refuse = [&](const std::string& why) {
    throw MethodError(
        fmt::format("{} moves a direction on the sphere, {}; 'polhode methods --json' gives the space of "
                    "every method",
                    method, why));
  };
  const double first = static_cast<double>(body.inertia.x), second = static_cast<double>(body.inertia.y);
  if (!(std::abs(first - second) <= detail::rounding_of_data<T>() * first))
    refuse(fmt::format(
        "so that the moments about axes 1 and 2 must be equal, and their ratio is {:.9g}; give inertia = [I, I, I]",
        first / second));
  if (body.principal_axes != Rotation<T>{})
    refuse(
        "that of the third principal axis, and this body is given by a tensor in other axes; give its principal "
        "moments");
  for (const auto& term : field.terms()) {
    std::visit(
        [&](const auto& torque) {
          using Kind = std::decay_t<decltype(torque)>;
          constexpr bool is_uniform = std::is_same_v<Kind, UniformField<T>>;
          if (!is_uniform && needs == Needs::uniform_field)
            refuse(fmt::format("in a uniform-field or in none, and here is a torque of kind {}", Kind::kind));
          if constexpr (detail::PotentialOfAxis<Kind, T>) {
            if (!detail::is_third_axis(torque.axis_body))
              refuse(
                  fmt::format("that of the third axis, and this {} pulls the axis [{:.6g}, {:.6g}, {:.6g}]; leave "
                              "axis_body out",
                              Kind::kind, static_cast<double>(torque.axis_body.x),
                              static_cast<double>(torque.axis_body.y), static_cast<double>(torque.axis_body.z)));
          } else {
            refuse(fmt::format("in a potential of that direction or in none, and here is a torque of kind {}",
                               Kind::kind));
          }
          if constexpr (std::is_same_v<Kind, TwoMasses<T>>) {
            const double ratio = static_cast<double>(torque.moment() / body.inertia.x);
            if (!(std::abs(ratio - 1) <= 1e-6))
              refuse(
                  fmt::format("and the moment of these two masses about axes across their bar is {:.9g} of the "
                              "body's; give inertia = [I, I, I] with I = mass_1 mass_2 length^2/(mass_1 + mass_2)",
                              ratio));
          }
        },
        term);
  }
}

template <class T>
void require_no_spin(std::string_view method, const State<T>& s) {
  const double spin = static_cast<double>(s.pi_B.z), all = static_cast<double>(norm(s.pi_B));
  if (std::abs(spin) <= detail::rounding_of_data<T>() * all) return;
  throw MethodError(
      fmt::format("{} moves a direction on the sphere, and this body spins about it: the third component of "
                  "its angular momentum in body axes is {:.6g} of the whole; start it without",
                  method, spin / all));
}

}  // namespace polhode
