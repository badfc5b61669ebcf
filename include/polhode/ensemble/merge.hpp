// Joins the parts of an ensemble.
#pragma once

#include "polhode/ensemble/ensemble.hpp"
#include "polhode/ensemble/parts.hpp"

namespace polhode {

// Hands the writer the bits that the ensemble followed in one go has: bodies, failures, statistics, histograms, quantiles.
// Some thousand bodies are in memory, and no more. Quantiles take three more looks at the parts, or a few times as many where
// there are hundreds. Throws what EnsembleParts::check_whole() does, and Error (interrupted) where it was stopped: the writer
// is then not ended.
EnsembleResult merge(const EnsembleParts& parts, EnsembleWriter* writer = nullptr, const EnsembleControl& control = {});

}  // namespace polhode
