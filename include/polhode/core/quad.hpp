// The 113-bit scalar. Heavy to compile: only translation units that need it include this.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "polhode/core/wider.hpp"

namespace polhode {

using quad = boost::multiprecision::cpp_bin_float_quad;

template <>
struct Wider<long double> {
  using type = quad;
};

}  // namespace polhode
