// A library that says of itself what POLHODE_TEST_LIBRARY asks for: the plug-ins that nobody should write.
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "polhode/methods/plugin.hpp"

using namespace polhode;

extern "C" const PluginLibrary* polhode_plugin() {
  const char* named = std::getenv("POLHODE_TEST_LIBRARY");
  const std::string_view wish = named == nullptr ? "" : named;
  static PluginMethod method;
  static PluginLibrary library;
  method.info.name = "odd-method";
  method.info.family = method.info.cite = method.info.about = method.info.good_for = method.info.not_for = "tests";
  method.info.claims = {.order_attitude = 1, .order_momentum = 1};
  method.info.claims_for = [](std::span<const double>) { return method.info.claims; };
  method.scalars = {{53, nullptr}};
  library = {plugin_interface, plugin_layout(), &method, 1};
  Claims& claims = method.info.claims;
  if (wish == "null") return nullptr;
  if (wish == "throws") throw std::runtime_error("not today");
  if (wish == "crashes") std::abort();
  if (wish == "interface") library.interface = 999;
  if (wish == "layout") library.layout = 1;
  if (wish == "empty") library.count = 0;
  if (wish == "taken") method.info.name = "rkmk-4";
  if (wish == "alias") method.info.name = "lie-euler";
  if (wish == "auto") method.info.name = "auto";
  if (wish == "name") method.info.name = "My Method";
  if (wish == "order") claims.order_momentum = 0;
  if (wish == "both") claims.dissipative = claims.symplectic = true;
  if (wish == "calls") claims.torque_evaluations = -1;
  if (wish == "torque") claims.needs = Needs::no_torque, claims.energy = Keeps::exact;
  if (wish == "float") method.scalars[0].digits = 24;
  return &library;
}
