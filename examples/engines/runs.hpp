// How bodies turned: what a world shows of them tick by tick, beside the exact motion, as a table and as CSV.
#pragma once

#include <polhode/model/free_rotor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "solids.hpp"

namespace tumble {

// What an engine shows of a body.
struct Seen {
  Rotation R_SB;
  Vec w_S, place{}, velocity{};
};

inline double energy(const Vec& moments, const Seen& s) {
  const Vec w_B = inverse(s.R_SB) * s.w_S;
  return 0.5 * dot(w_B, times(moments, w_B));
}
inline Vec momentum(const Vec& moments, const Seen& s) { return s.R_SB * times(moments, inverse(s.R_SB) * s.w_S); }

struct Sample {
  double t;
  Seen seen;
};

struct Run {
  std::string name;
  std::vector<Sample> samples;
};

// One solid and all its runs; the first is exact, the second the engine's own with what it does by default, and the last
// Polhode's.
struct Story {
  Solid solid;
  Vec moments;  // as the engine has them
  std::vector<Run> runs;

  const Run& exact() const { return runs.front(); }
  const Run& engine() const { return runs[1]; }
  const Run& polhode() const { return runs.back(); }
};

// From the start that the engine was given, rounded as it rounded it.
inline Run exact_run(const Vec& moments, const Seen& start, std::size_t ticks, double h) {
  const polhode::State<double> first{start.R_SB, inverse(start.R_SB) * momentum(moments, start), 0};
  const polhode::FreeRotor<double> rotor(moments, first, static_cast<double>(ticks) * h);
  Run run{"exact", {}};
  for (std::size_t i = 0; i <= ticks; ++i) {
    const polhode::State<double> s = rotor.after(static_cast<double>(i) * h);
    run.samples.push_back({s.t, {s.R_SB, s.R_SB * over(s.pi_B, moments)}});
  }
  return run;
}

// When the velocity about the middle axis changes its sign, between two ticks along a straight line. Where it stays below a
// hundredth of what it was, the body no longer turns over.
inline std::vector<double> flips(const Run& run) {
  std::vector<double> times;
  double enough = 0, side = 0, crossed = 0, last = 0, last_t = 0;
  for (const Sample& s : run.samples) {
    const double w = (inverse(s.seen.R_SB) * s.seen.w_S)[middle];
    if (side == 0) {
      side = w;
      enough = 0.01 * std::abs(w);
    }
    if (last * w < 0) crossed = last_t + (s.t - last_t) * last / (last - w);
    if (side * w < 0 && std::abs(w) > enough) {
      times.push_back(crossed);
      side = w;
    }
    last = w;
    last_t = s.t;
  }
  return times;
}

// What is not a number counts as infinite.
inline void raise(double& largest, double x) {
  if (!(x <= largest)) largest = std::isfinite(x) ? x : std::numeric_limits<double>::infinity();
}

// Smallest and largest of a ratio to the start.
struct Range {
  double least = 1, most = 1, last = 1;

  void add(double x) {
    if (x < least) least = x;
    raise(most, x);
    last = x;
  }
  double largest_error() const { return std::max(1 - least, most - 1); }
};

struct Measures {
  Range energy, momentum;     // the latter by its length
  double momentum_error = 0;  // with its direction, relative
  std::vector<double> flips;
  double flip_error = 0;  // in parts of the mean time between two exact ones; infinite if their number differs
};

inline Measures measures(const Story& story, const Run& run) {
  Measures m;
  const Seen& first = run.samples.front().seen;
  const double E = energy(story.moments, first);
  const Vec L = momentum(story.moments, first);
  for (const Sample& s : run.samples) {
    const Vec now = momentum(story.moments, s.seen);
    m.energy.add(energy(story.moments, s.seen) / E);
    m.momentum.add(norm(now) / norm(L));
    raise(m.momentum_error, norm(now - L) / norm(L));
  }
  m.flips = flips(run);
  const std::vector<double> exact = flips(story.exact());
  if (m.flips.size() != exact.size() || exact.size() < 2) {
    m.flip_error = std::numeric_limits<double>::infinity();
    return m;
  }
  const double between = (exact.back() - exact.front()) / static_cast<double>(exact.size() - 1);
  for (std::size_t i = 0; i < exact.size(); ++i) raise(m.flip_error, std::abs(m.flips[i] - exact[i]) / between);
  return m;
}

// A number near 1 by its difference.
inline std::string ratio(double x) {
  if (x == 1) return "1";
  std::array<char, 32> text{};
  if (std::abs(x - 1) < 1e-3)
    std::snprintf(text.data(), text.size(), "1%+.0e", x - 1);
  else
    std::snprintf(text.data(), text.size(), x < 1e4 ? "%.4g" : "%.1e", x);
  return text.data();
}

inline void print(const Story& story) {
  const Vec& I = story.moments;
  std::printf("\n%s: moments %.4g, %.4g, %.4g kg m^2; %g rad/s, nearly about the middle one\n", story.solid.name, I.x,
              I.y, I.z, story.solid.speed);
  std::printf("  %-27s | %-26s | %-26s | %s\n", "", "energy / first", "|L| / first", "it turns over");
  std::printf("  %-27s | %8s %8s %8s | %8s %8s %8s | %s\n", "", "least", "most", "last", "least", "most", "last",
              "times: at [s]");
  for (const Run& run : story.runs) {
    const Measures m = measures(story, run);
    std::printf("  %-27s |", run.name.c_str());
    for (const Range& r : {m.energy, m.momentum})
      std::printf(" %8s %8s %8s |", ratio(r.least).c_str(), ratio(r.most).c_str(), ratio(r.last).c_str());
    const std::size_t all = m.flips.size();
    std::printf(" %3zu%s", all, all == 0 ? "" : ":");
    for (std::size_t i = 0; i < all; ++i)
      if (i < 3 || i + 1 == all) std::printf("%s %.2f", i >= 3 && all > 4 ? " .." : "", m.flips[i]);
    std::printf("\n");
  }
}

// One row per tick, body and run; false if it could not be written.
inline bool write_csv(const std::string& path, const std::string& made_by, const std::vector<Story>& stories) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "# %s\n", made_by.c_str());
  for (const Story& story : stories)
    std::fprintf(file, "# %s: moments %.17g %.17g %.17g\n", story.solid.name, story.moments.x, story.moments.y,
                 story.moments.z);
  std::fprintf(file, "body,run,t[s],qw,qx,qy,qz,wx_S[rad/s],wy_S[rad/s],wz_S[rad/s]\n");
  for (const Story& story : stories)
    for (const Run& run : story.runs)
      for (const Sample& s : run.samples)
        std::fprintf(file, "%s,%s,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n", story.solid.name,
                     run.name.c_str(), s.t, s.seen.R_SB.w, s.seen.R_SB.v.x, s.seen.R_SB.v.y, s.seen.R_SB.v.z,
                     s.seen.w_S.x, s.seen.w_S.y, s.seen.w_S.z);
  const bool written = std::ferror(file) == 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace tumble
