#include "method_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/method_words.hpp"
#include "polhode/io/bibliography.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

constexpr std::size_t margin = 18;  // where the right column begins

// What one more suffix makes of the method, or why it is refused.
struct Admission {
  std::string suffix, order, reason;
};

std::vector<Admission> admissions(const std::string& method) {
  std::vector<Admission> list;
  for (const SuffixInfo& info : suffixes()) {
    try {
      list.push_back({std::string(info.name), order_text(parse_method(method + written(info, 10)).claims), ""});
    } catch (const MethodError& error) {
      list.push_back({std::string(info.name), "", error.what()});
    }
  }
  return list;
}

// Of the method and of its suffixes, each once: the key and what is cited of it, such as "B01, Sec. 3".
std::vector<std::string> sources(const MethodSpec& spec) {
  std::vector<std::string> cites{std::string(methods()[spec.index].cite)};
  for (const Suffix& suffix : spec.suffixes) {
    const std::string words = about(suffix);
    const std::size_t begin = words.find('['), end = words.find(']');
    if (begin < end && end != std::string::npos) cites.push_back(words.substr(begin + 1, end - begin - 1));
  }
  std::vector<std::string> keys;
  for (const std::string& cite : cites) {
    for (std::string& key : cited_keys(cite)) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
  }
  return keys;
}

// A situation that the method can be tried on.
std::string_view customary_problem(const Claims& claims) {
  switch (claims.needs) {
    case Needs::no_torque: return "free-mclachlan-zanna";
    case Needs::direction_potential:
    case Needs::uniform_field: return "dumbbell";
    default: return "asymmetric-top";
  }
}

std::vector<std::string> commands(const MethodSpec& spec) {
  const std::string_view problem = customary_problem(spec.claims);
  std::vector<std::string> lines{fmt::format("polhode run --problem {} --method {}", problem, spec.name)};
  if (spec.claims.order_attitude != exact_order) {
    lines.push_back(fmt::format("polhode converge --problem {} --methods {}", problem, spec.name));
  }
  lines.push_back(fmt::format("polhode diagnose --method {}", spec.name));
  const std::string_view plugin = methods()[spec.index].plugin;
  if (!plugin.empty())
    for (std::string& line : lines) line += fmt::format(" --load {}", plugin);
  return lines;
}

void add(std::string& page, std::string_view title, std::string_view words) {
  fmt::format_to(std::back_inserter(page), "  {:<{}}{}", title, margin - 2, wrapped(words, margin, margin));
}

std::string in_words(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "takes no such torque";
  if (value.is_boolean()) return std::string(text(value.get<bool>()));
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_claims(std::string& page, const Claims& claims, bool of_plugin) {
  const std::vector<ClaimLine> lines = claim_lines(claims);
  std::size_t width = 0;
  for (const ClaimLine& line : lines) width = std::max(width, line.title.size());
  page += of_plugin ? "\nClaims, which 'polhode diagnose' measures:\n"
                    : "\nClaims, which the tests measure in both directions:\n";
  for (const ClaimLine& line : lines) {
    fmt::format_to(std::back_inserter(page), "  {:<{}}  {}\n", line.title, width, in_words(line.value));
  }
}

void add_parameters(std::string& page, const MethodSpec& spec) {
  const MethodInfo& method = methods()[spec.index];
  if (method.parameters.empty()) return;
  fmt::format_to(std::back_inserter(page), "\nParameters, written {}:{}=...:\n", method.name,
                 method.parameters[0].name);
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const ParameterInfo& parameter = method.parameters[i];
    add(page, parameter.name,
        fmt::format("{}; {}. Here {}", parameter.meaning, bounds_text(parameter), spec.parameters[i]));
  }
}

void add_suffixes(std::string& page, const std::string& name) {
  page += "\nOne more suffix:\n";
  for (const Admission& suffix : admissions(name)) {
    add(page, suffix.suffix, suffix.reason.empty() ? "order " + suffix.order : "refused: " + suffix.reason);
  }
}

void add_sources(std::string& page, const MethodSpec& spec) {
  fmt::format_to(std::back_inserter(page), "\nSources [{}]:\n", methods()[spec.index].cite);
  for (const std::string& key : sources(spec)) {
    const Publication* publication = find_publication(key);
    add(page, key, publication == nullptr ? "not in the bibliography" : entry_text(*publication));
  }
}

}  // namespace

std::string method_page(const std::string& name) {
  const MethodSpec spec = parse_method(name);
  const MethodInfo& method = methods()[spec.index];
  std::string page = spec.name + "\n\n";
  if (spec.name != method.name) add(page, "method", method.name);
  if (!method.aliases.empty()) add(page, "also called", fmt::format("{}", fmt::join(method.aliases, ", ")));
  add(page, "family", method.family);
  if (!method.plugin.empty()) add(page, "plug-in", method.plugin);
  add(page, "what it does", method.about);
  for (const Suffix& suffix : spec.suffixes) add(page, written(suffixes()[suffix.index], suffix.every), about(suffix));
  add(page, "good for", method.good_for);
  add(page, "not for", method.not_for);
  add(page, "order", order_text(spec.claims));
  add(page, "moves", spec.space == Space::sphere ? "a direction on the sphere S^2" : "the attitude of a body");
  add(page, "memory", method.remembers ? "something passes from one step to the next" : "none: each step stands alone");
  add_parameters(page, spec);
  add_claims(page, spec.claims, !method.plugin.empty());
  add_suffixes(page, spec.name);
  add_sources(page, spec);
  page += "\nTry it:\n";
  for (const std::string& line : commands(spec)) page += "  " + line + '\n';
  return page;
}

std::string method_page_as_json(const std::string& name) {
  const MethodSpec spec = parse_method(name);
  nlohmann::ordered_json entry = entry_of(methods()[spec.index], spec.claims);
  entry["name"] = spec.name;
  entry["base"] = methods()[spec.index].name;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) entry["parameters"][i]["value"] = spec.parameters[i];
  entry["suffixes"] = nlohmann::ordered_json::array();
  for (const Admission& suffix : admissions(spec.name)) {
    nlohmann::ordered_json one{{"suffix", suffix.suffix}, {"accepted", suffix.reason.empty()}};
    one["order"] = suffix.reason.empty() ? nlohmann::ordered_json(suffix.order) : nullptr;
    one["reason"] = suffix.reason.empty() ? nullptr : nlohmann::ordered_json(suffix.reason);
    entry["suffixes"].push_back(std::move(one));
  }
  entry["sources"] = nlohmann::ordered_json::array();
  for (const std::string& key : sources(spec)) {
    nlohmann::ordered_json source{{"key", key}};
    if (const Publication* publication = find_publication(key)) {
      source["kind"] = publication->kind;
      source["text"] = entry_text(*publication);
      for (const auto& [field, value] : publication->fields) source[field] = value;
    }
    entry["sources"].push_back(std::move(source));
  }
  entry["examples"] = commands(spec);
  return entry.dump(2);
}

}  // namespace polhode
