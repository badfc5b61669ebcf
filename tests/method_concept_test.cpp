// What a method must have to be one: a complete one has it all, and whatever is taken away is missed.
#include <gtest/gtest.h>

#include "polhode/methods/catalogue.hpp"

namespace polhode::test {
namespace {

struct Complete {
  static constexpr std::string_view family = "tests", cite = "B01", about = "stays", good_for = "rest",
                                    not_for = "motion";
  static constexpr Claims claims{.takes_tolerance = true, .knows_work = true};

  template <class T>
  struct Memory {
    static constexpr bool carries_momentum = true;
    Vec3<T> momentum_S{};
    T tolerance{}, work_of_torque{};
    bool work_known = false;
    void attitude_changed() {}
    Memory reversed() const { return *this; }
  };
  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return {spatial_momentum(s)};
  }
  template <class T, class F>
  static State<T> step(const System<T, F>&, const State<T>& s, Memory<T>&, const T&, Work&) {
    return s;
  }
};
static_assert(Method<Complete>);

// A member that cannot be reached from outside is none.
#define POLHODE_WITHOUT(Name, member) \
  class Name : public Complete {      \
    using Complete::member;           \
  };                                  \
  static_assert(!Method<Name>)
POLHODE_WITHOUT(WithoutFamily, family);
POLHODE_WITHOUT(WithoutSources, cite);
POLHODE_WITHOUT(WithoutAbout, about);
POLHODE_WITHOUT(WithoutGoodFor, good_for);
POLHODE_WITHOUT(WithoutNotFor, not_for);
POLHODE_WITHOUT(WithoutClaims, claims);
POLHODE_WITHOUT(WithoutMemory, Memory);  // its claims and its step ask for one
POLHODE_WITHOUT(WithoutStart, start);
POLHODE_WITHOUT(WithoutStep, step);
#undef POLHODE_WITHOUT

// Complete, with memory M.
template <template <class> class M>
struct With {
  static constexpr auto family = Complete::family, cite = Complete::cite, about = Complete::about,
                        good_for = Complete::good_for, not_for = Complete::not_for;
  static constexpr Claims claims = Complete::claims;
  template <class T>
  using Memory = M<T>;
  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {};
  }
  template <class T, class F>
  static State<T> step(const System<T, F>&, const State<T>& s, Memory<T>&, const T&, Work&) {
    return s;
  }
};
static_assert(Method<With<Complete::Memory>>);

template <class T>
struct Unchanged : Complete::Memory<T> {
  Unchanged reversed() const { return *this; }
};
static_assert(Method<With<Unchanged>>, "what is missing below is missed for its own sake");

template <class T>
struct NotToldOfTurns : Unchanged<T> {
  NotToldOfTurns reversed() const { return *this; }

 private:
  using Unchanged<T>::attitude_changed;
};
static_assert(!Method<With<NotToldOfTurns>>);

template <class T>
struct ReversedToAnother : Complete::Memory<T> {};
static_assert(!Method<With<ReversedToAnother>>);

template <class T>
struct CarriesWhatItHidesFromUs : Unchanged<T> {
  CarriesWhatItHidesFromUs reversed() const { return *this; }

 private:
  using Unchanged<T>::momentum_S;
};
static_assert(!Method<With<CarriesWhatItHidesFromUs>>);

template <class T>
struct CarriesMoreThanItSays : Unchanged<T> {
  static constexpr bool carries_momentum = false;
  CarriesMoreThanItSays reversed() const { return *this; }
};
static_assert(!Method<With<CarriesMoreThanItSays>>);

template <class T>
struct DoesNotSayWhatItCarries : Unchanged<T> {
  DoesNotSayWhatItCarries reversed() const { return *this; }

 private:
  using Unchanged<T>::carries_momentum;
};
static_assert(!Method<With<DoesNotSayWhatItCarries>>);

template <class T>
struct WithoutTolerance : Unchanged<T> {
  WithoutTolerance reversed() const { return *this; }

 private:
  using Unchanged<T>::tolerance;
};
static_assert(!Method<With<WithoutTolerance>>);

template <class T>
struct WithoutWork : Unchanged<T> {
  WithoutWork reversed() const { return *this; }

 private:
  using Unchanged<T>::work_of_torque;
};
static_assert(!Method<With<WithoutWork>>);

template <class T>
struct NotCopiedByItsBytes : Unchanged<T> {
  NotCopiedByItsBytes() = default;
  NotCopiedByItsBytes(const NotCopiedByItsBytes& other) : Unchanged<T>(other) {}
  NotCopiedByItsBytes& operator=(const NotCopiedByItsBytes&) = default;
  NotCopiedByItsBytes reversed() const { return *this; }
};
static_assert(!Method<With<NotCopiedByItsBytes>>);

template <class T>
struct NeedsArguments : Unchanged<T> {
  explicit NeedsArguments(int) {}
  NeedsArguments reversed() const { return *this; }
};
static_assert(!Method<With<NeedsArguments>>);

struct WithoutMemoryToClaim : Newmark<> {
  static constexpr Claims claims{.knows_work = true};
};
static_assert(Method<Newmark<>> && !Method<WithoutMemoryToClaim>, "a kept torque knows of no work");

struct StepsElsewhere : Complete {
  template <class T, class F>
  static Vec3<T> step(const System<T, F>&, const State<T>&, Memory<T>&, const T&, Work&) {
    return {};
  }
};
static_assert(!Method<StepsElsewhere>, "a step returns a state");

// With parameters.
struct Parametric : Complete {
  struct Parameters {
    double a = 1, b = 2;
  };
  static constexpr auto parameters() {
    return std::tuple{Parameter{"a", &Parameters::a, 0, 1, "the first"},
                      Parameter{"b", &Parameters::b, 2, 3, "second"}};
  }
  static constexpr Claims claims_for(const Parameters&) { return Complete::claims; }
  template <class T, class F>
  static State<T> step(const System<T, F>&, const State<T>& s, Memory<T>&, const Parameters&, const T&, Work&) {
    return s;
  }
};
static_assert(Method<Parametric>);

struct DoesNotTakeThem : Parametric {
  template <class T, class F>
  static State<T> step(const System<T, F>&, const State<T>& s, Memory<T>&, const T&, Work&) {
    return s;
  }
};
static_assert(!Method<DoesNotTakeThem>);

class DoesNotDeclareThem : public Parametric {
  using Parametric::parameters;
};
static_assert(!Method<DoesNotDeclareThem>);

class ClaimsNothingOfThem : public Parametric {
  using Parametric::claims_for;
};
static_assert(!Method<ClaimsNothingOfThem>);

struct ClaimsOtherThings : Parametric {
  static constexpr Claims claims_for(const Parameters&) { return {}; }
};
static_assert(!Method<ClaimsOtherThings>, "claims are those of the defaults");

struct BeginsOutOfBounds : Parametric {
  static constexpr auto parameters() { return std::tuple{Parameter{"b", &Parameters::b, 0, 1, "starts at 2"}}; }
};
static_assert(!Method<BeginsOutOfBounds>);

// The compiler has tested all of the above; here is what it was tested on.
TEST(MethodConcept, HoldsForTheWholeCatalogue) {
  std::size_t number = 0;
  Catalogue::for_each([&](auto entry) { number += Method<typename decltype(entry)::Method> ? 1 : 0; });
  EXPECT_EQ(number, Catalogue::size);
}

}  // namespace
}  // namespace polhode::test
