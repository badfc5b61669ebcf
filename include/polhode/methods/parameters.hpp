// Parameters of a method: numbers that its user chooses, declared at the method and nowhere else.
//
//   struct Parameters { double gamma = 0.6; };
//   static constexpr auto parameters() {
//     return std::tuple{Parameter{"gamma", &Parameters::gamma, 0.5, 1, "what it does"}};
//   }
//   static constexpr Claims claims_for(const Parameters&);          // and claims = claims_for({})
//   static State<T> step(const System<T, F>&, State<T>, Memory<T>&, const Parameters&, T h, Work&);
//
// A name has those that differ from their defaults, between the method and its suffixes: newmark-gamma:gamma=0.55@suzuki,
// and several as name:a=1:b=2.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <tuple>

#include "polhode/methods/claims.hpp"

namespace polhode {

template <class Parameters>
struct Parameter {
  std::string_view name;
  double Parameters::*member;
  double lowest, highest;  // both allowed
  std::string_view meaning;
};
template <class Parameters>
Parameter(std::string_view, double Parameters::*, double, double, std::string_view) -> Parameter<Parameters>;

struct NoParameters {};

template <class M>
concept HasParameters = requires {
  typename M::Parameters;
};

template <class M>
struct ParametersFor {
  using type = NoParameters;
};
template <HasParameters M>
struct ParametersFor<M> {
  using type = typename M::Parameters;
};
template <class M>
using ParametersOf = typename ParametersFor<M>::type;

// Calls the function with every declaration.
template <class M, class Function>
constexpr void for_each_parameter(Function&& function) {
  if constexpr (HasParameters<M>)
    std::apply([&](const auto&... parameter) { (function(parameter), ...); }, M::parameters());
}

// From values in the order of their declaration; what is not given has its default.
template <class M>
constexpr ParametersOf<M> parameters_from(std::span<const double> values) {
  ParametersOf<M> parameters{};
  std::size_t i = 0;
  for_each_parameter<M>([&](const auto& parameter) {
    if (i < values.size()) parameters.*(parameter.member) = values[i];
    ++i;
  });
  return parameters;
}

template <class M>
constexpr Claims claims_of(const ParametersOf<M>& parameters) {
  if constexpr (HasParameters<M>) {
    return M::claims_for(parameters);
  } else {
    return M::claims;
  }
}

}  // namespace polhode
