#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {

std::vector<double> read_step_file(const std::string& path) {
  const std::string text = read_text_file(path);
  std::vector<double> steps;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line.erase(std::min(line.find('#'), line.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    double step = 0;
    if (!read_number(line, step) || !std::isfinite(step) || !(step > 0)) {
      std::replace_if(
          line.begin(), line.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
      throw Error(ErrorKind::bad_file, fmt::format("{}:{}: '{}' is not a positive number of seconds; a step file has "
                                                   "one step per line, and '#' starts a comment",
                                                   path, number, line.substr(0, 40)));
    }
    steps.push_back(step);
  }
  if (steps.empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: lists no steps; write one positive number of seconds per line", path));
  }
  return steps;
}

}  // namespace polhode
