// A spinning top, by a Taylor method of order 4. The torque is written once, as a generic lambda: the method runs it on
// power series to get its derivatives.
#include <polhode/methods/taylor.hpp>
#include <polhode/model/callable.hpp>

#include <cstdio>

int main() {
  using namespace polhode;
  const Vec3<double> up_S{0, 0, 1}, arm_B{0, 0, 1};
  const auto weight = field_from([=](const auto& R_SB, const auto&) { return cross(inverse(R_SB) * up_S, arm_B); });
  const System top{Body<double>({2, 2, 1}), weight};
  State<double> s{exp(Vec3<double>{0.5, 0, 0}), {0, 0, 5}, 0};  // leaning by half a radian, spinning about its axis
  const double h = 0.01;
  Work work;
  auto memory = start<Taylor<4>>(top, s, h, work);
  for (int n = 0; n < 1000; ++n) s = advance<Taylor<4>>(top, s, memory, h, work);
  const Vec3<double> axis_S = s.R_SB * arm_B;
  std::printf("at t = %.2f the top points to (%.6f, %.6f, %.6f)\n", s.t, axis_S.x, axis_S.y, axis_S.z);
}
