// The ranks of MPI: a shared library, which the program loads where it was started as one of several.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "polhode/ensemble/ranks.hpp"

namespace polhode {
namespace {

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  // A barrier that waits would take the processor from ranks that still work.
  void meet() override {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int met = 0;;) {
      MPI_Test(&request, &met, MPI_STATUS_IGNORE);
      if (met != 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void sum(std::span<std::uint64_t> numbers) override { reduce(numbers, MPI_UINT64_T, MPI_SUM); }
  void least(std::span<double> numbers) override { reduce(numbers, MPI_DOUBLE, MPI_MIN); }
  void largest(std::span<double> numbers) override { reduce(numbers, MPI_DOUBLE, MPI_MAX); }

  std::vector<std::string> gather(const std::string& text) override {
    const int size = static_cast<int>(text.size());
    std::vector<int> sizes(rank_ == 0 ? count_ : 0), begins(sizes.size());
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    int all = 0;
    for (std::size_t i = 0; i < sizes.size(); all += sizes[i++]) begins[i] = all;
    std::string together(static_cast<std::size_t>(all), '\0');
    MPI_Gatherv(text.data(), size, MPI_CHAR, together.data(), sizes.data(), begins.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      texts.push_back(together.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
    return texts;
  }

  std::string broadcast(const std::string& text) override {
    int size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string of_all = rank_ == 0 ? text : std::string(static_cast<std::size_t>(size), '\0');
    MPI_Bcast(of_all.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return of_all;
  }

 private:
  // Of whole numbers, least and largest: no order shows in the result.
  template <class X>
  static void reduce(std::span<X> numbers, MPI_Datatype type, MPI_Op operation) {
    constexpr std::size_t at_once = 1 << 26;
    for (std::size_t begin = 0; begin < numbers.size(); begin += at_once)
      MPI_Allreduce(MPI_IN_PLACE, numbers.data() + begin, static_cast<int>(std::min(at_once, numbers.size() - begin)),
                    type, operation, MPI_COMM_WORLD);
  }

  int rank_ = 0, count_ = 1;
};

}  // namespace
}  // namespace polhode

// Once in a process; whoever calls it deletes what it returns.
extern "C" polhode::Ranks* polhode_mpi_ranks() { return new polhode::MpiRanks; }
