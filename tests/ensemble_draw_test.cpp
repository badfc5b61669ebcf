// Bodies drawn from distributions: against numpy's generator, against theory, and against each other.
//
// Statistics are those of a fixed seed and a stated number of draws. Their criterion: a mean within five standard errors of
// what it has to be, and a distribution whose distance from the right one (Kolmogorov and Smirnov) is below 2.7/sqrt(n). Both
// are missed by chance once in a million times.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <thread>

#include "described_kinds.hpp"
#include "model/drawable_keys.hpp"
#include "polhode/ensemble/draw.hpp"
#include "polhode/model/setup_json.hpp"

namespace polhode::test::ensemble_draw_test {
namespace {

using ::testing::ElementsAre;
using Kind = Distribution::Kind;
using Numbers = std::vector<double>;
using Situation = polhode::Setup;  // gtest has a Setup of its own

constexpr double pi = std::numbers::pi, epsilon = std::numeric_limits<double>::epsilon();
constexpr long long draws = 100'000;
const double root_of_draws = std::sqrt(static_cast<double>(draws));

Distribution uniform(Numbers low, Numbers high) { return {.kind = Kind::uniform, .first = low, .second = high}; }
Distribution normal(Numbers mean, Numbers deviation) {
  return {.kind = Kind::normal, .first = mean, .second = deviation};
}
Distribution rotations() { return {.kind = Kind::rotations}; }
Distribution table(Numbers rows, std::size_t width) {
  return {.kind = Kind::table, .rows = std::make_shared<const Numbers>(rows), .width = width};
}

Situation asymmetric() {
  Situation setup;
  setup.inertia = Vec3<double>{1, 1.4, 1.9};
  setup.motion.value = {0.3, -0.2, 0.5};
  return setup;
}

BodyDraw drawn(std::vector<DrawnKey> keys, unsigned long long seed = 7, Situation setup = asymmetric(),
               long long bodies = draws) {
  EnsembleSettings settings;
  settings.bodies = bodies;
  settings.seed = seed;
  settings.drawn = std::move(keys);
  return BodyDraw(std::move(setup), settings);
}

const DrawnKey some_velocity{"start.angular_velocity_body", normal({1, -2, 0.5}, {0.1, 0.2, 3})};
const DrawnKey some_moments{"body.inertia", uniform({0.9, 1.0, 1.5}, {1.0, 1.2, 1.7})};
const DrawnKey any_attitude{"start.attitude", rotations()};

V moments_of(const Situation& body) { return std::get<V>(body.inertia); }
R attitude_of(const Situation& body) {
  const Numbers& q = body.attitude.values;
  return {q[0], {q[1], q[2], q[3]}};
}

// One number of every body.
Numbers of_bodies(const BodyDraw& draw, const std::function<double(const Situation&)>& number) {
  Numbers all;
  for (std::uint64_t i = 0; i < draw.bodies(); ++i) all.push_back(number(draw.body(i)));
  return all;
}

double mean_of(const Numbers& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}
double mean_product(const Numbers& a, const Numbers& b) {
  Numbers products;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) products.push_back(a[i] * b[i]);
  return mean_of(products);
}
// Times the root of their number, so that 5 is five standard errors.
double correlation(Numbers a, Numbers b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  for (double& x : a) x -= mean_a;
  for (double& x : b) x -= mean_b;
  return std::sqrt(static_cast<double>(a.size())) * mean_product(a, b) /
         std::sqrt(mean_product(a, a) * mean_product(b, b));
}
Numbers shifted(Numbers values) {
  std::rotate(values.begin(), values.begin() + 1, values.end());
  return values;
}

// The distance between the distributions, times the root of the number of values.
double distance_from(const std::function<double(double)>& cdf, Numbers values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = cdf(values[i]), below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
    const double distance = std::max(exact - below, above - exact);
    largest = distance <= largest ? largest : std::isnan(distance) ? HUGE_VAL : distance;
  }
  return std::sqrt(n) * largest;
}
constexpr double farthest = 2.7;

double standard_normal(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(BodyDraw, IsPhiloxAsOthersHaveIt) {
  // By numpy 1.24: Philox(key=[seed, FNV-1a of the key], counter=[body, attempt, 4 numbers, 0]), its words made into numbers
  // with the logarithm, cosine and sine of Python's math. These and ours may differ in the last digits.
  struct Known {
    std::uint64_t body;
    V velocity, moments;
    R attitude;
  };
  const Known all[] = {{0,
                        {1.1837211933184775, -1.9904999829881156, 0.70511032264125939},
                        {0.98098472992512031, 1.1352690569967843, 1.6603781621180482},
                        {0.65283927372970785, {-0.33651816005748614, -0.46326966698876465, -0.49592098793629502}}},
                       {1,
                        {1.0258120975160987, -2.0160333913678685, 0.80763064695711739},
                        {0.98010374625133589, 1.0710119705475658, 1.563033464185944},
                        {0.24256655101153804, {0.40297540541328819, 0.29804645849166694, -0.83062663064877584}}},
                       {4294967301,
                        {0.87711084033345132, -2.0555573820290229, -4.3332062575022796},
                        {0.98936356475513665, 1.0592993859043758, 1.6337990079801168},
                        {-0.18116694759887644, {0.2049723255360818, 0.94959820948219986, -0.1530624820465038}}}};
  const BodyDraw draw = drawn({some_velocity, some_moments, any_attitude}, 7, asymmetric(), 5'000'000'000);
  for (const Known& known : all) {
    SCOPED_TRACE(known.body);
    const Situation body = draw.body(known.body);
    EXPECT_LT(norm(body.motion.value - known.velocity), 16 * epsilon);
    EXPECT_EQ(moments_of(body), known.moments) << "no function is rounded here";
    const R q = attitude_of(body);
    EXPECT_LT(std::abs(q.w - known.attitude.w) + norm(q.v - known.attitude.v), 8 * epsilon);
  }
}

TEST(BodyDraw, DoesNotDependOnOtherKeysNorOnTheOrder) {
  const BodyDraw all = drawn({some_velocity, some_moments, any_attitude}),
                 turned = drawn({any_attitude, some_moments, some_velocity}), alone = drawn({some_velocity}),
                 fewer = drawn({some_velocity}, 7, asymmetric(), 1000);
  std::vector<std::string> first;
  for (std::uint64_t i = 0; i < 1000; ++i) first.push_back(to_json(all.body(i)));
  for (std::uint64_t i = 1000; i-- > 0;) {
    EXPECT_EQ(to_json(turned.body(i)), first[i]);
    EXPECT_EQ(alone.body(i).motion.value, all.body(i).motion.value);
    EXPECT_EQ(fewer.body(i).motion.value, all.body(i).motion.value);
    EXPECT_EQ(alone.body(i).attitude.values, asymmetric().attitude.values);
    EXPECT_EQ(moments_of(alone.body(i)), moments_of(asymmetric()));
  }
  std::vector<std::vector<std::string>> by_thread(4);
  {
    std::vector<std::jthread> threads;
    for (auto& made : by_thread)
      threads.emplace_back([&all, &made] {
        for (std::uint64_t i = 0; i < 1000; ++i) made.push_back(to_json(all.body(i)));
      });
  }
  for (const auto& made : by_thread) EXPECT_EQ(made, first);
}

TEST(BodyDraw, AnotherSeedIsAnotherEnsemble) {
  const auto w_z = [](const Situation& body) { return body.motion.value.z; };
  const Numbers a = of_bodies(drawn({some_velocity}, 1), w_z), b = of_bodies(drawn({some_velocity}, 2), w_z);
  EXPECT_LT(std::abs(correlation(a, b)), 5);
  EXPECT_LT(std::abs(correlation(a, shifted(b))), 5);
  EXPECT_EQ(std::count(a.begin(), a.end(), b[0]), 0);
}

TEST(BodyDraw, NormalNumbersHaveTheirMoments) {
  const BodyDraw draw = drawn({some_velocity});
  const V mean{1, -2, 0.5}, deviation{0.1, 0.2, 3};
  std::vector<Numbers> standard(3);
  for (std::size_t k = 0; k < 3; ++k) {
    standard[k] =
        of_bodies(draw, [&](const Situation& body) { return (body.motion.value[k] - mean[k]) / deviation[k]; });
    const Numbers& x = standard[k];
    Numbers squares, cubes, fourths;
    for (const double z : x) {
      squares.push_back(z * z);
      cubes.push_back(z * z * z);
      fourths.push_back(z * z * z * z);
    }
    SCOPED_TRACE(k);
    // Variances of the powers: 1, 3 - 1, 15 and 105 - 9.
    EXPECT_LT(std::abs(mean_of(x)), 5 / root_of_draws);
    EXPECT_LT(std::abs(mean_of(squares) - 1), 5 * std::sqrt(2) / root_of_draws);
    EXPECT_LT(std::abs(mean_of(cubes)), 5 * std::sqrt(15) / root_of_draws);
    EXPECT_LT(std::abs(mean_of(fourths) - 3), 5 * std::sqrt(96) / root_of_draws);
    EXPECT_LT(distance_from(standard_normal, x), farthest);
    EXPECT_LT(std::abs(correlation(x, shifted(x))), 5) << "neighbouring bodies";
    EXPECT_LT(std::abs(correlation(squares, shifted(squares))), 5);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    // Of a pair made by one radius, squares would be the first to be correlated.
    Numbers a = standard[k], b = standard[(k + 1) % 3];
    EXPECT_LT(std::abs(correlation(a, b)), 5);
    for (double& z : a) z *= z;
    for (double& z : b) z *= z;
    EXPECT_LT(std::abs(correlation(a, b)), 5);
  }
}

TEST(BodyDraw, UniformNumbersFillTheirBounds) {
  const V low{0.9, 1.0, 1.5}, high{1.0, 1.2, 1.7};
  const BodyDraw draw = drawn({some_moments, some_velocity});
  const Numbers velocity = of_bodies(draw, [](const Situation& body) { return body.motion.value.x; });
  for (std::size_t k = 0; k < 3; ++k) {
    SCOPED_TRACE(k);
    const Numbers x = of_bodies(draw, [&](const Situation& body) { return moments_of(body)[k]; });
    EXPECT_GE(*std::min_element(x.begin(), x.end()), low[k]);
    EXPECT_LE(*std::max_element(x.begin(), x.end()), high[k]);
    EXPECT_LT(distance_from([&](double at) { return (at - low[k]) / (high[k] - low[k]); }, x), farthest);
    EXPECT_LT(std::abs(correlation(x, shifted(x))), 5);
    EXPECT_LT(std::abs(correlation(x, velocity)), 5) << "another key";
    EXPECT_LT(std::abs(correlation(x, of_bodies(draw, [&](const auto& b) { return moments_of(b)[(k + 1) % 3]; }))), 5);
  }
}

// Where low + u (high - low) is rounded, in every place of a range of three numbers.
TEST(BodyDraw, UniformNumbersStayWithinNarrowBounds) {
  const double low = 1, high = std::nextafter(std::nextafter(low, 2), 2), third = 1.0 / 3;
  const BodyDraw draw = drawn({{"start.angular_velocity_body", uniform({low, -high, third}, {high, -low, third})}});
  int at_low = 0, between = 0, at_high = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const V w = draw.body(i).motion.value;
    EXPECT_TRUE(low <= w.x && w.x <= high && -high <= w.y && w.y <= -low);
    EXPECT_EQ(w.z, third);
    (w.x == low ? at_low : w.x == high ? at_high : between) += 1;
  }
  EXPECT_GT(std::min({at_low, between, at_high}), 100);
}

TEST(BodyDraw, ADeviationOfZeroIsTheMean) {
  const BodyDraw draw = drawn({{"start.angular_momentum_spatial", normal({1, -2, 3}, {0, 0, 0})}});
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(draw.body(i).motion.value, (V{1, -2, 3}));
  EXPECT_EQ(draw.body(0).motion.kind, MotionData::Kind::angular_momentum_spatial)
      << "instead of the scenario's velocity";
}

// cdf of the angle of a rotation of which none is preferred: its density is (1 - cos)/pi.
double angle_cdf(double angle) { return (angle - std::sin(angle)) / pi; }

TEST(BodyDraw, PrefersNoAttitude) {
  const BodyDraw draw = drawn({any_attitude});
  std::vector<R> all;
  for (std::uint64_t i = 0; i < draw.bodies(); ++i) {
    const Situation body = draw.body(i);
    ASSERT_EQ(body.attitude.kind, AttitudeData::Kind::wxyz);
    all.push_back(attitude_of(body));
    EXPECT_NEAR(squared_norm(all.back()), 1, 8 * epsilon);
  }
  // Nor any other when all are turned from the left and from the right.
  const R left = exp(V{0.7, -1.9, 0.4}), right = exp(V{-0.2, 0.3, 2.5});
  for (const auto& [a, b] : {std::pair<R, R>{}, {left, R{}}, {R{}, right}, {left, right}}) {
    Numbers angles, heights;
    std::vector<Numbers> entries(9);
    for (const R& q : all) {
      const R turned = a * q * b;
      angles.push_back(2 * std::atan2(norm(turned.v), std::abs(turned.w)));
      const Mat3<double> m = matrix(turned);
      for (std::size_t i = 0; i < 9; ++i) entries[i].push_back(m[i / 3][i % 3]);
    }
    EXPECT_LT(distance_from(angle_cdf, angles), farthest);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_LT(std::abs(mean_of(entries[i])), 5 / std::sqrt(3) / root_of_draws) << "their squares have the mean 1/3";
      EXPECT_LT(distance_from([](double z) { return (z + 1) / 2; }, entries[i]), farthest) << "a height on the sphere";
      EXPECT_LT(std::abs(correlation(entries[i], shifted(entries[i]))), 5);
      for (std::size_t k = 0; k < i; ++k) EXPECT_LT(std::abs(correlation(entries[i], entries[k])), 5) << i << k;
    }
  }
  // From body to body: the turn that takes one to the next.
  Numbers steps;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) steps.push_back(angle_between(all[i], all[i + 1]));
  EXPECT_LT(distance_from(angle_cdf, steps), farthest);
}

TEST(BodyDraw, PrefersNoDirectionOnTheSphere) {
  Situation dumbbell = asymmetric();
  dumbbell.attitude = {AttitudeData::Kind::direction, {0, 0, 1}};
  const BodyDraw draw = drawn({{"start.direction", rotations()}}, 7, dumbbell);
  for (const V& along : {V{1, 0, 0}, V{0, 0, 1}, V{2.0 / 3, -1.0 / 3, 2.0 / 3}}) {
    const Numbers heights = of_bodies(draw, [&](const Situation& body) {
      const Numbers& d = body.attitude.values;
      return dot(V{d[0], d[1], d[2]}, along);
    });
    EXPECT_LT(distance_from([](double z) { return (z + 1) / 2; }, heights), farthest);
  }
  EXPECT_EQ(draw.body(0).attitude.kind, AttitudeData::Kind::direction);
}

TEST(BodyDraw, QuaternionsAreMadeOfLengthOne) {
  for (const char* key : {"start.attitude_wxyz", "start.attitude_xyzw"}) {
    const BodyDraw draw = drawn({{key, normal({1, 0.5, -0.5, 0.2}, {0.3, 0.3, 0.3, 0.3})}});
    for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_NEAR(squared_norm(attitude_of(draw.body(i))), 1, 8 * epsilon);
  }
  const BodyDraw fixed = drawn({{"start.attitude_wxyz", normal({2, -4, 4, 0}, {0, 0, 0, 0})}});
  EXPECT_THAT(fixed.body(3).attitude.values, ElementsAre(2.0 / 6, -4.0 / 6, 4.0 / 6, 0));
}

// The part of the unit cube in which no moment is larger than the other two together has the volume 1/2, and there means of
// x, x^2 and x y are 7/12, 2/5 and 7/20: one integrates over the cube and takes the three corners x > y + z away.
TEST(BodyDraw, MomentsDrawnAgainKeepTheirDistribution) {
  const DrawnKey cube{"body.inertia", uniform({0, 0, 0}, {1, 1, 1})};
  Situation any = asymmetric();
  any.unphysical = true;
  const BodyDraw bodies = drawn({cube}), all = drawn({cube}, 7, any);
  std::vector<Numbers> moments(3);
  long long kept = 0;
  for (std::uint64_t i = 0; i < bodies.bodies(); ++i) {
    const V m = moments_of(bodies.body(i)), first = moments_of(all.body(i));
    EXPECT_TRUE(m.x < m.y + m.z && m.y < m.z + m.x && m.z < m.x + m.y);
    for (std::size_t k = 0; k < 3; ++k) moments[k].push_back(m[k]);
    if (first.x < first.y + first.z && first.y < first.z + first.x && first.z < first.x + first.y) {
      EXPECT_EQ(m, first) << "what is a body's is not drawn again";
      ++kept;
    }
  }
  EXPECT_LT(std::abs(static_cast<double>(kept) / static_cast<double>(draws) - 0.5), 2.5 / root_of_draws);
  for (std::size_t k = 0; k < 3; ++k) {
    const Numbers &x = moments[k], &y = moments[(k + 1) % 3];
    EXPECT_LT(std::abs(mean_of(x) - 7.0 / 12), 5 * std::sqrt(43.0 / 720) / root_of_draws);
    EXPECT_LT(std::abs(mean_product(x, x) - 0.4), 5 * 0.5 / root_of_draws)
        << "what is in [0, 1] deviates by 1/2 at most";
    EXPECT_LT(std::abs(mean_product(x, y) - 0.35), 5 * 0.5 / root_of_draws);
    EXPECT_LT(std::abs(correlation(x, shifted(x))), 5);
  }
}

TEST(BodyDraw, TensorsAreSymmetricAndThoseOfBodies) {
  const Numbers mean{1, 0.1, 0, 0.1, 1.3, -0.2, 0, -0.2, 1.6}, deviation(9, 0.2);
  Situation tilted = asymmetric();
  tilted.inertia = Mat3<double>{{{1, 0.1, 0}, {0.1, 1.3, -0.2}, {0, -0.2, 1.6}}};
  for (const Situation& typical : {tilted, asymmetric()}) {
    const BodyDraw draw = drawn({{"body.inertia", normal(mean, deviation)}}, 7, typical, 2000);
    Numbers above;
    for (std::uint64_t i = 0; i < draw.bodies(); ++i) {
      const Situation body = draw.body(i);
      const auto& m = std::get<Mat3<double>>(body.inertia);
      for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(m[k / 3][k % 3], m[k % 3][k / 3]);
      EXPECT_NO_THROW(check(body));
      above.push_back(m[0][1]);
    }
    std::sort(above.begin(), above.end());
    EXPECT_EQ(std::adjacent_find(above.begin(), above.end()), above.end()) << "each body has its own";
  }
}

// Moments (1, 1, 1 + u c) are those of a body where u <= 1/c: so many of the first thousand draws as one wishes.
TEST(BodyDraw, RefusesMomentsThatAreHardlyEverThoseOfABody) {
  Situation any = asymmetric();
  any.unphysical = true;
  const auto up_to = [](double most) { return DrawnKey{"body.inertia", uniform({1, 1, 1}, {1, 1, most})}; };
  const BodyDraw all = drawn({up_to(2)}, 7, any, 1000);
  Numbers u = of_bodies(all, [](const Situation& body) { return moments_of(body).z - 1; });
  std::sort(u.begin(), u.end());
  const auto kept = [&](std::size_t count) { return up_to(1 + 2 / (u[count - 1] + u[count])); };
  EXPECT_NO_THROW(drawn({kept(10)}));
  EXPECT_NO_THROW(drawn({kept(9)}, 7, any));
  try {
    drawn({kept(9)});
    ADD_FAILURE() << "accepted";
  } catch (const SetupError& error) {
    EXPECT_EQ(error.key, "ensemble.inertia");
    EXPECT_THAT(error.what(), ::testing::StartsWith("9 of 1000 draws, fewer than 1 %, are moments of a body"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("unphysical = true"));
  }
  EXPECT_THROW(drawn({{"body.inertia", uniform({-2, -2, -2}, {-1, -1, -1})}}, 7, any), SetupError)
      << "none is positive";
}

TEST(BodyDraw, TakesRowsOfTables) {
  EnsembleSettings settings;
  settings.drawn = {{"start.attitude_wxyz", table({1, 0, 0, 0, 0, 0.6, 0, -0.8}, 4)},
                    {"body.inertia", table({1, 2, 2.5, 2, 2, 3}, 3)},
                    some_velocity};
  const BodyDraw draw(asymmetric(), settings);
  EXPECT_EQ(draw.bodies(), 2U) << "as many as there are rows";
  EXPECT_EQ(draw.body(1).attitude.values, (Numbers{0, 0.6, 0, -0.8}));
  EXPECT_EQ(moments_of(draw.body(0)), (V{1, 2, 2.5}));
  EXPECT_EQ(moments_of(draw.body(1)), (V{2, 2, 3}));
  EXPECT_NE(draw.body(0).motion.value, draw.body(1).motion.value);
  settings.bodies = 1;
  EXPECT_EQ(BodyDraw(asymmetric(), settings).bodies(), 1U);
}

TEST(BodyDraw, KnowsWhetherTorquesAreDrawn) {
  Situation top = asymmetric();
  top.torques = {HeavyTop<double>{0.5}};
  EXPECT_FALSE(drawn({some_velocity}, 7, top).draws_torques());
  EXPECT_TRUE(drawn({{"torque[0].weight_times_arm", uniform({0.4}, {0.6})}}, 7, top).draws_torques());
}

// What is a number, a vector or a matrix of a field, and what its key must be called.
template <class Value>
constexpr std::size_t numbers_in = 0;
template <>
constexpr std::size_t numbers_in<double> = 1;
template <>
constexpr std::size_t numbers_in<Vec3<double>> = 3;
template <>
constexpr std::size_t numbers_in<Mat3<double>> = 9;
template <class Value>
constexpr std::size_t numbers_in<std::optional<Value>> = numbers_in<Value>;

Numbers numbers_of(double x) { return {x}; }
Numbers numbers_of(const V& v) { return {v.x, v.y, v.z}; }
Numbers numbers_of(const Mat3<double>& m) {
  Numbers all;
  for (const auto& row : m) all.insert(all.end(), row.begin(), row.end());
  return all;
}
template <class Value>
Numbers numbers_of(const std::optional<Value>& value) {
  return value ? numbers_of(*value) : Numbers{};
}

bool is_valid(const Situation& setup) {
  try {
    check(setup);
  } catch (const SetupError&) {
    return false;
  }
  return true;
}

TEST(BodyDraw, DrawsEveryNumberOfEveryKindOfTorque) {
  int seen = 0, given = 0, at_limit = 0;
  for (const FieldData<double>& torque : every_kind()) {
    Situation setup = asymmetric();
    setup.torques = {ConstantBody<double>{{0.1, 0.2, 0.3}}, torque};
    const std::vector<DrawableKey> keys = drawable_keys(setup);
    std::visit(
        [&](const auto& field) {
          const auto look = [&](const auto& parameter) {
            using Value = std::decay_t<decltype(field.*(parameter.member))>;
            const std::string name = fmt::format("torque[1].{}", parameter.name);
            SCOPED_TRACE(name + " of " + std::string(field.kind));
            const DrawableKey* key = find_key(keys, name);
            ASSERT_EQ(key != nullptr, numbers_in<Value> > 0);
            if constexpr (numbers_in < Value >> 0) {
              ++seen;
              const auto read = [&](const Situation& body) {
                return numbers_of(std::get<std::decay_t<decltype(field)>>(body.torques[1]).*(parameter.member));
              };
              Numbers numbers(numbers_in<Value>);
              for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.25 + 0.5 * static_cast<double>(i);
              Situation changed = setup;
              key->put(changed, numbers);
              EXPECT_EQ(read(changed), numbers);
              // What the sample has, a little larger where that is a valid torque as well.
              const Numbers sample = read(setup);
              if (sample.empty()) return;
              ++given;
              Numbers larger = sample;
              for (double& x : larger) x *= 1 + 0x1p-10;
              Situation expected = setup;
              key->put(expected, larger);
              if (!is_valid(expected)) {
                larger = sample;
                expected = setup;
                ++at_limit;
              }
              const BodyDraw draw = drawn({{name, normal(larger, Numbers(larger.size()))}}, 7, setup, 3);
              const Situation body = draw.body(2);
              EXPECT_EQ(read(body), larger);
              EXPECT_EQ(to_json(body), to_json(expected)) << "and nothing else";
            }
          };
          std::apply([&](const auto&... parameter) { (look(parameter), ...); }, field.keys());
        },
        torque);
  }
  EXPECT_GT(seen, 35);
  EXPECT_GT(given, 30);
  EXPECT_LE(at_limit, 1) << "the sign of a coulomb torque, 1 or -1";
}

TEST(BodyDraw, DrawsConstantsOfFormulasAndMatricesInEveryForm) {
  Situation setup = asymmetric();
  ExpressionTorque<double> spring;
  spring.x = "-c*Rzy";
  spring.constants = {{"c", 2.0}, {"unused", 1.0}};
  Damping<double> drag;
  drag.linear = Mat3<double>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  setup.torques = {spring, drag};
  const auto matrix_by = [&](Numbers numbers) {
    const Distribution from = normal(numbers, Numbers(numbers.size()));
    return *std::get<Damping<double>>(drawn({{"torque[1].linear", from}}, 7, setup, 1).body(0).torques[1]).linear;
  };
  EXPECT_EQ(matrix_by({3}), (Mat3<double>{{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}}));
  EXPECT_EQ(matrix_by({3, 4, 5}), (Mat3<double>{{{3, 0, 0}, {0, 4, 0}, {0, 0, 5}}}));
  EXPECT_EQ(matrix_by({3, 1, 0, -1, 4, 0, 0, 0, 5}), (Mat3<double>{{{3, 1, 0}, {-1, 4, 0}, {0, 0, 5}}}));
  const BodyDraw draw = drawn({{"torque[0].constants.c", uniform({1}, {2})}}, 7, setup, 100);
  const auto c = [](const Situation& body) {
    return std::get<ExpressionTorque<double>>(body.torques[0]).constants.at("c");
  };
  EXPECT_NE(c(draw.body(0)), c(draw.body(1)));
  EXPECT_TRUE(1 <= c(draw.body(0)) && c(draw.body(0)) < 2);
}

TEST(BodyDraw, IsNamedByAllNumbersThatItDrawsFrom) {
  const auto name = [](const std::string& key, const Distribution& from, const Situation& setup = asymmetric()) {
    return drawn({{key, from}}, 7, setup, 10).name();
  };
  const std::string key = "start.angular_velocity_body";
  const std::string one = name(key, uniform({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(one, name(key, uniform({0, 0, 0}, {1, 1, 1})));
  EXPECT_NE(one, name(key, uniform({0, 0, 0}, {1, 1, 1 + 1e-15})));
  EXPECT_NE(one, name(key, uniform({0, 0, 1e-300}, {1, 1, 1})));
  EXPECT_NE(one, name(key, normal({0, 0, 0}, {1, 1, 1})));
  EXPECT_NE(one, name("body.inertia", uniform({1, 1, 1}, {1.1, 1.1, 1.1})));
  Situation other = asymmetric();
  other.time = 1e-9;
  EXPECT_NE(one, name(key, uniform({0, 0, 0}, {1, 1, 1}), other));
}

TEST(BodyDraw, DrawsNumbersOfWheels) {
  Situation setup = asymmetric();
  setup.wheels = {{{0, 0, 1}, 0.01, 600, {}}, {{1, 0, 0}, 0.02, 100, 0.5}};
  const BodyDraw draw = drawn({{"body.wheels[0].speed", normal({600}, {5})},
                               {"body.wheels[1].inertia", uniform({0.01}, {0.02})},
                               {"body.wheels[1].torque", uniform({0.25}, {0.75})}},
                              7, setup, 1000);
  const Situation a = draw.body(0), b = draw.body(1);
  EXPECT_NE(a.wheels[0].speed, b.wheels[0].speed);
  EXPECT_NEAR(a.wheels[0].speed, 600, 50);
  EXPECT_NE(a.wheels[1].inertia, b.wheels[1].inertia);
  EXPECT_NE(a.wheels[1].torque, b.wheels[1].torque);
  EXPECT_FALSE(a.wheels[0].torque.has_value());
  EXPECT_EQ(a.wheels[0].inertia, 0.01);
}

}  // namespace
}  // namespace polhode::test::ensemble_draw_test
