"""Threads, Ctrl-C, forks and the end of the program. Nothing here asks how long anything takes: what must not block ends by
what another thread or process does meanwhile, or never does. Seconds are printed, for whoever wants to know."""

import contextlib
import faulthandler
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import polhode
from callables import RK, Case, drag, library, solve
from motions import MOMENTS, START, TOP

LONGEST = 600       # seconds until something is said to hang
EXPERIMENTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "experiments")
ENDLESS = {"t_span": (0, 1e9), "method": "rkmk-4", "step": 1e-3, "every": 10**9}


def no_motion(q, pi, t, h, system):
    return q, pi


def is_under_way():
    """Whether the library is at work in any thread: it then lists no methods. Who asks has Python's lock meanwhile."""
    try:
        polhode.Method(no_motion, "probe", order=1)
    except polhode.Error:
        return True
    return False


def wait_until(condition):
    while not condition():
        time.sleep(1e-3)


def in_thread(call, daemon=False):
    thread = threading.Thread(target=call, daemon=daemon)
    thread.start()
    return thread


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def endless():
    polhode.solve(MOMENTS, TOP, START, **ENDLESS)


class Raised(Exception):
    pass


def interrupted(work, kind=KeyboardInterrupt, begun=is_under_way):
    """Does it until Ctrl-C, which another thread presses when it has seen the work under way a few times: for that it needs
    Python's lock. Seconds from there to the exception."""
    pressed = []

    def press():
        for _ in range(20):
            wait_until(begun)
        pressed.append(time.monotonic())
        press_ctrl_c()
    try:
        thread = in_thread(press, daemon=True)
        while True:
            work()
    except kind as error:
        seconds = time.monotonic() - pressed[0]
        assert type(error) is kind, repr(error)
    thread.join()
    return seconds


def expected_y():
    return solve(TOP, t_span=(0, 0.5)).y


# What processes of their own do, by their names.

def works():
    """What takes long or never ends, by all ways into the library."""
    free = {"body": MOMENTS, "start": START, "t_span": (0, 1e9)}
    sol = polhode.solve(MOMENTS, TOP, START, (0, 300), "rkmk-4", step=1e-3, every=10**9)
    times = np.linspace(0, 300, 5000)
    sim = polhode.Simulation(MOMENTS, TOP, START, step=1e-3)
    rotor, far = polhode.FreeRotor(MOMENTS, START), np.linspace(0, 1e4, 10**6)
    polhode.Method(lambda q, pi, t, h, system: (q, pi), "slow-lane", order=1)
    own = {"body": MOMENTS, "torque": TOP, "start": START}
    yield "solve", endless
    yield "events, rows", lambda: polhode.solve(**own, **ENDLESS, events=["wy", "Rzz-0.5"], quantities={"s": "wx^2"})
    yield "quad", lambda: polhode.solve(**own, **ENDLESS, scalar="quad")
    yield "implicit", lambda: polhode.solve(**own, **{**ENDLESS, "method": "implicit-midpoint"})
    yield "adaptive", lambda: polhode.solve(**own, t_span=(0, 1e6), method="taylor-adaptive", tolerance=1e-9)
    yield "free", lambda: polhode.solve(**free, method="free-exact", step=1e-3, every=10**9)
    yield "sensitivities", lambda: polhode.solve(**own, **ENDLESS, sensitivities="start")
    yield "reference", lambda: polhode.solve(**own, t_span=(0, 1e4), method="rkmk-4", step=0.1, reference=True)
    yield "auto", lambda: polhode.solve(**own, t_span=(0, 1e6), tolerance=1e-10)
    yield "auto, a function", lambda: polhode.solve(MOMENTS, drag, START, (0, 200), tolerance=1e-10)
    yield "function", lambda: polhode.solve(MOMENTS, drag, START, **ENDLESS)
    yield "method in Python", lambda: polhode.solve(**own, **{**ENDLESS, "method": "slow-lane"})
    yield "simulation", lambda: sim.advance_to(1e9)
    yield "sol(t)", lambda: sol.sol(times)
    yield "rotor", lambda: rotor(far)
    yield "problem", lambda: polhode.load("problem:fast-top").solve(method="rkmk-4", step=1e-6, t_span_end=1e4, every=10**9)
    yield "converge", lambda: polhode.converge(None, ["rkmk-4"], [1e-3, 1e-4], **{**own, "t_span": (0, 1e4)})
    yield "compare", lambda: polhode.compare(None, ["rkmk-4"], [1e-3, 1e-4], **{**own, "t_span": (0, 1e4)})
    yield "diagnose", lambda: polhode.diagnose("rkmk-4", **own)
    yield "reproduce", lambda: polhode.reproduce("buss-run-of-200-million-steps", set="long", experiments=EXPERIMENTS, threads=2)


def ctrl_c():
    """Ends each of them, and the next call is as ever."""
    expected = expected_y()
    for name, work in works():
        print(f"{name}: {interrupted(work):.3f} s")
        assert np.array_equal(expected_y(), expected), name
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    press_and_wait(KeyboardInterrupt)


def press_and_wait(kind):
    """Python's own handler is there again."""
    try:
        press_ctrl_c()
        wait_until(lambda: False)
    except kind:
        pass


def handlers():
    """Of one's own, which raise something or nothing, also where they are set while the library is at work."""
    calls = []

    def quiet(number, frame):
        calls.append(number)

    def raising(number, frame):
        raise Raised
    for handler, kind, count in ((quiet, KeyboardInterrupt, 1), (raising, Raised, 1)):
        signal.signal(signal.SIGINT, handler)
        interrupted(endless, kind)
        assert signal.getsignal(signal.SIGINT) is handler
    assert calls == [signal.SIGINT], calls
    press_and_wait(Raised)

    def exchanging(t, q, w):
        signal.signal(signal.SIGINT, quiet)
        return drag(t, q, w)
    solve(exchanging)
    assert signal.getsignal(signal.SIGINT) is quiet
    press_ctrl_c()
    wait_until(lambda: len(calls) == 2)
    interrupted(endless)
    assert len(calls) == 3, calls


def ignored():
    """A run that is told to, or that belongs to a thread which is not interrupted, goes on."""
    expected = solve(TOP, step=1e-4).y
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    over = []

    def press():
        while not over:
            press_ctrl_c()
            time.sleep(1e-3)
    thread = in_thread(press)
    assert np.array_equal(solve(TOP, step=1e-4).y, expected)
    over.append(True)
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.default_int_handler)


def left_to_the_system():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    interrupted(endless)


def nested():
    """The run of a torque that asks for one itself: both end."""
    def torque(t, q, w):
        endless()
        return drag(t, q, w)
    interrupted(lambda: solve(torque))


def others():
    """Runs of other threads are under way when the main thread is interrupted, and go on to the same end."""
    def held(t, q, w):
        if t > 1:
            inside.set()
            go.wait()
        return drag(t, q, w)
    go, inside, ends, expected = threading.Event(), threading.Event(), {}, {}
    runs = {"held": (held, {}), "long": (TOP, {"step": 1e-4})}
    expected["held"], expected["long"] = solve(drag).y, solve(TOP, step=1e-4).y
    threads = [in_thread(lambda name=name, run=run: ends.update({name: solve(run[0], **run[1])})) for name, run in runs.items()]
    inside.wait()
    begun = threading.Event()
    interrupted(lambda: polhode.solve(MOMENTS, TOP, START, **ENDLESS, events=lambda t, y: begun.set() or 1.0), begun=begun.is_set)
    press_and_wait(KeyboardInterrupt)       # where the main thread is not in the library
    go.set()
    for thread in threads:
        thread.join()
    for name, sol in ends.items():
        assert sol.status == 0 and np.array_equal(sol.y, expected[name]), name
    assert sorted(ends) == sorted(runs)


def terminal():
    in_thread(lambda: (wait_until(is_under_way), print("begun", flush=True)))
    endless()


def with_daemons(*calls):
    """They are under way, all of them, when the program ends."""
    begun = []

    def told(call):
        begun.append(True)
        call()
    for call in calls:
        in_thread(lambda call=call: told(call), daemon=True)
    wait_until(lambda: len(begun) == len(calls) and is_under_way())


def blocked(t, q, w):
    threading.Event().wait()


def exit_under_way():
    sol = polhode.solve(MOMENTS, TOP, START, (0, 30), "rkmk-4", step=1e-3)
    sim = polhode.Simulation(MOMENTS, TOP, START, step=1e-3)

    def looks():
        while True:
            sol.sol(np.linspace(0, 30, 100))
    with_daemons(endless, looks, lambda: sim.advance_to(1e9), lambda: polhode.solve(MOMENTS, drag, START, **ENDLESS))


def exit_code_under_way():
    with_daemons(endless)
    sys.exit(3)


def exit_error_under_way():
    with_daemons(endless)
    raise Raised("the end")


def exit_with_a_function_that_waits():
    with_daemons(lambda: solve(blocked))


def in_child(call):
    """The exit code of a forked process: 0 where the call returns."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(LONGEST)
        with contextlib.suppress(BaseException):
            call()
            os._exit(0)
        os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def forks():
    """While a run is under way in another thread, in the run's own thread, and when one is over."""
    expected = expected_y()

    def solves_and_lists():
        assert not is_under_way()       # the threads of the parent are not here
        assert np.array_equal(expected_y(), expected)

    def forking(t, q, w):
        if t == 0 and not codes:
            codes.append(in_child(expected_y))
        return drag(t, q, w)
    codes = []
    assert np.array_equal(solve(forking).y, solve(drag).y)
    codes.append(in_child(solves_and_lists))
    codes.append(in_child(lambda: interrupted(endless)))
    with_daemons(endless, lambda: polhode.solve(MOMENTS, drag, START, **ENDLESS))
    for _ in range(20):
        codes.append(in_child(solves_and_lists))
    codes.append(in_child(lambda: interrupted(endless)))
    assert set(codes) == {0}, codes


def end_of(t):
    return solve(TOP, t_span=(0, t)).y[:, -1]


def processes():
    times = [0.5, 1.0, 1.5, 2.0]
    expected = [end_of(t) for t in times]
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            assert np.array_equal(pool.map(end_of, times), expected), way


class Processes(unittest.TestCase):
    def run_in_process(self, work, code=0, error=""):
        run = subprocess.run([sys.executable, "-B", os.path.realpath(__file__), work.__name__], capture_output=True, text=True,
                             timeout=2 * LONGEST, check=False)
        self.assertEqual(run.returncode, code, f"{run.stdout}\n{run.stderr}")
        self.assertRegex(run.stderr, rf"(?s)\A{error}\Z")
        return run.stdout

    def test_ctrl_c(self):
        print(self.run_in_process(ctrl_c), end="", flush=True)

    def test_ctrl_c_of_a_terminal(self):
        run = subprocess.Popen([sys.executable, "-B", os.path.realpath(__file__), "terminal"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.stdout.readline(), "begun\n")
        run.send_signal(signal.SIGINT)
        _, error = run.communicate(timeout=2 * LONGEST)
        self.assertEqual(run.returncode, -signal.SIGINT, error)
        self.assertTrue(error.endswith("KeyboardInterrupt\n"), error)
        self.assertEqual(error.count("Traceback"), 1, error)

    def test_handlers(self):
        self.run_in_process(handlers)

    def test_ignored(self):
        self.run_in_process(ignored)

    def test_left_to_the_system(self):
        self.run_in_process(left_to_the_system, code=-signal.SIGINT)

    def test_nested(self):
        self.run_in_process(nested)

    def test_other_threads_go_on(self):
        self.run_in_process(others)

    def test_the_end_of_the_program(self):
        self.run_in_process(exit_under_way)
        self.run_in_process(exit_code_under_way, code=3)
        self.run_in_process(exit_error_under_way, code=1, error="Traceback.*Raised: the end\n")
        self.run_in_process(exit_with_a_function_that_waits)

    def test_forks(self):
        self.run_in_process(forks)

    def test_processes(self):
        self.run_in_process(processes)


class Threads(Case):
    def all_at_once(self, calls):
        """What each returns or raises, when all begin together."""
        together, ends = threading.Barrier(len(calls)), [None] * len(calls)

        def work(i):
            together.wait()
            try:
                ends[i] = calls[i]()
            except Exception as error:
                ends[i] = error
        for thread in [in_thread(lambda i=i: work(i)) for i in range(len(calls))]:
            thread.join()
        return ends

    def test_the_same_bits(self):
        """Of everything, as each has it alone."""
        sol, rotor = solve(drag), polhode.FreeRotor(MOMENTS, START)
        times = np.random.default_rng(3).uniform(0, 3, 50)
        polhode.Method(lambda q, pi, t, h, system: (q, 0.9 * pi + 0.1 * system.torque(q, system.velocity(pi), t)), "threaded", order=1)

        def stepped():
            sim = polhode.Simulation(MOMENTS, [TOP, drag], START, **RK)
            sim.advance(10)
            sim.restore(sim.save())
            sim.advance(10)
            return sim.y
        calls = [lambda: solve(TOP).y, lambda: solve(TOP, method="picard-lobatto-8").y, lambda: solve(TOP, scalar="quad").y,
                 lambda: solve(TOP, method="rotor-adams-8", step=0.01).y, lambda: solve(drag).y, lambda: solve(drag, events="wy").y,
                 lambda: solve(None, method="free-exact").y, lambda: sol.sol(times), lambda: rotor(times), stepped,
                 lambda: solve(TOP, method="threaded").y, lambda: solve(drag, events=lambda t, y: y[5]).t_events[0],
                 lambda: [row["attitude_error"] for row in polhode.converge("asymmetric-top", "rkmk-4", [0.1, 0.05]).rows],
                 lambda: polhode.load("problem:fast-top").solve(method="rkmk-4", step=1e-3, t_span_end=0.1).y]
        with contextlib.suppress(unittest.SkipTest):
            compiled = library().drag
            calls.append(lambda: solve(compiled).y)
        alone = [call() for call in calls]
        for end, i in zip(self.all_at_once(3 * calls), itertools.cycle(range(len(calls)))):
            self.assertTrue(np.array_equal(end, alone[i]), (i, end))

    def test_exceptions(self):
        """Everybody gets his own, and who has none is not disturbed."""
        errors = [Raised(i) for i in range(6)]

        def call(i):
            def torque(t, q, w):
                if t > 0.5 and i % 2:
                    raise errors[i]
                return drag(t, q, w)
            return solve(torque)
        ends = self.all_at_once([lambda i=i: call(i) for i in range(6)])
        for i, end in enumerate(ends):
            if i % 2:
                self.assertIs(end, errors[i])
            else:
                self.same_bits(end, solve(drag))

    def test_handed_to_and_fro(self):
        """A function that waits for what another thread solves meanwhile."""
        asked, answered, answers = threading.Event(), threading.Event(), []

        def torque(t, q, w):
            if t == 1.0 and not answers:
                asked.set()
                answered.wait()
            return drag(t, q, w)

        def other():
            asked.wait()
            answers.append(solve(drag))
            answered.set()
        thread = in_thread(other)
        sol = solve(torque, step=0.5)
        thread.join()
        self.same_bits(sol, solve(drag, step=0.5))
        self.same_bits(answers[0], solve(drag))

    def test_one_simulation(self):
        """While it is at work for one thread, the others are told so."""
        inside, go = threading.Event(), threading.Event()

        def torque(t, q, w):
            if t > 0.5:
                inside.set()
                go.wait()
            return drag(t, q, w)
        sim = polhode.Simulation(MOMENTS, torque, START, **RK)
        saved = sim.save()
        thread = in_thread(lambda: sim.advance_to(1))
        inside.wait()
        for call in (sim.advance, lambda: sim.y, lambda: sim.t, sim.save, lambda: sim.at(0.1), lambda: sim.restore(saved)):
            self.assertIn("in another thread", str(self.raised(polhode.Error, call)))
        go.set()
        thread.join()
        expected = polhode.Simulation(MOMENTS, drag, START, **RK)
        expected.advance_to(1)
        self.assertTrue(np.array_equal(sim.y, expected.y))
        sim.restore(saved)
        self.assertEqual(sim.t, 0)

    def test_made_and_let_go_in_different_threads(self):
        """What the library has of Python's is given back by whoever comes last."""
        for _ in range(20):
            made = self.all_at_once([lambda: (solve(drag, events=lambda t, y: y[5]), polhode.Simulation(MOMENTS, drag, START))] * 4)
            in_thread(made.clear).join()


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in globals():
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        globals()[sys.argv[1]]()
        faulthandler.cancel_dump_traceback_later()
    else:
        unittest.main()
