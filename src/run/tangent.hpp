// A stepper that carries the derivatives of its motion along, and shows the motion alone.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "polhode/methods/registry.hpp"
#include "polhode/run/sensitivities.hpp"
#include "run/differentiable.hpp"

namespace polhode {

class TangentStepper : public Stepper<double> {
 public:
  // What follows speaks of the state at the last time that this was called. Changes of the start that have grown beyond
  // all bounds are made small there, by a new start of the method; growth() counts on.
  virtual void remember() = 0;
  // Whether all derivatives are smaller than this after the last step, in internal units: what is shown is made of their
  // products.
  static constexpr double largest = 1e290;
  virtual bool in_range() const = 0;
  virtual void append(std::vector<Sensitivity>& to) const = 0;
  virtual Monodromy monodromy() const = 0;
  // The logarithm of how much all changes of the start together have grown.
  virtual double growth() const = 0;
};

// Throws SetupError and MethodError.
std::unique_ptr<TangentStepper> make_tangent_stepper(const Setup& setup, const MethodSpec& method,
                                                     const TangentRequest& request);

// Whether the method at a place of methods() runs on numbers with derivatives, and the names of those that do.
bool has_tangent_kernel(std::size_t method);
std::vector<std::string_view> methods_with_tangents();

}  // namespace polhode
