#include "make_stepper.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {
template std::unique_ptr<Stepper<quad>> make_stepper(const MethodSpec&, const Body<quad>&, const FieldSum<quad>&);
}
