// What studies of a problem are asked for, and how they report: convergence studies and comparisons of cost.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/run/options.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

// Any situation, where no benchmark problem has it.
struct StudySituation {
  std::string name;
  Setup setup;
  double duration = 0;  // [s], customary
};

struct StudyRequest {
  const Problem* problem = nullptr;
  std::vector<std::string> methods;  // names with suffixes; empty: the study chooses
  std::vector<double> steps;         // [s], in any order; empty: the study chooses
  // [s], negative backwards; without it that of the situation, or the problem's own as far as its built-in reference
  // reaches. Beyond that the reference is computed.
  std::optional<double> duration;
  ScalarKind scalar = ScalarKind::double_;
  std::optional<StudySituation> situation{};     // in place of the problem
  std::shared_ptr<MotionReference> reference{};  // that is kept somewhere; without one the study makes its own
};

// What every study says of itself.
struct StudySubject {
  std::string version;
  std::string problem;
  std::string reference;  // what errors are measured against, in words
  ScalarKind scalar = ScalarKind::double_;
  double duration = 0;                  // [s]
  std::optional<ReferenceUse> against;  // the reference; of the first run that was measured
};

struct StudyProgress {
  double done = 0;         // fraction of the work, estimated
  double seconds = 0;      // of wall clock so far
  std::string_view stage;  // what is being done, where there is more than one thing to do
  std::string_view method;
  double step = 0;  // [s]
};

struct StudyControl {
  std::function<void(const StudyProgress&)> progress{};      // called about ten times a second
  const std::atomic<bool>* stop = nullptr;                   // ends the study after the step under way
  std::function<void(double seconds)> announce_reference{};  // about how long one takes that has to be computed
  std::function<void(const std::string& sentence)> warn{};   // of what is kept of references
};

// Throws SetupError for methods, steps and durations that do not fit the situation, as the study itself does.
void check(const StudyRequest& request);

// "0.1, 0.05, 0.02", "0.1:0.0125" for halvings from the first to the last, or both mixed. Throws
// std::invalid_argument with a sentence.
std::vector<double> parse_step_sizes(std::string_view text);

// Six steps, each half the one before, from a round number of seconds that divides the duration, at most `largest`.
std::vector<double> customary_steps(double duration, double largest);

}  // namespace polhode
