#include "count_allocations.hpp"

#include <cstdlib>
#include <new>

long long polhode::allocations = 0;

// Not inlined: a compiler that sees through one of the pair warns that the other does not match.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++polhode::allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
// std::stable_sort takes its buffer by this one and gives it back by delete.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++polhode::allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
