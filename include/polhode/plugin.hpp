// A method of one's own in a shared library, which `polhode ... --load my_method.so` or load_plugin() lists beside the others
// (docs/own-methods.md, examples/plugin):
//
//   struct MyMethod { ... };                                                    what concept Method asks for
//   POLHODE_PLUGIN(MyMethod, "my-method")                                       in double,
//   POLHODE_PLUGIN(MyMethod, "my-method", float, long double, polhode::quad)    and in these as well
//
// Several methods in one library:
//
//   POLHODE_PLUGINS(polhode::Plugged<"one", One, double>, polhode::Plugged<"other", Other, double, polhode::quad>)
#pragma once

#include <array>
#include <limits>

#include "polhode/core/fixed_string.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/compensated.hpp"
#include "polhode/methods/method_stepper.hpp"
#include "polhode/methods/plugin.hpp"

namespace polhode {

// Compiled in the library for others (model/compiled_torque.hpp); a plug-in is linked with none.
template Vec3<float> FieldSum<float>::torque(const Rotation<float>&, const Vec3<float>&, const float&) const;
template Vec3<double> FieldSum<double>::torque(const Rotation<double>&, const Vec3<double>&, const double&) const;
template Vec3<long double> FieldSum<long double>::torque(const Rotation<long double>&, const Vec3<long double>&,
                                                         const long double&) const;

template <class M, class T>
std::unique_ptr<Stepper<T>> make_plugged(const Body<T>& body, const FieldSum<T>& field,
                                         std::span<const double> parameters) {
  const auto chosen = parameters_from<M>(parameters);
  if constexpr (has_free_kernels<T>) {
    if (field.empty() && !body.carries_wheels) return stepper_of<M>(System<T, Free>{body, {}}, chosen);
  }
  return stepper_of<KernelIn<M, T>>(System<T, FieldSum<T>>{body, field}, chosen);
}

template <FixedString Name, class M, class... Scalars>
struct Plugged {
  static_assert(assert_method<M>());
  static_assert((std::is_same_v<Scalars, double> || ...), "a plug-in has its method in double");

  static PluginMethod entry() { return {method_info<M>(Name.view()), {in_scalar<Scalars>()...}}; }

 private:
  template <class T>
  static PluginScalar in_scalar() {
    return {std::numeric_limits<T>::digits, reinterpret_cast<void (*)()>(&make_plugged<M, T>)};
  }
};

template <class... Entries>
const PluginLibrary* plugin_library() {
  static const std::array<PluginMethod, sizeof...(Entries)> methods{Entries::entry()...};
  static const PluginLibrary library{plugin_interface, plugin_layout(), methods.data(), methods.size()};
  return &library;
}

}  // namespace polhode

// Only a macro can name the symbol once for whoever writes one.
#define POLHODE_PLUGINS(...)                                                                 \
  extern "C" [[gnu::visibility("default")]] const polhode::PluginLibrary* polhode_plugin() { \
    return polhode::plugin_library<__VA_ARGS__>();                                           \
  }
#define POLHODE_PLUGIN(Method, name, ...) \
  POLHODE_PLUGINS(polhode::Plugged<name, Method, double __VA_OPT__(, ) __VA_ARGS__>)
