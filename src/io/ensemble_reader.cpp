#include "io/ensemble_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/distribution_reader.hpp"
#include "io/table_reader.hpp"
#include "model/drawable_keys.hpp"
#include "model/setup_keys.hpp"

namespace polhode {
namespace {

class EnsembleReader {
 public:
  explicit EnsembleReader(Scenario& scenario) : scenario_(scenario), keys_(drawable_keys(scenario.setup)) {}

  EnsembleSettings read(const toml::table& given) {
    const TableReader table(given, "ensemble", scenario_.origins);
    const std::vector<std::string>& own = keys_by_table().at("ensemble");
    std::vector<std::string> known = own;
    for (const char* key : {"inertia", "wheels", "attitude"}) known.emplace_back(key);
    for (const std::string& key : keys_by_table().at("start")) known.push_back(key);
    known.emplace_back("torque");
    table.allow_only(known, keys_by_table());
    read_settings(table);
    for (const auto& [node_key, node] : given) {
      const std::string name(node_key.str());
      if (std::find(own.begin(), own.end(), name) != own.end()) continue;
      if (name == "wheels" || name == "torque") {
        read_members(table, name);
      } else {
        read_key(table, name, name == "inertia" ? std::string(inertia_key) : "start." + name);
      }
    }
    // In the order in which the scenario has them, and a file of this ensemble.
    const auto place = [&](const DrawnKey& drawn) { return find_key(keys_, drawn.key); };
    std::sort(made_.drawn.begin(), made_.drawn.end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return std::move(made_);
  }

 private:
  void read_settings(const TableReader& table) {
    made_.bodies = table.count("bodies", bodies_wanted);
    if (table.has("seed")) made_.seed = seed_in(table);
    const auto some = [&](std::string_view key, std::string_view wanted) {
      std::vector<double> values = table.list(key, wanted).value_or(std::vector<double>{});
      if (table.has(key) && values.empty())
        table.refuse(key, fmt::format("is empty; give {}, or leave the key out", wanted));
      return values;
    };
    made_.snapshots = some("snapshots", snapshots_wanted);
    made_.quantiles = some("quantiles", quantiles_wanted);
    if (table.has("histogram")) read_histograms(table);
  }

  // Whole numbers of 63 bits, more than a double holds.
  static unsigned long long seed_in(const TableReader& table) {
    const toml::node& node = *table.node("seed");
    const long long seed = node.is_integer() ? node.as_integer()->get() : *table.count("seed", seed_wanted);
    if (seed < 0) table.refuse("seed", fmt::format("{} is below 0; give {}", seed, seed_wanted));
    return static_cast<unsigned long long>(seed);
  }

  void read_histograms(const TableReader& table) {
    const toml::node& node = *table.node("histogram");
    if (const toml::table* one = node.as_table()) return read_histogram(*one);
    const toml::array* array = node.as_array();
    if (array == nullptr) table.refuse_type("histogram", histogram_wanted);
    for (const toml::node& element : *array) {
      if (!element.is_table())
        table.refuse("histogram", fmt::format("{} is not a table; give {}", quoted(element), histogram_wanted));
      read_histogram(*element.as_table());
    }
  }

  void read_histogram(const toml::table& given) {
    const TableReader table(given, fmt::format("ensemble.histogram[{}]", made_.histograms.size()), scenario_.origins);
    table.allow_only({"quantity", "low", "high", "bins"});
    for (const char* key : {"quantity", "low", "high"})
      if (!table.has(key)) table.refuse(key, fmt::format("is missing; give {}", histogram_wanted));
    HistogramRequest request;
    request.quantity = *table.string("quantity", "the name of a quantity, such as energy");
    request.low = *table.number("low", "a number, where the first bin begins");
    request.high = *table.number("high", "a number, where the last bin ends");
    const long long bins = table.count("bins", "a whole number of bins").value_or(request.bins);
    if (const std::string why = why_no_bins(bins); !why.empty()) table.refuse("bins", why);
    request.bins = static_cast<int>(bins);
    made_.histograms.push_back(std::move(request));
  }

  // The wheels or torques: a table for each in their order, or one table where there is only one.
  void read_members(const TableReader& table, const std::string& name) {
    const bool wheels = name == "wheels";
    const std::size_t count = wheels ? scenario_.setup.wheels.size() : scenario_.setup.torques.size();
    const std::string what = wheels ? "wheel" : "torque", prefix = wheels ? "body.wheels" : "torque";
    if (count == 0)
      table.refuse(name, fmt::format("the scenario has no {} to draw numbers of; add one, or leave the key out", what));
    const toml::node& node = *table.node(name);
    std::vector<const toml::table*> members;
    if (const toml::table* one = node.as_table()) {
      members.push_back(one);
      if (count > 1)
        table.refuse(
            name, fmt::format("the scenario has {} {}s; give {} = [{{}}, {{}}], with a table for each in their order",
                              count, what, name));
    } else if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) {
        if (!element.is_table())
          table.refuse(name, fmt::format("{} is not a table; give one for each {}", quoted(element), what));
        members.push_back(element.as_table());
      }
    } else {
      table.refuse_type(name, fmt::format("a table for each {}", what));
    }
    if (members.size() > count)
      table.refuse(name, fmt::format("there are {} tables, and the scenario has {} {}{}; give one for each",
                                     members.size(), count, what, count == 1 ? "" : "s"));
    for (std::size_t i = 0; i < members.size(); ++i)
      read_member(*members[i], fmt::format("ensemble.{}[{}]", name, i), fmt::format("{}[{}].", prefix, i));
  }

  // A table of keys that begin alike: those of a torque, or of its constants.
  void read_member(const toml::table& given, const std::string& name, const std::string& prefix) {
    const TableReader table(given, name, scenario_.origins);
    std::vector<std::string> known;
    for (const DrawableKey& key : keys_) {
      if (!key.name.starts_with(prefix)) continue;
      const std::string rest = key.name.substr(prefix.size()), name_here = rest.substr(0, rest.find('.'));
      if (known.empty() || known.back() != name_here) known.push_back(name_here);
    }
    if (known.empty() && !given.empty())
      table.refuse(given.begin()->first.str(), "this torque has no numbers that could be drawn; leave it {}");
    table.allow_only(known);
    for (const auto& [node_key, node] : given) {
      const std::string key(node_key.str());
      if (find_key(keys_, prefix + key) != nullptr) {
        read_key(table, key, prefix + key);
      } else if (const toml::table* inner = node.as_table()) {
        read_member(*inner, table.dotted(key), prefix + key + ".");
      } else {
        table.refuse_type(key, "a table of names, and how each is drawn");
      }
    }
  }

  void read_key(const TableReader& table, const std::string& name, const std::string& drawn) {
    const DrawableKey* key = find_key(keys_, drawn);
    if (key == nullptr) refuse_drawn_key(scenario_.setup, drawn);
    made_.drawn.push_back({drawn, distributions_.read(table, name, *key)});
  }

  Scenario& scenario_;
  std::vector<DrawableKey> keys_;
  DistributionReader distributions_{scenario_};
  EnsembleSettings made_;
};

}  // namespace

void read_ensemble(const toml::node& node, Scenario& scenario) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    throw SetupError("ensemble",
                     fmt::format("{} is {}; give an [ensemble] table with bodies, and keys such as attitude = "
                                 "\"uniform\"",
                                 quoted(node), type_name(node)));
  scenario.ensemble = EnsembleReader(scenario).read(*table);
}

}  // namespace polhode
