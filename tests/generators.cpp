#include "generators.hpp"

#include <cmath>
#include <cstdint>

namespace polhode::random {

bool holds(const std::function<void()>& property) { return rc::check(property); }

rc::Gen<double> real(double low, double high) {
  constexpr std::int64_t steps = std::int64_t{1} << 52;
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, steps + 1)),
                      [=](std::int64_t k) { return low + (high - low) * (static_cast<double>(k) / steps); });
}

rc::Gen<double> magnitude(double low, double high) {
  return rc::gen::map(real(std::log(low), std::log(high)), [](double l) { return std::exp(l); });
}

rc::Gen<Vec3<double>> direction() {
  const auto anywhere = rc::gen::map(rc::gen::pair(real(-1, 1), real(-pi, pi)), [](const auto& p) {
    const double r = std::sqrt(1 - p.first * p.first);
    return Vec3<double>{r * std::cos(p.second), r * std::sin(p.second), p.first};
  });
  const auto sign = rc::gen::inRange(-1, 2);
  const auto lattice =
      rc::gen::map(rc::gen::suchThat(rc::gen::resize(rc::kNominalSize, rc::gen::tuple(sign, sign, sign)),
                                     [](const auto& t) {
                                       return t != std::tuple{0, 0, 0};
                                     }),
                   [](const auto& t) {
                     const Vec3<double> v{double(std::get<0>(t)), double(std::get<1>(t)), double(std::get<2>(t))};
                     return v / norm(v);
                   });
  return rc::gen::weightedOneOf<Vec3<double>>({{3, anywhere}, {1, lattice}});
}

rc::Gen<Vec3<double>> rotation_vector(double longest) {
  const auto length = rc::gen::weightedOneOf<double>(
      {{4, real(0, longest)}, {2, magnitude(1e-18, 1.0)}, {1, rc::gen::just(0.0)}, {1, magnitude(1e-160, 1e-120)}});
  return rc::gen::map(rc::gen::pair(length, direction()), [](const auto& p) { return p.first * p.second; });
}

rc::Gen<Vec3<double>> vector(double size) {
  return rc::gen::map(rc::gen::tuple(real(-size, size), real(-size, size), real(-size, size)), [](const auto& t) {
    return Vec3<double>{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
  });
}

rc::Gen<Rotation<double>> rotation() {
  const auto half_turn = rc::gen::map(direction(), [](const Vec3<double>& n) { return Rotation<double>{0.0, n}; });
  const auto anywhere = rc::gen::map(rc::gen::suchThat(rc::gen::pair(real(-1, 1), vector()),
                                                       [](const auto& p) {
                                                         const double n2 = p.first * p.first + squared_norm(p.second);
                                                         return n2 > 0.01 && n2 <= 1;
                                                       }),
                                     [](const auto& p) {
                                       return normalised(Rotation<double>{p.first, p.second});
                                     });
  const auto small = rc::gen::map(rotation_vector(1.0), [](const Vec3<double>& x) {
    return normalised(Rotation<double>{1.0, 0.5 * x});
  });
  return rc::gen::weightedOneOf<Rotation<double>>({{4, anywhere}, {1, small}, {1, half_turn}});
}

}  // namespace polhode::random
