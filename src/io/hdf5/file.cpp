// Writes results as HDF5.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/driver.hpp"
#include "io/hdf5/events.hpp"
#include "io/provenance.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/hdf5.hpp"
#include "polhode/io/json.hpp"

namespace polhode {
namespace {

using hdf5::set_attribute;

constexpr long long layout_version = 1;

// Enough to make the calls of HDF5 cheap beside the numbers; a result with fewer rows has one chunk of its own size.
constexpr std::size_t rows_of_a_chunk = 4096;

// A number as a sum of doubles: the nearest one, and for the wider scalars what is left of it. Two hold a long double and
// three a quad exactly.
constexpr const char* part_names[] = {"", "_low", "_lowest"};

std::size_t parts_of(ScalarKind scalar) {
  return scalar == ScalarKind::quad_ ? 3 : scalar == ScalarKind::long_double_ ? 2 : 1;
}

double part_of(const Number& number, std::size_t part) {
  if (part == 0) return number.value;
  if (!std::isfinite(number.value)) return 0;
  const long double rest = (number.high - number.value) + number.low;  // at most 60 bits: exact
  const auto low = static_cast<double>(rest);
  return part == 1 ? low : static_cast<double>(rest - low);
}

// One dataset: a part of a group of columns.
struct RowData {
  std::string name;
  std::size_t first, width;  // among the cells of a row
  std::size_t part;
  std::vector<double> chunk;  // rows that are not written yet
  hdf5::Dataset set;
};

class Hdf5File final : public ResultFile {
 public:
  explicit Hdf5File(const std::string& path) : ResultFile(path) {}
  ~Hdf5File() override {
    const hdf5::Quietly quietly;
    close();
  }

  void begin(const Provenance& about) override {
    const hdf5::Quietly quietly;
    about_ = about;
    const hdf5::Properties access = hdf5::access_by_descriptor(file().descriptor(), error_);
    hdf_ = hdf5::File(H5Fcreate(this->file().path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()));
    check(static_cast<bool>(hdf_));
    check(set_attribute(hdf_.id(), "layout", layout_version));
    for (const ProvenanceEntry& entry : provenance_entries(about)) {
      if (H5Aexists(hdf_.id(), entry.key.c_str()) > 0) continue;  // a tolerance for auto is also the method's
      check(entry.number ? set_attribute(hdf_.id(), entry.key.c_str(), *entry.number)
                         : set_attribute(hdf_.id(), entry.key.c_str(), entry.text));
    }
    check(set_attribute(hdf_.id(), "scenario", about.scenario));
    group_ = hdf5::Group(H5Gcreate2(hdf_.id(), "rows", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    check(static_cast<bool>(group_));
    groups_ = row_groups(about);
    for (const RowGroup& group : groups_) {
      for (std::size_t part = 0; part < parts_of(about.scalar); ++part) {
        data_.push_back({group.name + part_names[part],
                         group.first,
                         group.components.size(),
                         part,
                         std::vector<double>(rows_of_a_chunk * group.components.size()),
                         {}});
      }
    }
  }

 private:
  void write_row(std::span<const Number> cells) override {
    for (RowData& data : data_) {
      double* to = data.chunk.data() + waiting_ * data.width;
      if (data.part == 0) {
        for (std::size_t i = 0; i < data.width; ++i) to[i] = cells[data.first + i].value;
      } else {
        for (std::size_t i = 0; i < data.width; ++i) to[i] = part_of(cells[data.first + i], data.part);
      }
    }
    if (++waiting_ == rows_of_a_chunk) {
      const hdf5::Quietly quietly;
      write_waiting();
    }
  }

  void write_end(const Result& result) override {
    const hdf5::Quietly quietly;
    write_waiting();
    check(set_attribute(hdf_.id(), "status", status_name(result.status)));
    check(hdf5::write_events(hdf_.id(), result.events));
    if (!result.incomplete.empty()) {
      check(set_attribute(hdf_.id(), "incomplete", fmt::format("{}; {} rows", result.incomplete, rows())));
    }
    check(set_attribute(hdf_.id(), "summary", to_json(result)));
    check(close() >= 0);
  }

  void create(RowData& data) {
    const bool table = data.width > 1;
    const hsize_t none[] = {0, data.width}, any[] = {H5S_UNLIMITED, data.width}, chunk[] = {chunk_rows_, data.width};
    const int rank = table ? 2 : 1;
    const hdf5::Properties how(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(how.id(), rank, chunk);
    H5Pset_fill_time(how.id(), H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(how.id(), false);  // the same run gives the same bytes
    const hid_t type = single() ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    data.set = hdf5::Dataset(H5Dcreate2(group_.id(), data.name.c_str(), type,
                                        hdf5::Space(H5Screate_simple(rank, none, any)).id(), H5P_DEFAULT, how.id(),
                                        H5P_DEFAULT));
    check(static_cast<bool>(data.set));
    const auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const RowGroup& one) { return one.first == data.first; });
    check(set_attribute(data.set.id(), "units", group->unit));
    if (!group->frame.empty()) check(set_attribute(data.set.id(), "frame", group->frame));
    check(set_attribute(data.set.id(), "description", group->about));
    check(set_attribute(data.set.id(), "components", group->components));
  }

  void write_waiting() {
    if (chunk_rows_ == 0) {
      chunk_rows_ = std::max<std::size_t>(waiting_, 1);
      for (RowData& data : data_) create(data);
    }
    if (waiting_ > 0) {
      for (RowData& data : data_) write(data);
    }
    written_ += waiting_;
    waiting_ = 0;
    if (*error_ != 0) file().cannot_write(*error_);
  }

  // Whole chunks go to the file as they are, past HDF5's conversions and its cache.
  void write(RowData& data) {
    const std::size_t count = chunk_rows_ * data.width;
    std::fill(data.chunk.begin() + static_cast<std::ptrdiff_t>(waiting_ * data.width), data.chunk.end(), 0.0);
    const hsize_t extent[] = {written_ + waiting_, data.width}, place[] = {written_, 0};
    check(H5Dset_extent(data.set.id(), extent) >= 0);
    if (single()) {
      const std::vector<float> narrow(data.chunk.begin(), data.chunk.begin() + static_cast<std::ptrdiff_t>(count));
      check(H5Dwrite_chunk(data.set.id(), H5P_DEFAULT, 0, place, count * sizeof(float), narrow.data()) >= 0);
    } else {
      check(H5Dwrite_chunk(data.set.id(), H5P_DEFAULT, 0, place, count * sizeof(double), data.chunk.data()) >= 0);
    }
  }

  bool single() const { return about_.scalar == ScalarKind::float_; }

  herr_t close() {
    data_.clear();
    group_.reset();
    return hdf_.reset();
  }

  void check(bool done) {
    if (*error_ != 0) file().cannot_write(*error_);
    if (!done) file().cannot_write(EIO);
  }

  hdf5::WriteError error_ = std::make_shared<int>(0);
  Provenance about_;
  std::vector<RowGroup> groups_;
  hdf5::File hdf_;
  hdf5::Group group_;
  std::vector<RowData> data_;
  std::size_t chunk_rows_ = 0;  // of the datasets; 0: there are none yet
  std::size_t waiting_ = 0, written_ = 0;
};

}  // namespace

std::unique_ptr<ResultFile> open_hdf5(const std::string& path) { return std::make_unique<Hdf5File>(path); }

}  // namespace polhode
