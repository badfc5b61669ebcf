#include "run/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "polhode/measure/work_precision.hpp"
#include "run/course_in.hpp"

namespace polhode {

std::unique_ptr<Course> make_course(ScalarKind scalar, const CourseRequest& request) {
  switch (scalar) {
    case ScalarKind::float_: return make_course_in_float(request);
    case ScalarKind::double_: return std::make_unique<CourseIn<double>>(request);
    case ScalarKind::long_double_: return make_course_in_long_double(request);
    case ScalarKind::quad_: break;
  }
  return make_course_in_quad(request);
}

std::optional<std::string> below_uncertainty(const Result& result) {
  const ReferenceUse& reference = *result.reference;
  const auto about = [](std::string_view what, double error, double uncertainty, std::string_view unit) {
    return fmt::format(
        "the {} error of {:.1e} {} is below the uncertainty of its reference, {:.1e} {}: all that is known "
        "is that it is no larger than that",
        what, error, unit, uncertainty, unit);
  };
  // An error of zero is no claim to have resolved anything: a start that was not left is exact.
  const double attitude = result.attitude_error->value, momentum = result.momentum_error->value;
  if (attitude > 0 && attitude < reference.attitude_uncertainty)
    return about("attitude", attitude, reference.attitude_uncertainty, "rad");
  if (momentum > 0 && momentum < reference.momentum_uncertainty)
    return about("momentum", momentum, reference.momentum_uncertainty, "kg m^2/s");
  return std::nullopt;
}

double calibrate(Course& course, double least_seconds, long long& runs, const std::atomic<bool>* stop) {
  for (;;) {
    const double seconds = course.seconds(runs, stop);
    if (seconds >= least_seconds || (stop != nullptr && stop->load(std::memory_order_relaxed))) return seconds;
    const double wanted = 1.2 * least_seconds / std::max(seconds, least_seconds / 100);
    runs = static_cast<long long>(std::ceil(wanted * static_cast<double>(runs)));
  }
}

std::vector<double> median_seconds(const std::vector<std::unique_ptr<Course>>& courses, double least_seconds,
                                   int repeats) {
  constexpr double long_timing = 0.02;  // [s]
  std::vector<long long> runs(courses.size(), 1);
  double longest = 0;
  for (std::size_t i = 0; i < courses.size(); ++i)
    longest = std::max(longest, calibrate(*courses[i], least_seconds, runs[i]));
  std::vector<std::vector<double>> samples(courses.size());
  for (int repeat = 0; repeat < (longest > long_timing ? 1 : repeats); ++repeat) {
    for (std::size_t i = 0; i < courses.size(); ++i)
      samples[i].push_back(courses[i]->seconds(runs[i], nullptr) / static_cast<double>(runs[i]));
  }
  std::vector<double> medians;
  for (std::vector<double>& of_one : samples) medians.push_back(quartiles(std::move(of_one)).median);
  return medians;
}

}  // namespace polhode
