// Files of an ensemble, of parts of it, or of what is left of one that was interrupted: together, as one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

class EnsembleParts {
 public:
  // Reads what the files (HDF5) say of themselves. Throws Error: file_missing, or bad_file for what is not of an ensemble, or
  // not of the same one as the first file.
  explicit EnsembleParts(std::vector<std::string> files);
  ~EnsembleParts();
  EnsembleParts(EnsembleParts&&) noexcept;
  EnsembleParts& operator=(EnsembleParts&&) noexcept;

  // Of the whole ensemble: what the parts do not agree in, of how they were followed, is "several".
  const EnsembleAbout& about() const;
  const EnsembleSettings& wanted() const;  // histograms and quantiles, and no more
  double seconds() const;                  // of all parts together
  // Throws bad_file where the files have a body twice, or not all bodies: which, and which files should have them.
  void check_whole() const;

  // Throws bad_file where they are not of this ensemble.
  void check_together(const EnsembleAbout& ensemble) const;

  // Those of the bodies that are there, in their order. Of a body that is in several files the first file's is taken.
  std::vector<BodyRange> bodies_in(BodyRange wanted) const;
  EnsembleChunk read(BodyRange bodies) const;  // of one of these ranges

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

// Why two ensembles, or parts, are not of one: a few words; empty where they are.
std::string why_not_together(const EnsembleAbout& ours, const EnsembleAbout& theirs);

}  // namespace polhode
