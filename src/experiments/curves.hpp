// The curves of a figure, each in a file of its own.
#pragma once

#include <functional>
#include <vector>

#include "experiments/expression.hpp"
#include "experiments/outcome.hpp"
#include "experiments/runs.hpp"

namespace polhode::experiments {

// One task per curve. Each writes its file into `folder` and fills in `outcome`, whose curves are all there on return.
std::vector<std::function<void()>> curve_tasks(const Panel& panel, int number, const std::string& folder, Runs& runs,
                                               PanelOutcome& outcome);

// Scans draw numbers that have been measured.
void draw_scans(const Panel& panel, int number, const std::string& folder, const Variables& variables,
                PanelOutcome& outcome);

}  // namespace polhode::experiments
