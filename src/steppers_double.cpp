#include "make_stepper.hpp"

namespace polhode {
template std::unique_ptr<Stepper<double>> make_stepper(const MethodSpec&, const Body<double>&, const FieldSum<double>&);
}
