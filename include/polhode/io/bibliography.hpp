// The publications that methods, problems and documents cite by key: docs/bibliography.bib, built into the library.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polhode {

struct Publication {
  std::string key;                                          // "B01"
  std::string kind;                                         // "article"
  std::vector<std::pair<std::string, std::string>> fields;  // in the file's order, values as plain text in UTF-8

  // Empty where there is none of that name.
  std::string_view field(std::string_view name) const;
};

// Every entry, in the file's order.
const std::vector<Publication>& bibliography();

// nullptr when there is none of that key.
const Publication* find_publication(std::string_view key);

// The keys of "MV91; KE05, Sec. 3.1": MV91, KE05.
std::vector<std::string> cited_keys(std::string_view cite);

// Authors, title, where it appeared and when, in one line.
std::string entry_text(const Publication& publication);

}  // namespace polhode
