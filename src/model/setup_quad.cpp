#include <Eigen/Core>

#include "polhode/core/quad.hpp"

// Boost 1.74's own traits for Eigen lack infinity and quiet_NaN, which Eigen 3.4 asks for; the generic ones have them.
template <>
struct Eigen::NumTraits<polhode::quad> : Eigen::GenericNumTraits<polhode::quad> {
  enum { RequireInitialization = 1, ReadCost = 2, AddCost = 8, MulCost = 16 };
  static polhode::quad dummy_precision() { return 1000 * std::numeric_limits<polhode::quad>::epsilon(); }
};

#include "model/prepare.hpp"

namespace polhode {
template Prepared<quad> prepare(const Setup&);
template struct Prepared<quad>;
}  // namespace polhode
