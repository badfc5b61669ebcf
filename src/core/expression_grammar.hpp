// A text in postfix order: what the grammar makes of it before names mean anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/core/expression.hpp"

namespace polhode {

struct ExpressionToken {
  enum class Kind { number, name, call, operation, comparison, power };
  Kind kind;
  std::size_t at;                       // in the text
  std::string_view text;                // of the name, or of the operator
  ExpressionOp op = ExpressionOp::yes;  // of an operation or a comparison
  double number = 0;
  std::size_t arguments = 0;  // of a call
};

// Where a text is not an expression.
struct ExpressionMistake {
  std::size_t at;
  std::string sentence;
};

// The tokens point into the text. Throws ExpressionMistake.
std::vector<ExpressionToken> expression_in_postfix(std::string_view text);

}  // namespace polhode
