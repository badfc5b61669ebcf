// Datasets that are written once.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/attributes.hpp"

namespace polhode::hdf5 {

// `width` numbers per row, or one in a dataset of one dimension. False where HDF5 refuses.
template <class X>
bool write_column(hid_t group, const char* name, hid_t type, std::size_t width, const std::vector<X>& values,
                  const char* units = nullptr) {
  const hsize_t extent[] = {values.size() / width, width};
  const Space space(H5Screate_simple(width > 1 ? 2 : 1, extent, nullptr));
  const Properties how(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(how.id(), false);
  const Dataset set(H5Dcreate2(group, name, type, space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT));
  if (!set) return false;
  if (!values.empty() && H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  return units == nullptr || set_attribute(set.id(), "units", units);
}

inline bool write_column(hid_t group, const char* name, const std::vector<double>& values,
                         const char* units = nullptr) {
  return write_column(group, name, H5T_NATIVE_DOUBLE, 1, values, units);
}

inline bool write_column(hid_t group, const char* name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return write_column(group, name, text_type().id(), 1, pointers);
}

}  // namespace polhode::hdf5
