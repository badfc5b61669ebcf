// Numbers in columns, from a file.
#pragma once

#include <string>

#include "polhode/model/data_table.hpp"

namespace polhode {

// CSV: the names of the columns in the first line, a unit in brackets behind each if so wished, and a row of numbers in
// every other one; '#' starts a comment. Throws Error with file, line, column and value.
DataTable read_data_file(const std::string& path);
DataTable parse_data(const std::string& text, const std::string& path);

}  // namespace polhode
