// The fields that come with the library. Each is generic in the scalar it is evaluated on, and describes its own keys.
#pragma once

#include "polhode/model/fields/constant.hpp"
#include "polhode/model/fields/coulomb.hpp"
#include "polhode/model/fields/damping.hpp"
#include "polhode/model/fields/expression.hpp"
#include "polhode/model/fields/gravity_gradient.hpp"
#include "polhode/model/fields/heavy_top.hpp"
#include "polhode/model/fields/magnetic.hpp"
#include "polhode/model/fields/pulse.hpp"
#include "polhode/model/fields/stress_test.hpp"
#include "polhode/model/fields/torque_table.hpp"
#include "polhode/model/fields/two_masses.hpp"
#include "polhode/model/fields/uniform_field.hpp"
