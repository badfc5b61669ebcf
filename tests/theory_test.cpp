// The worked number of docs/theory.md, read from the page: once by plain arithmetic that shares nothing with the
// library, once by the program.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace polhode::test::theory_test {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

const std::string page = read_file(POLHODE_SOURCE_DIR "/docs/theory.md");
const std::string section = page.substr(page.find("## A worked number"));
const std::string scenario_path = POLHODE_SOURCE_DIR "/scenarios/worked-number.toml";

// A number as it is printed. Those with six decimals are rounded, all others exact.
struct Printed {
  double value, tolerance;
};

// Lines "    name = arithmetic = value" or "... = (value, value, ...)": the name, and what is after the last sign.
std::map<std::string, std::vector<Printed>> printed_numbers() {
  std::map<std::string, std::vector<Printed>> numbers;
  for (const std::string& line : lines_of(section)) {
    const std::size_t sign = line.find(" = ");
    if (!line.starts_with("    ") || sign == std::string::npos) continue;
    std::string name = line.substr(4, sign - 4), values = line.substr(line.rfind(" = ") + 3);
    name.erase(name.find_last_not_of(' ') + 1);
    if (values.front() == '(') values = values.substr(1, values.size() - 2);
    std::istringstream stream(values);
    for (std::string text; std::getline(stream, text, ',');) {
      const std::size_t point = text.find('.');
      const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
      numbers[name].push_back({std::stod(text), decimals == 6 ? 0.5e-6 + 1e-12 : 1e-12});
    }
  }
  return numbers;
}

// Compares, and knows in the end which numbers of the page nobody has asked for.
class Page {
 public:
  template <class Values>
  void expect(const std::string& name, const Values& values) {
    compared_.insert(name);
    const auto at = numbers_.find(name);
    ASSERT_NE(at, numbers_.end()) << name << " is not on the page";
    ASSERT_EQ(at->second.size(), values.size()) << name;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(at->second[i].value, values[i], at->second[i].tolerance) << name << ", number " << i + 1;
  }
  void expect(const std::string& name, double value) { expect(name, std::array<double, 1>{value}); }

  void expect_nothing_left() const {
    for (const auto& [name, values] : numbers_) EXPECT_TRUE(compared_.contains(name)) << name << " is not checked";
  }

 private:
  std::map<std::string, std::vector<Printed>> numbers_ = printed_numbers();
  std::set<std::string> compared_;
};

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector combined(double s, const Vector& a, double t, const Vector& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}
Vector over(const Vector& a, const Vector& b) { return {a[0] / b[0], a[1] / b[1], a[2] / b[2]}; }
Vector column(const Matrix& m, std::size_t j) { return {m[0][j], m[1][j], m[2][j]}; }

constexpr Vector I{1, 2, 2.5}, w{1, 2, 2};
constexpr double h = 0.1;

// Y(h) of the exact motion: R' = R hat(w) and pi' = pi x w by the classical Runge-Kutta method on the rows of R, whose
// error in 1000 steps of 1e-4 is far below a sixth decimal; then the rotation vector of R.
Vector exact_rotation_vector() {
  using Variables = std::array<Vector, 4>;  // three rows of R, and pi
  const auto rate = [](const Variables& y) {
    const Vector w_B = over(y[3], I);
    return Variables{cross(y[0], w_B), cross(y[1], w_B), cross(y[2], w_B), cross(y[3], w_B)};
  };
  const auto plus = [](const Variables& y, double s, const Variables& d) {
    Variables sum;
    for (std::size_t i = 0; i < 4; ++i) sum[i] = combined(1, y[i], s, d[i]);
    return sum;
  };
  Variables y{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}, Vector{1, 4, 5}};
  constexpr int steps = 1000;
  constexpr double k = h / steps;
  for (int n = 0; n < steps; ++n) {
    const Variables a = rate(y), b = rate(plus(y, k / 2, a)), c = rate(plus(y, k / 2, b)), d = rate(plus(y, k, c));
    y = plus(plus(plus(plus(y, k / 6, a), k / 3, b), k / 3, c), k / 6, d);
  }
  const double angle = std::acos((y[0][0] + y[1][1] + y[2][2] - 1) / 2), f = angle / (2 * std::sin(angle));
  return {f * (y[2][1] - y[1][2]), f * (y[0][2] - y[2][0]), f * (y[1][0] - y[0][1])};
}

TEST(WorkedNumber, IsWhatArithmeticGives) {
  Page numbers;
  numbers.expect("I", I);
  numbers.expect("w_B", w);
  const Vector pi{I[0] * w[0], I[1] * w[1], I[2] * w[2]};
  numbers.expect("pi_B", pi);
  numbers.expect("l_S", pi);
  numbers.expect("|l_S|", std::sqrt(dot(pi, pi)));
  const double energy = dot(pi, w) / 2;
  numbers.expect("E", energy);
  const Vector pi_rate = cross(pi, w), w_rate = over(pi_rate, I);
  numbers.expect("pi_B x w_B", pi_rate);
  numbers.expect("w_B'", w_rate);

  const Vector Y = combined(h, w, h * h / 2, w_rate);
  const double f = std::sqrt(dot(Y, Y)), sine = std::sin(f / 2);
  numbers.expect("Y", Y);
  numbers.expect("|Y|^2", dot(Y, Y));
  numbers.expect("|Y|", f);
  numbers.expect("cos(|Y|/2)", std::cos(f / 2));
  numbers.expect("sin(|Y|/2)", sine);
  numbers.expect("q", std::array{std::cos(f / 2), sine / f * Y[0], sine / f * Y[1], sine / f * Y[2]});

  // The matrix without the quaternion: columns are e + sin f/f Y x e + (1 - cos f)/f^2 Y x (Y x e).
  Matrix R{};
  for (std::size_t j = 0; j < 3; ++j) {
    Vector e{};
    e[j] = 1;
    const Vector once = cross(Y, e), twice = cross(Y, once);
    for (std::size_t i = 0; i < 3; ++i)
      R[i][j] = e[i] + std::sin(f) / f * once[i] + (1 - std::cos(f)) / (f * f) * twice[i];
  }
  for (std::size_t i = 0; i < 3; ++i) numbers.expect("R row " + std::to_string(i + 1), R[i]);

  const Vector pi_1{dot(column(R, 0), pi), dot(column(R, 1), pi), dot(column(R, 2), pi)}, w_1 = over(pi_1, I);
  numbers.expect("pi_B(h)", pi_1);
  numbers.expect("w_B(h)", w_1);
  numbers.expect("|pi_B(h)|", std::sqrt(dot(pi_1, pi_1)));
  numbers.expect("E(h)", dot(pi_1, w_1) / 2);
  numbers.expect("E(h) - E", dot(pi_1, w_1) / 2 - energy);

  const Vector w_second = over(combined(1, cross(pi_rate, w), 1, cross(pi, w_rate)), I), bracket = cross(w_rate, w);
  numbers.expect("w_B''", w_second);
  numbers.expect("w_B' x w_B", bracket);
  numbers.expect("third term", combined(h * h * h / 6, w_second, -h * h * h / 12, bracket));
  numbers.expect("wrong sign", combined(h * h * h / 6, w_second, h * h * h / 12, bracket));
  const Vector exact = exact_rotation_vector();
  numbers.expect("Y exact", exact);
  numbers.expect("Y exact - Y", combined(1, exact, -1, Y));
  numbers.expect_nothing_left();
}

std::string fenced(const std::string& language) {
  const std::string begin = "```" + language + "\n";
  const std::size_t from = section.find(begin) + begin.size();
  return section.substr(from, section.find("```", from) - from);
}

TEST(WorkedNumber, IsWhatTheProgramPrints) {
  EXPECT_EQ(fenced("toml"), read_file(scenario_path));
  const TestFolder folder;
  const Outcome outcome = polhode(folder, {"run", scenario_path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string printed = fenced("text");
  EXPECT_GT(lines_of(printed).size(), 5U);
  EXPECT_EQ(outcome.out.substr(0, printed.size()), printed);
}

TEST(WorkedNumber, IsWhatTheProgramComputes) {
  const TestFolder folder;
  const Outcome outcome = polhode(folder, {"run", scenario_path, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  Page numbers;
  numbers.expect("l_S", json["angular_momentum_spatial"].get<Vector>());
  numbers.expect("E", json["energy_initial"].get<double>());
  numbers.expect("q", json["attitude_wxyz"].get<std::array<double, 4>>());
  for (std::size_t i = 0; i < 3; ++i)
    numbers.expect("R row " + std::to_string(i + 1), json["rotation_matrix"][i].get<Vector>());
  numbers.expect("pi_B(h)", json["angular_momentum_body"].get<Vector>());
  numbers.expect("w_B(h)", json["angular_velocity_body"].get<Vector>());
  numbers.expect("E(h)", json["energy"].get<double>());
}

// Every source the page names is in the bibliography.
TEST(Theory, CitesWhatIsListed) {
  const std::string bibliography = read_file(POLHODE_SOURCE_DIR "/docs/bibliography.bib");
  const std::regex key("\\b[A-Z]+[0-9]{2}\\b");
  int count = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), key), end; at != end; ++at, ++count)
    EXPECT_NE(bibliography.find("{" + at->str() + ","), std::string::npos) << at->str();
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace polhode::test::theory_test
