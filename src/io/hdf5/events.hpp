// The events of a run in an HDF5 file.
#pragma once

#include <vector>

#include "io/hdf5/handle.hpp"
#include "polhode/run/result.hpp"

namespace polhode::hdf5 {

// A group "events" with a dataset for each of name, t, rising, terminal, attitude_wxyz and angular_velocity_body, one entry
// per event. A name is the number, from 0, of one in the group's attribute "names": not every reader of HDF5 takes arrays of
// texts. False where HDF5 refuses.
bool write_events(hid_t file, const std::vector<Event>& events);

}  // namespace polhode::hdf5
