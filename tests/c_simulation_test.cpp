// A simulation behind the C interface: the bits of Simulation, events, saving, result files, and an answer to every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <thread>

#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"
#include "polhode/simulation.h"

namespace polhode::c_simulation_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string tumbling = R"([body]
inertia = [[1.1, 0.1, 0.0], [0.1, 0.9, 0.05], [0.0, 0.05, 1.4]]
wheels = [{ axis = [0, 0, 1], inertia = 0.01, speed = 20 }]
[start]
angular_velocity_body = [0.3, 0.9, -0.2]
[[torque]]
kind = "heavy-top"
weight_times_arm = 0.4
[[torque]]
kind = "expression"
x = "-0.1*wx"
y = "0"
z = "0"
[[event]]
name = "level"
when = "Rzz - 0.5"
[run]
method = "rkmk-4"
step = 0.02
duration = 4
)";

struct Closing {
  void operator()(polhode_simulation* simulation) const { polhode_simulation_close(simulation); }
};
using Handle = std::unique_ptr<polhode_simulation, Closing>;

Handle parsed(const std::string& toml) { return Handle(polhode_simulation_parse(toml.c_str())); }

std::vector<double> cells(const polhode_motion& m) {
  std::vector<double> all{m.time};
  all.insert(all.end(), std::begin(m.attitude_wxyz), std::end(m.attitude_wxyz));
  all.insert(all.end(), std::begin(m.angular_velocity_body), std::end(m.angular_velocity_body));
  all.insert(all.end(), std::begin(m.angular_momentum_spatial), std::end(m.angular_momentum_spatial));
  all.push_back(m.energy);
  return all;
}

TEST(CSimulation, HasTheBitsOfASimulationInCxx) {
  const Handle handle = parsed(tumbling);
  ASSERT_NE(handle, nullptr) << polhode_last_error();
  Simulation simulation(plan(parse_scenario(tumbling, "scenario")));
  polhode_motion motion;
  for (const double t : {0.5, 1.51, 3.0}) {
    ASSERT_EQ(polhode_simulation_advance_to(handle.get(), t), POLHODE_SIMULATION_OK);
    simulation.advance_to(t);
    ASSERT_EQ(polhode_simulation_now(handle.get(), &motion), POLHODE_SIMULATION_OK);
    EXPECT_EQ(cells(motion), simulation.columns());
    ASSERT_EQ(polhode_simulation_at(handle.get(), t, &motion), POLHODE_SIMULATION_OK);
    EXPECT_EQ(cells(motion), simulation.columns_at(t));
    EXPECT_EQ(motion.time, t);
  }
}

TEST(CSimulation, TellsOfEventsWhereTheyAre) {
  const Handle handle = parsed(tumbling);
  EXPECT_EQ(polhode_simulation_event_count(handle.get()), 0u);
  polhode_simulation_advance_to(handle.get(), 4);
  const std::size_t count = polhode_simulation_event_count(handle.get());
  ASSERT_GT(count, 0u);
  const char* name = nullptr;
  polhode_motion motion;
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(polhode_simulation_event(handle.get(), i, &name, &motion), POLHODE_SIMULATION_OK);
    EXPECT_STREQ(name, "level");
    const double x = motion.attitude_wxyz[1], y = motion.attitude_wxyz[2];
    EXPECT_NEAR(1 - 2 * (x * x + y * y), 0.5, 1e-14);
  }
  EXPECT_EQ(polhode_simulation_event(handle.get(), count, &name, &motion), POLHODE_SIMULATION_BAD_ARGUMENT);
}

TEST(CSimulation, EndsAtATerminalEventAndStaysThere) {
  const Handle handle = parsed(tumbling + "stop_when = \"Rzz < 0.5\"\n");
  ASSERT_NE(handle, nullptr) << polhode_last_error();
  EXPECT_EQ(polhode_simulation_advance_to(handle.get(), 4), POLHODE_SIMULATION_ENDED);
  polhode_motion at_end, later;
  polhode_simulation_now(handle.get(), &at_end);
  EXPECT_LT(at_end.time, 4);
  EXPECT_EQ(polhode_simulation_advance_to(handle.get(), 4), POLHODE_SIMULATION_ENDED);
  polhode_simulation_now(handle.get(), &later);
  EXPECT_EQ(cells(later), cells(at_end));
}

TEST(CSimulation, GoesOnFromWhatWasSaved) {
  const Handle first = parsed(tumbling), second = parsed(tumbling);
  polhode_simulation_advance_to(first.get(), 1.1);
  const void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(polhode_simulation_save(first.get(), &bytes, &size), POLHODE_SIMULATION_OK);
  ASSERT_EQ(polhode_simulation_restore(second.get(), bytes, size), POLHODE_SIMULATION_OK);
  polhode_simulation_advance_to(first.get(), 3);
  polhode_simulation_advance_to(second.get(), 3);
  polhode_motion one, other;
  polhode_simulation_now(first.get(), &one);
  polhode_simulation_now(second.get(), &other);
  EXPECT_EQ(cells(one), cells(other));

  polhode_simulation_save(first.get(), &bytes, &size);
  EXPECT_EQ(polhode_simulation_restore(second.get(), bytes, size - 1), POLHODE_SIMULATION_BAD_SCENARIO);
  EXPECT_THAT(polhode_last_error(), HasSubstr("cut short"));
  polhode_simulation_now(second.get(), &other);
  EXPECT_EQ(cells(one), cells(other));
}

TEST(CSimulation, RunsTheWholeIntoAFile) {
  const std::string path = testing::TempDir() + "c_simulation.csv";
  const Handle handle = parsed(tumbling);
  polhode_simulation_advance_to(handle.get(), 1);
  ASSERT_EQ(polhode_simulation_run(handle.get(), path.c_str()), POLHODE_SIMULATION_OK) << polhode_last_error();
  const std::string text = read_text_file(path);
  EXPECT_THAT(text, HasSubstr("t[s],qw,qx,qy,qz"));
  EXPECT_EQ(text.substr(text.rfind('\n', text.size() - 2) + 1, 2), "4,");  // the last row is that at 4 s
  std::filesystem::remove(path);

  EXPECT_EQ(polhode_simulation_run(handle.get(), "rows.xls"), POLHODE_SIMULATION_BAD_ARGUMENT);
  EXPECT_THAT(polhode_last_error(), HasSubstr("rows.xls"));
  EXPECT_EQ(polhode_simulation_run(handle.get(), "/no/such/folder/rows.csv"), POLHODE_SIMULATION_NOT_WRITTEN);
  EXPECT_THAT(polhode_last_error(), HasSubstr("/no/such/folder"));
  const Handle guarded = parsed(tumbling + "max_steps = 7\n");
  EXPECT_EQ(polhode_simulation_run(guarded.get(), path.c_str()), POLHODE_SIMULATION_GUARDED);
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove(testing::TempDir() + "c_simulation.partial.csv");
}

TEST(CSimulation, SaysWhatIsWrong) {
  EXPECT_EQ(polhode_simulation_open("/no/such/file.toml"), nullptr);
  EXPECT_THAT(polhode_last_error(), HasSubstr("/no/such/file.toml"));
  EXPECT_EQ(parsed("[body]\ninertia = [1, 1]\n"), nullptr);
  EXPECT_THAT(polhode_last_error(), AllOf(HasSubstr("scenario:2"), HasSubstr("inertia")));
  EXPECT_EQ(parsed(tumbling + "tolerances = 1\n"), nullptr);
  EXPECT_THAT(polhode_last_error(), AllOf(HasSubstr("tolerances"), HasSubstr("tolerance")));
  EXPECT_EQ(parsed("[body]\ninertia = [1, 1, 1]\n[start]\nangular_velocity_body = [0, 0, 1]\n"), nullptr);
  EXPECT_THAT(polhode_last_error(), HasSubstr("method"));

  const Handle handle = parsed(tumbling);
  polhode_motion motion;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(polhode_simulation_advance_to(handle.get(), nan), POLHODE_SIMULATION_BAD_ARGUMENT);
  EXPECT_EQ(polhode_simulation_at(handle.get(), 3, &motion), POLHODE_SIMULATION_BAD_ARGUMENT);
  EXPECT_THAT(polhode_last_error(), HasSubstr("last step"));
  EXPECT_EQ(polhode_simulation_advance_to(nullptr, 1), POLHODE_SIMULATION_BAD_ARGUMENT);
  EXPECT_EQ(polhode_simulation_now(handle.get(), nullptr), POLHODE_SIMULATION_BAD_ARGUMENT);
  EXPECT_EQ(polhode_simulation_parse(nullptr), nullptr);
  EXPECT_STREQ(polhode_last_error(), "a pointer is null");
  polhode_simulation_close(nullptr);
}

TEST(CSimulation, AStepThatFailsIsToldAndNotTaken) {
  // The torque ceases to be a number at t = 1.
  const Handle handle = parsed(R"toml([body]
inertia = [1, 2, 2.5]
[start]
angular_velocity_body = [0, 0, 1]
[torque]
kind = "expression"
x = "sqrt(1 - t)"
y = "0"
z = "0"
[run]
method = "rkmk-4"
step = 0.3
)toml");
  ASSERT_NE(handle, nullptr) << polhode_last_error();
  EXPECT_EQ(polhode_simulation_advance_to(handle.get(), 5), POLHODE_SIMULATION_FAILED);
  EXPECT_THAT(polhode_last_error(), HasSubstr("finite"));
  polhode_motion motion;
  polhode_simulation_now(handle.get(), &motion);
  EXPECT_NEAR(motion.time, 0.9, 1e-12);
}

TEST(CSimulation, ErrorsBelongToAThread) {
  EXPECT_EQ(polhode_simulation_parse(nullptr), nullptr);
  std::string elsewhere = "not asked";
  std::thread([&] { elsewhere = polhode_last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_STREQ(polhode_last_error(), "a pointer is null");
}

}  // namespace
}  // namespace polhode::c_simulation_test
