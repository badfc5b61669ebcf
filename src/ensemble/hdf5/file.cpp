#include "ensemble/hdf5/file.hpp"

#include <algorithm>
#include <cerrno>

#include "ensemble/cells.hpp"
#include "ensemble/file_data.hpp"
#include "ensemble/hdf5/layout.hpp"
#include "ensemble/hdf5/summary.hpp"
#include "io/hdf5/column.hpp"
#include "io/hdf5/driver.hpp"

namespace polhode {
namespace {

using hdf5::set_attribute;

// As many bodies as come together at most, where there are many; a file with fewer has one chunk of its own size.
constexpr std::uint64_t bodies_of_a_chunk = 4096;

// Rows of all bodies, in one dataset.
struct BodyData {
  hdf5::Dataset set;
  const hdf5::PlacedColumn* column;
};

class Hdf5EnsembleFile final : public EnsembleFile {
 public:
  using EnsembleFile::EnsembleFile;
  ~Hdf5EnsembleFile() override {
    const hdf5::Quietly quietly;
    close();
  }

  void begin(const EnsembleAbout& about) override {
    const hdf5::Quietly quietly;
    about_ = about;
    const hdf5::Properties access = hdf5::access_by_descriptor(file().descriptor(), error_);
    hdf_ = hdf5::File(H5Fcreate(file().path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()));
    check(static_cast<bool>(hdf_));
    check(set_attribute(hdf_.id(), "layout", hdf5::ensemble_layout));
    for (const FileEntry& entry : ensemble_entries(about))
      check(std::visit([&](const auto& value) { return set_attribute(hdf_.id(), entry.key.c_str(), value); },
                       entry.value));
    check(set_attribute(hdf_.id(), "scenario", about.scenario));
    create_groups();
    columns_ = hdf5::placed_columns(about);
    for (const hdf5::PlacedColumn& column : columns_) create(column);
  }

  void chunk(const EnsembleChunk& chunk) override {
    const hdf5::Quietly quietly;
    for (const BodyData& data : data_) write(data, chunk);
    done_.push_back({chunk.first, chunk.first + chunk.count});
    failures_.add(chunk.failures);
  }

 private:
  void write_end(const EnsembleResult& result) override {
    const hdf5::Quietly quietly;
    check(hdf5::write_done(hdf_.id(), done_));
    check(failures_.write(hdf_.id()));
    check(hdf5::write_statistics(hdf_.id(), result));
    check(hdf5::write_histograms(hdf_.id(), result));
    check(hdf5::write_quantiles(hdf_.id(), result));
    check(hdf5::write_how(hdf_.id(), result));
    if (!result.incomplete.empty()) check(set_attribute(hdf_.id(), "incomplete", result.incomplete));
    check(close() >= 0);
  }

  void create_groups() {
    if (!about_.snapshots.empty()) create_group("snapshots");
    for (const StatesAt& at : states_of(about_)) {
      const hdf5::Group group = create_group(at.place);
      if (at.time) check(set_attribute(group.id(), "time", *at.time));
    }
    create_group("passages", about_.passages);
    create_group("quantities", about_.quantities);
  }

  hdf5::Group create_group(const std::string& name, const std::vector<std::string>& names = {}) {
    hdf5::Group group(H5Gcreate2(hdf_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    check(static_cast<bool>(group));
    if (!names.empty()) check(set_attribute(group.id(), "names", names));
    return group;
  }

  void create(const hdf5::PlacedColumn& column) {
    const std::size_t width = column.width;
    const hsize_t bodies = about_.last - about_.first, chunk_bodies = std::clamp<hsize_t>(bodies, 1, bodies_of_a_chunk);
    const hsize_t extent[] = {bodies, width}, any[] = {H5S_UNLIMITED, width}, chunk[] = {chunk_bodies, width};
    const int rank = width > 1 ? 2 : 1;
    const hdf5::Properties how(H5Pcreate(H5P_DATASET_CREATE)), link(H5Pcreate(H5P_LINK_CREATE)),
        access(H5Pcreate(H5P_DATASET_ACCESS));
    H5Pset_chunk(how.id(), rank, chunk);
    H5Pset_fill_value(how.id(), H5T_NATIVE_DOUBLE, &not_a_number);  // of bodies that are not there
    H5Pset_obj_track_times(how.id(), false);
    H5Pset_char_encoding(link.id(), H5T_CSET_UTF8);
    // One chunk: there are as many caches as datasets.
    H5Pset_chunk_cache(access.id(), 1, chunk_bodies * width * sizeof(double), 1);
    const hdf5::Space space(H5Screate_simple(rank, extent, any));
    data_.push_back({hdf5::Dataset(H5Dcreate2(hdf_.id(), column.place.c_str(), H5T_NATIVE_DOUBLE, space.id(), link.id(),
                                              how.id(), access.id())),
                     &column});
    const hdf5::Dataset& set = data_.back().set;
    check(static_cast<bool>(set));
    check(set_attribute(set.id(), "units", column.unit));
    check(set_attribute(set.id(), "description", column.about));
    if (!column.components.empty()) check(set_attribute(set.id(), "components", column.components));
    if (!column.frame.empty()) check(set_attribute(set.id(), "frame", column.frame));
    if (!column.name.empty()) check(set_attribute(set.id(), "name", column.name));
  }

  void write(const BodyData& data, const EnsembleChunk& chunk) {
    const std::size_t width = data.column->width;
    const int rank = width > 1 ? 2 : 1;
    const hsize_t place[] = {chunk.first - about_.first, 0}, extent[] = {chunk.count, width};
    const hdf5::Space in_file(H5Dget_space(data.set.id())), in_memory(H5Screate_simple(rank, extent, nullptr));
    check(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, place, nullptr, extent, nullptr) >= 0);
    check(H5Dwrite(data.set.id(), H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT,
                   data.column->values(chunk).data()) >= 0);
  }

  herr_t close() {
    data_.clear();
    return hdf_.reset();
  }

  void check(bool done) {
    if (*error_ != 0) file().cannot_write(*error_);
    if (!done) file().cannot_write(EIO);
  }

  hdf5::WriteError error_ = std::make_shared<int>(0);
  EnsembleAbout about_;
  hdf5::File hdf_;
  std::vector<hdf5::PlacedColumn> columns_;
  std::vector<BodyData> data_;
  std::vector<BodyRange> done_;
  hdf5::Failures failures_;
};

}  // namespace

std::unique_ptr<EnsembleFile> open_ensemble_hdf5(const std::string& path) {
  return std::make_unique<Hdf5EnsembleFile>(path);
}

}  // namespace polhode
