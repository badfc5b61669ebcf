// The smallest way into the library, for games and simulators that know this step's torque and no field of torque:
//
//   const auto box = polhode::box_inertia(3.0f, {0.2f, 0.3f, 0.6f});     // once: mass and edges
//   polhode::Spin<float> state;                                          // attitude and angular momentum
//   state.L += polhode::cross(r_S, impulse_S);                           // an impulse is an addition
//   polhode::step(state, box, torque_S, h);                              // in spatial axes
//   polhode::step_all<float>(states, inertias, torques_S, h);            // many at once, with the same bits
//
// Nothing is allocated or thrown, and a step that cannot be made leaves the state as it was and says why (StepStatus).
// docs/game-engines.md has what goes wrong without it, and what it costs. Other methods of the library behind the same
// state: polhode/engine_methods.hpp. The same in C: polhode/engine.h.
#pragma once

#include "polhode/engine/convert.hpp"
#include "polhode/engine/options.hpp"
#include "polhode/engine/step_all.hpp"
