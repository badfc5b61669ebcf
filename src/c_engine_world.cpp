// The C interface for engines: bodies by handles.
#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "c_engine.hpp"

namespace polhode::c_engine {
namespace {

int step_spins(Spin<double>* spins, const polhode_batch& batch, double h) {
  return polhode_step_spins(reinterpret_cast<polhode_spin*>(spins), sizeof(polhode_spin), &batch, h);
}
int step_spins(Spin<float>* spins, const polhode_batch_f& batch, float h) {
  return polhode_step_spins_f(reinterpret_cast<polhode_spin_f*>(spins), sizeof(polhode_spin_f), &batch, h);
}

}  // namespace

// Bodies have slots, which are used again. Those that are awake are listed in no order, and know their places in the list.
template <class T>
class World {
 public:
  using Batch = std::conditional_t<std::is_same_v<T, float>, polhode_batch_f, polhode_batch>;
  using Options = std::conditional_t<std::is_same_v<T, float>, polhode_step_options_f, polhode_step_options>;
  using CInertia = std::conditional_t<std::is_same_v<T, float>, polhode_inertia_f, polhode_inertia>;

  struct Body {
    Spin<T>* state;
    Inertia<T>* inertia;
    Vec3<T>* torque;
    std::uint32_t slot;
  };

  // After this nothing is allocated until there are more bodies than `count`.
  void make_room(std::size_t count) {
    states_.reserve(count);
    inertias_.reserve(count);
    torques_.reserve(count);
    slots_.reserve(count);
    awake_.reserve(count);
    free_.reserve(count);
    room_ = std::max(room_, count);
  }

  int add(const Spin<T>& state, const Inertia<T>& inertia, std::uint64_t& id) {
    if (const int fault = fault_in(state, inertia)) return fault;
    if (free_.empty()) {
      if (slots_.size() >= INT32_MAX) return POLHODE_ENGINE_NO_MEMORY;
      if (slots_.size() == room_) make_room(2 * room_ + 8);
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      states_.emplace_back();
      inertias_.push_back(Inertia<T>::immovable());
      torques_.emplace_back();
      slots_.emplace_back();
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    states_[slot] = state;
    inertias_[slot] = read(inertia);
    torques_[slot] = {};
    slots_[slot].used = true;
    wake(slot);
    ++count_;
    id = id_of(slot);
    return POLHODE_ENGINE_OK;
  }

  // Null pointers in it where there is no such body.
  Body find(std::uint64_t id) {
    const std::uint64_t slot = (id & 0xffffffffu) - 1;
    if (slot >= slots_.size() || !slots_[slot].used || slots_[slot].generation != id >> 32) return {};
    return {&states_[slot], &inertias_[slot], &torques_[slot], static_cast<std::uint32_t>(slot)};
  }

  void remove(std::uint32_t slot) {
    sleep(slot);
    slots_[slot].used = false;
    ++slots_[slot].generation;
    free_.push_back(slot);
    --count_;
  }
  bool awake(std::uint32_t slot) const { return slots_[slot].place != asleep; }
  void wake(std::uint32_t slot) {
    if (awake(slot)) return;
    slots_[slot].place = static_cast<std::uint32_t>(awake_.size());
    awake_.push_back(slot);
  }
  void sleep(std::uint32_t slot) {
    if (!awake(slot)) return;
    const std::uint32_t place = slots_[slot].place, last = awake_.back();
    awake_[place] = last;
    slots_[last].place = place;
    slots_[slot].place = asleep;
    awake_.pop_back();
  }
  std::size_t count() const { return count_; }

  int step(T h, const Options* options, std::uint64_t* first_refused) {
    std::size_t first = states_.size();
    Batch batch{};
    batch.count = states_.size();
    batch.inertias = reinterpret_cast<const CInertia*>(inertias_.data());
    batch.inertia_stride = sizeof(CInertia);
    batch.torques = pushed_ ? &torques_.data()->x : nullptr;
    batch.torque_stride = sizeof(Vec3<T>);
    batch.options = options;
    static const std::uint32_t none = 0;
    batch.awake = awake_.empty() ? &none : awake_.data();
    batch.awake_count = awake_.size();
    batch.first_refused = first_refused == nullptr ? nullptr : &first;
    const int refused = step_spins(states_.data(), batch, h);
    if (first_refused != nullptr) *first_refused = refused > 0 ? id_of(static_cast<std::uint32_t>(first)) : 0;
    if (refused >= 0 && pushed_) {
      for (const std::uint32_t slot : awake_) torques_[slot] = {};
      pushed_ = awake_.size() < count_;  // who sleeps may have kept one
    }
    return refused;
  }
  void push(Vec3<T>& torque, const Vec3<T>& sum) {
    torque = sum;
    pushed_ = true;
  }

 private:
  static constexpr std::uint32_t asleep = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t generation = 0, place = asleep;
    bool used = false;
  };

  std::uint64_t id_of(std::uint32_t slot) const {
    return std::uint64_t{slots_[slot].generation} << 32 | (std::uint64_t{slot} + 1);
  }

  std::vector<Spin<T>> states_;
  std::vector<Inertia<T>> inertias_;
  std::vector<Vec3<T>> torques_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> awake_, free_;
  std::size_t room_ = 0, count_ = 0;
  bool pushed_ = false;
};

}  // namespace polhode::c_engine

struct polhode_world : polhode::c_engine::World<double> {};
struct polhode_world_f : polhode::c_engine::World<float> {};

namespace polhode::c_engine {
namespace {

template <class W>
W* create(std::size_t room_for) {
  W* world = nullptr;
  try {
    world = new W;
    world->make_room(room_for);
    return world;
  } catch (const std::exception&) {
    delete world;
    return nullptr;
  }
}

template <class W, class T>
int add(W* world, const Spin<T>* state, const Inertia<T>* inertia, std::uint64_t* id) {
  if (const int null = null_among({world, state, inertia, id})) return null;
  try {
    return world->add(*state, *inertia, *id);
  } catch (const std::exception&) {
    return POLHODE_ENGINE_NO_MEMORY;
  }
}

// Calls `with` with the body of this id; `argument` is the third of the function.
template <class W, class With>
int with_body(W* world, std::uint64_t id, const void* argument, const With& with) {
  if (const int null = null_among({world, given, argument})) return null;
  const auto body = const_cast<std::remove_const_t<W>*>(world)->find(id);
  return body.state == nullptr ? POLHODE_ENGINE_NO_BODY : with(body);
}

template <class W>
int remove(W* world, std::uint64_t id) {
  return with_body(world, id, given, [world](const auto& body) {
    world->remove(body.slot);
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W, class T>
int get(const W* world, std::uint64_t id, Spin<T>* state) {
  return with_body(world, id, state, [state](const auto& body) {
    *state = *body.state;
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W, class T>
int set(W* world, std::uint64_t id, const Spin<T>* state) {
  return with_body(world, id, state, [state](const auto& body) {
    const int fault = fault_in(*state, *body.inertia);
    if (fault == POLHODE_ENGINE_OK) *body.state = *state;
    return fault;
  });
}
template <class W, class T>
int get_inertia(const W* world, std::uint64_t id, Inertia<T>* inertia) {
  return with_body(world, id, inertia, [inertia](const auto& body) {
    *inertia = *body.inertia;
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W, class T>
int set_inertia(W* world, std::uint64_t id, const Inertia<T>* inertia) {
  return with_body(world, id, inertia, [inertia](const auto& body) {
    if (!sound(*inertia)) return int{POLHODE_ENGINE_BAD_INERTIA};
    *body.inertia = read(*inertia);
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W, class T>
int add_impulse(W* world, std::uint64_t id, const T* impulse_S) {
  return with_body(world, id, impulse_S, [impulse_S](const auto& body) {
    const Vec3<T> L = body.state->L + vector_at(impulse_S);
    if (!sound_momentum(L)) return int{POLHODE_ENGINE_BAD_IMPULSE};
    body.state->L = L;
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W, class T>
int add_torque(W* world, std::uint64_t id, const T* torque_S) {
  return with_body(world, id, torque_S, [world, torque_S](const auto& body) {
    const Vec3<T> sum = *body.torque + vector_at(torque_S);
    if (!all_finite(sum)) return int{POLHODE_ENGINE_BAD_TORQUE};
    world->push(*body.torque, sum);
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W>
int set_awake(W* world, std::uint64_t id, bool awake) {
  return with_body(world, id, given, [world, awake](const auto& body) {
    awake ? world->wake(body.slot) : world->sleep(body.slot);
    return int{POLHODE_ENGINE_OK};
  });
}
template <class W>
int is_awake(const W* world, std::uint64_t id) {
  return with_body(world, id, given, [world](const auto& body) { return world->awake(body.slot) ? 1 : 0; });
}

}  // namespace
}  // namespace polhode::c_engine

using namespace polhode::c_engine;

polhode_world* polhode_world_create(size_t room_for) { return create<polhode_world>(room_for); }
void polhode_world_destroy(polhode_world* world) { delete world; }
int polhode_world_add(polhode_world* world, const polhode_spin* state, const polhode_inertia* inertia, uint64_t* id) {
  return add(world, in_cpp(state), in_cpp(inertia), id);
}
int polhode_world_remove(polhode_world* world, uint64_t id) { return polhode::c_engine::remove(world, id); }
int polhode_world_get(const polhode_world* world, uint64_t id, polhode_spin* state) {
  return get(world, id, in_cpp(state));
}
int polhode_world_set(polhode_world* world, uint64_t id, const polhode_spin* state) {
  return set(world, id, in_cpp(state));
}
int polhode_world_get_inertia(const polhode_world* world, uint64_t id, polhode_inertia* inertia) {
  return get_inertia(world, id, in_cpp(inertia));
}
int polhode_world_set_inertia(polhode_world* world, uint64_t id, const polhode_inertia* inertia) {
  return set_inertia(world, id, in_cpp(inertia));
}
int polhode_world_add_impulse(polhode_world* world, uint64_t id, const double angular_impulse_S[3]) {
  return add_impulse(world, id, angular_impulse_S);
}
int polhode_world_add_torque(polhode_world* world, uint64_t id, const double torque_S[3]) {
  return add_torque(world, id, torque_S);
}
int polhode_world_sleep(polhode_world* world, uint64_t id) { return set_awake(world, id, false); }
int polhode_world_wake(polhode_world* world, uint64_t id) { return set_awake(world, id, true); }
int polhode_world_awake(const polhode_world* world, uint64_t id) { return is_awake(world, id); }
size_t polhode_world_count(const polhode_world* world) { return world == nullptr ? 0 : world->count(); }
int polhode_world_step(polhode_world* world, double h, const polhode_step_options* options, uint64_t* first_refused) {
  return world == nullptr ? POLHODE_ENGINE_NULL_POINTER - 1 : world->step(h, options, first_refused);
}
polhode_world_f* polhode_world_create_f(size_t room_for) { return create<polhode_world_f>(room_for); }
void polhode_world_destroy_f(polhode_world_f* world) { delete world; }
int polhode_world_add_f(polhode_world_f* world, const polhode_spin_f* state, const polhode_inertia_f* inertia,
                        uint64_t* id) {
  return add(world, in_cpp(state), in_cpp(inertia), id);
}
int polhode_world_remove_f(polhode_world_f* world, uint64_t id) { return polhode::c_engine::remove(world, id); }
int polhode_world_get_f(const polhode_world_f* world, uint64_t id, polhode_spin_f* state) {
  return get(world, id, in_cpp(state));
}
int polhode_world_set_f(polhode_world_f* world, uint64_t id, const polhode_spin_f* state) {
  return set(world, id, in_cpp(state));
}
int polhode_world_get_inertia_f(const polhode_world_f* world, uint64_t id, polhode_inertia_f* inertia) {
  return get_inertia(world, id, in_cpp(inertia));
}
int polhode_world_set_inertia_f(polhode_world_f* world, uint64_t id, const polhode_inertia_f* inertia) {
  return set_inertia(world, id, in_cpp(inertia));
}
int polhode_world_add_impulse_f(polhode_world_f* world, uint64_t id, const float angular_impulse_S[3]) {
  return add_impulse(world, id, angular_impulse_S);
}
int polhode_world_add_torque_f(polhode_world_f* world, uint64_t id, const float torque_S[3]) {
  return add_torque(world, id, torque_S);
}
int polhode_world_sleep_f(polhode_world_f* world, uint64_t id) { return set_awake(world, id, false); }
int polhode_world_wake_f(polhode_world_f* world, uint64_t id) { return set_awake(world, id, true); }
int polhode_world_awake_f(const polhode_world_f* world, uint64_t id) { return is_awake(world, id); }
size_t polhode_world_count_f(const polhode_world_f* world) { return world == nullptr ? 0 : world->count(); }
int polhode_world_step_f(polhode_world_f* world, float h, const polhode_step_options_f* options,
                         uint64_t* first_refused) {
  return world == nullptr ? POLHODE_ENGINE_NULL_POINTER - 1 : world->step(h, options, first_refused);
}
