// The card by CUDA's run-time library.
#include "ensemble/card.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "polhode/core/error.hpp"

namespace polhode_card {

// One for each part of ensemble_kernels.cu.
std::span<const Kernel> kernels_of_part_0();
std::span<const Kernel> kernels_of_part_1();
std::span<const Kernel> kernels_of_part_2();
std::span<const Kernel> kernels_of_part_3();

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> joined;
    for (const auto part : {kernels_of_part_0(), kernels_of_part_1(), kernels_of_part_2(), kernels_of_part_3()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

bool fused() {
#ifdef POLHODE_CARD_FUSED
  return true;
#else
  return false;
#endif
}

}  // namespace polhode_card

namespace polhode {
namespace {

void check(cudaError_t status, std::string_view what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // forgets it
  throw Error(status == cudaErrorMemoryAllocation ? ErrorKind::unavailable : ErrorKind::run_failed,
              fmt::format("the graphics card: {}: {}", what, cudaGetErrorString(status)));
}

// Processes of one machine that mpirun started take one card each.
int number_of_card(int cards) {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char* rank = std::getenv(name)) return std::atoi(rank) % cards;
  return 0;
}

void use_card() {
  int cards = 0;
  const cudaError_t status = cudaGetDeviceCount(&cards);
  if (status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary ||
      status == cudaErrorSystemDriverMismatch) {
    int driver = 0, built = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&built);
    throw Error(
        ErrorKind::unavailable,
        driver == 0
            ? std::string("no driver of a graphics card is loaded; install NVIDIA's driver (nvidia-smi then lists "
                          "the cards), or follow the bodies on device cpu")
            : fmt::format("the graphics card's driver is for CUDA {}.{} and this build is for CUDA {}.{}; "
                          "install a newer driver, or build with an older nvcc",
                          driver / 1000, driver % 1000 / 10, built / 1000, built % 1000 / 10));
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && cards == 0))
    throw Error(ErrorKind::unavailable,
                "this machine has no graphics card that CUDA can use (nvidia-smi lists those it has, and "
                "CUDA_VISIBLE_DEVICES may hide them); on device cpu the processor follows the bodies");
  check(status, "asking for it failed");
  check(cudaSetDevice(number_of_card(cards)), "choosing it failed");
}

struct CudaFree {
  void operator()(void* memory) const { cudaFree(memory); }
};
struct HostFree {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};
template <class T>
using OnCard = std::unique_ptr<T[], CudaFree>;
template <class T>
using Pinned = std::unique_ptr<T[], HostFree>;

std::string no_room(std::size_t bytes) {
  std::size_t free = 0, all = 0;
  cudaGetLastError();
  cudaMemGetInfo(&free, &all);
  return fmt::format(
      "the graphics card has {:.3g} GB of memory left, and {:.3g} GB more are needed; end what else uses it, or "
      "follow bodies with fewer --threads, each of which has some bodies on the card",
      static_cast<double>(free) / 1e9, static_cast<double>(bytes) / 1e9);
}

template <class T>
OnCard<T> on_card(std::size_t count) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess)
    throw Error(ErrorKind::unavailable, no_room(count * sizeof(T)));
  return OnCard<T>(static_cast<T*>(memory));
}

// Memory of the processor that the card copies from and to by itself.
template <class T>
Pinned<T> pinned(std::size_t count) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, count * sizeof(T)), "there is no memory of the processor to copy from");
  return Pinned<T>(static_cast<T*>(memory));
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "no queue"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Mark {
 public:
  Mark() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync), "no event"); }
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

double fixed_number(const polhode_packs::BodyNumbers& body, std::size_t k) {
  using namespace polhode_card;
  if (k < second) return body.inertia[k];
  if (k >= field) return body.field[k - field];
  const double numbers[] = {body.second, body.time, body.step, body.last_step, body.end_time};
  return numbers[k - second];
}

double state_number(const polhode_packs::BodyNumbers& body, std::size_t k) {
  return k < 4 ? body.attitude[k] : body.momentum_B[k - 4];
}

}  // namespace

CardInfo find_card() {
  use_card();
  cudaDeviceProp properties{};
  int device = 0;
  check(cudaGetDevice(&device), "asking for it failed");
  check(cudaGetDeviceProperties(&properties, device), "asking for its properties failed");
  CardInfo card{properties.name, 0, polhode_card::fused()};
  std::size_t all = 0;
  check(cudaMemGetInfo(&card.memory, &all), "asking for its memory failed");
  return card;
}

const polhode_card::Kernel* card_kernel(int method, polhode_packs::Field field, bool single) {
  for (const polhode_card::Kernel& one : polhode_card::kernels())
    if (one.method == method && one.field == field && one.single == single) return &one;
  return nullptr;
}

struct CardBodies::Parts {
  Parts(const polhode_card::Kernel& kernel_, std::size_t most_)
      : kernel(kernel_),
        most(most_),
        state(on_card<double>(most * (polhode_card::state_numbers + kernel.memory))),
        fixed(on_card<double>(most * polhode_card::fixed_numbers)),
        read{on_card<double>(most * polhode_card::read_numbers), on_card<double>(most * polhode_card::read_numbers)},
        failed(on_card<unsigned char>(most)),
        given(pinned<double>(most * (polhode_card::state_numbers + polhode_card::fixed_numbers))),
        seen{pinned<double>(most * polhode_card::read_numbers), pinned<double>(most * polhode_card::read_numbers)},
        failures(pinned<unsigned char>(most)) {}

  const polhode_card::Kernel& kernel;
  std::size_t most, count = 0;
  Stream steps, copies;
  Mark ready, copied;  // what is read is in its rows; and on the processor
  OnCard<double> state, fixed, read[2];
  OnCard<unsigned char> failed;
  Pinned<double> given, seen[2];
  Pinned<unsigned char> failures;
  polhode_card::Bodies bodies{};
  int turn = 0;  // of the two places to read to
};

CardBodies::CardBodies(const polhode_card::Kernel& kernel, std::size_t most) {
  use_card();  // of this thread
  parts_ = std::make_unique<Parts>(kernel, most);
}
CardBodies::~CardBodies() = default;
CardBodies::CardBodies(CardBodies&&) noexcept = default;
CardBodies& CardBodies::operator=(CardBodies&&) noexcept = default;

void CardBodies::start(std::span<const polhode_packs::BodyNumbers> all) {
  Parts& p = *parts_;
  finish();  // the last copy from `given`
  p.count = all.size();
  p.bodies = {p.state.get(), {}, p.failed.get(), p.count, p.most};
  double* next = p.given.get();
  const auto copy = [&](double* to, const double* from, std::size_t count) {
    check(cudaMemcpyAsync(to, from, count * sizeof(double), cudaMemcpyHostToDevice, p.steps), "copying bodies to it");
  };
  for (std::size_t k = 0; k < polhode_card::state_numbers; ++k, next += p.most) {
    for (std::size_t i = 0; i < p.count; ++i) next[i] = state_number(all[i], k);
    copy(p.state.get() + k * p.most, next, p.count);
  }
  // What all have in common is sent and read once.
  for (std::size_t k = 0; k < polhode_card::fixed_numbers; ++k, next += p.most) {
    bool common = true;
    for (std::size_t i = 0; i < p.count; ++i) {
      next[i] = fixed_number(all[i], k);
      common = common && std::memcmp(&next[i], &next[0], sizeof(double)) == 0;
    }
    double* to = p.fixed.get() + k * p.most;
    copy(to, next, common ? 1 : p.count);
    p.bodies.fixed[k] = {to, common ? std::size_t{0} : std::size_t{1}};
  }
  p.kernel.start(p.bodies, p.steps);
  check(cudaGetLastError(), "starting bodies");
}

void CardBodies::advance(const polhode_packs::Steps& steps) {
  parts_->kernel.advance(parts_->bodies, steps, parts_->steps);
  check(cudaGetLastError(), "taking steps");
}

void CardBodies::read() {
  Parts& p = *parts_;
  p.turn = 1 - p.turn;
  p.kernel.read(p.bodies, p.read[p.turn].get(), p.steps);
  check(cudaGetLastError(), "reading states");
  check(cudaEventRecord(p.ready, p.steps), "reading states");
  check(cudaStreamWaitEvent(p.copies, p.ready, 0), "reading states");
  check(cudaMemcpyAsync(p.seen[p.turn].get(), p.read[p.turn].get(),
                        p.most * polhode_card::read_numbers * sizeof(double), cudaMemcpyDeviceToHost, p.copies),
        "copying states from it");
  check(cudaEventRecord(p.copied, p.copies), "copying states from it");
}

std::span<const double> CardBodies::numbers() {
  check(cudaEventSynchronize(parts_->copied), "taking steps");
  return {parts_->seen[parts_->turn].get(), parts_->most * polhode_card::read_numbers};
}

std::size_t CardBodies::stride() const { return parts_->most; }

std::span<const unsigned char> CardBodies::failed() {
  Parts& p = *parts_;
  check(cudaMemcpyAsync(p.failures.get(), p.failed.get(), p.count, cudaMemcpyDeviceToHost, p.steps),
        "copying states from it");
  finish();
  return {p.failures.get(), p.count};
}

void CardBodies::finish() { check(cudaStreamSynchronize(parts_->steps), "taking steps"); }

}  // namespace polhode
