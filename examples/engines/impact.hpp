// A ball strikes a tumbling book. There is no friction, so that the blow passes through the centre of the ball: what the
// book's angular momentum has to change by is known from the ball alone.
#pragma once

#include "checks.hpp"

namespace tumble {

struct Ball {
  double mass, radius;
  Vec place, velocity;
};
// Towards a point beside the centre of the book, so that the blow changes the spin as well.
inline Ball ball() { return {0.2, 0.05, {3, 0.04, 0.05}, {-3, 0, 0}}; }

class Impact {
 public:
  Impact(const Vec& moments, const Seen& book, const Seen& ball) : moments_(moments), book_(book), ball_(ball) {
    before = after = momentum(moments, book);
    fresh_ = energy(moments, book);
  }

  // What the engine shows then.
  void after_tick(double t, const Seen& book, const Seen& ball) {
    after = momentum(moments_, book);
    const Vec blow = tumble::ball().mass * (ball_.velocity - ball.velocity);
    if (norm(blow) > 0) {
      expected += cross(ball_.place - book_.place, blow);
      given += after - momentum(moments_, book_);
      times.push_back(t);
      fresh_ = energy(moments_, book);
    }
    raise(energy_error, std::abs(energy(moments_, book) / fresh_ - 1));
    book_ = book;
    ball_ = ball;
  }

  Vec before, after;          // the angular momentum of the book about its centre
  Vec expected{}, given{};    // its change: by the blow on the ball, and by what the engine shows of the book
  std::vector<double> times;  // of the ticks in which they touched
  double energy_error = 0;    // of the rotation, while they do not

 private:
  Vec moments_;
  Seen book_, ball_;
  double fresh_;
};

inline void print(const Impact& i, const char* how) {
  std::printf("\nA ball strikes the book that Polhode turns (%s); angular momentum in kg m^2/s\n", how);
  const auto line = [](const char* what, const Vec& v) {
    std::printf("  %-38s %10.6f %10.6f %10.6f\n", what, v.x, v.y, v.z);
  };
  line("before", i.before);
  for (const double t : i.times) std::printf("  at %.3f s\n", t);
  line("moment of the blow, seen at the ball", i.expected);
  line("change, seen at the book", i.given);
  line("after", i.after);
  std::printf("  these differ by %.1e of the blow; between blows the energy is kept to %.1e\n",
              norm(i.given - i.expected) / norm(i.expected), i.energy_error);
}

// `rounding` is what is allowed to the energy, `contact` to what the engine makes of a contact.
inline void check(Checks& checks, const Impact& i, double rounding, double contact) {
  const double blow = norm(i.expected);
  checks.at_least(blow / norm(i.before), 0.05, "the blow in parts of the book's angular momentum");
  checks.at_most(norm(i.given - i.expected) / blow, contact, "the error of the change of angular momentum by the blow");
  checks.at_most(norm(i.after - i.before - i.expected) / blow, contact,
                 "the error of the angular momentum after the blow");
  checks.at_most(i.energy_error, rounding, "the error of the energy before or after the blow");
}

}  // namespace tumble
