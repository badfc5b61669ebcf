// The scalars a run can be made in, by name.
#pragma once

#include <string_view>
#include <type_traits>

namespace polhode {

enum class ScalarKind { float_, double_, long_double_, quad_ };

std::string_view scalar_name(ScalarKind kind);
ScalarKind parse_scalar(std::string_view name);  // throws std::invalid_argument with a sentence
int significant_digits(ScalarKind kind);         // enough to read the same number back
double rounding_unit(ScalarKind kind);           // the spacing of its numbers at 1

template <class T>
inline constexpr ScalarKind scalar_kind_of = std::is_same_v<T, float>         ? ScalarKind::float_
                                             : std::is_same_v<T, double>      ? ScalarKind::double_
                                             : std::is_same_v<T, long double> ? ScalarKind::long_double_
                                                                              : ScalarKind::quad_;

}  // namespace polhode
