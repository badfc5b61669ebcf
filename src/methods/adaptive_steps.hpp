// Steps that follow the motion: the rules by which they are chosen, and a stepper that follows one.
#pragma once

#include <memory>

#include "polhode/methods/registry.hpp"

namespace polhode {

// Steps are h = step/z, where z follows Q, the rate at which the motion changes, or 1 over a scale s(y) of the user.
enum class StepRule {
  integrating,  // z_{n+1/2} = z_{n-1/2} + step G(y_n), G = d log Q/dt along the motion [HS05]
  averaging,    // z_{n+1/2} + z_{n-1/2} = 2 Q(y_n) [HLR01]
  at_beginning  // z_{n+1/2} = Q(y_n), which is not symmetric
};

// Around a stepper in this system. The scale is a program of StateInputs, or none.
template <class T>
std::unique_ptr<Stepper<T>> make_adaptive(std::unique_ptr<Stepper<T>> base, const System<T, FieldSum<T>>& system,
                                          StepRule rule, std::shared_ptr<const ExpressionProgram> scale);

}  // namespace polhode
