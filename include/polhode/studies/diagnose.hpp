// What a method claims against what it does in one situation, on one screen: orders, time symmetry, symplecticity, momentum
// and energy, drift, cost. The measurements are those of the tests (measure/claims.hpp), at steps that follow from how fast
// the body turns.
//
// Short measurements are made in quad, where a method has it: what is left of an exact symmetry is then 1e-25 or less, and
// no defect of a formula is that small. "In the field" is the situation as it is given, "free" the same body from the same
// start without torques. Drift and the energy of long runs are measured in double, as runs are made.
//
//   orders      slopes of errors after a turn of six radians, at more and more steps until they have settled, and the
//               error at eight times as many steps lies on the line; the reference is a Lie-Taylor series in quad, and
//               picard-lobatto-16 says how far it can be trusted
//   symmetry    ten steps and back, of a radian, or as large as can be solved
//   symplectic  the two-form after seven steps of a radian and a half
//   momentum    over 200 steps of half a radian, relative; in a field along the direction in which no torque is ever seen
//   energy      the same, relative to the largest kinetic energy; and a long run at the largest step, of up to a radian and
//               a half, at which the error stays below a hundredth
//
// One situation cannot prove a claim, and may be too kind to refute one: a method that keeps more here than it claims is
// said to do so, and that is no disagreement.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/measure/asymptotic_order.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

struct DiagnosisRequest {
  Setup setup;
  std::string title;   // of the situation
  std::string method;  // with parameters and suffixes
};

// more: keeps more here than it claims. open: cannot be decided here. no_claim: nothing is claimed of such a situation.
enum class Verdict { agrees, more, disagrees, open, no_claim };
std::string_view verdict_name(Verdict verdict);

// A line of the screen.
struct Finding {
  std::string key;                             // for scripts, e.g. "order_attitude_free"
  std::string about, claimed, measured, zero;  // for people; zero: what counts as none, where something does
  std::optional<double> value{}, uncertainty{}, bound{};
  Verdict verdict = Verdict::no_claim;
  std::string note{};  // why it is open, or what else to know
};

// Errors at several steps, from the largest to the smallest; steps in seconds.
struct ErrorCurve {
  std::string quantity;   // "attitude" or "momentum"
  std::string situation;  // "free" or "field"
  int claimed = 0;
  std::vector<BoundedError> points{};
  AsymptoticOrder order{};
};

// The energy error of the long run over the largest kinetic energy: the least and the greatest in each stretch of time.
struct EnergyCurve {
  std::string situation;
  double step = 0;  // [s]
  long long steps = 0;
  std::vector<double> time{}, least{}, greatest{};
};

struct Diagnosis {
  std::string version, title, method, about, plugin;  // plugin: the file that the method was loaded from, or none
  std::string scalar;                                 // of the short measurements
  double rate = 0;                                    // [rad/s] that the body turns at
  double reference_uncertainty = 0;                   // [rad]
  std::vector<Finding> findings{};
  std::vector<ErrorCurve> errors{};
  std::vector<EnergyCurve> energies{};
  bool interrupted = false;

  std::size_t count(Verdict verdict) const;
};

// Throws SetupError (run.method) for a method that does not exist or does not take the situation.
Diagnosis diagnose(const DiagnosisRequest& request, const StudyControl& control = {});

}  // namespace polhode
