// A field as plain numbers, for kernels that know it by its type.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace polhode {

// Made when this is compiled: the keys themselves, which have texts, are not for a card.
template <class F, std::size_t I>
inline constexpr auto member_of_key = std::get<I>(F::keys()).member;

// f(number) for each number of a field: key after key, the components of a vector one after the other.
template <class F, class Function>
constexpr void for_each_number(F& field, const Function& f) {
  using Field = std::remove_const_t<F>;
  const auto of_key = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    auto& member = field.*member_of_key<Field, I>;
    if constexpr (requires { member.x; }) {
      for (std::size_t k = 0; k < 3; ++k) f(member[k]);
    } else {
      f(member);
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (of_key(std::integral_constant<std::size_t, I>{}), ...); }
  (std::make_index_sequence<std::tuple_size_v<decltype(Field::keys())>>{});
}

}  // namespace polhode
