// Rows per second that each format of results takes, on one core and a file system in memory: the rows of a run with the
// standard columns are handed to the writer again and again, so that nothing but writing is measured.
//
//   writers [--rows N] [--repeats N] [--folder DIR]
//
// The formats take turns, and the medians of the repeats are printed: by the clock on the wall, and by the time of the
// processor, the system's included, which a machine with other work to do does not lengthen as much. Every file is read back first: it must have all rows,
// and in its last one the bits that went in.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"
#ifdef POLHODE_BENCH_HDF5
#include <hdf5.h>
#endif

namespace polhode::bench {
namespace {

struct WriterSettings {
  long rows = 2000000;
  int repeats = 9;
  std::string folder = "/dev/shm";
};

WriterSettings settings_of(int count, char** words) {
  WriterSettings settings;
  for (int i = 1; i < count; i += 2) {
    const std::string name = words[i], value = i + 1 < count ? words[i + 1] : "";
    if (name == "--rows" && std::atol(value.c_str()) > 0) {
      settings.rows = std::atol(value.c_str());
    } else if (name == "--repeats" && std::atoi(value.c_str()) > 0) {
      settings.repeats = std::atoi(value.c_str());
    } else if (name == "--folder" && !value.empty()) {
      settings.folder = value;
    } else {
      throw std::invalid_argument(fmt::format("{} {}: use --rows N, --repeats N or --folder DIR", name, value));
    }
  }
  return settings;
}

struct KeptRun {
  Table table;
  Result result;
};

// Few enough rows to stay near the processor, as those of a run are when they are written.
KeptRun some_rows() {
  Scenario scenario = problem_scenario(*find_problem("free-mclachlan-zanna"));
  override_key(scenario, "run.method", "--method", "taylor-4");
  override_key(scenario, "run.steps", "--steps", "255");
  KeptRun run;
  run.result = Simulation(plan(scenario, true)).run(&run.table);
  return run;
}

struct Seconds {
  double wall, processor;
};

Seconds seconds_to_write(const ResultFormat& format, const std::string& path, const KeptRun& run, long rows) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  const auto file = format.open(path);
  file->begin(run.result.about);
  const std::size_t period = run.table.rows.size();
  for (long i = 0; i < rows; ++i) file->row(run.table.rows[static_cast<std::size_t>(i) % period]);
  file->end(run.result);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

// The rows of a file, and the numbers of its last one.
struct ReadBack {
  long rows = 0;
  std::vector<double> last;
};

std::vector<double> numbers_in(std::string line) {
  for (const char other : std::string(",[]{}:\"")) std::replace(line.begin(), line.end(), other, ' ');
  std::vector<double> numbers;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(' ', at)) != std::string::npos) {
    const std::string word = line.substr(at, line.find(' ', at) - at);
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (*end == 0) numbers.push_back(number);
    at += word.size();
  }
  return numbers;
}

ReadBack read_lines(const std::string& path) {
  ReadBack back;
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with('t')) continue;
    ++back.rows;
    last = line;
  }
  back.last = numbers_in(last);
  return back;
}

#ifdef POLHODE_BENCH_HDF5
ReadBack read_hdf5(const std::string& path) {
  ReadBack back;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (const char* name : {"t", "attitude_wxyz", "angular_velocity_body", "angular_momentum_spatial", "energy"}) {
    const hid_t set = H5Dopen2(file, (std::string("/rows/") + name).c_str(), H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    H5Sget_simple_extent_dims(space, size, nullptr);
    back.rows = static_cast<long>(size[0]);
    const hsize_t from[2] = {size[0] - 1, 0}, count[2] = {1, size[1]};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, nullptr, count, nullptr);
    const hid_t memory = H5Screate_simple(1, &size[1], nullptr);
    std::vector<double> cells(size[1]);
    H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, cells.data());
    back.last.insert(back.last.end(), cells.begin(), cells.end());
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
  }
  H5Fclose(file);
  return back;
}
#endif

void check_file(const ResultFormat& format, const std::string& path, const KeptRun& run, long rows) {
  ReadBack back;
#ifdef POLHODE_BENCH_HDF5
  back = format.name == "HDF5" ? read_hdf5(path) : read_lines(path);
#else
  back = read_lines(path);
#endif
  std::vector<double> expected;
  for (const Number& cell : run.table.rows[static_cast<std::size_t>(rows - 1) % run.table.rows.size()]) {
    expected.push_back(cell.value);
  }
  if (back.rows != rows || back.last != expected) {
    throw std::runtime_error(
        fmt::format("{}: {} rows were read back, {} written, or the last one differs", format.name, back.rows, rows));
  }
}

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void measure_writers(const WriterSettings& settings) {
  struct Lane {
    const ResultFormat* format;
    std::vector<double> wall, processor;
    std::uintmax_t bytes = 0;
  };
  const KeptRun run = some_rows();
  std::vector<Lane> lanes;
  for (const char* name : {"a.csv", "a.ndjson", "a.h5"}) {
#ifndef POLHODE_BENCH_HDF5
    if (std::string_view(name) == "a.h5") continue;
#endif
    lanes.push_back({&result_format(name), {}, {}, 0});
  }
  for (int i = 0; i < settings.repeats; ++i) {
    for (Lane& lane : lanes) {
      const std::string path =
          fmt::format("{}/polhode-writers-{}{}", settings.folder, ::getpid(), lane.format->extension);
      const Seconds seconds = seconds_to_write(*lane.format, path, run, settings.rows);
      lane.wall.push_back(seconds.wall);
      lane.processor.push_back(seconds.processor);
      if (i == 0) check_file(*lane.format, path, run, settings.rows);
      lane.bytes = std::filesystem::file_size(path);
      std::filesystem::remove(path);
    }
  }
  fmt::print("{}; {} rows of {} numbers to {}, median of {}\n", machine_name(), settings.rows, run.table.headers.size(),
             settings.folder, settings.repeats);
  for (const Lane& lane : lanes) {
    const double rows = static_cast<double>(settings.rows);
    fmt::print("{:<15}{:6.2f} million rows a second, {:6.2f} of the processor's; {:.1f} bytes a row\n",
               lane.format->name, rows / median(lane.wall) / 1e6, rows / median(lane.processor) / 1e6,
               static_cast<double>(lane.bytes) / rows);
  }
}

}  // namespace
}  // namespace polhode::bench

int main(int count, char** words) {
  try {
    polhode::bench::measure_writers(polhode::bench::settings_of(count, words));
  } catch (const std::exception& error) {
    fmt::print(stderr, "writers: {}\n", error.what());
    return 1;
  }
}
