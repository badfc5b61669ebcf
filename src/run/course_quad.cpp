#include "polhode/core/quad.hpp"
#include "run/course_in.hpp"

namespace polhode {

std::unique_ptr<Course> make_course_in_quad(const CourseRequest& request) {
  return std::make_unique<CourseIn<quad>>(request);
}

}  // namespace polhode
