#include "polhode/problems/reference.hpp"
#include "studies/probe_in.hpp"

namespace polhode {

template Probed probe<quad>(const Situation&, const MethodSpec&, const ReferenceEnd&, const std::atomic<bool>*);

ReferenceEnd reference_end(const Situation& situation) {
  const double duration = situation.time_for(order_angle);
  const quad t = quad(situation.setup.time) + quad(duration);
  ReferenceEnd end{propagated<quad>(situation.setup, t), 0, 0};
  const Prepared<quad> prepared = prepare<quad>(situation.setup);
  const auto stepper = make_stepper<quad>(parse_method("picard-lobatto-16"), prepared.body, prepared.field);
  const State<quad> other =
      prepared.in_user_units(after_steps(*stepper, prepared.start, prepared.time_in(duration), 150));
  end.attitude_uncertainty = worse(0, static_cast<double>(attitude_error(other, end.state)));
  end.momentum_uncertainty = worse(0, static_cast<double>(momentum_error(other, end.state)));
  return end;
}

bool runs_in_quad(const Situation& situation, const MethodSpec& method) {
  const Prepared<quad> prepared = prepare<quad>(situation.setup);
  try {
    return make_stepper<quad>(method, prepared.body, prepared.field) != nullptr;
  } catch (const MethodError&) {
    return false;
  }
}

}  // namespace polhode
