// The list of methods. One line here gives a method its name on the command line, its rows in tables and benchmarks,
// and the tests of all its claims.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/fixed_string.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/commutator_free.hpp"
#include "polhode/methods/composition.hpp"
#include "polhode/methods/crouch_grossman.hpp"
#include "polhode/methods/dumbbell.hpp"
#include "polhode/methods/energy_momentum.hpp"
#include "polhode/methods/engine_polhode.hpp"
#include "polhode/methods/engine_splitting.hpp"
#include "polhode/methods/engine_steps.hpp"
#include "polhode/methods/free_exact.hpp"
#include "polhode/methods/hulbert_staggered.hpp"
#include "polhode/methods/implicit_midpoint.hpp"
#include "polhode/methods/leapfrog.hpp"
#include "polhode/methods/lie_midpoint.hpp"
#include "polhode/methods/lie_verlet.hpp"
#include "polhode/methods/magnus.hpp"
#include "polhode/methods/moser_veselov.hpp"
#include "polhode/methods/multistep.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/newmark.hpp"
#include "polhode/methods/newmark_beta.hpp"
#include "polhode/methods/newmark_matrix.hpp"
#include "polhode/methods/newmark_spatial.hpp"
#include "polhode/methods/no_squish.hpp"
#include "polhode/methods/picard_lobatto.hpp"
#include "polhode/methods/quaternion_series.hpp"
#include "polhode/methods/rotor_adams.hpp"
#include "polhode/methods/rotor_extrapolated.hpp"
#include "polhode/methods/rotor_force_gradient.hpp"
#include "polhode/methods/rotor_splitting.hpp"
#include "polhode/methods/runge_kutta.hpp"
#include "polhode/methods/simo_wong.hpp"
#include "polhode/methods/taylor.hpp"
#include "polhode/methods/taylor_adaptive.hpp"
#include "polhode/methods/textbook.hpp"
#include "polhode/methods/variational.hpp"

namespace polhode {

// A method without its name, for a template that is to depend on the method alone: nvcc cannot write down the name of a
// kernel with a string among its arguments.
template <class M>
struct Entry {
  using Method = M;
};

// A method under its run-time name, with aliases.
template <FixedString Name, class M, FixedString... Aliases>
struct Named : Entry<M> {
  static_assert(assert_method<M>());
  static constexpr std::string_view name = Name.view();
  static constexpr std::array<std::string_view, sizeof...(Aliases)> aliases{Aliases.view()...};
};

template <class... Entries>
struct MethodList {
  static constexpr std::size_t size = sizeof...(Entries);
  template <class Function>
  static void for_each(Function&& function) {
    (function(Entries{}), ...);
  }
};

template <int A, int B, int C>
using CayleySplitting = AxisSplitting<A, B, C, CayleyMap>;

// The kernel that serves a method beside others, with the order of the axes as a number. With a torque it is as fast.
template <class M>
struct InAnyOrder {
  using type = M;
};
template <int A, int B, int C, class Map>
struct InAnyOrder<AxisSplitting<A, B, C, Map>> {
  using type = AnyAxisSplitting<Map>;
};
template <class Base>
struct InAnyOrder<TripleJump<Base>> {
  using type = TripleJump<typename InAnyOrder<Base>::type>;
};

// clang-format off
using Catalogue = MethodList<
    Named<"taylor-1", Taylor<1>, "lie-euler">,
    Named<"taylor-2", Taylor<2>>,
    Named<"taylor-3-false", Taylor<3, Rule::without_bracket>>,
    Named<"taylor-2-augmented", Taylor<2, Rule::augmented>>,
    Named<"taylor-3", Taylor<3, Rule::averaged_rate>>,
    Named<"taylor-3-plain", Taylor<3>>,
    Named<"taylor-4", Taylor<4>>,
    Named<"taylor-5", Taylor<5>>,
    Named<"taylor-6", Taylor<6>>,
    Named<"taylor-7", Taylor<7>>,
    Named<"taylor-8", Taylor<8>>,
    Named<"taylor-9", Taylor<9>>,
    Named<"taylor-10", Taylor<10>>,
    Named<"taylor-11", Taylor<11>>,
    Named<"taylor-12", Taylor<12>>,
    Named<"taylor-adaptive", TaylorAdaptive>,
    Named<"quaternion-series-8", QuaternionSeries<8>>,
    Named<"quaternion-series-12", QuaternionSeries<12>>,
    Named<"mclachlan-reich-123", AxisSplitting<1, 2, 3>, "mclachlan-reich", "lie-poisson", "LP2">,
    Named<"mclachlan-reich-132", AxisSplitting<1, 3, 2>>,
    Named<"mclachlan-reich-213", AxisSplitting<2, 1, 3>>,
    Named<"mclachlan-reich-231", AxisSplitting<2, 3, 1>>,
    Named<"mclachlan-reich-312", AxisSplitting<3, 1, 2>>,
    Named<"mclachlan-reich-321", AxisSplitting<3, 2, 1>>,
    Named<"mclachlan-reich-4-123", TripleJump<AxisSplitting<1, 2, 3>>, "mclachlan-reich-4">,
    Named<"mclachlan-reich-4-132", TripleJump<AxisSplitting<1, 3, 2>>>,
    Named<"mclachlan-reich-4-213", TripleJump<AxisSplitting<2, 1, 3>>>,
    Named<"mclachlan-reich-4-231", TripleJump<AxisSplitting<2, 3, 1>>>,
    Named<"mclachlan-reich-4-312", TripleJump<AxisSplitting<3, 1, 2>>>,
    Named<"mclachlan-reich-4-321", TripleJump<AxisSplitting<3, 2, 1>>>,
    Named<"mclachlan-reich-cayley-123", CayleySplitting<1, 2, 3>, "mclachlan-reich-cayley">,
    Named<"mclachlan-reich-cayley-132", CayleySplitting<1, 3, 2>>,
    Named<"mclachlan-reich-cayley-213", CayleySplitting<2, 1, 3>>,
    Named<"mclachlan-reich-cayley-231", CayleySplitting<2, 3, 1>>,
    Named<"mclachlan-reich-cayley-312", CayleySplitting<3, 1, 2>>,
    Named<"mclachlan-reich-cayley-321", CayleySplitting<3, 2, 1>>,
    Named<"mclachlan-reich-cayley-4-123", TripleJump<CayleySplitting<1, 2, 3>>, "mclachlan-reich-cayley-4">,
    Named<"mclachlan-reich-cayley-4-132", TripleJump<CayleySplitting<1, 3, 2>>>,
    Named<"mclachlan-reich-cayley-4-213", TripleJump<CayleySplitting<2, 1, 3>>>,
    Named<"mclachlan-reich-cayley-4-231", TripleJump<CayleySplitting<2, 3, 1>>>,
    Named<"mclachlan-reich-cayley-4-312", TripleJump<CayleySplitting<3, 1, 2>>>,
    Named<"mclachlan-reich-cayley-4-321", TripleJump<CayleySplitting<3, 2, 1>>>,
    Named<"no-squish", NoSquish>,
    Named<"rk4-average", RungeKutta4<MeanVelocity>>,
    Named<"rk4-quaternion", RungeKutta4<MeanQuaternion>>,
    Named<"rk4-spherical", RungeKutta4<MeanOnSphere>>,
    Named<"rkmk-4", MuntheKaas4>,
    Named<"commutator-free-4", CommutatorFree4>,
    Named<"magnus-4", Magnus4>,
    Named<"magnus-6", GaussExpansion<MagnusOfOrder6>>,
    Named<"fer-4", GaussExpansion<FerOfOrder4>>,
    Named<"textbook-euler", TextbookEuler>,
    Named<"textbook-rk4", TextbookRungeKutta4>,
    Named<"engine-polhode", EnginePolhode>,
    Named<"engine-semi-implicit-euler", EngineSemiImplicitEuler>,
    Named<"engine-implicit-gyroscopic", EngineImplicitGyroscopic>,
    Named<"engine-momentum-clamp", EngineMomentumClamp>,
    Named<"engine-symmetric-splitting", SymmetricSplitting<2>>,
    Named<"engine-symmetric-splitting-4", SymmetricSplitting<4>>,
    Named<"abm4", AdamsBashforthMoulton4<>>,
    Named<"abm4-buss", AdamsBashforthMoulton4<TurnAsPrinted>>,
    Named<"abm4-quaternion", AdamsBashforthMoulton4<MeanTurnInSpace>>,
    Named<"abm4-spherical", AdamsBashforthMoulton4<MeanTurnOnSphere>>,
    Named<"abm4-quaternion-rate", AdamsBashforthMoulton4<QuaternionRates>>,
    Named<"simo-wong-ab2", SimoWongExplicit<false>>,
    Named<"simo-wong-buss", SimoWongExplicit<true>>,
    Named<"newmark", Newmark<>, "NMB">,
    Named<"newmark-spatial", NewmarkSpatial, "NMS">,
    Named<"newmark-cayley", Newmark<Increment::cayley>>,
    Named<"newmark-gamma", NewmarkGamma>,
    Named<"newmark-beta", NewmarkBeta>,
    Named<"newmark-matrix", NewmarkMatrix<false>>,
    Named<"newmark-matrix-orthogonal", NewmarkMatrix<true>>,
    Named<"simo-wong", SimoWong, "SW">,
    Named<"hulbert-staggered", HulbertStaggered, "HSTAGM">,
    Named<"energy-momentum", EnergyMomentum, "LS">,
    Named<"implicit-midpoint", ImplicitMidpoint<>, "AKW", "IMR">,
    Named<"implicit-midpoint-exp", ImplicitMidpoint<Increment::exponential>>,
    Named<"moser-veselov", MoserVeselov<Uncorrected>, "DMV">,
    Named<"moser-veselov-4", MoserVeselov<RescaledStep<4>>, "DMV4">,
    Named<"moser-veselov-6", MoserVeselov<RescaledStep<6>>, "DMV6">,
    Named<"moser-veselov-full-4", MoserVeselov<ModifiedInertia<4>>>,
    Named<"moser-veselov-full-6", MoserVeselov<ModifiedInertia<6>>>,
    Named<"moser-veselov-full-8", MoserVeselov<ModifiedInertia<8>>>,
    Named<"moser-veselov-full-10", MoserVeselov<ModifiedInertia<10>>>,
    Named<"crouch-grossman-rk4", CrouchGrossman<ClassicalTable>>,
    Named<"crouch-grossman-3", CrouchGrossman<TableOfOrder3>>,
    Named<"crouch-grossman-4", CrouchGrossman<TableOfOrder4>>,
    Named<"variational", Variational, "VAR">,
    Named<"variational-legendre", VariationalLegendre>,
    Named<"lie-midpoint", LieMidpoint<1>, "LIEMID", "engine-midpoint">,
    Named<"lie-midpoint-ea", LieMidpoint<2>, "LIEMID[EA]">,
    Named<"lie-verlet", LieVerlet, "VLV">,
    Named<"leapfrog-fincham", LeapfrogFincham>,
    Named<"leapfrog-svanberg", LeapfrogSvanberg>,
    Named<"picard-lobatto-8", PicardLobatto<4, 5>>,
    Named<"picard-lobatto-16", PicardLobatto<8, 10>>,
    Named<"free-exact", FreeExact>,
    Named<"rotor-verlet", RotorVerlet>,
    Named<"rotor-srkn6b", RotorSplitting<Nystrom6bShares>>,
    Named<"rotor-srkn11b", RotorSplitting<Nystrom11bShares>>,
    Named<"rotor-srkn14a", RotorSplitting<Nystrom14aShares>>,
    Named<"rotor-force-gradient-4", RotorForceGradient4>,
    Named<"rotor-extrapolated-4", RotorExtrapolated<4>>,
    Named<"rotor-extrapolated-6", RotorExtrapolated<6>>,
    Named<"rotor-extrapolated-8", RotorExtrapolated<8>>,
    Named<"rotor-extrapolated-10", RotorExtrapolated<10>>,
    Named<"rotor-extrapolated-12", RotorExtrapolated<12>>,
    Named<"rotor-extrapolated-14", RotorExtrapolated<14>>,
    Named<"rotor-adams-6", RotorAdams<5>>,
    Named<"rotor-adams-8", RotorAdams<7>>,
    Named<"rotor-adams-10", RotorAdams<9>>,
    Named<"dumbbell-variational", DumbbellVariational>,
    Named<"dumbbell-midpoint", DumbbellMidpoint>,
    Named<"dumbbell-conserving", DumbbellConserving>>;
// clang-format on

}  // namespace polhode
