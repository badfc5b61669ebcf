// Methods for a body that moves in space, free, in a fluid or in a field (model/moving_body.hpp). A step takes a state and
// returns one; it allocates nothing and throws nothing.
#pragma once

#include <type_traits>

#include "polhode/core/groups/product.hpp"
#include "polhode/methods/lie_composition.hpp"
#include "polhode/model/moving_body.hpp"

namespace polhode {

// H = T + V split into what can be solved exactly. T is a sum of squares: with a constant twist a the flow of <mu, a>^2/2
// is a screw at the constant rate <mu, a>, and the three translations with p . M^-1 p/2 commute,
//
//   screw by a for time s:   y <- y g,  mu <- g^-1 mu,   g = exp(s <mu, a> a)
//   glide for time s:        r <- r + s R v,  l <- l + s p x v,   v = M^-1 p
//   kick for time s:         mu <- mu + s wrench_B(y).
//
// A step screws by a_1, a_2, a_3, glides, kicks, and goes back through the same: order 2, symmetric, symplectic on
// T*SE(3). Screws and glides leave the momenta in space alone. One evaluation of the field a step. Without coupling and
// in principal axes the screws are the turns of axis_splitting.hpp.
struct ScrewSplitting {
  static constexpr int order = 2;
  static constexpr bool symmetric = true, symplectic = true;

  template <class T, class F>
  static constexpr MovingState<T> step(const MovingSystem<T, F>& sys, MovingState<T> s, const T& h) {
    const T half = T(0.5) * h;
    const auto& screws = sys.body.screws();
    for (std::size_t k = 0; k < 3; ++k) screw(screws[k], s, half);
    if constexpr (std::is_same_v<F, NoWrench>) {
      glide(sys.body, s, h);
    } else {
      glide(sys.body, s, half);
      s.mu_B = s.mu_B + h * sys.field.wrench(s.y_SB, T(s.t + half));
      glide(sys.body, s, half);
    }
    for (std::size_t k = 3; k-- > 0;) screw(screws[k], s, half);
    s.y_SB = renormalised(s.y_SB);
    s.t = s.t + h;
    return s;
  }

 private:
  template <class T>
  static constexpr void screw(const Twist<T>& a, MovingState<T>& s, const T& time) {
    const RigidMotion<T> g = exp(T(time * pairing(s.mu_B, a)) * a);
    s.y_SB = s.y_SB * g;
    s.mu_B = inverse(g) * s.mu_B;
  }
  template <class T>
  static constexpr void glide(const MovingBody<T>& body, MovingState<T>& s, const T& time) {
    const Vec3<T> d_B = time * body.glide(s.mu_B.linear);
    s.y_SB.shift += s.y_SB.rotation * d_B;
    s.mu_B.angular += cross(s.mu_B.linear, d_B);
  }
};

// Any method of core/lie_flow.hpp. Seen from the body's axes at the beginning of the step, the pose g and the momenta m
// are a flow on SE(3) x R^6 in the body form,
//
//   g' = g velocity(g^-1 m),   m' = g wrench_B(y g),   g = 1, m = mu_B at the beginning,
//
// so that no number depends on where the origin of space is. Free, m is constant and the flow is one on SE(3): |p|^2 and
// p . l, all momenta in space, and the group are kept to rounding.
template <class Method>
struct OnPoses {
  static constexpr int order = Method::order;
  static constexpr bool symmetric = Method::symmetric, symplectic = false;

  template <class T, class F>
  static constexpr MovingState<T> step(const MovingSystem<T, F>& sys, const MovingState<T>& s, const T& h) {
    using Flow = ProductGroup<SE3, Shifts<6>>;
    const auto generator = [&](const auto& t, const auto& y) {
      using S = std::decay_t<decltype(t)>;
      const Cotwist<S> m_B = inverse(y.first) * momenta(y.second);
      AlgebraOf<Flow, S> x;
      x.first = sys.body.velocity(m_B);
      const Cotwist<S> wrench = y.first * sys.field.wrench(cast<S>(s.y_SB) * y.first, t);
      for (std::size_t i = 0; i < 6; ++i) x.second[i] = wrench[i];
      return x;
    };
    ElementOf<Flow, T> start;
    for (std::size_t i = 0; i < 6; ++i) start.second[i] = s.mu_B[i];
    const auto end = lie_step<Flow, Method, Frame::body>(generator, start, s.t, h);
    return arrived(s, end.first, momenta(end.second), h);
  }

  template <class T>
  static constexpr MovingState<T> step(const MovingSystem<T, NoWrench>& sys, const MovingState<T>& s, const T& h) {
    const auto generator = [&](const auto& t, const auto& g) {
      using S = std::decay_t<decltype(t)>;
      return sys.body.velocity(inverse(g) * cast<S>(s.mu_B));
    };
    return arrived(s, lie_step<SE3, Method, Frame::body>(generator, RigidMotion<T>{}, s.t, h), s.mu_B, h);
  }

 private:
  template <class S>
  static constexpr Cotwist<S> momenta(const Shift<S, 6>& m) {
    return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}};
  }
  template <class T>
  static constexpr MovingState<T> arrived(const MovingState<T>& s, const RigidMotion<T>& g, const Cotwist<T>& m,
                                          const T& h) {
    return {renormalised(s.y_SB * g), inverse(g) * m, s.t + h};
  }
};

// Compositions of the splitting, by the sequences of lie_composition.hpp.
template <class Base, class Sequence>
struct ComposedMoving {
  static_assert(Base::symmetric, "a composition raises the order of a symmetric method");
  static_assert(Base::order == Sequence::base, "the sequence is made for a method of another order");
  static constexpr int order = Sequence::order;
  static constexpr bool symmetric = true, symplectic = Base::symplectic;

  template <class T, class F>
  static constexpr MovingState<T> step(const MovingSystem<T, F>& sys, const MovingState<T>& s, const T& h) {
    MovingState<T> at = s;
    for (const auto& share : table_of<Sequence, value_of<T>>()) at = Base::step(sys, at, T(T(share) * h));
    at.t = s.t + h;
    return at;
  }
};

}  // namespace polhode
