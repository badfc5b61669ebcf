// Results as one JSON object per line and row: {"t":0,"attitude_wxyz":[1,0,0,0],...}. A result that ends before its time
// says so in a last object {"incomplete":"...","rows":n}.
#pragma once

#include <string>
#include <vector>

#include "polhode/io/result_file.hpp"

namespace polhode {

class NdjsonFile final : public ResultFile {
 public:
  using ResultFile::ResultFile;

  void begin(const Provenance& about) override;

 private:
  void write_row(std::span<const Number> cells) override;
  void write_end(const Result& result) override;

  std::vector<std::string> before_;  // the text in front of each cell: a comma, or a key
  std::string after_;                // the text behind the last one
  std::string line_;                 // reused from row to row
};

}  // namespace polhode
