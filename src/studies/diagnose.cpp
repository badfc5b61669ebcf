#include "polhode/studies/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "polhode/core/version.hpp"
#include "studies/findings.hpp"
#include "studies/situations.hpp"

namespace polhode {
namespace {

class DiagnosisStudy {
 public:
  DiagnosisStudy(const DiagnosisRequest& request, const StudyControl& control) : control_(control) {
    try {
      method_ = parse_method(request.method);
      situations_ = situations_of(request.setup, method_);
    } catch (const MethodError& error) {
      throw SetupError("run.method", error.what());
    }
    const MethodInfo& base = methods()[method_.index];
    made_.version = version();
    made_.title = request.title;
    made_.method = method_.name;
    made_.about = base.about;
    made_.plugin = base.plugin;
    made_.rate = situations_.back().rate;
    in_quad_ = runs_in_quad(situations_.back(), method_);
    made_.scalar = scalar_name(in_quad_ ? ScalarKind::quad_ : ScalarKind::double_);
  }

  Diagnosis made() {
    std::vector<Measured> measured;
    for (const Situation& situation : situations_) {
      const char* where = situation.is_free ? "free" : "field";
      if (report(fmt::format("{}: orders and symmetries", where))) return std::move(made_);
      Measured one{&situation, claims_in(situation, method_.claims), {}, {}};
      const ReferenceEnd reference = reference_end(situation);
      made_.reference_uncertainty = std::max(made_.reference_uncertainty, reference.attitude_uncertainty);
      one.probed = in_quad_ ? probe<quad>(situation, method_, reference, control_.stop)
                            : probe<double>(situation, method_, reference, control_.stop);
      if (report(fmt::format("{}: energy", where))) return std::move(made_);
      if (situation.energy_is_kept) one.energy = long_run(situation, method_, one.curve);
      measured.push_back(std::move(one));
    }
    if (report("cost")) return std::move(made_);
    made_.findings = findings(measured, method_, cost_of(situations_.back(), method_));
    for (Measured& one : measured) {
      add_curves(one);
      if (one.energy) made_.energies.push_back(std::move(one.curve));
    }
    return std::move(made_);
  }

 private:
  // True: stop here.
  bool report(const std::string& stage) {
    const double all = 2.0 * static_cast<double>(situations_.size()) + 1;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    if (control_.progress) control_.progress({stages_++ / all, elapsed.count(), stage, made_.method, 0});
    made_.interrupted = control_.stop != nullptr && control_.stop->load();
    return made_.interrupted;
  }

  void add_curves(Measured& one) {
    const Orders claimed = orders_of(one.claims, one.situation->is_free);
    const std::string where = one.situation->is_free ? "free" : "field";
    made_.errors.push_back(
        {"attitude", where, claimed.attitude, std::move(one.probed.attitude.points), one.probed.attitude.order});
    made_.errors.push_back(
        {"momentum", where, claimed.momentum, std::move(one.probed.momentum.points), one.probed.momentum.order});
  }

  const StudyControl& control_;
  Diagnosis made_;
  MethodSpec method_;
  std::vector<Situation> situations_;
  bool in_quad_ = false;
  int stages_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::more: return "more";
    case Verdict::disagrees: return "disagrees";
    case Verdict::open: return "open";
    case Verdict::no_claim: break;
  }
  return "no claim";
}

std::size_t Diagnosis::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& line) { return line.verdict == verdict; }));
}

Diagnosis diagnose(const DiagnosisRequest& request, const StudyControl& control) {
  return DiagnosisStudy(request, control).made();
}

}  // namespace polhode
