// What both examples do, whatever the engine. A world of it has
//
//   using Body = ...;                              // a handle
//   Body add(const Solid&, const Vec& place);      // thrown as solids.hpp says
//   Body add(const Ball&);
//   void turn(Body);                               // from now on by Polhode
//   void lay_floor();                              // rough, at z = 0, and gravity; before anything is added
//   void step();                                   // one tick, Polhode's part of it as well
//   static Vec moments(Body);                      // along the axes of the body
//   static Seen see(Body);
#pragma once

#include "checks.hpp"
#include "impact.hpp"
#include "runs.hpp"

namespace tumble {

inline constexpr double tick = 1.0 / 60;
inline constexpr std::size_t ticks = 3600, ticks_of_impact = 240, ticks_of_rest = 600;

// One of the engine's own ways to turn a body.
template <class World>
struct Way {
  const char* name;
  void (*choose)(typename World::Body);
};

// The first way is what the engine does by default.
template <class World>
std::vector<Story> free_fall(World& world, const std::vector<Way<World>>& ways, const char* with_polhode) {
  struct Followed {
    typename World::Body body;
    std::size_t story, run;
  };
  std::vector<Story> stories;
  std::vector<Followed> followed;
  double place = 0;
  for (const Solid& solid : solids()) {
    Story story{solid, {}, {{"exact", {}}}};
    const auto add = [&](const char* name) {
      followed.push_back({world.add(solid, {0, 0, place += 5}), stories.size(), story.runs.size()});
      story.runs.push_back({name, {}});
      return followed.back().body;
    };
    for (const Way<World>& way : ways) way.choose(add(way.name));
    const auto turned = add(with_polhode);
    story.moments = World::moments(turned);
    const Seen start = World::see(turned);
    story.runs.front() = exact_run(story.moments, start, ticks, tick);
    world.turn(turned);
    stories.push_back(std::move(story));
  }
  for (std::size_t i = 0; i <= ticks; ++i) {
    if (i > 0) world.step();
    for (const Followed& one : followed) {
      Run& run = stories[one.story].runs[one.run];
      run.samples.push_back({static_cast<double>(i) * tick, World::see(one.body)});
    }
  }
  return stories;
}

template <class World>
Impact impact(World& world) {
  const auto the_book = world.add(book(), {});
  const auto the_ball = world.add(ball());
  world.turn(the_book);
  Impact impact(World::moments(the_book), World::see(the_book), World::see(the_ball));
  for (std::size_t i = 1; i <= ticks_of_impact; ++i) {
    world.step();
    impact.after_tick(static_cast<double>(i) * tick, World::see(the_book), World::see(the_ball));
  }
  return impact;
}

// Dropped onto a floor, bodies that Polhode turns come to rest in contacts that the engine solves, tick after tick.
template <class World>
void check_rest(Checks& checks, World& world, const char* how) {
  world.lay_floor();
  std::vector<typename World::Body> bodies;
  double place = 0;
  for (const Solid& solid : solids()) {
    bodies.push_back(world.add(solid, {place += 3, 0, 2}));
    world.turn(bodies.back());
  }
  const auto speeds = [](const Seen& s) { return std::max(norm(s.w_S), norm(s.velocity)); };
  double moving_until = 0;
  for (std::size_t i = 1; i <= ticks_of_rest; ++i) {
    world.step();
    for (const auto body : bodies)
      if (!(speeds(World::see(body)) < 0.01)) moving_until = static_cast<double>(i) * tick;
  }
  std::printf(
      "\nAll three dropped from 2 m onto a floor, turned by Polhode (%s): they lie still from %.1f s on, their centres "
      "at",
      how, moving_until);
  for (const auto body : bodies) {
    const double height = World::see(body).place.z;
    std::printf(" %.3f", height);
    checks.at_least(height, 0.01, "the height of a body on the floor");
    checks.at_most(height, 0.1, "the height of a body on the floor");
  }
  std::printf(" m\n");
  checks.at_most(moving_until, 8, "the time at which a body on the floor still moves");
}

// The exit code of the example.
inline int finish(const Checks& checks, int count, char** arguments, const std::string& made_by,
                  const std::vector<Story>& stories) {
  if (count > 1 && !write_csv(arguments[1], made_by, stories)) {
    std::fprintf(stderr, "%s cannot be written\n", arguments[1]);
    return 74;
  }
  return checks.exit_code();
}

}  // namespace tumble
