// Arithmetic on named numbers, as the claims of an experiment write it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace polhode::experiments {

using Variables = std::map<std::string, double, std::less<>>;

// Throws Error (bad_file) with the expression and what is wrong with it, such as a name that nothing has.
double evaluate(const std::string& expression, const Variables& variables);

// Whether a condition is met. It is undecided where one side of a < or > that matters is within a twentieth of the other: a
// bound that somebody chose does not decide on its third digit. Whole numbers are compared as they are, and so is what
// stands around <= and >=, which are for ranks.
enum class Answer { no, undecided, yes };
Answer decide(const std::string& condition, const Variables& variables);

// The names an expression speaks of, known or not.
std::vector<std::string> names_in_expression(const std::string& expression);

}  // namespace polhode::experiments
