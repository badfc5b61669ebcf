// Bodies that kernels follow side by side, in packs or on a card: their numbers before the first step, and what is kept of
// them at every mark.
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ensemble/called_torque.hpp"
#include "ensemble/cells.hpp"
#include "ensemble/pack_kernels.hpp"
#include "polhode/run/plan.hpp"
#include "run/column_list.hpp"

namespace polhode {

// Attitude, momentum in the body, momentum in space: internal units and axes.
using StateNumbers = std::array<double, 10>;

// In scalar T, double or float.
template <class T>
class SideBySide {
 public:
  // `same_field`: all bodies have the same torque in the same units and axes. The plan must outlive it.
  SideBySide(const Plan& typical, bool same_field);

  // From now on these. False where no run can be made of one.
  bool take(std::span<const Setup> bodies);
  // For fields that the library evaluates, which it does in double.
  FieldsOfBodies fields() const requires std::is_same_v<T, double>;
  // Of body i; beyond the last, of the last.
  polhode_packs::BodyNumbers numbers(std::size_t i, polhode_packs::Field kind) const;

  // The numbers of steps after which states are looked at, the last of them the end.
  const std::vector<long long>& marks() const { return marks_; }
  polhode_packs::Steps steps(long long from, long long to) const;

  // Body i of these, which is body `to` of the chunk.
  void see_start(const StateNumbers& at, std::size_t i, std::size_t to, EnsembleChunk& chunk);
  void see(std::size_t mark, const StateNumbers& at, std::size_t i, std::size_t to, EnsembleChunk& chunk);

 private:
  long long step_at(double t) const;
  T time(const Prepared<T>& prepared, long long taken) const;
  Reached<T> reached(const StateNumbers& at, std::size_t i, long long taken) const;
  BodyState seen(const Reached<T>& at, std::size_t i) const;
  void take_errors(const Reached<T>& end, std::size_t i, std::size_t to, EnsembleChunk& chunk);

  const Plan& plan_;
  bool same_field_;
  RowCells<T> cells_;
  std::vector<long long> marks_;
  std::span<const Setup> setups_;
  std::vector<Prepared<T>> prepared_;
  std::vector<Reached<T>> starts_;
};

// How kernels know the torque.
polhode_packs::Field field_for_lanes(const FieldSum<double>& field);

// Why bodies like this cannot go side by side at all; empty where they can, in the scalar of the plan.
std::string reason_against_lanes(const Plan& plan, const Prepared<double>& prepared);

}  // namespace polhode
