#include "io/problem_words.hpp"

#include <fmt/format.h>

#include "polhode/model/setup_json.hpp"
#include "polhode/problems/reference_file.hpp"

namespace polhode {
namespace {

// null where there is none.
nlohmann::ordered_json reference_entry(const Problem& problem) {
  const ReferenceFile* file = find_reference(problem);
  if (file == nullptr) return nullptr;
  auto integrators = nlohmann::ordered_json::array();
  for (const ReferenceIntegrator& integrator : file->integrators) {
    integrators.push_back(fmt::format("{}, order {}, {}", integrator.name, integrator.order, integrator.scalar));
  }
  return {{"duration", problem.reference_duration},
          {"integrators", integrators},
          {"attitude_disagreement", file->attitude_disagreement},
          {"momentum_disagreement", file->momentum_disagreement}};
}

}  // namespace

nlohmann::ordered_json entry_of(const Problem& problem) {
  nlohmann::ordered_json entry{{"name", problem.name},
                               {"cite", problem.cite},
                               {"about", problem.about},
                               {"space", space_name(space_of(problem.setup))}};
  entry.update(nlohmann::ordered_json::parse(to_json(problem.setup)));
  entry["step"] = problem.step;
  entry["duration"] = problem.duration;
  entry["reference"] = reference_entry(problem);
  return entry;
}

}  // namespace polhode
