// Where a smooth function changes its sign, none left out.
//
// The function is replaced by a polynomial through its values at Chebyshev's points, more and more of them until the
// coefficients have fallen to rounding [T13]. Of p = sum c_k T_k on [-1, 1], whose T_k stay within 1,
//   |c_0| > |c_1| + |c_2| + ...
// leaves no room for a root, and the same of p' leaves it for one at most. Where neither holds, p is looked at in halves.
// Two roots that are closer than about 1e-7 of the interval may vanish together in the rounding of the function.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace polhode {

// A part of the interval at whose ends the function differs in sign, and in which it changes it once.
struct SignChange {
  double from, to;
  bool rising;  // zero counts as positive
};

// On [0, 1], in their order. None of it (nullopt) where no polynomial of moderate degree is the function: it is not smooth,
// or not finite.
std::optional<std::vector<SignChange>> sign_changes(const std::function<double(double)>& function);

// The same by looking at so many equal parts: what happens twice within one of them goes unseen.
std::vector<SignChange> sampled_sign_changes(const std::function<double(double)>& function, int parts);

}  // namespace polhode
