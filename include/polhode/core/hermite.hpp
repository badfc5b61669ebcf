// Hermite's interpolation: the polynomial that has given values and derivatives at given points.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace polhode {

// Of `Components` functions at once, by Newton's divided differences with every point taken twice.
template <class T, std::size_t Components>
class HermitePolynomial {
 public:
  using Values = std::array<T, Components>;

  void clear() {
    points_.clear();
    differences_.clear();
    slopes_.clear();
  }

  // Points differ from one another.
  void add(const T& point, const Values& value, const Values& slope) {
    points_.insert(points_.end(), {point, point});
    differences_.insert(differences_.end(), {value, value});
    slopes_.push_back(slope);
  }

  // After the last point.
  void finish() {
    for (std::size_t k = 1; k < points_.size(); ++k) {
      for (std::size_t i = points_.size(); i-- > k;) {
        if (k == 1 && i % 2 == 1) {
          differences_[i] = slopes_[i / 2];
          continue;
        }
        const T apart = points_[i] - points_[i - k];
        for (std::size_t n = 0; n < Components; ++n)
          differences_[i][n] = (differences_[i][n] - differences_[i - 1][n]) / apart;
      }
    }
  }

  Values at(const T& x) const {
    Values sum = differences_.back();
    for (std::size_t i = points_.size() - 1; i-- > 0;) {
      const T way = x - points_[i];
      for (std::size_t n = 0; n < Components; ++n) sum[n] = differences_[i][n] + way * sum[n];
    }
    return sum;
  }

 private:
  std::vector<T> points_;
  std::vector<Values> differences_, slopes_;
};

}  // namespace polhode
