// What is wrong with distributions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "model/drawable_keys.hpp"
#include "polhode/core/names.hpp"

namespace polhode {

bool operator==(const Distribution& a, const Distribution& b) {
  const bool same_rows = a.rows == b.rows || (a.rows && b.rows && *a.rows == *b.rows);
  return a.kind == b.kind && a.first == b.first && a.second == b.second && same_rows && a.width == b.width &&
         a.file == b.file && a.columns == b.columns;
}

namespace {

// One distribution, and the key that it is for.
class DrawnCheck {
 public:
  DrawnCheck(const DrawableKey& key, const Distribution& distribution) : key_(key), is_(distribution) {}

  void run() const {
    switch (is_.kind) {
      case Distribution::Kind::uniform: return check_uniform();
      case Distribution::Kind::normal: return check_normal();
      case Distribution::Kind::rotations:
        if (!key_.takes_rotations)
          fail(
              "is drawn from all attitudes, which is for attitude, or for the direction of a body on the sphere; give "
              "{ "
              "uniform = [low, high] } or { normal = [mean, deviation] }");
        return;
      case Distribution::Kind::table: return check_table();
    }
  }

 private:
  void check_uniform() const {
    check_numbers("lower bounds", is_.first);
    check_numbers("upper bounds", is_.second);
    check_same_count("lower bounds", "upper bounds");
    for (std::size_t i = 0; i < is_.first.size(); ++i) {
      if (!(is_.first[i] <= is_.second[i]))
        fail(fmt::format("the lower bound{} is {}, above the upper bound {}; exchange them", of_number(i),
                         shortest(is_.first[i]), shortest(is_.second[i])));
      if (!std::isfinite(is_.second[i] - is_.first[i]))
        fail(fmt::format("the bounds{}, {} and {}, are further apart than any number; draw from a narrower range",
                         of_number(i), shortest(is_.first[i]), shortest(is_.second[i])));
    }
    check_symmetry(is_.first);
    check_symmetry(is_.second);
  }

  void check_normal() const {
    check_numbers("means", is_.first);
    check_numbers("deviations", is_.second);
    check_same_count("means", "deviations");
    constexpr double farthest = 10;  // deviations from the mean; none is drawn as far away
    for (std::size_t i = 0; i < is_.first.size(); ++i) {
      if (!(is_.second[i] >= 0))
        fail(
            fmt::format("the deviation{} is {}, below 0; give the square root of the variance, or 0 for a number that "
                        "all bodies have",
                        of_number(i), shortest(is_.second[i])));
      if (!std::isfinite(std::abs(is_.first[i]) + farthest * is_.second[i]))
        fail(fmt::format("the deviation{} is {} about {}, which numbers do not reach; draw from a narrower range",
                         of_number(i), shortest(is_.second[i]), shortest(is_.first[i])));
    }
    check_symmetry(is_.first);
    check_symmetry(is_.second);
  }

  void check_table() const {
    if (!key_.takes_tables) fail(fmt::format("takes no table; give {}", key_.wanted));
    if (is_.row_count() == 0) fail("the table has no rows; give one for each body");
    if (!takes(is_.width)) fail(fmt::format("a row of the table has {}; give {}", counted(is_.width), key_.wanted));
    if (is_.rows->size() % is_.width != 0)
      fail(fmt::format("the table has {} numbers, which are no whole rows of {}", is_.rows->size(), is_.width));
    for (std::size_t i = 0; i < is_.rows->size(); ++i)
      if (!std::isfinite((*is_.rows)[i]))
        fail(fmt::format("row {} of the table holds {}, which is not finite; leave out the row", i / is_.width + 1,
                         (*is_.rows)[i]));
  }

  void check_numbers(std::string_view what, const std::vector<double>& numbers) const {
    if (!key_.takes_numbers)
      fail(fmt::format(
          "numbers that are drawn one by one are no {}; {}draw a rotation_vector, an attitude_wxyz or an mrp",
          key_.takes_rotations ? "attitude" : "rotation",
          key_.takes_rotations ? fmt::format("give {}, or ", key_.wanted) : ""));
    if (!takes(numbers.size())) fail(fmt::format("the {} are {}; give {}", what, counted(numbers.size()), key_.wanted));
    for (const double x : numbers)
      if (!std::isfinite(x)) fail(fmt::format("the {} hold {}, which is not finite; give {}", what, x, key_.wanted));
  }

  void check_same_count(std::string_view first, std::string_view second) const {
    if (is_.first.size() != is_.second.size())
      fail(fmt::format("the {} are {}, and the {} {}; give as many of each", first, counted(is_.first.size()), second,
                       counted(is_.second.size())));
  }

  // Only the entries on the diagonal and above are drawn.
  void check_symmetry(const std::vector<double>& m) const {
    if (key_.name != inertia_key || m.size() != 9) return;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (m[3 * i + j] != m[3 * j + i])
          fail(fmt::format("a tensor must be symmetric: element [{}][{}] is {} and [{}][{}] is {}; make them equal", i,
                           j, shortest(m[3 * i + j]), j, i, shortest(m[3 * j + i])));
  }

  bool takes(std::size_t count) const { return std::count(key_.sizes.begin(), key_.sizes.end(), count) > 0; }
  static std::string counted(std::size_t count) { return count == 1 ? "one number" : fmt::format("{} numbers", count); }
  std::string of_number(std::size_t i) const {
    return is_.first.size() == 1 ? "" : fmt::format(" of number {}", i + 1);
  }
  [[noreturn]] void fail(const std::string& sentence) const { throw SetupError(ensemble_key(key_.name), sentence); }

  const DrawableKey& key_;
  const Distribution& is_;
};

}  // namespace

void refuse_drawn_key(const Setup& setup, const std::string& name) {
  const std::string key = ensemble_key(name);
  const bool sphere = space_of(setup) == Space::sphere;
  if (name == "start.time") throw SetupError(key, "all bodies start at the same time; give it under [start]");
  if (name == "start.direction" && !sphere)
    throw SetupError(
        key,
        "a direction is drawn for bodies on the sphere, and those of the scenario have attitudes; give the "
        "scenario a direction under [start], or draw an attitude");
  if (sphere && name.starts_with("start.") && !name.starts_with("start.angular_"))
    throw SetupError(key,
                     "the bodies of the scenario start with a direction and move on the sphere, where there are no "
                     "attitudes; draw a direction, or give the scenario an attitude under [start]");
  std::vector<std::string> names, shown;
  for (const DrawableKey& one : drawable_keys(setup)) {
    names.push_back(one.name);
    shown.push_back(name_in_ensemble(one.name));
  }
  const std::string nearest = nearest_name(name, names);
  throw SetupError(key,
                   nearest.empty()
                       ? fmt::format("the scenario has no such number; what can be drawn is {}", fmt::join(shown, ", "))
                       : fmt::format("the scenario has no such number; nearest: {}", name_in_ensemble(nearest)));
}

void check_drawn(const Setup& setup, const std::vector<DrawnKey>& drawn) {
  const std::vector<DrawableKey> keys = drawable_keys(setup);
  std::vector<const DrawableKey*> before;
  for (const DrawnKey& one : drawn) {
    const DrawableKey* key = find_key(keys, one.key);
    if (key == nullptr) refuse_drawn_key(setup, one.key);
    for (const DrawableKey* other : before) {
      if (other == key) throw SetupError(ensemble_key(key->name), "is drawn twice; keep one of them");
      if (!key->group.empty() && other->group == key->group)
        throw SetupError(ensemble_key(key->name),
                         fmt::format("says the same as {}; keep one of them", name_in_ensemble(other->name)));
    }
    before.push_back(key);
    DrawnCheck(*key, one.distribution).run();
  }
}

}  // namespace polhode
