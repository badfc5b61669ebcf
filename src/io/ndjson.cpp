#include "polhode/io/ndjson.hpp"

#include "core/json_text.hpp"
#include "io/provenance.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {
namespace {

// What is not finite is a string.
void append_json(std::string& text, const Number& number) {
  const bool finite = number.value - number.value == 0;
  if (!finite) text += '"';
  append_shortest(text, number);
  if (!finite) text += '"';
}

}  // namespace

void NdjsonFile::begin(const Provenance& about) {
  std::string text = "{";
  for (const RowGroup& group : row_groups(about)) {
    const bool several = group.components.size() > 1;
    text += '"' + group.name + (several ? "\":[" : "\":");
    for (std::size_t i = 0; i < group.components.size(); ++i) {
      before_.push_back(text);
      text = ",";
    }
    if (several) text = "],";
  }
  text.pop_back();
  after_ = text + "}\n";
}

void NdjsonFile::write_row(std::span<const Number> cells) {
  line_.clear();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line_ += before_[i];
    append_json(line_, cells[i]);
  }
  line_ += after_;
  file().write(line_);
}

void NdjsonFile::write_end(const Result& result) {
  if (result.incomplete.empty()) return;
  file().write(Json{{"incomplete", result.incomplete}, {"rows", rows()}}.dump() + '\n');
}

}  // namespace polhode
