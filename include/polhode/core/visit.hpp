// Visits a variant by a switch. std::visit of libstdc++ calls through a table where there are more than eleven alternatives,
// and nothing is inlined then.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace polhode {

template <std::size_t First = 0, class Function, class... Types>
[[gnu::always_inline]] inline decltype(auto) visit_by_switch(Function&& function,
                                                             const std::variant<Types...>& variant) {
  constexpr std::size_t count = sizeof...(Types);
  const auto call = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) -> decltype(auto) {
    return function(*std::get_if<(I < count ? I : count - 1)>(&variant));
  };
  switch (variant.index() - First) {
    case 0: return call(std::integral_constant<std::size_t, First>{});
    case 1: return call(std::integral_constant<std::size_t, First + 1>{});
    case 2: return call(std::integral_constant<std::size_t, First + 2>{});
    case 3: return call(std::integral_constant<std::size_t, First + 3>{});
    case 4: return call(std::integral_constant<std::size_t, First + 4>{});
    case 5: return call(std::integral_constant<std::size_t, First + 5>{});
    case 6: return call(std::integral_constant<std::size_t, First + 6>{});
    case 7: return call(std::integral_constant<std::size_t, First + 7>{});
    default:
      if constexpr (First + 8 < count) {
        return visit_by_switch<First + 8>(std::forward<Function>(function), variant);
      } else {
        __builtin_unreachable();  // a variant that has lost its value in an exception; none is made so here
      }
  }
}

}  // namespace polhode
