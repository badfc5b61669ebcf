// Methods that were loaded, and the way into their code: whatever goes wrong there is said in the name of the plug-in.
#pragma once

#include <memory>
#include <string>

#include "polhode/methods/plugin.hpp"

namespace polhode {

struct LoadedMethod {
  std::string file;
  std::string who;  // "my-method of the plug-in 'my.so'"
  const PluginMethod* method;
  OwnMethod own{};  // where `method` is a null pointer
};

// A null pointer where methods()[index] is one of the catalogue.
const LoadedMethod* loaded_method(std::size_t index);

// Throws MethodError where the plug-in has not got the method in this scalar. Instantiated in plugins.cpp.
template <class T>
std::unique_ptr<Stepper<T>> make_loaded(const LoadedMethod& loaded, const MethodSpec& method, const Body<T>& body,
                                        const FieldSum<T>& field);

// Of the method with its parameters, before its suffixes.
Claims base_claims(const MethodSpec& method);

// Puts a method at the end of methods(), or changes it.
void list_method(MethodInfo method);
void list_again(std::size_t index, const Claims& claims);

// While one lives this thread is in the code of a plug-in.
class InPlugin {
 public:
  explicit InPlugin(const char* who) noexcept;
  ~InPlugin();
  InPlugin(const InPlugin&) = delete;
  InPlugin& operator=(const InPlugin&) = delete;

 private:
  const char* before_;
};

// Throws the exception that is being handled again as Error (run_failed), with the name of the plug-in.
[[noreturn]] void blame(const std::string& who, const char* place);

// Calls the function, which calls the plug-in; `place`: "step", "start", ...
template <class Function>
decltype(auto) in_plugin(const std::string& who, const char* place, Function&& function) {
  const InPlugin here(who.c_str());
  try {
    return function();
  } catch (...) {
    blame(who, place);
  }
}

}  // namespace polhode
