// result.json of an experiment, and what is gathered from several of them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/outcome.hpp"

namespace polhode::experiments {

using Json = nlohmann::ordered_json;

Json to_json(const Experiment& experiment, const Outcome& outcome, Set run_set, const std::string& digest);

// What the experiment's folder, this program and the test programs that claims name are, in a few letters: equal digests
// give equal results.
std::string digest_of(const Experiment& experiment, Set run_set, const std::string& tests);

// The result in `path`, where there is one of this digest.
std::optional<Json> kept_result(const std::string& path, const std::string& digest);

// verdicts.json: every item and claim of every experiment.
Json gathered_verdicts(const std::vector<Json>& results);

// claims.csv: every claim.
std::string gathered_claims(const std::vector<Json>& results);

}  // namespace polhode::experiments
