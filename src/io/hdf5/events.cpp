#include "io/hdf5/events.hpp"

#include <algorithm>
#include <string>

#include "io/hdf5/column.hpp"

namespace polhode::hdf5 {

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
