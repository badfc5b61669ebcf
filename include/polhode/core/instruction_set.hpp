// Wider instructions where the processor has them, in a program compiled for any.
//
// A kernel written with Lanes is instantiated inside thin functions with these attributes: everything they call is put
// in line and compiled for that instruction set. The default build needs no -march, and no symbol is shared between
// instruction sets. On other processors and compilers, and for a device, the plain function serves.
//
// POLHODE_FUSED also lets GCC fuse products and sums in that function, and keeps it from calling memcpy for vectors.
// Results then depend on the processor in the last bits, and only what is declared always_inline is inlined.
#pragma once

namespace polhode {

enum class InstructionSet { baseline, avx2, avx512 };

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
inline constexpr bool has_wide_instructions = true;
#define POLHODE_AVX2 [[gnu::flatten, gnu::target("avx2,fma")]]
#define POLHODE_AVX512 [[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]]
#if defined(__clang__)
#define POLHODE_FUSED
#else
#define POLHODE_FUSED [[gnu::optimize("fp-contract=fast", "no-tree-loop-distribute-patterns")]]
#endif

inline InstructionSet instruction_set() {
  static const InstructionSet found = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      return InstructionSet::avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? InstructionSet::avx2
                                                                           : InstructionSet::baseline;
  }();
  return found;
}
#else
inline constexpr bool has_wide_instructions = false;
#define POLHODE_AVX2
#define POLHODE_AVX512
#define POLHODE_FUSED
constexpr InstructionSet instruction_set() { return InstructionSet::baseline; }
#endif

}  // namespace polhode
