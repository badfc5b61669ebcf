"""Exceptions of functions of the caller: they end what is under way, and come out as themselves."""

import signal
import sys
import traceback
import unittest
import warnings

import numpy as np

import polhode
from callables import RK, SIGNATURE, Case, Raised, drag, many, solve
from motions import MOMENTS, START, TOP


class Exceptions(Case):
    def places(self, error):
        """(name, call): everywhere that a function of the caller can stand, which raises `error`."""
        def torque(t, q, w):
            raise error

        def later(t, q, w):
            if t > 0.5:
                raise error
            return drag(t, q, w)

        @polhode.torque(vectorized=True)
        def vectorized(t, q, w):
            raise error

        def event(t, y):
            raise error

        def event_later(t, y):
            if t > 0.5:
                raise error
            return 1.0

        def three(t, q, w):
            raise error

        def progress(done, seconds):
            raise error

        def step(q, pi, t, h, system):
            raise error

        def step_later(q, pi, t, h, system):
            if t > 0.5:
                raise error
            return q, pi
        polhode.Method(step, "raising-at-once", order=1)
        polhode.Method(step_later, "raising-later", order=1, symmetric=True)

        def of_system(q, pi, t, h, system):
            system.torque(q, system.velocity(pi), t)
            return q, pi
        polhode.Method(of_system, "raising-inside", order=1)
        problem = ("asymmetric-top", ["lie-verlet"], [0.01, 0.005])
        yield "torque", lambda: solve(torque)
        yield "later", lambda: solve(later)
        yield "in a list", lambda: solve([TOP, drag, later, many])
        yield "vectorized", lambda: solve(vectorized, method="picard-lobatto-8", step=None, tolerance=1e-9)
        yield "auto", lambda: polhode.solve(MOMENTS, torque, START, (0, 3))
        yield "auto, later", lambda: polhode.solve(MOMENTS, later, START, (0, 3))
        for method in ("lie-verlet", "implicit-midpoint", "rotor-adams-8", "picard-lobatto-8", "newmark",
                       "rotor-extrapolated-8", "mclachlan-reich-231@suzuki", "lie-verlet~adaptive"):
            yield method, lambda method=method: solve(later, method=method, step=0.03)
        yield "halving", lambda: solve(later, on_failure="halve")
        yield "event", lambda: solve(drag, events=event)
        yield "event, later", lambda: solve(drag, events=event_later)
        yield "event of three", lambda: solve(drag, events=three)
        yield "event and torque", lambda: solve(torque, events=event)
        yield "simulation", lambda: polhode.Simulation(MOMENTS, later, START, **RK).advance_to(3)
        yield "simulation, event", lambda: polhode.Simulation(MOMENTS, drag, START, events=event_later, **RK).advance_to(3)
        yield "converge", lambda: polhode.converge(*problem, progress=progress)
        yield "compare", lambda: polhode.compare(*problem, repeats=1, progress=progress)
        yield "diagnose", lambda: polhode.diagnose("lie-verlet", progress=progress)
        yield "step", lambda: solve(drag, method="raising-at-once")
        yield "step, later", lambda: solve(drag, method="raising-later")
        yield "step with a suffix", lambda: solve(drag, method="raising-later~adaptive")
        yield "torque in a step", lambda: solve(torque, method="raising-inside")
        yield "step in converge", lambda: polhode.converge("asymmetric-top", ["raising-at-once"], [0.01, 0.005])
        yield "step in compare", lambda: polhode.compare("asymmetric-top", ["raising-at-once"], [0.01], repeats=1)
        yield "step in diagnose", lambda: polhode.diagnose("raising-at-once")

    def test_come_out_as_themselves(self):
        expected = solve(drag)
        for i in range(len(list(self.places(None)))):
            error = Raised("once", i)
            name, call = list(self.places(error))[i]
            with self.subTest(name):
                caught = self.raised(Raised, call)
                self.assertIs(caught, error)
                self.assertEqual(caught.args, ("once", i))
                self.assertIsNone(caught.__cause__)
                self.assertIsNone(caught.__context__)
                frames = [frame.name for frame in traceback.extract_tb(caught.__traceback__)]
                self.assertIn("raised", frames)
                self.assertTrue({"torque", "later", "vectorized", "event", "event_later", "three", "progress", "step",
                                 "step_later"} & set(frames), frames)
                self.same_bits(solve(drag), expected)

    def test_every_kind(self):
        class Strange(BaseException):
            pass
        for error in (KeyError("key"), ValueError("v"), TypeError("t"), OverflowError("o"), StopIteration(3), MemoryError(),
                      KeyboardInterrupt("by hand"), SystemExit(3), GeneratorExit(), RecursionError("deep"), Strange("s"),
                      FloatingPointError(), AttributeError("a"), polhode.Error("own"), AssertionError(),
                      StopAsyncIteration(), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), OSError(2, "no", "file"),
                      polhode.PolhodeWarning("w"), ArithmeticError(), ImportError("i", name="n")):
            def torque(t, q, w):
                raise error

            def event(t, y):
                raise error
            for call in (lambda: solve(torque), lambda: solve(drag, events=event)):
                self.assertIs(self.raised(type(error), call), error)

    def test_from_generators_and_causes(self):
        source, cause = iter([(0.1, 0, 0)] * 7), ValueError("the cause")

        def exhausted(t, q, w):
            return next(source)
        self.raised(StopIteration, solve, exhausted)

        def chained(t, q, w):
            try:
                raise cause
            except ValueError as error:
                raise KeyError("effect") from error
        caught = self.raised(KeyError, solve, chained)
        self.assertIs(caught.__cause__, cause)

    def test_in_an_except_clause(self):
        """What is being handled stays what it is, and becomes the context as it does elsewhere."""
        def torque(t, q, w):
            raise Raised("inner")
        outer = KeyError("outer")
        try:
            raise outer
        except KeyError:
            caught = self.raised(Raised, solve, torque)
            self.assertIs(sys.exc_info()[1], outer)
            self.assertIs(caught.__context__, outer)

    def test_the_first_one(self):
        """After an exception a function is not called again."""
        raised = []

        def torque(t, q, w):
            raised.append(Raised(len(raised)))
            raise raised[-1]

        def event(t, y):
            raised.append(Raised(len(raised)))
            raise raised[-1]
        for method in ("rkmk-4", "picard-lobatto-8", "implicit-midpoint", "rotor-extrapolated-8"):
            raised.clear()
            caught = self.raised(Raised, solve, [torque, torque], method=method, step=0.05, events=[event, event])
            self.assertEqual(len(raised), 1)
            self.assertIs(caught, raised[0])

    def test_the_same_instance_again(self):
        error = Raised("again")

        def torque(t, q, w):
            raise error
        for _ in range(3):
            self.assertIs(self.raised(Raised, solve, torque), error)

    def test_warnings_that_are_errors(self):
        def torque(t, q, w):
            return np.log(np.array([-1.0, 1.0, 1.0])) * 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.raised(RuntimeWarning, solve, torque)
        with np.errstate(all="raise"):
            self.raised(FloatingPointError, solve, torque)

    def test_where_a_simulation_stands_afterwards(self):
        at = []

        def torque(t, q, w):
            if at and t > at[0]:
                raise Raised("late")
            return drag(t, q, w)
        sim = polhode.Simulation(MOMENTS, torque, START, **RK)
        at.append(0.5)
        self.raised(Raised, sim.advance_to, 3)
        self.assertTrue(np.all(np.isfinite(sim.y)))
        self.assertLessEqual(sim.t, 0.5 + 1e-12)
        at.clear()
        sim.advance_to(3)
        expected = polhode.Simulation(MOMENTS, drag, START, **RK)
        expected.advance_to(3)
        self.assertTrue(np.array_equal(sim.y, expected.y))

    def test_endless_recursion_of_python(self):
        def torque(t, q, w):
            return torque(t, q, w)
        self.raised(RecursionError, solve, torque)

    def test_in_a_compiled_callback(self):
        """ctypes can only print it; the numbers are then missing, and the step fails, or the start is refused."""
        for late in (0.5, -1.0):
            @SIGNATURE
            def torque(t, q, w, m):
                if t > late:
                    raise Raised("nobody hears")
                m[0] = m[1] = m[2] = 0.1
            if late > 0:
                sol = solve(torque)
                self.assertEqual((sol.status, sol.success), (-1, False))
                self.assertTrue(sol.message)
                self.assertTrue(np.all(np.isfinite(sol.y)) and sol.t[-1] < 0.5 + 1e-9)
            else:
                self.assertIn("not finite", str(self.raised(ValueError, solve, torque)))
            self.assertTrue(any("nobody hears" in one for one in self.unraisable))
            self.unraisable.clear()

    def test_signals(self):
        """Python's own handler, within the function."""
        calls = []

        def torque(t, q, w):
            calls.append(t)
            if len(calls) == 5:
                signal.raise_signal(signal.SIGINT)
            return drag(t, q, w)
        self.raised(KeyboardInterrupt, solve, torque, t_span=(0, 1e6), every=10**6)
        self.assertLess(len(calls), 100)
        self.same_bits(solve(drag), solve(drag))


if __name__ == "__main__":
    unittest.main()
