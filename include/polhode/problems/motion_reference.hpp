// The motion of any situation to rounding, computed where somebody asks for it, and kept.
//
// Two integrators go the way side by side in a scalar wider than that of the run: Lie-Taylor steps (reference.hpp), whose
// state is the reference, and the method taylor-adaptive, which carries a quaternion and the spatial momentum instead and
// starts as far aside as the data are rounded. What they share are the torque's formulas. Twice their distance is the
// uncertainty: it has what each leaves out, what rounding does on the way, and how the motion magnifies both.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "polhode/problems/reference.hpp"

namespace polhode {

class quad;
template <class T>
class KeptMotion;

struct ReferenceControl {
  std::function<void(double seconds)> announce;               // about how long it will take, when a small part is done
  std::function<void(double done, double seconds)> progress;  // the fraction, and the time so far; ten times a second
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string& sentence)> warn;  // what was kept cannot be used, or nothing can be kept
};

// Where references outlive the program: texts under names. Both may throw Error, which costs no more than what is kept.
class ReferenceStore {
 public:
  virtual ~ReferenceStore() = default;
  virtual std::string load(const std::string& name) = 0;  // empty where there is none
  virtual void save(const std::string& name, const std::string& text) = 0;
  virtual std::string place(const std::string& name) const = 0;  // for messages: the file
};

// Safe to ask from several threads, one of which computes while the others wait.
class MotionReference {
 public:
  explicit MotionReference(Setup setup, std::shared_ptr<ReferenceStore> store = nullptr);
  ~MotionReference();
  MotionReference(const MotionReference&) = delete;
  MotionReference& operator=(const MotionReference&) = delete;

  // The state at time t [s]; for T = long double and quad. Where a motion magnifies rounding so much that a long double is
  // uncertain by a microradian, it is found in quad and rounded. A time that is before an impulse by no more than `rounding` [s]
  // counts as that of the impulse. Goes on from the nearest state that is known, also from one that an earlier program or
  // an interrupted call has left. Throws SetupError for a torque without power series, Error (run_failed) where the motion
  // ends (propagated()), and Error (interrupted).
  template <class T>
  Reference<T> at(const std::type_identity_t<T>& t, double rounding = 0, const ReferenceControl& control = {});

 private:
  template <class T>
  Reference<T> in_its_scalar(const T& t, double rounding, const ReferenceControl& control);
  template <class T>
  std::unique_ptr<KeptMotion<T>>& kept();

  Setup setup_;
  std::shared_ptr<ReferenceStore> store_;
  std::mutex mutex_;
  std::unique_ptr<KeptMotion<long double>> in_long_double_;
  std::unique_ptr<KeptMotion<quad>> in_quad_;
};

}  // namespace polhode
