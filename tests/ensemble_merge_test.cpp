// Parts of ensembles, joined or completed: the bits of what is followed in one go, which takes other ways to its statistics.
#include "polhode/ensemble/merge.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "ensemble_bodies.hpp"
#include "hdf5_contents.hpp"
#include "io_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/ensemble/files.hpp"

namespace polhode::ensemble_merge_test {
namespace {

using ensemble_bodies::request_of;
using ensemble_bodies::typical;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

#if defined(POLHODE_HDF5)

// Some spin so fast that their step fails; what else a file can hold is there, too.
EnsembleRequest rich(long long bodies) {
  EnsembleRequest request =
      request_of(typical({ensemble_bodies::heavy_top()}), "rkmk-4", {}, {.step = 0.05, .steps = 4});
  std::vector<double> rows;
  for (long long i = 0; i < bodies; ++i)
    rows.insert(rows.end(),
                {0.1 * static_cast<double>(i % 50), 0.3 - 0.01 * static_cast<double>(i % 7), i % 9 == 4 ? 1e160 : 0.5});
  DrawnKey velocity{"start.angular_velocity_body", {Distribution::Kind::table}};
  velocity.distribution.rows = std::make_shared<std::vector<double>>(rows);
  velocity.distribution.width = 3;
  request.ensemble.bodies = bodies;
  request.ensemble.drawn = {{"start.attitude", {Distribution::Kind::rotations}}, velocity};
  request.ensemble.snapshots = {0.05, 0.13};
  request.ensemble.histograms = {{"energy", 0.1, 11.7, 7}, {"passage_over", 0, 0.2, 3}};
  request.ensemble.quantiles = {0.5, 0, 0.99, 1.0 / 3, 1};
  request.run.quantities = {{"tilt", "acos(Rzz)"}};
  request.run.shown_quantities = {"tilt"};
  request.run.events = {{"over", "wy - 0.1"}, {"up/down", "wx - wy"}, {"over", "wz"}};
  request.run.title = "rich";
  request.run.text = "[ensemble]\n";
  request.chunk = 16;
  return request;
}

std::string follow(EnsembleRequest request, const std::string& path, const EnsembleParts* kept = nullptr) {
  const auto file = open_ensemble_file(path);
  Ensemble(std::move(request)).follow(file.get(), {}, kept);
  return file->place();
}

EnsembleRequest part_of(EnsembleRequest request, std::uint64_t part, std::uint64_t parts) {
  request.part = part;
  request.parts = parts;
  return request;
}

// Parts in files of these names, which are returned.
std::vector<std::string> follow_parts(const TestFolder& folder, const EnsembleRequest& request, std::uint64_t parts) {
  std::vector<std::string> files;
  for (std::uint64_t part = 1; part <= parts; ++part)
    files.push_back(follow(part_of(request, part, parts), folder.file(std::to_string(part) + ".h5")));
  return files;
}

EnsembleResult merge_into(const std::string& path, const std::vector<std::string>& files) {
  const auto file = open_ensemble_file(path);
  return merge(EnsembleParts(files), file.get());
}

// Hands on some chunks, and stops the ensemble.
class Interrupting final : public EnsembleWriter {
 public:
  Interrupting(EnsembleWriter& to, int chunks) : to_(to), left_(chunks) {}
  const std::atomic<bool>& stop() const { return stop_; }

  void begin(const EnsembleAbout& about) override { to_.begin(about); }
  void chunk(const EnsembleChunk& chunk) override {
    to_.chunk(chunk);
    if (--left_ == 0) stop_ = true;
  }
  void end(const EnsembleResult& result) override { to_.end(result); }

 private:
  EnsembleWriter& to_;
  int left_;
  std::atomic<bool> stop_{false};
};

// What is left of an ensemble after so many chunks: its place.
std::string interrupt(EnsembleRequest request, const std::string& path, int chunks,
                      const EnsembleParts* kept = nullptr) {
  const auto file = open_ensemble_file(path);
  Interrupting interrupting(*file, chunks);
  Ensemble(std::move(request)).follow(&interrupting, {{}, &interrupting.stop(), {}}, kept);
  return file->place();
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    return error.what();
  }
  ADD_FAILURE() << "was not refused";
  return "";
}
std::string refusal(const std::vector<std::string>& files) {
  return refusal([&] { EnsembleParts(files).check_whole(); });
}

TEST(Merge, GivesTheBitsOfTheWhole) {
  const TestFolder folder;
  const EnsembleRequest request = rich(500);
  const std::string whole = follow(request, folder.file("whole.h5"));
  for (const std::uint64_t parts : {1, 2, 7}) {
    std::vector<std::string> files = follow_parts(folder, request, parts);
    std::rotate(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(parts / 2), files.end());
    const EnsembleResult result = merge_into(folder.file("merged.h5"), files);
    EXPECT_EQ(result.followed, 500U);
    EXPECT_EQ(result.failed, 56U) << "4, 13, ..., 499";
    for (std::size_t k = 0; k < result.quantiles.size(); ++k) {
      if (result.statistics[k].tally.count() == 0) continue;  // an event that no body had
      EXPECT_EQ(result.quantiles[k].values[1], result.statistics[k].tally.least()) << "without those that failed";
      EXPECT_EQ(result.quantiles[k].values[4], result.statistics[k].tally.largest());
    }
    EXPECT_THAT(different_in(whole, folder.file("merged.h5")), IsEmpty()) << parts << " parts";
  }
  const Contents all = contents_of(whole);
  for (const char* name :
       {"histograms/4", "quantiles/value", "snapshots/1/energy", "passages/over_2", "failures/reason"})
    EXPECT_TRUE(all.contains(name)) << name;
}

// Sentences are kept of the first thousand: of the whole, and not of every part.
TEST(Merge, KeepsTheFirstThousandReasons) {
  const TestFolder folder;
  EnsembleRequest request = rich(10800);
  request.run.events.clear();
  request.ensemble.histograms.clear();
  request.ensemble.quantiles.clear();
  request.chunk = 0;
  const std::string whole = follow(request, folder.file("whole.h5"));
  merge_into(folder.file("merged.h5"), follow_parts(folder, request, 3));
  EXPECT_THAT(different_in(whole, folder.file("merged.h5")), IsEmpty());
}

TEST(Merge, WritesCsvAsTheWholeDoes) {
  const TestFolder folder;
  EnsembleRequest request = rich(60);
  follow(request, folder.file("whole.csv"));
  std::vector<std::string> files = follow_parts(folder, request, 3);
  std::swap(files[0], files[2]);
  merge_into(folder.file("merged.csv"), files);
  EXPECT_EQ(read_file(folder.file("merged.csv")), read_file(folder.file("whole.csv")));
}

TEST(Merge, TakesInterruptedPartsAsFarAsTheyWent) {
  const TestFolder folder;
  const EnsembleRequest request = rich(300);
  const std::string whole = follow(request, folder.file("whole.h5")),
                    first = follow(part_of(request, 1, 2), folder.file("1.h5")),
                    half = interrupt(part_of(request, 2, 2), folder.file("2.h5"), 3);
  ASSERT_THAT(half, EndsWith("2.partial.h5"));
  EXPECT_EQ(
      refusal({first, half}),
      "102 of 300 bodies are missing: bodies 198 to 299 of '" + half +
          "' (ended after 48 of 150 bodies); 'polhode ensemble SCENARIO --shard 2/2 --only-missing' follows those of "
          "part 2");
  // The rest is in parts of another size.
  EnsembleRequest rest = part_of(request, 2, 2);
  const EnsembleParts kept({half});
  struct Others final : EnsembleWriter {
    explicit Others(EnsembleWriter& to) : to_(to) {}
    void begin(const EnsembleAbout& about) override { to_.begin(about); }
    void chunk(const EnsembleChunk& chunk) override {
      if (chunk.first >= 198) to_.chunk(chunk);
    }
    void end(const EnsembleResult& result) override { to_.end(result); }
    EnsembleWriter& to_;
  };
  const auto file = open_ensemble_file(folder.file("rest.h5"));
  Others others(*file);
  Ensemble(rest).follow(&others);
  merge_into(folder.file("merged.h5"), {folder.file("rest.h5"), half, first});
  EXPECT_THAT(different_in(whole, folder.file("merged.h5")), IsEmpty());
}

TEST(Merge, TellsWhatIsMissingAndWhatIsThereTwice) {
  const TestFolder folder;
  const EnsembleRequest request = rich(103);
  const std::vector<std::string> files = follow_parts(folder, request, 5);  // of 21, 21, 21, 20, 20
  EXPECT_EQ(
      refusal({files[0], files[2]}),
      "61 of 103 bodies are missing: bodies 21 to 41, part 2 of 5, and bodies 63 to 102, parts 4 to 5 of 5; 'polhode "
      "ensemble SCENARIO --shard 2/5 --only-missing' follows those of part 2");
  EXPECT_THAT(refusal({files[0], files[1], files[2], files[3]}), HasSubstr(": bodies 83 to 102, part 5 of 5;"));
  EXPECT_EQ(refusal({files[0], files[1], files[0]}), "'" + files[0] + "' is given twice; name it once");
  const std::string half = follow(part_of(request, 2, 2), folder.file("half.h5"));  // from 52 on
  EXPECT_EQ(refusal({files[0], files[1], files[2], half}),
            "bodies 52 to 62 are in '" + files[2] + "' and in '" + half + "'; give one of the two files");
  EXPECT_EQ(refusal({files[0], half}),
            "31 of 103 bodies are missing: bodies 21 to 51, which none of the files is for; 'polhode ensemble SCENARIO "
            "--only-missing' follows them");
}

TEST(Merge, KnowsHowManyPartsThereAre) {
  const TestFolder folder;
  const EnsembleRequest request =
      request_of(typical(), "lie-verlet", ensemble_bodies::drawn(103, false), {.step = 0.05, .steps = 1});
  for (const std::uint64_t parts : {2, 3, 50, 103, 120}) {
    const std::vector<std::string> files = follow_parts(folder, request, parts);
    const std::uint64_t with_bodies = std::min<std::uint64_t>(parts, 103);
    for (const std::uint64_t gone : {std::uint64_t{1}, with_bodies / 2 + 1, with_bodies}) {
      std::vector<std::string> some = files;
      some.erase(some.begin() + static_cast<std::ptrdiff_t>(gone - 1));
      EXPECT_THAT(refusal(some), HasSubstr(fmt::format("--shard {}/{} ", gone, with_bodies)));
    }
  }
}

TEST(Merge, RefusesWhatIsNoPartOfTheSame) {
  const TestFolder folder;
  const EnsembleRequest request = rich(40);
  const std::string first = follow(part_of(request, 1, 2), folder.file("first.h5"));
  const auto why = [&](const std::function<void(EnsembleRequest&)>& change) {
    EnsembleRequest other = part_of(request, 2, 2);
    change(other);
    const std::string file = follow(other, folder.file("other.h5"));
    const std::string sentence = refusal({first, file});
    EXPECT_THAT(sentence, HasSubstr("'" + file + "'"));
    EXPECT_THAT(sentence, EndsWith("; give parts of one ensemble"));
    return sentence;
  };
  EXPECT_THAT(why([](auto& other) { other.ensemble.seed = 9; }), HasSubstr("its seed is 9 and not 1;"));
  EXPECT_THAT(why([](auto& other) { other.ensemble.bodies = 38; }), HasSubstr("its bodies is 38 and not 40;"));
  EXPECT_THAT(why([](auto& other) { other.run.run.method = "lie-verlet"; }),
              HasSubstr("its method is lie-verlet and not rkmk-4"));
  EXPECT_THAT(why([](auto& other) { other.run.run.step = 0.04; }), HasSubstr("its step is 0.04 and not 0.05"));
  EXPECT_THAT(why([](auto& other) { other.run.run.steps = 5; }), HasSubstr("its steps is 5 and not 4"));
  EXPECT_THAT(why([](auto& other) { other.run.text += "# a word\n"; }), HasSubstr("its scenario is another one"));
  EXPECT_THAT(why([](auto& other) { other.ensemble.snapshots = {0.05}; }), HasSubstr("snapshots at other times"));
  const std::string other_numbers =
      "its bodies are drawn from other numbers, though the scenario is the same: a table that it names has changed";
  EXPECT_THAT(why([](auto& other) {
                auto& rows = other.ensemble.drawn[1].distribution.rows;
                std::vector<double> changed = *rows;
                changed.back() += 1e-9;
                rows = std::make_shared<std::vector<double>>(changed);
              }),
              HasSubstr(other_numbers));
  EXPECT_THAT(why([](auto& other) { other.run.setup.motion.value.x += 1e-9; }), HasSubstr(other_numbers));
  EXPECT_THAT(why([](auto& other) { other.run.events[1].name = "down/up"; }), HasSubstr("it has other events"));
  EXPECT_THAT(why([](auto& other) { other.ensemble.histograms[0].bins = 8; }),
              HasSubstr("other histograms or quantiles"));
  EXPECT_THAT(why([](auto& other) { other.ensemble.quantiles.pop_back(); }),
              HasSubstr("other histograms or quantiles"));
}

TEST(Merge, RefusesWhatIsNoFileOfAnEnsemble) {
  const TestFolder folder;
  const std::string part = follow(part_of(rich(40), 1, 2), folder.file("a.h5"));
  EXPECT_THAT(refusal({part, folder.write("b.h5", "text\n")}), HasSubstr("is not an HDF5 file, or not a whole one"));
  EXPECT_THAT(refusal({part, folder.write("cut.h5", read_file(part).substr(0, 20000))}), HasSubstr("not a whole one"));
  EXPECT_THAT(refusal({part, folder.write("c.csv", "body\n")}), HasSubstr("is CSV, and parts are read from HDF5"));
  { const hdf5::File other(H5Fcreate(folder.file("d.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)); }
  EXPECT_THAT(refusal({folder.file("d.h5"), part}), HasSubstr("is no file of an ensemble"));
  {
    folder.write("e.h5", read_file(part));
    const hdf5::File damaged(H5Fopen(folder.file("e.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Ldelete(damaged.id(), "end/energy", H5P_DEFAULT);
  }
  EXPECT_THAT(refusal({folder.file("e.h5")}), HasSubstr("'end/energy' is missing or cannot be read"));
  try {
    EnsembleParts({part, folder.file("none.h5")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::file_missing);
  }
}

TEST(Merge, LeavesNothingWhereItIsStopped) {
  const TestFolder folder;
  const std::vector<std::string> files = follow_parts(folder, rich(100), 2);
  const std::atomic<bool> stop{true};
  const std::string older = folder.write("whole.h5", "older\n");
  {
    const auto file = open_ensemble_file(older);
    EXPECT_THROW(merge(EnsembleParts(files), file.get(), {{}, &stop, {}}), Error);
  }
  EXPECT_EQ(read_file(older), "older\n");
  EXPECT_THAT(folder.names(), ::testing::UnorderedElementsAre("1.h5", "2.h5", "whole.h5"));
}

TEST(OnlyMissing, CompletesWhatWasInterrupted) {
  const TestFolder folder;
  const EnsembleRequest request = part_of(rich(400), 2, 2);
  const std::string whole = follow(request, folder.file("whole.h5"));
  const std::string once = interrupt(request, folder.file("a.h5"), 4);
  // Interrupted again: what there was is kept.
  const EnsembleParts first({once});
  const std::string again = interrupt(request, folder.file("b.h5"), 8, &first);
  const EnsembleParts second({again});
  EXPECT_THAT(first.bodies_in({0, 400}), ::testing::ElementsAre(BodyRange{200, 264}));
  ASSERT_EQ(second.bodies_in({0, 400}).front().first, 200U);
  EXPECT_GT(second.bodies_in({0, 400}).front().last, 264U);
  const auto file = open_ensemble_file(folder.file("c.h5"));
  const EnsembleResult result = Ensemble(request).follow(file.get(), {}, &second);
  EXPECT_EQ(result.followed, 200U);
  EXPECT_EQ(result.kept, second.bodies_in({0, 400}).front().last - 200);
  EXPECT_THAT(different_in(whole, folder.file("c.h5")), IsEmpty());
}

// In whatever files and order; what is there is not followed again.
TEST(OnlyMissing, TakesBodiesAsTheyAreThere) {
  const TestFolder folder;
  const EnsembleRequest request = rich(200);
  const std::string whole = follow(request, folder.file("whole.h5"));
  const std::vector<std::string> files = follow_parts(folder, request, 5);
  const EnsembleParts all(files), some({files[3], files[1]});
  const EnsembleResult of_all = Ensemble(request).follow(nullptr, {}, &all);
  EXPECT_EQ(of_all.kept, 200U);
  EXPECT_EQ(of_all.body_steps_per_second, 0) << "nothing was left to follow";
  follow(request, folder.file("joined.h5"), &some);
  EXPECT_THAT(different_in(whole, folder.file("joined.h5")), IsEmpty());
  // Some bodies in two files, and one file within another.
  const std::string half = follow(part_of(request, 2, 2), folder.file("half.h5"));
  const EnsembleParts overlapping({files[2], half, files[3]});
  EXPECT_EQ(Ensemble(request).follow(nullptr, {}, &overlapping).kept, 120U) << "80 to 119, and 100 to 199";
  follow(request, folder.file("joined.h5"), &overlapping);
  EXPECT_THAT(different_in(whole, folder.file("joined.h5")), IsEmpty());
}

TEST(OnlyMissing, RefusesBodiesOfAnotherEnsemble) {
  const TestFolder folder;
  EnsembleRequest request = rich(40);
  const std::string file = follow(request, folder.file("a.h5"));
  request.ensemble.seed = 2;
  const EnsembleParts kept({file});
  EXPECT_EQ(refusal([&] { Ensemble(request).follow(nullptr, {}, &kept); }),
            "'" + file +
                "' is of another ensemble than this one: its seed is 1 and not 2; name another file, or follow all "
                "bodies again");
}

// A motor that stands still in the typical body and in the first may run in the first body of a part.
TEST(Parts, AgreeOnWhetherEnergyIsConserved) {
  EnsembleRequest request = request_of(typical(), "lie-midpoint", {});
  request.run.setup.wheels = {{.axis = {0, 0, 1}, .inertia = 0.1, .speed = 10, .torque = 0.0}};
  DrawnKey torque{"body.wheels[0].torque", {Distribution::Kind::table}};
  std::vector<double> rows(10, 0.0);
  rows[5] = 0.1;
  torque.distribution.rows = std::make_shared<std::vector<double>>(rows);
  torque.distribution.width = 1;
  request.ensemble.bodies = 10;
  request.ensemble.drawn = {torque};
  const bool of_whole = Ensemble(request).about().energy_conserved;
  for (std::uint64_t part : {1, 2}) EXPECT_EQ(Ensemble(part_of(request, part, 2)).about().energy_conserved, of_whole);
}

#endif

}  // namespace
}  // namespace polhode::ensemble_merge_test
