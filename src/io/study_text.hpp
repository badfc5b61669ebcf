// How studies begin, as JSON and CSV.
#pragma once

#include <string>

#include "core/json_text.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

inline JsonObject json_subject(const StudySubject& study) {
  JsonObject object;
  object.add_raw("schema_version", "1");
  object.add("version", study.version);
  object.add("problem", study.problem);
  object.add("scalar", scalar_name(study.scalar));
  object.add("reference", study.reference);
  object.add_raw("duration", shortest(study.duration));
  return object;
}

inline std::string csv_subject(const StudySubject& study) {
  return fmt::format("# program: polhode {}\n# problem: {}\n# scalar: {}\n# duration: {}\n", study.version,
                     study.problem, scalar_name(study.scalar), shortest(study.duration));
}

// Nothing that is measured is "nan" in CSV.
inline std::string csv_number(const std::optional<Number>& number) { return number ? number->digits : "nan"; }

}  // namespace polhode
