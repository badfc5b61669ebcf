// The program as one of several processes that mpirun or srun started.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "polhode/ensemble/ranks.hpp"

namespace polhode {

struct Launch {
  int rank, count;  // from 0, and how many: at least two
  int threads;      // for each of them; 0: not said
};

// What the environment says of it, before anything is loaded; none for a process of its own.
std::optional<Launch> launched_as_rank();

// Loads the library of ranks, which initialises MPI. Throws Error (unavailable) where it is not there, or where it does not
// see the processes that were started.
std::unique_ptr<Ranks> join_ranks(const Launch& launch);

// Calls `work` in all ranks. Where it throws in some of them, all throw once they have met: what the first one says, and which
// it is where not all say the same.
void in_all_ranks(Ranks& ranks, const std::function<void()>& work);

// "debris.rank-3-of-8.h5" for "debris.h5" of the third of eight.
std::string file_of_rank(const std::string& file, int rank, int count);
// "debris.rank-*-of-8.*h5", with those that were interrupted: what a shell makes the names of.
std::string files_of_ranks(const std::string& file, int count);

}  // namespace polhode
