#include "polhode/run/scalar_kind.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "polhode/core/names.hpp"

namespace polhode {
namespace {

struct ScalarInfo {
  ScalarKind kind;
  std::string_view name;
  int digits, bits;
};
constexpr std::array<ScalarInfo, 4> scalars{{{ScalarKind::float_, "float", 9, 24},
                                             {ScalarKind::double_, "double", 17, 53},
                                             {ScalarKind::long_double_, "long-double", 21, 64},
                                             {ScalarKind::quad_, "quad", 36, 113}}};

const ScalarInfo& info(ScalarKind kind) { return scalars.at(static_cast<std::size_t>(kind)); }

}  // namespace

std::string_view scalar_name(ScalarKind kind) { return info(kind).name; }
int significant_digits(ScalarKind kind) { return info(kind).digits; }
double rounding_unit(ScalarKind kind) { return std::ldexp(1.0, 1 - info(kind).bits); }

ScalarKind parse_scalar(std::string_view name) {
  std::vector<std::string> names;
  for (const ScalarInfo& scalar : scalars) {
    if (scalar.name == name) return scalar.kind;
    names.emplace_back(scalar.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw std::invalid_argument(
      fmt::format("no scalar named '{}'; {}", name,
                  nearest.empty() ? "choose float, double, long-double or quad" : "nearest: " + nearest));
}

}  // namespace polhode
