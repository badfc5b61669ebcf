#include "io/hdf5/driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace polhode::hdf5 {
namespace {

// HDF5 copies it byte by byte, and it is read in H5Fcreate.
struct DriverInfo {
  int descriptor;
  const WriteError* error;
};

struct DescriptorFile : H5FD_t {
  int descriptor = -1;
  WriteError error;
  haddr_t end_of_allocation = 0, end_of_file = 0;
};

DescriptorFile& as_descriptor_file(H5FD_t* file) { return *static_cast<DescriptorFile*>(file); }
const DescriptorFile& as_descriptor_file(const H5FD_t* file) { return *static_cast<const DescriptorFile*>(file); }

H5FD_t* open_descriptor(const char*, unsigned, hid_t properties, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(properties));
  if (info == nullptr) return nullptr;
  const int copy = ::fcntl(info->descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) {
    **info->error = errno;
    return nullptr;
  }
  auto file = std::make_unique<DescriptorFile>();
  file->descriptor = copy;
  file->error = *info->error;
  return file.release();
}

herr_t close_descriptor(H5FD_t* base) {
  const std::unique_ptr<DescriptorFile> file(&as_descriptor_file(base));
  if (::close(file->descriptor) != 0 && *file->error == 0) *file->error = errno;
  return 0;
}

herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return as_descriptor_file(file).end_of_allocation; }

herr_t allocate(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  as_descriptor_file(file).end_of_allocation = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return as_descriptor_file(file).end_of_file; }

herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* to) {
  const DescriptorFile& file = as_descriptor_file(base);
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t count = ::pread(file.descriptor, bytes, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    bytes += count;
    size -= static_cast<std::size_t>(count);
    at += static_cast<haddr_t>(count);
  }
  std::memset(bytes, 0, size);  // behind the end of the file
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* from) {
  DescriptorFile& file = as_descriptor_file(base);
  const auto* bytes = static_cast<const char*>(from);
  file.end_of_file = std::max(file.end_of_file, at + size);
  while (size > 0 && *file.error == 0) {
    const ssize_t count = ::pwrite(file.descriptor, bytes, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      *file.error = count < 0 ? errno : EIO;
      break;
    }
    bytes += count;
    size -= static_cast<std::size_t>(count);
    at += static_cast<haddr_t>(count);
  }
  return 0;
}

// The file is to be as long as what was allocated.
herr_t settle_length(H5FD_t* base, hid_t, hbool_t) {
  DescriptorFile& file = as_descriptor_file(base);
  if (file.end_of_file == file.end_of_allocation) return 0;
  file.end_of_file = file.end_of_allocation;
  if (*file.error == 0 && ::ftruncate(file.descriptor, static_cast<off_t>(file.end_of_file)) != 0) *file.error = errno;
  return 0;
}

hid_t driver() {
  static const hid_t id = [] {
    static H5FD_class_t self{};
#if H5_VERSION_GE(1, 13, 2)
    self.version = H5FD_CLASS_VERSION;
    self.value = static_cast<H5FD_class_value_t>(600);  // of those that are free for anybody
#endif
    self.name = "polhode_descriptor";
    self.maxaddr = static_cast<haddr_t>(HADDR_MAX >> 2);
    self.fc_degree = H5F_CLOSE_WEAK;
    self.fapl_size = sizeof(DriverInfo);
    self.open = open_descriptor;
    self.close = close_descriptor;
    self.query = query_features;
    self.get_eoa = allocated;
    self.set_eoa = allocate;
    self.get_eof = end_of_file;
    self.read = read_bytes;
    self.write = write_bytes;
    self.truncate = settle_length;
    const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(kinds), std::end(kinds), std::begin(self.fl_map));
    return H5FDregister(&self);
  }();
  return id;
}

}  // namespace

Properties access_by_descriptor(int descriptor, const WriteError& error) {
  Properties properties(H5Pcreate(H5P_FILE_ACCESS));
  const DriverInfo info{descriptor, &error};
  H5Pset_driver(properties.id(), driver(), &info);
  return properties;
}

}  // namespace polhode::hdf5
