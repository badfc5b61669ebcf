#include "io/hdf5/events.hpp"

#include <algorithm>
#include <string>

#include "io/hdf5/attributes.hpp"

namespace polhode::hdf5 {
namespace {

// `width` numbers per event, or one in a dataset of one dimension.
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

}  // namespace

bool write_events(hid_t file, const std::vector<Event>& events) {
  const Group group(H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!group) return false;
  std::vector<std::string> names;
  std::vector<int> name;
  std::vector<double> t, attitude, velocity;
  std::vector<unsigned char> rising, terminal;
  for (const Event& event : events) {
    const auto known = std::find(names.begin(), names.end(), event.name);
    name.push_back(static_cast<int>(known - names.begin()));
    if (known == names.end()) names.push_back(event.name);
    t.push_back(event.at.time.value);
    rising.push_back(event.rising);
    terminal.push_back(event.terminal);
    for (const Number& x : event.at.attitude_wxyz) attitude.push_back(x.value);
    for (const Number& x : event.at.angular_velocity_body) velocity.push_back(x.value);
  }
  return (names.empty() || set_attribute(group.id(), "names", names)) &&
         write_column(group.id(), "name", H5T_NATIVE_INT, 1, name) &&
         write_column(group.id(), "t", H5T_NATIVE_DOUBLE, 1, t, "s") &&
         write_column(group.id(), "rising", H5T_NATIVE_UCHAR, 1, rising) &&
         write_column(group.id(), "terminal", H5T_NATIVE_UCHAR, 1, terminal) &&
         write_column(group.id(), "attitude_wxyz", H5T_NATIVE_DOUBLE, 4, attitude, "1") &&
         write_column(group.id(), "angular_velocity_body", H5T_NATIVE_DOUBLE, 3, velocity, "rad/s");
}

}  // namespace polhode::hdf5
