// Free bodies at any time: ensembles of the closed form, beside the general one in quad, which is made from other
// functions; in packs of every instruction set, on several threads, and one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ensemble/free_error.hpp"
#include "ensemble_bodies.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/model/free_motion.hpp"

namespace polhode::ensemble_free_test {
namespace {

using namespace ensemble_bodies;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using V = Vec3<double>;

struct One {
  V inertia, pi_B;
};

// On the separatrix where `share` is zero, and as far from it as it says.
One near_separatrix(const V& sorted, V pi, double share) {
  const V& I = sorted;
  pi.z = pi.x * std::sqrt((I.y - I.x) * I.z / ((I.z - I.y) * I.x)) * (1 + share);
  return {I, pi};
}

// All regimes in turn, so that a pack has bodies of each.
std::vector<One> all_regimes() {
  std::mt19937_64 engine(4);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  const auto sign = [&] { return between(-1, 1) < 0 ? -1.0 : 1.0; };
  const auto power = [&](double a, double b) { return std::pow(10, between(a, b)); };
  const auto normal = [&] {
    std::normal_distribution<double> one;
    return V{one(engine), one(engine), one(engine)};
  };
  std::vector<One> all;
  for (int n = 0; n < 12; ++n) {
    const V sorted{between(0.6, 1), between(1, 1.2), between(1.2, 1.5)};
    const double a = between(0.6, 1), c = between(0.3, 1.1);
    all.push_back({sorted, normal()});
    all.push_back({{sorted.z, sorted.x, sorted.y}, normal()});
    all.push_back({{a, a, c}, normal()});
    all.push_back({{c, a, a * (1 + power(-16, -3))}, normal()});
    all.push_back({{a, a, a}, normal()});
    all.push_back({sorted, {0, n % 2 == 0 ? 1.3 : 0.0, 0}});
    all.push_back({sorted, power(-18, -2) * normal() + V{0, 1.2 * sign(), 0}});
    all.push_back({sorted, power(-18, -2) * normal() + V{0, 0, 0.7 * sign()}});
    all.push_back(near_separatrix(sorted, normal(), sign() * power(-15, -8)));
    all.push_back(near_separatrix(sorted, normal(), sign() * power(-8, -1)));
    all.push_back({{2, 3, 6}, {0.75, -0.5, 0.75 * (n % 3 == 0 ? 1 : 1 + sign() * 5e-16)}});
    all.back().inertia = 0.3 * all.back().inertia;
  }
  return all;
}

DrawnKey table_of(const std::string& key, const std::vector<One>& bodies, V One::*member) {
  DrawnKey drawn{key, {Distribution::Kind::table}};
  std::vector<double> rows;
  for (const One& one : bodies)
    for (std::size_t k = 0; k < 3; ++k) rows.push_back((one.*member)[k]);
  drawn.distribution.rows = std::make_shared<std::vector<double>>(rows);
  drawn.distribution.width = 3;
  return drawn;
}

EnsembleRequest request_of_all(const std::vector<One>& bodies, RunOptions options) {
  polhode::Setup setup;
  setup.inertia = V{1, 1.1, 1.2};
  setup.motion = {MotionData::Kind::angular_momentum_body, {0, 0, 1}};
  setup.unphysical = true;
  EnsembleSettings settings;
  settings.drawn = {table_of("body.inertia", bodies, &One::inertia),
                    table_of("start.angular_momentum_body", bodies, &One::pi_B)};
  return request_of(setup, "free-exact", settings, std::move(options));
}

double promise(double turned) { return turned <= 1000 ? 2e-15 + 1e-15 * turned : 4e-16 * (1 + turned); }

TEST(EnsembleFree, EveryRegimeAtAnyTimeInOneStep) {
  const std::vector<One> bodies = all_regimes();
  for (const double duration : {2.0, 600.0, -1e6}) {
    const EnsembleRequest request = request_of_all(bodies, {.step = std::abs(duration), .duration = duration});
    const Ensemble ensemble(request);
    EXPECT_EQ(ensemble.about().steps, 1);
    EXPECT_THAT(ensemble.about().why_no_packs, IsEmpty());
    const Kept::Numbers all = followed(request);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const One& one = bodies[i];
      const std::vector<double>&q = all.at("end attitude"), &w = all.at("end velocity");
      const Rotation<quad> reached =
          normalised(cast<quad>(Rotation<double>{q[4 * i], {q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]}}));
      const V pi_B = V{w[3 * i] * one.inertia.x, w[3 * i + 1] * one.inertia.y, w[3 * i + 2] * one.inertia.z};
      const auto exact = FreeMotion<quad>(cast<quad>(one.inertia), cast<quad>(one.pi_B)).after(quad(duration));
      const double turned = norm(over(one.pi_B, one.inertia)) * std::abs(duration);
      const double error = static_cast<double>(angle_between(reached, normalised(exact.turn)));
      EXPECT_LE(error, promise(turned)) << "body " << i << " after " << duration;
      EXPECT_LE(static_cast<double>(norm(cast<quad>(pi_B) - exact.pi_B)), norm(one.pi_B) * (promise(turned) + 3e-16))
          << "body " << i << " after " << duration;
      EXPECT_NEAR(all.at("attitude error")[i], error, 4e-18 * (1 + turned)) << "body " << i << " after " << duration;
    }
  }
}

TEST(EnsembleFree, EveryWayHasTheSameBits) {
  const std::vector<One> bodies = all_regimes();
  EnsembleRequest far = request_of_all(bodies, {.step = 1e6, .duration = 1e6});
  EnsembleRequest stations = request_of_all(bodies, {.step = 250, .duration = 1900});
  stations.ensemble.snapshots = {250, 1000};
  // Bodies that take short steps, beside others that are too fast for them.
  EnsembleRequest mixed = request_of_all(bodies, {.step = 0.9, .steps = 70});
  EnsembleRequest short_steps = request_of_all(bodies, {.step = 0.01, .steps = 70});
  for (EnsembleRequest* request : {&far, &stations, &mixed, &short_steps}) {
    request->packs = false;
    const Kept::Numbers alone = followed(*request);
    request->packs = true;
    for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
      if (set > instruction_set()) continue;
      request->set = set;
      for (const int threads : {1, 3}) {
        request->threads = threads;
        request->chunk = threads == 1 ? 0 : 24;
        EXPECT_THAT(differences(alone, followed(*request)), IsEmpty())
            << "steps of " << request->run.run.step << ", " << threads << " threads";
      }
    }
  }
}

// A step that nobody asked for is no step: 1e6 s are not 1e8 of them.
TEST(EnsembleFree, GoesFromOneTimeThatIsLookedAtToTheNext) {
  EnsembleRequest request = request_of_all(all_regimes(), {.duration = -1e6});
  request.run.setup.time = 5;
  request.run.says_where_rows_are = false;
  const auto steps = [&](std::vector<double> snapshots) {
    request.ensemble.snapshots = std::move(snapshots);
    return Ensemble(request).about().steps;
  };
  EXPECT_EQ(steps({}), 1);
  EXPECT_EQ(steps({5 - 2.5e5, 5 - 5e5}), 4);
  EXPECT_EQ(steps({5 - 1e6 / 3}), 3);
  EXPECT_EQ(steps({5 - 123456.7}), 1);
  EXPECT_THAT(Ensemble(request).about().why_no_packs, HasSubstr("between two steps"));
  request.run.says_where_rows_are = true;
  request.run.run.step = 1e5;
  EXPECT_EQ(steps({}), 10);
  request.run.says_where_rows_are = false;
  request.run.run.step = 0.01;
  request.run.run.method = "lie-verlet";
  request.run.run.duration = 2;
  EXPECT_EQ(steps({}), 200) << "another method has its step";
}

}  // namespace
}  // namespace polhode::ensemble_free_test
