// The methods whose claims are tested: every catalogue entry that moves attitudes, at several values of its parameters,
// each with energy projection, and every symmetric one composed. Those that move a direction have tests of their own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "polhode/measure/claims.hpp"

namespace polhode::test {

// Where parameters are tested, besides their defaults: at the lower bound, close above it, and well within.
inline constexpr double tested_shares[] = {0, 0.04, 0.1, 0.6};

// A method as it comes, and with each of its parameters at several values.
inline std::vector<std::string> with_parameters(const MethodInfo& method) {
  std::vector<std::string> names{std::string(method.name)};
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    for (const double share : tested_shares) {
      const ParameterInfo& parameter = method.parameters[i];
      std::vector<double> values;
      for (const ParameterInfo& other : method.parameters) values.push_back(other.standard);
      values[i] = parameter.lowest + share * (parameter.highest - parameter.lowest);
      std::string name = std::string(method.name) + written(method.parameters, values);
      // A default may be a bound.
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

inline std::vector<std::string> tested_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations) continue;
    for (const std::string& name : with_parameters(method)) {
      const Claims claims = parse_method(name).claims;
      names.push_back(name);
      if (claims.order_attitude == exact_order) continue;  // takes no suffix
      if (!claims.dissipative && !claims.gains_momentum) names.push_back(name + "+energy");
      if (claims.symmetric && claims.composes && claims.order_attitude == 2) {
        for (const char* composition : {"@triple-jump", "@suzuki", "@kahan-li-6", "@kahan-li-8"})
          names.push_back(name + composition);
      }
    }
  }
  names.emplace_back("mclachlan-reich-213@suzuki@suzuki");
  names.emplace_back("mclachlan-reich-312@suzuki+energy");
  return names;
}

inline bool takes_torque(const Claims& claims) { return claims.needs != Needs::no_torque; }

// Test names may hold letters, digits and underscores only.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    if (c == '-') name += '_';
    if (c == '@') name += "_composed_";
    if (c == '+') name += "_with_";
    if (c == '/') name += "_every_";
    if (c == ':') name += "_at_";
    if (c == '=') name += "_is_";
    if (c == '.') name += "_point_";
  }
  return name;
}

}  // namespace polhode::test
