// The C interface for engines: many bodies at once.
#include <algorithm>
#include <array>
#include <climits>
#include <type_traits>

#include "c_engine.hpp"

namespace polhode::c_engine {
namespace {

// Things at equal distances in the memory of the caller, of which a list may choose some.
template <class T>
struct Chosen {
  detail::Strided<T> all;
  const std::uint32_t* list;

  std::size_t place(std::size_t i) const { return list == nullptr ? i : list[i]; }
  T* operator+(std::size_t i) const { return all + place(i); }
  T& operator[](std::size_t i) const { return *(*this + i); }
  friend bool operator==(const Chosen& a, std::nullptr_t) { return a.all.first == nullptr; }
  // Without the first ones.
  Chosen from(std::size_t i) const {
    return list == nullptr ? Chosen{{all + i, all.distance}, nullptr} : Chosen{all, list + i};
  }
};

// A batch that has been checked: bodies 0 to size are those that are to be stepped.
template <class T>
struct Batch {
  std::size_t count, size;
  Chosen<const Inertia<T>> bodies;
  Chosen<const Vec3<T>> torques;
  int kind;
  const StepOptions<T>* options;
  const std::uint32_t* awake;
  int* statuses;
  std::size_t* first_refused;

  bool side_by_side() const { return options == nullptr && kind == POLHODE_TORQUE_S; }
  Vec3<T> torque(std::size_t i) const { return torques == nullptr ? Vec3<T>{} : torques[i]; }

  // Tells the caller; returns whether the body has been refused.
  bool report(std::size_t i, int status) const {
    const std::size_t place = bodies.place(i);
    if (statuses != nullptr) statuses[place] = status;
    if (status != POLHODE_ENGINE_OK && first_refused != nullptr && *first_refused == count) *first_refused = place;
    return status != POLHODE_ENGINE_OK;
  }
};

constexpr bool fits(std::size_t stride, std::size_t size, std::size_t number) {
  return stride >= size && stride % number == 0;
}

// Bodies are looked at in blocks, so that states as they were before the step have room.
constexpr std::size_t block_length = 64;

// Steps some bodies from the first-th; `report` is told of each in their order. What is refused stays as it was.
template <class T, class Report>
std::size_t step_block(const Chosen<Spin<T>>& states, const Batch<T>& batch, std::size_t first, std::size_t length, T h,
                       const Report& report) {
  std::size_t refused = 0;
  if (!batch.side_by_side()) {
    for (std::size_t i = 0; i < length; ++i) {
      const int status =
          step_by(states[i], batch.bodies[first + i], batch.torque(first + i), batch.kind, h, batch.options);
      refused += report(i, status) ? 1 : 0;
    }
    return refused;
  }
  std::array<Spin<T>, block_length> before;
  for (std::size_t i = 0; i < length; ++i) before[i] = states[i];
  refused =
      detail::step_ordered(states, batch.bodies.from(first), batch.torques.from(first), detail::InOrder{}, length, h);
  for (std::size_t i = 0; i < length; ++i) {
    const int status = refused == 0 ? POLHODE_ENGINE_OK
                                    : step_by<T>(before[i], batch.bodies[first + i], batch.torque(first + i),
                                                 POLHODE_TORQUE_S, h, nullptr);
    report(i, status);
  }
  return refused;
}

template <class T>
int step_spins(Spin<T>* spins, std::size_t stride, const Batch<T>& batch, T h) {
  const Chosen<Spin<T>> states{{spins, stride}, batch.awake};
  if (batch.side_by_side() && batch.statuses == nullptr && batch.first_refused == nullptr)
    return static_cast<int>(
        detail::step_ordered(states, batch.bodies, batch.torques, detail::InOrder{}, batch.size, h));
  std::size_t refused = 0;
  for (std::size_t first = 0; first < batch.size; first += block_length)
    refused += step_block(states.from(first), batch, first, std::min(block_length, batch.size - first), h,
                          [&](std::size_t i, int status) { return batch.report(first + i, status); });
  return static_cast<int>(refused);
}

// Numbers of the caller, and what is kept beside them.
template <class T>
struct Arrays {
  Chosen<T> attitudes, rates;
  Chosen<Spin<T>> kept;
  QuaternionOrder order;
  int kind;

  // A velocity is the one that was written last, and so the momentum is still what it was then; or somebody has changed it.
  Spin<T> read_state(std::size_t i, const Inertia<T>& body) const {
    Spin<T> state = kept == nullptr ? Spin<T>{} : kept[i];
    const Rotation<T> q = rotation_from<T>(attitudes + i, order);
    const Vec3<T> rate = vector_at(rates + i);
    if (kind == POLHODE_MOMENTUM_S) {
      state.L = rate;
    } else if (!(kept != nullptr && q == state.R_SB && rate == velocity(state, body))) {
      const Rotation<T> attitude = sound(q) ? unit(q) : q;
      state.L = kind == POLHODE_VELOCITY_S ? momentum_of(body, attitude, rate) : attitude * body.momentum(rate);
    }
    state.R_SB = q;
    return state;
  }
  void write_state(std::size_t i, const Spin<T>& state, const Inertia<T>& body) const {
    T* const q = attitudes + i;
    rotation_into(q, state.R_SB, order);
    write(rates + i, kind == POLHODE_MOMENTUM_S ? state.L : velocity(state, body));
    if (kept != nullptr) kept[i] = state;
  }

 private:
  Vec3<T> velocity(const Spin<T>& state, const Inertia<T>& body) const {
    return kind == POLHODE_VELOCITY_S ? angular_velocity_spatial(state, body) : angular_velocity_body(state, body);
  }
};

template <class T>
int step_arrays(const Arrays<T>& arrays, const Batch<T>& batch, T h) {
  std::array<Spin<T>, block_length> states;
  std::size_t refused = 0;
  for (std::size_t first = 0; first < batch.size; first += block_length) {
    const std::size_t length = std::min(block_length, batch.size - first);
    for (std::size_t i = 0; i < length; ++i) states[i] = arrays.read_state(first + i, read(batch.bodies[first + i]));
    const Chosen<Spin<T>> local{{states.data(), sizeof(Spin<T>)}, nullptr};
    refused += step_block(local, batch, first, length, h, [&](std::size_t i, int status) {
      if (status == POLHODE_ENGINE_OK)
        arrays.write_state(first + i, states[i], read(batch.bodies[first + i]));
      else if (status == POLHODE_ENGINE_BAD_MOMENTUM && arrays.kind != POLHODE_MOMENTUM_S)
        status = POLHODE_ENGINE_BAD_VELOCITY;
      return batch.report(first + i, status);
    });
  }
  return static_cast<int>(refused);
}

// Calls `with` with a batch that can be stepped, unless there is something wrong with it or nothing in it.
template <class T, class CBatch, class With>
int checked(const CBatch& c, T h, const With& with) {
  if (c.first_refused != nullptr) *c.first_refused = c.count;
  const std::size_t size = c.awake == nullptr ? c.count : c.awake_count;
  if (c.count > INT_MAX || size > INT_MAX) return POLHODE_ENGINE_BAD_COUNT;
  if (c.torque_kind < POLHODE_TORQUE_S || c.torque_kind > POLHODE_TORQUE_HELD) return POLHODE_ENGINE_BAD_KIND;
  if (!isfinite(h)) return POLHODE_ENGINE_BAD_STEP;
  StepOptions<T> options;
  if (c.options != nullptr) {
    options = read_options<T>(*c.options);
    if (!options.valid() || c.torque_kind == POLHODE_TORQUE_HELD) return POLHODE_ENGINE_BAD_OPTIONS;
  }
  if (size == 0) return POLHODE_ENGINE_OK;
  if (c.inertias == nullptr) return POLHODE_ENGINE_NO_INERTIAS;
  if (c.inertia_stride != 0 && !fits(c.inertia_stride, sizeof(Inertia<T>), sizeof(T)))
    return POLHODE_ENGINE_BAD_INERTIA_STRIDE;
  if (c.torques != nullptr && c.torque_stride != 0 && !fits(c.torque_stride, sizeof(Vec3<T>), sizeof(T)))
    return POLHODE_ENGINE_BAD_TORQUE_STRIDE;
  if (c.awake != nullptr && std::any_of(c.awake, c.awake + size, [&c](std::uint32_t i) { return i >= c.count; }))
    return POLHODE_ENGINE_BAD_INDEX;
  const auto* const torques = reinterpret_cast<const Vec3<T>*>(c.torques);
  return with(Batch<T>{c.count,
                       size,
                       {{in_cpp(c.inertias), c.inertia_stride}, c.awake},
                       {{torques, torques == nullptr ? 0 : c.torque_stride}, c.awake},
                       c.torque_kind,
                       c.options == nullptr ? nullptr : &options,
                       c.awake,
                       c.statuses,
                       c.first_refused});
}

template <class T, class CBatch>
int step_checked_spins(Spin<T>* spins, std::size_t stride, const CBatch* c, T h) {
  if (c == nullptr) return POLHODE_ENGINE_NULL_POINTER - 3;
  return checked<T>(*c, h, [=](const Batch<T>& batch) {
    if (spins == nullptr) return POLHODE_ENGINE_NULL_POINTER - 1;
    if (!fits(stride, sizeof(Spin<T>), sizeof(T))) return int{POLHODE_ENGINE_BAD_SPIN_STRIDE};
    return step_spins(spins, stride, batch, h);
  });
}

template <class T, class CArrays, class CBatch>
int step_checked_arrays(const CArrays* a, const CBatch* c, T h) {
  if (const int null = null_among({a, c})) return null;
  if ((a->attitude_order != POLHODE_WXYZ && a->attitude_order != POLHODE_XYZW) || a->rate_kind < POLHODE_MOMENTUM_S ||
      a->rate_kind > POLHODE_VELOCITY_B)
    return POLHODE_ENGINE_BAD_KIND;
  return checked<T>(*c, h, [=](const Batch<T>& batch) -> int {
    if (a->attitudes == nullptr) return POLHODE_ENGINE_NO_ATTITUDES;
    if (a->rates == nullptr) return POLHODE_ENGINE_NO_RATES;
    if (!fits(a->attitude_stride, 4 * sizeof(T), sizeof(T))) return POLHODE_ENGINE_BAD_ATTITUDE_STRIDE;
    if (!fits(a->rate_stride, 3 * sizeof(T), sizeof(T))) return POLHODE_ENGINE_BAD_RATE_STRIDE;
    if (a->kept != nullptr && !fits(a->kept_stride, sizeof(Spin<T>), sizeof(T))) return POLHODE_ENGINE_BAD_SPIN_STRIDE;
    const auto order = a->attitude_order == POLHODE_WXYZ ? QuaternionOrder::wxyz : QuaternionOrder::xyzw;
    return step_arrays<T>({{{a->attitudes, a->attitude_stride}, batch.awake},
                           {{a->rates, a->rate_stride}, batch.awake},
                           {{in_cpp(a->kept), a->kept_stride}, batch.awake},
                           order,
                           a->rate_kind},
                          batch, h);
  });
}

}  // namespace
}  // namespace polhode::c_engine

using namespace polhode::c_engine;

int polhode_step_spins(polhode_spin* spins, size_t spin_stride, const polhode_batch* batch, double h) {
  return step_checked_spins(in_cpp(spins), spin_stride, batch, h);
}
int polhode_step_spins_f(polhode_spin_f* spins, size_t spin_stride, const polhode_batch_f* batch, float h) {
  return step_checked_spins(in_cpp(spins), spin_stride, batch, h);
}
int polhode_step_arrays(const polhode_arrays* arrays, const polhode_batch* batch, double h) {
  return step_checked_arrays(arrays, batch, h);
}
int polhode_step_arrays_f(const polhode_arrays_f* arrays, const polhode_batch_f* batch, float h) {
  return step_checked_arrays(arrays, batch, h);
}
