// Files with columns of numbers, of which some are read.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace polhode {

struct NamedColumn {
  std::string name, unit;  // "" where none is said
  std::string of;          // what it is a component of; "" for a column of its own
};

class ColumnFile {
 public:
  virtual ~ColumnFile() = default;

  const std::vector<NamedColumn>& columns() const { return columns_; }
  // Row after row. Throws Error with file, row and value for what is no finite number.
  virtual std::vector<double> rows(const std::vector<std::size_t>& columns) const = 0;

 protected:
  std::vector<NamedColumn> columns_;
};

// By the extension (polhode/io/result_file.hpp), and CSV where it tells nothing. Throws Error.
std::unique_ptr<ColumnFile> open_columns(const std::string& path);

// The names of the columns are in the first line.
std::unique_ptr<ColumnFile> open_csv_columns(const std::string& path);

// Columns of HDF5 are those of the datasets in the file and in its group "rows", and by "GROUP/NAME" those in another group.
// A dataset of one dimension is a column with its name. One of two has as components those that its attribute "components"
// names, else NAME.x, NAME.y and NAME.z of three, NAME.w to NAME.z of four, NAME.xx to NAME.zz of nine, and NAME.0, NAME.1,
// ... of any other number. Throws Error, also where Polhode was built without HDF5.
std::unique_ptr<ColumnFile> open_hdf5_columns(const std::string& path);

}  // namespace polhode
