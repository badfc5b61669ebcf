#include "polhode/methods/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/core/hints.hpp"
#include "polhode/methods/catalogue.hpp"
#include "suffixes.hpp"

namespace polhode {

namespace {
constexpr std::string_view automatic = "auto";  // stands for a method where a run chooses one
}

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> all = [] {
    std::vector<MethodInfo> list;
    Catalogue::for_each([&](auto entry) {
      using Entry = decltype(entry);
      using M = typename Entry::Method;
      list.push_back({Entry::name,
                      {Entry::aliases.begin(), Entry::aliases.end()},
                      M::family,
                      M::cite,
                      M::about,
                      M::good_for,
                      M::not_for,
                      M::claims,
                      M::claims.space,
                      Remembers<M>});
    });
    return list;
  }();
  return all;
}

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
        "auto is no method but chooses one, with its step, for a run ('polhode run --method auto --tolerance 1e-8'); "
        "name "
        "the method that such a run says it chose, or one that 'polhode methods' lists");
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

MethodSpec parse_method(std::string_view name) {
  constexpr std::string_view marks = "@+";
  const std::size_t first = std::min(name.find_first_of(marks), name.size());
  MethodSpec spec;
  spec.index = find_base(name.substr(0, first));
  spec.name = methods()[spec.index].name;
  spec.claims = methods()[spec.index].claims;
  spec.space = methods()[spec.index].space;
  for (std::size_t at = first; at < name.size();) {
    const std::size_t next = std::min(name.find_first_of(marks, at + 1), name.size());
    const std::string_view text = name.substr(at, next - at);
    const Suffix suffix = suffix::parse(text);
    spec.claims = suffix::add(suffix, spec.claims, spec.name, text);
    spec.suffixes.push_back(suffix);
    spec.name += text;
    at = next;
  }
  return spec;
}

}  // namespace polhode
