// What the program says to the person: on stderr, in one voice. stdout is for data only.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace polhode {

enum class When { automatic, always, never };

class Talk {
 public:
  // Flags --quiet and --color, for commands that print messages.
  void add_flags(CLI::App& command);

  void note(const std::string& sentence) const;
  void complain(const std::string& sentence) const;

  // Says nothing from now on: one of several processes that would all say the same.
  void leave_to_others() { silent_ = quiet_ = true; }

  bool quiet() const { return quiet_; }
  bool terminal() const;

 private:
  bool coloured() const;

  bool quiet_ = false, silent_ = false;
  std::string color_ = "auto";
};

// What auto chose, and a warning where that is not enough.
struct Plan;
void explain(const Plan& plan, const Talk& talk);

// That a reference has to be computed, and about how long that takes.
void announce_reference(const Talk& talk, double seconds);

// "auto", "always", "never"; throws Error (usage) for anything else.
When parse_when(const std::string& flag, const std::string& text);

}  // namespace polhode
