#include "polhode/problems/reference.hpp"

#include <charconv>

#include "methods/series_torque.hpp"
#include "polhode/core/quad.hpp"
#include "problems/kept_motion_in.hpp"
#include "problems/reference_in.hpp"

namespace polhode {

POLHODE_SERIES_TORQUES(extern, long double);

// The reader has looked at every number.
template <>
long double detail::decimal(const std::string& digits) {
  long double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

template State<long double> propagated<long double>(const Setup&, const long double&);
template State<long double> propagated(const Setup&, const State<long double>&, const long double&);
template std::optional<Reference<long double>> closed_form_at<long double>(const Setup&, const long double&);
template std::optional<State<long double>> exact_at(const Problem&, const long double&);
template std::optional<Reference<long double>> cached_reference_at(const Problem&, const long double&);
template std::optional<Reference<long double>> reference_at<long double>(const Problem&, const long double&);
template std::unique_ptr<KeptMotion<long double>> make_kept_motion<long double>(const Setup&);

}  // namespace polhode
