// A step that fails is taken again in two halves, and a half that fails in two halves of its own.
#pragma once

#include <algorithm>
#include <memory>

#include "polhode/methods/registry.hpp"

namespace polhode {

// A solver found no solution, or a number overflowed.
template <class T>
bool failed(const Stepper<T>& stepper) {
  return !stepper.work.converged || !all_finite(stepper.state);
}

// The method must take steps of different sizes (claims.variable_steps).
template <class T>
class Halving {
 public:
  static constexpr long most_pieces = 1024;  // ten halvings

  explicit Halving(Stepper<T>& stepper) : stepper_(stepper), before_(stepper.clone()) {}

  // To be called before every step: the state and the memory to go back to.
  void remember() { before_->copy_from(stepper_); }

  // After a step h that failed. True when the stepper has arrived, in halves. Otherwise a piece of h/most_pieces
  // has failed, and the stepper is as that left it.
  bool retry(const T& h) {
    const T begin = before_->state.t;
    long done = 0, piece = most_pieces, smallest = most_pieces;  // of the step, in units of h/most_pieces
    for (;;) {
      if (failed(stepper_)) {
        if (piece == 1) return false;
        give_up_last_piece();
        piece /= 2;
        smallest = std::min(smallest, piece);
      } else {
        done += piece;
        stepper_.state.t = begin + part(h, done);
        if (done == most_pieces) break;
        remember();
        piece = done & -done;  // two halves that are done make up one; go on with its other half
      }
      stepper_.step(part(h, piece));
    }
    ++steps_halved_;
    pieces_needed_ = std::max(pieces_needed_, most_pieces / smallest);
    return true;
  }

  long long steps_halved() const { return steps_halved_; }
  // The smallest piece that was needed was 1/pieces_needed() of its step.
  long pieces_needed() const { return pieces_needed_; }

  // What is counted; the stepper stores and loads itself.
  void transfer(Archive& archive) { archive(given_up_, steps_halved_, pieces_needed_); }

  // The stepper's work and that of the attempts that failed.
  Work work() const {
    Work all = stepper_.work;
    add_counts(all, given_up_);
    return all;
  }

 private:
  static T part(const T& h, long pieces) { return T(pieces) / T(most_pieces) * h; }

  void give_up_last_piece() {
    add_counts(given_up_, stepper_.work, before_->work);
    stepper_.copy_from(*before_);
  }

  Stepper<T>& stepper_;
  std::unique_ptr<Stepper<T>> before_;
  Work given_up_;
  long long steps_halved_ = 0;
  long pieces_needed_ = 1;
};

}  // namespace polhode
