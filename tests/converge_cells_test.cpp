// Every number that `polhode converge` prints, recomputed: errors from runs of their own, slopes and orders from the
// errors by a line fitted here, floors from the rule in the documentation; and the same numbers in text, JSON and CSV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "printed_table.hpp"

namespace polhode::converge_cells_test {
namespace {

using nlohmann::json;

struct Asked {
  const char* name;
  std::vector<std::string> problem;  // and how long, in which scalar
  double unit;                       // spacing of the scalar at 1
  std::vector<std::string> methods;
  const char* steps;
  std::vector<double> halved;  // what these stand for

  std::vector<std::string> words() const {
    return and_also({"converge"}, and_also(problem, {"--methods", fmt::format("{}", fmt::join(methods, ",")),
                                                     "--step-sizes", steps, "--quiet"}));
  }
};

// Between them they have errors at rounding, saturated, unsettled and failed ones, orders that differ between attitude
// and momentum, and methods without one. Steps come in any order, with one that is named twice.
const Asked asked[] = {
    {"Rounding",
     {"--problem", "asymmetric-top-tilted", "--duration", "4"},
     0x1p-52,
     {"mclachlan-reich-231", "taylor-8", "taylor-12"},
     "0.125,0.25,0.5,0.0625:0.015625,0.25",
     {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625}},
    {"Failures",
     {"--problem", "free-mclachlan-zanna", "--duration", "10"},
     0x1p-52,
     {"moser-veselov", "simo-wong", "moser-veselov-4", "free-exact"},
     "5,2,1:0.0625",
     {5, 2, 1, 0.5, 0.25, 0.125, 0.0625}},
    {"Float",
     {"--problem", "asymmetric-top-tilted", "--duration", "8", "--scalar", "float"},
     0x1p-23,
     {"rkmk-4", "implicit-midpoint", "taylor-3"},
     "2:0.03125",
     {2, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125}},
    {"Backwards",
     {"--problem", "slow-top", "--duration", "-4"},
     0x1p-52,
     {"rkmk-4", "implicit-midpoint", "rotor-verlet"},
     "0.3,0.15,0.1,0.07,0.05,0.02,0.01,0.001",
     {0.3, 0.15, 0.1, 0.07, 0.05, 0.02, 0.01, 0.001}},
};

class Converge : public testing::TestWithParam<Asked> {
 protected:
  const Asked& asked_ = GetParam();
  const WrittenStudy written_ = written_study(asked_.words());
  const json& study_ = written_.data;

  // The rows of one method, coarse to fine.
  std::vector<json> rows_of(const std::string& method) const {
    std::vector<json> rows;
    for (const json& row : study_["rows"]) {
      if (row["method"] == method) rows.push_back(row);
    }
    return rows;
  }
};
INSTANTIATE_TEST_SUITE_P(Cells, Converge, testing::ValuesIn(asked), [](const auto& test) { return test.param.name; });

const std::array<std::string, 2> quantities{"attitude", "momentum"};

TEST_P(Converge, ErrorsAreThoseOfRunsOfTheirOwn) {
  const TestFolder folder;
  std::vector<std::string> methods;
  std::map<std::string, std::vector<double>> steps;
  for (const json& row : study_["rows"]) {
    SCOPED_TRACE(row.dump());
    const std::string method = row["method"];
    if (methods.empty() || methods.back() != method) methods.push_back(method);
    steps[method].push_back(row["step"]);
    const Outcome run =
        polhode(folder, and_also({"run", "-m", method, "--step", row["step"].dump(), "--json"}, asked_.problem));
    const json alone = json::parse(run.out);
    EXPECT_EQ(row["converged"], alone["converged"]);
    EXPECT_EQ(row["converged"], run.code == 0);
    for (const char* key : {"steps", "torque_evaluations"}) EXPECT_EQ(row[key], alone[key]) << key;
    for (const char* key : {"attitude_error", "momentum_error"}) {
      EXPECT_EQ(row[key], run.code == 0 ? alone[key] : json(nullptr)) << key;
    }
    if (run.code != 0) {
      EXPECT_THAT(run.err, testing::HasSubstr(row["failure"].get<std::string>()));
    }
    EXPECT_EQ(alone["scalar"], study_["scalar"]);
  }
  EXPECT_EQ(methods, asked_.methods) << "in the order in which they were named";
  for (const auto& [method, list] : steps) EXPECT_EQ(list, asked_.halved) << method;
}

TEST_P(Converge, FloorsFollowTheRule) {
  const TestFolder folder;
  printed(folder,
          and_also({"run", "-m", "taylor-8", "--step", "0.001", "--columns", "standard", "-o", "a.csv", "--quiet"},
                   asked_.problem));
  const CsvTable motion = csv_table(read_file(folder.file("a.csv")));
  const std::size_t last = motion.rows.size() - 1;
  const auto length = [&](std::size_t row, const std::string& x, const std::string& y, const std::string& z) {
    return std::hypot(motion.number(row, x), motion.number(row, y), motion.number(row, z));
  };
  double rotation = 0, momentum = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    const double rate = length(i, "wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]");
    rotation +=
        rate * (i == 0 || i == last ? 0.5 : 1) * std::abs(motion.number(last, "t[s]")) / static_cast<double>(last);
    momentum = std::max(momentum, length(i, "Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"));
  }
  // The study looks at the motion with the problem's own step, which is coarser: a per cent is left to that.
  EXPECT_NEAR(study_["rotation"], rotation, 0.01 * rotation);
  EXPECT_NEAR(study_["largest_momentum"], momentum, 0.01 * momentum);
  for (const json& row : study_["rows"]) {
    // As many steps as were meant to be, though the run may have failed.
    const double steps = std::ceil(std::abs(study_["duration"].get<double>()) / row["step"].get<double>() - 1e-9);
    const double floor = 4 * asked_.unit * (1 + study_["rotation"].get<double>()) * std::sqrt(steps);
    EXPECT_NEAR(row["attitude_floor"], floor, 0.006 * floor) << row;
    const double momentum_floor = floor * study_["largest_momentum"].get<double>();
    EXPECT_NEAR(row["momentum_floor"], momentum_floor, 0.006 * momentum_floor) << row;
  }
}

// Saturation and rounding, from the errors alone; what lies between them is fitted or has not settled.
TEST_P(Converge, StandingsFollowTheRules) {
  for (const std::string& quantity : quantities) {
    const double ceiling = quantity == "attitude" ? 0.5 : 0.5 * study_["largest_momentum"].get<double>();
    for (const std::string& method : asked_.methods) {
      std::vector<json> rows = rows_of(method);
      std::erase_if(rows, [&](const json& row) {
        if (row["converged"] == false) {
          EXPECT_EQ(row[quantity + "_standing"], "failed");
        }
        return row["converged"] == false;
      });
      const auto error = [&](std::size_t i) { return rows[i][quantity + "_error"].get<double>(); };
      const auto over_floor = [&](std::size_t i) { return error(i) / rows[i][quantity + "_floor"].get<double>(); };
      std::size_t begin = rows.size(), end = rows.size(), clear = rows.size();
      while (begin > 0 && error(begin - 1) < ceiling) --begin;
      for (std::size_t i = rows.size(); i-- > begin;) {
        if (over_floor(i) <= 1) end = i;
        if (over_floor(i) <= 10.06) clear = i;  // floors are printed to three digits
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        SCOPED_TRACE(rows[i].dump());
        const std::string standing = rows[i][quantity + "_standing"];
        EXPECT_NE(standing, "failed");
        EXPECT_EQ(standing == "saturated", i < begin);
        if (i >= end) {
          EXPECT_EQ(standing, "rounding");
        }
        if (i >= begin && i < clear) {
          EXPECT_NE(standing, "rounding");
        }
        if (i >= begin && i < end && i >= clear) {
          EXPECT_THAT(standing, testing::AnyOf("rounding", "fitted", "unsettled"));
        }
      }
    }
  }
}

struct Line {
  double slope, standard_error;
};

// By the normal equations, in decimal logarithms.
Line line_through(const std::vector<std::array<double, 2>>& points) {
  const auto n = static_cast<long double>(points.size());
  long double x = 0, y = 0, xx = 0, xy = 0, squares = 0;
  for (const auto& [step, error] : points) {
    const long double a = std::log10(1.0L * step), b = std::log10(1.0L * error);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const long double determinant = n * xx - x * x, slope = (n * xy - x * y) / determinant;
  for (const auto& [step, error] : points) {
    const long double miss = std::log10(1.0L * error) - (y - slope * x) / n - slope * std::log10(1.0L * step);
    squares += miss * miss;
  }
  return {static_cast<double>(slope), static_cast<double>(std::sqrt(squares / (n - 2) * n / determinant))};
}

double slope_between(const json& coarse, const json& fine, const std::string& error) {
  return std::log2(coarse[error].get<double>() / fine[error].get<double>()) /
         std::log2(coarse["step"].get<double>() / fine["step"].get<double>());
}

TEST_P(Converge, OrdersAreLinesThroughTheFittedRows) {
  ASSERT_EQ(study_["orders"].size(), asked_.methods.size());
  for (std::size_t k = 0; k < asked_.methods.size(); ++k) {
    const json& order = study_["orders"][k];
    EXPECT_EQ(order["method"], asked_.methods[k]);
    for (const std::string& quantity : quantities) {
      SCOPED_TRACE(asked_.methods[k] + " " + quantity);
      std::vector<json> fitted;
      for (const json& row : rows_of(asked_.methods[k])) {
        if (row[quantity + "_standing"] == "fitted") fitted.push_back(row);
      }
      const std::string prefix = quantity == "attitude" ? "" : "momentum_";
      if (fitted.empty()) {
        EXPECT_EQ(order[quantity], nullptr);
        EXPECT_EQ(order[quantity + "_uncertainty"], nullptr);
        if (quantity == "momentum") {
          EXPECT_EQ(order["momentum_from_step"], nullptr);
        }
        EXPECT_THAT(order["reason"].get<std::string>(), testing::Not(testing::IsEmpty()));
        continue;
      }
      ASSERT_GE(fitted.size(), 3U);
      const std::string error = quantity + "_error";
      std::vector<std::array<double, 2>> points;
      for (const json& row : fitted) points.push_back({row["step"], row[error]});
      const Line line = line_through(points);
      const double digits = asked_.unit > 0x1p-40 ? 1e-8 : 1e-12;  // of errors that are printed with 9 or 17 digits
      EXPECT_NEAR(order[quantity], line.slope, digits * line.slope);
      EXPECT_EQ(order[prefix + "from_step"], fitted.front()["step"]);
      EXPECT_EQ(order[prefix + "to_step"], fitted.back()["step"]);
      // The standard error, or how far the slope is from what the last two local ones tend to.
      const std::size_t n = fitted.size();
      const double last = slope_between(fitted[n - 2], fitted[n - 1], error);
      const double change = last - slope_between(fitted[n - 3], fitted[n - 2], error);
      const double ratio = fitted[n - 2]["step"].get<double>() / fitted[n - 1]["step"].get<double>();
      const double distance = std::abs(last + change / (ratio - 1) - line.slope);
      EXPECT_NEAR(order[quantity + "_uncertainty"], std::max(line.standard_error, distance), 10 * digits);
    }
    if (order["attitude"].is_null()) {
      EXPECT_EQ(order["from_step"], order["momentum_from_step"]);
      EXPECT_EQ(order["to_step"], order["momentum_to_step"]);
    }
    EXPECT_EQ(order["reason"].is_null(), order["attitude"].is_number() && order["momentum"].is_number());
  }
}

TEST_P(Converge, CsvHasTheCellsOfJson) {
  const CsvTable& csv = written_.csv;
  EXPECT_EQ(csv.remark("problem"), study_["problem"].get<std::string>());
  EXPECT_EQ(csv.remark("scalar"), study_["scalar"].get<std::string>());
  EXPECT_EQ(number_in(csv.remark("duration")), study_["duration"]);
  EXPECT_EQ(csv.headers, (std::vector<std::string>{"method", "step[s]", "steps", "attitude_error[rad]",
                                                   "momentum_error[kg m^2/s]", "torque_evaluations", "converged"}));
  ASSERT_EQ(csv.rows.size(), study_["rows"].size());
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    const json& row = study_["rows"][i];
    const std::vector<std::string>& cells = csv.rows[i];
    EXPECT_EQ(cells[0], row["method"]);
    EXPECT_EQ(number_in(cells[1]), row["step"]);
    EXPECT_EQ(number_in(cells[2]), row["steps"]);
    const bool converged = row["converged"];
    EXPECT_EQ(converged ? json(number_in(cells[3])) : json(cells[3]), converged ? row["attitude_error"] : json("nan"));
    EXPECT_EQ(converged ? json(number_in(cells[4])) : json(cells[4]), converged ? row["momentum_error"] : json("nan"));
    EXPECT_EQ(number_in(cells[5]), row["torque_evaluations"]);
    EXPECT_EQ(cells[6], converged ? "true" : "false");
  }
  for (const json& order : study_["orders"]) {
    for (const std::string& quantity : quantities) {
      const std::string line =
          csv.remark(fmt::format("order of {} of {}", quantity, order["method"].get<std::string>()));
      const std::vector<std::string> words = words_of(line);
      if (order[quantity].is_null()) {
        EXPECT_EQ(words[0], "none,");
        continue;
      }
      const std::string prefix = quantity == "attitude" ? "" : "momentum_";
      EXPECT_EQ(words[0], fmt::format("{:.4f}", order[quantity].get<double>()));
      EXPECT_EQ(words[2], fmt::format("{:.4f},", order[quantity + "_uncertainty"].get<double>()));
      EXPECT_EQ(number_in(words[4]), order[prefix + "from_step"]);
      EXPECT_EQ(number_in(words[6]), order[prefix + "to_step"]);
    }
  }
}

// The error and, behind it, what became of it and the slope down to it, from the front of `words`.
void expect_error_cells(std::vector<std::string>& words, const json* before, const json& row,
                        const std::string& quantity) {
  const std::map<std::string, std::string> marks{
      {"saturated", "s"}, {"unsettled", "u"}, {"levelled", "l"}, {"rounding", "r"}};
  const auto next = [&] {
    const std::string word = words.empty() ? "nothing" : words.front();
    if (!words.empty()) words.erase(words.begin());
    return word;
  };
  const std::string error = quantity + "_error", standing = row[quantity + "_standing"];
  if (row["converged"] == false) {
    EXPECT_EQ(next(), "failed");
    return;
  }
  EXPECT_EQ(next(), fmt::format("{:.2e}", row[error].get<double>()));
  if (marks.contains(standing)) {
    EXPECT_EQ(next(), marks.at(standing));
  }
  if (before == nullptr || (*before)["converged"] == false) return;
  expect_rounded(next(), slope_between(*before, row, error), 1e-12);
}

TEST_P(Converge, TextHasTheCellsOfJson) {
  const PrintedStudy printed = printed_study(asked_.words());
  ASSERT_EQ(printed.data, study_) << "the study is the same every time, and in a file as on stdout";
  std::vector<std::string> lines = lines_of(printed.text);
  EXPECT_EQ(lines.at(0),
            fmt::format("{}: errors after {} s against the reference, in {}", study_["problem"].get<std::string>(),
                        study_["duration"].get<double>(), study_["scalar"].get<std::string>()));
  std::size_t at = 2;
  std::set<std::string> standings;
  for (const std::string& method : asked_.methods) {
    ASSERT_EQ(lines.at(at++), method);
    EXPECT_EQ(squeezed(lines.at(at++)), "step [s] steps torque calls attitude [rad] slope momentum [kg m^2/s] slope");
    const std::vector<json> rows = rows_of(method);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      SCOPED_TRACE(lines.at(at));
      std::vector<std::string> words = words_of(lines[at++]);
      ASSERT_GE(words.size(), 5U);
      EXPECT_EQ(number_in(words[0]), rows[i]["step"]);
      EXPECT_EQ(number_in(words[1]), rows[i]["steps"]);
      EXPECT_EQ(number_in(words[2]), rows[i]["torque_evaluations"]);
      words.erase(words.begin(), words.begin() + 3);
      for (const std::string& quantity : quantities) {
        expect_error_cells(words, i == 0 ? nullptr : &rows[i - 1], rows[i], quantity);
        standings.insert(rows[i][quantity + "_standing"].get<std::string>());
      }
      EXPECT_TRUE(words.empty()) << fmt::format("{}", fmt::join(words, " "));
    }
    EXPECT_EQ(lines.at(at++), "");
  }
  EXPECT_EQ(squeezed(lines.at(at++)), "fitted order claimed attitude momentum over steps [s]");
  const json catalogue = printed_json(TestFolder(), {"methods"});
  const bool free = asked_.problem[1].starts_with("free");
  for (const json& order : study_["orders"]) {
    const auto text = [](const json& claim) { return claim.is_string() ? claim.get<std::string>() : claim.dump(); };
    std::string attitude = text(order["claimed_attitude"]), momentum = text(order["claimed_momentum"]);
    for (const json& method : catalogue) {
      if (method["name"] != order["method"]) continue;
      const std::string suffix = free ? "_free" : "";
      EXPECT_EQ(order["claimed_attitude"], method["order_attitude" + suffix]) << order["method"];
      EXPECT_EQ(order["claimed_momentum"], method["order_momentum" + suffix]) << order["method"];
    }
    std::string wanted = order["method"].get<std::string>() + " ";
    wanted += attitude == momentum ? attitude : attitude + "/" + momentum;
    for (const std::string& quantity : quantities) {
      wanted += order[quantity].is_null() ? " none"
                                          : fmt::format(" {:.3f} +- {:.3f}", order[quantity].get<double>(),
                                                        order[quantity + "_uncertainty"].get<double>());
    }
    const auto range = [&](const std::string& prefix) {
      return fmt::format("{} to {}", order[prefix + "from_step"].dump(), order[prefix + "to_step"].dump());
    };
    if (!order["attitude"].is_null()) wanted += " " + range("");
    if (!order["momentum"].is_null() && (order["attitude"].is_null() || range("") != range("momentum_"))) {
      wanted += (order["attitude"].is_null() ? " momentum " : ", momentum ") + range("momentum_");
    }
    EXPECT_EQ(squeezed(lines.at(at++)), wanted);
    while (at < lines.size() && lines[at].starts_with("    ")) {
      EXPECT_THAT(order["reason"].get<std::string>(), testing::HasSubstr(squeezed(lines[at++])));
    }
  }
  const std::string key = printed.text.substr(printed.text.find("over steps [s]"));
  for (const auto& [standing, line] : std::map<std::string, std::string>{
           {"saturated", "\n  s  "}, {"unsettled", "\n  u  "}, {"levelled", "\n  l  "}, {"rounding", "\n  r  "}}) {
    EXPECT_EQ(key.find(line) != std::string::npos, standings.contains(standing)) << standing;
  }
}

}  // namespace
}  // namespace polhode::converge_cells_test
