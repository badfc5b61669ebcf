// The columns of a file from which numbers of bodies are taken.
#pragma once

#include <string>
#include <vector>

#include "io/column_file.hpp"
#include "model/drawable_keys.hpp"

namespace polhode {

// `file`: its name, as the scenario has it. `columns`: their names, or none for those that the key has by default. Throws
// SetupError under "ensemble.KEY" where columns are missing or in other units, and Error for what is wrong in a row.
Distribution drawn_from(const ColumnFile& table, const std::string& file, std::vector<std::string> columns,
                        const Setup& setup, const DrawableKey& key);

}  // namespace polhode
