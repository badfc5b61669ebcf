// What packs of bodies are to the rest of the library: memory, and functions that were compiled for one instruction set.
//
// The shards (pack_shard.cpp) are compiled with the namespace polhode renamed, so that no function made for one processor is
// linked where another was meant. This header therefore speaks of plain numbers alone, in a namespace of its own.
#pragma once

#include <cstddef>
#include <span>

namespace polhode_packs {

// Fields that kernels know by their type, and any other, which is called.
enum class Field { free, heavy_top, gravity_gradient, called };

inline constexpr std::size_t most_field_numbers = 12;

// One body before its first step, in its own internal units and principal axes.
struct BodyNumbers {
  double attitude[4], momentum_B[3], time;
  double inertia[3], second;
  double step, last_step, end_time;  // the last step may be shorter, and end at a time of its own
  double field[most_field_numbers];  // the numbers of a field known by its type, in the order of its keys
};

// A torque that the library evaluates for all bodies of a pack: rows of numbers, `width` in each: attitude (w, x, y, z), angular
// velocity, time; and the torque.
struct CalledField {
  void (*torques)(const void* context, std::size_t first, const double* motion, double* torque);
  const void* context;
  bool depends_on_velocity;
};

struct Steps {
  long long from, to;      // numbers of steps taken before and after
  bool last_is_different;  // the last of them has its own length and end
};

struct Kernel {
  int method;  // place in the catalogue
  Field field;
  bool single;        // in single precision
  std::size_t width;  // bodies in a pack
  std::size_t bytes;  // of a pack, at multiples of 64
  // `width` bodies. `first` is what the called field is told of them.
  void (*start)(void* pack, const BodyNumbers* bodies, const CalledField* field, std::size_t first);
  // False where a solver did not converge for one of them.
  bool (*advance)(void* pack, const Steps& steps);
  // Attitude, momentum in the body, momentum in space.
  void (*read)(const void* pack, std::size_t body, double* numbers);
};

std::span<const Kernel> kernels_of_sse2();
std::span<const Kernel> kernels_of_avx2();
std::span<const Kernel> kernels_of_avx512();
// With products and sums fused, and the joints of splittings merged over the steps of one advance.
std::span<const Kernel> kernels_of_avx2_fused();
std::span<const Kernel> kernels_of_avx512_fused();

}  // namespace polhode_packs
