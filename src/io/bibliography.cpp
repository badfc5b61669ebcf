#include "polhode/io/bibliography.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <stdexcept>

#include "io/bibliography_data.hpp"

namespace polhode {
namespace {

// What TeX writes in ASCII. Longer ones first where one begins like another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> spellings{{{"{\\`o}", "ò"},
                                                                                   {"{\\`A}", "À"},
                                                                                   {"{\\'E}", "É"},
                                                                                   {"{\\'e}", "é"},
                                                                                   {"{\\\"a}", "ä"},
                                                                                   {"{\\\"o}", "ö"},
                                                                                   {"{\\\"u}", "ü"},
                                                                                   {"{\\o}", "ø"},
                                                                                   {"{\\O}", "Ø"},
                                                                                   {"\\alpha", "α"},
                                                                                   {"\\&", "&"},
                                                                                   {"---", "-"},
                                                                                   {"--", "-"},
                                                                                   {"``", "\""},
                                                                                   {"''", "\""},
                                                                                   {"$", ""},
                                                                                   {"{", ""},
                                                                                   {"}", ""}}};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Without TeX, and with single spaces for line breaks.
std::string plain_text(std::string_view tex) {
  std::string text;
  while (!tex.empty()) {
    std::size_t used = 0;
    for (const auto& [written, meant] : spellings) {
      if (!tex.starts_with(written)) continue;
      text += meant;
      used = written.size();
      break;
    }
    if (used == 0) {
      const bool space = is_space(tex.front());
      if (!space || (!text.empty() && text.back() != ' ')) text += space ? ' ' : tex.front();
      used = 1;
    }
    tex.remove_prefix(used);
  }
  return text;
}

// Reads entries of the form @kind{KEY, name = {value}, name = word}, which is all that the file has.
class BibReader {
 public:
  explicit BibReader(std::string_view text) : text_(text) {}

  std::vector<Publication> read() {
    std::vector<Publication> list;
    while ((at_ = text_.find("\n@", at_)) != std::string_view::npos) {
      at_ += 2;
      list.push_back(entry());
    }
    return list;
  }

 private:
  Publication entry() {
    Publication publication;
    publication.kind = up_to("{");
    publication.key = up_to(",");
    while (peek() != '}') {
      std::string name = up_to("=");
      name.erase(name.find_last_not_of(" \n") + 1);
      publication.fields.emplace_back(std::move(name), plain_text(value()));
      if (peek() == ',') ++at_;
    }
    return publication;
  }

  std::string_view value() {
    if (peek() != '{') return up_to_one_of(",}\n");
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == text_.size()) throw std::logic_error("the bibliography ends within an entry");
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
      ++at_;
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
  }

  // The next character that is not a space.
  char peek() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    if (at_ == text_.size()) throw std::logic_error("the bibliography ends within an entry");
    return text_[at_];
  }

  std::string_view up_to_one_of(std::string_view marks) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(marks, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string up_to(std::string_view mark) {
    peek();
    std::string word(up_to_one_of(mark));
    ++at_;
    return word;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view Publication::field(std::string_view name) const {
  for (const auto& [field_name, value] : fields) {
    if (field_name == name) return value;
  }
  return {};
}

const std::vector<Publication>& bibliography() {
  static const std::vector<Publication> list = BibReader(bibliography_text()).read();
  return list;
}

const Publication* find_publication(std::string_view key) {
  for (const Publication& publication : bibliography()) {
    if (publication.key == key) return &publication;
  }
  return nullptr;
}

std::vector<std::string> cited_keys(std::string_view cite) {
  std::vector<std::string> keys;
  while (!cite.empty()) {
    const std::size_t end = std::min(cite.find(';'), cite.size());
    const std::string_view one = cite.substr(0, end);
    const std::size_t begin = one.find_first_not_of(' ');
    if (begin != std::string_view::npos) keys.emplace_back(one.substr(begin, one.find(',') - begin));
    cite.remove_prefix(std::min(end + 1, cite.size()));
  }
  return keys;
}

std::string entry_text(const Publication& publication) {
  const std::string_view author = publication.field("author"), volume = publication.field("volume");
  std::vector<std::string> parts;  // where it appeared, and when
  const auto add = [&](std::string_view name, std::string_view before = "", std::string_view after = "") {
    const std::string_view value = publication.field(name);
    if (!value.empty()) parts.push_back(fmt::format("{}{}{}", before, value, after));
  };
  add("booktitle", "in ");
  for (const char* periodical : {"journal", "series"}) {
    add(periodical, "", volume.empty() ? "" : fmt::format(" {}", volume));
  }
  add("edition", "edition: ");
  for (const char* name : {"publisher", "institution", "number", "howpublished"}) add(name);
  add("eprint", "arXiv:");
  for (const char* name : {"pages", "year"}) add(name);
  std::string text = fmt::format("{}{}{}", author, author.empty() ? "" : ": ", publication.field("title"));
  if (!text.ends_with('?') && !text.ends_with('.')) text += '.';
  if (!parts.empty()) text += fmt::format(" {}.", fmt::join(parts, ", "));
  if (const std::string_view note = publication.field("note"); !note.empty()) text += fmt::format(" {}.", note);
  return text;
}

}  // namespace polhode
