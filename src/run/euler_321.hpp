// Yaw, pitch and roll of an attitude.
#pragma once

#include "polhode/core/rotation.hpp"

namespace polhode {

// Yaw, pitch and roll [rad] with R = R_z(yaw) R_y(pitch) R_x(roll). The quaternion of that product has
//   w - y, z + x = (cos pitch/2 - sin pitch/2) cos, sin (yaw + roll)/2
//   w + y, z - x = (cos pitch/2 + sin pitch/2) cos, sin (yaw - roll)/2.
// Next to straight up or down the elements of the matrix that hold yaw and roll are differences with few digits left; of
// these two angles one always has all of them, and the other hardly turns the body. Straight up or down, where only one
// of them is defined, the roll is zero.
template <class T>
Vec3<T> euler_321(const Rotation<T>& q) {
  const T half_turn = T(4) * T(atan2(T(1), T(1)));
  const auto within_half_a_turn = [&](const T& angle) {
    return angle > half_turn ? T(angle - T(2) * half_turn) : angle < -half_turn ? T(angle + T(2) * half_turn) : angle;
  };
  const T up_cos = q.w - q.v.y, up_sin = q.v.z + q.v.x, down_cos = q.w + q.v.y, down_sin = q.v.z - q.v.x;
  const T up = sqrt(T(up_cos * up_cos + up_sin * up_sin)), down = sqrt(T(down_cos * down_cos + down_sin * down_sin));
  const T pitch = atan2(T(T(2) * (q.w * q.v.y - q.v.z * q.v.x)), T(up * down));
  const T sum = T(2) * T(atan2(up_sin, up_cos)), difference = T(2) * T(atan2(down_sin, down_cos));
  const T nothing = T(8) * T(epsilon<T>());
  if (up < nothing) return {within_half_a_turn(difference), pitch, T(0)};
  if (down < nothing) return {within_half_a_turn(sum), pitch, T(0)};
  return {within_half_a_turn(T(T(0.5) * (sum + difference))), pitch,
          within_half_a_turn(T(T(0.5) * (sum - difference)))};
}

}  // namespace polhode
