#include "ensemble/csv_file.hpp"

#include <fmt/format.h>

#include <map>

#include "core/number_text.hpp"
#include "ensemble/cells.hpp"
#include "ensemble/file_data.hpp"
#include "io/csv_comments.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {
namespace {

// Names of events can be any text.
std::string header_of(const BodyColumn& column) {
  std::string header = column.group == "passages" ? "passage_" + column.name : column.name;
  if (column.unit != "1") header += '[' + column.unit + ']';
  if (header.find_first_of(",\"#\r\n") == std::string::npos) return header;
  std::string quoted = "\"";
  for (const char c : header) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

class CsvEnsembleFile final : public EnsembleFile {
 public:
  using EnsembleFile::EnsembleFile;

  void begin(const EnsembleAbout& about) override {
    states_ = states_of(about);
    columns_ = body_columns(about);
    next_ = about.first;
    std::string head;
    for (const FileEntry& entry : ensemble_entries(about))
      if (const std::string text = entry_text(entry); !text.empty()) append_comment(head, entry.key, text);
    append_quoted(head, about.scenario);
    std::vector<std::string> headers = column_headers(standard_columns());
    headers.insert(headers.begin(), "body");
    for (const BodyColumn& column : columns_) headers.push_back(header_of(column));
    fmt::format_to(std::back_inserter(head), "{}\n", fmt::join(headers, ","));
    file().write(head);
  }

  void chunk(const EnsembleChunk& chunk) override {
    if (chunk.first != next_) {
      ahead_.emplace(chunk.first, chunk);
      return;
    }
    write(chunk);
    for (auto next = ahead_.begin(); next != ahead_.end() && next->first == next_; next = ahead_.erase(next))
      write(next->second);
  }

 private:
  void write_end(const EnsembleResult& result) override {
    for (const auto& [first, chunk] : ahead_) write(chunk);  // behind bodies that are missing
    ahead_.clear();
    if (!result.incomplete.empty()) {
      std::string line;
      append_comment(line, "incomplete", result.incomplete);
      file().write(line);
    }
  }

  void write(const EnsembleChunk& chunk) {
    auto failure = chunk.failures.begin();
    for (std::size_t i = 0; i < chunk.count; ++i) {
      rows_.clear();
      for (const StatesAt& at : states_) append_row(chunk, i, at);
      if (failure != chunk.failures.end() && failure->body == chunk.first + i) {
        append_comment(rows_, "failed",
                       fmt::format("body {}, step {}, t = {} s: {}", failure->body, failure->step,
                                   shortest(failure->time), failure->reason));
        ++failure;
      }
      file().write(rows_);
    }
    next_ = chunk.first + chunk.count;
  }

  void append_row(const EnsembleChunk& chunk, std::size_t i, const StatesAt& at) {
    fmt::format_to(std::back_inserter(rows_), "{}", chunk.first + i);
    append(at.time ? *at.time : chunk.end_time[i]);
    const BodyStates& states = at.of(chunk);
    for (const StateColumns& column : state_columns()) {
      const std::size_t width = column.group.components.size();
      for (std::size_t k = 0; k < width; ++k) append((states.*column.values)[width * i + k]);
    }
    const bool at_end = &at == &states_.back();
    for (const BodyColumn& column : columns_) append(at_end ? column.values(chunk)[i] : not_a_number);
    rows_ += '\n';
  }

  void append(double x) {
    rows_ += ',';
    append_shortest(rows_, to_number(x));
  }

  std::vector<StatesAt> states_;
  std::vector<BodyColumn> columns_;
  std::uint64_t next_ = 0;  // body
  std::map<std::uint64_t, EnsembleChunk> ahead_;
  std::string rows_;  // reused from body to body
};

}  // namespace

std::unique_ptr<EnsembleFile> open_ensemble_csv(const std::string& path) {
  return std::make_unique<CsvEnsembleFile>(path);
}

}  // namespace polhode
