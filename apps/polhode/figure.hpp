// Figures of results, drawn by the Python script that reads result files.
#pragma once

#include <string>
#include <vector>

#include "exit_codes.hpp"

namespace polhode {

// Throws Error before anything is computed: usage for a name without .pdf, .svg or .png, unavailable when the script is
// not where it should be or matplotlib is not installed, input_output where no such file can be written. `flag`: what
// named the figure.
void check_figure(const std::string& figure, const std::string& flag = "--plot");

// Throws Error (unavailable, input_output or interrupted) when the script does not succeed.
void draw_figure(const std::string& result, const std::string& figure);

// The same for any command of the script, given its words.
void draw(std::vector<std::string> words, const std::string& figure);

// Draws result files of any kind, given the words of the script's command `files`. The script says itself why it refuses
// a file, and its exit code is the answer. Throws Error when it does not end as it should.
ExitCode draw_files(std::vector<std::string> words);

// The report of experiments, by the script beside that one, given its words. Throws Error as draw does.
void write_report(std::vector<std::string> words, const std::string& page);

// A folder of its own for files that are needed for a moment; goes with all its files.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace polhode
