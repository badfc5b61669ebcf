// Projection onto the energy surface at fixed spatial momentum [B01, Sec. 4]: the body is turned a little, so that its
// kinetic energy becomes what it should be while its momentum in space stays.
//
// On Poinsot's ellipsoid the point rho = nu/sqrt(nu . J nu), nu the body velocity, must lie on the polhode, the
// intersection of two ellipsoids that are linear in the squares s_i = rho_i^2:
//   sum J_i s_i = 1,   sum J_i^2 s_i = |l|^2/(2E).
// The polhode is approached along a hyperboloid that meets all polhodes at right angles, sum alpha_i s_i = const. With
// u the old squares, c = (J2 J3 (J3-J2), J3 J1 (J1-J3), J1 J2 (J2-J1)) and alpha = (c1 u2 u3, c2 u3 u1, c3 u1 u2) the
// solution is s = u + lambda J x alpha,
//   lambda = (|l|^2/(2E) - sum J_i^2 u_i) / det,   det = -(c1^2 u2 u3 + c2^2 u3 u1 + c3^2 u1 u2).
// The new body momentum is along J_i rho'_i (signs kept), and the attitude follows by the shortest rotation.
//
// det vanishes on a principal axis, for a sphere and in the equator of a symmetric body, and a square may come out
// negative when the shift is large. Then the body is tilted along a great circle through one of its axes instead, the
// one with the smallest tilt. A correction larger than the step's own rotation is refused. Moments enter divided by the
// largest, so that no product of them can overflow.
#pragma once

#include "polhode/model/field.hpp"

namespace polhode {

namespace detail {

// `direction` is the unit vector of the body momentum, J the moments over the largest, and level = |l|^2/(2E) over the
// largest moment. False where the equations have no solution.
template <class T>
bool hyperboloid_shift(const Vec3<T>& J, const Vec3<T>& direction, const T& level, Vec3<T>& shifted) {
  const Vec3<T> nu = over(direction, J);
  const T scale = T(1) / dot(nu, direction);
  const Vec3<T> u = scale * times(nu, nu);
  const Vec3<T> c{J.y * J.z * (J.z - J.y), J.z * J.x * (J.x - J.z), J.x * J.y * (J.y - J.x)};
  const Vec3<T> pairs{u.y * u.z, u.z * u.x, u.x * u.y};
  const T det = -dot(times(c, c), pairs);
  if (!(det < T(0))) return false;
  const T lambda = (level - dot(times(J, J), u)) / det;
  const Vec3<T> s = u + lambda * cross(J, times(c, pairs));
  if (!(s.x >= T(0) && s.y >= T(0) && s.z >= T(0))) return false;
  shifted = {J.x * copysign(sqrt(s.x), nu.x), J.y * copysign(sqrt(s.y), nu.y), J.z * copysign(sqrt(s.z), nu.z)};
  shifted = shifted / norm(shifted);
  return true;
}

// Tilt along the great circle through `direction` u and principal axis i: with u_i^2 = z the rest of u shrinks in
// proportion, and 1/level = z/J_i + (1 - z) m with m the mean of the other 1/J over the rest of u.
template <class T>
bool tilt(const Vec3<T>& J, const Vec3<T>& u, const T& level, std::size_t i, Vec3<T>& tilted) {
  const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
  Vec3<T> v = u;
  T rest = v[j] * v[j] + v[l] * v[l];
  if (!(rest > T(epsilon<T>()) * T(epsilon<T>()))) {
    // On the axis all directions away from it are alike: take the one along which the energy changes fastest.
    const bool along_j = abs(T(1) / J[j] - T(1) / J[i]) > abs(T(1) / J[l] - T(1) / J[i]);
    v[j] = T(along_j ? 1 : 0);
    v[l] = T(along_j ? 0 : 1);
    rest = T(1);
  }
  const T mean = (v[j] * v[j] / J[j] + v[l] * v[l] / J[l]) / rest;
  const T z = (T(1) / level - mean) / (T(1) / J[i] - mean);
  if (!(z >= T(0) && z <= T(1))) return false;
  const T shrink = sqrt((T(1) - z) / rest);
  tilted[i] = copysign(sqrt(z), u[i]);
  tilted[j] = shrink * v[j];
  tilted[l] = shrink * v[l];
  return true;
}

template <class T>
T angle_to(const Vec3<T>& a, const Vec3<T>& b) {
  return atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace detail

// The turn C of the body, R <- R C and pi_B <- C^-1 pi_B, after which its kinetic energy is `energy`. Energies beyond
// what |pi_B| allows are clamped to the nearest principal axis. Counts in `work` when it gives up and returns no turn.
template <class T>
Rotation<T> project_energy(const Body<T>& body, const Vec3<T>& pi_B, const T& energy, const T& largest_turn,
                           Work& work) {
  const T length = norm(pi_B);
  if (!isfinite(energy)) ++work.projections_given_up;
  if (!isfinite(energy) || !(length > T(0))) return {};
  const Vec3<T> u = pi_B / length;
  const T largest = max(body.inertia.x, max(body.inertia.y, body.inertia.z));
  const Vec3<T> J = body.inertia / largest;
  const T smallest = min(J.x, min(J.y, J.z));
  const T wanted = length / (T(2) * energy / length) / largest;
  const T level = energy > T(0) ? min(T(1), max(smallest, wanted)) : T(1);
  const T now = T(1) / dot(u, over(u, J));
  if (abs(level - now) <= T(4) * T(epsilon<T>()) * now) return {};  // rounding, not an error

  Vec3<T> target{};
  bool found = detail::hyperboloid_shift(J, u, level, target) && detail::angle_to(u, target) <= largest_turn;
  if (!found) {
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3<T> candidate{};
      if (!detail::tilt(J, u, level, i, candidate)) continue;
      if (!(detail::angle_to(u, candidate) <= largest_turn)) continue;
      if (!found || detail::angle_to(u, candidate) < detail::angle_to(u, target)) target = candidate;
      found = true;
    }
  }
  if (!found) {
    ++work.projections_given_up;
    return {};
  }
  return shortest_arc(target, u);
}

// The same in a conservative field, for kinetic plus potential energy. At fixed spatial momentum a small turn
// exp(d) changes it by g . d, g = w_B x pi_B - tau_B, which is minus the rate of change of pi_B. The turn is along g,
// by Newton's method; it fails where pi_B is at rest, a relative equilibrium, as far as the energy is off there.
template <class T, class F>
Rotation<T> project_total_energy(const System<T, F>& sys, const State<T>& s, const T& energy, const T& largest_turn,
                                 Work& work) {
  const Body<T>& body = sys.body;
  Rotation<T> C{};
  Vec3<T> pi_B = s.pi_B;
  const T size = T(abs(energy)) + body.kinetic_energy(pi_B, s.t);
  Rotation<T> best = C;
  T smallest(0);
  constexpr int most = 16;  // where g is small, next to a relative equilibrium, the first steps are long and wrong
  for (int i = 0; i < most; ++i) {
    const Rotation<T> R_SB = s.R_SB * C;
    const T excess = body.kinetic_energy(pi_B, s.t) + potential_energy(sys.field, R_SB, s.t) - energy;
    if (i == 0 || T(abs(excess)) < smallest) {
      smallest = T(abs(excess));
      best = C;
    }
    if (smallest <= T(epsilon<T>()) * size) return best;
    const Vec3<T> g = cross(body.velocity(pi_B, s.t), pi_B) - torque_body(sys, R_SB, pi_B, s.t, work);
    C = renormalised(C * exp(T(-excess / squared_norm(g)) * g));
    if (!(angle_between(Rotation<T>{}, C) <= largest_turn)) break;
    pi_B = inverse(C) * s.pi_B;
  }
  // Rounding in the potential may keep the last digits from settling; more than that is a failure.
  if (!(smallest <= T(64) * T(epsilon<T>()) * size)) ++work.projections_given_up;
  return best;
}

}  // namespace polhode
