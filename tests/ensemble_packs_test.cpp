// Bodies of an ensemble have the bits that runs of their own have: in packs of every instruction set, on any number of
// threads, in chunks and parts of any size, in every field that has kernels and in those that have none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ensemble_bodies.hpp"
#include "polhode/ensemble/draw.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::ensemble_packs_test {
namespace {

using namespace ensemble_bodies;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<InstructionSet> sets_here() {
  std::vector<InstructionSet> all;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= instruction_set()) all.push_back(set);
  return all;
}

const std::vector<std::string> methods_in_packs{"mclachlan-reich-231", "lie-verlet", "no-squish", "rkmk-4", "taylor-4"};

// Bodies that go one by one are runs: their numbers are those of Simulation.
TEST(EnsembleOneByOne, IsARunOfEachBody) {
  EnsembleRequest request = request_of(typical({heavy_top()}), "lie-verlet@suzuki", drawn(7));
  request.ensemble.snapshots = {0.5, 1.21};
  request.run.quantities = {{"tilt", "acos(Rzz)"}};
  request.run.shown_quantities = {"tilt"};
  request.run.events = {{"over", "wy - 0.1"}};
  const Kept::Numbers all = followed(request);
  const BodyDraw draw(request.run.setup, request.ensemble);
  for (std::size_t i = 0; i < 7; ++i) {
    RunRequest alone = request.run;
    alone.setup = draw.body(i);
    alone.times = request.ensemble.snapshots;
    Table rows;
    const Result result = run(plan(alone), &rows);
    ASSERT_EQ(rows.rows.size(), 4U);
    const char* names[] = {"start", "at 0", "at 1", "end"};
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(all.at(std::string(names[row]) + " attitude")[4 * i + k], rows.rows[row][1 + k].value) << names[row];
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(all.at(std::string(names[row]) + " velocity")[3 * i + k], rows.rows[row][5 + k].value);
        EXPECT_EQ(all.at(std::string(names[row]) + " momentum")[3 * i + k], rows.rows[row][8 + k].value);
      }
      EXPECT_EQ(all.at(std::string(names[row]) + " energy")[i], rows.rows[row][11].value);
    }
    EXPECT_EQ(all.at("quantity 0")[i], rows.rows[3][12].value);
    EXPECT_EQ(all.at("energy error")[i], result.energy_change / std::abs(result.start.energy.value));
    if (result.events.empty()) {
      EXPECT_TRUE(std::isnan(all.at("passage 0")[i]));
    } else {
      EXPECT_EQ(all.at("passage 0")[i], result.events.front().at.time.value);
    }
  }
}

void expect_bits_of_single_bodies(EnsembleRequest request, const std::string& note) {
  request.packs = false;
  const Kept::Numbers alone = followed(request);
  request.packs = true;
  for (const InstructionSet set : sets_here()) {
    request.set = set;
    const Ensemble ensemble(request);
    EXPECT_EQ(ensemble.about().instruction_set, instruction_set_name(set))
        << note << ": " << ensemble.about().why_no_packs;
    EXPECT_THAT(differences(alone, followed(request)), IsEmpty())
        << note << " in packs of " << instruction_set_name(set);
  }
}

TEST(EnsemblePacks, HaveTheBitsOfSingleBodies) {
  for (const std::string& method : methods_in_packs) {
    expect_bits_of_single_bodies(request_of(typical(), method, drawn(45)), method + ", free");
    expect_bits_of_single_bodies(request_of(typical({heavy_top()}), method, drawn(45)), method + ", heavy top");
  }
}

TEST(EnsemblePacks, HaveTheBitsOfSingleBodiesInFloat) {
  for (const std::string method : {"mclachlan-reich-231", "lie-verlet", "no-squish", "rkmk-4"}) {
    for (const bool top : {false, true}) {
      std::vector<FieldData<double>> torques;
      if (top) torques = {heavy_top()};
      EnsembleRequest request = request_of(typical(torques), method, drawn(45));
      request.run.run.scalar = ScalarKind::float_;
      expect_bits_of_single_bodies(request, method + (top ? ", heavy top, float" : ", free, float"));
    }
  }
}

TEST(EnsemblePacks, InFieldsThatTheLibraryEvaluates) {
  Damping<double> damping;
  damping.linear = Mat3<double>{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.05}}};
  ConstantBody<double> constant;
  constant.torque_B = {0.1, -0.2, 0.05};
  GravityGradient<double> gradient;
  gradient.mean_motion = 0.3;
  gradient.orbit_normal_spatial = {0.1, -0.3, 0.9};  // off the axes, where rounding leaves the radius a share along it
  gradient.radius_spatial = {0.9, 0.3, 0};
  const std::vector<std::pair<std::string, std::vector<FieldData<double>>>> fields{
      {"damping", {damping}}, {"two", {heavy_top(), constant}}, {"gravity gradient", {gradient}}};
  for (const std::string method : {"mclachlan-reich-231", "lie-verlet", "rkmk-4"}) {
    for (const auto& [name, torques] : fields) {
      expect_bits_of_single_bodies(request_of(typical(torques), method, drawn(35)), method + ", " + name);
      expect_bits_of_single_bodies(request_of(typical(torques), method, drawn(35, false)),
                                   method + ", one field for all, " + name);
    }
  }
}

TEST(EnsemblePacks, WithTorquesThatDiffer) {
  EnsembleSettings settings = drawn(35);
  settings.drawn.push_back({"torque[0].weight_times_arm", {Distribution::Kind::uniform, {0.1}, {0.9}}});
  expect_bits_of_single_bodies(request_of(typical({heavy_top()}), "mclachlan-reich-231", settings), "weights");
}

TEST(EnsemblePacks, WithSnapshotsAShorterLastStepAndBackwards) {
  for (const double duration : {1.83, -1.83, 2.0, -2.0}) {
    EnsembleRequest request =
        request_of(typical({heavy_top()}), "lie-verlet", drawn(20), {.step = 0.1, .duration = duration});
    request.run.setup.time = 3;
    const double sign = duration < 0 ? -1 : 1;
    request.ensemble.snapshots = {3 + sign * 0.3, 3 + sign * 1.2};
    expect_bits_of_single_bodies(request, std::to_string(duration));
  }
}

TEST(EnsemblePacks, WithATensorAndExtremeMoments) {
  polhode::Setup setup = typical({heavy_top()});
  setup.inertia = Mat3<double>{{{1.2, 0.1, -0.05}, {0.1, 0.9, 0.08}, {-0.05, 0.08, 1.5}}};
  expect_bits_of_single_bodies(request_of(setup, "mclachlan-reich-231", drawn(20, false)), "tensor");
  setup = typical();
  setup.inertia = Vec3<double>{1e-7, 2e-7, 2.5e-7};
  EnsembleSettings settings = drawn(20, false);
  settings.drawn.back().distribution.second = {1e-3, 50, 3};
  expect_bits_of_single_bodies(request_of(setup, "mclachlan-reich-231", settings), "fast and slow");
}

TEST(EnsembleThreads, ChunksAndPartsChangeNoBit) {
  EnsembleRequest request = request_of(typical({heavy_top()}), "mclachlan-reich-231", drawn(101));
  request.ensemble.quantiles = {0.1, 0.5};
  const Kept::Numbers once = followed(request);
  const Ensemble ensemble(request);
  const EnsembleResult result = ensemble.follow();
  EXPECT_EQ(result.followed, 101U);
  for (const int threads : {2, 3, 7}) {
    for (const std::size_t chunk : {1UL, 16UL, 40UL, 1000UL}) {
      request.threads = threads;
      request.chunk = chunk;
      EXPECT_THAT(differences(once, followed(request)), IsEmpty()) << threads << " threads, chunks of " << chunk;
      const EnsembleResult other = Ensemble(request).follow();
      ASSERT_EQ(other.statistics.size(), result.statistics.size());
      for (std::size_t k = 0; k < other.statistics.size(); ++k) {
        const Tally &a = result.statistics[k].tally, &b = other.statistics[k].tally;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.mean()), std::bit_cast<std::uint64_t>(b.mean()));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.deviation()), std::bit_cast<std::uint64_t>(b.deviation()));
        EXPECT_EQ(a.least(), b.least());
        EXPECT_EQ(a.largest(), b.largest());
      }
      for (std::size_t k = 0; k < other.quantiles.size(); ++k)
        EXPECT_EQ(other.quantiles[k].values, result.quantiles[k].values);
    }
  }
  request.parts = 4;
  std::vector<double> joined;
  for (request.part = 1; request.part <= 4; ++request.part) {
    const std::vector<double> energies = followed(request).at("end energy");
    joined.insert(joined.end(), energies.begin(), energies.end());
  }
  EXPECT_EQ(joined, once.at("end energy"));
}

// A body spins so fast that its step leaves the finite numbers; its neighbours in the pack do not notice.
TEST(EnsembleFailures, DoNotStopTheOthers) {
  EnsembleSettings settings;
  settings.bodies = 40;
  std::vector<double> rows;
  for (int i = 0; i < 40; ++i) rows.insert(rows.end(), {0.1 * i, 0.3, i == 17 ? 1e160 : 0.5});
  settings.drawn.push_back({"start.angular_velocity_body", {Distribution::Kind::table}});
  settings.drawn.back().distribution.rows = std::make_shared<std::vector<double>>(rows);
  settings.drawn.back().distribution.width = 3;
  EnsembleRequest request = request_of(typical(), "rkmk-4", settings);
  for (const bool packs : {false, true}) {
    request.packs = packs;
    const EnsembleResult result = Ensemble(request).follow();
    EXPECT_EQ(result.followed, 40U);
    EXPECT_EQ(result.failed, 1U);
    ASSERT_EQ(result.failures.size(), 1U);
    EXPECT_EQ(result.failures[0].body, 17U);
    EXPECT_THAT(result.failures[0].reason, HasSubstr("rkmk-4"));
    for (const NamedTally& one : result.statistics) EXPECT_EQ(one.tally.count(), 39U) << one.quantity;
  }
  expect_bits_of_single_bodies(request, "beside one that fails");
}

// A pulse that ends before it begins, in a body beyond the first thousand, which are looked at beforehand.
TEST(EnsembleFailures, AreDrawsOfWhichNoRunCanBeMade) {
  Pulse<double> pulse;
  pulse.torque_S = {0.1, 0, 0};
  pulse.from = 1;
  pulse.until = 2;
  EnsembleSettings settings;
  settings.bodies = 40000;
  settings.seed = 3;
  settings.drawn = {{"torque[0].until", {Distribution::Kind::normal, {2}, {0.28}}}};
  EnsembleRequest request = request_of(typical({pulse}), "lie-verlet", settings, {.step = 0.5, .steps = 1});
  const EnsembleResult result = Ensemble(request).follow();
  EXPECT_EQ(result.followed, 40000U);
  ASSERT_GT(result.failed, 0U);
  EXPECT_LT(result.failed, 30U) << "seven are expected to be 3.6 deviations below";
  EXPECT_THAT(result.failures[0].reason, HasSubstr("torque"));
  EXPECT_EQ(result.failures[0].step, 0);
}

TEST(EnsembleInterrupts, KeepWholeBodies) {
  EnsembleRequest request = request_of(typical(), "rkmk-4", drawn(64));
  request.chunk = 16;
  struct StopsAtTheSecond final : EnsembleWriter {
    std::atomic<bool> stop{false};
    int chunks = 0;
    void begin(const EnsembleAbout&) override {}
    void chunk(const EnsembleChunk&) override { stop = ++chunks == 2; }
    void end(const EnsembleResult&) override {}
  } writer;
  EnsembleControl control;
  control.stop = &writer.stop;
  control.stopped_by = [] { return std::string("a test"); };
  const EnsembleResult result = Ensemble(request).follow(&writer, control);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.followed, 32U);
  EXPECT_THAT(result.incomplete, HasSubstr("a test"));
  EXPECT_THAT(result.incomplete, HasSubstr("32 of 64"));
}

TEST(EnsembleWriters, MayFail) {
  struct Full final : EnsembleWriter {
    void begin(const EnsembleAbout&) override {}
    void chunk(const EnsembleChunk&) override { throw Error(ErrorKind::input_output, "no room"); }
    void end(const EnsembleResult&) override { ADD_FAILURE() << "after an exception"; }
  } writer;
  EnsembleRequest request = request_of(typical(), "rkmk-4", drawn(64));
  request.threads = 3;
  request.chunk = 4;
  EXPECT_THROW(Ensemble(request).follow(&writer), Error);
}

TEST(EnsembleRefusals, SayWhyThereAreNoPacks) {
  const auto reason = [](EnsembleRequest request) { return Ensemble(std::move(request)).about().why_no_packs; };
  const polhode::Setup setup = typical({heavy_top()});
  EXPECT_THAT(reason(request_of(setup, "rkmk-4", drawn(3))), IsEmpty());
  EXPECT_THAT(reason(request_of(setup, "lie-verlet@suzuki", drawn(3))), HasSubstr("suffix"));
  EXPECT_THAT(reason(request_of(setup, "implicit-midpoint", drawn(3))), HasSubstr("implicit-midpoint"));
  EnsembleRequest between = request_of(setup, "rkmk-4", drawn(3));
  between.ensemble.snapshots = {0.07};
  EXPECT_THAT(reason(between), HasSubstr("between two steps"));
  EnsembleRequest watched = request_of(setup, "rkmk-4", drawn(3));
  watched.run.events = {{"over", "wy"}};
  EXPECT_THAT(reason(watched), HasSubstr("events"));
  EnsembleRequest wide = request_of(setup, "rkmk-4", drawn(3));
  wide.run.run.scalar = ScalarKind::long_double_;
  EXPECT_THAT(reason(wide), HasSubstr("long-double"));
  Damping<double> damping;
  damping.linear = Mat3<double>{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.05}}};
  EnsembleRequest narrow = request_of(typical({damping}), "rkmk-4", drawn(3));
  narrow.run.run.scalar = ScalarKind::float_;
  EXPECT_THAT(reason(narrow), HasSubstr("in float"));
}

TEST(EnsembleRefusals, OfWhatIsForSingleRuns) {
  const auto refused_key = [](const auto& change) {
    EnsembleRequest request = request_of(typical(), "rkmk-4", drawn(3));
    change(request);
    try {
      const Ensemble ensemble(request);
    } catch (const SetupError& error) {
      EXPECT_THAT(std::string(error.what()), Not(IsEmpty()));
      return error.key;
    }
    return std::string("none");
  };
  EXPECT_EQ(refused_key([](EnsembleRequest&) {}), "none");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) { r.run.run.reference = true; }), "run.reference");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) { r.run.run.lyapunov = true; }), "run.lyapunov");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) { r.run.run.max_steps = 5; }), "run.max_steps");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) {
              r.ensemble.histograms = {{"enrgy", 0, 1, 10}};
            }),
            "ensemble.histogram");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) { r.ensemble.snapshots = {1e9}; }), "ensemble.snapshots");
  EXPECT_EQ(refused_key([](EnsembleRequest& r) {
              r.ensemble.quantiles = {0.5};
              r.ensemble.bodies = 1'000'000'000'000;
            }),
            "ensemble.quantiles");
}

}  // namespace
}  // namespace polhode::ensemble_packs_test
