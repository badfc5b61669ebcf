// Boost.odeint: the classical method at equal steps, and three adaptive ones.
#include <boost/numeric/odeint.hpp>
#include <functional>
#include <type_traits>

#include "integrator.hpp"

namespace polhode::bench {
namespace {

namespace odeint = boost::numeric::odeint;

template <class System>
class Classical final : public Peer<System> {
 public:
  using Peer<System>::Peer;

 private:
  bool solve() override {
    const auto steps = static_cast<long long>(this->setting_);
    const double h = this->duration_ / static_cast<double>(steps);
    // As copies that the compiler can keep in registers.
    Seven x = this->x_;
    odeint::runge_kutta4<Seven> stepper;
    for (long long i = 0; i < steps; ++i) stepper.do_step(std::cref(this->system_), x, static_cast<double>(i) * h, h);
    this->x_ = x;
    return true;
  }
};

// Any stepper that is made from a tolerance.
template <class System, class Make>
class Adaptive final : public Peer<System> {
 public:
  Adaptive(const Case& subject, const System& system, Make make)
      : Peer<System>(subject, system),
        make_(make),
        pristine_(make(1e-3)),
        first_step_(first_step(subject)),
        most_tries_(most_steps(subject)) {}
  void choose(std::size_t start, double tolerance) override {
    Peer<System>::choose(start, tolerance);
    pristine_ = make_(tolerance);
  }

 private:
  bool solve() override {
    auto stepper = pristine_;
    double t = 0, h = first_step_;
    for (long tries = 0; t < this->duration_; ++tries) {
      if (tries == most_tries_ || !(h > 1e-13 * this->duration_)) return false;
      const double rest = this->duration_ - t;
      const bool last = h >= rest;
      if (last) h = rest;
      if (stepper.try_step(std::cref(this->system_), this->x_, t, h) == odeint::success && last) return true;
    }
    return true;
  }

  Make make_;
  std::invoke_result_t<Make, double> pristine_;
  double first_step_;
  long most_tries_;
};

}  // namespace

void add_odeint(const Case& subject, const AnyEquations& equations, Candidates& list) {
  std::visit(
      [&]<class System>(const System& system) {
        list.push_back(
            {"odeint runge_kutta4", Side::peer, Freedom::steps, std::make_unique<Classical<System>>(subject, system)});
        const auto add = [&](const char* name, auto make) {
          list.push_back({name, Side::peer, Freedom::tolerance,
                          std::make_unique<Adaptive<System, decltype(make)>>(subject, system, make)});
        };
        add("odeint dopri5", [](double tolerance) {
          return odeint::make_controlled<odeint::runge_kutta_dopri5<Seven>>(tolerance, tolerance);
        });
        add("odeint rkf78", [](double tolerance) {
          return odeint::make_controlled<odeint::runge_kutta_fehlberg78<Seven>>(tolerance, tolerance);
        });
        add("odeint bulirsch_stoer",
            [](double tolerance) { return odeint::bulirsch_stoer<Seven>(tolerance, tolerance); });
      },
      equations);
}

}  // namespace polhode::bench
