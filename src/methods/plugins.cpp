#include "methods/plugin_stepper.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>

#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/version.hpp"

namespace polhode {
namespace {

thread_local const char* at_work = nullptr;

// What was loaded, in the order of methods(); references stay.
std::deque<LoadedMethod>& loaded_methods() {
  static std::deque<LoadedMethod> all;
  return all;
}

[[noreturn]] void refuse_plugin(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::bad_file, fmt::format("the plug-in '{}' {}", file, why));
}

std::string last_dynamic_error() {
  const char* words = ::dlerror();
  return words == nullptr ? "no reason given" : words;
}

constexpr std::string_view automatic_name = "auto";

using Entrance = const PluginLibrary* (*)();

const PluginLibrary& library_in(const std::string& file, void* handle) {
  const auto entrance = reinterpret_cast<Entrance>(::dlsym(handle, plugin_symbol));
  if (entrance == nullptr)
    refuse_plugin(file, fmt::format("has no symbol {}; end its source with POLHODE_PLUGIN(MyMethod, \"my-method\")",
                                    plugin_symbol));
  const PluginLibrary* library = in_plugin(fmt::format("the plug-in '{}'", file), plugin_symbol, entrance);
  const auto compile = fmt::format("compile it again with the headers of this program, polhode {}", version());
  if (library == nullptr)
    refuse_plugin(file, "has nothing to show: its symbol polhode_plugin returns no library; " + compile);
  if (library->interface != plugin_interface)
    refuse_plugin(
        file, fmt::format("was made for version {} of the interface of plug-ins, and this program has version {}; {}",
                          library->interface, plugin_interface, compile));
  if (library->layout != plugin_layout())
    refuse_plugin(
        file,
        "was compiled with other headers, or by another compiler: what it hands over has other sizes; " + compile);
  return *library;
}

// Kebab case, so that marks of suffixes and parameters end a name.
bool is_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::all_of(name.begin(), name.end(), fits);
}

// Why these claims cannot be those of any method; empty if they can.
std::string contradiction(const Claims& c) {
  if (c.order_attitude < 1 || c.order_momentum < 1)
    return fmt::format("an order of {} in attitude and {} in momentum; both are at least 1", c.order_attitude,
                       c.order_momentum);
  for (const Orders& orders : {c.order_free, c.order_with_velocity})
    if (orders != Orders{} && (orders.attitude < 1 || orders.momentum < 1))
      return "an order below 1, free or with velocity; leave it out where it is that of any torque";
  if (!std::isfinite(c.torque_evaluations) || c.torque_evaluations < 0)
    return fmt::format("{} torque evaluations a step", c.torque_evaluations);
  if (c.dissipative && (c.symplectic || c.energy != Keeps::no || c.energy_free == Keeps::exact))
    return "that it loses energy on purpose and that it keeps it";
  if (c.gains_momentum && c.momentum_free != Keeps::no) return "that it gains momentum and that it keeps it";
  if (c.needs == Needs::no_torque && (c.energy != Keeps::no || c.momentum_along_field != Keeps::no))
    return "something of a field, and that it takes no torque";
  const bool of_direction = c.needs == Needs::direction_potential || c.needs == Needs::uniform_field;
  if (of_direction != (c.space == Space::sphere))
    return "to move a direction and to need a torque of any kind, or the other way round";
  return "";
}

void check_plugged(const std::string& file, const PluginMethod& method) {
  const MethodInfo& info = method.info;
  if (!is_name(info.name))
    refuse_plugin(
        file,
        fmt::format("has a method named '{}'; a name is small letters, digits and hyphens, e.g. my-method", info.name));
  if (info.name == automatic_name)
    refuse_plugin(file, "has a method named 'auto', which chooses among methods; give it another name");
  for (const MethodInfo& other : methods()) {
    if (other.name != info.name && std::count(other.aliases.begin(), other.aliases.end(), info.name) == 0) continue;
    refuse_plugin(file, fmt::format("has a method named '{}', and there is one already{}; give it another name",
                                    info.name, other.plugin.empty() ? "" : fmt::format(", from '{}'", other.plugin)));
  }
  const auto wrong = contradiction(info.claims);
  if (!wrong.empty()) refuse_plugin(file, fmt::format("has claims that cannot be: {} claims {}", info.name, wrong));
  const auto in_double = [](const PluginScalar& scalar) { return scalar.digits == 53; };
  if (std::none_of(method.scalars.begin(), method.scalars.end(), in_double))
    refuse_plugin(file, fmt::format("has {} not in double, which every method must be in", info.name));
}

void* open_library(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    throw Error(ErrorKind::file_missing, fmt::format("there is no plug-in '{}'; check the name", file));
  if (!std::filesystem::is_regular_file(status)) refuse_plugin(file, "is not a file; name a shared library");
  // By its whole path: a bare name would be looked for among the system's libraries.
  const std::string path = std::filesystem::absolute(file).string();
  const std::string who = fmt::format("the plug-in '{}'", file);
  void* handle = in_plugin(who, "initialisation", [&] { return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (handle == nullptr) refuse_plugin(file, "is not a shared library that can be loaded: " + last_dynamic_error());
  return handle;
}

}  // namespace

std::vector<std::string> load_plugin(const std::string& file) {
  static std::map<void*, std::vector<std::string>> before;
  void* handle = open_library(file);
  const auto [entry, is_new] = before.try_emplace(handle);
  if (!is_new) return entry->second;
  try {
    const PluginLibrary& library = library_in(file, handle);
    if (library.count == 0) refuse_plugin(file, "has no method");
    for (std::size_t i = 0; i < library.count; ++i) {
      check_plugged(file, library.methods[i]);
      for (std::size_t k = 0; k < i; ++k)
        if (library.methods[k].info.name == library.methods[i].info.name)
          refuse_plugin(file, fmt::format("has two methods named '{}'", library.methods[i].info.name));
    }
    for (std::size_t i = 0; i < library.count; ++i) {
      MethodInfo info = library.methods[i].info;
      const LoadedMethod& loaded = loaded_methods().emplace_back(
          LoadedMethod{file, fmt::format("{} of the plug-in '{}'", info.name, file), &library.methods[i]});
      info.plugin = loaded.file;
      list_method(info);
      entry->second.emplace_back(info.name);
    }
  } catch (...) {
    before.erase(entry);
    throw;
  }
  return entry->second;
}

void list_own_method(OwnMethod method) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::bad_request, fmt::format("the method '{}' {}", method.name, why));
  };
  if (!is_name(method.name) || method.name == automatic_name)
    refuse("has no name that a method can have: small letters, digits and hyphens, e.g. my-method, and not auto");
  if (const std::string wrong = contradiction(method.claims); !wrong.empty()) refuse("claims " + wrong);
  for (std::size_t i = 0; i < methods().size(); ++i) {
    const MethodInfo& other = methods()[i];
    if (other.name != method.name && std::count(other.aliases.begin(), other.aliases.end(), method.name) == 0) continue;
    auto* const before = const_cast<LoadedMethod*>(loaded_method(i));
    if (before == nullptr || before->method != nullptr) refuse("has the name of a method that is there; give another");
    // Those who look at its name and words go on doing so.
    before->own.claims = method.claims;
    before->own.make = std::move(method.make);
    return list_again(i, before->own.claims);
  }
  LoadedMethod& loaded = loaded_methods().emplace_back(
      LoadedMethod{"this program", "the method " + method.name, nullptr, std::move(method)});
  MethodInfo info{loaded.own.name, {}, "own method", "", loaded.own.about, "", "", loaded.own.claims};
  info.plugin = loaded.file;
  list_method(info);
}

const LoadedMethod* loaded_method(std::size_t index) {
  auto& loaded = loaded_methods();
  const std::size_t first = methods().size() - loaded.size();
  return index < first ? nullptr : &loaded[index - first];
}

Claims base_claims(const MethodSpec& method) {
  const auto& claims_for = methods()[method.index].claims_for;
  const LoadedMethod* loaded = loaded_method(method.index);
  if (loaded == nullptr) return claims_for(method.parameters);
  if (loaded->method == nullptr) return loaded->own.claims;
  return in_plugin(loaded->who, "claims_for", [&] { return claims_for(method.parameters); });
}

const char* plugin_at_work() noexcept { return at_work; }

InPlugin::InPlugin(const char* who) noexcept : before_(at_work) { at_work = who; }
InPlugin::~InPlugin() { at_work = before_; }

void blame(const std::string& who, const char* place) {
  const auto sentence = [&](const std::string& what) {
    return Error(ErrorKind::run_failed, fmt::format("{} threw an exception in its {}: {}", who, place, what));
  };
  try {
    throw;
  } catch (const std::exception& error) {
    throw sentence(error.what());
  } catch (...) {
    throw sentence("of a kind unknown here; methods throw nothing");
  }
}

template std::unique_ptr<Stepper<float>> make_loaded(const LoadedMethod&, const MethodSpec&, const Body<float>&,
                                                     const FieldSum<float>&);
template std::unique_ptr<Stepper<double>> make_loaded(const LoadedMethod&, const MethodSpec&, const Body<double>&,
                                                      const FieldSum<double>&);
template std::unique_ptr<Stepper<long double>> make_loaded(const LoadedMethod&, const MethodSpec&,
                                                           const Body<long double>&, const FieldSum<long double>&);
template std::unique_ptr<Stepper<quad>> make_loaded(const LoadedMethod&, const MethodSpec&, const Body<quad>&,
                                                    const FieldSum<quad>&);

}  // namespace polhode
