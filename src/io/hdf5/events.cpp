#include "io/hdf5/events.hpp"

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
  std::vector<const char*> names;
  std::vector<double> t, attitude, velocity;
  std::vector<unsigned char> rising, terminal;
  for (const Event& event : events) {
    names.push_back(event.name.c_str());
    t.push_back(event.at.time.value);
    rising.push_back(event.rising);
    terminal.push_back(event.terminal);
    for (const Number& x : event.at.attitude_wxyz) attitude.push_back(x.value);
    for (const Number& x : event.at.angular_velocity_body) velocity.push_back(x.value);
  }
  const Type text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text.id(), H5T_VARIABLE);
  H5Tset_cset(text.id(), H5T_CSET_UTF8);
  return write_column(group.id(), "name", text.id(), 1, names) &&
         write_column(group.id(), "t", H5T_NATIVE_DOUBLE, 1, t, "s") &&
         write_column(group.id(), "rising", H5T_NATIVE_UCHAR, 1, rising) &&
         write_column(group.id(), "terminal", H5T_NATIVE_UCHAR, 1, terminal) &&
         write_column(group.id(), "attitude_wxyz", H5T_NATIVE_DOUBLE, 4, attitude, "1") &&
         write_column(group.id(), "angular_velocity_body", H5T_NATIVE_DOUBLE, 3, velocity, "rad/s");
}

}  // namespace polhode::hdf5
