#include "polhode/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "polhode/io/error.hpp"

namespace polhode {
namespace {

// A link is followed, so that the file it leads to is replaced and not the link itself.
std::string without_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("open", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = std::fopen(path_.c_str(), "w");
    if (file_ == nullptr) fail("open", errno);
    return;
  }
  target_ = without_links(path_);
  temporary_ = fmt::format("{}.{}.part", target_, ::getpid());
  const mode_t mode = exists ? status.st_mode & 0777 : 0666;
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (descriptor < 0) {
    const int error = errno;
    temporary_.clear();
    fail("open", error);
  }
  file_ = ::fdopen(descriptor, "w");
  if (file_ == nullptr) {
    const int error = errno;
    ::close(descriptor);
    ::unlink(temporary_.c_str());
    fail("open", error);
  }
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write", errno);
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("write", errno);
  const int closed = std::fclose(file_);
  const int error = errno;
  file_ = nullptr;
  if (closed != 0) {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    fail("write", error);
  }
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int rename_error = errno;
    ::unlink(temporary_.c_str());
    fail("write", rename_error);
  }
}

void OutputFile::fail(const char* doing, int error) {
  const char* remedy = error == ENOENT   ? "make its folder first"
                       : error == EISDIR ? "name a file in it"
                       : error == ENOSPC ? "free some space, or write fewer rows with --every"
                                         : "check the folder and its permissions";
  throw Error(ExitCode::input_output,
              fmt::format("cannot {} '{}': {}; {}", doing, path_, std::strerror(error), remedy));
}

}  // namespace polhode
