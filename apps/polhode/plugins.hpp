// Methods of the user's own, from shared libraries.
#pragma once

namespace CLI {
class App;
}

namespace polhode {

// Adds --load FILE, which may be given several times, for a command that takes methods by name. From the first one on a
// plug-in that crashes is named before the program ends.
void add_load_flag(CLI::App& command);

}  // namespace polhode
