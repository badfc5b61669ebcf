// Derivatives on their way into a result.
#pragma once

#include <cmath>
#include <vector>

#include "polhode/run/drive.hpp"
#include "polhode/run/number.hpp"
#include "polhode/run/result.hpp"
#include "run/tangent.hpp"

namespace polhode {

// What is kept of derivatives at the times of rows.
class TangentCells {
 public:
  // `live`: the stepper of the run. `start` [s].
  TangentCells(const TangentRequest& request, TangentStepper& live, double start, double time_unit)
      : request_(request), live_(live), last_(&live), from_(&live), start_(start), time_unit_(time_unit) {}

  // The next cells are of this stepper, which stands at the time of the row; of none, of that of the run.
  void take_from(Stepper<double>* other) {
    from_ = other != nullptr ? dynamic_cast<TangentStepper*>(other) : last_;
    if (other != nullptr) from_->remember();
  }
  // An event has ended the run within a step, where this stepper stands.
  void end_at(Stepper<double>& other) {
    take_from(&other);
    last_ = from_;
  }
  void append(std::vector<Number>& cells) {
    sensitivities_.clear();
    from_->append(sensitivities_);
    for (const Sensitivity& one : sensitivities_)
      for (const auto* of : {&one.theta_B, &one.w_B, &one.L_S})
        for (const double x : *of) cells.push_back(to_number(x));
    if (request_.lyapunov) cells.push_back(to_number(exponent(*from_)));
  }

  // The last that was good, and half-way there.
  void remember() { live_.remember(); }
  void half_way() { half_ = {elapsed(live_), live_.growth()}; }
  Sensitivities result() const {
    Sensitivities all;
    from_->append(all.numbers);
    if (request_.monodromy) all.monodromy = from_->monodromy();
    if (!request_.lyapunov) return all;
    all.lyapunov = Lyapunov{exponent(*from_), {}};
    if (half_ && elapsed(*from_) > half_->time)
      all.lyapunov->second_half = (from_->growth() - half_->growth) / (elapsed(*from_) - half_->time);
    return all;
  }

 private:
  struct Grown {
    double time, growth;
  };
  double elapsed(const TangentStepper& at) const { return std::abs(at.state.t * time_unit_ - start_); }
  double exponent(const TangentStepper& at) const { return elapsed(at) > 0 ? at.growth() / elapsed(at) : 0; }

  TangentRequest request_;
  TangentStepper& live_;
  TangentStepper *last_, *from_;
  double start_, time_unit_;
  std::optional<Grown> half_;
  std::vector<Sensitivity> sensitivities_;
};

// After every step that is good.
template <class T>
class TangentWatch : public Observer<T> {
 public:
  TangentWatch(TangentCells& cells, const StepTimes<T>& times) : cells_(cells), times_(times) {}

  bool after_step(Stepper<T>&, const T&) {
    cells_.remember();
    if (times_.taken() == times_.count() / 2) cells_.half_way();
    return true;
  }

 private:
  TangentCells& cells_;
  const StepTimes<T>& times_;
};

}  // namespace polhode
