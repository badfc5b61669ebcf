#include "methods/suffixes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "polhode/core/hints.hpp"

namespace polhode {

namespace {
// What is written before the number of steps: "+energy/" of "+energy/k".
std::string_view stem(std::string_view name) { return name.substr(0, name.size() - 1); }
}  // namespace

const std::vector<SuffixInfo>& suffixes() {
  static const std::vector<SuffixInfo> all = std::apply(
      [](auto... entry) {
        return std::vector<SuffixInfo>{{entry.name, entry.about, entry.stages, entry.takes_count, entry.tried_by_auto,
                                        entry.torque_evaluations, entry.chooses_steps}...};
      },
      suffix::List{});
  return all;
}

std::string written(const SuffixInfo& suffix, int every) {
  return suffix.takes_count ? fmt::format("{}{}", stem(suffix.name), every) : std::string(suffix.name);
}

std::string with_energy(std::string_view method, int every) {
  return fmt::format("{}{}{}", method, stem(suffix::EnergyNowAndThen::name), every);
}

std::string about(const Suffix& suffix) {
  std::string words;
  suffix::visit(suffix.index, [&](auto entry) { words = entry.on_page(suffix.every); });
  return words;
}

namespace suffix {

namespace {

int count_in(std::string_view text, std::string_view before) {
  const std::string_view digits = text.substr(before.size());
  int every = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), every);
  if (error == std::errc{} && end == digits.data() + digits.size() && every >= 1) return every;
  throw MethodError(fmt::format("'{}' needs a whole number of steps >= 1 after the slash, e.g. {}10", text, before));
}

std::string all_names() {
  std::string list;
  const auto& all = suffixes();
  for (std::size_t i = 0; i < all.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 < all.size() ? ", " : " and ", all[i].name);
  return list;
}

}  // namespace

Suffix parse(std::string_view text) {
  const auto& all = suffixes();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].takes_count && text.starts_with(stem(all[i].name))) return {i, count_in(text, stem(all[i].name))};
    if (!all[i].takes_count && text == all[i].name) return {i};
    names.emplace_back(all[i].name);
  }
  const std::string near = nearest_name(text, names);
  throw MethodError(
      fmt::format("no suffix named '{}'; {}", text, near.empty() ? "there are " + all_names() : "nearest: " + near));
}

Claims add(const Suffix& suffix, const Claims& claims, std::string_view method, std::string_view text) {
  if (claims.order_attitude == exact_order)
    throw MethodError(fmt::format("{} is exact: there is no error for '{}' to reduce", method, text));
  if (claims.chooses_steps)
    throw MethodError(
        fmt::format("the suffix by which {} chooses its steps stands last, and '{}' cannot follow it", method, text));
  Claims all = claims;
  visit(suffix.index, [&](auto entry) {
    if (const std::string refusal = entry.refusal(claims, method, text); !refusal.empty()) throw MethodError(refusal);
    all = entry.claims(claims, suffix.every);
  });
  return all;
}

std::string refusal_to_compose(const Claims& claims, int made_for_order, std::string_view method,
                               std::string_view text) {
  if (!claims.symmetric)
    return fmt::format("'{}' raises the order of time-symmetric methods only, and {} is not one", text, method);
  if (!claims.composes)
    return fmt::format(
        "'{}' takes steps of several lengths in turn, and does not raise the order of {}, because of what that begins "
        "with or remembers from step to step; it works on one-step methods, e.g. mclachlan-reich{}",
        text, method, text);
  if (made_for_order != 0 && claims.order_attitude != made_for_order)
    return fmt::format("'{}' is made for methods of order {}, and {} has order {}", text, made_for_order, method,
                       claims.order_attitude);
  return "";
}

std::string refusal_to_adapt(const Claims& claims, std::string_view method, std::string_view text) {
  if (!claims.symmetric)
    return fmt::format(
        "'{}' is for time-symmetric methods, whose symmetry it keeps, and {} is not one; 'polhode methods' lists them, "
        "e.g. lie-verlet{}",
        text, method, text);
  if (!claims.variable_steps) return fmt::format("{} needs equal steps, and '{}' changes them", method, text);
  if (!claims.composes)
    return fmt::format(
        "'{}' changes the step, which {} cannot take, because of what that begins with or remembers from step to step; "
        "it works on one-step methods, e.g. lie-verlet{}",
        text, method, text);
  return "";
}

Claims adapted(const Claims& base, StepRule rule, int torque_evaluations) {
  Claims claims = base;
  claims.chooses_steps = true;
  claims.composes = claims.batch = claims.symplectic = false;
  claims.symmetric = rule != StepRule::at_beginning;
  // Symmetry bounds the energy of a motion that is its own mirror image in time, as that of a free body is, and of others
  // only by chance.
  if (claims.energy != Keeps::exact) claims.energy = Keeps::no;
  if (claims.energy_free == Keeps::bounded && !claims.symmetric) claims.energy_free = Keeps::no;
  claims.torque_evaluations += torque_evaluations;
  return claims;
}

std::string Energy::refusal(const Claims& base, std::string_view method, std::string_view text) {
  if (base.space == Space::sphere)
    return fmt::format(
        "'{}' turns the body at fixed momentum, and {} moves a direction, to which the momentum must stay at right "
        "angles",
        text, method);
  if (base.gains_momentum)
    return fmt::format(
        "{} gains energy and momentum without end, and no turn of the body takes energy back without momentum; '{}' is "
        "for methods that keep the momentum, e.g. taylor-1{}",
        method, text, text);
  if (base.dissipative)
    return fmt::format(
        "{} loses energy and momentum on purpose, and no turn of the body brings energy back without momentum; '{}' is "
        "for methods that mean to keep it, e.g. newmark{}",
        method, text, text);
  return "";
}

Claims Energy::claims(const Claims& base, int every) {
  Claims claims = base;
  claims.symmetric = claims.symplectic = false;
  claims.energy_free = claims.energy = every == 1 ? Keeps::exact : Keeps::bounded;
  // Without a potential the energy is balanced by the trapezoidal rule, where the method does not know the work.
  if (!claims.knows_work) {
    const Orders orders = orders_with_velocity(claims);
    claims.order_with_velocity = {std::min(orders.attitude, 2), std::min(orders.momentum, 2)};
  }
  return claims;
}

std::string Energy::on_page(int every) {
  return every == 1 ? std::string(about) : fmt::format("{}; here after one step in {}", about, every);
}

}  // namespace suffix

}  // namespace polhode
