#include "methods/series_torque.hpp"
#include "polhode/core/quad.hpp"
#include "problems/kept_motion_in.hpp"
#include "problems/reference_in.hpp"

namespace polhode {

POLHODE_SERIES_TORQUES(extern, quad);

template <>
quad detail::decimal(const std::string& digits) {
  return quad(digits);
}

template State<quad> propagated<quad>(const Setup&, const quad&);
template State<quad> propagated(const Setup&, const State<quad>&, const quad&);
template std::optional<Reference<quad>> closed_form_at<quad>(const Setup&, const quad&);
template std::optional<State<quad>> exact_at(const Problem&, const quad&);
template std::optional<Reference<quad>> cached_reference_at(const Problem&, const quad&);
template std::optional<Reference<quad>> reference_at<quad>(const Problem&, const quad&);
template std::unique_ptr<KeptMotion<quad>> make_kept_motion<quad>(const Setup&);

}  // namespace polhode
