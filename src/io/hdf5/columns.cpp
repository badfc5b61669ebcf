// Columns of numbers in an HDF5 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/column_file.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/open.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

using Object = hdf5::Handle<H5Oclose>;

std::vector<std::string> names_in(hid_t group) {
  H5G_info_t info{};
  std::vector<std::string> names;
  if (H5Gget_info(group, &info) < 0) return names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length <= 0) continue;
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    name.pop_back();
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> components_of(hid_t dataset, const std::string& name, std::size_t width) {
  if (width == 1) return {name};
  if (std::vector<std::string> given = hdf5::text_list_attribute(dataset, "components"); given.size() == width)
    return given;
  constexpr std::string_view axes[] = {"x", "y", "z"};
  std::vector<std::string> made;
  for (std::size_t i = 0; i < width; ++i) {
    if (width == 4) {
      made.push_back(fmt::format("{}.{}", name, i == 0 ? "w" : axes[i - 1]));
    } else if (width == 9) {
      made.push_back(fmt::format("{}.{}{}", name, axes[i / 3], axes[i % 3]));
    } else if (width == 3) {
      made.push_back(fmt::format("{}.{}", name, axes[i]));
    } else {
      made.push_back(fmt::format("{}.{}", name, i));
    }
  }
  return made;
}

class Hdf5Columns final : public ColumnFile {
 public:
  explicit Hdf5Columns(const std::string& path) : path_(path) {
    const hdf5::Quietly quietly;
    file_ = hdf5::open_to_read(path, "give a CSV file, or one in HDF5");
    std::vector<std::string> groups;
    for (const std::string& name : names_in(file_.id())) {
      const Object object(H5Oopen(file_.id(), name.c_str(), H5P_DEFAULT));
      if (!object) continue;
      if (H5Iget_type(object.id()) == H5I_DATASET) add(name, "");
      if (H5Iget_type(object.id()) == H5I_GROUP) groups.push_back(name);
    }
    // Those of a run first: whoever is told what there is reads them first.
    std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group == "rows"; });
    for (const std::string& group : groups)
      for (const std::string& name : names_in(hdf5::Group(H5Gopen2(file_.id(), group.c_str(), H5P_DEFAULT)).id()))
        add(group + "/" + name, group == "rows" ? "" : group + "/");
  }

  std::vector<double> rows(const std::vector<std::size_t>& wanted) const override {
    const hdf5::Quietly quietly;
    std::vector<double> all, values;
    std::size_t count = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto [place, component] = places_[wanted[i]];
      const Source& source = sources_[place];
      if (i == 0 || place != places_[wanted[i - 1]].first) values = read(source);
      if (i == 0) {
        count = source.rows;
        all.resize(count * wanted.size());
      }
      if (source.rows != count)
        fail(fmt::format("dataset '{}' has {} rows, and '{}' has {}; take columns of the same length", source.path,
                         source.rows, sources_[places_[wanted[0]].first].path, count));
      for (std::size_t row = 0; row < count; ++row) {
        const double value = values[row * source.width + component];
        if (!std::isfinite(value))
          fail(fmt::format("column '{}' holds {} in row {}, which is not finite; leave out the row",
                           columns_[wanted[i]].name, value, row + 1));
        all[row * wanted.size() + i] = value;
      }
    }
    if (all.empty()) fail("there are no rows; give one for each body");
    return all;
  }

 private:
  struct Source {
    std::string path;
    std::size_t rows, width;
  };

  // What is no table of numbers is none of the columns.
  void add(const std::string& path, const std::string& prefix) {
    const hdf5::Dataset set(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT));
    if (!set) return;
    const hdf5::Type type(H5Dget_type(set.id()));
    const hdf5::Space space(H5Dget_space(set.id()));
    const H5T_class_t kind = H5Tget_class(type.id());
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || rank < 1 || rank > 2) return;
    hsize_t size[2] = {0, 1};
    H5Sget_simple_extent_dims(space.id(), size, nullptr);
    const std::string unit = hdf5::text_attribute(set.id(), "units").value_or("");
    const std::string name = path.substr(path.find('/') + 1);
    std::size_t place = 0;
    for (const std::string& component : components_of(set.id(), name, size[1])) {
      places_.emplace_back(sources_.size(), place++);
      columns_.push_back({prefix + component, unit, size[1] > 1 ? prefix + name : ""});
    }
    sources_.push_back({path, size[0], size[1]});
  }

  std::vector<double> read(const Source& source) const {
    std::vector<double> values(source.rows * source.width);
    const hdf5::Dataset set(H5Dopen2(file_.id(), source.path.c_str(), H5P_DEFAULT));
    if (!values.empty() && H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(fmt::format("dataset '{}' cannot be read; the file may not be whole", source.path));
    return values;
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorKind::bad_file, fmt::format("{}: {}", path_, sentence));
  }

  std::string path_;
  hdf5::File file_;
  std::vector<Source> sources_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // of each column: its source, and where in a row of it
};

}  // namespace

std::unique_ptr<ColumnFile> open_hdf5_columns(const std::string& path) { return std::make_unique<Hdf5Columns>(path); }

}  // namespace polhode
