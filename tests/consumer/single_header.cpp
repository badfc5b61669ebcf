// What an engine uses of the single header, in both precisions. The same numbers must come out of every compiler at every
// level of optimisation: the program prints the bits of where its bodies end, and the script compares them.
#include <polhode_engine.hpp>
#include <polhode_engine.hpp>  // twice is once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

template <class T>
bool tumble() {
  using namespace polhode;
  std::vector<Inertia<T>> bodies;
  std::vector<Spin<T>> spins;
  std::vector<Vec3<T>> torques;
  for (int i = 0; i < 19; ++i) {
    bodies.push_back(box_inertia(T(1 + i), {T(1), T(2 + i), T(3)}));
    spins.push_back(spin_from_velocity(bodies.back(), normalised(Rotation<T>{T(1), {T(i), T(-2), T(1)}}),
                                       {T(0.01) * T(i), T(6), T(-0.25)}));
    torques.push_back({T(0.5), T(-0.25) * T(i), T(1)});
  }
  std::vector<Spin<T>> alone = spins;
  std::size_t refused = 0;
  for (int n = 0; n < 500; ++n) {
    const T h = n % 3 == 0 ? T(1) / T(50) : T(1) / T(60);
    const bool push = n % 100 == 7;
    for (int i = 0; i < 19; ++i) {
      if (n == 250) {
        alone[i].L += Vec3<T>{T(0.25), T(0), T(0.5)};
        spins[i].L += Vec3<T>{T(0.25), T(0), T(0.5)};
      }
      if (!step(alone[i], bodies[i], push ? torques[i] : Vec3<T>{}, h)) ++refused;
    }
    refused += step_all<T>(spins, bodies, push ? std::span<const Vec3<T>>(torques) : std::span<const Vec3<T>>{}, h);
  }
  std::uint64_t bits = 0;
  for (int i = 0; i < 19; ++i) {
    const T numbers[] = {spins[i].R_SB.w, spins[i].R_SB.v.x, spins[i].R_SB.v.y, spins[i].R_SB.v.z, spins[i].L.x};
    for (const T number : numbers) {
      std::uint64_t one = 0;
      std::memcpy(&one, &number, sizeof number);
      bits = (bits ^ one) * 1099511628211u;
    }
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(bits));
  return refused == 0 && std::memcmp(spins.data(), alone.data(), spins.size() * sizeof spins[0]) == 0;
}

int main() { return tumble<float>() && tumble<double>() ? 0 : 1; }
