// Many bodies that do not know of each other, each from its own start, by one method and equal steps. Every body has the
// bits that a run of its own would have, whatever the threads, the packs and the machine; unless `fast` is asked for.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "polhode/core/instruction_set.hpp"
#include "polhode/ensemble/result.hpp"
#include "polhode/run/ensemble_settings.hpp"
#include "polhode/run/options.hpp"

namespace polhode {

inline constexpr int most_threads = 4096;

// "sse2", "avx2", "avx512".
std::string_view instruction_set_name(InstructionSet set);

// Where bodies are followed.
enum class Device { cpu, cuda };

struct EnsembleRequest {
  RunRequest run;  // of the typical body; rows and reference are not for an ensemble
  EnsembleSettings ensemble;
  int threads = 0;  // 0: as many as the machine has
  // Bodies i, i + 1, ... of this part of `parts` parts, counted from 1.
  std::uint64_t part = 1, parts = 1;
  InstructionSet set = instruction_set();  // of packs: at most what the processor has
  bool packs = true;
  bool fast = false;  // products and sums fused, steps merged, where there are such packs: other bits than those of runs
  Device device = Device::cpu;  // cuda: on one card, which fuses products and sums unless it was built not to
  std::size_t chunk = 0;  // bodies that are in memory together, for each thread; 0: some thousand, or more on a card
};

struct EnsembleProgress {
  std::uint64_t bodies = 0, all = 0;  // followed to the end, and to be followed
  double done = 0;                    // of all body-steps
  double seconds = 0;
  double body_steps_per_second = 0;
  std::uint64_t failed = 0;
};

struct EnsembleControl {
  std::function<void(const EnsembleProgress&)> progress;  // about ten times a second, by one thread at a time
  const std::atomic<bool>* stop = nullptr;                // ends after what is under way, which is not kept
  std::function<std::string()> stopped_by;
};

class EnsembleParts;

// An ensemble that was checked and can be followed.
class Ensemble {
 public:
  // Throws SetupError for what no run can be made of, and for what an ensemble cannot have; Error where the device is not
  // there or cannot follow these bodies.
  explicit Ensemble(EnsembleRequest request);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  const EnsembleAbout& about() const;
  // The bytes that a result of it has in memory, and in a file.
  std::uint64_t bytes_per_body() const;
  // `kept`: bodies that were followed before. They are handed to the writer and counted, and the others alone are followed:
  // the whole has the same bits. Throws Error (bad_file) where they are of another ensemble.
  EnsembleResult follow(EnsembleWriter* writer = nullptr, const EnsembleControl& control = {},
                        const EnsembleParts* kept = nullptr) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode
