#include "io/distribution_reader.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/drawn_table.hpp"

namespace polhode {
namespace {

constexpr std::string_view ways_to_draw =
    "{ uniform = [low, high] }, { normal = [mean, deviation] } or { from = \"bodies.csv\" }";

// A number, an array of them, or a matrix row after row; empty for anything else.
std::vector<double> flat_numbers(const toml::node& node) {
  if (const auto number = number_in(node)) return {*number};
  std::vector<double> all;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      const std::vector<double> inner = flat_numbers(element);
      if (inner.empty() || (element.is_array() && (array->size() != 3 || inner.size() != 3))) return {};
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

Distribution from_bounds(const TableReader& table, std::string_view form, const DrawableKey& key) {
  const bool normal = form == "normal";
  const std::string wanted =
      fmt::format("{}, each of them {}", normal ? "[mean, deviation]" : "[low, high]", key.wanted);
  const toml::array* both = table.node(form)->as_array();
  if (both == nullptr) table.refuse_type(form, wanted);
  if (both->size() != 2)
    table.refuse(form, fmt::format("{} has {} elements, not 2; give {}", quoted(*both), both->size(), wanted));
  Distribution made;
  made.kind = normal ? Distribution::Kind::normal : Distribution::Kind::uniform;
  std::vector<double>* parts[] = {&made.first, &made.second};
  for (std::size_t i = 0; i < 2; ++i) {
    *parts[i] = flat_numbers((*both)[i]);
    if (parts[i]->empty())
      table.refuse(form,
                   fmt::format("{} is neither a number nor an array of numbers; give {}", quoted((*both)[i]), wanted));
  }
  // One deviation for all.
  if (normal && (*both)[1].is_number()) made.second.resize(made.first.size(), made.second.front());
  return made;
}

Distribution from_rows(const TableReader& table, const DrawableKey& key) {
  const std::string wanted = fmt::format("an array with a row for each body: {}", key.wanted);
  const toml::array* array = table.node("rows")->as_array();
  if (array == nullptr) table.refuse_type("rows", wanted);
  Distribution made;
  made.kind = Distribution::Kind::table;
  std::vector<double> all;
  if (!array->empty() && (*array)[0].is_array()) {
    made.width = (*array)[0].as_array()->size();
    for (const std::vector<double>& row : table.rows("rows", made.width, wanted))
      all.insert(all.end(), row.begin(), row.end());
  } else {
    made.width = 1;
    all = *table.list("rows", wanted);
  }
  made.rows = std::make_shared<const std::vector<double>>(std::move(all));
  return made;
}

}  // namespace

Distribution DistributionReader::read(const TableReader& table, std::string_view name, const DrawableKey& key) {
  const toml::node& node = *table.node(name);
  if (const toml::table* given = node.as_table())
    return from_table(TableReader(*given, table.dotted(name), scenario_.origins), key);
  if (!node.is_string() || node.as_string()->get() != "uniform")
    table.refuse_type(name,
                      key.takes_numbers ? fmt::format("{}, each of them {}", ways_to_draw, key.wanted) : key.wanted);
  Distribution made;
  made.kind = Distribution::Kind::rotations;
  return made;
}

Distribution DistributionReader::from_table(const TableReader& table, const DrawableKey& key) {
  table.allow_only({"uniform", "normal", "from", "columns", "rows"});
  const char* form = nullptr;
  for (const char* one : {"uniform", "normal", "from", "rows"}) {
    if (!table.has(one)) continue;
    if (form != nullptr) table.refuse(one, fmt::format("excludes {}; keep one of them", form));
    form = one;
  }
  if (form == nullptr)
    throw SetupError(ensemble_key(key.name), fmt::format("does not say how it is drawn; give {}", ways_to_draw));
  if (form == std::string_view("from")) return from_file(table, key);
  if (table.has("columns"))
    table.refuse("columns", fmt::format("are those of a file, which {} is not; leave them out", form));
  return form == std::string_view("rows") ? from_rows(table, key) : from_bounds(table, form, key);
}

Distribution DistributionReader::from_file(const TableReader& table, const DrawableKey& key) {
  constexpr std::string_view wanted = "the name of a CSV or HDF5 file with a row for each body";
  const std::string file = *table.string("from", wanted);
  if (file.empty()) table.refuse("from", fmt::format("is empty; give {}", wanted));
  const auto columns = table.strings("columns", "an array of the names of columns");
  if (columns && columns->empty())
    table.refuse("columns", fmt::format("is empty; name those of {}, or leave the key out", key.wanted));
  const std::string path = (std::filesystem::path(scenario_.source).parent_path() / file).string();
  try {
    std::unique_ptr<ColumnFile>& opened = files_[path];
    if (!opened) opened = open_columns(path);
    return drawn_from(*opened, file, columns.value_or(std::vector<std::string>{}), scenario_.setup, key);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::file_missing && error.kind != ErrorKind::unavailable) throw;
    throw Error(error.kind, located(scenario_, SetupError(table.dotted("from"), error.what())).what());
  }
}

}  // namespace polhode
