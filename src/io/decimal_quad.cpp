#include "io/decimal_quad.hpp"

#include "polhode/core/quad.hpp"

namespace polhode {

std::string decimal_of_quad(const Number& number, int digits) {
  return quad(quad(number.high) + quad(number.low)).str(digits, std::ios_base::fmtflags());
}

}  // namespace polhode
