// Files of ensembles, from made-up chunks in any order: every number tells its body, its time and its column.
#include "polhode/ensemble/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "io_support.hpp"
#include "polhode/core/error.hpp"

#if defined(POLHODE_HDF5)
#include "io/hdf5/attributes.hpp"
#endif

namespace polhode::ensemble_files_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

EnsembleAbout about_of(std::uint64_t first, std::uint64_t last) {
  EnsembleAbout about;
  about.version = "1.2.3";
  about.title = "made-up";
  about.scenario = "[ensemble]\nbodies = 20000  # \u03c9\n";
  about.method = "taylor-4";
  about.step = 0.1;
  about.steps = 30;
  about.begin = 1;
  about.end = 4;
  about.bodies = 20000;
  about.first = first;
  about.last = last;
  about.seed = std::numeric_limits<unsigned long long>::max();
  about.data = "made-up numbers";
  about.free = about.energy_conserved = about.has_attitude_error = true;
  about.snapshots = {2, 2.75};
  about.passages = {"noon", "dusk"};
  about.quantities = {"tilt"};
  return about;
}

// The places of states: 0 for the start, then the snapshots, then the end.
double state_number(std::size_t time, std::size_t column, std::uint64_t body) {
  return static_cast<double>(body) + 0.001 * static_cast<double>(100 * time + column);
}
// Counted as in EnsembleChunk: errors, passages, quantities.
double body_number(std::size_t column, std::uint64_t body) {
  return -static_cast<double>(body) - 0.001 * static_cast<double>(column + 1);
}
bool fails(std::uint64_t body) { return body % 7 == 3; }
std::string reason_of(std::uint64_t body) { return "no solution for body " + std::to_string(body) + "; smaller steps"; }

void fill(std::vector<double>& values, std::size_t width, std::size_t column, std::size_t time, std::uint64_t first) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = state_number(time, column + i % width, first + i / width);
}
void fill(BodyStates& states, std::size_t time, std::uint64_t first) {
  fill(states.attitude_wxyz, 4, 0, time, first);
  fill(states.angular_velocity_body, 3, 4, time, first);
  fill(states.angular_momentum_spatial, 3, 7, time, first);
  fill(states.energy, 1, 10, time, first);
}

EnsembleChunk made_up(const EnsembleAbout& about, std::uint64_t first, std::size_t count) {
  EnsembleChunk chunk(about, first, count);
  fill(chunk.start, 0, first);
  for (std::size_t k = 0; k < chunk.snapshots.size(); ++k) fill(chunk.snapshots[k], k + 1, first);
  fill(chunk.end, chunk.snapshots.size() + 1, first);
  std::vector<std::vector<double>*> columns{&chunk.energy_error, &chunk.momentum_error, &chunk.attitude_error};
  for (auto& passage : chunk.passages) columns.push_back(&passage);
  for (auto& quantity : chunk.quantities) columns.push_back(&quantity);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t i = 0; i < columns[k]->size(); ++i) (*columns[k])[i] = body_number(k, first + i);
  for (std::size_t i = 0; i < count; ++i) {
    if (!fails(first + i)) continue;
    chunk.end_time[i] = 1.5;
    chunk.failures.push_back({first + i, 6, 1.5, reason_of(first + i)});
  }
  return chunk;
}

// Chunks of many sizes, in an order of their own.
std::vector<EnsembleChunk> shuffled(const EnsembleAbout& about, unsigned seed, std::size_t largest) {
  std::mt19937 random(seed);
  std::vector<EnsembleChunk> chunks;
  for (std::uint64_t at = about.first; at < about.last; at += chunks.back().count) {
    const auto wanted = std::uniform_int_distribution<std::size_t>(1, largest)(random);
    chunks.push_back(made_up(about, at, std::min<std::uint64_t>(wanted, about.last - at)));
  }
  std::shuffle(chunks.begin(), chunks.end(), random);
  return chunks;
}

EnsembleResult result_of(const EnsembleAbout& about, const std::string& incomplete = "") {
  EnsembleResult result;
  result.about = about;
  result.incomplete = incomplete;
  result.interrupted = !incomplete.empty();
  return result;
}

// Returns where it is.
std::string write(const std::string& path, const EnsembleResult& result, const std::vector<EnsembleChunk>& chunks) {
  const auto file = open_ensemble_file(path);
  file->begin(result.about);
  for (const EnsembleChunk& chunk : chunks) file->chunk(chunk);
  file->end(result);
  return file->place();
}
std::string write(const std::string& path, const EnsembleAbout& about, const std::vector<EnsembleChunk>& chunks) {
  return write(path, result_of(about), chunks);
}

std::vector<double> numbers_in(const std::string& row) {
  std::vector<double> numbers;
  std::istringstream cells(row);
  for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::strtod(cell.c_str(), nullptr));
  return numbers;
}

void expect_same(double found, double wanted, const std::string& where) {
  if (std::isnan(wanted) ? !std::isnan(found) : found != wanted)
    ADD_FAILURE() << where << ": " << found << " for " << wanted;
}

constexpr std::size_t columns_of_a_state = 11, columns_of_a_body = 6;

TEST(EnsembleCsv, EveryNumberIsAtItsPlaceAndBodiesAreInOrder) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(1000, 1500);
  ASSERT_EQ(write(folder.file("a.csv"), about, shuffled(about, 1, 40)), folder.file("a.csv"));
  const std::string text = read_file(folder.file("a.csv"));
  std::vector<std::string> table = table_of(text);
  EXPECT_EQ(
      table.front(),
      "body,t[s],qw,qx,qy,qz,wx_B[rad/s],wy_B[rad/s],wz_B[rad/s],Lx_S[kg m^2/s],Ly_S[kg m^2/s],Lz_S[kg m^2/s],E[J],"
      "energy_error,momentum_error,attitude_error[rad],passage_noon[s],passage_dusk[s],tilt");
  table.erase(table.begin());
  ASSERT_THAT(table, SizeIs(4 * 500));
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::uint64_t body = 1000 + row / 4;
    const std::size_t time = row % 4;
    const std::vector<double> cells = numbers_in(table[row]);
    ASSERT_THAT(cells, SizeIs(2 + columns_of_a_state + columns_of_a_body));
    EXPECT_EQ(cells[0], static_cast<double>(body));
    const double times[] = {1, 2, 2.75, fails(body) ? 1.5 : 4};
    EXPECT_EQ(cells[1], times[time]);
    for (std::size_t k = 0; k < columns_of_a_state; ++k)
      expect_same(cells[2 + k], state_number(time, k, body), table[row]);
    for (std::size_t k = 0; k < columns_of_a_body; ++k)
      expect_same(cells[2 + columns_of_a_state + k], time == 3 ? body_number(k, body) : nan, table[row]);
  }
}

TEST(EnsembleCsv, SaysWhereItCameFromAndWhatFailed) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(0, 12);
  write(folder.file("a.csv"), about, shuffled(about, 2, 3));
  const std::vector<std::string> lines = lines_of(read_file(folder.file("a.csv")));
  const std::vector<std::string> head(lines.begin(), lines.begin() + 15);
  EXPECT_THAT(head, ElementsAre("# version: 1.2.3", "# title: made-up", "# method: taylor-4", "# step: 0.1",
                                "# steps: 30", "# begin: 1", "# end: 4", "# bodies: 20000", "# first: 0", "# last: 12",
                                "# seed: 18446744073709551615", "# data: made-up numbers",
                                "# energy_conserved: yes", "#| [ensemble]",
                                "#| bodies = 20000  # \u03c9"));
  const std::string failed = "# failed: body 3, step 6, t = 1.5 s: no solution for body 3; smaller steps";
  const auto at = std::find(lines.begin(), lines.end(), failed);
  ASSERT_NE(at, lines.end());
  EXPECT_TRUE((at - 1)->starts_with("3,1.5,")) << "behind the last row of its body";
  EXPECT_TRUE((at + 1)->starts_with("4,1,"));
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("# failed"); }),
            2);
}

TEST(EnsembleCsv, IsTheSameWhateverTheOrderAndTheThreads) {
  const TestFolder folder;
  EnsembleAbout about = about_of(0, 700);
  write(folder.file("a.csv"), about, shuffled(about, 3, 50));
  about.threads = 7;
  about.instruction_set = "avx2";
  write(folder.file("b.csv"), about, shuffled(about, 4, 200));
  EXPECT_EQ(read_file(folder.file("a.csv")), read_file(folder.file("b.csv")));
}

TEST(EnsembleCsv, NamesOfEventsCanBeAnyText) {
  const TestFolder folder;
  EnsembleAbout about = about_of(0, 2);
  about.passages = {"first, or \"second\"", "pass #1"};
  write(folder.file("a.csv"), about, {made_up(about, 0, 2)});
  EXPECT_THAT(table_of(read_file(folder.file("a.csv"))).front(),
              HasSubstr(",\"passage_first, or \"\"second\"\"[s]\",\"passage_pass #1[s]\",tilt"));
}

TEST(EnsembleCsv, WithoutErrorsOfTheAttitudeThereIsNoColumn) {
  const TestFolder folder;
  EnsembleAbout about = about_of(0, 2);
  about.has_attitude_error = false;
  about.title = "";
  write(folder.file("a.csv"), about, {EnsembleChunk(about, 0, 2)});
  const std::string text = read_file(folder.file("a.csv"));
  EXPECT_THAT(table_of(text).front(),
              EndsWith("E[J],energy_error,momentum_error,passage_noon[s],passage_dusk[s],tilt"));
  EXPECT_EQ(text.find("title"), std::string::npos);
}

TEST(EnsembleCsv, AnInterruptedOneIsSetAsideWithAllThatWasDone) {
  const TestFolder folder;
  const std::string path = folder.write("a.csv", "older\n");
  const EnsembleAbout about = about_of(0, 30);
  const std::vector<EnsembleChunk> some{made_up(about, 20, 5), made_up(about, 0, 10), made_up(about, 15, 5)};
  EXPECT_EQ(write(path, result_of(about, "ended by SIGINT after 20 of 30 bodies"), some), folder.file("a.partial.csv"));
  EXPECT_EQ(read_file(path), "older\n");
  const std::string text = read_file(folder.file("a.partial.csv"));
  EXPECT_THAT(text, EndsWith("\n# incomplete: ended by SIGINT after 20 of 30 bodies\n"));
  std::vector<std::uint64_t> bodies;
  for (const std::string& row : table_of(text))
    if (!row.starts_with("body")) bodies.push_back(std::stoull(row));
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t body = 0; body < 25; ++body)
    if (body < 10 || body >= 15) wanted.insert(wanted.end(), 4, body);
  EXPECT_EQ(bodies, wanted);
  write(path, about, {made_up(about, 0, 30)});
  EXPECT_THAT(folder.names(), ElementsAre("a.csv")) << "a complete one removes the partial one";
}

TEST(EnsembleCsv, AFullDiskIsTold) {
  const EnsembleAbout about = about_of(0, 2000);
  try {
    write("/dev/full", about, shuffled(about, 5, 100));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input_output);
    EXPECT_STREQ(error.what(),
                 "cannot write '/dev/full': No space left on device; free some space, or write fewer rows");
  }
}

std::string refusal(const std::string& path) {
  std::string sentence;
  try {
    open_ensemble_file(path);
    ADD_FAILURE() << path;
  } catch (const std::invalid_argument& error) {
    sentence = error.what();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input_output);
    sentence = error.what();
  }
  try {
    check_ensemble_file(path);
    ADD_FAILURE() << path;
  } catch (const std::exception& error) {
    EXPECT_EQ(error.what(), sentence) << "beforehand, too";
  }
  return sentence;
}

TEST(EnsembleFile, IsRefusedByItsNameOrPlace) {
  const TestFolder folder;
  const std::string kept = folder.write("kept.csv", "kept\n");
  ::chmod(kept.c_str(), 0444);
  EXPECT_EQ(refusal("a.txt"),
            "'a.txt' is no name for a file of bodies, which are CSV (.csv) or HDF5 (.h5); name it 'a.csv'");
  EXPECT_THAT(refusal("b/a.ndjson"), EndsWith("name it 'b/a.csv'"));
  EXPECT_THAT(refusal("a"), EndsWith("name it 'a.csv'"));
  EXPECT_THAT(refusal("-.ndjson"), EndsWith("name it '-.csv'"));
  EXPECT_THAT(refusal(kept), HasSubstr("it is read-only; name another file, or make it writable"));
  EXPECT_THAT(refusal(folder.file("none/a.csv")), EndsWith("make its folder first"));
  EXPECT_THAT(refusal("-.h5"), HasSubstr("HDF5 cannot be written to '-.h5', which is not a file"));
  EXPECT_THAT(folder.names(), ElementsAre("kept.csv"));
  EXPECT_EQ(read_file(kept), "kept\n");
}

TEST(EnsembleFile, OneThatIsNotEndedLeavesNothing) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(0, 30);
  const std::string path = folder.write("a.csv", "older\n");
  check_ensemble_file(path);
  {
    const auto file = open_ensemble_file(path);
    file->begin(about);
    file->chunk(made_up(about, 10, 20));
    file->chunk(made_up(about, 0, 10));
  }
  EXPECT_THAT(folder.names(), ElementsAre("a.csv"));
  EXPECT_EQ(read_file(path), "older\n");
}

#if defined(POLHODE_HDF5)

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (!file_) throw std::runtime_error("cannot open " + path);
  }

  hid_t id() const { return file_.id(); }

  std::vector<hsize_t> shape(const std::string& name) const {
    const hdf5::Dataset set = open(name);
    const hdf5::Space space(H5Dget_space(set.id()));
    std::vector<hsize_t> extent(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
    H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
    return extent;
  }
  std::vector<double> numbers(const std::string& name) const {
    std::vector<double> values(size(name));
    if (H5Dread(open(name).id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      throw std::runtime_error("cannot read " + name);
    return values;
  }
  std::vector<std::string> texts(const std::string& name) const {
    const hdf5::Dataset set = open(name);
    const hdf5::Type type(H5Dget_type(set.id()));
    std::vector<char*> pointers(size(name));
    if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
      throw std::runtime_error("cannot read " + name);
    std::vector<std::string> texts(pointers.begin(), pointers.end());
    for (char* text : pointers) H5free_memory(text);
    return texts;
  }
  std::string text(const std::string& object, const char* attribute) const {
    const hdf5::Handle<H5Oclose> at(H5Oopen(file_.id(), object.c_str(), H5P_DEFAULT));
    return hdf5::text_attribute(at.id(), attribute).value_or("no attribute");
  }
  template <class Number>
  Number number(const std::string& object, const char* name) const {
    const hdf5::Attribute attribute(H5Aopen_by_name(file_.id(), object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT));
    const hid_t type = std::is_same_v<Number, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_ULLONG;
    Number number{};
    if (H5Aread(attribute.id(), type, &number) < 0) throw std::runtime_error(std::string("cannot read ") + name);
    return number;
  }
  // Names of all datasets.
  std::vector<std::string> datasets() const {
    std::vector<std::string> names;
    const auto note = [](hid_t file, const char* name, const H5L_info_t*, void* to) -> herr_t {
      const hdf5::Handle<H5Oclose> object(H5Oopen(file, name, H5P_DEFAULT));
      if (H5Iget_type(object.id()) == H5I_DATASET) static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    H5Lvisit(file_.id(), H5_INDEX_NAME, H5_ITER_INC, note, &names);
    return names;
  }

 private:
  hdf5::Dataset open(const std::string& name) const {
    return hdf5::Dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT));
  }
  std::size_t size(const std::string& name) const {
    std::size_t all = 1;
    for (const hsize_t n : shape(name)) all *= n;
    return all;
  }

  hdf5::File file_;
};

using Shape = std::vector<hsize_t>;

// All datasets of bodies; those that are not done are NaN.
void expect_bodies(const Reader& file, const EnsembleAbout& about, const std::function<bool(std::uint64_t)>& done) {
  const hsize_t bodies = about.last - about.first;
  const std::vector<std::string> times{"start", "snapshots/0", "snapshots/1", "end"};
  const struct {
    std::string name;
    std::size_t width, first;
  } groups[] = {
      {"attitude_wxyz", 4, 0}, {"angular_velocity_body", 3, 4}, {"angular_momentum_spatial", 3, 7}, {"energy", 1, 10}};
  for (std::size_t time = 0; time < times.size(); ++time) {
    for (const auto& group : groups) {
      const std::string name = times[time] + "/" + group.name;
      ASSERT_EQ(file.shape(name), group.width > 1 ? Shape({bodies, group.width}) : Shape({bodies})) << name;
      const std::vector<double> values = file.numbers(name);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t body = about.first + i / group.width;
        expect_same(values[i], done(body) ? state_number(time, group.first + i % group.width, body) : nan, name);
      }
    }
  }
  const std::vector<std::string> columns{"energy_error",  "momentum_error", "attitude_error",
                                         "passages/noon", "passages/dusk",  "quantities/tilt"};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    ASSERT_EQ(file.shape(columns[k]), Shape({bodies}));
    const std::vector<double> values = file.numbers(columns[k]);
    for (std::size_t i = 0; i < values.size(); ++i)
      expect_same(values[i], done(about.first + i) ? body_number(k, about.first + i) : nan, columns[k]);
  }
  const std::vector<double> ends = file.numbers("end/time");
  for (std::size_t i = 0; i < ends.size(); ++i)
    expect_same(ends[i], !done(about.first + i) ? nan : fails(about.first + i) ? 1.5 : 4, "end/time");
}

TEST(EnsembleHdf5, EveryNumberIsAtItsPlaceWhateverTheOrder) {
  const TestFolder folder;
  unsigned seed = 10;
  // Around the bodies of a chunk of the file (4096); some of the chunks are larger, and most lie across its bounds.
  for (const std::uint64_t bodies : {1, 40, 4095, 4096, 4097, 10000}) {
    const EnsembleAbout about = about_of(7, 7 + bodies);
    for (const std::size_t largest : {37, 1000, 9000}) {
      if (bodies > 40 * largest) continue;
      ASSERT_EQ(write(folder.file("a.h5"), about, shuffled(about, ++seed, largest)), folder.file("a.h5"));
      const Reader file(folder.file("a.h5"));
      expect_bodies(file, about, [](std::uint64_t) { return true; });
      EXPECT_THAT(file.numbers("done"), ElementsAre(7, 7 + static_cast<double>(bodies)));
    }
  }
}

TEST(EnsembleHdf5, AttributesSayWhatItIs) {
  const TestFolder folder;
  EnsembleAbout about = about_of(100, 140);
  about.threads = 3;
  about.instruction_set = "avx512";
  EnsembleResult result = result_of(about);
  result.statistics = {{"energy", std::nullopt, Tally()}};
  result.quantiles = {{"energy", std::nullopt, {0.5}, {1}}};
  write(folder.file("a.h5"), result, {made_up(about, 100, 40)});
  const Reader file(folder.file("a.h5"));
  EXPECT_EQ(file.text("/", "version"), "1.2.3");
  EXPECT_EQ(file.text("/", "title"), "made-up");
  EXPECT_EQ(file.text("/", "method"), "taylor-4");
  EXPECT_EQ(file.text("/", "scenario"), about.scenario);
  EXPECT_EQ(file.text("/", "energy_conserved"), "yes");
  EXPECT_EQ(file.text("/", "data"), "made-up numbers");
  EXPECT_EQ(file.number<double>("/", "step"), 0.1);
  EXPECT_EQ(file.number<double>("/", "begin"), 1);
  EXPECT_EQ(file.number<double>("/", "end"), 4);
  const std::pair<const char*, unsigned long long> counts[] = {{"layout", 1},  {"steps", 30}, {"bodies", 20000},
                                                               {"first", 100}, {"last", 140}, {"seed", about.seed}};
  for (const auto& [name, count] : counts) EXPECT_EQ(file.number<unsigned long long>("/", name), count) << name;
  EXPECT_EQ(H5Aexists(file.id(), "incomplete"), 0);
  EXPECT_EQ(file.number<unsigned long long>("how", "threads"), 3U);
  EXPECT_EQ(file.text("how", "instruction_set"), "avx512");
  EXPECT_EQ(file.text("how", "device"), "cpu");
  EXPECT_EQ(file.number<double>("start", "time"), 1);
  EXPECT_EQ(file.number<double>("snapshots/1", "time"), 2.75);
  const std::pair<const char*, const char*> units[] = {{"start/attitude_wxyz", "1"},
                                                       {"snapshots/0/angular_velocity_body", "rad/s"},
                                                       {"end/angular_momentum_spatial", "kg m^2/s"},
                                                       {"end/energy", "J"},
                                                       {"end/time", "s"},
                                                       {"attitude_error", "rad"},
                                                       {"passages/noon", "s"},
                                                       {"quantities/tilt", "1"},
                                                       {"energy_error", "1"}};
  for (const auto& [name, unit] : units) EXPECT_EQ(file.text(name, "units"), unit) << name;
  EXPECT_EQ(file.text("end/angular_velocity_body", "frame"), "body");
  EXPECT_EQ(file.text("start/angular_momentum_spatial", "frame"), "spatial");
  for (const std::string& name : file.datasets()) {
    if (name == "failures/reason") continue;
    const hdf5::Dataset set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT));
    EXPECT_GT(H5Aexists(set.id(), "units"), 0) << name;
  }
}

TEST(EnsembleHdf5, NamesOfEventsCanBeAnyText) {
  const TestFolder folder;
  EnsembleAbout about = about_of(0, 5);
  about.passages = {"a/b", "a_b", ".", "\u03c9 = 0", "dusk", "dusk", ".."};
  EnsembleChunk chunk(about, 0, 5);
  for (std::size_t k = 0; k < about.passages.size(); ++k)
    std::fill_n(chunk.passages[k].begin(), 5, static_cast<double>(k));
  write(folder.file("a.h5"), about, {chunk});
  const Reader file(folder.file("a.h5"));
  const std::string names[] = {"a_b", "a_b_2", "_", "\u03c9 = 0", "dusk", "dusk_2", ".."};
  for (std::size_t k = 0; k < about.passages.size(); ++k) {
    EXPECT_THAT(file.numbers("passages/" + names[k]), Each(static_cast<double>(k)));
    EXPECT_EQ(file.text("passages/" + names[k], "name"), about.passages[k]);
  }
}

TEST(EnsembleHdf5, FailuresAreInTheOrderOfTheBodies) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(0, 10000);
  write(folder.file("a.h5"), about, shuffled(about, 20, 300));
  const Reader file(folder.file("a.h5"));
  std::vector<double> bodies;
  std::vector<std::string> reasons;
  for (std::uint64_t body = 0; body < 10000; ++body) {
    if (!fails(body)) continue;
    bodies.push_back(static_cast<double>(body));
    if (reasons.size() < 1000) reasons.push_back(reason_of(body));
  }
  ASSERT_GT(bodies.size(), 1000U);
  EXPECT_EQ(file.numbers("failures/body"), bodies);
  EXPECT_THAT(file.numbers("failures/step"), Each(6));
  EXPECT_THAT(file.numbers("failures/time"), Each(1.5));
  EXPECT_EQ(file.texts("failures/reason"), reasons);
}

TEST(EnsembleHdf5, HasTheStatisticsOfTheResult) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(0, 5);
  EnsembleResult result = result_of(about);
  Tally speed(HistogramRequest{"angular_speed", 0, 2, 4}), noon;
  for (const double x : {-1.0, 0.25, 0.5, 1.75, 1.75, 2.5, nan}) speed.add(x);
  for (const double x : {3.0, 5.0}) noon.add(x);
  result.statistics = {
      {"angular_speed", 2.0, speed}, {"angular_speed", std::nullopt, speed}, {"passage_noon", std::nullopt, noon}};
  result.quantiles = {{"angular_speed", 2.0, {0.25, 0.5}, {7, 8}},
                      {"passage_noon", std::nullopt, {0.25, 0.5}, {9, 10}}};
  write(folder.file("a.h5"), result, {made_up(about, 0, 5)});
  const Reader file(folder.file("a.h5"));
  EXPECT_THAT(file.numbers("statistics/quantity"), ElementsAre(0, 0, 1));
  EXPECT_THAT(file.numbers("statistics/time"), ElementsAre(2, 4, 4));
  EXPECT_THAT(file.numbers("statistics/count"), ElementsAre(6, 6, 2));
  EXPECT_THAT(file.numbers("statistics/not_finite"), ElementsAre(1, 1, 0));
  EXPECT_THAT(file.numbers("statistics/least"), ElementsAre(-1, -1, 3));
  EXPECT_THAT(file.numbers("statistics/largest"), ElementsAre(2.5, 2.5, 5));
  EXPECT_THAT(file.numbers("statistics/mean"), ElementsAre(speed.mean(), speed.mean(), 4));
  EXPECT_THAT(file.numbers("statistics/deviation"), ElementsAre(speed.deviation(), speed.deviation(), std::sqrt(2.0)));
  for (const std::string group : {"histograms/0", "histograms/1"}) {
    EXPECT_EQ(file.text(group, "quantity"), "angular_speed");
    EXPECT_EQ(file.number<double>(group, "time"), group.ends_with('0') ? 2 : 4);
    EXPECT_EQ(file.number<unsigned long long>(group, "below"), 1U);
    EXPECT_EQ(file.number<unsigned long long>(group, "above"), 1U);
    EXPECT_THAT(file.numbers(group + "/bins"), ElementsAre(1, 1, 0, 2));
    EXPECT_THAT(file.numbers(group + "/edges"), ElementsAre(0, 0.5, 1, 1.5, 2));
    EXPECT_EQ(file.text(group + "/edges", "units"), "rad/s");
  }
  EXPECT_THAT(file.numbers("quantiles/quantity"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(file.numbers("quantiles/time"), ElementsAre(2, 2, 4, 4));
  EXPECT_THAT(file.numbers("quantiles/probability"), ElementsAre(0.25, 0.5, 0.25, 0.5));
  EXPECT_THAT(file.numbers("quantiles/value"), ElementsAre(7, 8, 9, 10));
}

TEST(EnsembleHdf5, DataAreTheSameWhateverTheOrderAndTheThreads) {
  const TestFolder folder;
  EnsembleAbout about = about_of(0, 9000);
  write(folder.file("a.h5"), about, shuffled(about, 30, 500));
  about.threads = 7;
  about.instruction_set = "avx2";
  write(folder.file("b.h5"), about, shuffled(about, 31, 3000));
  const Reader a(folder.file("a.h5")), b(folder.file("b.h5"));
  ASSERT_EQ(a.datasets(), b.datasets());
  EXPECT_GT(a.datasets().size(), 30U);
  for (const std::string& name : a.datasets()) {
    ASSERT_EQ(a.shape(name), b.shape(name)) << name;
    if (name == "failures/reason") {
      EXPECT_EQ(a.texts(name), b.texts(name));
    } else {
      const std::vector<double> ours = a.numbers(name), theirs = b.numbers(name);
      for (std::size_t i = 0; i < ours.size(); ++i) expect_same(ours[i], theirs[i], name);
    }
  }
}

TEST(EnsembleHdf5, AnInterruptedOneIsSetAsideWithAllThatWasDone) {
  const TestFolder folder;
  const std::string path = folder.write("a.h5", "older\n");
  const EnsembleAbout about = about_of(0, 9000);
  const std::vector<EnsembleChunk> some{made_up(about, 5000, 3000), made_up(about, 0, 100), made_up(about, 4000, 1000)};
  EXPECT_EQ(write(path, result_of(about, "ended by SIGINT after 4100 of 9000 bodies"), some),
            folder.file("a.partial.h5"));
  EXPECT_EQ(read_file(path), "older\n");
  {
    const Reader file(folder.file("a.partial.h5"));
    EXPECT_EQ(file.text("/", "incomplete"), "ended by SIGINT after 4100 of 9000 bodies");
    EXPECT_THAT(file.numbers("done"), ElementsAre(0, 100, 4000, 8000));
    expect_bodies(file, about, [](std::uint64_t body) { return body < 100 || (body >= 4000 && body < 8000); });
  }
  write(path, about, shuffled(about, 40, 4096));
  EXPECT_THAT(folder.names(), ElementsAre("a.h5")) << "a complete one removes the partial one";
}

TEST(EnsembleHdf5, OfNoBodiesAtAll) {
  const TestFolder folder;
  const EnsembleAbout about = about_of(5, 5);
  write(folder.file("a.h5"), about, {});
  const Reader file(folder.file("a.h5"));
  EXPECT_EQ(file.shape("end/attitude_wxyz"), Shape({0, 4}));
  EXPECT_EQ(file.shape("done"), Shape({0, 2}));
}

// The largest file that this program may write.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(EnsembleHdf5, AFullDiskLeavesNothingNew) {
  const TestFolder folder;
  const std::string path = folder.write("a.h5", "older\n");
  const EnsembleAbout about = about_of(0, 9000);
  const std::vector<EnsembleChunk> chunks = shuffled(about, 50, 1000);
  write(folder.file("b.h5"), about, chunks);
  const auto whole = static_cast<rlim_t>(std::filesystem::file_size(folder.file("b.h5")));
  std::filesystem::remove(folder.file("b.h5"));
  for (const rlim_t bytes : {rlim_t{1}, rlim_t{10000}, rlim_t{300000}, whole / 2, whole - 20000, whole - 1}) {
    const FileLimit limit(bytes);
    try {
      write(path, about, chunks);
      ADD_FAILURE() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input_output);
      EXPECT_EQ(error.what(),
                "cannot write '" + path + "': File too large; raise the limit (ulimit -f), or write fewer rows");
    }
    EXPECT_THAT(folder.names(), ElementsAre("a.h5"));
  }
  EXPECT_EQ(read_file(path), "older\n");
}

#else

TEST(EnsembleHdf5, IsToldWhereItIsNotThere) {
  const TestFolder folder;
  for (const auto& open : {+[](const std::string& path) { open_ensemble_file(path); }, &check_ensemble_file}) {
    try {
      open(folder.file("a.h5"));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::unavailable);
    }
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

#endif

}  // namespace
}  // namespace polhode::ensemble_files_test
