// Vectors and quaternions of other libraries. Anything with members x, y, z (and w) is understood (Bullet's through
// functions, glm, raylib, Godot), arrays and anything else with [] (Eigen's vectors, C arrays, std::array) as well; for a
// type of another kind specialise ForeignVector and ForeignQuaternion.
//
//   const polhode::Vec3<float> v = polhode::vec3<float>(glm_vector);
//   const glm::quat q = polhode::quaternion_to<glm::quat>(state.R_SB);
//
// Of quaternions in arrays the order of the numbers must be said: QuaternionOrder::wxyz or xyzw (Eigen's coeffs, Bullet, ODE
// has wxyz). Of those with members it goes by their names.
#pragma once

#include <type_traits>
#include <utility>

#include "polhode/core/rotation.hpp"

namespace polhode {

enum class QuaternionOrder { wxyz, xyzw };

namespace detail {

template <class V>
concept HasXyz = requires(V v) {
  v.x;
  v.y;
  v.z;
};
template <class V>
concept CallsXyz = requires(const V v) {
  v.x();
  v.y();
  v.z();
};
template <class V>
concept Indexed = requires(V v) {
  v[0];
  v[2];
};
template <class Q>
concept HasW = requires(Q q) {
  q.w;
};
template <class Q>
concept CallsW = requires(const Q q) {
  q.w();
};
// libraries differ in the order of the arguments of a constructor, but not in what a member is called
template <class Q>
concept AssignsXyzw = requires(Q q, float a) {
  q.x = a;
  q.y = a;
  q.z = a;
  q.w = a;
};
template <class Q>
concept CallsAssignable = requires(Q q, float a) {
  q.x() = a;
  q.y() = a;
  q.z() = a;
  q.w() = a;
};
// Bullet's
template <class Q>
concept SetsXyzw = requires(Q q, float a) {
  q.setValue(a, a, a, a);
};

}  // namespace detail

// How a vector of another library is read and made.
template <class V>
struct ForeignVector {
  template <class T>
  static constexpr Vec3<T> read(const V& v) {
    if constexpr (detail::HasXyz<V>) {
      return {T(v.x), T(v.y), T(v.z)};
    } else if constexpr (detail::CallsXyz<V>) {
      return {T(v.x()), T(v.y()), T(v.z())};
    } else {
      static_assert(detail::Indexed<V>,
                    "a vector has members x, y, z, functions of these names, or []; else specialise ForeignVector");
      return {T(v[0]), T(v[1]), T(v[2])};
    }
  }
  template <class T>
  static constexpr V make(const Vec3<T>& from) {
    V v{};
    if constexpr (detail::HasXyz<V>) {
      v.x = static_cast<decltype(v.x)>(from.x);
      v.y = static_cast<decltype(v.y)>(from.y);
      v.z = static_cast<decltype(v.z)>(from.z);
    } else {
      static_assert(detail::Indexed<V>, "a vector has members x, y, z or []; else specialise ForeignVector");
      using Element = std::remove_cvref_t<decltype(v[0])>;
      v[0] = static_cast<Element>(from.x);
      v[1] = static_cast<Element>(from.y);
      v[2] = static_cast<Element>(from.z);
    }
    return v;
  }
};

template <class Q>
struct ForeignQuaternion {
  template <class T>
  static constexpr Rotation<T> read(const Q& q) {
    if constexpr (detail::HasXyz<Q> && detail::HasW<Q>) {
      return {T(q.w), {T(q.x), T(q.y), T(q.z)}};
    } else {
      static_assert(detail::CallsXyz<Q> && detail::CallsW<Q>,
                    "a quaternion has members or functions w, x, y, z; of an array say the order: rotation_from");
      return {T(q.w()), {T(q.x()), T(q.y()), T(q.z())}};
    }
  }
  template <class T>
  static constexpr Q make(const Rotation<T>& from) {
    Q q{};
    if constexpr (detail::AssignsXyzw<Q>) {
      q.w = static_cast<decltype(q.w)>(from.w);
      q.x = static_cast<decltype(q.x)>(from.v.x);
      q.y = static_cast<decltype(q.y)>(from.v.y);
      q.z = static_cast<decltype(q.z)>(from.v.z);
    } else if constexpr (detail::SetsXyzw<Q>) {
      q.setValue(from.v.x, from.v.y, from.v.z, from.w);
    } else {
      static_assert(detail::CallsAssignable<Q>,
                    "a quaternion has members w, x, y, z that can be set; else specialise ForeignQuaternion");
      using Element = std::remove_cvref_t<decltype(q.w())>;
      q.w() = static_cast<Element>(from.w);
      q.x() = static_cast<Element>(from.v.x);
      q.y() = static_cast<Element>(from.v.y);
      q.z() = static_cast<Element>(from.v.z);
    }
    return q;
  }
};

template <class T, class V>
constexpr Vec3<T> vec3(const V& v) {
  if constexpr (std::is_array_v<V> || std::is_pointer_v<V>) {
    return {T(v[0]), T(v[1]), T(v[2])};
  } else {
    return ForeignVector<V>::template read<T>(v);
  }
}
template <class V, class T>
constexpr V vector_to(const Vec3<T>& v) {
  return ForeignVector<V>::make(v);
}
template <class T, class Q>
constexpr Rotation<T> rotation(const Q& q) {
  return ForeignQuaternion<Q>::template read<T>(q);
}
template <class Q, class T>
constexpr Q quaternion_to(const Rotation<T>& q) {
  return ForeignQuaternion<Q>::make(q);
}

// Four numbers in a row.
template <class T, class Numbers>
constexpr Rotation<T> rotation_from(const Numbers& q, QuaternionOrder order) {
  return order == QuaternionOrder::wxyz ? Rotation<T>{T(q[0]), {T(q[1]), T(q[2]), T(q[3])}}
                                        : Rotation<T>{T(q[3]), {T(q[0]), T(q[1]), T(q[2])}};
}
template <class Numbers, class T>
constexpr void rotation_into(Numbers& to, const Rotation<T>& q, QuaternionOrder order) {
  using Element = std::remove_cvref_t<decltype(to[0])>;
  const bool first = order == QuaternionOrder::wxyz;
  to[first ? 0 : 3] = static_cast<Element>(q.w);
  to[first ? 1 : 0] = static_cast<Element>(q.v.x);
  to[first ? 2 : 1] = static_cast<Element>(q.v.y);
  to[first ? 3 : 2] = static_cast<Element>(q.v.z);
}

}  // namespace polhode
