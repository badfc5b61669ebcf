// Scenarios as situations that are studied.
#pragma once

#include "polhode/io/scenario.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

// The situation of a scenario for as long as it runs, in its scalar, with a reference that is kept beside the file; methods
// and steps are for the study to say. Events, conditions and guards, which may end a run before its time, have no part in
// it. Throws Error for a file of steps that cannot be read.
StudyRequest study_request(const Scenario& scenario);

}  // namespace polhode
