// The errors of a run against the reference's own file, and the drift of its energy from its own rows: both computed
// here, by other means than the program's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <numeric>

#include "plain_rotation.hpp"
#include "polhode/run/simulation.hpp"
#include "printed_table.hpp"

namespace polhode::run_errors_test {
namespace {

using nlohmann::json;
using Exact = boost::multiprecision::cpp_bin_float_50;
using plain_rotation::Matrix, plain_rotation::Vector;

// Digits of JSON that a double would cut off.
std::vector<Exact> digits_of(const std::string& text, const std::string& key) {
  const std::size_t begin = text.find('"' + key + "\": ") + key.size() + 4, list = text[begin] == '[' ? 1 : 0;
  const std::string numbers = text.substr(begin + list, text.find(list == 1 ? ']' : '\n', begin) - begin - list);
  std::vector<Exact> values;
  for (const std::string& number : split(numbers, ',')) {
    if (!words_of(number).empty()) values.emplace_back(words_of(number)[0]);
  }
  return values;
}

struct Moment {
  Matrix<Exact> attitude;
  Vector<Exact> momentum_B;
};

Moment moment_of(const std::vector<Exact>& q, const std::vector<Exact>& momentum) {
  return {plain_rotation::matrix_of<Exact>({q.at(0), q.at(1), q.at(2), q.at(3)}),
          {momentum.at(0), momentum.at(1), momentum.at(2)}};
}

Moment moment_of(const json& node) {
  const auto values = [](const json& list) {
    std::vector<Exact> numbers;
    for (const json& digits : list) numbers.emplace_back(digits.get<std::string>());
    return numbers;
  };
  return moment_of(values(node["attitude_wxyz"]), values(node["angular_momentum_body"]));
}

// Sines are exact where angles are small.
Exact angle(const Moment& a, const Moment& b, bool on_sphere) {
  if (!on_sphere) return plain_rotation::angle_between(a.attitude, b.attitude);
  const auto axis = [](const Moment& m) { return Vector<Exact>{m.attitude[0][2], m.attitude[1][2], m.attitude[2][2]}; };
  return atan2(plain_rotation::length(plain_rotation::cross(axis(a), axis(b))), plain_rotation::dot(axis(a), axis(b)));
}

struct Setting {
  const char* scalar;
  double unit;  // spacing of its numbers at 1
};

void expect_errors(const json& problem, const Setting& setting, std::size_t index) {
  const std::string name = problem["name"];
  const json file = json::parse(read_file(fmt::format("{}/data/references/{}.json", POLHODE_SOURCE_DIR, name)));
  const json& node = file["nodes"][index];
  const double time = number_in(node["t"]);
  // A step of which this time is a multiple, to the bit, and at which errors are much larger than rounding.
  double step = std::abs(time);
  while (step > problem["step"].get<double>()) step /= 2;
  const std::vector<std::string> run{"run",
                                     "--problem",
                                     name,
                                     "-m",
                                     "rkmk-4",
                                     "--duration",
                                     fmt::format("{}", time),
                                     "--step",
                                     fmt::format("{}", step),
                                     "--scalar",
                                     setting.scalar};
  SCOPED_TRACE(fmt::format("{}", fmt::join(run, " ")));
  const TestFolder folder;
  const std::string text = printed(folder, and_also(run, {"--json"}));
  EXPECT_EQ(json::parse(text)["time"], time);
  const Moment end = moment_of(digits_of(text, "attitude_wxyz"), digits_of(text, "angular_momentum_body"));
  const Moment exact = moment_of(node);
  const Exact attitude = angle(end, exact, problem["space"] == "S^2"),
              momentum = plain_rotation::length(plain_rotation::minus(end.momentum_B, exact.momentum_B));
  const Exact size = plain_rotation::length(exact.momentum_B);
  EXPECT_TRUE(size == 0 || attitude > 1e3 * setting.unit) << "nothing but rounding is seen of a body that moves";
  // The digits of the state are rounded to its scalar; those of the error as well.
  const Exact slack = 4 * setting.unit;
  EXPECT_LT(abs(digits_of(text, "attitude_error").at(0) - attitude), slack) << attitude;
  EXPECT_LT(abs(digits_of(text, "momentum_error").at(0) - momentum), slack * (size + 1)) << momentum;
}

TEST(RunErrors, AreDistancesFromTheReferenceFile) {
  const TestFolder folder;
  for (const json& problem : printed_json(folder, {"problems"})) {
    // Nodes lie on both sides of the start, 129 of them or so: one before it, one after, and the last.
    const json file = json::parse(
        read_file(fmt::format("{}/data/references/{}.json", POLHODE_SOURCE_DIR, problem["name"].get<std::string>())));
    const std::size_t count = file["nodes"].size(), middle = count / 2;
    for (const std::size_t index : {middle - middle / 4, middle + middle / 3, count - 1}) {
      expect_errors(problem, {"double", 0x1p-52}, index);
    }
  }
}

TEST(RunErrors, HaveTheDigitsOfAQuad) {
  const TestFolder folder;
  for (const json& problem : printed_json(folder, {"problems"})) {
    if (problem["name"] == "fast-top" || problem["name"] == "dumbbell") {
      const json file = json::parse(
          read_file(fmt::format("{}/data/references/{}.json", POLHODE_SOURCE_DIR, problem["name"].get<std::string>())));
      expect_errors(problem, {"quad", 0x1p-100}, file["nodes"].size() / 2 + 3);
    }
  }
}

struct Sample {
  long double time, value, count;
};

// Means of `size` samples each; what is left over is one of its own.
std::vector<Sample> merged(const std::vector<Sample>& samples, std::size_t size) {
  std::vector<Sample> means;
  for (std::size_t i = 0; i < samples.size(); i += size) {
    Sample sum{};
    for (std::size_t j = i; j < std::min(i + size, samples.size()); ++j) {
      sum.time += samples[j].count * samples[j].time;
      sum.value += samples[j].count * samples[j].value;
      sum.count += samples[j].count;
    }
    means.push_back({sum.time / sum.count, sum.value / sum.count, sum.count});
  }
  return means;
}

struct Slope {
  long double rate, uncertainty;
};

// docs/results.md, "The drift of the energy": a weighted line through the means of at most 64 blocks; its standard error
// with the correlation of neighbours; the largest of these as blocks are merged in pairs down to eight.
Slope drift_of(const std::vector<Sample>& samples) {
  std::size_t size = 1;
  while ((samples.size() + size - 1) / size > 64) size *= 2;
  std::vector<Sample> blocks = merged(samples, size);
  const Sample mean = merged(blocks, blocks.size()).at(0);
  long double tt = 0, tv = 0;
  for (const Sample& b : blocks) {
    tt += b.count * (b.time - mean.time) * (b.time - mean.time);
    tv += b.count * (b.time - mean.time) * (b.value - mean.value);
  }
  Slope found{tv / tt, 0};
  for (; blocks.size() >= 8; blocks = merged(blocks, 2)) {
    const auto m = static_cast<long double>(blocks.size());
    std::vector<long double> residuals;
    long double spread = 0;
    for (const Sample& b : blocks) {
      residuals.push_back(std::sqrt(b.count) * (b.value - mean.value - found.rate * (b.time - mean.time)));
      spread += b.count * (b.time - mean.time) * (b.time - mean.time);
    }
    const long double squares = std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0L);
    const long double neighbours =
        std::inner_product(residuals.begin(), residuals.end() - 1, residuals.begin() + 1, 0.0L);
    // What is seen of a falls short by (2 + 4 a)/m.
    const long double seen = neighbours / squares, a = (seen + 2 / m) / (1 - 4 / m);
    const long double correlation = a > 0.6L ? 1 - 1 / m : std::max(a, 0.0L);
    found.uncertainty =
        std::max(found.uncertainty, std::sqrt(squares / (m - 2) / spread * (1 + correlation) / (1 - correlation)));
  }
  return found;
}

void expect_drift(const std::vector<std::string>& run, std::size_t stride) {
  SCOPED_TRACE(fmt::format("{}", fmt::join(run, " ")));
  const TestFolder folder;
  const json result =
      printed_json(folder, and_also(run, {"--every", fmt::format("{}", stride), "-o", "a.csv", "--quiet"}));
  const CsvTable table = csv_table(read_file(folder.file("a.csv")));
  std::vector<Sample> samples;
  const double first = table.number(0, "E[J]"), begin = table.number(0, "t[s]");
  // The last row is there whether or not its turn has come.
  const std::size_t count = result["steps"].get<std::size_t>() / stride + 1;
  ASSERT_LE(count, table.rows.size());
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back({table.number(i, "t[s]") - begin, table.number(i, "E[J]") - first, 1});
    largest = std::max(largest, std::abs(table.number(i, "E[J]") - first));
  }
  const Slope drift = drift_of(samples);
  const double rate = static_cast<double>(drift.rate), uncertainty = static_cast<double>(drift.uncertainty);
  const double scale = largest / std::abs(table.number(count - 1, "t[s]") - begin);
  EXPECT_NEAR(result["energy_drift_rate"], rate, 1e-12 * scale);
  EXPECT_NEAR(result["energy_drift_rate_uncertainty"], uncertainty, 1e-10 * uncertainty);
  EXPECT_EQ(result["energy_error_max"], largest);
  EXPECT_GT(uncertainty, 1e-6 * scale) << "nothing to measure";
}

TEST(RunDrift, IsTheLineThroughItsRows) {
  const std::vector<std::string> top{"run", "--problem", "asymmetric-top-tilted"};
  expect_drift(and_also(top, {"-m", "rkmk-4", "--step", "0.1", "--steps", "7"}), 1);   // eight samples, the fewest
  expect_drift(and_also(top, {"-m", "rkmk-4", "--step", "0.1", "--steps", "63"}), 1);  // 64 blocks of one
  expect_drift(and_also(top, {"-m", "rkmk-4", "--step", "0.1", "--steps", "64"}), 1);  // one too many
  expect_drift(and_also(top, {"-m", "taylor-2", "--step", "0.05", "--duration", "-30"}), 1);
  expect_drift(and_also(top, {"-m", "lie-verlet", "--step", "0.02", "--steps", "1731"}), 1);
  expect_drift(and_also(top, {"-m", "simo-wong", "--step", "0.003", "--steps", "16384"}), 1);  // the most, every step
  // Every k-th step beyond that, k at least 2, 7 or 12, and without a factor below 11.
  expect_drift(and_also(top, {"-m", "simo-wong", "--step", "0.003", "--steps", "16385"}), 11);
  expect_drift(and_also(top, {"-m", "lie-verlet", "--step", "0.0005", "--steps", "110000"}), 11);
  expect_drift(and_also(top, {"-m", "lie-verlet", "--step", "0.0005", "--steps", "180225"}), 13);
}

TEST(RunDrift, NeedsEightSamples) {
  const TestFolder folder;
  const json result = printed_json(folder, {"run", "--problem", "fast-top", "-m", "rkmk-4", "--steps", "6"});
  EXPECT_EQ(result["energy_drift_rate"], nullptr);
  EXPECT_EQ(result["energy_drift_rate_uncertainty"], nullptr);
  EXPECT_TRUE(result["energy_error_max"].is_number());
}

// A run that fails says where, in numbers that can be tried: a step a little below the largest that has a solution is
// taken, one a little above is not.
TEST(RunFailures, SayTheStepTheResidualAndTheLargestStep) {
  const TestFolder folder;
  const auto run = [&](const char* problem, double step, const char* steps) {
    return polhode(folder, {"run", "--problem", problem, "-m", "moser-veselov", "--step", fmt::format("{}", step),
                            "--steps", steps, "--json", "-o", "a.csv"});
  };
  for (const auto& [problem, step] : {std::pair{"asymmetric-top-tilted", 0.8}, {"free-mclachlan-zanna", 1.4}}) {
    const Outcome failed = run(problem, step, "60");
    EXPECT_EQ(failed.code, 1);
    const json result = json::parse(failed.out);
    const CsvTable rows = csv_table(read_file(folder.file("a.partial.csv")));
    EXPECT_EQ(result["converged"], false);
    EXPECT_EQ(result["failed_step"], rows.rows.size()) << "rows are the start and the steps that were taken";
    EXPECT_EQ(result["steps"], rows.rows.size() - 1);
    EXPECT_EQ(result["time"], rows.number(rows.rows.size() - 1, "t[s]"));
    EXPECT_NEAR(result["time"], result["steps"].get<double>() * step, 1e-15);
    const double residual = result["failed_residual"], largest = result["largest_solvable_step"];
    EXPECT_THAT(failed.err, testing::HasSubstr(fmt::format(
                                "moser-veselov did not converge in step {} of {} s, which begins at t = {:.9g} "
                                "s: a residual of {:.2g} relative to the terms is left; no solution exists "
                                "that continues the motion beyond h = {:.4g} s",
                                result["failed_step"].dump(), step, result["time"].get<double>(), residual, largest)));
    EXPECT_LT(largest, step);
    // A torque changes the momentum by as much as the step is long; without one, the limit is that of all steps.
    if (std::string(problem) == "free-mclachlan-zanna") {
      EXPECT_EQ(result["failed_step"], 1);
      EXPECT_EQ(run(problem, 0.998 * largest, "1").code, 0);
      EXPECT_EQ(run(problem, 1.002 * largest, "1").code, 1);
    }
  }
}

// A free body in general position, told by a tensor, backwards from a time of its own.
RunRequest free_run(ScalarKind scalar) {
  RunRequest request;
  request.setup.inertia = Mat3<double>{{{1.1, 0.1, -0.05}, {0.1, 1.9, 0.2}, {-0.05, 0.2, 2.6}}};
  request.setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.2, 0.7}};
  request.setup.motion.value = {0.4, 1.1, -0.3};
  request.setup.time = 3;
  request.run.method = "rkmk-4";
  request.run.step = 0.125;
  request.run.duration = -5;
  request.run.scalar = scalar;
  return request;
}

TEST(RunErrors, ThatAreLeftForLaterHaveTheSameBits) {
  for (const ScalarKind scalar :
       {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_, ScalarKind::quad_}) {
    SCOPED_TRACE(scalar_name(scalar));
    const RunRequest request = free_run(scalar);
    const Result at_once = run(plan(request));
    RunControl control;
    control.errors_later = true;
    Result later = run(plan(request), nullptr, control);
    ASSERT_TRUE(at_once.attitude_error && at_once.reference && !at_once.errors_left);
    EXPECT_GT(at_once.attitude_error->value, 0);
    EXPECT_TRUE(later.errors_left && !later.attitude_error && !later.momentum_error && !later.reference);
    measure_errors(later, request.setup);
    EXPECT_FALSE(later.errors_left);
    EXPECT_EQ(later.attitude_error, at_once.attitude_error);
    EXPECT_EQ(later.momentum_error, at_once.momentum_error);
    ASSERT_TRUE(later.reference);
    EXPECT_EQ(later.reference->source, at_once.reference->source);
    EXPECT_EQ(later.reference->attitude_uncertainty, at_once.reference->attitude_uncertainty);
    EXPECT_EQ(later.reference->momentum_uncertainty, at_once.reference->momentum_uncertainty);
  }
}

TEST(RunErrors, AreLeftForLaterOnlyWhereTheClosedFormHasThem) {
  RunControl control;
  control.errors_later = true;
  RunRequest request = free_run(ScalarKind::double_);
  request.run.reference = true;  // whoever asks for one is warned of its uncertainty
  const Result asked = run(plan(request), nullptr, control);
  EXPECT_TRUE(asked.attitude_error && !asked.errors_left);
  request.run.reference = false;
  HeavyTop<double> top;
  top.weight_times_arm = 0.5;
  request.setup.torques.emplace_back(top);
  Result heavy = run(plan(request), nullptr, control);
  EXPECT_FALSE(heavy.errors_left);
  measure_errors(heavy, request.setup);
  EXPECT_FALSE(heavy.attitude_error);
}

}  // namespace
}  // namespace polhode::run_errors_test
