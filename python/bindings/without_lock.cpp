#include "without_lock.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "polhode/core/error.hpp"

namespace polhode::python {
namespace {

// A torque that itself asks for a run, and so on, would end the stack.
constexpr std::ptrdiff_t deepest_runs = 8;

// What is under way; whoever looks holds Python's lock.
struct UnderWay {
  Trouble* trouble;
  unsigned long thread;
};
std::vector<UnderWay> all_under_way;
bool program_ends = false;

thread_local Trouble* current = nullptr;

bool of_this_thread(const UnderWay& one) { return one.thread == PyThread_get_thread_ident(); }

class AtWork {
 public:
  explicit AtWork(Trouble& trouble) : before_(std::exchange(current, &trouble)) {
    all_under_way.push_back({&trouble, PyThread_get_thread_ident()});
  }
  ~AtWork() {
    const auto ours = [this](const UnderWay& one) { return one.trouble == current; };
    all_under_way.erase(std::find_if(all_under_way.begin(), all_under_way.end(), ours));
    current = before_;
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  Trouble* before_;
};

// threading.main_thread, which knows of forks. Never let go: Python may be gone by then.
py::handle main_thread_function;

bool in_main_thread() {
  if (!main_thread_function)
    main_thread_function = py::object(py::module_::import("threading").attr("main_thread")).release();
  const py::object main = main_thread_function();
  return PyThread_get_thread_ident() == main.attr("ident").cast<unsigned long>();
}

// Whose work an interrupt ends, and what Python does with one: it notes it, and looks at its notes between two
// instructions, which there are none of while the library works.
std::atomic<Trouble*> interruptible{nullptr};
std::atomic<int> handlers_at_work{0};
struct sigaction handler_of_python {};

void on_interrupt(int signal, siginfo_t* info, void* context) {
  ++handlers_at_work;
  if (Trouble* const trouble = interruptible.load()) trouble->ask_to_stop();
  --handlers_at_work;
  if ((handler_of_python.sa_flags & SA_SIGINFO) != 0) {
    handler_of_python.sa_sigaction(signal, info, context);
  } else {
    handler_of_python.sa_handler(signal);
  }
}

struct sigaction present_handler() {
  struct sigaction present {};
  ::sigaction(SIGINT, nullptr, &present);
  return present;
}

// In the main thread alone; the work of others is not what was interrupted.
class Interruptible {
 public:
  explicit Interruptible(Trouble& trouble) : is_main_(in_main_thread()) {
    if (!is_main_) return;
    before_ = interruptible.exchange(&trouble);
    const struct sigaction present = present_handler();
    const bool is_handled =
        (present.sa_flags & SA_SIGINFO) != 0 || (present.sa_handler != SIG_DFL && present.sa_handler != SIG_IGN);
    if (before_ != nullptr || !is_handled) return;
    handler_of_python = present;
    struct sigaction ours {};
    ours.sa_sigaction = on_interrupt;
    ours.sa_flags = SA_SIGINFO | (present.sa_flags & (SA_RESTART | SA_ONSTACK));
    ::sigaction(SIGINT, &ours, nullptr);
    installed_ = true;
  }
  ~Interruptible() {
    if (!is_main_) return;
    // Python code that was called may have put another handler there.
    if (const struct sigaction present = present_handler();
        installed_ && (present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_interrupt)
      ::sigaction(SIGINT, &handler_of_python, nullptr);
    interruptible = before_;
    while (handlers_at_work != 0) std::this_thread::yield();  // in another thread, with the trouble in its hand
  }
  bool is_main() const { return is_main_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  bool is_main_, installed_ = false;
  Trouble* before_ = nullptr;
};

[[noreturn]] void raise(PyObject* type) {
  PyErr_SetNone(type);
  throw py::error_already_set();
}

}  // namespace

Trouble* current_trouble() { return current; }

void keep_exception() {
  if (current != nullptr) {
    current->take();
  } else {
    PyErr_WriteUnraisable(nullptr);
  }
}

void Trouble::take() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  const auto taken = py::reinterpret_steal<py::object>(value);
  if (!any_) exception_ = taken;
  any_ = true;
  stop_ = true;
}

void Trouble::rethrow() const {
  if (!any_) return;
  PyErr_SetObject(py::type::handle_of(exception_).ptr(), exception_.ptr());
  throw py::error_already_set();
}

void without_lock(Trouble& trouble, const std::function<void()>& work) {
  if (std::count_if(all_under_way.begin(), all_under_way.end(), of_this_thread) >= deepest_runs)
    throw Error(ErrorKind::run_failed, "functions that ask for runs of their own are nested too deeply");
  std::exception_ptr thrown;
  {
    const Interruptible until_here(trouble);
    if (program_ends && !until_here.is_main()) raise(PyExc_SystemExit);
    const AtWork at_work(trouble);
    const py::gil_scoped_release release;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  trouble.rethrow();
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  // By a handler that raises nothing, or by the end of the program.
  if (trouble.stop()) raise(program_ends ? PyExc_SystemExit : PyExc_KeyboardInterrupt);
  if (thrown) std::rethrow_exception(thrown);
}

bool anybody_at_work() { return !all_under_way.empty(); }

// A thread that Python ends while it is in the library takes the process with it.
void end_all_work() {
  program_ends = true;
  for (const UnderWay& one : all_under_way)
    if (!of_this_thread(one)) one.trouble->ask_to_stop();
  constexpr int longest = 200;  // in hundredths of a second
  for (int i = 0; i < longest && !std::all_of(all_under_way.begin(), all_under_way.end(), of_this_thread); ++i) {
    const py::gil_scoped_release release;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void forget_other_threads() {
  std::erase_if(all_under_way, [](const UnderWay& one) { return !of_this_thread(one); });
}

}  // namespace polhode::python
