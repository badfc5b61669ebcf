// Every number in the rows and in the JSON of `polhode run`, recomputed from the attitude and the velocity of its row by
// formulas written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plain_rotation.hpp"
#include "printed_table.hpp"

namespace polhode::run_cells_test {
namespace {

using nlohmann::json;
using plain_rotation::Matrix, plain_rotation::Quaternion, plain_rotation::Vector;
using V = Vector<double>;
using M = Matrix<double>;

constexpr double rounding = 4e-15;  // a few operations on numbers of size 1

// A tensor in turned axes, a start in general position, gravity from aside on an axis of any length, and a second torque
// that has a potential too.
const std::string general = R"([body]
inertia = [[2.0, 0.2, -0.1], [0.2, 2.5, 0.3], [-0.1, 0.3, 3.0]]
[start]
rotation_vector = [0.4, -0.9, 1.3]
angular_velocity_body = [0.7, -0.5, 0.9]
time = 2
[[torque]]
kind = "heavy-top"
weight_times_arm = 1.5
axis_body = [1, 2, -2]
up_spatial = [2, 3, 6]
[[torque]]
kind = "uniform-field"
field = [0.3, -0.4, 1.2]
axis_body = [0.6, 0, 0.8]
[run]
method = "rkmk-4"
step = 0.125
steps = 50
[output]
every = 4
)";
const M tensor{{{2.0, 0.2, -0.1}, {0.2, 2.5, 0.3}, {-0.1, 0.3, 3.0}}};
const V axis_B{1.0 / 3, 2.0 / 3, -2.0 / 3}, up_S{2.0 / 7, 3.0 / 7, 6.0 / 7}, field_S{0.3, -0.4, 1.2},
    pulled_B{0.6, 0, 0.8};

double potential(const M& R) {
  return 1.5 * plain_rotation::dot(plain_rotation::times(R, axis_B), up_S) -
         plain_rotation::dot(plain_rotation::times(R, pulled_B), field_S);
}

class Row {
 public:
  Row(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}
  double operator[](const std::string& header) const { return table_.number(row_, header); }
  V vector(const std::string& x, const std::string& y, const std::string& z) const {
    return {(*this)[x], (*this)[y], (*this)[z]};
  }
  V velocity() const { return vector("wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]"); }
  V momentum() const { return vector("Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"); }
  Quaternion<double> attitude() const { return {(*this)["qw"], (*this)["qx"], (*this)["qy"], (*this)["qz"]}; }

 private:
  const CsvTable& table_;
  std::size_t row_;
};

void expect_same(const V& a, const V& b, double tolerance) {
  EXPECT_LT(plain_rotation::length(plain_rotation::minus(a, b)), tolerance);
}

const char* const all_columns =
    "mrp,standard,euler_321_deg,momentum_along_field,direction,momentum_along_axis,rotation_increment";

CsvTable rows_of(const TestFolder& folder, const std::vector<std::string>& more) {
  folder.write("a.toml", general);
  printed(folder, and_also({"run", "a.toml", "--columns", all_columns, "-o", "a.csv", "--quiet"}, more));
  return csv_table(read_file(folder.file("a.csv")));
}

TEST(RunRows, AreTheStartEveryKthStepAndTheLast) {
  const TestFolder folder;
  const CsvTable table = rows_of(folder, {});
  ASSERT_EQ(table.rows.size(), 14U);
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(table.number(i, "t[s]"), 2 + 0.125 * (i == 13 ? 50 : 4 * static_cast<double>(i)));
  }
  EXPECT_EQ(rows_of(folder, {"--every", "25"}).rows,
            (std::vector{table.rows[0], rows_of(folder, {"--every", "1"}).rows[25], table.rows[13]}))
      << "what is written does not change the motion";
}

TEST(RunRows, BeginWithTheStartOfTheScenario) {
  const TestFolder folder;
  const CsvTable table = rows_of(folder, {});
  const Row start(table, 0);
  const M R = plain_rotation::turn_by(V{0.4, -0.9, 1.3});
  EXPECT_LT(plain_rotation::angle_between(plain_rotation::matrix_of(start.attitude()), R), rounding);
  expect_same(start.velocity(), {0.7, -0.5, 0.9}, rounding);
  expect_same(start.momentum(), plain_rotation::times(R, plain_rotation::times(tensor, V{0.7, -0.5, 0.9})), rounding);
}

TEST(RunRows, ColumnsAreWhatTheirHeadersSay) {
  const TestFolder folder;
  const CsvTable table = rows_of(folder, {"--every", "1"});
  ASSERT_EQ(table.rows.size(), 51U);
  M before = plain_rotation::matrix_of(Row(table, 0).attitude());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    SCOPED_TRACE(i);
    const Row row(table, i);
    const M R = plain_rotation::matrix_of(row.attitude());
    const V w = row.velocity(), pi = plain_rotation::times(tensor, w), L = row.momentum();
    expect_same(L, plain_rotation::times(R, pi), 10 * rounding);
    EXPECT_NEAR(row["E[J]"], 0.5 * plain_rotation::dot(w, pi) + potential(R), rounding);
    expect_same(row.vector("dx", "dy", "dz"), {R[0][2], R[1][2], R[2][2]}, rounding);
    EXPECT_NEAR(row["momentum_along_axis[kg m^2/s]"], plain_rotation::dot(pi, axis_B), rounding);
    EXPECT_NEAR(row["momentum_along_field[kg m^2/s]"], plain_rotation::dot(L, up_S), rounding);
    EXPECT_NEAR(row["rotation_increment[rad/step]"], plain_rotation::angle_between(before, R), rounding);
    before = R;

    // R = R_z(yaw) R_y(pitch) R_x(roll) has these elements in its first column and its last line.
    const double degree = std::numbers::pi / 180;
    EXPECT_NEAR(row["yaw[deg]"] * degree, std::atan2(R[1][0], R[0][0]), 10 * rounding);
    EXPECT_NEAR(row["pitch[deg]"] * degree, -std::asin(R[2][0]), 10 * rounding);
    EXPECT_NEAR(row["roll[deg]"] * degree, std::atan2(R[2][1], R[2][2]), 10 * rounding);

    // tan(angle/4) times the axis, of the turn by the smaller angle.
    const V mrp = row.vector("mrp_x", "mrp_y", "mrp_z");
    const double angle = 4 * std::atan(plain_rotation::length(mrp));
    EXPECT_LE(angle, std::numbers::pi + rounding);
    EXPECT_LT(plain_rotation::angle_between(
                  plain_rotation::turn(plain_rotation::unit(mrp), std::cos(angle), std::sin(angle)), R),
              rounding);
  }
}

TEST(RunRows, TheIncrementIsThatOfTheStepBeforeAndNotOfTheRowBefore) {
  const TestFolder folder;
  const CsvTable every = rows_of(folder, {"--every", "1"}), some = rows_of(folder, {});
  for (std::size_t i = 0; i + 1 < some.rows.size(); ++i) EXPECT_EQ(some.rows[i], every.rows[4 * i]);
}

// The scenario in the head of the rows, flags included, makes the same rows again.
TEST(RunRows, HoldTheScenarioThatRepeatsThem) {
  const TestFolder folder;
  folder.write("a.toml", general);
  const std::vector<std::vector<std::string>> runs{
      {"a.toml"},
      {"a.toml", "--step", "0.0625", "--duration", "-3.3", "--every", "7", "--columns", "mrp,energy", "--scalar",
       "float"},
      {"a.toml", "--method", "implicit-midpoint", "--steps", "31", "--on-failure", "halve", "--scalar", "long-double"},
      {"a.toml", "--method", "taylor-adaptive", "--tolerance", "1e-6", "--duration", "4"},
      {"--problem", "romero-free", "--method", "rkmk-4", "--every", "9"},
      {"--problem", "dumbbell", "--method", "dumbbell-midpoint"},
      {"--problem", "stress-test", "--method", "lie-verlet", "--steps", "12"},
      {"--problem", "book-toss", "--method", "taylor-3"}};
  for (const std::vector<std::string>& words : runs) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
    const json result = printed_json(folder, and_also(and_also({"run"}, words), {"-o", "a.csv", "--quiet"}));
    const std::string first = read_file(folder.file("a.csv"));
    const CsvTable table = csv_table(first);
    for (const char* key : {"method", "problem", "scalar"})
      EXPECT_EQ(table.remark(key), result[key].get<std::string>()) << key;
    EXPECT_EQ(number_in(table.remark("step")), result["step"]);
    EXPECT_EQ(table.remark("program"), "polhode " + result["version"].get<std::string>());
    std::string scenario;
    for (const std::string& line : lines_of(first)) {
      if (line.starts_with("#|")) scenario += line.substr(std::min<std::size_t>(3, line.size())) + '\n';
    }
    folder.write("b.toml", scenario);
    printed(folder, {"run", "b.toml", "-o", "b.csv", "--quiet"});
    EXPECT_EQ(table_of(read_file(folder.file("b.csv"))), table_of(first)) << scenario;
  }
}

V vector_of(const json& list) { return list.get<V>(); }

// What is said of the final state fits together, and is the last row.
// `wheels`: their momentum in body axes.
void expect_consistent(const json& result, const CsvTable& table, const M& inertia, const V& wheels = {}) {
  const Row first(table, 0), last(table, table.rows.size() - 1);
  EXPECT_EQ(result["time"], last["t[s]"]);
  EXPECT_EQ(result["attitude_wxyz"], last.attitude());
  EXPECT_EQ(result["angular_velocity_body"], last.velocity());
  EXPECT_EQ(result["angular_momentum_spatial"], last.momentum());
  EXPECT_EQ(result["energy"], last["E[J]"]);
  EXPECT_EQ(result["energy_initial"], first["E[J]"]);
  const M R = plain_rotation::matrix_of(last.attitude());
  for (std::size_t i = 0; i < 3; ++i) expect_same(result["rotation_matrix"][i].get<V>(), R[i], rounding);
  const V w = last.velocity(), carried = plain_rotation::times(inertia, w);
  V pi = carried;
  for (std::size_t i = 0; i < 3; ++i) pi[i] += wheels[i];
  const double size = plain_rotation::length(carried) + plain_rotation::length(wheels);
  expect_same(vector_of(result["angular_momentum_body"]), pi, rounding * size);
  expect_same(vector_of(result["angular_momentum_spatial"]), plain_rotation::times(R, pi), 20 * rounding * size);
  const double kinetic = 0.5 * plain_rotation::dot(w, carried);
  EXPECT_NEAR(result["kinetic_energy"], kinetic, rounding * kinetic);
}

TEST(RunJson, IsTheLastRow) {
  const TestFolder folder;
  folder.write("a.toml", general);
  const json result = printed_json(folder, {"run", "a.toml", "--columns", all_columns, "-o", "a.csv", "--quiet"});
  const CsvTable table = csv_table(read_file(folder.file("a.csv")));
  expect_consistent(result, table, tensor);
  EXPECT_NEAR(result["energy"].get<double>() - result["kinetic_energy"].get<double>(),
              potential(plain_rotation::matrix_of(Row(table, table.rows.size() - 1).attitude())), rounding);
  EXPECT_EQ(result["steps"], 50);
  EXPECT_EQ(result["step"], 0.125);
  EXPECT_EQ(result["torque_evaluations"], 4 * 50) << "rkmk-4 takes four a step";
  EXPECT_EQ(table.remark("step"), "0.125");
  EXPECT_EQ(table.remark("method"), "rkmk-4");
}

M inertia_of(const json& problem) {
  const json& inertia = problem["inertia"];
  if (inertia[0].is_array()) return inertia.get<M>();
  return {{{inertia[0], 0, 0}, {0, inertia[1], 0}, {0, 0, inertia[2]}}};
}

V momentum_of_wheels(const json& problem) {
  V sum{};
  for (const json& wheel : problem.value("wheels", json::array())) {
    const V axis = plain_rotation::unit(vector_of(wheel["axis"]));
    for (std::size_t i = 0; i < 3; ++i)
      sum[i] += wheel["inertia"].get<double>() * wheel["speed"].get<double>() * axis[i];
  }
  return sum;
}

// From the formulas of docs and papers; those without one have none.
double potential_of(const json& torque, const M& R) {
  const std::string kind = torque["kind"];
  if (kind == "heavy-top") {
    const V axis = plain_rotation::unit(vector_of(torque["axis_body"])),
            up = plain_rotation::unit(vector_of(torque["up_spatial"]));
    return torque["weight_times_arm"].get<double>() * plain_rotation::dot(plain_rotation::times(R, axis), up);
  }
  if (kind == "uniform-field") {
    const V axis = plain_rotation::unit(vector_of(torque["axis_body"]));
    return -plain_rotation::dot(plain_rotation::times(R, axis), vector_of(torque["field"]));
  }
  if (kind == "coulomb") {
    const double r = 1.1 + R[2][2];
    return torque["strength"].get<double>() * torque["sign"].get<double>() * (-1 / r + 0.001 * std::pow(r, -10));
  }
  if (kind == "stress-test") {
    const auto distance = [&](const M& A) {
      const M d = plain_rotation::times(plain_rotation::transposed(A), R);
      return std::sqrt(2 * (3 - d[0][0] - d[1][1] - d[2][2]));
    };
    const double off = distance({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}) - 1;
    return torque["strength"].get<double>() *
           (off * off - torque["alpha"].get<double>() / distance(plain_rotation::turn_by(vector_of(torque["well"]))));
  }
  EXPECT_EQ(kind, "pulse");
  return 0;
}

TEST(RunJson, HoldsTogetherForEveryProblem) {
  const TestFolder folder;
  for (const json& problem : printed_json(folder, {"problems"})) {
    SCOPED_TRACE(problem["name"].get<std::string>());
    const json result = printed_json(
        folder, {"run", "--problem", problem["name"], "-m", "taylor-6", "--steps", "40", "-o", "a.csv", "--quiet"});
    const CsvTable table = csv_table(read_file(folder.file("a.csv")));
    EXPECT_EQ(table.rows.size(), 41U);
    EXPECT_EQ(result["step"], problem["step"]);
    expect_consistent(result, table, inertia_of(problem), momentum_of_wheels(problem));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Row row(table, i);
      const M R = plain_rotation::matrix_of(row.attitude());
      double energy =
                 0.5 * plain_rotation::dot(row.velocity(), plain_rotation::times(inertia_of(problem), row.velocity())),
             size = energy;
      for (const json& torque : problem["torque"]) {
        const double part = potential_of(torque, R);
        energy += part, size += std::abs(part);
      }
      EXPECT_NEAR(row["E[J]"], energy, 10 * rounding * (1 + size)) << i;
    }
  }
}

}  // namespace
}  // namespace polhode::run_cells_test
