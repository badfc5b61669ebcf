// Counts what is allocated with operator new. Replaces it for the whole program: one test file of a program includes this.
#pragma once

#include <cstdlib>
#include <new>

namespace {
long long allocations = 0;
}

// Not inlined: a compiler that sees through one of the pair warns that the other does not match.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
