// How far a run has come: one line that renews itself on a terminal, a line every tenth of the way in a pipe.
#pragma once

#include <string>

#include "polhode/run/simulation.hpp"
#include "talk.hpp"

namespace polhode {

class ProgressLine {
 public:
  ProgressLine(const Talk& talk, When when);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  // The same for other work: the fraction done, the seconds it took, and what else to show.
  void show(double done, double seconds, const std::string& words);
  // Makes room on a terminal for something else to be said.
  void clear();

 private:
  bool terminal_;
  bool wanted_;
  double patience_;  // [s] after which a run in a pipe begins to report
  int tenths_ = 0;
  bool shown_ = false;
};

}  // namespace polhode
