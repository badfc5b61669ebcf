// All that the step for games promises of free bodies: ten thousand of them for ten thousand steps, and a hundred for a million,
// from a thousandth of a radian a step to ten thousand radians. `make soak` runs it; exit code 1 if a bound is passed.
#include "engine_soak.hpp"

#include <cstdio>

namespace {

using namespace polhode;

template <class T>
bool all_kept(const char* scalar, double bound) {
  bool kept = true;
  for (const double turn : engine_turns) {
    const double many = worst_energy_error<T>(0, 10000, turn, 10000);
    const double long_runs = worst_energy_error<T>(20000, 100, turn, 1000000);
    std::printf("%-7s %8g rad a step: |E/E0 - 1| at most %.1e of 10000 bodies, %.1e of 100 in a million steps\n",
                scalar, turn, many, long_runs);
    std::fflush(stdout);
    kept = kept && many <= bound && long_runs <= bound;
  }
  if (!kept) std::printf("%s: more than %g\n", scalar, bound);
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);  // momenta and packs are checked on the way
  const bool kept = all_kept<float>("float", 2e-5) & all_kept<double>("double", 1e-11);
  return kept && !testing::Test::HasFailure() && !testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 0
                                                                                                                  : 1;
}
