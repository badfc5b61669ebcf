// A convergence study: every method at every step over one situation, errors against its reference, and the orders they
// show.
//
// What rounding may contribute to an error (its floor) is taken to be 4 eps (1 + rotation) sqrt(steps) radians, with
// eps the spacing of the run's numbers at 1 and the rotation that the body makes in radians: each step rounds the
// velocity by about eps relative, at random, and a relative error of velocity becomes one of attitude over the whole
// rotation. Measured levels lie between a hundredth and a half of it, where the motion does not magnify them. The floor
// of the momentum error is that times the largest momentum; neither is below the uncertainty of the reference. An attitude error of 0.5 rad, and half the largest
// momentum, count as saturated. What is fitted between the two is defined in measure/asymptotic_order.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/measure/asymptotic_order.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/run/result.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

// Without methods: customary_methods. Without steps: six, the largest of which is the step at which a second-order method
// is off by 0.2 rad, or the body turns by half a radian.
using ConvergenceRequest = StudyRequest;
using ConvergenceProgress = StudyProgress;
using ConvergenceControl = StudyControl;

struct ConvergenceRow {
  std::string method;  // canonical name
  double step = 0;     // [s]
  long long steps = 0;
  std::optional<Number> attitude_error;  // [rad]; none where the run failed
  std::optional<Number> momentum_error;  // [kg m^2/s]
  double attitude_floor = 0, momentum_floor = 0;
  long long torque_evaluations = 0;
  std::string failure;  // why the run ended early; empty: it did not
};

struct MethodOrders {
  std::string method;
  Orders claimed;
  AsymptoticOrder attitude, momentum;
  std::size_t first_row = 0;  // of as many rows as there are steps, from the largest to the smallest
};

struct Convergence : StudySubject {
  double rotation = 0;  // [rad] that the body turns in that time
  double momentum = 0;  // [kg m^2/s], the largest on the way
  std::vector<ConvergenceRow> rows;
  std::vector<MethodOrders> orders;  // of the methods all of whose runs were made
  bool interrupted = false;
};

// Throws SetupError (run.method, run.step, run.duration) for methods, steps and durations that do not fit the problem, before the first run. A run that
// fails is a row that says so.
Convergence converge(const ConvergenceRequest& request, const ConvergenceControl& control = {});

// Methods of orders 2, 3 and 4; those that do not take the situation's torque are left out.
std::vector<std::string> customary_methods(const Setup& setup);

// Why no order was found, as half a sentence ("every error is at rounding ..."); empty where one was.
std::string reason(const AsymptoticOrder& order);
std::string reason(const MethodOrders& orders);  // says of which of the two it speaks

}  // namespace polhode
