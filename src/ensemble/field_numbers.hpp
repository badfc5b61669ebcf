// A field as plain numbers, for kernels that know it by its type.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace polhode {

// f(number) for each number of a field: key after key, the components of a vector one after the other.
template <class F, class Function>
constexpr void for_each_number(F& field, const Function& f) {
  const auto of_key = [&](auto& member) {
    if constexpr (requires { member.x; }) {
      for (std::size_t k = 0; k < 3; ++k) f(member[k]);
    } else {
      f(member);
    }
  };
  std::apply([&](const auto&... key) { (of_key(field.*(key.member)), ...); }, std::remove_const_t<F>::keys());
}

}  // namespace polhode
