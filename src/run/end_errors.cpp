#include "run/end_errors.hpp"

#include <chrono>

#include "polhode/run/simulation.hpp"

namespace polhode {
namespace {

// The same number in a scalar that holds it.
template <class Wide>
Wide from_number(const Number& x) {
  return Wide(Wide(x.high) + Wide(x.low));
}

template <class T>
void measure(Result& result, const Setup& setup) {
  const auto begin = std::chrono::steady_clock::now();
  const auto number = from_number<ErrorScalar<T>>;
  const auto& q = result.end.attitude_wxyz;
  const auto& pi = result.end.angular_momentum_body;
  const State<ErrorScalar<T>> end{{number(q[0]), {number(q[1]), number(q[2]), number(q[3])}},
                                  {number(pi[0]), number(pi[1]), number(pi[2])},
                                  number(result.end.time)};
  const auto exact = closed_form_at<ErrorScalar<T>>(setup, end.t);
  if (!exact) return;
  set_errors<T>(result, end, *exact, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace

void measure_errors(Result& result, const Setup& setup) {
  if (!result.errors_left) return;
  result.errors_left = false;
  switch (result.about.scalar) {
    case ScalarKind::float_: return measure<float>(result, setup);
    case ScalarKind::double_: return measure<double>(result, setup);
    case ScalarKind::long_double_: return measure<long double>(result, setup);
    case ScalarKind::quad_: return measure<quad>(result, setup);
  }
}

}  // namespace polhode
