#include "run/course_in.hpp"

namespace polhode {

std::unique_ptr<Course> make_course_in_float(const CourseRequest& request) {
  return std::make_unique<CourseIn<float>>(request);
}
std::unique_ptr<Course> make_course_in_long_double(const CourseRequest& request) {
  return std::make_unique<CourseIn<long double>>(request);
}

}  // namespace polhode
