// Steps on numbers that carry derivatives, in as many directions as are asked for: six at a time and the rest.
#include "run/tangent.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "methods/make_stepper.hpp"
#include "polhode/core/jet.hpp"
#include "run/monodromy.hpp"
#include "run/seeds.hpp"

namespace polhode {
namespace {

template <class J>
Rotation<double> value_of_all(const Rotation<J>& q) {
  return cast<double>(q);
}
template <class J>
Vec3<double> value_of_all(const Vec3<J>& v) {
  return cast<double>(v);
}
template <class J>
State<double> value_of_all(const State<J>& s) {
  return {value_of_all(s.R_SB), value_of_all(s.pi_B), s.t.value()};
}

// R changes to R exp(theta).
template <class J>
Vec3<double> turn_in(const Rotation<J>& R, std::size_t direction) {
  const Rotation<double> change{R.w.d[direction], {R.v.x.d[direction], R.v.y.d[direction], R.v.z.d[direction]}};
  return 2.0 * (inverse(value_of_all(R)) * change).v;
}
template <class J>
Vec3<double> change_in(const Vec3<J>& v, std::size_t direction) {
  return {v.x.d[direction], v.y.d[direction], v.z.d[direction]};
}
std::array<double, 3> as_array(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

template <class J>
void for_each_number(State<J>& s, const auto& function) {
  for (J* x : {&s.R_SB.w, &s.R_SB.v.x, &s.R_SB.v.y, &s.R_SB.v.z, &s.pi_B.x, &s.pi_B.y, &s.pi_B.z}) function(*x);
}

// One run in up to N directions.
template <std::size_t N>
struct Chunk {
  using Scalar = Jet<N>;

  Prepared<Scalar> prepared;
  std::vector<DifferentiableNumber> by;
  std::unique_ptr<Stepper<Scalar>> stepper{};
  State<Scalar> kept{};

  Chunk(Prepared<Scalar> prepared_, std::vector<DifferentiableNumber> by_, const MethodSpec& method)
      : prepared(std::move(prepared_)),
        by(std::move(by_)),
        stepper(make_stepper<Scalar>(method, prepared.body, prepared.field)) {}
  Chunk(const Chunk& other)
      : prepared(other.prepared), by(other.by), stepper(other.stepper->clone()), kept(other.kept) {}
  Chunk(Chunk&&) = default;
  Chunk& operator=(const Chunk&) = delete;
};

// Every width is a scalar of its own, for which methods are compiled once more.
constexpr std::size_t whole = 6;
static_assert(WithFirstDerivatives<Jet<whole>>,
              "implicit methods would look for their roots with all derivatives, for "
              "twice the time");
using AnyChunk = std::variant<Chunk<2>, Chunk<4>, Chunk<whole>>;

// Calls function(std::integral_constant) with the width for so many directions, which go beside others or alone. Beside the
// whole a half is no gain: steps of two widths in turn cost what it saves.
void with_width_for(std::size_t directions, bool alone, const auto& function) {
  if (directions <= 2) {
    function(std::integral_constant<std::size_t, 2>{});
  } else if (directions <= 4 && alone) {
    function(std::integral_constant<std::size_t, 4>{});
  } else {
    function(std::integral_constant<std::size_t, whole>{});
  }
}

class TangentIn final : public TangentStepper {
 public:
  TangentIn(const Setup& setup, const MethodSpec& method, const TangentRequest& request)
      : of_state_(request.of_state()) {
    if (of_state_) {
      add_chunk(detail::prepare_with(SeededNumbers<whole>{}, setup), {}, method);
      seed_state(flow().prepared);
    }
    const std::vector<SeedPlace> all = seed_places(setup);
    const std::span<const std::string> names = request.names;
    for (std::size_t first = 0; first < names.size(); first += whole)
      add_numbers(setup, method, all, names.subspan(first, std::min(whole, names.size() - first)));
  }

  void set_tolerance(const double& tolerance) override {
    for_each_chunk([&](auto& chunk) { chunk.stepper->set_tolerance(tolerance); });
  }
  // At the start of the situation with its own derivatives; elsewhere with those that there are.
  void start(const State<double>& s, const double& h) override {
    for_each_chunk([&](auto& chunk) {
      const bool at_start = chunk.prepared.start.t.value() == s.t;
      chunk.stepper->start(with_values(at_start ? chunk.prepared.start : chunk.stepper->state, s), h);
      if (at_start) log_scale_ = 0;
    });
    show();
    remember_states();
  }
  void step(const double& h) override {
    for_each_chunk([&](auto& chunk) {
      chunk.stepper->state.t.set_value(state.t);
      chunk.stepper->step(h);
    });
    h_ = h;
    show();
  }
  void parts(const double& h, std::vector<double>& lengths) const override {
    lengths.clear();
    with_first([&](const auto& chunk) {
      for (const auto& length : parts_of(chunk, h)) lengths.push_back(length.value());
    });
  }
  void step_into(const double& h, std::size_t part, const double& way, bool anew) override {
    for_each_chunk([&]<std::size_t N>(Chunk<N>& chunk) {
      chunk.stepper->state.t.set_value(state.t);
      // Where a part begins may depend on what is differentiated by; the time that is asked for does not.
      Jet<N> own_way(way);
      if (part > 0) {
        const auto lengths = parts_of(chunk, h);
        for (std::size_t i = 0; i < part; ++i) own_way.d = own_way.d - lengths[i].d;
      }
      chunk.stepper->step_into(h, part, own_way, anew);
    });
    show();
  }
  MotionRates<double> rates() const override {
    return with_first([](const auto& chunk) -> MotionRates<double> {
      const auto all = chunk.stepper->rates();
      return {value_of_all(all.w_B), value_of_all(all.torque_S)};
    });
  }
  void reverse() override {
    for_each_chunk([](auto& chunk) { chunk.stepper->reverse(); });
  }
  void turn(const Rotation<double>& C) override {
    for_each_chunk([&]<std::size_t N>(Chunk<N>& chunk) { chunk.stepper->turn(cast<Jet<N>>(C)); });
    show();
  }
  Vec3<double> momentum_S() const override {
    return with_first([](const auto& chunk) { return value_of_all(chunk.stepper->momentum_S()); });
  }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<TangentIn>(*this); }
  void copy_from(const Stepper<double>& other) override {
    const auto& from = static_cast<const TangentIn&>(other);
    state = from.state;
    work = from.work;
    log_scale_ = from.log_scale_;
    auto other_chunk = from.chunks_.begin();
    for_each_chunk([&]<std::size_t N>(Chunk<N>& chunk) {
      const auto& same = std::get<Chunk<N>>(*other_chunk++);
      chunk.stepper->copy_from(*same.stepper);
      chunk.kept = same.kept;
    });
  }
  void transfer(Archive& archive) override {
    Stepper<double>::transfer(archive);
    archive(log_scale_);
    for_each_chunk([&](auto& chunk) {
      chunk.stepper->transfer(archive);
      archive(chunk.kept);
    });
  }

  bool in_range() const override {
    bool all = true;
    for_each_chunk([&]<std::size_t N>(const Chunk<N>& chunk) {
      const State<Jet<N>>& s = chunk.stepper->state;
      Slopes<N> sum = s.R_SB.w.d;  // as large as the largest, but for some digits
      for (const Vec3<Jet<N>>* v : {&s.R_SB.v, &s.pi_B}) sum = sum + v->x.d + v->y.d + v->z.d;
      for (std::size_t i = 0; i < N; ++i) all = all && std::abs(sum[i]) < largest;
    });
    return all;
  }

  void remember() override {
    remember_states();
    constexpr double large = 1e100;
    if (!of_state_ || ++since_look_ % 32 != 0 || !(size() > large)) return;
    const double factor = 1 / size();
    log_scale_ -= std::log(factor);
    for_each_number(flow().kept, [&](auto& x) { x.d = factor * x.d; });
    flow().stepper->start(flow().kept, h_);
  }

  void append(std::vector<Sensitivity>& to) const override {
    for_each_chunk([&](const auto& chunk) {
      const auto s = chunk.prepared.in_user_units(chunk.kept);
      const auto& body = chunk.prepared.body;
      const auto w = body.principal_axes * body.velocity(chunk.kept.pi_B, chunk.kept.t), L = spatial_momentum(s);
      for (std::size_t i = 0; i < chunk.by.size(); ++i) {
        const Vec3<double> dw = std::ldexp(1.0, -chunk.prepared.units.time_exponent) * change_in(w, i);
        to.push_back({chunk.by[i], as_array(turn_in(s.R_SB, i)), as_array(dw), as_array(change_in(L, i))});
      }
    });
  }

  Monodromy monodromy() const override {
    const Prepared<Jet<whole>>& prepared = flow().prepared;
    const State<double> start = value_of_all(prepared.in_user_units(prepared.start)),
                        end = value_of_all(prepared.in_user_units(flow().kept));
    Monodromy made =
        monodromy_of(scaled_matrix(), start, end, std::ldexp(momentum_scale_, prepared.units.momentum_exponent()));
    for (auto& row : made.matrix)
      for (double& entry : row) entry *= std::exp(log_scale_);
    return made;
  }

  double growth() const override { return of_state_ ? log_scale_ + std::log(size() / std::sqrt(6.0)) : 0; }

 private:
  template <std::size_t N>
  void add_chunk(Prepared<Jet<N>> prepared, std::vector<DifferentiableNumber> by, const MethodSpec& method) {
    chunks_.emplace_back(std::in_place_type<Chunk<N>>, std::move(prepared), std::move(by), method);
  }
  void add_numbers(const Setup& setup, const MethodSpec& method, const std::vector<SeedPlace>& all,
                   std::span<const std::string> names) {
    with_width_for(names.size(), chunks_.empty(), [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      SeededNumbers<N> numbers;
      std::vector<DifferentiableNumber> by;
      for (const std::string& name : names) {
        const auto place =
            std::find_if(all.begin(), all.end(), [&](const SeedPlace& one) { return one.number.name == name; });
        numbers.seed(*place, by.size());
        by.push_back(place->number);
      }
      add_chunk<N>(detail::prepare_with(numbers, setup), std::move(by), method);
    });
  }

  void for_each_chunk(const auto& function) {
    for (AnyChunk& chunk : chunks_) std::visit(function, chunk);
  }
  void for_each_chunk(const auto& function) const {
    for (const AnyChunk& chunk : chunks_) std::visit(function, chunk);
  }
  // The motion is the same in all chunks.
  auto with_first(const auto& function) const -> decltype(std::visit(function, std::declval<const AnyChunk&>())) {
    return std::visit(function, chunks_.front());
  }
  // The one that is differentiated by the state.
  Chunk<whole>& flow() { return std::get<Chunk<whole>>(chunks_.front()); }
  const Chunk<whole>& flow() const { return std::get<Chunk<whole>>(chunks_.front()); }
  template <std::size_t N>
  static std::vector<Jet<N>> parts_of(const Chunk<N>& chunk, double h) {
    std::vector<Jet<N>> lengths;
    chunk.stepper->parts(h, lengths);
    return lengths;
  }

  template <class J>
  static State<J> with_values(State<J> to, const State<double>& values) {
    to.R_SB.w.set_value(values.R_SB.w);
    for (std::size_t i = 0; i < 3; ++i) {
      to.R_SB.v[i].set_value(values.R_SB.v[i]);
      to.pi_B[i].set_value(values.pi_B[i]);
    }
    to.t.set_value(values.t);
    return to;
  }

  // Three directions are turns in the user's body axes, and three are changes of the momentum in them, by a part of a size
  // that goes with the motion.
  void seed_state(Prepared<Jet<whole>>& prepared) {
    const Rotation<Jet<whole>>& R_UB = prepared.body.principal_axes;
    const double momentum = norm(value_of_all(prepared.start.pi_B));
    momentum_scale_ = momentum > 0 ? momentum : norm(value_of_all(prepared.body.inertia));
    Vec3<Jet<whole>> turn, change;
    for (std::size_t i = 0; i < 3; ++i) {
      turn[i] = Jet<whole>::variable(0, i);
      change[i] = Jet<whole>(momentum_scale_) * Jet<whole>::variable(0, 3 + i);
    }
    prepared.start.R_SB = prepared.start.R_SB * exp(inverse(R_UB) * turn);
    prepared.start.pi_B += inverse(R_UB) * change;
  }

  // In the user's body axes, momenta in parts of their scale.
  Monodromy::Matrix scaled_matrix() const {
    const Rotation<Jet<whole>>& R_UB = flow().prepared.body.principal_axes;
    const Rotation<Jet<whole>> R_SU = flow().kept.R_SB * inverse(R_UB);
    const Vec3<Jet<whole>> pi_U = R_UB * flow().kept.pi_B;
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
    for_each_chunk([&](auto& chunk) {
      chunk.kept = chunk.stepper->state;
      chunk.kept.t.set_value(state.t);
    });
  }
  void show() {
    with_first([this](const auto& chunk) {
      state = value_of_all(chunk.stepper->state);
      work = chunk.stepper->work;
    });
  }

  bool of_state_;
  double momentum_scale_ = 1, log_scale_ = 0, h_ = 0;
  long since_look_ = 0;
  std::vector<AnyChunk> chunks_;
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
