#include "polhode/methods/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/plugins.hpp"
#include "methods/suffixes.hpp"
#include "polhode/core/hints.hpp"
#include "polhode/methods/catalogue.hpp"

namespace polhode {

namespace {
constexpr std::string_view automatic = "auto";  // stands for a method where a run chooses one

std::deque<MethodInfo>& list() {
  static std::deque<MethodInfo> all = [] {
    std::deque<MethodInfo> catalogue;
    Catalogue::for_each([&](auto entry) {
      using Entry = decltype(entry);
      catalogue.push_back(
          method_info<typename Entry::Method>(Entry::name, {Entry::aliases.begin(), Entry::aliases.end()}));
    });
    return catalogue;
  }();
  return all;
}
}  // namespace

const std::deque<MethodInfo>& methods() { return list(); }

void list_method(MethodInfo method) { list().push_back(std::move(method)); }
void list_again(std::size_t index, const Claims& claims) { list()[index].claims = claims; }

std::string order_text(int order) { return order == exact_order ? "exact" : fmt::format("{}", order); }

std::string order_text(const Orders& orders) {
  const std::string attitude = order_text(orders.attitude), momentum = order_text(orders.momentum);
  return attitude == momentum ? attitude : attitude + "/" + momentum;
}

std::string order_text(const Claims& claims) {
  const Orders with_torque = orders_of(claims, false), free = orders_of(claims, true);
  return free == with_torque ? order_text(free) : order_text(with_torque) + ", free " + order_text(free);
}

std::string order_with_velocity_text(const Claims& claims) {
  return takes_any_torque(claims) ? order_text(orders_with_velocity(claims)) : "-";
}

namespace {

// Names and aliases that may have been meant; where none is near, the methods whose sentence has the word.
std::vector<std::string> near_methods(std::string_view name) {
  std::vector<std::string> names;
  names.emplace_back(automatic);
  for (const MethodInfo& method : methods()) {
    names.emplace_back(method.name);
    names.insert(names.end(), method.aliases.begin(), method.aliases.end());
  }
  std::vector<std::string> near = near_names(name, names);
  if (!near.empty()) return near;
  for (const MethodInfo& method : methods()) {
    if (contains_word(method.about, name)) near.emplace_back(method.name);
  }
  return near;
}

std::size_t find_base(std::string_view name) {
  if (name == automatic) {
    throw MethodError(
        "auto is not a method but chooses one, with its step, for a run and a tolerance; name the method that such a "
        "run "
        "says it chose, or one that 'polhode methods' lists");
  }
  const auto& all = methods();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& aliases = all[i].aliases;
    if (all[i].name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return i;
  }
  throw MethodError(
      fmt::format("no method named '{}'; {}", name, hint(near_methods(name), "'polhode methods' lists them all")));
}

}  // namespace

std::string with_parameter(std::string_view name, std::string_view parameter, double value) {
  const std::size_t end = std::min(name.find_first_of(name_marks), name.size());
  const MethodInfo& base = methods()[find_base(name.substr(0, end))];
  check_parameter(base, parameter, value);
  return fmt::format("{}:{}={}{}", name.substr(0, end), parameter, value, name.substr(end));
}

MethodSpec parse_method(std::string_view name) {
  const std::size_t first = std::min(name.find_first_of(name_marks), name.size());
  MethodSpec spec;
  spec.index = find_base(name.substr(0, first));
  const MethodInfo& base = methods()[spec.index];
  std::string_view rest = name.substr(first);
  spec.parameters = read_parameters(base.name, base.parameters, rest);
  spec.name = std::string(base.name) + written(base.parameters, spec.parameters);
  spec.claims = base_claims(spec);
  spec.space = spec.claims.space;
  while (!rest.empty()) {
    const std::string_view text = rest.substr(0, rest.find_first_of(suffix_marks, 1));
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos)
      throw MethodError(fmt::format("'{}' stands behind a suffix; parameters stand before it, as in {}{}{}",
                                    text.substr(colon), spec.name, text.substr(colon), text.substr(0, colon)));
    const Suffix suffix = suffix::parse(text);
    spec.claims = suffix::add(suffix, spec.claims, spec.name, text);
    spec.suffixes.push_back(suffix);
    spec.name += text;
    rest.remove_prefix(text.size());
  }
  return spec;
}

}  // namespace polhode
