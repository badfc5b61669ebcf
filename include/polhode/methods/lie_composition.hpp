// Compositions of a symmetric method on a Lie group (core/lie_methods.hpp), by the sequences of composition.hpp: they
// raise its order and leave it symmetric.
#pragma once

#include "polhode/core/lie_flow.hpp"
#include "polhode/core/table.hpp"
#include "polhode/methods/composition.hpp"

namespace polhode::lie {

// Sequences: the order they lead to and, as a table, the shares of the step.
template <int Base>
struct TripleJump {
  static constexpr int base = Base, order = Base + 2;
  template <class T>
  static constexpr auto make() {
    return triple_jump<T>(Base);
  }
};
template <int Base>
struct Suzuki {
  static constexpr int base = Base, order = Base + 2;
  template <class T>
  static constexpr auto make() {
    return suzuki<T>(Base);
  }
};
struct KahanLi6 {
  static constexpr int base = 2, order = 6;
  template <class T>
  static constexpr auto make() {
    return kahan_li_6<T>();
  }
};
struct KahanLi8 {
  static constexpr int base = 2, order = 8;
  template <class T>
  static constexpr auto make() {
    return kahan_li_8<T>();
  }
};

template <class Base, class Sequence>
struct Composed {
  static_assert(Base::symmetric, "a composition raises the order of a symmetric method");
  static_assert(Base::order == Sequence::base, "the sequence is made for a method of another order");
  static constexpr int order = Sequence::order;
  static constexpr bool symmetric = true;

  template <class G, Frame frame, class T, class W, class Y>
  static constexpr Y step(const W& w, const Y& y, const T& t, const T& h) {
    Y at = y;
    T passed(0);
    for (const auto& share : table_of<Sequence, value_of<T>>()) {
      const T part = T(share) * h;
      at = Base::template step<G, frame>(w, at, T(t + passed), part);
      passed = passed + part;
    }
    return at;
  }
};

}  // namespace polhode::lie
