// What docs/game-engines.md tells a reader to paste: that it is what is compiled here, and does what is said of it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "../examples/engine/turned.hpp"

namespace polhode::test::pasted_lines_test {
namespace {

using V = Vec3<float>;

std::string contents(const std::string& path) {
  std::ifstream file(std::string(POLHODE_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(PastedLines, HoldsWhatIsCompiledHere) {
  const std::string pasted = contents("examples/engine/turned.hpp");
  ASSERT_FALSE(pasted.empty());
  EXPECT_NE(contents("docs/game-engines.md")
                .find("<!-- example: examples/engine/turned.hpp -->\n```cpp\n" + pasted + "```\n"),
            std::string::npos)
      << "tools/update-game-engines brings it up to date";
}

// An engine that leaves the velocity alone gets a free body: momentum to the bit, energy to rounding, and it turns over.
TEST(PastedLines, KeepsAFreeBody) {
  Turned box{box_inertia(3.0f, {0.2f, 0.3f, 0.6f})};
  ASSERT_TRUE(box.tick({0.05f, 6, 0.05f}, 1.0f / 60));
  const V L = box.spin.L;
  const float energy = kinetic_energy(box.spin, box.inertia);
  int turned_over = 0;
  float before = 1;
  for (int n = 0; n < 6000; ++n) {
    ASSERT_TRUE(box.tick(box.shown, 1.0f / 60));
    ASSERT_EQ(box.spin.L, L);
    ASSERT_NEAR(kinetic_energy(box.spin, box.inertia), energy, 1e-5f * energy);
    const float now = angular_velocity_body(box.spin, box.inertia).y;
    if (now * before < 0) ++turned_over;
    before = now;
  }
  EXPECT_GT(turned_over, 10);
}

TEST(PastedLines, TakesWhatTheEngineDidAsAChangeOfMomentum) {
  Turned box{box_inertia(3.0f, {0.2f, 0.3f, 0.6f})};
  ASSERT_TRUE(box.tick({1, 2, 3}, 1.0f / 60));
  const V L = box.spin.L, blow{0.01f, -0.02f, 0.03f};
  const auto inverse_I = inverse_inertia_spatial(box.spin, box.inertia);
  V w = box.shown;
  for (std::size_t i = 0; i < 3; ++i)
    w[i] += inverse_I[i][0] * blow.x + inverse_I[i][1] * blow.y + inverse_I[i][2] * blow.z;
  ASSERT_TRUE(box.tick(w, 1.0f / 60));
  EXPECT_LT(norm(box.spin.L - L - blow), 1e-6f * norm(L));
}

TEST(PastedLines, SaysWhenThereIsNoSuchStep) {
  Turned box{box_inertia(3.0f, {0.2f, 0.3f, 0.6f})};
  EXPECT_FALSE(box.tick({1, 2, 3}, std::numeric_limits<float>::quiet_NaN()));
}

}  // namespace
}  // namespace polhode::test::pasted_lines_test
