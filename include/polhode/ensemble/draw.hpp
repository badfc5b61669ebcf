// Bodies drawn from distributions by a generator that counts: body i is the same whatever was drawn before it, on whatever
// thread or machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "polhode/model/setup.hpp"
#include "polhode/run/ensemble_settings.hpp"

namespace polhode {

class BodyDraw {
 public:
  // Throws SetupError, under "ensemble.KEY", for a distribution that cannot be: a key that the setup has not, numbers that
  // do not fit it, a deviation below zero, a table that is too short, moments that are hardly ever those of a body; for a
  // row of a table, or one of the first thousand bodies, of which no run can be made; and where neither a number of bodies
  // nor a table says how many there are.
  BodyDraw(Setup typical, EnsembleSettings settings);

  std::uint64_t bodies() const { return bodies_; }
  const EnsembleSettings& settings() const { return settings_; }
  const Setup& typical() const { return typical_; }
  // i < bodies(), counted from 0. From several threads at once. Moments that no body has are drawn again. Whether a run can
  // be made of a body beyond the first thousand is for prepare() to say.
  Setup body(std::uint64_t i) const;
  // By the numbers of the situation, of distributions and of tables: another where one of them is another.
  std::string name() const;
  // Whether bodies differ in the numbers of a torque.
  bool draws_torques() const;

 private:
  struct Stream;  // of one key

  void put_drawn(std::uint64_t i, Setup& body) const;
  void check_share_of_bodies() const;
  void check_bodies() const;

  Setup typical_;
  EnsembleSettings settings_;
  std::shared_ptr<const std::vector<Stream>> streams_;
  std::uint64_t bodies_ = 0;
};

}  // namespace polhode
