// One body of those that stand in rows on a card (ensemble/card_kernels.hpp), as the catalogue's types, in scalar S.
#pragma once

#include <cstddef>
#include <cstring>

#include "ensemble/card_kernels.hpp"
#include "ensemble/field_numbers.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

template <class S>
class BodyInRows {
 public:
  __device__ BodyInRows(const polhode_card::Bodies& all, std::size_t i) : all_(all), i_(i) {}

  __device__ S fixed(std::size_t number) const {
    const polhode_card::Row& row = all_.fixed[number];
    return static_cast<S>(row.numbers[i_ * row.step]);
  }

  __device__ Vec3<S> inertia() const {
    constexpr std::size_t first = polhode_card::inertia;
    return {fixed(first), fixed(first + 1), fixed(first + 2)};
  }

  template <class F>
  __device__ System<S, F> system() const {
    Body<S> body(inertia());
    body.second = fixed(polhode_card::second);
    F field;
    if constexpr (!is_free<F>) {
      std::size_t next = polhode_card::field;
      // The numbers are those of a field that knows its body: to free a radius of roundings anew would leave others.
      if constexpr (requires { field.acts_on(body); }) field.acts_on(body);
      for_each_number(field, [&](S& to) { to = fixed(next++); });
    }
    return {body, field};
  }

  __device__ State<S> state(const S& time) const {
    return {{number(0), {number(1), number(2), number(3)}}, {number(4), number(5), number(6)}, time};
  }
  __device__ void keep(const State<S>& s) const {
    const S numbers[polhode_card::state_numbers] = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z,
                                                    s.pi_B.x, s.pi_B.y,   s.pi_B.z};
    double sum = 0;
    for (std::size_t k = 0; k < polhode_card::state_numbers; ++k) {
      at(k) = static_cast<double>(numbers[k]);
      sum += at(k) - at(k);
    }
    if (sum != 0) all_.failed[i_] = 1;
  }

  // What a method remembers, word by word.
  template <class Memory>
  __device__ Memory memory() const {
    double words[words_of<Memory>];
    for (std::size_t k = 0; k < words_of<Memory>; ++k) words[k] = at(polhode_card::state_numbers + k);
    Memory memory;
    std::memcpy(static_cast<void*>(&memory), words, sizeof memory);
    return memory;
  }
  template <class Memory>
  __device__ void keep_memory(const Memory& memory) const {
    double words[words_of<Memory>] = {};
    std::memcpy(words, &memory, sizeof memory);
    for (std::size_t k = 0; k < words_of<Memory>; ++k) at(polhode_card::state_numbers + k) = words[k];
  }

  template <class Memory>
  static constexpr std::size_t words_of = (sizeof(Memory) + sizeof(double) - 1) / sizeof(double);

 private:
  __device__ double& at(std::size_t row) const { return all_.state[row * all_.stride + i_]; }
  __device__ S number(std::size_t row) const { return static_cast<S>(at(row)); }

  const polhode_card::Bodies& all_;
  std::size_t i_;
};

}  // namespace polhode
