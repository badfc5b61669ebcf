// Numbers that become more, in memory that becomes an array of numpy.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <utility>

namespace polhode::python {

namespace py = pybind11;

// A vector copies its numbers when it grows, and has them twice while it does. Of large blocks realloc moves the pages
// instead (by mremap, on Linux), and what was not written to takes no memory.
class RowBlock {
 public:
  RowBlock() = default;
  ~RowBlock() { std::free(numbers_); }
  RowBlock(const RowBlock&) = delete;
  RowBlock& operator=(const RowBlock&) = delete;

  // The first of so many new ones.
  double* longer_by(std::size_t count) {
    if (size_ + count > room_) make_room_for(std::max(size_ + count, room_ + room_ / 2));
    double* const first = numbers_ + size_;
    size_ += count;
    return first;
  }
  // (size / width, width); the block is empty afterwards.
  py::array_t<double> taken(std::size_t width) {
    if (size_ == 0) return py::array_t<double>(std::array<std::size_t, 2>{0, width});
    make_room_for(size_);
    const py::capsule owner(numbers_, [](void* numbers) { std::free(numbers); });
    double* const numbers = std::exchange(numbers_, nullptr);
    room_ = 0;
    return py::array_t<double>({std::exchange(size_, 0) / width, width}, numbers, owner);
  }

 private:
  void make_room_for(std::size_t count) {
    void* const moved = std::realloc(numbers_, count * sizeof(double));
    if (moved == nullptr) throw std::bad_alloc();
    numbers_ = static_cast<double*>(moved);
    room_ = count;
  }

  double* numbers_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace polhode::python
