// Methods in shared libraries: what such a library holds, and how it is loaded. Who writes one includes polhode/plugin.hpp.
//
// A plug-in and the program hand each other C++ objects, so that both must be compiled with the same headers. What can be
// asked before anything is trusted comes first in PluginLibrary: the number of the interface, and a hash of the sizes of
// all that passes between the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "polhode/methods/registry.hpp"

namespace polhode {

// Goes up with every change of what follows, of Stepper, or of what a method is handed.
inline constexpr std::uint32_t plugin_interface = 1;

// The one symbol of a plug-in, a function that returns a PluginLibrary.
inline constexpr const char* plugin_symbol = "polhode_plugin";

template <class T>
using MakeStepper = std::unique_ptr<Stepper<T>>(const Body<T>&, const FieldSum<T>&, std::span<const double> parameters);

// A method in one scalar, which is known by its number of binary digits: 24, 53, 64 or 113.
struct PluginScalar {
  int digits;
  void (*make)();  // a MakeStepper<T>, cast
};

struct PluginMethod {
  MethodInfo info;
  std::vector<PluginScalar> scalars;
};

struct PluginLibrary {
  std::uint32_t interface;
  std::uint32_t layout;
  const PluginMethod* methods;
  std::size_t count;
};

// FNV's hash of the sizes.
constexpr std::uint32_t plugin_layout() {
  std::uint32_t hash = 2166136261U;
  for (const std::size_t size : {sizeof(MethodInfo), sizeof(ParameterInfo), sizeof(Claims), sizeof(PluginMethod),
                                 sizeof(Stepper<double>), sizeof(Body<double>), sizeof(FieldSum<double>::Term),
                                 sizeof(State<double>), sizeof(Work), sizeof(std::string)}) {
    hash = (hash ^ static_cast<std::uint32_t>(size)) * 16777619U;
  }
  return hash;
}

// Loads a shared library; its methods are behind the others in methods() from then on, and for good. Returns their names;
// a file that was loaded before is not loaded again. Throws Error with a sentence: file_missing, or bad_file for whatever
// is no plug-in, was compiled with other headers, or has a method that cannot be listed, and then none of it is.
//
// Not while another thread looks methods up. A plug-in brings all the code of the library that it needs, so that a program
// that loads one need not export symbols to it.
std::vector<std::string> load_plugin(const std::string& file);

// A method that the program brings itself while it runs, in double, without parameters.
struct OwnMethod {
  std::string name, about;
  Claims claims;
  std::function<std::unique_ptr<Stepper<double>>(const Body<double>&, const FieldSum<double>&)> make;
};

// Puts it behind the others, or in the place of one that was brought under this name before. Throws Error (bad_request)
// with a sentence for what cannot be listed. Not while another thread looks methods up.
void list_own_method(OwnMethod method);

// The plug-in whose code this thread is in, "my-method of the plug-in 'my.so'"; a null pointer: none. A signal handler may
// ask.
const char* plugin_at_work() noexcept;

}  // namespace polhode
