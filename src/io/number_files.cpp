// Files of numbers: steps, and times of rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Calls take(line, its number) for every line that is not empty without its comment.
template <class Take>
void for_each_line(const std::string& text, const Take& take) {
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    line = without_blanks(line.substr(0, line.find('#')));
    if (!line.empty()) take(line, number);
  }
}

[[noreturn]] void refuse_line(const std::string& path, int number, std::string_view text, std::string_view why) {
  std::string shown(text.substr(0, 40));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  throw Error(ErrorKind::bad_file, fmt::format("{}:{}: '{}' {}", path, number, shown, why));
}

bool is_finite_number(std::string_view text, double& value) { return read_number(text, value) && std::isfinite(value); }

}  // namespace

std::vector<double> read_step_file(const std::string& path) {
  std::vector<double> steps;
  for_each_line(read_text_file(path), [&](std::string_view line, int number) {
    double step = 0;
    if (!is_finite_number(line, step) || !(step > 0))
      refuse_line(path, number, line,
                  "is not a positive number of seconds; a step file has one step per line, and '#' starts a comment");
    steps.push_back(step);
  });
  if (steps.empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: lists no steps; write one positive number of seconds per line", path));
  }
  return steps;
}

std::vector<double> read_times_file(const std::string& path) {
  std::vector<double> times;
  bool has_heading = false;
  for_each_line(read_text_file(path), [&](std::string_view line, int number) {
    const std::string_view field = without_blanks(line.substr(0, line.find_first_of(",;")));
    double time = 0;
    if (is_finite_number(field, time)) {
      times.push_back(time);
      return;
    }
    // That of a column of times, and nothing else that is not a number.
    const bool heads = times.empty() && !has_heading && (field.starts_with("t") || field.starts_with("\"t"));
    if (!heads)
      refuse_line(path, number, field,
                  "is not a number of seconds; a file of times has one per line, or in the first column of a CSV file "
                  "under a heading such as t, and '#' starts a comment");
    has_heading = true;
  });
  if (times.empty())
    throw Error(ErrorKind::bad_file, fmt::format("{}: lists no times; write one number of seconds per line", path));
  return times;
}

}  // namespace polhode
