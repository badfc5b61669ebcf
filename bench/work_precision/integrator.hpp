// What is compared: integrators, ours and others', that take a body from a start to the end of a case.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "clock.hpp"
#include "equations.hpp"
#include "polhode/model/setup.hpp"

namespace polhode::bench {

// A problem, how long it lasts, and from where. The first start is the problem's own; the others are at random.
struct Case {
  std::string name, about;
  Setup setup;
  double duration = 0;             // [s]
  const Idling* idling = nullptr;  // where a torque is expensive
  std::vector<Setup> starts;
  std::vector<Rotation<long double>> ends;  // where they lead
  double turned = 0;                        // [rad], about
  bool contenders_only = false;             // of ours, without those that are there for comparison
  bool with_kernels = false;                // rows of the kernels as well as of the names
};

struct Outcome {
  Rotation<double> attitude;
  long long evaluations = 0;  // of the torque; of the right-hand side where there is none
  bool finished = true;
};

// One method on one case. What is freely chosen is a number of equal steps, or a tolerance.
class Integrator {
 public:
  virtual ~Integrator() = default;
  // From which start, and how finely; not timed.
  virtual void choose(std::size_t start, double setting) = 0;
  // The integration from the start to the end, without output. This is timed.
  virtual void integrate() = 0;
  // What came out.
  virtual Outcome outcome() const = 0;
};

inline double seconds_of(Integrator& integrator, long runs) {
  const double begin = processor_seconds();
  for (long i = 0; i < runs; ++i) integrator.integrate();
  return processor_seconds() - begin;
}

enum class Side { peer, registry, kernel };
enum class Freedom { steps, tolerance, none };  // none: exact, one step

struct Candidate {
  std::string name;
  Side side;
  Freedom freedom;
  std::unique_ptr<Integrator> integrator;
};

// Those that take the case.
using Candidates = std::vector<Candidate>;
void add_odeint(const Case& subject, const AnyEquations& equations, Candidates& list);
void add_sundials(const Case& subject, const AnyEquations& equations, Candidates& list);
void add_gsl(const Case& subject, const AnyEquations& equations, Candidates& list);
void add_ours(const Case& subject, Candidates& list);
// All of them: other libraries' first, as far as they are installed.
Candidates candidates_for(const Case& subject, const AnyEquations& equations);
// One of ours by its name.
std::unique_ptr<Integrator> own_by_name(const Case& subject, const std::string& method);
std::vector<std::string> missing_methods();  // that are to be compared, and are not in the catalogue

// Where a start is in R^7.
Seven seven_of(const Setup& start);

// A first step that nobody need be proud of, from which an adaptive solver finds its own.
inline double first_step(const Case& subject) { return 0.01 * subject.duration / subject.turned; }

// Steps after which an adaptive solver is given up, and evaluations: some try one step for ever.
inline long most_steps(const Case& subject) { return 1000 + static_cast<long>(200 * subject.turned); }

inline long most_evaluations(const Case& subject) { return 16 * most_steps(subject); }

// What peers share: the equations, the point they start from and the one they reach.
template <class System>
class Peer : public Integrator {
 public:
  Peer(const Case& subject, const System& system) : system_(system), duration_(subject.duration) {
    for (const Setup& start : subject.starts) starts_.push_back(seven_of(start));
  }
  void choose(std::size_t start, double setting) override {
    begin_ = starts_[start];
    setting_ = setting;
  }
  void integrate() final {
    x_ = begin_;
    system_.evaluations = 0;
    finished_ = solve();
  }
  Outcome outcome() const override {
    const Rotation<double> q{x_[0], {x_[1], x_[2], x_[3]}};
    const bool is_rotation = std::abs(squared_norm(q) - 1) < 0.5;  // or the attitude is nothing but noise
    return {normalised(q), system_.evaluations, finished_ && is_rotation};
  }

 protected:
  virtual bool solve() = 0;  // takes x_ from time 0 to the duration; false when it gives up

  System system_;
  double duration_, setting_ = 0;
  Seven x_{};

 private:
  std::vector<Seven> starts_;
  Seven begin_{};
  bool finished_ = true;
};

}  // namespace polhode::bench
