#include "polhode/problems/motion_reference.hpp"

#include <algorithm>

#include "polhode/core/quad.hpp"
#include "problems/kept_motion.hpp"

namespace polhode {

std::string_view source_name(ReferenceSource source) {
  switch (source) {
    case ReferenceSource::closed_form: return "closed-form";
    case ReferenceSource::built_in: return "built-in";
    case ReferenceSource::computed: return "computed";
    case ReferenceSource::cache: break;
  }
  return "cache";
}

MotionReference::MotionReference(Setup setup, std::shared_ptr<ReferenceStore> store)
    : setup_(std::move(setup)), store_(std::move(store)) {}
MotionReference::~MotionReference() = default;

template <>
std::unique_ptr<KeptMotion<long double>>& MotionReference::kept() {
  return in_long_double_;
}
template <>
std::unique_ptr<KeptMotion<quad>>& MotionReference::kept() {
  return in_quad_;
}

template <class T>
Reference<T> MotionReference::in_its_scalar(const T& t, double rounding, const ReferenceControl& control) {
  if (const auto exact = closed_form_at<T>(setup_, t)) return *exact;
  const std::lock_guard lock(mutex_);
  auto& motion = kept<T>();
  if (!motion) motion = make_kept_motion<T>(setup_);
  return motion->at(t, rounding, control, store_.get());
}

template <>
Reference<quad> MotionReference::at<quad>(const quad& t, double rounding, const ReferenceControl& control) {
  return in_its_scalar<quad>(t, rounding, control);
}

template <>
Reference<long double> MotionReference::at<long double>(const long double& t, double rounding,
                                                        const ReferenceControl& control) {
  constexpr double of_no_use = 1e-6;  // [rad]
  const Reference<long double> found = in_its_scalar<long double>(t, rounding, control);
  if (found.attitude_uncertainty < of_no_use) return found;
  const Reference<quad> wider = in_its_scalar<quad>(quad(t), rounding, control);
  const double unit = static_cast<double>(epsilon<long double>());
  const double size = static_cast<double>(norm(wider.state.pi_B));
  return {cast<long double>(wider.state), std::max(wider.attitude_uncertainty, unit),
          std::max(wider.momentum_uncertainty, unit * size), wider.source};
}

}  // namespace polhode
