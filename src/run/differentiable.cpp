#include "run/differentiable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/setup_keys.hpp"
#include "polhode/core/names.hpp"
#include "run/tangent.hpp"

namespace polhode {
namespace {

constexpr std::string_view xyz[] = {"x", "y", "z"};

class Places {
 public:
  void add(std::string name, std::string unit, const double& value, bool is_cut_time = false) {
    all_.push_back({{std::move(name), std::move(unit), value}, {&value}, {}, is_cut_time});
  }
  void add(const std::string& name, const std::string& unit, const Vec3<double>& v) {
    for (std::size_t i = 0; i < 3; ++i) add(fmt::format("{}.{}", name, xyz[i]), unit, v[i]);
  }
  void add(const std::string& name, const std::string& unit, const Mat3<double>& m) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) add(fmt::format("{}.{}{}", name, xyz[i], xyz[k]), unit, m[i][k]);
  }
  void add_turns() {
    for (std::size_t i = 0; i < 3; ++i)
      all_.push_back({{fmt::format("start.attitude.{}", xyz[i]), "rad", 0}, {}, i, false});
  }
  // Both entries of a symmetric tensor change together.
  void add_symmetric(const Mat3<double>& m) {
    for (std::size_t i = 0; i < 3; ++i) add(fmt::format("inertia.{}{}", xyz[i], xyz[i]), "kg m^2", m[i][i]);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = i + 1; k < 3; ++k) {
        add(fmt::format("inertia.{}{}", xyz[i], xyz[k]), "kg m^2", m[i][k]);
        all_.back().places.push_back(&m[k][i]);
      }
    }
  }
  std::vector<SeedPlace> take() { return std::move(all_); }

 private:
  std::vector<SeedPlace> all_;
};

std::string prefix(const Setup& setup, std::size_t i) {
  return setup.torques.size() == 1 ? "torque." : fmt::format("torque[{}].", i);
}

void add_key(Places& places, const std::string& name, const std::string& unit, Quantity quantity, const auto& value) {
  using Value = std::decay_t<decltype(value)>;
  if constexpr (is_optional<Value>) {
    if (value) add_key(places, name, unit, quantity, *value);
  } else if constexpr (std::is_same_v<Value, double>) {
    places.add(name, unit, value, quantity == Quantity::time);
  } else if constexpr (std::is_same_v<Value, Vec3<double>> || std::is_same_v<Value, Mat3<double>>) {
    places.add(name, unit, value);
  }
}

// Why a name that a scenario knows has no derivative; empty if it knows no such name.
std::string without_derivative(const Setup& setup, const std::string& name) {
  if (name == "start.time")
    return "the time of the start only says what the clock shows; move the times of the torques instead";
  if (name.starts_with("body.wheels") || name.starts_with("wheels")) return "wheels are not differentiated by";
  for (std::size_t i = 0; i < setup.torques.size(); ++i) {
    std::string why;
    std::visit(
        [&](const auto& field) {
          const auto look = [&](const auto& key) {
            const std::string here = prefix(setup, i) + std::string(key.name);
            if (name != here && !name.starts_with(here + ".") && name != "torque." + std::string(key.name)) return;
            using Value = std::decay_t<decltype(field.*(key.member))>;
            if constexpr (std::is_same_v<Value, NamedNumbers>) {
              why = "constants are part of the formula of an expression, which is differentiated by the motion alone";
            } else if (!is_given(field.*(key.member))) {
              why = "it is not given here; write it down with the value that it has";
            } else {
              why = "it is no number";
            }
          };
          std::apply([&](const auto&... key) { (look(key), ...); }, field.keys());
        },
        setup.torques[i]);
    if (!why.empty()) return why;
  }
  return "";
}

// "start" stands for all that begins so, and torque.KEY for the only torque that has such a key.
std::vector<std::string> resolved(const Setup& setup, const std::vector<SeedPlace>& all, const std::string& given) {
  const std::string name = given.starts_with("body.inertia") ? given.substr(5) : given;
  std::vector<std::string> found;
  for (const SeedPlace& one : all) {
    const std::string& own = one.number.name;
    const bool in_group = own.starts_with(name + ".") || (name == "torque" && own.starts_with("torque["));
    if (own == name || in_group || own.starts_with(name + "[")) found.push_back(own);
  }
  if (!found.empty()) return found;
  std::vector<std::size_t> with_key;
  for (std::size_t i = 0; name.starts_with("torque.") && i < setup.torques.size(); ++i) {
    const std::string own = prefix(setup, i) + name.substr(7);
    const bool here = std::any_of(all.begin(), all.end(), [&](const SeedPlace& one) {
      return one.number.name == own || one.number.name.starts_with(own + ".");
    });
    if (here) with_key.push_back(i);
  }
  if (with_key.size() == 1) return resolved(setup, all, prefix(setup, with_key[0]) + name.substr(7));
  if (with_key.size() > 1) {
    throw SetupError("run.sensitivities",
                     fmt::format("'{}' is a number of torques {}; give torque[{}].{} or another of them", given,
                                 fmt::join(with_key, " and "), with_key[0], name.substr(7)));
  }
  if (const std::string why = without_derivative(setup, name); !why.empty())
    throw SetupError("run.sensitivities", fmt::format("'{}' has no derivative: {}", given, why));
  std::vector<std::string> names{"start", "inertia", "torque"};
  for (const SeedPlace& one : all) {
    names.push_back(one.number.name);
    names.push_back(one.number.name.substr(0, one.number.name.rfind('.')));
  }
  const std::string nearest = nearest_name(name, names);
  throw SetupError("run.sensitivities",
                   fmt::format("'{}' is nothing that this run could be differentiated by; {}", given,
                               nearest.empty() ? "give start, inertia, torque or one number of them, such as inertia.x"
                                               : fmt::format("did you mean '{}'?", nearest)));
}

// The first of each family.
std::vector<std::string_view> examples_with_tangents() {
  std::vector<std::string_view> names, families;
  for (const std::string_view name : methods_with_tangents()) {
    const std::string_view family = methods()[parse_method(name).index].family;
    if (std::find(families.begin(), families.end(), family) != families.end()) continue;
    families.push_back(family);
    names.push_back(name);
  }
  return names;
}

[[noreturn]] void refuse(const RunRequest& request, const std::string& sentence, std::vector<std::string> others) {
  const RunOptions& run = request.run;
  const char* key = !run.sensitivities.empty() ? "run.sensitivities" : run.monodromy ? "run.monodromy" : "run.lyapunov";
  throw SetupError(key, sentence, std::move(others));
}

}  // namespace

std::vector<SeedPlace> seed_places(const Setup& setup) {
  Places places;
  places.add_turns();
  for (const MotionKey& key : motion_keys) {
    if (key.kind != setup.motion.kind) continue;
    const bool is_velocity =
        key.kind == MotionData::Kind::angular_velocity_body || key.kind == MotionData::Kind::angular_velocity_spatial;
    places.add("start." + std::string(key.name), is_velocity ? "rad/s" : "kg m^2/s", setup.motion.value);
  }
  if (const auto* moments = std::get_if<Vec3<double>>(&setup.inertia)) {
    places.add("inertia", "kg m^2", *moments);
  } else {
    places.add_symmetric(std::get<Mat3<double>>(setup.inertia));
  }
  for (std::size_t i = 0; i < setup.torques.size(); ++i) {
    std::visit(
        [&](const auto& field) {
          const auto add = [&](const auto& key) {
            add_key(places, prefix(setup, i) + std::string(key.name), unit_of(key), key.quantity, field.*(key.member));
          };
          std::apply([&](const auto&... key) { (add(key), ...); }, field.keys());
        },
        setup.torques[i]);
  }
  return places.take();
}

std::vector<DifferentiableNumber> differentiable_numbers(const Setup& setup) {
  std::vector<DifferentiableNumber> numbers;
  for (SeedPlace& one : seed_places(setup)) numbers.push_back(std::move(one.number));
  return numbers;
}

TangentRequest tangent_request(const RunRequest& request, const MethodSpec& method, double length) {
  const RunOptions& run = request.run;
  TangentRequest wanted{{}, run.monodromy, run.lyapunov};
  if (run.sensitivities.empty() && !wanted.any()) return wanted;
  if (run.scalar != ScalarKind::double_)
    refuse(request,
           fmt::format("derivatives are computed in double, and this run is in {}; leave the scalar out",
                       scalar_name(run.scalar)),
           {"run.scalar"});
  if (space_of(request.setup) == Space::sphere)
    refuse(request, "a start by a direction is one on the sphere, where there are no derivatives; give an attitude",
           {"start.direction"});
  if (!request.setup.called_torques.empty())
    refuse(request, "a torque that a program computes has no derivatives; write it as an expression", {"torque"});
  if (!has_tangent_kernel(method.index))
    refuse(
        request,
        fmt::format("{} does not run on numbers that carry derivatives; take {} or another of the {} methods that do "
                    "(docs/sensitivities.md)",
                    method.name, fmt::join(examples_with_tangents(), ", "), methods_with_tangents().size()),
        {"run.method"});
  if (method.claims.chooses_steps)
    refuse(request,
           fmt::format("{} chooses its steps by the motion, whose derivatives would change them, too; take the method "
                       "without the last suffix",
                       method.name),
           {"run.method"});
  const std::vector<SeedPlace> all = seed_places(request.setup);
  for (const std::string& given : run.sensitivities) {
    for (std::string& name : resolved(request.setup, all, given)) {
      if (std::find(wanted.names.begin(), wanted.names.end(), name) != wanted.names.end()) continue;
      const auto& place =
          *std::find_if(all.begin(), all.end(), [&](const SeedPlace& one) { return one.number.name == name; });
      const double end = request.setup.time + length, near = 1e-9 * std::abs(length);
      const double t = place.number.value;
      if (place.is_cut_time && (length < 0 || std::abs(t - request.setup.time) <= near || std::abs(t - end) <= near)) {
        throw SetupError(
            "run.sensitivities",
            fmt::format("'{}' = {} s has no derivative in a run from {} s to {} s: the torque jumps there, "
                        "and a jump at an end of the run, or on the way back, has a derivative on one "
                        "side only; leave it out, or move the end",
                        name, t, request.setup.time, end));
      }
      wanted.names.push_back(std::move(name));
    }
  }
  return wanted;
}

std::vector<DerivedColumns> derived_columns(const Setup& setup, const TangentRequest& request) {
  std::vector<DerivedColumns> columns;
  const std::vector<SeedPlace> all = seed_places(setup);
  for (const std::string& name : request.names) {
    const DifferentiableNumber& by =
        std::find_if(all.begin(), all.end(), [&](const SeedPlace& one) { return one.number.name == name; })->number;
    // A bracket begins a unit.
    std::string shown = name;
    if (const std::size_t at = shown.find('['); at != std::string::npos)
      shown.replace(at, shown.find(']') + 1 - at, "_" + shown.substr(at + 1, shown.find(']') - at - 1));
    const std::string per = by.unit == "1"                                      ? ""
                            : by.unit.find_first_of("/ ^") == std::string::npos ? "/" + by.unit
                                                                                : "/(" + by.unit + ")";
    const auto add = [&](std::string_view what, std::string_view letter, std::string_view axes, std::string unit,
                         const char* frame, std::string_view about) {
      DerivedColumns made{fmt::format("d_{}_by_{}", what, shown), {}, frame, fmt::format("{} {}", about, name)};
      if (!per.empty() && unit.find('/') != std::string::npos) unit = "(" + unit + ")";
      for (const std::string_view axis : xyz)
        made.headers.push_back(fmt::format("d{}{}_{}_by_{}[{}{}]", letter, axis, axes, shown, unit, per));
      columns.push_back(std::move(made));
    };
    add("attitude", "theta", "B", "rad", "body", "rotation vector by which the attitude changes with");
    add("angular_velocity_body", "w", "B", "rad/s", "body", "derivative of the angular velocity by");
    add("angular_momentum_spatial", "L", "S", "kg m^2/s", "spatial", "derivative of the angular momentum by");
  }
  if (request.lyapunov)
    columns.push_back({"lyapunov_exponent", {"lyapunov_exponent[1/s]"}, "", "largest Lyapunov exponent so far"});
  return columns;
}

}  // namespace polhode
