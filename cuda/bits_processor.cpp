// Writes where a processor takes the bodies of bits.hpp to: bits_processor FILE.
#include <cstdio>
#include <vector>

#include "bits.hpp"

namespace polhode::bits {
namespace {

template <class M, class F>
void run(const F& field, double* to) {
  for (int i = 0; i < bodies; ++i) {
    const System<double, F> system{Body<double>(moments_of(i)), field};
    State<double> s = start_of(i);
    Work work;
    auto memory = start<M>(system, s, step, work);
    for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, step, work);
    put(to + static_cast<std::size_t>(i) * numbers, s);
  }
}

}  // namespace
}  // namespace polhode::bits

int main(int, char** arguments) {
  using namespace polhode;
  using namespace polhode::bits;
  std::vector<double> ends(place(Catalogue::size, 0));
  for_each([&]<class M>(const Entry<M>&, auto n) {
    if constexpr (is_compared<M>) {
      run<M>(Free{}, ends.data() + place(n, 0));
      if constexpr (M::claims.needs != Needs::no_torque) run<M>(gravity(), ends.data() + place(n, 1));
    }
  });
  std::FILE* file = std::fopen(arguments[1], "wb");
  const bool written = file != nullptr && std::fwrite(ends.data(), sizeof(double), ends.size(), file) == ends.size();
  return written && std::fclose(file) == 0 ? 0 : 1;
}
