// Everything an engine uses of the single header, in both precisions; the momentum must be what impulses made it.
#include <polhode_engine.hpp>
#include <polhode_engine.hpp>  // twice is once

template <class Method, class T>
bool works() {
  const polhode::Body<T> body({T(0.9), T(1.1), T(1.7)});
  polhode::Spin<T> state = polhode::spin_from_velocity(body, polhode::Rotation<T>{}, {T(0.5), T(1), T(-0.25)});
  const polhode::Vec3<T> blow{T(0.25), T(0), T(0.5)}, after = state.L + blow;
  state.L += blow;
  for (int n = 0; n < 100; ++n) polhode::step<Method>(state, body, {}, T(0.01));
  const bool momentum_kept = state.L == after;
  polhode::step_keeping_energy<Method>(state, body, {T(0.1), T(0), T(0)}, T(0.01));
  const T defect = polhode::squared_norm(state.R_SB) - 1;
  return momentum_kept && polhode::kinetic_energy(state, body) > 0 && defect < T(1e-5) && defect > T(-1e-5);
}

template <class T>
bool all_work() {
  using namespace polhode;
  return works<engine::Fastest, T>() && works<engine::Recommended, T>() && works<engine::Accurate, T>() &&
         works<engine::Symplectic, T>() && works<TripleJump<AxisSplitting<1, 2, 3>>, T>() &&
         works<RungeKutta4<MeanVelocity>, T>() && works<MuntheKaas4, T>();
}

int main() { return all_work<float>() && all_work<double>() ? 0 : 1; }
