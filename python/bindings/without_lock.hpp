// Work without Python's lock, which Ctrl-C ends.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <functional>

namespace polhode::python {

namespace py = pybind11;

// What went wrong in Python code that was called from the library. The first exception is kept, and the work is told to
// stop; it comes out of without_lock(). One for each call: other threads may be at work, too.
class Trouble {
 public:
  Trouble() = default;
  Trouble(const Trouble&) = delete;
  Trouble& operator=(const Trouble&) = delete;

  // Keeps the exception that Python has set, whose lock the caller holds.
  void take();
  bool any() const { return any_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& stop() const { return stop_; }
  void ask_to_stop() { stop_.store(true, std::memory_order_relaxed); }
  // Throws what was kept.
  void rethrow() const;

 private:
  py::object exception_;
  std::atomic<bool> any_{false}, stop_{false};
};

// Where exceptions go in a thread that is at such work; a null pointer elsewhere.
Trouble* current_trouble();
// Keeps the exception that Python has set for whoever asked for the work of this thread.
void keep_exception();

// Calls Python code from the library. False where it throws, or something has thrown before: the work then ends.
template <class Call>
bool with_lock(const Call& call) {
  if (const Trouble* trouble = current_trouble(); trouble != nullptr && trouble->any()) return false;
  const py::gil_scoped_acquire lock;
  try {
    call();
    return true;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::exception& error) {
    PyErr_SetString(py::module_::import("polhode._core").attr("Error").ptr(), error.what());
  }
  keep_exception();
  return false;
}

// Runs the work without Python's lock. In the main thread an interrupt (SIGINT) asks it to stop at once; Python's own
// handler has its turn when the work has ended. What the work throws is thrown here; an exception of Python code comes
// first.
void without_lock(Trouble& trouble, const std::function<void()>& work);

// Whether such work is under way, in any thread. Whoever asks holds Python's lock.
bool anybody_at_work();
// At the end of the program, and in a process that was forked, which has only this thread.
void end_all_work();
void forget_other_threads();

}  // namespace polhode::python
