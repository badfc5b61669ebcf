// Polhode's own methods in two ways: by name, as the program and the bindings run them, and the kernel with the
// field known to the compiler, as in a simulator that includes the headers.
#include <algorithm>
#include <array>
#include <string_view>

#include "integrator.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode::bench {
namespace {

// What is worth comparing: the best of each family, and those that simulators use. Names that this version does not have
// are passed over.
constexpr std::array names{"free-exact",
                           "picard-lobatto-8",
                           "picard-lobatto-8+energy/4",
                           "picard-lobatto-16",
                           "picard-lobatto-16+energy/4",
                           "picard-lobatto-8 to a tolerance",
                           "picard-lobatto-16 to a tolerance",
                           "taylor-adaptive to a tolerance",
                           "rotor-verlet",
                           "rotor-force-gradient-4",
                           "rotor-srkn6b",
                           "rotor-srkn11b",
                           "rotor-srkn14a",
                           "rotor-extrapolated-4",
                           "rotor-extrapolated-6",
                           "rotor-extrapolated-8",
                           "rotor-extrapolated-10",
                           "rotor-extrapolated-12",
                           "rotor-extrapolated-14",
                           "rotor-adams-6",
                           "rotor-adams-8",
                           "rotor-adams-10",
                           "taylor-12",
                           "mclachlan-reich-231@kahan-li-8",
                           "taylor-4",
                           "taylor-8",
                           "mclachlan-reich-231",
                           "mclachlan-reich-4-231",
                           "mclachlan-reich-231@kahan-li-6",
                           "moser-veselov-6",
                           "moser-veselov-full-8",
                           "moser-veselov-full-10",
                           "rkmk-4",
                           "commutator-free-4",
                           "magnus-4",
                           "magnus-6",
                           "fer-4",
                           "lie-verlet",
                           "no-squish"};
constexpr std::size_t contenders = 24;  // the first of them, which --summary leaves it at

// In line with a known field gains most where a step is short, or asks for many torques at once.
constexpr bool has_kernel_row(std::string_view name) {
  return name.starts_with("picard-lobatto-") || name.starts_with("rotor-");
}

class Own : public Integrator {
 public:
  explicit Own(const Case& subject) : duration_(subject.duration) {
    for (const Setup& start : subject.starts) prepared_.push_back(prepare<double>(start));
  }

 protected:
  const Prepared<double>& from(std::size_t start) const { return prepared_[start]; }
  void choose_steps(std::size_t start, double steps) {
    start_ = start;
    steps_ = static_cast<long long>(steps);
    h_ = from(start).time_in(duration_) / steps;
  }
  Rotation<double> in_user_axes(const State<double>& s) const { return from(start_).in_user_units(s).R_SB; }

  std::size_t start_ = 0;
  long long steps_ = 1;
  double h_ = 0;

 private:
  double duration_;
  std::vector<Prepared<double>> prepared_;
};

constexpr std::string_view to_tolerance = " to a tolerance";

class ByName final : public Own {
 public:
  ByName(const Case& subject, const MethodSpec& method, bool adapts)
      : Own(subject), idling_(subject.idling), adapts_(adapts) {
    // Each start has its own system: units are chosen by the data.
    for (std::size_t i = 0; i < subject.starts.size(); ++i) {
      const FieldSum<double>& field = from(i).field;
      steppers_.push_back(make_stepper<double>(method, from(i).body, idling_ == nullptr ? field : watched(field)));
    }
    if (idling_ == nullptr && !from(0).field.empty() && method.claims.needs == Needs::values)
      counting_ = make_stepper<double>(method, from(0).body, watched(from(0).field));
  }
  void choose(std::size_t start, double setting) override {
    choose_steps(start, adapts_ ? 1 : setting);
    setting_ = setting;
  }
  void integrate() override { run(*steppers_[start_]); }

  // The torque is counted where it is called. Where that would slow it down, in a run of its own.
  Outcome outcome() const override {
    const Stepper<double>& stepper = *steppers_[start_];
    const Rotation<double> attitude = in_user_axes(stepper.state);
    const bool finished = stepper.work.converged && all_finite(stepper.state);
    if (counting_ != nullptr && (start_ == 0 || adapts_) &&
        (counted_setting_ != setting_ || counted_start_ != start_)) {
      run(*counting_);
      counted_setting_ = setting_;
      counted_start_ = start_;
      counted_calls_ = calls_;
    }
    return {attitude, idling_ != nullptr ? calls_ : counted_calls_, finished};
  }

 private:
  // The same field as a callback of which nothing is known but its values.
  FieldSum<double> watched(const FieldSum<double>& field) {
    Callback<double> callback;
    callback.torque_B = [this, field](const Rotation<double>& R_SB, const Vec3<double>& w_B, const double& t) {
      return field.torque(asked_for(R_SB), w_B, t);
    };
    callback.velocity_dependent = field.depends_on_velocity();
    // A potential costs what its torque does.
    if (field.conserves_energy())
      callback.potential_V = [this, field](const Rotation<double>& R_SB) { return field.potential(asked_for(R_SB)); };
    return FieldSum<double>({callback});
  }

  // Counts, and lets an expensive torque wait for its attitude.
  Rotation<double> asked_for(const Rotation<double>& R_SB) const {
    ++calls_;
    return idling_ == nullptr ? R_SB : Rotation<double>{idling_->until_known(R_SB.w), R_SB.v};
  }

  void run(Stepper<double>& stepper) const {
    const State<double>& begin = from(start_).start;
    calls_ = 0;
    if (adapts_) stepper.set_tolerance(setting_);
    stepper.start(begin, h_);
    for (long long n = 1; n <= steps_; ++n) {
      stepper.step(h_);
      stepper.state.t = begin.t + static_cast<double>(n) * h_;
    }
  }

  const Idling* idling_;
  bool adapts_;
  double setting_ = 0;  // steps, or the tolerance
  std::vector<std::unique_ptr<Stepper<double>>> steppers_;
  std::unique_ptr<Stepper<double>> counting_;
  mutable long long calls_ = 0, counted_calls_ = 0;
  mutable double counted_setting_ = 0;
  mutable std::size_t counted_start_ = 0;
};

template <class M>
class Kernel final : public Own {
 public:
  explicit Kernel(const Case& subject) : Own(subject), system_(system_at(0)) {}
  void choose(std::size_t start, double steps) override {
    choose_steps(start, steps);
    system_ = system_at(start);
  }
  void integrate() override {
    const State<double>& begin = from(start_).start;
    const System<double, HeavyTop<double>> system = system_;
    Work work;
    State<double> s = begin;
    auto memory = polhode::start<M>(system, s, h_, work);
    for (long long n = 1; n <= steps_; ++n) {
      s = advance<M>(system, s, memory, h_, work);
      s.t = begin.t + static_cast<double>(n) * h_;
    }
    end_ = s;
    work_ = work;
  }
  Outcome outcome() const override {
    return {in_user_axes(end_), 0, work_.converged && all_finite(end_)};  // the row of the name tells the evaluations
  }

 private:
  System<double, HeavyTop<double>> system_at(std::size_t start) const {
    return {from(start).body, std::get<HeavyTop<double>>(from(start).field.terms().front())};
  }

  System<double, HeavyTop<double>> system_;
  State<double> end_;
  Work work_;
};

std::string_view method_in(std::string_view name) {
  return name.ends_with(to_tolerance) ? name.substr(0, name.size() - to_tolerance.size()) : name;
}

bool has_exact(const Candidates& list) {
  return std::any_of(list.begin(), list.end(), [](const Candidate& c) { return c.freedom == Freedom::none; });
}

void add_kernels(const Case& subject, Candidates& list) {
  if (!subject.with_kernels) return;
  const auto& torques = subject.setup.torques;
  if (torques.size() != 1 || !std::holds_alternative<HeavyTop<double>>(torques.front())) return;
  Catalogue::for_each([&](auto entry) {
    using Entry = decltype(entry);
    if constexpr (has_kernel_row(Entry::name)) {
      list.push_back({std::string(Entry::name), Side::kernel, Freedom::steps,
                      std::make_unique<Kernel<typename Entry::Method>>(subject)});
    }
  });
}

}  // namespace

void add_ours(const Case& subject, Candidates& list) {
  const bool is_free = subject.setup.torques.empty();
  for (std::size_t i = 0; i < (subject.contenders_only ? contenders : names.size()); ++i) {
    const std::string_view name = names[i];
    try {
      const MethodSpec method = parse_method(method_in(name));
      const bool adapts = name.ends_with(to_tolerance);
      const bool exact = orders_of(method.claims, is_free).attitude == exact_order && !adapts;
      if (exact && has_exact(list)) continue;  // with no torque to split off, free-exact under another name
      list.push_back({std::string(name), Side::registry,
                      adapts  ? Freedom::tolerance
                      : exact ? Freedom::none
                              : Freedom::steps,
                      std::make_unique<ByName>(subject, method, adapts)});
    } catch (const MethodError&) {
    }  // not in the catalogue, or not for this torque
  }
  add_kernels(subject, list);
}

std::unique_ptr<Integrator> own_by_name(const Case& subject, const std::string& method) {
  return std::make_unique<ByName>(subject, parse_method(method), false);
}

std::vector<std::string> missing_methods() {
  std::vector<std::string> missing;
  for (const std::string_view name : names) {
    try {
      parse_method(method_in(name));
    } catch (const MethodError&) {
      missing.emplace_back(name);
    }
  }
  return missing;
}

}  // namespace polhode::bench
