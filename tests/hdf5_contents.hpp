// All that an HDF5 file holds, to compare two files by: datasets and attributes, to the bit.
#pragma once

#if defined(POLHODE_HDF5)

#include <hdf5.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace polhode {

using Contents = std::map<std::string, std::string>;

namespace hdf5_contents {

template <class Read>
std::string bytes_of(hid_t type, hid_t space, const Read& read) {
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  std::string all;
  hsize_t extent[8] = {};
  for (int k = 0; k < H5Sget_simple_extent_dims(space, extent, nullptr); ++k) all += std::to_string(extent[k]) + " x ";
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(count);
    if (count > 0) read(type, texts.data());
    for (char* text : texts) {
      all += std::string(text != nullptr ? text : "") + '\0';
      H5free_memory(text);
    }
  } else {
    std::string bytes(count * H5Tget_size(type), '\0');
    if (count > 0) read(type, bytes.data());
    all += bytes;
  }
  return all;
}

inline void add_attributes(hid_t object, const std::string& name, Contents& all) {
  H5O_info_t info{};
  H5Oget_info(object, &info);
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const hdf5::Attribute attribute(
        H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT));
    char text[256] = {};
    H5Aget_name(attribute.id(), sizeof text, text);
    const hdf5::Type type(H5Aget_type(attribute.id()));
    const hdf5::Space space(H5Aget_space(attribute.id()));
    all[name + " attribute " + text] =
        bytes_of(type.id(), space.id(), [&](hid_t as, void* to) { H5Aread(attribute.id(), as, to); });
  }
}

inline herr_t add_object(hid_t file, const char* name, const H5L_info_t*, void* to) {
  const hdf5::Handle<H5Oclose> object(H5Oopen(file, name, H5P_DEFAULT));
  auto& all = *static_cast<Contents*>(to);
  all[name] = "";
  add_attributes(object.id(), name, all);
  if (H5Iget_type(object.id()) != H5I_DATASET) return 0;
  const hdf5::Type type(H5Dget_type(object.id()));
  const hdf5::Space space(H5Dget_space(object.id()));
  all[name] = bytes_of(type.id(), space.id(), [&](hid_t as, void* values) {
    H5Dread(object.id(), as, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  });
  return 0;
}

}  // namespace hdf5_contents

// By name.
inline Contents contents_of(const std::string& path) {
  const hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) throw std::runtime_error("cannot open " + path);
  Contents all;
  hdf5_contents::add_attributes(file.id(), "/", all);
  H5Lvisit(file.id(), H5_INDEX_NAME, H5_ITER_INC, hdf5_contents::add_object, &all);
  return all;
}

// The names of what two files of ensembles have not alike; how they were made is left out.
inline std::set<std::string> different_in(const std::string& a, const std::string& b) {
  const Contents ours = contents_of(a), theirs = contents_of(b);
  std::set<std::string> names;
  for (const auto& [files, others] : {std::pair(&ours, &theirs), std::pair(&theirs, &ours)}) {
    for (const auto& [name, bytes] : *files) {
      const auto other = others->find(name);
      if (!name.starts_with("how") && (other == others->end() || other->second != bytes)) names.insert(name);
    }
  }
  return names;
}

}  // namespace polhode

#endif
