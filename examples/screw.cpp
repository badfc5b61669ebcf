// A screw motion with a varying twist, on the group SE(3): a drill feeds along its own axis while the arm that holds it
// climbs around a column. The motion is known in closed form, so that the table can show true errors.
#include <polhode/core/groups/se3.hpp>
#include <polhode/core/product_integral.hpp>

#include <cmath>
#include <cstdio>

using namespace polhode;

// Written for any scalar S: the integrator runs the twist on power series of time to get its derivatives.
template <class S>
Twist<S> arm() {
  return screw<S>({0, 0, 1}, {0, 0, 0}, 0.3);  // about the vertical, climbing 0.3 m per radian
}
template <class S>
Twist<S> drill() {
  return screw<S>({1, 0, 0}, {0, 2, 0.5}, 0.1);  // about a horizontal axis 2 m from the column
}

// y = exp(sin(t) arm) exp((2 t + t^2/2) drill)
template <class S>
RigidMotion<S> motion(const S& t) {
  return exp(S(sin(t)) * arm<S>()) * exp(S(2.0 * t + 0.5 * t * t) * drill<S>());
}
// The twist W in y' = W y: the arm's own, and the drill's as it is seen from the column.
const auto twist = [](const auto& t) {
  using S = std::decay_t<decltype(t)>;
  return S(cos(t)) * arm<S>() + adjoint(exp(S(sin(t)) * arm<S>()), S(2.0 + t) * drill<S>());
};

const Vec3<double> tip{1, 2, 0.75};
const double end = 3;

template <std::size_t N>
double error(int steps) {
  const RigidMotion<double> y = integrate<SE3, N>(twist, RigidMotion<double>{}, 0.0, end, steps);
  return norm(y * tip - motion(end) * tip);
}

template <std::size_t N>
void row() {
  const double coarse = error<N>(20), fine = error<N>(40);
  std::printf("%5zu   %10.2e   %10.2e   %14.2f\n", N, coarse, fine, std::log2(coarse / fine));
}

int main() {
  const Vec3<double> p = motion(end) * tip;
  std::printf("at t = %.0f the tip is at (%.6f, %.6f, %.6f); distance from there in m:\n\n", end, p.x, p.y, p.z);
  std::printf("order     20 steps     40 steps   observed order\n");
  row<1>();
  row<2>();
  row<4>();
  row<6>();
  row<8>();
}
