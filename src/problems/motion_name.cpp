#include "problems/motion_name.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace polhode {

std::string name_of(const std::string& text) {
  return to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

}  // namespace polhode
