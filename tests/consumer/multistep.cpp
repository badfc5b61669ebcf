// Does not compile: a multistep method cannot be used one step at a time. The test reads the compiler's message.
#include <polhode/engine_methods.hpp>
#include <polhode/methods/multistep.hpp>

int main() {
  polhode::Spin<double> state;
  polhode::step<polhode::SimoWongExplicit<false>>(state, polhode::Body<double>({1, 2, 3}), {}, 0.01);
}
