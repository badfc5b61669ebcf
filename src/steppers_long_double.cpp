#include "make_stepper.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {
template std::unique_ptr<Stepper<long double>> make_stepper(const MethodSpec&, const Body<long double>&,
                                                            const FieldSum<long double>&);
}
