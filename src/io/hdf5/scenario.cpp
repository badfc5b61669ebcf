// The scenario that a result holds.
#include <fmt/format.h>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/open.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/hdf5.hpp"

namespace polhode {

StoredScenario read_hdf5_scenario(const std::string& path) {
  const hdf5::Quietly quietly;
  const hdf5::File file = hdf5::open_to_read(path, "give a scenario file, or a result that polhode run wrote");
  const auto text = hdf5::text_attribute(file.id(), "scenario"), problem = hdf5::text_attribute(file.id(), "problem");
  if (!text || text->empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: has no attribute 'scenario', so it does not say what to run; give a scenario file, or "
                            "a result that polhode run wrote",
                            path));
  }
  return {problem.value_or(""), *text};
}

}  // namespace polhode
