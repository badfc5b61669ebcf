// What is known of an ensemble as a whole, in an HDF5 file. Every function is false where HDF5 refuses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "polhode/ensemble/result.hpp"

namespace polhode::hdf5 {

// A dataset "done", a row for each range of bodies; neighbours become one.
bool write_done(hid_t file, std::vector<BodyRange> ranges);

// Of every body that failed, in any order. Sentences, which are mostly different, are kept of the first thousand bodies.
class Failures {
 public:
  void add(const std::vector<BodyFailure>& failures);
  bool write(hid_t file);  // a group "failures"

 private:
  struct Failure {
    std::uint64_t body;
    long long step;
    double time;
  };
  std::vector<Failure> all_;
  std::map<std::uint64_t, std::string> reasons_;  // by body
};

// Groups of these names.
bool write_statistics(hid_t file, const EnsembleResult& result);
bool write_histograms(hid_t file, const EnsembleResult& result);
bool write_quantiles(hid_t file, const EnsembleResult& result);
bool write_how(hid_t file, const EnsembleResult& result);

}  // namespace polhode::hdf5
