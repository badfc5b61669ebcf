// Fields of torque: every listed kind against its own potential, fields from callables, and sums, on values and on
// power series. Which of them a method may use is decided by concepts and flags: both are checked in both directions.
#include "polhode/model/any_field.hpp"

#include <type_traits>
#include <vector>

#include "generators.hpp"
#include "polhode/core/dual.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/model/weight_on_axis.hpp"

namespace polhode::field_test {
namespace {

using random::eps;
using R = Rotation<double>;
using V = Vec3<double>;
using D = Dual<double, 3>;
using S = Series<double, 4>;

// One polynomial at all times of these tests, from -5 to 5.01.
TorqueTable<double> random_table() {
  DataTable data{{{"t", {-9.07, -6.02, 6.04, 8.03}}, {"x", {}}, {"y", {}}, {"z", {}}}};
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t k = 0; k < 4; ++k) data.columns[i].values.push_back(*random::real(-2, 2));
  const auto way = static_cast<Interpolation>(*random::real(0, 2.999));
  return TorqueTable<double>::of(data, *random::real(-1, 1) > 0 ? TorqueFrame::body : TorqueFrame::spatial, way);
}

ExpressionTorque<double> random_expression() {
  ExpressionTorque<double> field;
  field.potential_energy = "a*sin(b + Rxy)*exp(c*Rzz) + d*cos(t)*tanh(Ryx*Rxz) + a*sqrt(2 + Ryy)/(3 + Rzx)";
  for (const char* name : {"a", "b", "c", "d"}) field.constants[name] = *random::real(-1, 1);
  return field.in_si_units();
}

// A field of any kind with every key drawn at random: unit vectors for directions, everyday sizes for the rest, and a
// body with three different moments where the field asks for one. What a scenario refuses (an orbit whose radius is not
// in its plane) still has a torque that belongs to its potential. A pulse lasts longer than any time of these tests.
template <class Field>
Field random_field() {
  Field field;
  const auto draw = [](auto& member, Quantity quantity) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, V>) {
      member = is_direction(quantity) ? *random::direction() : *random::vector(2.0);
    } else if constexpr (std::is_same_v<Member, Mat3<double>>) {
      for (auto& row : member)
        for (double& x : row) x = *random::real(-1, 1);
    } else if constexpr (std::is_same_v<Member, double>) {
      member = quantity == Quantity::rate                                   ? *random::real(0.1, 1)
               : quantity == Quantity::time                                 ? *random::real(6, 7)
               : quantity == Quantity::mass || quantity == Quantity::length ? *random::real(0.5, 2)
                                                                            : *random::real(-2, 2);
    }
  };
  const auto draw_key = [&](const auto& key) {
    auto& member = field.*key.member;
    if constexpr (is_optional<std::decay_t<decltype(member)>>) {
      if (*random::real(-1, 1) > 0) draw(member.emplace(), key.quantity);
    } else {
      draw(member, key.quantity);
    }
  };
  std::apply([&](const auto&... key) { (draw_key(key), ...); }, Field::keys());
  if constexpr (std::is_same_v<Field, TorqueTable<double>>) field = random_table();
  if constexpr (std::is_same_v<Field, ExpressionTorque<double>>) field = random_expression();
  if constexpr (requires { field.until; }) field.from = -field.from;
  if constexpr (requires { field.inertia; }) field.inertia = V{1.5, 1.5, 1.5} + *random::vector(1.0);
  return field;
}

// f is called with a random field of every kind of the list.
template <class Function>
void for_every_kind(Function f) {
  [&]<class... Kinds>(std::type_identity<std::tuple<Kinds...>>) {
    (f(random_field<Kinds>()), ...);
  }(std::type_identity<FieldKinds<double>>{});
}

// How fast the torque changes with the attitude, whose rounding it multiplies: 1 for everyday fields. Infinite where
// there is none, which is taken to begin at a distance at which the power series of the test still converge fast.
template <class Field>
double steepness(const Field&, const R&) {
  return 1;
}
double steepness(const Coulomb<double>& field, const R& q) {
  const double r = 1.1 + (q * field.axis_body).z;
  return 1 + std::abs(field.sign * field.strength) * (2 * std::pow(r, -3) + 0.11 * std::pow(r, -12));
}
double steepness(const StressTest<double>& field, const R& q) {
  const double d = chordal_distance(R{}, q), d_well = chordal_distance(exp(field.well), q);
  if (d < 0.2 || d_well < 0.2) return std::numeric_limits<double>::infinity();
  return 1 + 8 * std::abs(field.strength) * (1 / d + std::abs(field.alpha) * std::pow(d_well, -3));
}

double steepness(const TwoMasses<double>& field, const R& q) {
  const double whole = field.mass_1 + field.mass_2;
  double sum = norm(field.length * (field.mass_2 / whole * field.force_1 - field.mass_1 / whole * field.force_2));
  for (const auto& [mass, arm] : {std::pair(field.mass_1, field.length * field.mass_2 / whole),
                                  std::pair(field.mass_2, -field.length * field.mass_1 / whole)}) {
    const double r = norm(arm * (q * field.axis_body) - field.centre);
    if (r < 0.4) return std::numeric_limits<double>::infinity();
    sum += std::abs(field.attraction * mass * arm) * norm(field.centre) * std::pow(r, -3) * (1 + 3 / r);
  }
  return 1 + sum;
}

double steepness(const Magnetic<double>& field, const R&) {
  const double largest = std::abs(field.equatorial_field.value_or(0)) * 4 + norm(field.field_spatial.value_or(V{}));
  return 1 + norm(field.dipole_body) * largest;
}
// Its polynomials are sums of larger numbers.
double steepness(const TorqueTable<double>&, const R&) { return 50; }

// R exp(d) at d = 0, with the three derivatives by d.
Rotation<D> nearby(const R& q) {
  return cast<D>(q) * exp(Vec3<D>{D::variable(0, 0), D::variable(0, 1), D::variable(0, 2)});
}

V gradient(const D& x) { return {x.d[0], x.d[1], x.d[2]}; }

RC_GTEST_PROP(EveryField, TorqueIsMinusTheGradientOfThePotential, ()) {
  const R q = *random::rotation();
  const double t = *random::real(-5, 5);
  for_every_kind([&](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    RC_LOG() << Field::kind << '\n';
    const double scale = steepness(field, q);
    if (!std::isfinite(scale)) return;
    if constexpr (Conservative<Field, double>) {
      RC_ASSERT(norm(gradient(field.potential(nearby(q))) + field.torque(q, t)) <= 64 * eps * scale);
      RC_ASSERT(field.potential(nearby(q)).value == field.potential(q));
    } else if constexpr (TimeDependentPotential<Field, double>) {
      RC_ASSERT(norm(gradient(field.potential(nearby(q), D(t))) + field.torque(q, t)) <= 64 * eps * scale);
    }
  });
}

// A torque has a potential near R if and only if the form is closed: with X_i the derivative along body axis i,
// X_i tau_j - X_j tau_i = tau_k for i, j, k cyclic. A kind without a potential must have a reason.
RC_GTEST_PROP(EveryField, HasAPotentialIfItCan, ()) {
  const R q = *random::rotation();
  for_every_kind([&](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (AttitudeTorqueField<Field, double> && !TimeDependentPotential<Field, double>) {
      const Vec3<D> tau = field.torque(nearby(q), D(0.3));
      V defect;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        defect[k] = tau[j].d[i] - tau[i].d[j] - tau[k].value;
      }
      const double size = std::abs(tau.x.value) + std::abs(tau.y.value) + std::abs(tau.z.value);
      const double scale = steepness(field, q);
      RC_LOG() << Field::kind << '\n';
      if (size > 1e-3 && std::isfinite(scale))
        RC_ASSERT((norm(defect) <= 64 * eps * scale) == (Conservative<Field, double>));
    }
  });
}

// What a field returns on a power series along a motion is the expansion of what it returns on the motion.
RC_GTEST_PROP(EveryField, SeriesAreDerivativesOfValues, ()) {
  using Long = Series<double, 8>;
  const R q = *random::rotation();
  const V x = *random::vector();
  const double t0 = *random::real(-5, 5);
  const auto motion = [&]<class T>(const T& s) { return cast<T>(q) * exp(s * cast<T>(x)); };
  for_every_kind([&](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    static_assert(SeriesField<Field, double>);
    RC_LOG() << Field::kind << '\n';
    const Long s = Long::variable(0.0);
    const Vec3<Long> tau = torque_of(field, motion(s), cast<Long>(x), Long::variable(t0));
    // The torque is of second degree in vectors that turn by |x| + 1 < 2.8 a second: what is cut off is below
    // (2 * 2.8 h)^9/9! |tau| = 2e-17 |tau|. The steep ones have poles, at times not nearer than 0.08 s.
    const double scale = steepness(field, q);
    if (!std::isfinite(scale)) return;
    const double h = scale == 1 ? 0.01 : 0.001;
    const V value = torque_of(field, motion(h), x, t0 + h);
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t n = 9; n-- > 0;) sum = tau[i].c[n] + h * sum;
      RC_ASSERT(std::abs(sum - value[i]) <= 64 * eps * scale);
    }
  });
}

// There and back are two rotations, each good to 8 spacings of the vector's length: those of the products and sums, and
// the quaternion's own distance from the unit sphere.
RC_GTEST_PROP(Fields, ConstantTorquesAreConstantInTheirFrame, ()) {
  const R q = *random::rotation();
  const V tau = *random::vector(3.0);
  RC_ASSERT(norm(q * ConstantSpatial<double>{tau}.torque(q, 1.5) - tau) <= 16 * eps * norm(tau));
  RC_ASSERT(ConstantBody<double>{tau}.torque(q, 1.5) == tau);
  RC_ASSERT((ConstantSpatial<double>{tau}.torque(R{}, 0.0)) == tau);
  RC_ASSERT(Free{}.torque(q, 1.5) == V{} && Free{}.potential(q) == 0);
}

// Gravity pulls the centre of mass down: an upright top tilted about x is pushed on about x; the weight acts at the
// arm.
RC_GTEST_PROP(Fields, HeavyTopIsAWeightOnAnArm, ()) {
  const R q = *random::rotation();
  const HeavyTop<double> top = random_field<HeavyTop<double>>();
  const V arm_S = q * top.axis_body, torque_S = q * top.torque(q, 0.0);
  RC_ASSERT(norm(torque_S - cross(arm_S, -top.weight_times_arm * top.up_spatial)) <= 32 * eps);
  RC_ASSERT((HeavyTop<double>{2.0}.torque(exp(V{0.1, 0, 0}), 0.0).x > 0));
}

// Callables: generic ones can be run on series, those of one type cannot; arguments say what the torque depends on.
const auto spring = [](const auto& q, const auto& t) { return sin(3.0 * t) * q.v; };
const auto drag = [](const auto&, const auto& w, const auto&) { return -0.5 * w; };
const auto values = [](const R& q, const double& t) -> V { return t * q.v; };
const auto value_drag = [](const R&, const V& w, const double&) -> V { return -0.5 * w; };
template <class Function>
using From = Callable<std::decay_t<Function>>;

static_assert(AttitudeTorqueField<From<decltype(spring)>, double> && SeriesField<From<decltype(spring)>, double>);
static_assert(!VelocityTorqueField<From<decltype(spring)>, double> && !Conservative<From<decltype(spring)>, double>);
static_assert(VelocityTorqueField<From<decltype(drag)>, double> && SeriesField<From<decltype(drag)>, double>);
static_assert(!AttitudeTorqueField<From<decltype(drag)>, double>);
static_assert(AttitudeTorqueField<From<decltype(values)>, double> && !SeriesField<From<decltype(values)>, double>);
static_assert(VelocityTorqueField<From<decltype(value_drag)>, double>);
static_assert(!SeriesField<From<decltype(value_drag)>, double> && !TorqueField<From<decltype(values)>, D>);
static_assert(!TorqueField<int, double> && !SeriesField<decltype(values_only<double>(spring)), double>);
static_assert(Conservative<Free, double> && is_free<Free> && !is_free<HeavyTop<double>>);
static_assert(TorqueField<decltype(values_only<double>(drag)), double>);

TEST(CallableField, TimeDependentLambdaOnSeries) {
  const auto field = field_from(spring);
  const double t0 = 0.4;
  const R q = exp(V{0.3, -0.2, 0.9});
  const Vec3<S> tau = field.torque(cast<S>(q), S::variable(t0));
  const double sine = std::sin(3 * t0), cosine = std::cos(3 * t0);
  const double expansion[] = {sine, 3 * cosine, -9 * sine / 2, -27 * cosine / 6, 81 * sine / 24};
  for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(tau.y.c[n], expansion[n] * q.v.y, 8 * eps) << n;
  EXPECT_EQ(field.torque(q, t0), std::sin(3 * t0) * q.v);
  EXPECT_EQ(values_only<double>(spring).torque(q, t0), field.torque(q, t0));
  EXPECT_FALSE(depends_on_velocity<double>(field));
  EXPECT_TRUE(offers_series<double>(field));
  EXPECT_FALSE(offers_series<double>(field_from(values)));
  EXPECT_TRUE(depends_on_velocity<double>(field_from(drag)));
  EXPECT_EQ(torque_of(field_from(drag), q, V{2, 4, 6}, t0), (V{-1, -2, -3}));
  EXPECT_EQ(torque_of(field_from(value_drag), q, V{2, 4, 6}, t0), (V{-1, -2, -3}));
}

// Sums at compile time: torques add up; what the sum offers is what all terms offer.
using Two = Sum<HeavyTop<double>, HeavyTop<double>>;
using WithThruster = Sum<HeavyTop<double>, ConstantBody<double>>;
using WithDrag = Sum<HeavyTop<double>, From<decltype(drag)>>;
using WithValues = Sum<HeavyTop<double>, From<decltype(values)>>;
static_assert(Conservative<Two, double> && SeriesField<Two, double>);
static_assert(AttitudeTorqueField<WithThruster, double> && !Conservative<WithThruster, double>);
static_assert(!AttitudeTorqueField<WithDrag, double> && VelocityTorqueField<WithDrag, double>);
static_assert(SeriesField<WithDrag, double> && !Conservative<WithDrag, double>);
static_assert(AttitudeTorqueField<WithValues, double> && !SeriesField<WithValues, double>);

RC_GTEST_PROP(SumOfFields, AddsUp, ()) {
  const R q = *random::rotation();
  const V w = *random::vector();
  const auto a = random_field<HeavyTop<double>>(), b = random_field<HeavyTop<double>>();
  RC_ASSERT(norm(Two(a, b).torque(q, 0.5) - (a.torque(q, 0.5) + b.torque(q, 0.5))) == 0);
  RC_ASSERT(Two(a, b).potential(q) == a.potential(q) + b.potential(q));
  RC_ASSERT(norm(WithDrag(a, field_from(drag)).torque(q, w, 0.5) - (a.torque(q, 0.5) - 0.5 * w)) <= 4 * eps);
}

// The same sum put together at run time, on values and on series.
RC_GTEST_PROP(FieldSum, EqualsTheSumOfTypes, ()) {
  const R q = *random::rotation();
  const V w = *random::vector();
  const auto top = random_field<HeavyTop<double>>();
  const auto spatial = random_field<ConstantSpatial<double>>();
  const auto body = random_field<ConstantBody<double>>();
  const FieldSum<double> listed({top, spatial, body});
  const Sum typed(top, spatial, body);
  RC_ASSERT(norm(listed.torque(q, w, 0.5) - typed.torque(q, 0.5)) <= 8 * eps);
  RC_ASSERT(listed.potential(q) == top.potential(q));
  RC_ASSERT((FieldSum<double>({top, top}).potential(q)) == 2 * top.potential(q));

  const S s = S::variable(0.0);
  const Rotation<S> along = cast<S>(q) * exp(Vec3<S>{w.x * s, w.y * s, w.z * s});
  const Vec3<S> a = listed.torque(along, cast<S>(w), s), b = typed.torque(along, s);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t n = 0; n < 5; ++n) RC_ASSERT(std::abs(a[i].c[n] - b[i].c[n]) <= 64 * eps);
}

// What a callback takes tells what it may depend on; only its author can know better.
TEST(Callback, DependsOnTheVelocityThatItTakes) {
  Callback<double> callback;
  callback.torque_B = [](const R& q, const V& w, const double& t) { return t * q.v - w; };
  EXPECT_TRUE(callback.depends_on_velocity());
  EXPECT_EQ(callback.torque(exp(V{}), {1, 2, 3}, 1), (V{-1, -2, -3}));
  callback.velocity_dependent = false;
  EXPECT_FALSE(callback.depends_on_velocity());
  Callback<double> still;
  still.torque_B = [](const R& q, const double& t) { return t * q.v; };
  EXPECT_FALSE(still.depends_on_velocity());
  EXPECT_EQ(still.torque({0.6, {0, 0.8, 0}}, {1, 2, 3}, 2), (V{0, 1.6, 0}));
  still.velocity_dependent = true;
  EXPECT_TRUE(still.depends_on_velocity());
  still.torque_B = [](const auto& q, const auto& w, const auto&) { return cross(w, q.v); };
  still.velocity_dependent.reset();
  EXPECT_TRUE(Callback<double>(still).depends_on_velocity()) << "a copy knows it too";
}

// A field that says it weighs on an axis does nothing else: methods take its three numbers for all of it.
RC_GTEST_PROP(Field, WeighsOnAnAxisIfItSaysSo, ()) {
  const R q = *random::rotation();
  int found = 0;
  for_every_kind([&](const auto& field) {
    if constexpr (WeightOnAxis<std::decay_t<decltype(field)>, double>) {
      const V pull = field.weight_times_arm * cross(inverse(q) * field.up_spatial, field.axis_body);
      RC_ASSERT(norm(field.torque(q, 0.3) - pull) <= 64 * eps);
      ++found;
    }
  });
  RC_ASSERT(found > 0);
}
static_assert(WeightOnAxis<HeavyTop<double>, double>);
static_assert(!WeightOnAxis<UniformField<double>, double> && !WeightOnAxis<Free, double>);

TEST(FieldSum, OfOneWeightIsThatWeight) {
  using Terms = std::vector<FieldSum<double>::Term>;
  const auto taken_for_weight = [](const Terms& terms) {
    return with_weight_or_sum<double>(
        FieldSum<double>(terms), [](const auto& field) { return WeightOnAxis<std::decay_t<decltype(field)>, double>; });
  };
  EXPECT_TRUE(taken_for_weight({HeavyTop<double>{}}));
  EXPECT_FALSE(taken_for_weight({}));
  EXPECT_FALSE(taken_for_weight({HeavyTop<double>{}, HeavyTop<double>{}}));
  EXPECT_FALSE(taken_for_weight({ConstantBody<double>{}}));
}

// The key that a field has something to say of, empty where all is well.
template <class Field>
std::string_view refused_key(const Field& field) {
  std::string_view refused;
  field.check([&](std::string_view key, const auto&...) { refused = key; });
  return refused;
}

TEST(Field, ChecksItself) {
  EXPECT_EQ(refused_key(HeavyTop<double>{-1}), "");
  EXPECT_EQ(refused_key(ConstantSpatial<double>{}), "");
  EXPECT_EQ(refused_key(ConstantBody<double>{}), "");
  EXPECT_EQ(refused_key(GravityGradient<double>{}), "");
  EXPECT_EQ(refused_key(GravityGradient<double>{0}), "mean_motion");
  EXPECT_EQ(refused_key(GravityGradient<double>{1, {1e200, 0, 0}, {1e200, 1e200, 0}}), "radius_spatial");
  EXPECT_EQ(refused_key(GravityGradient<double>{1, {1e200, 0, 0}, {0, 1e200, 1e200}}), "") << "squares overflow";
  EXPECT_EQ(refused_key(Coulomb<double>{-1}), "");
  EXPECT_EQ(refused_key(Coulomb<double>{2}), "sign");
  EXPECT_EQ(refused_key(Coulomb<double>{1, -1}), "strength");
  EXPECT_EQ(refused_key(StressTest<double>{}), "");
  EXPECT_EQ(refused_key(StressTest<double>{0, {}, 0}), "strength");
  EXPECT_EQ(refused_key(UniformField<double>{}), "");
  EXPECT_EQ(refused_key(UniformField<double>{{}, {}, {0, 0, 1}, 2}), "");
  EXPECT_EQ(refused_key(UniformField<double>{{}, {}, {0, 0, 1}, 0}), "angular_frequency");
  EXPECT_EQ(refused_key(TwoMasses<double>{}), "");
  EXPECT_EQ(refused_key(TwoMasses<double>{0, 1, 1}), "mass_1");
  EXPECT_EQ(refused_key(TwoMasses<double>{1, -1, 1}), "mass_2");
  EXPECT_EQ(refused_key(TwoMasses<double>{1, 1, 0}), "length");
  EXPECT_EQ(refused_key(TwoMasses<double>{1, 1, 1, {}, {}, {}, -2, {0, 0, 3}}), "attraction");
  EXPECT_EQ(refused_key(TwoMasses<double>{1, 1, 1, {}, {}, {}, 2, {}}), "centre");
  EXPECT_EQ(refused_key(TwoMasses<double>{1, 1, 1, {}, {}, {}, 2, {0, 0, 3}}), "");
  EXPECT_EQ(refused_key(Pulse<double>{{}, 2, 2}), "");
  EXPECT_EQ(refused_key(Pulse<double>{{}, 3, 2}), "until");
}

// A field without a check of itself is not listed by mistake.
struct Unchecked : HeavyTop<double> {
 private:
  using HeavyTop<double>::check;
};
static_assert(DescribedField<HeavyTop<double>, double> && !DescribedField<Unchecked, double>);
static_assert(!DescribedField<Free, double>, "a torque alone describes nothing");

TEST(FieldSum, SaysWhatItOffers) {
  using Terms = std::vector<FieldSum<double>::Term>;
  const auto torque = [](const R& q, const V&, const double& t) { return t * q.v; };
  const auto potential = [](const R& q) { return q.w; };
  const Callback<double> plain{torque, {}, false}, conservative{torque, potential, false};
  const Callback<double> braking{torque, {}, true}, both{torque, potential, true};
  struct Case {
    const char* name;
    Terms terms;
    bool series, velocity, energy;
  };
  UniformField<double> oscillating;
  oscillating.oscillation = {0, 0, 1};
  oscillating.angular_frequency = 2;
  const Case cases[] = {{"nothing", {}, true, false, true},
                        {"two tops", Terms{HeavyTop<double>{}, HeavyTop<double>{}}, true, false, true},
                        {"spatial", Terms{HeavyTop<double>{}, ConstantSpatial<double>{}}, true, false, false},
                        {"body", Terms{ConstantBody<double>{}, HeavyTop<double>{}}, true, false, false},
                        {"orbit", Terms{HeavyTop<double>{}, GravityGradient<double>{}}, true, false, false},
                        {"wells", Terms{Coulomb<double>{}, StressTest<double>{}}, true, false, true},
                        {"uniform field", Terms{UniformField<double>{{1, 2, 3}}}, true, false, true},
                        {"oscillating field", Terms{oscillating}, true, false, false},
                        {"pulse", Terms{HeavyTop<double>{}, Pulse<double>{}}, true, false, false},
                        {"callback", Terms{HeavyTop<double>{}, plain}, false, false, false},
                        {"conservative callback", Terms{HeavyTop<double>{}, conservative}, false, false, true},
                        {"brake", Terms{braking, HeavyTop<double>{}}, false, true, false},
                        {"brake with potential", Terms{both}, false, true, false}};
  for (const Case& c : cases) {
    const FieldSum<double> sum(c.terms);
    EXPECT_EQ(offers_series<double>(sum), c.series) << c.name;
    EXPECT_EQ(depends_on_velocity<double>(sum), c.velocity) << c.name;
    EXPECT_EQ(conserves_energy<double>(sum), c.energy) << c.name;
    EXPECT_EQ(sum.empty(), c.terms.empty()) << c.name;
  }
  const R q = exp(V{0.1, 0.2, 0.3});
  const FieldSum<double> sum({conservative, HeavyTop<double>{}});
  EXPECT_EQ(sum.torque(q, V{}, 2.0), 2.0 * q.v + HeavyTop<double>{}.torque(q, 2.0));
  EXPECT_EQ(sum.potential(q), q.w + HeavyTop<double>{}.potential(q));
  EXPECT_EQ(FieldSum<double>{}.torque(q, V{}, 2.0), V{});
  GravityGradient<double> orbit;
  orbit.inertia = {1, 2, 2.5};
  EXPECT_EQ(FieldSum<double>({orbit, HeavyTop<double>{}}).potential(q, 2.0),
            orbit.potential(q, 2.0) + HeavyTop<double>{}.potential(q));
}

}  // namespace
}  // namespace polhode::field_test
