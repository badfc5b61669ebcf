// Counts what is allocated with operator new, which a program that reads the count has replaced.
#pragma once

namespace polhode {

extern long long allocations;

}  // namespace polhode
