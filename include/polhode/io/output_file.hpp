// The one way in which result files are written.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace polhode {

// Writes beside the target, under a temporary name, and takes the target's place on commit(): a reader never sees half
// a file, and an existing one survives a failure. Without commit() or set_aside() nothing is left behind. A target that
// exists and is not a regular file (a pipe), or is where stdout goes, is written directly; so is stdout itself under the
// name "-", or "-.EXTENSION" for the sake of the format. Errors of the system throw
// Error: broken_pipe where a pipe has lost its reader, input_output for all else.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();
  // The same, for a file that an earlier attempt may have set aside: what that left at partial_name(target) goes. A link
  // or a read-only file of that name is somebody's, and stays.
  void commit_and_remove_partial();
  // For a file that will not be complete: leaves the target alone and takes the place of partial_name(target). Returns
  // where the text is; that is the target itself where it is written directly.
  std::string set_aside();

  const std::string& path() const { return path_; }

  // For a writer that brings its own buffers: it writes to the descriptor, and reports an errno of its own.
  int descriptor() const { return ::fileno(file_); }
  [[noreturn]] void cannot_write(int error) { fail("write", error); }

 private:
  [[noreturn]] void fail(const char* doing, int error, const char* remedy = nullptr);
  void open_directly(bool as_stdout);
  void open_beside(unsigned mode);
  void close_as(const std::string& name);
  void forget_temporary(bool remove);

  std::string path_;
  std::string target_;     // path_ with links followed
  std::string temporary_;  // empty: written directly
  std::unique_ptr<char[]> buffer_;
  std::FILE* file_ = nullptr;
};

// "tumble.partial.csv" for "tumble.csv".
std::string partial_name(const std::string& path);

// Throws what OutputFile(path) would throw, without waiting for a pipe's reader; leaves nothing behind.
void check_output_file(const std::string& path);

// Whether two names lead to one file, by links of either kind or other ways to spell it; not for devices and pipes.
bool same_file(const std::string& a, const std::string& b);

// "-", or "-" with an extension and no folder: names stdout.
bool names_stdout(const std::string& path);

// Whether the file is where stdout goes: "-", /dev/stdout, or the file it was redirected to. Not for the name /dev/null.
bool is_stdout(const std::string& path);

// For signal handlers: removes the temporary files of all OutputFiles that there are.
void remove_unfinished_files() noexcept;

}  // namespace polhode
