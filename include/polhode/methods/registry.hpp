// Methods by name, at run time: the catalogue as data, names with suffixes, and steppers.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/core/archive.hpp"
#include "polhode/core/names.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/methods/step_series.hpp"
#include "polhode/model/compiled_torque.hpp"

namespace polhode {

// A number that the user of a method may choose.
struct ParameterInfo {
  std::string_view name;
  double standard;         // where none is given
  double lowest, highest;  // both allowed
  std::string_view meaning;
};

struct MethodInfo {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view family, cite, about, good_for, not_for;
  Claims claims;
  Space space = Space::rotations;
  bool remembers = false;
  std::vector<ParameterInfo> parameters{};
  // Of the method with these parameters, in the order above; those at the end may be left out.
  Claims (*claims_for)(std::span<const double> parameters) = nullptr;
  std::string_view plugin{};  // the file that it was loaded from; empty: it is in the catalogue
};

// A method's type as data.
template <class M>
MethodInfo method_info(std::string_view name, std::vector<std::string_view> aliases = {}) {
  MethodInfo info{name, std::move(aliases), M::family, M::cite, M::about, M::good_for, M::not_for, M::claims};
  info.space = M::claims.space;
  info.remembers = Remembers<M>;
  for_each_parameter<M>([&](const auto& parameter) {
    const double standard = ParametersOf<M>{}.*(parameter.member);
    info.parameters.push_back({parameter.name, standard, parameter.lowest, parameter.highest, parameter.meaning});
  });
  info.claims_for = [](std::span<const double> values) { return claims_of<M>(parameters_from<M>(values)); };
  return info;
}

// Every entry of the catalogue, in its order, and what plug-ins brought (methods/plugin.hpp). References stay.
const std::deque<MethodInfo>& methods();

// A name no method or suffix answers to, or one that the method does not admit; the sentence says what would do.
struct MethodError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A suffix: symmetric composition (@triple-jump, ...), energy projection after every k-th step (+energy, +energy/k), or
// steps that adapt (~adaptive, ...).
struct Suffix {
  std::size_t index = 0;  // in suffixes()
  int every = 1;
};

// What suffixes begin with, and what ends the name of a method: they or a parameter.
inline constexpr std::string_view suffix_marks = "@+~", name_marks = ":@+~";

struct MethodSpec {
  std::size_t index = 0;           // of the base in methods()
  std::vector<double> parameters;  // in the order of the method's list
  std::vector<Suffix> suffixes;    // applied from left to right
  std::string name;                // canonical, with parameters that are not the defaults, and suffixes
  Claims claims;                   // of the whole
  Space space = Space::rotations;
  // Of StateInputs, for a method that chooses its steps: they are in proportion to it. None: the method's own.
  std::shared_ptr<const ExpressionProgram> step_scale{};
};

// "mclachlan-reich-231@suzuki+energy/5", "newmark-gamma:gamma=0.55". Throws MethodError.
MethodSpec parse_method(std::string_view name);

// The name with one more parameter, which it must not have yet; the method is looked up, and the parameter is checked by
// itself. Throws MethodError.
std::string with_parameter(std::string_view name, std::string_view parameter, double value);

// What stands between a method's name and its suffixes, ":a=1:b=2", is read off `text`; what follows is left in it.
// Throws MethodError, in the name of `method`.
std::vector<double> read_parameters(std::string_view method, std::span<const ParameterInfo> list,
                                    std::string_view& text);
// Throws MethodError for one that the method has not got, or for a value out of bounds.
void check_parameter(const MethodInfo& method, std::string_view parameter, double value);
// Those that differ from their defaults, as they are read: ":a=1".
std::string written(std::span<const ParameterInfo> list, std::span<const double> values);
// "0.6 where it is not given, from 0.5 to 1".
std::string bounds_text(const ParameterInfo& parameter);

// "4", or "exact".
std::string order_text(int order);
// "4", or "2/4" where attitude and momentum differ.
std::string order_text(const Orders& orders);
// The same, with that of a free body where it is higher: "2, free 2/4".
std::string order_text(const Claims& claims);
// That in a torque which depends on the angular velocity, "-" of a method that takes none.
std::string order_with_velocity_text(const Claims& claims);

// Every suffix, with a sentence on it.
struct SuffixInfo {
  std::string_view name, about;
  int stages = 1;              // steps of the method in one of the whole
  bool takes_count = false;    // the name ends in "/k": a number is written there
  bool tried_by_auto = false;  // on methods that gain by it
  int torque_evaluations = 0;  // in a step, besides those of the method
  bool chooses_steps = false;
};
const std::vector<SuffixInfo>& suffixes();

// As it stands in a name: "@suzuki", "+energy/10".
std::string written(const SuffixInfo& suffix, int every);
// What it does to a method, in a sentence.
std::string about(const Suffix& suffix);
// The method with its energy restored after every k-th step.
std::string with_energy(std::string_view method, int every);

// How attitude and spatial momentum change: dR/dt = R hat(w_B), dl_S/dt = torque_S.
template <class T>
struct MotionRates {
  Vec3<T> w_B, torque_S;
};

// One integration under way. Not thread-safe; clone to branch off.
template <class T>
class Stepper {
 public:
  virtual ~Stepper() = default;
  // The attitude error [rad] that a method which takes a tolerance may make in each of its own steps, from the next start
  // on. Others take their steps as they come.
  virtual void set_tolerance(const T&) {}
  // Begins at `s` with steps of about h; forgets everything before. Throws MethodError when the method cannot begin
  // there: a method that moves a direction takes no spin about it.
  virtual void start(const State<T>& s, const T& h) = 0;
  virtual void step(const T& h) = 0;
  // The step that a method which chooses its steps wants next; others want h. It takes any other, too, and starts
  // choosing anew after it.
  virtual T own_step(const T& h) const { return h; }
  // Turns to the other direction of time: the memory is reversed, and steps are expected with the opposite sign.
  virtual void reverse() = 0;
  // Turns the body, R <- R C, at unchanged spatial momentum.
  virtual void turn(const Rotation<T>& C) = 0;
  // Spatial momentum as the method carries it.
  virtual Vec3<T> momentum_S() const = 0;
  // Work done by the torque in the last step, where the method knows it to its own order.
  virtual std::optional<T> work_of_last_step() const { return std::nullopt; }
  virtual std::unique_ptr<Stepper> clone() const = 0;
  // Takes the place of `other`, a clone of this stepper or its original: state, memory and work.
  virtual void copy_from(const Stepper& other) = 0;

  // What follows looks into a step; run/dense_output.hpp makes use of it.
  //
  // The lengths of the smooth parts of a step h from here: one, unless the torque jumps on the way.
  virtual void parts(const T& h, std::vector<T>& lengths) const { lengths.assign(1, h); }
  // In place of the step h: as far as `way` into one of its parts, before a blow that may end it. `anew`: started again
  // where the part begins, as a method must be that needs equal steps.
  virtual void step_into(const T& /*h*/, std::size_t /*part*/, const T& way, bool anew) {
    if (way == T(0)) return;
    if (anew) start(State<T>(state), way);
    step(way);
  }
  // By the equations of motion, at the present state.
  virtual MotionRates<T> rates() const = 0;
  // From now on every step keeps the polynomial that it is. False: the method has none.
  virtual bool keep_steps() { return false; }
  // The last step as far as `way`, by what was kept of it.
  virtual PassedState<T> within(const T& /*way*/) const { return {state, momentum_S()}; }

  // Stores what a stepper made alike needs to go on with the same bits, or loads it.
  virtual void transfer(Archive& archive) { archive(state, work); }

  State<T> state;  // read it freely; of its members only the time may be set, to t0 + n h
  Work work;
};

// Throws MethodError when the field does not offer what the method needs, or the body does not fit its space. A stepper
// ends a step where the torque is not smooth: where a pulse begins or ends, and at the times of a table.
template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field);

}  // namespace polhode
