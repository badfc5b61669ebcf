// A text as an argument of a template.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace polhode {

template <std::size_t N>
struct FixedString {
  char text[N]{};
  constexpr FixedString(const char (&s)[N]) { std::copy_n(s, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace polhode
