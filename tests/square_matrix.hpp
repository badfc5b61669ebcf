// Square matrices, multiplied out: a few lines that compile in a hundredth of the time of a library's.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace polhode {

template <class U, std::size_t n>
struct SquareMatrix {
  std::array<U, n * n> entries{};  // row by row

  static SquareMatrix identity() {
    SquareMatrix m;
    for (std::size_t i = 0; i < n; ++i) m(i, i) = U(1);
    return m;
  }

  U& operator()(std::size_t i, std::size_t j) { return entries[n * i + j]; }
  const U& operator()(std::size_t i, std::size_t j) const { return entries[n * i + j]; }

  friend SquareMatrix operator+(SquareMatrix a, const SquareMatrix& b) {
    for (std::size_t i = 0; i < n * n; ++i) a.entries[i] += b.entries[i];
    return a;
  }
  friend SquareMatrix operator-(SquareMatrix a, const SquareMatrix& b) {
    for (std::size_t i = 0; i < n * n; ++i) a.entries[i] -= b.entries[i];
    return a;
  }
  friend SquareMatrix operator*(const SquareMatrix& a, const SquareMatrix& b) {
    SquareMatrix c;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
  }
  friend SquareMatrix operator/(SquareMatrix a, const U& divisor) {
    for (U& entry : a.entries) entry /= divisor;
    return a;
  }
  friend bool operator==(const SquareMatrix& a, const SquareMatrix& b) { return a.entries == b.entries; }

  // Without row i and column j.
  SquareMatrix<U, n - 1> minor(std::size_t i, std::size_t j) const {
    SquareMatrix<U, n - 1> m;
    for (std::size_t k = 0; k + 1 < n; ++k)
      for (std::size_t l = 0; l + 1 < n; ++l) m(k, l) = (*this)(k < i ? k : k + 1, l < j ? l : l + 1);
    return m;
  }
};

template <class U, std::size_t n>
SquareMatrix<U, n> transpose(const SquareMatrix<U, n>& a) {
  SquareMatrix<U, n> t;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) t(i, j) = a(j, i);
  return t;
}

template <class U, std::size_t n>
U determinant(const SquareMatrix<U, n>& a) {
  if constexpr (n == 1) {
    return a(0, 0);
  } else {
    U sum(0);
    for (std::size_t j = 0; j < n; ++j) sum += (j % 2 == 0 ? a(0, j) : U(-a(0, j))) * determinant(a.minor(0, j));
    return sum;
  }
}

// In size. What is not finite counts as infinite.
template <class U, std::size_t n>
double largest_entry(const SquareMatrix<U, n>& a) {
  double largest = 0;
  for (const U& entry : a.entries) {
    const double size = std::abs(static_cast<double>(entry));
    if (!(size <= largest)) largest = std::isfinite(size) ? size : HUGE_VAL;
  }
  return largest;
}

// The sum of the squares of all entries.
template <class U, std::size_t n>
U squared_norm(const SquareMatrix<U, n>& a) {
  U sum(0);
  for (const U& entry : a.entries) sum += entry * entry;
  return sum;
}

}  // namespace polhode
