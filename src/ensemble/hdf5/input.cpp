// Files of bodies that are read.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ensemble/hdf5/file.hpp"
#include "ensemble/hdf5/layout.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/open.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

constexpr const char* remedy = "give files that polhode ensemble wrote";

class Hdf5EnsembleInput final : public EnsembleInput {
 public:
  explicit Hdf5EnsembleInput(const std::string& path) : path_(path) {
    const hdf5::Quietly quietly;
    file_ = hdf5::open_to_read(path, remedy);
    read_about();
    read_done();
    read_failures();
    read_wanted();
    read_how();
    columns_ = hdf5::placed_columns(head_.about);
    for (const hdf5::PlacedColumn& column : columns_) open(column);
  }

  EnsembleChunk read(std::uint64_t first, std::size_t count) override {
    const hdf5::Quietly quietly;
    EnsembleChunk chunk(head_.about, first, count);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::size_t width = columns_[k].width;
      const hsize_t place[] = {first - head_.about.first, 0}, extent[] = {count, width};
      const hdf5::Space in_file(H5Dget_space(sets_[k].id())),
          in_memory(H5Screate_simple(width > 1 ? 2 : 1, extent, nullptr));
      auto& values = const_cast<std::vector<double>&>(columns_[k].values(chunk));  // the chunk is ours
      if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, place, nullptr, extent, nullptr) < 0 ||
          H5Dread(sets_[k].id(), H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT, values.data()) < 0)
        not_whole(columns_[k].place);
    }
    const auto from =
        std::lower_bound(failures_.begin(), failures_.end(), first,
                         [](const BodyFailure& failure, std::uint64_t body) { return failure.body < body; });
    const auto to =
        std::find_if(from, failures_.end(), [&](const auto& failure) { return failure.body >= first + count; });
    chunk.failures.assign(from, to);
    return chunk;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorKind::bad_file, fmt::format("{}: {}", path_, sentence));
  }
  [[noreturn]] void not_whole(const std::string& name) const {
    fail(fmt::format("'{}' is missing or cannot be read; the file may not be whole, so follow its bodies again", name));
  }

  std::string text(const char* name) const { return hdf5::text_attribute(file_.id(), name).value_or(""); }
  double number(const char* name) const {
    const auto found = hdf5::number_attribute(file_.id(), name);
    return found ? *found : (not_whole(name), 0);
  }
  unsigned long long count(const char* name) const {
    const auto found = hdf5::count_attribute(file_.id(), name);
    return found ? *found : (not_whole(name), 0);
  }
  hdf5::Group group(const char* name) const {
    hdf5::Group found(H5Gopen2(file_.id(), name, H5P_DEFAULT));
    if (!found) not_whole(name);
    return found;
  }

  void read_about() {
    const auto layout = hdf5::count_attribute(file_.id(), "layout");
    if (!layout || !hdf5::count_attribute(file_.id(), "bodies"))
      fail(fmt::format("is no file of an ensemble; {}", remedy));
    if (*layout != hdf5::ensemble_layout)
      fail(fmt::format("has layout {}, and this Polhode reads layout {}; join its parts by the Polhode that wrote them",
                       *layout, hdf5::ensemble_layout));
    EnsembleAbout& about = head_.about;
    about.version = text("version");
    about.title = text("title");
    about.scenario = text("scenario");
    about.method = text("method");
    about.step = number("step");
    about.steps = static_cast<long long>(count("steps"));
    about.begin = number("begin");
    about.end = number("end");
    about.bodies = count("bodies");
    about.first = count("first");
    about.last = count("last");
    about.seed = count("seed");
    about.data = text("data");
    about.energy_conserved = text("energy_conserved") == "yes";
    about.free = about.has_attitude_error = H5Lexists(file_.id(), "attitude_error", H5P_DEFAULT) > 0;
    if (about.first > about.last || about.last > about.bodies) not_whole("last");
    about.passages = hdf5::text_list_attribute(group("passages").id(), "names");
    about.quantities = hdf5::text_list_attribute(group("quantities").id(), "names");
    for (std::size_t k = 0;; ++k) {
      const std::string place = fmt::format("snapshots/{}", k);
      if (H5Lexists(file_.id(), "snapshots", H5P_DEFAULT) <= 0 ||
          H5Lexists(file_.id(), place.c_str(), H5P_DEFAULT) <= 0)
        break;
      const auto time = hdf5::number_attribute(group(place.c_str()).id(), "time");
      if (!time) not_whole(place);
      about.snapshots.push_back(*time);
    }
    head_.incomplete = text("incomplete");
  }

  void read_done() {
    const std::vector<std::uint64_t> bounds = column<std::uint64_t>("done", H5T_NATIVE_UINT64, 2);
    std::uint64_t at = head_.about.first;
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      if (bounds[i] < at || bounds[i + 1] < bounds[i] || bounds[i + 1] > head_.about.last) not_whole("done");
      at = bounds[i + 1];
      head_.done.push_back({bounds[i], bounds[i + 1]});
    }
  }

  void read_failures() {
    const auto body = column<std::uint64_t>("failures/body", H5T_NATIVE_UINT64);
    const auto step = column<long long>("failures/step", H5T_NATIVE_LLONG);
    const auto time = column<double>("failures/time", H5T_NATIVE_DOUBLE);
    const hdf5::Type texts = hdf5::text_type();
    const auto reasons = column<char*>("failures/reason", texts.id());
    const bool fit = step.size() == body.size() && time.size() == body.size() && reasons.size() <= body.size();
    for (std::size_t i = 0; fit && i < body.size(); ++i)
      failures_.push_back(
          {body[i], step[i], time[i], i < reasons.size() && reasons[i] != nullptr ? std::string(reasons[i]) : ""});
    for (char* reason : reasons) H5free_memory(reason);
    if (!fit) not_whole("failures");
  }

  // What was asked for, from what there is of it.
  void read_wanted() {
    const hdf5::Group histograms = group("histograms");
    for (int k = 0;; ++k) {
      const std::string place = fmt::format("histograms/{}", k);
      if (H5Lexists(file_.id(), place.c_str(), H5P_DEFAULT) <= 0) break;
      const auto edges = column<double>((place + "/edges").c_str(), H5T_NATIVE_DOUBLE);
      const std::string quantity = hdf5::text_attribute(group(place.c_str()).id(), "quantity").value_or("");
      if (edges.size() < 2 || quantity.empty()) not_whole(place);
      const HistogramRequest one{quantity, edges.front(), edges.back(), static_cast<int>(edges.size() - 1)};
      std::vector<HistogramRequest>& all = head_.wanted.histograms;
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);  // of the first time
    }
    const std::size_t quantities = column<int>("statistics/quantity", H5T_NATIVE_INT).size();
    const auto probabilities = column<double>("quantiles/probability", H5T_NATIVE_DOUBLE);
    if (probabilities.empty()) return;
    if (quantities == 0 || probabilities.size() % quantities != 0) not_whole("quantiles");
    head_.wanted.quantiles.assign(
        probabilities.begin(), probabilities.begin() + static_cast<std::ptrdiff_t>(probabilities.size() / quantities));
  }

  void read_how() {
    const hdf5::Group how = group("how");
    const auto text = [&](const char* name) { return hdf5::text_attribute(how.id(), name).value_or(""); };
    head_.about.threads = static_cast<int>(hdf5::count_attribute(how.id(), "threads").value_or(1));
    head_.about.instruction_set = text("instruction_set");
    head_.about.why_no_packs = text("why_no_packs");
    head_.about.device = text("device");
    head_.about.card = text("card");
    head_.about.fused = text("fused") == "yes";
    head_.seconds = hdf5::number_attribute(how.id(), "seconds").value_or(0);
  }

  void open(const hdf5::PlacedColumn& column) {
    hdf5::Dataset set(H5Dopen2(file_.id(), column.place.c_str(), H5P_DEFAULT));
    const std::vector<hsize_t> shape = shape_of(set, column.place);
    if (shape[0] != head_.about.last - head_.about.first || (shape.size() > 1 ? shape[1] : 1) != column.width)
      not_whole(column.place);
    sets_.push_back(std::move(set));
  }

  std::vector<hsize_t> shape_of(const hdf5::Dataset& set, const std::string& name) const {
    if (!set) not_whole(name);
    const hdf5::Space space(H5Dget_space(set.id()));
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank != 1 && rank != 2) not_whole(name);
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
    return shape;
  }

  template <class X>
  std::vector<X> column(const char* name, hid_t type, std::size_t width = 1) const {
    const hdf5::Dataset set(H5Dopen2(file_.id(), name, H5P_DEFAULT));
    const std::vector<hsize_t> shape = shape_of(set, name);
    if ((shape.size() > 1 ? shape[1] : 1) != width) not_whole(name);
    std::vector<X> values(shape[0] * width);
    if (!values.empty() && H5Dread(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) not_whole(name);
    return values;
  }

  std::string path_;
  hdf5::File file_;
  std::vector<hdf5::PlacedColumn> columns_;
  std::vector<hdf5::Dataset> sets_;  // of the columns
  std::vector<BodyFailure> failures_;
};

}  // namespace

std::unique_ptr<EnsembleInput> open_ensemble_hdf5_input(const std::string& path) {
  return std::make_unique<Hdf5EnsembleInput>(path);
}

}  // namespace polhode
