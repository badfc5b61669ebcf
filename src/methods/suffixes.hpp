// The table of suffixes. An entry says what a suffix is called and what it does, which methods it is refused to, what it
// makes of a method's claims, and which stepper it puts around the method's; parsing, help, claims and steppers follow
// from the list at the end.
#pragma once

#include <tuple>

#include "methods/adaptive_steps.hpp"
#include "methods/suffix_steppers.hpp"
#include "polhode/methods/composition.hpp"

namespace polhode::suffix {

// What a stepper is made of besides the one that it goes around.
template <class T>
struct Around {
  System<T, FieldSum<T>> system;
  Claims claims;  // of the method so far
  int every;
  std::shared_ptr<const ExpressionProgram> step_scale;
};

// What an entry need not say.
struct Entry {
  static constexpr int stages = 1;              // steps of the method in one of the whole
  static constexpr bool takes_count = false;    // the name ends in "/k": a number is written there
  static constexpr bool tried_by_auto = false;  // on methods that gain by it
  static constexpr int torque_evaluations = 0;  // in a step, besides those of the method
  static constexpr bool chooses_steps = false;
};

// Why the method cannot be composed; empty if it can. A sequence may be made for methods of one order.
std::string refusal_to_compose(const Claims& claims, int made_for_order, std::string_view method,
                               std::string_view text);

// Steps of several lengths in turn, fractions<T>(order) of the whole, which raise the order by `gain`.
template <class Sequence>
struct Composition : Entry {
  static constexpr int made_for_order = 0;  // any

  static std::string refusal(const Claims& base, std::string_view method, std::string_view text) {
    return refusal_to_compose(base, Sequence::made_for_order, method, text);
  }
  static Claims claims(const Claims& base, int) { return composed(base, Sequence::gain, Sequence::stages); }
  static std::string on_page(int) { return std::string(Sequence::about); }

  template <class T>
  static std::unique_ptr<Stepper<T>> around(std::unique_ptr<Stepper<T>> base, const Around<T>& with) {
    const auto c = Sequence::template fractions<T>(with.claims.order_attitude);
    static_assert(std::tuple_size_v<decltype(c)> == Sequence::stages);
    return std::make_unique<ComposedStepper<T>>(std::move(base), std::vector<T>(c.begin(), c.end()));
  }
};

struct TripleJump : Composition<TripleJump> {
  static constexpr std::string_view name = "@triple-jump";
  static constexpr std::string_view about = "three steps a, b, a of a symmetric method: order + 2 [Y90]";
  static constexpr int gain = 2, stages = 3;

  template <class T>
  static auto fractions(int order) {
    return triple_jump<T>(order);
  }
};

struct Suzuki : Composition<Suzuki> {
  static constexpr std::string_view name = "@suzuki";
  static constexpr std::string_view about =
      "five steps a, a, b, a, a of a symmetric method: order + 2 with smaller steps [S90]";
  static constexpr int gain = 2, stages = 5;
  static constexpr bool tried_by_auto = true;

  template <class T>
  static auto fractions(int order) {
    return suzuki<T>(order);
  }
};

struct KahanLi6 : Composition<KahanLi6> {
  static constexpr std::string_view name = "@kahan-li-6";
  static constexpr std::string_view about = "nine steps of a symmetric method of order 2: order 6 [KL97]";
  static constexpr int gain = 4, stages = 9, made_for_order = 2;
  static constexpr bool tried_by_auto = true;

  template <class T>
  static auto fractions(int) {
    return kahan_li_6<T>();
  }
};

struct KahanLi8 : Composition<KahanLi8> {
  static constexpr std::string_view name = "@kahan-li-8";
  static constexpr std::string_view about = "seventeen steps of a symmetric method of order 2: order 8 [KL97]";
  static constexpr int gain = 6, stages = 17, made_for_order = 2;
  static constexpr bool tried_by_auto = true;

  template <class T>
  static auto fractions(int) {
    return kahan_li_8<T>();
  }
};

struct Energy : Entry {
  static constexpr std::string_view name = "+energy";
  static constexpr std::string_view about = "turn the body back onto its energy surface after every step [B01, Sec. 4]";

  static std::string refusal(const Claims& base, std::string_view method, std::string_view text);
  static Claims claims(const Claims& base, int every);
  static std::string on_page(int every);

  template <class T>
  static std::unique_ptr<Stepper<T>> around(std::unique_ptr<Stepper<T>> base, const Around<T>& with) {
    return std::make_unique<EnergyStepper<T>>(std::move(base), with.system, with.every);
  }
};

struct EnergyNowAndThen : Energy {
  static constexpr std::string_view name = "+energy/k";
  static constexpr std::string_view about = "the same after every k-th step, e.g. +energy/10";
  static constexpr bool takes_count = true;
};

// Why the method cannot take steps that adapt; empty if it can.
std::string refusal_to_adapt(const Claims& claims, std::string_view method, std::string_view text);
Claims adapted(const Claims& base, StepRule rule, int torque_evaluations);

// Steps that follow the motion.
template <class Choice>
struct StepChoice : Entry {
  static constexpr bool chooses_steps = true;

  static std::string refusal(const Claims& base, std::string_view method, std::string_view text) {
    return refusal_to_adapt(base, method, text);
  }
  static Claims claims(const Claims& base, int) { return adapted(base, Choice::rule, Choice::torque_evaluations); }
  static std::string on_page(int) { return std::string(Choice::about); }

  template <class T>
  static std::unique_ptr<Stepper<T>> around(std::unique_ptr<Stepper<T>> base, const Around<T>& with) {
    if constexpr (derivatives_of < T >> 0) {
      throw MethodError("steps that follow the motion have derivatives of their own, which are not known");
    } else {
      return make_adaptive<T>(std::move(base), with.system, Choice::rule, with.step_scale);
    }
  }
};

struct Adaptive : StepChoice<Adaptive> {
  static constexpr std::string_view name = "~adaptive";
  static constexpr std::string_view about =
      "steps that follow the motion of a symmetric method and stay reversible: integrating controller [HS05]";
  static constexpr StepRule rule = StepRule::integrating;
  static constexpr int torque_evaluations = 3;
};

struct Holder : StepChoice<Holder> {
  static constexpr std::string_view name = "~holder";
  static constexpr std::string_view about =
      "the same with two torques less a step, and less robust: the mean of two neighbouring 1/h is given [HLR01]";
  static constexpr StepRule rule = StepRule::averaging;
  static constexpr int torque_evaluations = 1;
};

struct Ordinary : StepChoice<Ordinary> {
  static constexpr std::string_view name = "~ordinary";
  static constexpr std::string_view about =
      "the same steps as an ordinary controller takes them, not reversible: for comparison, its energy drifts";
  static constexpr StepRule rule = StepRule::at_beginning;
  static constexpr int torque_evaluations = 1;
};

using List = std::tuple<TripleJump, Suzuki, KahanLi6, KahanLi8, Energy, EnergyNowAndThen, Adaptive, Holder, Ordinary>;

// Calls the function with the entry at `index` of the list.
template <class Function>
void visit(std::size_t index, Function&& function) {
  std::size_t i = 0;
  std::apply([&](auto... entry) { ((i++ == index ? function(entry) : void()), ...); }, List{});
}

// "+energy/10": the first suffix that the text can be read as. Throws MethodError.
Suffix parse(std::string_view text);

// The claims of the method with one more suffix. Throws MethodError where it is refused.
Claims add(const Suffix& suffix, const Claims& claims, std::string_view method, std::string_view text);

}  // namespace polhode::suffix
