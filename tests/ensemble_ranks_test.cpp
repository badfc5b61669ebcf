// Ensembles followed by several processes: here threads that add up numbers as ranks do, and Open MPI itself.
#include "polhode/ensemble/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <bit>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "ensemble_bodies.hpp"
#include "hdf5_contents.hpp"
#include "polhode/ensemble/ensemble.hpp"
#include "polhode/ensemble/json.hpp"
#include "program.hpp"

namespace polhode::ensemble_ranks_test {
namespace {

using ensemble_bodies::request_of;
using ensemble_bodies::scenario;
using ensemble_bodies::typical;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// What the threads have in common.
struct Meeting {
  explicit Meeting(int count) : ranks(count), barrier(count), texts(static_cast<std::size_t>(count)) {}

  int ranks;
  std::barrier<> barrier;
  std::mutex mutex;
  std::vector<std::uint64_t> sums;
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int count() const override { return meeting_.ranks; }
  void meet() override { meeting_.barrier.arrive_and_wait(); }
  void sum(std::span<std::uint64_t> numbers) override {
    reduce(meeting_.sums, numbers, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  void least(std::span<double> numbers) override {
    reduce(meeting_.numbers, numbers, [](double a, double b) { return std::min(a, b); });
  }
  void largest(std::span<double> numbers) override {
    reduce(meeting_.numbers, numbers, [](double a, double b) { return std::max(a, b); });
  }
  std::vector<std::string> gather(const std::string& text) override {
    meeting_.texts[static_cast<std::size_t>(rank_)] = text;
    meet();
    const std::vector<std::string> all = rank_ == 0 ? meeting_.texts : std::vector<std::string>{};
    meet();
    return all;
  }
  std::string broadcast(const std::string& text) override {
    if (rank_ == 0) meeting_.texts[0] = text;
    meet();
    std::string of_all = meeting_.texts[0];
    meet();
    return of_all;
  }

 private:
  template <class X, class Join>
  void reduce(std::vector<X>& together, std::span<X> mine, const Join& join) {
    meet();
    {
      const std::lock_guard lock(meeting_.mutex);
      if (together.empty()) {
        together.assign(mine.begin(), mine.end());
      } else {
        for (std::size_t i = 0; i < mine.size(); ++i) together[i] = join(together[i], mine[i]);
      }
    }
    meet();
    std::copy(together.begin(), together.end(), mine.begin());
    meet();
    if (rank_ == 0) together.clear();
    meet();
  }

  Meeting& meeting_;
  int rank_;
};

// What rank 0 knows of all bodies, which so many ranks follow.
EnsembleResult followed_by(int count, const EnsembleRequest& request) {
  Meeting meeting(count);
  std::vector<EnsembleResult> results(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      EnsembleRequest part = request;
      part.part = static_cast<std::uint64_t>(rank) + 1;
      part.parts = static_cast<std::uint64_t>(count);
      ThreadRanks ranks(meeting, rank);
      results[static_cast<std::size_t>(rank)] = whole_of(Ensemble(part).follow(), ranks);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results[0];
}

// What is known of the whole, without how it was found.
nlohmann::json known(const std::string& json) {
  nlohmann::json all = nlohmann::json::parse(json);
  for (const char* key : {"seconds", "body_steps_per_second", "threads", "ranks"}) all.erase(key);
  return all;
}

EnsembleRequest request_with_failures(long long bodies) {
  EnsembleSettings settings;
  settings.bodies = bodies;
  std::vector<double> rows;
  for (int i = 0; i < bodies; ++i)
    rows.insert(rows.end(), {0.1 * (i % 31), 0.3 - 0.05 * (i % 7), i % 17 == 3 ? 1e160 : 0.5});
  settings.drawn = {{"start.attitude", {Distribution::Kind::rotations}},
                    {"start.angular_velocity_body", {Distribution::Kind::table}}};
  settings.drawn.back().distribution.rows = std::make_shared<std::vector<double>>(rows);
  settings.drawn.back().distribution.width = 3;
  settings.snapshots = {0.05};
  settings.quantiles = {0, 0.3, 0.5, 1};
  settings.histograms = {{"energy", 0.1, 9, 7}};
  return request_of(typical({ensemble_bodies::heavy_top()}), "rkmk-4", settings, {.step = 0.05, .steps = 3});
}

// Every digit: JSON has shortest numbers, which are different where doubles are.
TEST(WholeOfRanks, IsThatOfOneProcess) {
  for (const long long bodies : {230, 3}) {
    const EnsembleRequest request = request_with_failures(bodies);
    const nlohmann::json one = known(to_json(Ensemble(request).follow()));
    ASSERT_EQ(one["failures"].size(), bodies == 230 ? 14U : 0U);
    for (const int count : {1, 2, 4, 7}) {
      const EnsembleResult whole = followed_by(count, request);
      EXPECT_EQ(known(to_json(whole)), one) << count << " ranks, " << bodies << " bodies";
      EXPECT_EQ(whole.about.ranks, count);
      EXPECT_FALSE(whole.interrupted);
    }
  }
}

TEST(WholeOfRanks, ListsTheFirstFailuresOfAll) {
  EnsembleRequest request = request_with_failures(2200);
  request.ensemble.quantiles.clear();
  const EnsembleResult one = Ensemble(request).follow(), whole = followed_by(3, request);
  ASSERT_EQ(one.failures.size(), 100U);
  ASSERT_EQ(whole.failures.size(), 100U);
  EXPECT_EQ(whole.failed, 130U) << "3, 20, ..., 2196";
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(whole.failures[i].body, one.failures[i].body);
    EXPECT_EQ(whole.failures[i].reason, one.failures[i].reason);
    EXPECT_EQ(whole.failures[i].time, one.failures[i].time);
  }
}

#if defined(POLHODE_PROGRAM)

// Started by hand as one of two: the library of ranks is not beside a copy of the program.
TEST(Ranks, AreToldWhereTheyCannotBe) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const std::string lines = "cp '" POLHODE_PROGRAM "' alone; export OMPI_COMM_WORLD_SIZE=2; ";
  const Outcome first = shell(folder, lines + "OMPI_COMM_WORLD_RANK=0 ./alone ensemble x.toml");
  EXPECT_EQ(first.code, 69);
  EXPECT_EQ(first.err,
            "polhode: started as one of 2 ranks, and this Polhode was built without MPI; install libopenmpi-dev and "
            "openmpi-bin and build it again, or follow parts (--shard I/N --mpi off)\n");
  const Outcome second = shell(folder, lines + "OMPI_COMM_WORLD_RANK=1 ./alone ensemble x.toml");
  EXPECT_EQ(second.code, 0) << "the first one answers";
  EXPECT_EQ(second.err, "");
  const Outcome off =
      shell(folder, lines + "OMPI_COMM_WORLD_RANK=1 ./alone ensemble x.toml --mpi off --shard 1/3 -o 1.h5");
  EXPECT_EQ(off.code, 0);
  EXPECT_THAT(off.err, HasSubstr("30 bodies in '1.h5'"));
}

#if defined(POLHODE_MPIRUN) && defined(POLHODE_HDF5)

// On one machine that may be a container with root and few cores.
const std::string environment =
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
    "OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none "
    "OMPI_MCA_plm=isolated ASAN_OPTIONS=detect_leaks=0\n";  // of leaks that are not ours

Outcome mpirun(const TestFolder& folder, int ranks, const std::string& words, const std::string& before = "") {
  return shell(folder, environment + before + "'" POLHODE_MPIRUN "' -n " + std::to_string(ranks) + " " + words);
}
Outcome in_ranks(const TestFolder& folder, int ranks, const std::string& words) {
  return mpirun(folder, ranks, "'" POLHODE_PROGRAM "' " + words);
}

std::string file_of_rank(int rank, int count) {
  return "a.rank-" + std::to_string(rank) + "-of-" + std::to_string(count) + ".h5";
}

TEST(OpenMpi, GivesTheBitsOfOneProcess) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const nlohmann::json one = known(polhode(folder, {"ensemble", "x.toml", "-o", "whole.h5", "--json"}).out);
  for (const int count : {1, 2, 4}) {
    const Outcome run =
        in_ranks(folder, count, "ensemble x.toml -o a.h5 --json --threads " + std::to_string(count % 3));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(known(run.out), one);
    if (count == 1) {
      EXPECT_THAT(run.err, HasSubstr("polhode: 90 bodies in 'a.h5'\n"));
      continue;
    }
    const std::string files = "a.rank-*-of-" + std::to_string(count) + ".*h5";
    EXPECT_THAT(run.err, HasSubstr("polhode: 90 bodies in " + std::to_string(count) +
                                   " files; to join them: polhode merge " + files + " --output a.h5\n"));
    EXPECT_EQ(shell(folder, "polhode merge " + files + " -o joined.h5").code, 0);
    EXPECT_THAT(different_in(folder.file("whole.h5"), folder.file("joined.h5")), IsEmpty()) << count;
  }
}

TEST(OpenMpi, ErrorsAreSaidOnce) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const struct {
    std::string words;
    int code;
    std::string sentence;
  } calls[] = {{"none.toml", 66, "polhode: cannot read 'none.toml': No such file or directory; check the name\n"},
               {"x.toml --bodis 3", 2, "polhode: no flag named '--bodis'; nearest: --bodies\n"},
               {"x.toml -o a.csv", 2, "polhode: --output: 'a.csv' is not HDF5, and ranks write a file each"}};
  for (const auto& call : calls) {
    const Outcome run = in_ranks(folder, 2, "ensemble " + call.words);
    EXPECT_EQ(run.code, call.code) << run.err;
    EXPECT_EQ(run.out, "");
    const std::size_t at = run.err.find(call.sentence);
    EXPECT_NE(at, std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("polhode: ", at + 1), std::string::npos) << run.err;
  }
}

TEST(OpenMpi, OneRankThatFailsEndsAllAndIsNamed) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const std::string kept = folder.write(file_of_rank(2, 3), "kept\n");
  chmod(kept.c_str(), 0444);
  const Outcome run = in_ranks(folder, 3, "ensemble x.toml -o a.h5");
  EXPECT_EQ(run.code, 74) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("polhode: cannot write 'a.rank-2-of-3.h5': Permission denied; it is read-only; name another "
                        "file, or make it writable (rank 2 of 3)\n"));
  EXPECT_THAT(folder.names(), ::testing::UnorderedElementsAre("x.toml", "a.rank-2-of-3.h5"));
}

// The second rank has endless work, until the files of the others are there and it is killed.
TEST(OpenMpi, WhatAKilledRankLeavesMissingIsFilledIn) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  ASSERT_EQ(polhode(folder, {"ensemble", "x.toml", "-o", "whole.h5"}).code, 0);
  const std::string rank = folder.write(
      "rank",
      "if [ $OMPI_COMM_WORLD_RANK != 1 ]; then exec '" POLHODE_PROGRAM "' \"$@\"; fi\n'" POLHODE_PROGRAM
      "' \"$@\" --steps 1000000000 &\nuntil [ -e a.rank-1-of-4.h5 -a -e a.rank-3-of-4.h5 -a -e a.rank-4-of-4.h5 ]; "
      "do sleep 0.02; done\nkill -9 $!\nkill -9 $$\n");
  const Outcome run = mpirun(folder, 4, "bash ./rank ensemble x.toml -o a.h5");
  EXPECT_NE(run.code, 0);
  const Outcome refused = shell(folder, "polhode merge a.rank-*-of-4.*h5 -o joined.h5");
  EXPECT_EQ(refused.code, 65);
  EXPECT_THAT(refused.err,
              HasSubstr("23 of 90 bodies are missing: bodies 23 to 45, part 2 of 4; 'polhode ensemble SCENARIO "
                        "--shard 2/4 --only-missing' follows those of part 2"));
  // By one process, or by all ranks once more.
  const std::string again[] = {"polhode ensemble x.toml --shard 2/4 --only-missing --output a.rank-2-of-4.h5",
                               "'" POLHODE_MPIRUN "' -n 4 '" POLHODE_PROGRAM
                               "' ensemble x.toml --only-missing -o a.h5"};
  for (const std::string& line : again) {
    std::filesystem::remove(folder.file(file_of_rank(2, 4)));
    const Outcome filled = shell(folder, environment + line + " && polhode merge a.rank-*-of-4.*h5 -o joined.h5");
    EXPECT_EQ(filled.code, 0) << filled.err;
    EXPECT_THAT(different_in(folder.file("whole.h5"), folder.file("joined.h5")), IsEmpty());
    std::filesystem::remove(folder.file("joined.h5"));
  }
}

#else

TEST(OpenMpi, IsNotThere) { GTEST_SKIP() << "no MPI (tools/bootstrap mpi) or no HDF5: ranks are not tested"; }

#endif
#endif

}  // namespace
}  // namespace polhode::ensemble_ranks_test
