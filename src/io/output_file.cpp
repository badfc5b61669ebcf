#include "polhode/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "polhode/core/error.hpp"

namespace polhode {
namespace {

namespace fs = std::filesystem;

// Names of temporary files, where a signal handler finds them. A file without a place here is still removed in good
// order, though not by a second signal.
std::array<std::atomic<const char*>, 8> unfinished{};

void enlist(const char* name) {
  for (auto& place : unfinished) {
    const char* free = nullptr;
    if (place.compare_exchange_strong(free, name)) return;
  }
}

void strike_off(const char* name) {
  for (auto& place : unfinished) {
    const char* listed = name;
    if (place.compare_exchange_strong(listed, nullptr)) return;
  }
}

// A link is followed, so that the file it leads to is replaced and not the link itself; it need not be there yet.
std::string without_links(const std::string& path) {
  constexpr int most_links = 40;
  std::error_code error;
  fs::path target(path);
  for (int i = 0; i < most_links && fs::is_symlink(target, error); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

// Even root is held to it: who takes away every permission to write wants the file kept.
bool read_only(const std::string& path, const struct stat& status) {
  return (status.st_mode & 0222) == 0 || ::access(path.c_str(), W_OK) != 0;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (names_stdout(path_)) {
    open_directly(true);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("open", EISDIR);
  if (exists && S_ISREG(status.st_mode) && read_only(path_, status)) {
    fail("write", EACCES, "it is read-only; name another file, or make it writable");
  }
  const bool as_stdout = exists && is_stdout(path_);
  if (as_stdout || (exists && !S_ISREG(status.st_mode))) {
    open_directly(as_stdout);
  } else {
    open_beside(exists ? status.st_mode & 0777 : 0666);
  }
}

void OutputFile::open_directly(bool as_stdout) {
  if (as_stdout && (::fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) fail("write", EBADF);
  // What stdout goes to is not opened anew: that would begin again at its top.
  const int descriptor =
      as_stdout ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) fail("open", errno);
  file_ = ::fdopen(descriptor, "w");
  if (file_ != nullptr) return;
  const int error = errno;
  ::close(descriptor);
  fail("open", error);
}

void OutputFile::open_beside(unsigned mode) {
  target_ = without_links(path_);
  temporary_ = fmt::format("{}.{}.part", target_, ::getpid());
  enlist(temporary_.c_str());
  const int descriptor = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (descriptor >= 0) file_ = ::fdopen(descriptor, "w");
  if (file_ != nullptr) {
    // Nobody waits for these rows, and fewer calls of the system are faster.
    constexpr std::size_t bytes = std::size_t{1} << 16;
    buffer_ = std::make_unique<char[]>(bytes);
    std::setvbuf(file_, buffer_.get(), _IOFBF, bytes);
    return;
  }
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  forget_temporary(descriptor >= 0);
  fail("open", error);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  forget_temporary(true);
}

void OutputFile::forget_temporary(bool remove) {
  if (temporary_.empty()) return;
  if (remove) ::unlink(temporary_.c_str());
  strike_off(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write", errno);
}

void OutputFile::commit() { close_as(target_); }

void OutputFile::commit_and_remove_partial() {
  commit();
  if (target_.empty()) return;
  const std::string partial = partial_name(target_);
  struct stat status {};
  const bool exists = ::lstat(partial.c_str(), &status) == 0;
  if (exists && S_ISREG(status.st_mode) && !read_only(partial, status)) ::unlink(partial.c_str());
}

std::string OutputFile::set_aside() {
  if (temporary_.empty()) {
    close_as("");
    return path_;
  }
  const std::string name = partial_name(target_);
  close_as(name);
  return name;
}

void OutputFile::close_as(const std::string& name) {
  if (std::fflush(file_) != 0) fail("write", errno);
  const int closed = std::fclose(file_);
  const int error = errno;
  file_ = nullptr;
  if (closed != 0) {
    forget_temporary(true);
    fail("write", error);
  }
  if (temporary_.empty()) return;
  const bool renamed = std::rename(temporary_.c_str(), name.c_str()) == 0;
  const int rename_error = errno;
  forget_temporary(!renamed);
  if (!renamed) fail("write", rename_error);
}

void OutputFile::fail(const char* doing, int error, const char* remedy) {
  if (remedy == nullptr) {
    remedy = error == ENOENT                      ? "make its folder first"
             : error == EISDIR                    ? "name a file in it"
             : error == ENOSPC || error == EDQUOT ? "free some space, or write fewer rows"
             : error == EFBIG                     ? "raise the limit (ulimit -f), or write fewer rows"
                                                  : "check the folder and its permissions";
  }
  throw Error(error == EPIPE ? ErrorKind::broken_pipe : ErrorKind::input_output,
              fmt::format("cannot {} '{}': {}; {}", doing, path_, std::strerror(error), remedy));
}

std::string partial_name(const std::string& path) {
  fs::path name(path);
  const std::string extension = name.extension().string();
  return name.replace_extension().string() + ".partial" + extension;
}

void check_output_file(const std::string& path) {
  if (names_stdout(path)) return;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) OutputFile{path};
}

bool same_file(const std::string& a, const std::string& b) {
  if (names_stdout(a) || names_stdout(b)) return names_stdout(a) && names_stdout(b);
  std::error_code error;
  const bool a_exists = fs::exists(a, error), b_exists = fs::exists(b, error);
  if (a_exists != b_exists) return false;
  if (a_exists) return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
  const auto spelled_out = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(without_links(path), error), error);
  };
  return spelled_out(a) == spelled_out(b);
}

bool names_stdout(const std::string& path) {
  return path == "-" || (path.starts_with("-.") && path.find_first_of("./", 2) == std::string::npos);
}

bool is_stdout(const std::string& path) {
  if (names_stdout(path)) return true;
  struct stat file {};
  struct stat out {};
  if (path == "/dev/null" || ::stat(path.c_str(), &file) != 0 || ::fstat(STDOUT_FILENO, &out) != 0) return false;
  return file.st_dev == out.st_dev && file.st_ino == out.st_ino;
}

void remove_unfinished_files() noexcept {
  for (const auto& place : unfinished) {
    if (const char* name = place.load()) ::unlink(name);
  }
}

}  // namespace polhode
