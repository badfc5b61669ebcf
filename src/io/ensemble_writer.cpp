#include "io/ensemble_writer.hpp"

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "io/toml_text.hpp"
#include "model/drawable_keys.hpp"

namespace polhode {
namespace {

std::string numbers_text(const std::vector<double>& numbers) {
  return numbers.size() == 1 ? shortest(numbers[0]) : numbers.size() == 9 ? toml_matrix(numbers) : shortest(numbers);
}

std::string table_text(const Distribution& from) {
  std::vector<std::string> parts;
  if (!from.file.empty()) {
    for (const std::string& column : from.columns) parts.push_back(toml_quoted(column));
    const std::string columns = parts.empty() ? "" : fmt::format(", columns = [{}]", fmt::join(parts, ", "));
    return fmt::format("{{ from = {}{} }}", toml_quoted(from.file), columns);
  }
  for (auto row = from.rows->begin(); row != from.rows->end(); row += static_cast<std::ptrdiff_t>(from.width))
    parts.push_back(shortest(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(from.width))));
  return fmt::format("{{ rows = [{}] }}", fmt::join(parts, ", "));
}

std::string drawn_text(const Distribution& from) {
  switch (from.kind) {
    case Distribution::Kind::uniform:
      return fmt::format("{{ uniform = [{}, {}] }}", numbers_text(from.first), numbers_text(from.second));
    case Distribution::Kind::normal:
      return fmt::format("{{ normal = [{}, {}] }}", numbers_text(from.first), numbers_text(from.second));
    case Distribution::Kind::rotations: return "\"uniform\"";
    case Distribution::Kind::table: break;
  }
  return table_text(from);
}

// "torque[1].constants.c" is constants.c in the second table.
std::string key_in_member(const std::string& key) {
  const std::string rest = key.substr(key.find("].") + 2);
  const std::size_t point = rest.find('.');
  return point == std::string::npos ? rest : rest.substr(0, point + 1) + toml_key(rest.substr(point + 1));
}

// The numbers of torques, or of wheels: an array with a table for each, or dotted keys of the only one.
void add_members(std::vector<EnsembleLine>& lines, const std::vector<DrawnKey>& drawn, const std::string& name,
                 const std::string& prefix, std::size_t count) {
  std::vector<std::string> tables;
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> entries;
    for (const DrawnKey& one : drawn) {
      if (!one.key.starts_with(fmt::format("{}[{}].", prefix, i))) continue;
      any = true;
      const std::string key = key_in_member(one.key), value = drawn_text(one.distribution);
      if (count == 1) lines.push_back({fmt::format("{}.{}", name, key), value});
      entries.push_back(fmt::format("{} = {}", key, value));
    }
    tables.push_back(entries.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(entries, ", ")));
  }
  if (any && count > 1) lines.push_back({name, fmt::format("[{}]", fmt::join(tables, ", "))});
}

}  // namespace

std::vector<EnsembleLine> ensemble_lines(const EnsembleSettings& settings, const Setup& setup) {
  std::vector<EnsembleLine> lines;
  if (settings.bodies) lines.push_back({"bodies", std::to_string(*settings.bodies)});
  lines.push_back({"seed", std::to_string(settings.seed), "the same seed draws the same bodies"});
  for (const DrawnKey& one : settings.drawn)
    if (one.key.find('[') == std::string::npos)
      lines.push_back({one.key.substr(one.key.find('.') + 1), drawn_text(one.distribution)});
  add_members(lines, settings.drawn, "wheels", "body.wheels", setup.wheels.size());
  add_members(lines, settings.drawn, "torque", "torque", setup.torques.size());
  if (!settings.snapshots.empty()) lines.push_back({"snapshots", shortest(settings.snapshots), "[s], besides the end"});
  if (!settings.quantiles.empty()) lines.push_back({"quantiles", shortest(settings.quantiles), "probabilities"});
  std::vector<std::string> histograms;
  for (const HistogramRequest& one : settings.histograms)
    histograms.push_back(fmt::format("{{ quantity = {}, low = {}, high = {}, bins = {} }}", toml_quoted(one.quantity),
                                     shortest(one.low), shortest(one.high), one.bins));
  if (!histograms.empty())
    lines.push_back({"histogram", fmt::format("[{}]", fmt::join(histograms, ",\n             "))});
  return lines;
}

}  // namespace polhode
