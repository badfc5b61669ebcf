// Result files of ensembles: every body, as HDF5 or CSV; docs/ensembles.md has the layout.
#pragma once

#include <memory>
#include <string>

#include "polhode/ensemble/result.hpp"
#include "polhode/io/output_file.hpp"

namespace polhode {

// A file that takes its place when the ensemble is complete. Where it was interrupted, an older file stays as it is and the
// bodies that are done go to a place beside it, until a later ensemble is complete; what was not ended leaves nothing
// behind.
class EnsembleFile : public EnsembleWriter {
 public:
  explicit EnsembleFile(const std::string& path) : file_(path) {}

  void end(const EnsembleResult& result) final;

  const std::string& place() const { return place_; }  // where they are, after end()

 protected:
  virtual void write_end(const EnsembleResult& result) = 0;
  OutputFile& file() { return file_; }

 private:
  OutputFile file_;
  std::string place_;
};

// The extension chooses the format; "-" is stdout in CSV. Throws std::invalid_argument with a sentence for a name that tells
// no format, or one that the file cannot take, and Error: input_output for a place that cannot be written, unavailable for
// HDF5 where Polhode was built without it.
std::unique_ptr<EnsembleFile> open_ensemble_file(const std::string& path);

// Throws what open_ensemble_file would throw, without waiting for a pipe's reader; leaves nothing behind.
void check_ensemble_file(const std::string& path);

}  // namespace polhode
