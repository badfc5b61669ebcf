#include "methods/series_torque.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {
POLHODE_SERIES_TORQUES(, quad);
}
