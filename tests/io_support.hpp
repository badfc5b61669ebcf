// What the tests of input and output share: a folder that goes away, and files in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace polhode {

// A scenario with nothing wrong in it, to put a mistake into.
inline const std::string good = R"([body]
inertia = [1, 2, 2.5]
[start]
angular_velocity_body = [1, 0, 0]
[run]
method = "taylor-4"
step = 0.1
duration = 1
)";

class TestFolder {
 public:
  TestFolder() {
    path_ = (std::filesystem::temp_directory_path() / "polhode-test-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    return all;
  }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines of a result that are not comments: the header, then the rows.
inline std::vector<std::string> table_of(const std::string& csv) {
  std::vector<std::string> table;
  for (const std::string& line : lines_of(csv)) {
    if (!line.starts_with('#')) table.push_back(line);
  }
  return table;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("'" + what + "' is not in the text");
  return text.replace(at, what.size(), with);
}

}  // namespace polhode
