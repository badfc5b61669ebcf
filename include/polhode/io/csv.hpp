// Results as comma-separated values: provenance in '# key: value' lines, the scenario in '#| ' lines, a header with
// units, one line per row. A result that ends before its time says so in a last line '# incomplete: ...'.
#pragma once

#include <string>

#include "polhode/io/result_file.hpp"

namespace polhode {

class CsvFile final : public ResultFile {
 public:
  using ResultFile::ResultFile;

  void begin(const Provenance& about) override;

 private:
  void write_row(std::span<const Number> cells) override;
  void write_end(const Result& result) override;

  std::string line_;  // reused from row to row
};

}  // namespace polhode
