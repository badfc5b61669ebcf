// Results in files. The extension of the name chooses the format.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/io/output_file.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

// A file that takes its place when the result is complete. Where a run is interrupted or fails, an older file stays as it
// is and the rows go to a place beside it, until a later run is complete; what was not ended leaves nothing behind.
class ResultFile : public ResultWriter {
 public:
  explicit ResultFile(const std::string& path) : file_(path) {}

  void row(std::span<const Number> cells) final {
    write_row(cells);
    ++rows_;
  }
  void end(const Result& result) final {
    write_end(result);
    if (result.incomplete.empty()) {
      file_.commit_and_remove_partial();
      place_ = file_.path();
    } else {
      place_ = file_.set_aside();
    }
  }

  long long rows() const { return rows_; }
  const std::string& place() const { return place_; }  // where they are, after end()

 protected:
  virtual void write_row(std::span<const Number> cells) = 0;
  virtual void write_end(const Result& result) = 0;
  OutputFile& file() { return file_; }

 private:
  OutputFile file_;
  long long rows_ = 0;
  std::string place_;
};

// What a result says of the run that made it, enough to repeat it.
struct StoredScenario {
  std::string title;  // the problem's name, or that of the scenario file
  std::string text;
};

class ColumnFile;  // src/io/column_file.hpp

struct ResultFormat {
  std::string_view extension, name;
  bool streams;  // can go to a pipe; otherwise it needs a file in which places are written again
  std::unique_ptr<ResultFile> (*open)(const std::string& path);
  // Throws Error: file_missing, or bad_file for what is not a result. Null: files of this format are not run again.
  StoredScenario (*scenario)(const std::string& path);
  // Columns of numbers that bodies are made from. Throws Error. Null: files of this format have none.
  std::unique_ptr<ColumnFile> (*columns)(const std::string& path);
};

// Every format, the customary one first.
const std::vector<ResultFormat>& result_formats();

// By the extension; null where no format has it.
const ResultFormat* find_result_format(const std::string& path);

// "-" is stdout in the customary format, "-.ndjson" in another. Throws std::invalid_argument with a sentence for a name
// that tells no format, or one that the file cannot take.
const ResultFormat& result_format(const std::string& path);

}  // namespace polhode
