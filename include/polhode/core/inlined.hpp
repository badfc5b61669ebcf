// POLHODE_INLINED before a function puts it in line wherever the compiler optimises. Where it does not, the function is
// called: unoptimised, five turns of a step in line are 18 kB, once for each method that makes them.
//
// Not for functions that return a single number: as a pack of bodies it comes back in another place from a function for
// wider instructions, so that a caller and a callee of different kinds would not agree.
#pragma once

#if defined(__OPTIMIZE__) || defined(__CUDACC__)
#define POLHODE_INLINED [[gnu::always_inline]]
#else
#define POLHODE_INLINED
#endif
