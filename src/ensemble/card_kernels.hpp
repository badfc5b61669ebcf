// What bodies on a graphics card are to the rest of the library: rows of numbers, and functions that nvcc compiled.
//
// As with the packs (pack_kernels.hpp), nvcc compiles the headers under another name for their namespace, and this header
// speaks of plain numbers alone.
#pragma once

#include <cstddef>
#include <span>

#include "ensemble/pack_kernels.hpp"

namespace polhode_card {

// The same number of every body: body i's is at numbers[i * step]. 0: all bodies have it in common.
struct Row {
  const double* numbers;
  std::size_t step;
};

// The numbers of a body that its motion does not change, in this order.
inline constexpr std::size_t fixed_numbers = 8 + polhode_packs::most_field_numbers;
enum Fixed : std::size_t { inertia = 0, second = 3, begin = 4, step = 5, last_step = 6, end_time = 7, field = 8 };

// Of its state: attitude and momentum in the body, before the words that a method remembers.
inline constexpr std::size_t state_numbers = 7;
// Of what is read: attitude, momentum in the body, momentum in space.
inline constexpr std::size_t read_numbers = 10;

struct Bodies {
  double* state;  // rows of `stride` numbers: the state, then what the method remembers
  Row fixed[fixed_numbers];
  unsigned char* failed;  // by body: not 0 where a solver did not converge, or the state is not a number
  std::size_t count, stride;
};

// Everything is queued on a stream (a cudaStream_t).
struct Kernel {
  int method;  // place in the catalogue
  polhode_packs::Field field;
  bool single;         // in single precision, which the rows hold exactly
  bool at_once;        // any number of steps costs what one does, and is better taken at once
  std::size_t memory;  // words of 8 bytes that the method remembers of a body
  void (*start)(const Bodies& bodies, void* stream);
  void (*advance)(const Bodies& bodies, const polhode_packs::Steps& steps, void* stream);
  // To rows of `stride` numbers.
  void (*read)(const Bodies& bodies, double* rows, void* stream);
};

std::span<const Kernel> kernels();
// Whether products and sums were fused, which saves a rounding and changes bits.
bool fused();

}  // namespace polhode_card
