// Results as comma-separated values: provenance in '# key: value' lines, the scenario in '#| ' lines, a header with
// units, one line per row. A result that ends before its time says so in a last line '# incomplete: ...'.
#pragma once

#include <string>
#include <vector>

#include "polhode/io/output_file.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

class CsvWriter : public RowSink {
 public:
  explicit CsvWriter(OutputFile& file) : file_(file) {}

  void begin(const Provenance& about) override;
  void row(const std::vector<Number>& cells) override;

  // Why the rows end here, in a few words without a line break.
  void mark_incomplete(const std::string& why);

  long long rows() const { return rows_; }

 private:
  OutputFile& file_;
  std::string line_;  // reused from row to row
  long long rows_ = 0;
};

}  // namespace polhode
