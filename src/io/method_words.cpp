#include "io/method_words.hpp"

namespace polhode {
namespace {

nlohmann::ordered_json json_of_order(int order) {
  return order == exact_order ? nlohmann::ordered_json("exact") : nlohmann::ordered_json(order);
}

// Null of a method that takes no such torque.
nlohmann::ordered_json with_velocity(const Claims& claims, int Orders::*order) {
  if (!takes_any_torque(claims)) return nullptr;
  return json_of_order(orders_with_velocity(claims).*order);
}

}  // namespace

std::string_view text(bool claim) { return claim ? "yes" : "no"; }

std::string_view text(Keeps keeps) {
  switch (keeps) {
    case Keeps::no: return "no";
    case Keeps::bounded: return "bounded";
    case Keeps::exact: break;
  }
  return "exact";
}

std::string_view text(Needs needs) {
  switch (needs) {
    case Needs::values: return "values";
    case Needs::series: return "series";
    case Needs::no_torque: return "no torque";
    case Needs::direction_potential: return "direction";
    case Needs::uniform_field: break;
  }
  return "uniform field";
}

std::vector<ClaimLine> claim_lines(const Claims& c) {
  return {{"order_attitude", "order of the attitude, in a field", json_of_order(c.order_attitude)},
          {"order_momentum", "order of the momentum, in a field", json_of_order(c.order_momentum)},
          {"order_attitude_free", "order of the attitude, free body", json_of_order(orders_of(c, true).attitude)},
          {"order_momentum_free", "order of the momentum, free body", json_of_order(orders_of(c, true).momentum)},
          {"order_attitude_with_velocity", "order of the attitude, torque of the angular velocity",
           with_velocity(c, &Orders::attitude)},
          {"order_momentum_with_velocity", "order of the momentum, torque of the angular velocity",
           with_velocity(c, &Orders::momentum)},
          {"symmetric", "time-symmetric", c.symmetric},
          {"symplectic", "symplectic", c.symplectic},
          {"momentum_free", "keeps the momentum of a free body", text(c.momentum_free)},
          {"momentum_along_field", "keeps the momentum along a heavy top's field", text(c.momentum_along_field)},
          {"energy_free", "keeps the energy of a free body", text(c.energy_free)},
          {"energy", "keeps the energy in a field", text(c.energy)},
          {"torque_evaluations", "torque evaluations per step", c.torque_evaluations},
          {"implicit_torque", "that number varies: the equation of a step holds the torque", c.implicit_torque},
          {"needs", "needs of the torque", text(c.needs)},
          {"variable_steps", "steps may differ from one another", c.variable_steps},
          {"multistep", "goes on from values of earlier steps", c.multistep},
          {"takes_tolerance", "takes a tolerance, and then steps of its own", c.takes_tolerance},
          {"chooses_steps", "chooses its steps, one after the other", c.chooses_steps},
          {"composes", "compositions raise its order as for one-step methods", c.composes},
          {"dissipative", "loses energy and momentum on purpose", c.dissipative},
          {"gains_momentum", "gains energy and momentum without end", c.gains_momentum},
          {"wheels", "takes a body with wheels inside", c.wheels}};
}

nlohmann::ordered_json entry_of(const MethodInfo& method, const Claims& claims) {
  nlohmann::ordered_json entry{{"name", method.name},       {"aliases", method.aliases},
                               {"family", method.family},   {"cite", method.cite},
                               {"about", method.about},     {"good_for", method.good_for},
                               {"not_for", method.not_for}, {"space", space_name(method.space)}};
  for (ClaimLine& line : claim_lines(claims)) entry[std::string(line.key)] = std::move(line.value);
  entry["batch"] = method.claims.batch;
  entry["parameters"] = nlohmann::ordered_json::array();
  for (const ParameterInfo& parameter : method.parameters)
    entry["parameters"].push_back({{"name", parameter.name},
                                   {"default", parameter.standard},
                                   {"lowest", parameter.lowest},
                                   {"highest", parameter.highest},
                                   {"meaning", parameter.meaning}});
  entry["memory"] = method.remembers;
  if (!method.plugin.empty()) entry["plugin"] = method.plugin;
  return entry;
}

}  // namespace polhode
