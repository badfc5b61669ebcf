// SUNDIALS: CVODE's Adams methods with fixed-point iteration, as its manual advises for problems that are not stiff, and
// ARKODE's explicit Runge-Kutta methods.
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <stdexcept>

#include "integrator.hpp"

namespace polhode::bench {
namespace {

SUNContext context() {
  static const SUNContext only = [] {
    SUNContext made = nullptr;
    if (SUNContext_Create(nullptr, &made) != 0) throw std::runtime_error("SUNDIALS makes no context");
    return made;
  }();
  return only;
}

// Kept silent: that a tolerance is too small is a result here.
void hear_nothing(int, const char*, const char*, char*, void*) {}

template <class System>
class SundialsPeer : public Peer<System> {
 public:
  SundialsPeer(const Case& subject, const System& system)
      : Peer<System>(subject, system), y_(N_VNew_Serial(7, context())) {}
  ~SundialsPeer() override { N_VDestroy(y_); }

 protected:
  static int rates(realtype, N_Vector y, N_Vector rate, void* system) {
    (*static_cast<const System*>(system))(NV_DATA_S(y), NV_DATA_S(rate));
    return 0;
  }
  void load() { std::copy(this->x_.begin(), this->x_.end(), NV_DATA_S(y_)); }
  void unload() { std::copy_n(NV_DATA_S(y_), 7, this->x_.begin()); }

  N_Vector y_;
};

template <class System>
class Cvode final : public SundialsPeer<System> {
 public:
  Cvode(const Case& subject, const System& system)
      : SundialsPeer<System>(subject, system),
        memory_(CVodeCreate(CV_ADAMS, context())),
        iteration_(SUNNonlinSol_FixedPoint(this->y_, 0, context())) {
    this->choose(0, 1e-3);
    this->load();
    CVodeInit(memory_, this->rates, 0, this->y_);
    CVodeSStolerances(memory_, 1e-3, 1e-3);
    CVodeSetUserData(memory_, &this->system_);
    CVodeSetNonlinearSolver(memory_, iteration_);
    CVodeSetMaxNumSteps(memory_, most_steps(subject));
    CVodeSetErrHandlerFn(memory_, hear_nothing, nullptr);
  }
  ~Cvode() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(iteration_);
  }

 private:
  bool solve() override {
    this->load();
    CVodeReInit(memory_, 0, this->y_);
    CVodeSStolerances(memory_, this->setting_, this->setting_);
    CVodeSetStopTime(memory_, this->duration_);
    double t = 0;
    const bool finished = CVode(memory_, this->duration_, this->y_, &t, CV_NORMAL) >= 0 && t == this->duration_;
    this->unload();
    return finished;
  }

  void* memory_;
  SUNNonlinearSolver iteration_;
};

template <class System>
class Arkode final : public SundialsPeer<System> {
 public:
  Arkode(const Case& subject, const System& system, int order) : SundialsPeer<System>(subject, system) {
    this->load();
    memory_ = ERKStepCreate(this->rates, 0, this->y_, context());
    ERKStepSStolerances(memory_, 1e-3, 1e-3);
    ERKStepSetUserData(memory_, &this->system_);
    ERKStepSetOrder(memory_, order);
    ERKStepSetMaxNumSteps(memory_, most_steps(subject));
    ERKStepSetErrHandlerFn(memory_, hear_nothing, nullptr);
  }
  ~Arkode() override { ERKStepFree(&memory_); }

 private:
  bool solve() override {
    this->load();
    ERKStepReInit(memory_, this->rates, 0, this->y_);
    ERKStepSStolerances(memory_, this->setting_, this->setting_);
    ERKStepSetStopTime(memory_, this->duration_);
    double t = 0;
    const bool finished =
        ERKStepEvolve(memory_, this->duration_, this->y_, &t, ARK_NORMAL) >= 0 && t == this->duration_;
    this->unload();
    return finished;
  }

  void* memory_ = nullptr;
};

}  // namespace

void add_sundials(const Case& subject, const AnyEquations& equations, Candidates& list) {
  std::visit(
      [&]<class System>(const System& system) {
        list.push_back(
            {"CVODE Adams", Side::peer, Freedom::tolerance, std::make_unique<Cvode<System>>(subject, system)});
        for (const int order : {4, 5, 8}) {
          list.push_back({"ARKODE explicit " + std::to_string(order), Side::peer, Freedom::tolerance,
                          std::make_unique<Arkode<System>>(subject, system, order)});
        }
      },
      equations);
}

}  // namespace polhode::bench
