// How far the energy of a free body still can move.
#pragma once

#include "polhode/io/scenario.hpp"
#include "polhode/run/result.hpp"

namespace polhode::experiments {

// With the length of the momentum fixed, the energy of a free body lies between L^2/2I of the largest and of the smallest
// moment. A method that errs far enough arrives at one of them and stays, and what it does there has no slope left.
//
// The share of the way from the start to the bound that the largest error of the run has left over: 1 where nothing has
// moved, 0 at the bound. The side is not known of an error that fits both ways; then it is the nearer bound, so that the
// share is never too large. Of bodies under torque, and of three equal moments, no bound is known: 1.
double energy_room(const Scenario& scenario, const Result& result);

// Below this share no slope of the energy is taken for a drift, nor its absence for the lack of one.
inline constexpr double least_room = 0.1;

}  // namespace polhode::experiments
