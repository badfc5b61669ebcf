// The version of the library, as results and the command line state it.
#pragma once

namespace polhode {

const char* version();

}  // namespace polhode
