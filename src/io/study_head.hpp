// How studies begin, as JSON and CSV.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/number_text.hpp"
#include "io/number_json.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

// To this many digits, as many as mean something.
inline Json json_digits(double value, int digits) { return verbatim(fmt::format("{:.{}g}", value, digits)); }

inline Json json_subject(const StudySubject& study) {
  Json object{{"schema_version", 1},          {"version", study.version},
              {"problem", study.problem},     {"scalar", scalar_name(study.scalar)},
              {"reference", study.reference}, {"duration", json_number(study.duration)}};
  if (study.against) {
    object["reference_source"] = source_name(study.against->source);
    object["reference_uncertainty"] = json_digits(study.against->attitude_uncertainty, 3);
  }
  return object;
}

inline std::string csv_subject(const StudySubject& study) {
  return fmt::format("# program: polhode {}\n# problem: {}\n# scalar: {}\n# duration: {}\n", study.version,
                     study.problem, scalar_name(study.scalar), shortest(study.duration));
}

// Nothing that is measured is "nan" in CSV.
inline std::string csv_number(const std::optional<Number>& number) { return number ? decimal(*number) : "nan"; }

}  // namespace polhode
