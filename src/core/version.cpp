#include "polhode/core/version.hpp"

namespace polhode {

const char* version() { return POLHODE_VERSION; }

}  // namespace polhode
