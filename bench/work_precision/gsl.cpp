// The GNU Scientific Library: Prince and Dormand's pair of orders 8 and 9, and its Adams method.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "integrator.hpp"

namespace polhode::bench {
namespace {

template <class System>
class Gsl final : public Peer<System> {
 public:
  Gsl(const Case& subject, const System& system, const gsl_odeiv2_step_type* type)
      : Peer<System>(subject, system),
        type_(type),
        first_step_(first_step(subject)),
        most_steps_(static_cast<unsigned long>(most_steps(subject))),
        most_evaluations_(most_evaluations(subject)) {}
  ~Gsl() override { release(); }

  void choose(std::size_t start, double tolerance) override {
    Peer<System>::choose(start, tolerance);
    release();
    driver_ = gsl_odeiv2_driver_alloc_y_new(&equations_, type_, first_step_, tolerance, tolerance);
    gsl_odeiv2_driver_set_nmax(driver_, most_steps_);
  }

 private:
  static int rates(double, const double y[], double rate[], void* self) {
    const Gsl& own = *static_cast<const Gsl*>(self);
    own.system_(y, rate);
    return own.system_.evaluations < own.most_evaluations_ ? GSL_SUCCESS : GSL_EBADFUNC;
  }
  void release() {
    if (driver_ != nullptr) gsl_odeiv2_driver_free(driver_);
    driver_ = nullptr;
  }
  bool solve() override {
    gsl_odeiv2_driver_reset_hstart(driver_, first_step_);
    double t = 0;
    return gsl_odeiv2_driver_apply(driver_, &t, this->duration_, this->x_.data()) == GSL_SUCCESS &&
           t == this->duration_;
  }

  const gsl_odeiv2_step_type* type_;
  double first_step_;
  unsigned long most_steps_;
  long most_evaluations_;
  gsl_odeiv2_system equations_{rates, nullptr, 7, this};
  gsl_odeiv2_driver* driver_ = nullptr;
};

}  // namespace

void add_gsl(const Case& subject, const AnyEquations& equations, Candidates& list) {
  gsl_set_error_handler_off();  // that a tolerance is too small is a result here
  std::visit(
      [&]<class System>(const System& system) {
        const auto add = [&](const char* name, const gsl_odeiv2_step_type* type) {
          list.push_back({name, Side::peer, Freedom::tolerance, std::make_unique<Gsl<System>>(subject, system, type)});
        };
        add("GSL rk8pd", gsl_odeiv2_step_rk8pd);
        add("GSL msadams", gsl_odeiv2_step_msadams);
      },
      equations);
}

}  // namespace polhode::bench
