#include "ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include "polhode/core/error.hpp"

namespace polhode {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libpolhode_mpi.so";

std::optional<int> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  if (error != std::errc() || end != all.data() + all.size()) return std::nullopt;
  return number;
}

// Cores that this process may use are shared by the ranks of its machine.
int threads_of_a_rank() {
  if (const auto cores = number_in_environment("SLURM_CPUS_PER_TASK")) return std::max(1, *cores);
  const int here = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::max(1, here / std::max(1, number_in_environment("OMPI_COMM_WORLD_LOCAL_SIZE").value_or(here)));
}

std::string library_path() {
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& place : {folder / library_name, folder / POLHODE_LIBRARIES_FROM_PROGRAM / library_name})
    if (fs::exists(place, unknown)) return place.lexically_normal().string();
  return "";
}

[[noreturn]] void unavailable(const std::string& sentence) { throw Error(ErrorKind::unavailable, sentence); }

}  // namespace

std::optional<Launch> launched_as_rank() {
  // Open MPI's mpirun; Slurm's srun with PMIx; srun with PMI-2, and the mpirun of others.
  constexpr std::pair<const char*, const char*> names[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                           {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
                                                           {"PMI_RANK", "PMI_SIZE"}};
  for (const auto& [rank_name, count_name] : names) {
    const auto rank = number_in_environment(rank_name), count = number_in_environment(count_name);
    if (rank && count && *count > 1) return Launch{*rank, *count, threads_of_a_rank()};
  }
  return std::nullopt;
}

std::unique_ptr<Ranks> join_ranks(const Launch& launch) {
  const std::string path = library_path();
  if (path.empty())
    unavailable(
        fmt::format("started as one of {} ranks, and this Polhode was built without MPI; install libopenmpi-dev and "
                    "openmpi-bin and build it again, or follow parts (--shard I/N --mpi off)",
                    launch.count));
  // Open MPI loads parts of itself, which look for its names.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    unavailable(fmt::format("cannot load '{}': {}; install openmpi-bin, or follow parts (--shard I/N --mpi off)", path,
                            dlerror()));
  const auto make = reinterpret_cast<Ranks* (*)()>(dlsym(library, "polhode_mpi_ranks"));
  if (make == nullptr) unavailable(fmt::format("'{}' is not of this Polhode: {}; install both anew", path, dlerror()));
  std::unique_ptr<Ranks> ranks(make());
  if (ranks->count() != launch.count)
    unavailable(
        fmt::format("{} ranks were started, and Open MPI sees {}; start them by Open MPI's own mpirun, or by an srun "
                    "that knows PMIx (--mpi=pmix)",
                    launch.count, ranks->count()));
  return ranks;
}

void in_all_ranks(Ranks& ranks, const std::function<void()>& work) {
  std::string said;
  auto kind = ErrorKind::run_failed;
  try {
    work();
  } catch (const Error& error) {
    kind = error.kind;
    said = error.what();
  } catch (const std::exception& error) {
    said = fmt::format("unexpected failure: {}", error.what());
  }
  ranks.meet();
  std::uint64_t failed[] = {said.empty() ? 0U : 1U};
  ranks.sum(failed);
  if (failed[0] == 0) return;
  const std::vector<std::string> all =
      ranks.gather(said.empty() ? "" : fmt::format("{} {}", static_cast<int>(kind), said));
  std::string first;
  for (std::size_t i = 0; i < all.size() && first.empty(); ++i) {
    if (all[i].empty()) continue;
    const bool same = std::all_of(all.begin(), all.end(), [&](const std::string& one) { return one == all[i]; });
    first = all[i] + (same ? ""
                           : fmt::format(" (rank {} of {}{})", i + 1, all.size(),
                                         failed[0] > 1 ? fmt::format(", and {} others", failed[0] - 1) : ""));
  }
  first = ranks.broadcast(first);
  const std::size_t space = first.find(' ');
  throw Error(static_cast<ErrorKind>(std::atoi(first.c_str())), first.substr(space + 1));
}

std::string file_of_rank(const std::string& file, int rank, int count) {
  fs::path name(file);
  const std::string extension = name.extension().string();
  return fmt::format("{}.rank-{}-of-{}{}", name.replace_extension().string(), rank + 1, count, extension);
}

std::string files_of_ranks(const std::string& file, int count) {
  fs::path name(file);
  const std::string extension = name.extension().string();
  return fmt::format("{}.rank-*-of-{}.*{}", name.replace_extension().string(), count, extension.substr(1));
}

}  // namespace polhode
