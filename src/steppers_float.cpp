#include "make_stepper.hpp"

namespace polhode {
template std::unique_ptr<Stepper<float>> make_stepper(const MethodSpec&, const Body<float>&, const FieldSum<float>&);
}
