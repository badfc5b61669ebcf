// A file of bodies that is read: of an ensemble, of a part of one, or of one that was interrupted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

struct EnsembleHead {
  EnsembleAbout about;      // of bodies `first` to `last`
  EnsembleSettings wanted;  // histograms and quantiles
  std::vector<BodyRange> done;
  std::string incomplete;
  double seconds = 0;
};

class EnsembleInput {
 public:
  virtual ~EnsembleInput() = default;

  const EnsembleHead& head() const { return head_; }
  // Bodies that are there.
  virtual EnsembleChunk read(std::uint64_t first, std::size_t count) = 0;

 protected:
  EnsembleHead head_;
};

// Throws Error: file_missing, bad_file for what is no file of an ensemble, or not a whole one, and unavailable for HDF5
// where Polhode was built without it.
std::unique_ptr<EnsembleInput> open_ensemble_input(const std::string& path);

}  // namespace polhode
