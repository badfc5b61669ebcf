#include "io/torque_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/data_file.hpp"
#include "io/table_reader.hpp"
#include "model/setup_keys.hpp"
#include "polhode/core/names.hpp"

namespace polhode {
namespace {

// One [torque] table, read key by key, of those that are there.
class TorqueReader {
 public:
  TorqueReader(const TableReader& table, const Scenario& scenario) : table_(table), scenario_(scenario) {}

  void read(std::string_view key, std::string_view meaning, double& member) const {
    member = *table_.number(key, fmt::format("a number: {}", meaning));
  }
  void read(std::string_view key, std::string_view meaning, Vec3<double>& member) const {
    const std::vector<double> v = *table_.numbers(key, 3, fmt::format("three numbers: {}", meaning));
    member = {v[0], v[1], v[2]};
  }
  void read(std::string_view key, std::string_view meaning, Mat3<double>& member) const {
    const std::string wanted =
        fmt::format("a number, three for a diagonal matrix, or three rows of three numbers: {}", meaning);
    const toml::array* array = table_.node(key)->as_array();
    if (array != nullptr && !array->empty() && (*array)[0].is_array()) {
      const std::vector<double> m = *table_.matrix(key, wanted);
      member = {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
    } else if (array != nullptr) {
      const std::vector<double> d = *table_.numbers(key, 3, wanted);
      member = {{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}};
    } else {
      const double c = *table_.number(key, wanted);
      member = {{{c, 0, 0}, {0, c, 0}, {0, 0, c}}};
    }
  }
  void read(std::string_view key, std::string_view meaning, bool& member) const {
    member = *table_.truth(key, fmt::format("true or false: {}", meaning));
  }
  template <OneOfWords Choice>
  void read(std::string_view key, std::string_view meaning, Choice& member) const {
    const auto& names = Words<Choice>::names;
    const std::string wanted = fmt::format("one of {}: {}", fmt::join(names, ", "), meaning);
    const std::string word = *table_.string(key, wanted);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      const std::string nearest = nearest_name(word, {names.begin(), names.end()});
      table_.refuse(key, fmt::format("'{}' is {}; give {}", word,
                                     nearest.empty() ? "none of its words" : "not known, nearest: " + nearest, wanted));
    }
    member = static_cast<Choice>(found - names.begin());
  }
  void read(std::string_view key, std::string_view meaning, std::string& member) const {
    member = *table_.string(key, fmt::format("a string: {}", meaning));
    if (member.empty()) table_.refuse(key, fmt::format("is empty; give a string, or leave the key out: {}", meaning));
  }
  void read(std::string_view key, std::string_view meaning, NamedNumbers& member) const {
    const std::string wanted = fmt::format("a table of names and numbers, such as {{ a = 2.0 }}: {}", meaning);
    const toml::table* numbers = table_.node(key)->as_table();
    if (numbers == nullptr) table_.refuse_type(key, wanted);
    Origins lines;
    const TableReader values(*numbers, table_.dotted(key), lines);
    for (const auto& [name, value] : *numbers) member[std::string(name.str())] = *values.number(name.str(), "a number");
  }
  // A file's name, or what it would hold.
  void read(std::string_view key, std::string_view meaning, DataFile& member) const {
    const std::string wanted = fmt::format("the name of a CSV file, or its columns and rows: {}", meaning);
    if (const toml::table* data = table_.node(key)->as_table()) {
      member = inline_data(*data, table_.dotted(key));
      return;
    }
    if (!table_.node(key)->is_string()) table_.refuse_type(key, wanted);
    const std::string name = *table_.string(key, wanted);
    if (name.empty()) table_.refuse(key, fmt::format("is empty; give {}", wanted));
    const auto path = std::filesystem::path(scenario_.source).parent_path() / name;
    try {
      member = DataFile(name, read_data_file(path.string()));
    } catch (const Error& error) {
      if (error.kind != ErrorKind::file_missing) throw;
      throw Error(error.kind, located(scenario_, SetupError(table_.dotted(key), error.what())).what());
    }
  }
  template <class Value>
  void read(std::string_view key, std::string_view meaning, std::optional<Value>& member) const {
    read(key, meaning, member.emplace());
  }

 private:
  // { columns = ["t", "x"], rows = [[0, 1], [1, 2]] }, as JSON has it too, there with the file's name.
  static DataFile inline_data(const toml::table& data, const std::string& name) {
    Origins lines;
    const TableReader table(data, name, lines);
    table.allow_only({"name", "columns", "rows"});
    constexpr std::string_view some_names = "the names of the columns, such as [\"t\", \"x\", \"y\", \"z\"]";
    constexpr std::string_view some_rows = "an array of rows, each an array with a number for every column";
    const auto headers = table.strings("columns", some_names);
    if (!headers) table.refuse("columns", fmt::format("is missing; give {}", some_names));
    DataTable made;
    for (const std::string& header : *headers) made.columns.push_back(column_named(header));
    for (const std::vector<double>& row : table.rows("rows", headers->size(), some_rows))
      for (std::size_t i = 0; i < row.size(); ++i) made.columns[i].values.push_back(row[i]);
    return {table.string("name", "the name of the file that the data were read from").value_or(""), std::move(made)};
  }

  const TableReader& table_;
  const Scenario& scenario_;
};

// The field lists its own keys: a new field needs nothing here.
template <class Field>
Field read_field(const TableReader& table, const Scenario& scenario) {
  Field field;
  const TorqueReader reader(table, scenario);
  std::apply(
      [&](const auto&... key) {
        table.allow_only({"kind", std::string(key.name)...});
        (
            [&] {
              if (key.required && !table.has(key.name)) {
                table.refuse(key.name, fmt::format("is missing; {} needs it: {}", Field::kind, key.meaning));
              }
              if (table.has(key.name)) reader.read(key.name, key.meaning, field.*(key.member));
            }(),
            ...);
      },
      Field::keys());
  return field;
}

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for_each_field_kind([&](const auto& field) { names.emplace_back(field.kind); });
    return names;
  }();
  return all;
}

FieldData<double> read_torque(const TableReader& table, const Scenario& scenario) {
  static const std::string wanted =
      fmt::format("one of {}, or leave the torque out for a free body", fmt::join(kinds(), ", "));
  const std::optional<std::string> kind = table.string("kind", wanted);
  if (!kind) table.refuse("kind", fmt::format("is missing; give {}", wanted));
  std::optional<FieldData<double>> data;
  for_each_field_kind([&](const auto& field) {
    if (*kind == field.kind) data = read_field<std::decay_t<decltype(field)>>(table, scenario);
  });
  if (data) return *data;
  if (*kind == called_torque_kind)
    table.refuse("kind", "this torque was computed by the program that made the run, which alone can repeat it");
  const std::string nearest = nearest_name(*kind, kinds());
  table.refuse("kind", fmt::format("no torque of kind '{}'; {}", *kind,
                                   nearest.empty() ? "give " + wanted : "nearest: " + nearest));
}

}  // namespace

void read_torques(const toml::node& node, Scenario& scenario) {
  constexpr std::string_view wanted = "a [torque] table, or several [[torque]] tables that add up";
  std::vector<TableReader> tables;
  const auto add = [&](const toml::table& table) {
    const std::string name = fmt::format("torque[{}]", tables.size());
    tables.emplace_back(table, name, scenario.origins);
  };
  if (const toml::table* table = node.as_table()) {
    add(*table);
  } else if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      if (!element.is_table()) {
        throw SetupError("torque", fmt::format("{} is not a table; give {}", quoted(element), wanted));
      }
      add(*element.as_table());
    }
  } else {
    throw SetupError("torque", fmt::format("{} is {}; give {}", quoted(node), type_name(node), wanted));
  }
  for (const TableReader& table : tables) scenario.setup.torques.push_back(read_torque(table, scenario));
}

}  // namespace polhode
