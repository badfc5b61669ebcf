#include "polhode/methods/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "polhode/core/hints.hpp"
#include "polhode/methods/catalogue.hpp"

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

const std::vector<SuffixInfo>& suffixes() {
  static const std::vector<SuffixInfo> all{
      {"@triple-jump", "three steps a, b, a of a symmetric method: order + 2 [Y90]"},
      {"@suzuki", "five steps a, a, b, a, a of a symmetric method: order + 2 with smaller steps [S90]"},
      {"@kahan-li-6", "nine steps of a symmetric method of order 2: order 6 [KL97]"},
      {"@kahan-li-8", "seventeen steps of a symmetric method of order 2: order 8 [KL97]"},
      {"+energy", "turn the body back onto its energy surface after every step [B01, Sec. 4]"},
      {"+energy/k", "the same after every k-th step, e.g. +energy/10"}};
  return all;
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

Suffix parse_suffix(std::string_view text) {
  if (text == "@triple-jump") return {Suffix::Kind::triple_jump};
  if (text == "@suzuki") return {Suffix::Kind::suzuki};
  if (text == "@kahan-li-6") return {Suffix::Kind::kahan_li_6};
  if (text == "@kahan-li-8") return {Suffix::Kind::kahan_li_8};
  if (text == "+energy") return {Suffix::Kind::energy};
  if (text.starts_with("+energy/")) {
    const std::string_view digits = text.substr(8);
    int every = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), every);
    if (error == std::errc{} && end == digits.data() + digits.size() && every >= 1)
      return {Suffix::Kind::energy, every};
    throw MethodError(fmt::format("'{}' needs a whole number of steps >= 1 after the slash, e.g. +energy/10", text));
  }
  std::vector<std::string> names;
  for (const SuffixInfo& suffix : suffixes()) names.emplace_back(suffix.name);
  const std::string near = nearest_name(text, names);
  throw MethodError(fmt::format("no suffix named '{}'; {}", text,
                                near.empty() ? "there are @triple-jump, @suzuki, @kahan-li-6, @kahan-li-8, +energy "
                                               "and +energy/k"
                                             : "nearest: " + near));
}

Claims with_energy(Claims claims, int every) {
  claims.symmetric = claims.symplectic = false;
  claims.energy_free = claims.energy = every == 1 ? Keeps::exact : Keeps::bounded;
  // Without a potential the energy is balanced by the trapezoidal rule, where the method does not know the work.
  if (!claims.knows_work) {
    const Orders orders = orders_with_velocity(claims);
    claims.order_with_velocity = {std::min(orders.attitude, 2), std::min(orders.momentum, 2)};
  }
  return claims;
}

Claims with_suffix(const Claims& claims, const Suffix& suffix, std::string_view before, std::string_view text) {
  if (claims.order_attitude == exact_order)
    throw MethodError(fmt::format("{} is exact: there is no error for '{}' to reduce", before, text));
  if (suffix.kind == Suffix::Kind::energy && claims.needs == Needs::uniform_field)
    throw MethodError(
        fmt::format("'{}' turns the body at fixed momentum, and {} moves a direction, to which the momentum must stay "
                    "at right angles",
                    text, before));
  if (suffix.kind == Suffix::Kind::energy && claims.dissipative)
    throw MethodError(
        fmt::format("{} loses energy and momentum on purpose, and no turn of the body brings energy back without "
                    "momentum; '{}' is for methods that mean to keep it, e.g. newmark{}",
                    before, text, text));
  if (suffix.kind == Suffix::Kind::energy) return with_energy(claims, suffix.every);
  if (!claims.symmetric)
    throw MethodError(
        fmt::format("'{}' raises the order of time-symmetric methods only, and {} is not one", text, before));
  if (!claims.composes)
    throw MethodError(
        fmt::format("'{}' takes steps of several lengths in turn, and does not raise the order of {}, because of what "
                    "that begins with or remembers from step to step; it works on one-step methods, e.g. "
                    "mclachlan-reich{}",
                    text, before, text));
  const bool needs_order_2 = suffix.kind == Suffix::Kind::kahan_li_6 || suffix.kind == Suffix::Kind::kahan_li_8;
  if (needs_order_2 && claims.order_attitude != 2)
    throw MethodError(
        fmt::format("'{}' is made for methods of order 2, and {} has order {}", text, before, claims.order_attitude));
  switch (suffix.kind) {
    case Suffix::Kind::triple_jump: return composed(claims, 2, 3);
    case Suffix::Kind::suzuki: return composed(claims, 2, 5);
    case Suffix::Kind::kahan_li_6: return composed(claims, 4, 9);
    default: return composed(claims, 6, 17);
  }
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
    const Suffix suffix = parse_suffix(text);
    spec.claims = with_suffix(spec.claims, suffix, spec.name, text);
    spec.suffixes.push_back(suffix);
    spec.name += text;
    at = next;
  }
  return spec;
}

}  // namespace polhode
