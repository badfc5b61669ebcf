#include "polhode/core/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "polhode/core/hints.hpp"

namespace polhode {

namespace {
// Edit distance with swaps of neighbours (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}
}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edits(name, candidate);
    if (distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return best;
}

bool contains_word(std::string_view text, std::string_view word) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return !word.empty() && std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates) {
  std::vector<std::string> near;
  // Where half of the letters are wrong, it is another name.
  if (std::string nearest = nearest_name(name, candidates); !nearest.empty() && 2 * edits(name, nearest) <= name.size())
    near.push_back(std::move(nearest));
  for (const std::string& candidate : candidates) {
    if (!contains_word(candidate, name) || std::find(near.begin(), near.end(), candidate) != near.end()) continue;
    near.push_back(candidate);
  }
  return near;
}

std::string hint(const std::vector<std::string>& near, std::string_view otherwise) {
  constexpr std::size_t most = 6;
  if (near.empty()) return std::string(otherwise);
  const std::size_t shown = std::min(near.size(), most);
  const std::string names = fmt::format("nearest: {}", fmt::join(near.begin(), near.begin() + shown, ", "));
  return near.size() == shown ? names : fmt::format("{} and {} more", names, near.size() - shown);
}

}  // namespace polhode
