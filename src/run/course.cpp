#include "run/course.hpp"

#include <algorithm>
#include <cmath>

#include "run/course_in.hpp"

namespace polhode {

std::unique_ptr<Course> make_course(ScalarKind scalar, const CourseRequest& request) {
  switch (scalar) {
    case ScalarKind::float_: return std::make_unique<CourseIn<float>>(request);
    case ScalarKind::double_: return std::make_unique<CourseIn<double>>(request);
    case ScalarKind::long_double_: return std::make_unique<CourseIn<long double>>(request);
    case ScalarKind::quad_: break;
  }
  return make_course_in_quad(request);
}

double calibrate(Course& course, double least_seconds, long long& runs, const std::atomic<bool>* stop) {
  for (;;) {
    const double seconds = course.seconds(runs, stop);
    if (seconds >= least_seconds || (stop != nullptr && stop->load(std::memory_order_relaxed))) return seconds;
    const double wanted = 1.2 * least_seconds / std::max(seconds, least_seconds / 100);
    runs = static_cast<long long>(std::ceil(wanted * static_cast<double>(runs)));
  }
}

}  // namespace polhode
