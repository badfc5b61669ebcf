// Error against cost: our methods beside Boost.odeint, SUNDIALS and GSL, in one process.
//
//   work_precision               a table per problem: steps of odeint's runge_kutta4 that an attitude error costs
//   work_precision --summary     the goals only: a line each, with goal and measured ratio; exit code 1 if one is missed,
//                                or not judged because a premise does not hold
//   work_precision --quick       roughly, in a fraction of the time
//   work_precision --case NAME   one case only ("P3", "fast-top"); may be given several times
//   work_precision --json FILE   everything that was measured, for work_precision.py
//
// Peers integrate (q, w_B) by equations written for each problem (equations.hpp), ours as a user would run them; nothing
// is written while the clock runs. Methods with equal steps are free in their number, adaptive ones in their tolerance,
// and nothing else is tuned. Repetitions are interleaved; a time is the median of processor time. Each error is that of the attitude at the
// end, for the problem's own start and for the worst of 16 random ones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>
#include <thread>

#include "../machine.hpp"
#include "report.hpp"

namespace {

using namespace polhode::bench;

struct Request {
  bool summary = false, quick = false;
  std::string json;
  std::vector<std::string> cases;
};

int usage(const std::string& complaint) {
  fmt::print(stderr, "work_precision: {}\nusage: work_precision [--summary] [--quick] [--case NAME]... [--json FILE]\n",
             complaint);
  return 2;
}

// Programs that wanted to run in the last minutes, and how many can.
nlohmann::ordered_json load() {
  double average[2] = {};
  if (getloadavg(average, 2) < 2) return nullptr;
  return {{"average", average[1]}, {"processors", std::thread::hardware_concurrency()}};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[11];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
  return text;
}

std::vector<std::string> absent() {
  std::vector<std::string> notes;
#ifndef POLHODE_BENCH_SUNDIALS
  notes.emplace_back("built without SUNDIALS (libsundials-dev): no rows of CVODE and ARKODE");
#endif
#ifndef POLHODE_BENCH_GSL
  notes.emplace_back("built without GSL (libgsl-dev): no rows of it");
#endif
  std::string missing;
  for (const std::string& name : missing_methods()) missing += (missing.empty() ? "" : ", ") + name;
  if (!missing.empty()) notes.push_back("not in this catalogue, and passed over: " + missing);
  return notes;
}

Effort effort_for(const Request& request, const CaseSpec& spec) {
  const bool is_long = spec.duration >= 1e4;
  const bool counts = spec.torque_seconds > 0 || (spec.goal && spec.goal->evaluations);
  const double of_ours = 0.005, of_peers = is_long ? 0.01 : counts ? 0.02 : 0.005;
  if (request.quick) return {3, 5e-5, 0.005, of_ours / 4, of_peers / 4, 5000, request.summary};
  if (!spec.goal) return {5, 1e-4, 0.005, of_ours / 2, of_peers / 2, 10'000, request.summary};
  return {7, 2e-4, 0.01, of_ours, of_peers, 10'000, request.summary};
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--summary") {
      request.summary = true;
    } else if (word == "--quick") {
      request.quick = true;
    } else if (word == "--json" && has_value) {
      request.json = argv[++i];
    } else if (word == "--case" && has_value) {
      request.cases.emplace_back(argv[++i]);
    } else {
      return usage(fmt::format("'{}' is not understood", word));
    }
  }
  std::vector<CaseSpec> list = case_list();
  for (const std::string& name : request.cases) {
    if (std::none_of(list.begin(), list.end(), [&](const CaseSpec& spec) { return spec.name == name; })) {
      std::string names;
      for (const CaseSpec& spec : list) names += (names.empty() ? "" : ", ") + spec.name;
      return usage(fmt::format("there is no case '{}'; there are {}", name, names));
    }
  }
  const auto is_left_out = [&](const CaseSpec& spec) {
    if (!request.cases.empty())
      return std::find(request.cases.begin(), request.cases.end(), spec.name) == request.cases.end();
    return request.summary && !spec.goal;
  };
  list.erase(std::remove_if(list.begin(), list.end(), is_left_out), list.end());

  nlohmann::ordered_json json;
  json["date"] = today();
  json["processor"] = machine_name();
  json["compiler"] = fmt::format("g++ {}", __VERSION__);
  json["load"] = load();
  json["quick"] = request.quick;
  json["errors"] = errors;
  json["notes"] = absent();
  json["cases"] = nlohmann::ordered_json::array();
  for (const std::string& note : absent()) fmt::print(stderr, "work_precision: {}\n", note);
  bool met = true;
  AutoVerdict automatic;
  for (const CaseSpec& spec : list) {
    const auto begin = std::chrono::steady_clock::now();
    const Measured measured = measure(spec, effort_for(request, spec));
    const Verdicts verdicts = judged(measured);
    if (!request.summary) print_table(measured);
    for (const std::string& complaint : measured.complaints) fmt::print("{}: {}\n", spec.name, complaint);
    for (const Verdict& row : verdicts.rows) fmt::print("{}\n", row.line());
    for (const Keeping& one : verdicts.keeping)
      if (one.met() || !request.summary) fmt::print("{}, {}\n", spec.name, one.line());
    automatic.add(measured);
    if (!request.summary && !measured.automatic.empty()) fmt::print("{}\n", line_of_auto(measured));
    if (!request.summary && !verdicts.rows.empty()) fmt::print("\n");
    std::fflush(stdout);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    fmt::print(stderr, "work_precision: {} took {:.1f} s\n", spec.name, taken.count());
    met = met && verdicts.met() && measured.complaints.empty();
    json["cases"].push_back(json_of(measured, verdicts));
  }
  if (automatic.choices > 0) fmt::print("{}\n", automatic.line());
  met = met && automatic.met();
  if (!request.json.empty()) {
    std::ofstream file(request.json);
    file << json.dump(1) << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "work_precision: {} cannot be written\n", request.json);
      return 74;
    }
  }
  return request.summary && !met ? 1 : 0;
}
