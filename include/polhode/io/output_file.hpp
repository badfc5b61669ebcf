// The one door through which result files are written.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace polhode {

// Writes beside the target, under a temporary name, and takes the target's place on commit(): a reader never sees half
// a file, and an existing one survives a failure. Without commit() nothing is left behind. A target that exists and is
// no regular file (a pipe, /dev/stdout) is written directly. Errors of the system throw Error (input_output).
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* doing, int error);

  std::string path_;
  std::string target_;     // path_ with links followed
  std::string temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;
};

}  // namespace polhode
