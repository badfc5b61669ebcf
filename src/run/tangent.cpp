// Steps on numbers that carry derivatives, six directions at a time.
#include "run/tangent.hpp"

#include <algorithm>
#include <cmath>

#include "methods/make_stepper.hpp"
#include "polhode/core/jet.hpp"
#include "run/monodromy.hpp"
#include "run/seeds.hpp"

namespace polhode {
namespace {

Rotation<double> value_of_all(const Rotation<Jet>& q) { return cast<double>(q); }
Vec3<double> value_of_all(const Vec3<Jet>& v) { return cast<double>(v); }
State<double> value_of_all(const State<Jet>& s) { return {value_of_all(s.R_SB), value_of_all(s.pi_B), s.t.value}; }

// R changes to R exp(theta).
Vec3<double> turn_in(const Rotation<Jet>& R, std::size_t direction) {
  const Rotation<double> change{R.w.d[direction], {R.v.x.d[direction], R.v.y.d[direction], R.v.z.d[direction]}};
  return 2.0 * (inverse(value_of_all(R)) * change).v;
}
Vec3<double> change_in(const Vec3<Jet>& v, std::size_t direction) {
  return {v.x.d[direction], v.y.d[direction], v.z.d[direction]};
}
std::array<double, 3> as_array(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

void for_each_number(State<Jet>& s, const auto& function) {
  for (Jet* x : {&s.R_SB.w, &s.R_SB.v.x, &s.R_SB.v.y, &s.R_SB.v.z, &s.pi_B.x, &s.pi_B.y, &s.pi_B.z}) function(*x);
}

// One run in up to six directions.
struct Chunk {
  Prepared<Jet> prepared;
  std::vector<DifferentiableNumber> by;
  std::unique_ptr<Stepper<Jet>> stepper{};
  State<Jet> kept{};

  Chunk(Prepared<Jet> prepared_, std::vector<DifferentiableNumber> by_, const MethodSpec& method)
      : prepared(std::move(prepared_)),
        by(std::move(by_)),
        stepper(make_stepper<Jet>(method, prepared.body, prepared.field)) {}
  Chunk(const Chunk& other)
      : prepared(other.prepared), by(other.by), stepper(other.stepper->clone()), kept(other.kept) {}
  Chunk(Chunk&&) = default;
  Chunk& operator=(const Chunk&) = delete;
};

class TangentIn final : public TangentStepper {
 public:
  TangentIn(const Setup& setup, const MethodSpec& method, const TangentRequest& request)
      : of_state_(request.of_state()) {
    if (of_state_) {
      chunks_.emplace_back(detail::prepare_with(SeededNumbers{}, setup), std::vector<DifferentiableNumber>{}, method);
      seed_state(chunks_.front().prepared);
    }
    const std::vector<SeedPlace> all = seed_places(setup);
    for (std::size_t first = 0; first < request.names.size(); first += Slopes::count) {
      SeededNumbers numbers;
      std::vector<DifferentiableNumber> by;
      for (std::size_t i = first; i < std::min(first + Slopes::count, request.names.size()); ++i) {
        const auto place = std::find_if(all.begin(), all.end(),
                                        [&](const SeedPlace& one) { return one.number.name == request.names[i]; });
        numbers.seed(*place, i - first);
        by.push_back(place->number);
      }
      chunks_.emplace_back(detail::prepare_with(numbers, setup), std::move(by), method);
    }
  }

  void set_tolerance(const double& tolerance) override {
    for (Chunk& chunk : chunks_) chunk.stepper->set_tolerance(Jet(tolerance));
  }
  // At the start of the situation with its own derivatives; elsewhere with those that there are.
  void start(const State<double>& s, const double& h) override {
    for (Chunk& chunk : chunks_) {
      const bool at_start = chunk.prepared.start.t.value == s.t;
      chunk.stepper->start(with_values(at_start ? chunk.prepared.start : chunk.stepper->state, s), Jet(h));
      if (at_start) log_scale_ = 0;
    }
    show();
    remember_states();
  }
  void step(const double& h) override {
    for (Chunk& chunk : chunks_) {
      chunk.stepper->state.t.value = state.t;
      chunk.stepper->step(Jet(h));
    }
    h_ = h;
    show();
  }
  void parts(const double& h, std::vector<double>& lengths) const override {
    std::vector<Jet> own;
    chunks_.front().stepper->parts(Jet(h), own);
    lengths.clear();
    for (const Jet& length : own) lengths.push_back(length.value);
  }
  void step_into(const double& h, std::size_t part, const double& way, bool anew) override {
    for (Chunk& chunk : chunks_) {
      Stepper<Jet>& stepper = *chunk.stepper;
      stepper.state.t.value = state.t;
      // Where a part begins may depend on what is differentiated by; the time that is asked for does not.
      Jet own_way(way);
      if (part > 0) {
        std::vector<Jet> lengths;
        stepper.parts(Jet(h), lengths);
        for (std::size_t i = 0; i < part; ++i) own_way.d = own_way.d - lengths[i].d;
      }
      stepper.step_into(Jet(h), part, own_way, anew);
    }
    show();
  }
  MotionRates<double> rates() const override {
    const MotionRates<Jet> all = chunks_.front().stepper->rates();
    return {value_of_all(all.w_B), value_of_all(all.torque_S)};
  }
  void reverse() override {
    for (Chunk& chunk : chunks_) chunk.stepper->reverse();
  }
  void turn(const Rotation<double>& C) override {
    for (Chunk& chunk : chunks_) chunk.stepper->turn(cast<Jet>(C));
    show();
  }
  Vec3<double> momentum_S() const override { return value_of_all(chunks_.front().stepper->momentum_S()); }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<TangentIn>(*this); }
  void copy_from(const Stepper<double>& other) override {
    const auto& from = static_cast<const TangentIn&>(other);
    state = from.state;
    work = from.work;
    log_scale_ = from.log_scale_;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      chunks_[i].stepper->copy_from(*from.chunks_[i].stepper);
      chunks_[i].kept = from.chunks_[i].kept;
    }
  }
  void transfer(Archive& archive) override {
    Stepper<double>::transfer(archive);
    archive(log_scale_);
    for (Chunk& chunk : chunks_) {
      chunk.stepper->transfer(archive);
      archive(chunk.kept);
    }
  }

  void remember() override {
    remember_states();
    constexpr double large = 1e100;
    if (!of_state_ || ++since_look_ % 32 != 0 || !(size() > large)) return;
    const double factor = 1 / size();
    log_scale_ -= std::log(factor);
    Chunk& chunk = chunks_.front();
    for_each_number(chunk.kept, [&](Jet& x) { x.d = factor * x.d; });
    chunk.stepper->start(chunk.kept, Jet(h_));
  }

  void append(std::vector<Sensitivity>& to) const override {
    for (const Chunk& chunk : chunks_) {
      const State<Jet> s = chunk.prepared.in_user_units(chunk.kept);
      const Body<Jet>& body = chunk.prepared.body;
      const Vec3<Jet> w = body.principal_axes * body.velocity(chunk.kept.pi_B, chunk.kept.t), L = spatial_momentum(s);
      for (std::size_t i = 0; i < chunk.by.size(); ++i) {
        const Vec3<double> dw = std::ldexp(1.0, -chunk.prepared.units.time_exponent) * change_in(w, i);
        to.push_back({chunk.by[i], as_array(turn_in(s.R_SB, i)), as_array(dw), as_array(change_in(L, i))});
      }
    }
  }

  Monodromy monodromy() const override {
    const Prepared<Jet>& prepared = chunks_.front().prepared;
    const State<double> start = value_of_all(prepared.in_user_units(prepared.start)),
                        end = value_of_all(prepared.in_user_units(chunks_.front().kept));
    Monodromy made =
        monodromy_of(scaled_matrix(), start, end, std::ldexp(momentum_scale_, prepared.units.momentum_exponent()));
    for (auto& row : made.matrix)
      for (double& entry : row) entry *= std::exp(log_scale_);
    return made;
  }

  double growth() const override { return log_scale_ + std::log(size() / std::sqrt(6.0)); }

 private:
  static State<Jet> with_values(State<Jet> to, const State<double>& values) {
    to.R_SB.w.value = values.R_SB.w;
    for (std::size_t i = 0; i < 3; ++i) {
      to.R_SB.v[i].value = values.R_SB.v[i];
      to.pi_B[i].value = values.pi_B[i];
    }
    to.t.value = values.t;
    return to;
  }

  // Three directions are turns in the user's body axes, and three are changes of the momentum in them, by a part of a size
  // that goes with the motion.
  void seed_state(Prepared<Jet>& prepared) {
    const Rotation<Jet>& R_UB = prepared.body.principal_axes;
    const double momentum = norm(value_of_all(prepared.start.pi_B));
    momentum_scale_ = momentum > 0 ? momentum : norm(value_of_all(prepared.body.inertia));
    Vec3<Jet> turn, change;
    for (std::size_t i = 0; i < 3; ++i) {
      turn[i] = Jet::variable(0, i);
      change[i] = Jet(momentum_scale_) * Jet::variable(0, 3 + i);
    }
    prepared.start.R_SB = prepared.start.R_SB * exp(inverse(R_UB) * turn);
    prepared.start.pi_B += inverse(R_UB) * change;
  }

  // In the user's body axes, momenta in parts of their scale.
  Monodromy::Matrix scaled_matrix() const {
    const Chunk& chunk = chunks_.front();
    const Rotation<Jet>& R_UB = chunk.prepared.body.principal_axes;
    const Rotation<Jet> R_SU = chunk.kept.R_SB * inverse(R_UB);
    const Vec3<Jet> pi_U = R_UB * chunk.kept.pi_B;
    Monodromy::Matrix matrix{};
    for (std::size_t k = 0; k < 6; ++k) {
      const Vec3<double> turn = turn_in(R_SU, k), change = change_in(pi_U, k) / momentum_scale_;
      for (std::size_t i = 0; i < 3; ++i) {
        matrix[i][k] = turn[i];
        matrix[3 + i][k] = change[i];
      }
    }
    return matrix;
  }
  double size() const {
    double sum = 0;
    for (const auto& row : scaled_matrix())
      for (const double entry : row) sum += entry * entry;
    return std::sqrt(sum);
  }

  void remember_states() {
    for (Chunk& chunk : chunks_) {
      chunk.kept = chunk.stepper->state;
      chunk.kept.t.value = state.t;
    }
  }
  // The motion is the same in all chunks; the first is shown.
  void show() {
    state = value_of_all(chunks_.front().stepper->state);
    work = chunks_.front().stepper->work;
  }

  bool of_state_;
  double momentum_scale_ = 1, log_scale_ = 0, h_ = 0;
  long since_look_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace

std::unique_ptr<TangentStepper> make_tangent_stepper(const Setup& setup, const MethodSpec& method,
                                                     const TangentRequest& request) {
  return std::make_unique<TangentIn>(setup, method, request);
}

bool has_tangent_kernel(std::size_t method) {
  bool has = false;
  std::size_t i = 0;
  Catalogue::for_each([&](auto entry) {
    if (i++ == method) has = has_tangent<typename decltype(entry)::Method>;
  });
  return has;
}

std::vector<std::string_view> methods_with_tangents() {
  std::vector<std::string_view> names;
  Catalogue::for_each([&](auto entry) {
    if (has_tangent<typename decltype(entry)::Method>) names.push_back(decltype(entry)::name);
  });
  return names;
}

}  // namespace polhode
