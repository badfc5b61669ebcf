// Splittings of H = T(pi) + V(R) into the exact motion of the free body (model/free_step.hpp) and kicks (kick.hpp).
//
// The torque bends the kinetic energy no further than twice: [V, [V, T]] is tau_B . I^-1 tau_B, a function of the
// attitude alone, and [V, [V, [V, T]]] = 0, as for a particle in a potential. So the order conditions of
// Runge-Kutta-Nystrom methods are enough, and the sequences made for those serve a rotating body [BM02]. A body without
// torque is moved without error.
//
// The coefficients are those printed, of 15 digits, moved onto the order conditions by less than 4 units of the last.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/decimal.hpp"
#include "polhode/core/table.hpp"
#include "polhode/methods/kick.hpp"
#include "polhode/model/free_step.hpp"

namespace polhode {

// Shares of the step: kick, drift, kick, ..., kick, or drift, kick, ..., drift.
template <class T, std::size_t Kicks, std::size_t Drifts>
struct SplittingShares {
  std::array<T, Kicks> kick{};
  std::array<T, Drifts> drift{};
};

namespace detail {
// A palindrome from the first numbers of it, those after them given by the sum of all, which is one.
template <class T, std::size_t N, std::size_t Given>
constexpr std::array<T, N> palindrome(const std::array<std::string_view, Given>& digits) {
  static_assert(Given == (N - 1) / 2);
  std::array<T, N> c{};
  T rest(1);
  for (std::size_t i = 0; i < Given; ++i) {
    c[i] = c[N - 1 - i] = decimal<T>(digits[i]);
    rest = rest - T(2) * c[i];
  }
  if (N % 2 == 1) {
    c[Given] = rest;
  } else {
    c[Given] = c[Given + 1] = T(0.5) * rest;
  }
  return c;
}
}  // namespace detail

struct VerletShares {
  static constexpr int order = 2, torque_evaluations = 1;
  static constexpr std::string_view cite = "CFSZ08; ZS07";
  static constexpr std::string_view about = "kick, exact free rotor, kick: symplectic, one torque evaluation a step";
  static constexpr std::string_view good_for =
      "long runs of a fast body in a weak conservative field: the error is that of the torque alone";
  static constexpr std::string_view not_for = "accuracy below 1e-4: rotor-srkn6b needs fewer torque evaluations";

  template <class T>
  static constexpr SplittingShares<T, 2, 1> make() {
    return {{T(0.5), T(0.5)}, {T(1)}};
  }
};

struct Nystrom6bShares {
  static constexpr int order = 4, torque_evaluations = 6;
  static constexpr std::string_view cite = "BM02, Table 3";
  static constexpr std::string_view about =
      "Nystrom splitting SRKN6b with the exact free rotor: order 4 with small errors";
  static constexpr std::string_view good_for =
      "long runs in a conservative field at medium accuracy, where torque evaluations are expensive";
  static constexpr std::string_view not_for = "drag: in a torque that depends on the velocity the order is 2";

  template <class T>
  static constexpr SplittingShares<T, 7, 6> make() {
    return {detail::palindrome<T, 7, 3>({"0.0829844064174050188383474789422501124948",
                                         "0.3963098014983680770949115282636867393961",
                                         "-0.0390563049223484351708652907653792422876"}),
            detail::palindrome<T, 6, 2>(
                {"0.2452989571842711626039324260014008804072", "0.6048726657110799749608926976430762452210"})};
  }
};

struct Nystrom11bShares {
  static constexpr int order = 6, torque_evaluations = 11;
  static constexpr std::string_view cite = "BM02, Table 3";
  static constexpr std::string_view about = "Nystrom splitting SRKN11b with the exact free rotor: order 6";
  static constexpr std::string_view good_for = "long runs in a conservative field at high accuracy";
  static constexpr std::string_view not_for = "drag: in a torque that depends on the velocity the order is 2";

  template <class T>
  static constexpr SplittingShares<T, 12, 11> make() {
    return {detail::palindrome<T, 12, 5>(
                {"0.0414649985182628432987781339147049367097", "0.1981286719180665411367264731814969605909",
                 "-0.0400061921041526868888283635359448393827", "0.0752539843015803411278788785270427555459",
                 "-0.0115113874206877700624432015012891995510"}),
            detail::palindrome<T, 11, 5>(
                {"0.1232297759462711515610863803333667525609", "0.2905537977995582703664141693279161833469",
                 "-0.1270492126254169156625050538274859344757", "-0.2463317610620754041949734891040628625975",
                 "0.3572088727959277526198603496193104628305"})};
  }
};

struct Nystrom14aShares {
  static constexpr int order = 6, torque_evaluations = 14;
  static constexpr std::string_view cite = "BM02, Table 3";
  static constexpr std::string_view about =
      "Nystrom splitting SRKN14a with the exact free rotor: order 6, smallest error";
  static constexpr std::string_view good_for = "long runs in a conservative field at high accuracy and large steps";
  static constexpr std::string_view not_for = "drag: in a torque that depends on the velocity the order is 2";

  template <class T>
  static constexpr SplittingShares<T, 14, 15> make() {
    return {detail::palindrome<T, 14, 6>(
                {"0.0917191526244620179811832282648683412278", "0.1839831700050048984914765646763433382585",
                 "-0.0565343658328891043952770448480899491923", "0.0049146887747118856402056164550157243208",
                 "0.1437611271683616823873745299867722104240", "0.3285676937468041402004812576270353400748"}),
            detail::palindrome<T, 15, 7>(
                {"0.0378593198406109414470211790380111045692", "0.1026356331024365528470822509403380617399",
                 "-0.0258678882665583331639469603593653388590", "0.3142414030714464341471425357032840113694",
                 "-0.1301444595174151138496150785400285158874", "0.1064177003695413680222801392853834569430",
                 "-0.0087942431285102043940694284276599028053"})};
  }
};

// What every splitting with the exact free rotor keeps. In a torque that depends on the angular velocity the kicks are of
// order 2, and no more is left.
constexpr Claims rotor_claims(int order, double torque_evaluations) {
  return {.order_attitude = order,
          .order_momentum = order,
          .order_free = {exact_order, exact_order},
          .order_with_velocity = {2, 2},
          .gains_with_velocity = order == 2 ? Gains::one : Gains::nothing,
          .symmetric = true,
          .symplectic = true,
          .momentum_free = Keeps::exact,
          .momentum_along_field = Keeps::exact,
          .energy_free = Keeps::exact,
          .energy = Keeps::bounded,
          .torque_evaluations = torque_evaluations};
}

template <class Shares>
struct RotorSplitting : KeepsTorque {
  static constexpr std::string_view family = "rotor splitting";
  static constexpr std::string_view cite = Shares::cite;
  static constexpr std::string_view about = Shares::about;
  static constexpr std::string_view good_for = Shares::good_for;
  static constexpr std::string_view not_for = Shares::not_for;
  static constexpr Claims claims = [] {
    Claims c = rotor_claims(Shares::order, Shares::torque_evaluations);
    c.batch = true;
    return c;
  }();

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory,
                                                        const T& h, Work& work) {
    if constexpr (is_free<F>) {
      drift(sys.body, s, h);
    } else {
      const auto& share = table_of<Shares, value_of<T>>();
      constexpr std::size_t kicks = std::tuple_size_v<decltype(share.kick)>;
      constexpr std::size_t drifts = std::tuple_size_v<decltype(share.drift)>;
      const T t = s.t + h;
      if constexpr (drifts > kicks) drift_on(sys, s, memory, T(T(share.drift[0]) * h));
      for (std::size_t i = 0; i < kicks; ++i) {
        kick(sys, s, memory, T(T(share.kick[i]) * h), work);
        if constexpr (drifts > kicks) {
          drift_on(sys, s, memory, T(T(share.drift[i + 1]) * h));
        } else if (i + 1 < kicks) {
          drift_on(sys, s, memory, T(T(share.drift[i]) * h));
          if (i + 2 == kicks) s.t = t;  // the last kick at the time of the next step's first, to the bit
        }
      }
      s.t = t;
    }
    return s;
  }

 private:
  template <class T, class F>
  static constexpr void drift_on(const System<T, F>& sys, State<T>& s, KeptTorque<T>& memory, const T& tau) {
    drift(sys.body, s, tau);
    memory.torque_known = false;
  }
};

using RotorVerlet = RotorSplitting<VerletShares>;

}  // namespace polhode
