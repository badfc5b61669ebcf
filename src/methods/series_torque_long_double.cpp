#include "methods/series_torque.hpp"

namespace polhode {
POLHODE_SERIES_TORQUES(, long double);
}
