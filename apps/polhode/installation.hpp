// Where the program finds what it was installed with.
#pragma once

#include <string>

namespace polhode {

// The path of a file or folder that comes with the program, such as "python/polhode/plot.py" or "experiments". It is
// looked for in share/polhode beside the program's own folder, wherever that has been moved to, and for a program in its
// build tree in the source tree. Where it is in neither, the path it has in an installation.
std::string data_path(const std::string& name);

}  // namespace polhode
