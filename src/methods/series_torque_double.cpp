#include "methods/series_torque.hpp"

namespace polhode {
POLHODE_LONGER_SERIES_TORQUES(, double);
}
