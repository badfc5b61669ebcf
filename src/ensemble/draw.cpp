#include "polhode/ensemble/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "ensemble/counted_random.hpp"
#include "model/drawable_keys.hpp"
#include "polhode/model/setup_json.hpp"
#include "problems/motion_name.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_numbers = 9;  // of a key
constexpr std::uint64_t tried = 1000;    // bodies, before an ensemble is taken for one

using Numbers = std::array<double, most_numbers>;

// By the subgroup algorithm [S92]: a quaternion is two complex numbers, whose squared lengths are u and 1 - u.
void draw_rotation(const std::array<std::uint64_t, 4>& words, Numbers& made) {
  const double u = unit_interval(words[0]), long_side = std::sqrt(1 - u), short_side = std::sqrt(u);
  const Complex<double> a = on_circle(words[1]), b = on_circle(words[2]);
  made = {long_side * a.re, long_side * a.im, short_side * b.re, short_side * b.im};
}

// The height of a point on the sphere is uniform, as Archimedes knew.
void draw_direction(const std::array<std::uint64_t, 4>& words, Numbers& made) {
  const double u = unit_interval(words[0]), across = 2 * std::sqrt(u * (1 - u));
  const Complex<double> a = on_circle(words[1]);
  made = {across * a.re, across * a.im, 2 * u - 1};
}

}  // namespace

struct BodyDraw::Stream {
  DrawableKey key;
  Distribution from;
  CountedRandom random;

  bool is_table() const { return from.kind == Distribution::Kind::table; }
  bool is_inertia() const { return key.name == inertia_key; }

  std::size_t size() const {
    return from.kind == Distribution::Kind::rotations ? key.sizes.front() : from.first.size();
  }

  void put(std::uint64_t body, Setup& into) const {
    if (is_table()) return key.put(into, std::span(*from.rows).subspan(body * from.width, from.width));
    std::uint64_t attempt = 0;
    do {
      put_attempt(body, attempt++, into);
    } while (is_inertia() && !is_of_a_body(into));
  }

  void put_attempt(std::uint64_t body, std::uint64_t attempt, Setup& into) const {
    Numbers made{};
    draw(body, attempt, made);
    if (is_inertia() && size() == 9) {
      made[3] = made[1];
      made[6] = made[2];
      made[7] = made[5];
    }
    if (key.of_length_one) divide_by_length(made);
    key.put(into, std::span(made).first(size()));
  }

 private:
  // Number j is made from word j; normal ones by two from two.
  void draw(std::uint64_t body, std::uint64_t attempt, Numbers& made) const {
    if (from.kind == Distribution::Kind::rotations) {
      const auto words = random.words(body, attempt, 0);
      return size() == 4 ? draw_rotation(words, made) : draw_direction(words, made);
    }
    for (std::size_t j = 0; j < size(); j += 4) {
      const auto words = random.words(body, attempt, j / 4);
      for (std::size_t k = 0; k < 4 && j + k < size(); k += 2) {
        const std::array<double, 2> two = from.kind == Distribution::Kind::normal
                                              ? two_normals(words[k], words[k + 1])
                                              : std::array{unit_interval(words[k]), unit_interval(words[k + 1])};
        for (std::size_t i = j + k; i < std::min(size(), j + k + 2); ++i) made[i] = scaled(i, two[i - j - k]);
      }
    }
  }

  double scaled(std::size_t i, double x) const {
    const double first = from.first[i], second = from.second[i];
    if (from.kind == Distribution::Kind::normal) return first + second * x;
    // Never above `second`: as x < 1, the product rounds to less than second - first, and to that of denormals at most.
    return first + x * (second - first);
  }

  void divide_by_length(Numbers& made) const {
    double square = 0;
    for (std::size_t i = 0; i < size(); ++i) square += made[i] * made[i];
    if (square > 0)
      for (std::size_t i = 0; i < size(); ++i) made[i] /= std::sqrt(square);
  }
};

namespace {

// Says of a body what check() says, under the drawn key that is at fault.
[[noreturn]] void refuse_body(const std::vector<DrawnKey>& drawn, const SetupError& error, std::uint64_t body) {
  const auto is_about = [](const std::string& key, const DrawnKey& one) {
    const bool of_attitude = key.starts_with("start.") && !key.starts_with("start.angular_");
    return one.key == key || (one.key == "start.attitude" && of_attitude);
  };
  const auto named = [&](const std::string& key) {
    return std::find_if(drawn.begin(), drawn.end(), [&](const DrawnKey& one) { return is_about(key, one); });
  };
  auto fault = named(error.key);
  for (const std::string& other : error.others)
    if (fault == drawn.end()) fault = named(other);
  if (fault == drawn.end()) {
    // Another number of the same table.
    const std::string table = error.key.substr(0, error.key.rfind('.') + 1);
    fault = std::find_if(drawn.begin(), drawn.end(), [&](const DrawnKey& one) { return one.key.starts_with(table); });
  }
  if (fault == drawn.end()) throw SetupError(error.key, fmt::format("body {}: {}", body, error.what()));
  const Distribution& from = fault->distribution;
  const std::string which =
      from.kind == Distribution::Kind::table
          ? fmt::format("row {} of {}", body + 1, from.file.empty() ? "the table" : "'" + from.file + "'")
          : fmt::format("body {}", body);
  const bool same = ensemble_key(error.key) == ensemble_key(fault->key);
  throw SetupError(ensemble_key(fault->key),
                   fmt::format("{}: {}{}", which, same ? "" : error.key + ": ", error.what()));
}

}  // namespace

BodyDraw::BodyDraw(Setup typical, EnsembleSettings settings)
    : typical_(std::move(typical)), settings_(std::move(settings)) {
  check(typical_);
  check_drawn(typical_, settings_.drawn);
  check(settings_);
  const std::vector<DrawableKey> keys = drawable_keys(typical_);
  std::vector<Stream> streams;
  for (const DrawnKey& one : settings_.drawn) {
    streams.push_back({*find_key(keys, one.key), one.distribution, CountedRandom(settings_.seed, one.key)});
    if (streams.back().is_table()) bodies_ = one.distribution.row_count();
  }
  if (settings_.bodies) bodies_ = static_cast<std::uint64_t>(*settings_.bodies);
  if (bodies_ == 0)
    throw SetupError("ensemble.bodies",
                     fmt::format("is missing, and no table says how many there are; give {}", bodies_wanted));
  streams_ = std::make_shared<const std::vector<Stream>>(std::move(streams));
  check_share_of_bodies();
  check_bodies();
}

Setup BodyDraw::body(std::uint64_t i) const {
  assert(i < bodies_);
  Setup made = typical_;
  put_drawn(i, made);
  return made;
}

void BodyDraw::put_drawn(std::uint64_t i, Setup& body) const {
  for (const Stream& stream : *streams_) stream.put(i, body);
}

std::string BodyDraw::name() const {
  std::string numbers = to_json(typical_);
  const auto add = [&](const std::vector<double>& of) {
    numbers.append(reinterpret_cast<const char*>(of.data()), sizeof(double) * of.size());
  };
  for (const auto& [key, distribution] : settings_.drawn) {
    numbers += fmt::format("{} {} {} {} ", key, static_cast<int>(distribution.kind), distribution.first.size(),
                           distribution.width);
    add(distribution.first);
    add(distribution.second);
    if (distribution.rows) add(*distribution.rows);
  }
  return name_of(numbers);
}

bool BodyDraw::draws_torques() const {
  return std::any_of(settings_.drawn.begin(), settings_.drawn.end(),
                     [](const DrawnKey& one) { return one.key.starts_with("torque["); });
}

// Of moments that are rarely those of a body, most of the time would be spent on drawing again.
void BodyDraw::check_share_of_bodies() const {
  for (const Stream& stream : *streams_) {
    if (!stream.is_inertia() || stream.is_table()) continue;
    Setup body = typical_;
    std::uint64_t bodies = 0;
    for (std::uint64_t i = 0; i < tried; ++i) {
      stream.put_attempt(i, 0, body);
      if (is_of_a_body(body)) ++bodies;
    }
    if (bodies * 100 < tried)
      throw SetupError(
          ensemble_key(inertia_key),
          fmt::format(
              "{} of {} draws, fewer than 1 %, are moments of a body: positive, and none larger than the other two "
              "together; draw from a narrower range, or set unphysical = true under [body] to take all that are "
              "positive",
              bodies, tried));
  }
}

void BodyDraw::check_bodies() const {
  const bool tables = std::any_of(streams_->begin(), streams_->end(), [](const Stream& one) { return one.is_table(); });
  Setup body = typical_;
  const auto try_body = [&](std::uint64_t i) {
    try {
      check(body);
    } catch (const SetupError& error) {
      refuse_body(settings_.drawn, error, i);
    }
  };
  for (std::uint64_t i = 0; i < (tables ? bodies_ : std::min(bodies_, tried)); ++i) {
    for (const Stream& stream : *streams_)
      if (i < tried || stream.is_table()) stream.put(i, body);
    try_body(i);
    // To look through a table of torques takes long, and once is enough.
    if (!draws_torques()) body.torques.clear();
  }
}

}  // namespace polhode
