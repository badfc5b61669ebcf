"""Nothing is kept of functions of the caller, of what they hold and what they raise, for longer than it is needed."""

import functools
import gc
import sys
import tracemalloc
import unittest
import weakref

import numpy as np

import polhode
from callables import RK, SIGNATURE, Case, Held, Raised, drag, many, solve
from motions import MOMENTS, START


def write(m, torque):
    """As a compiled function answers."""
    for i in range(3):
        m[i] = torque[i]


class NothingLeaks(Case):
    def forms(self, held):
        """Calls whose functions hold `held`, and the solutions or None they lead to."""
        def torque(t, q, w, held=held):
            return drag(t, q, w)

        def event(t, y, held=held):
            return y[5]

        def raising(t, q, w, held=held):
            raise Raised(held)

        def nonsense(t, q, w, held=held):
            return [held]

        class Thing:
            def __init__(self):
                self.held = held

            def method(self, t, q, w):
                return drag(t, q, w)

            def event(self, t, y):
                return y[5]

            def solve(self):
                self.sol = solve(self.method, events=self.event)
                self.sim = polhode.Simulation(MOMENTS, self.method, START, events=[self.event], **RK)
                self.sim.advance(3)

        def quiet(torque, **more):
            try:
                return solve(torque, **more)
            except (Raised, ValueError, TypeError):
                return None

        def cycle():
            thing = Thing()
            thing.solve()
            return thing.sol.sol

        def simulation(**more):
            sim = polhode.Simulation(MOMENTS, torque, START, events=event, **RK)
            sim.advance(2)
            return sim

        def compiled():
            return solve(polhode.compiled(SIGNATURE(lambda t, q, w, m, held=held: write(m, drag(t, q, w)))))
        yield "torque", lambda: solve(torque)
        yield "torque without dense output", lambda: solve(torque, dense_output=False)
        yield "event", lambda: solve(drag, events=event)
        yield "vectorized", lambda: solve(polhode.torque(lambda t, q, w, held=held: many(t, q, w), vectorized=True))
        yield "partial", lambda: solve(functools.partial(lambda held, *args: drag(*args), held))
        yield "raising", lambda: quiet(raising)
        yield "nonsense", lambda: quiet(nonsense)
        yield "auto", lambda: polhode.solve(MOMENTS, torque, START, (0, 1))
        yield "refused", lambda: quiet(torque, method="no-such-method")
        yield "refused by the method", lambda: quiet(torque, method="taylor-8")
        yield "method of an object that has the solution", cycle
        yield "method of an object", lambda: solve(Thing().method, events=Thing().event)
        yield "simulation", simulation
        yield "failed", lambda: solve(lambda t, q, w, held=held: (np.nan if t > 1 else 0.1, 0, 0))
        yield "compiled", compiled

    def test_functions(self):
        for i in range(len(list(self.forms(None)))):
            held = Held()
            name, call = list(self.forms(held))[i]
            with self.subTest(name):
                reference = weakref.ref(held)
                made = call()
                del held, call
                del made
                self.assert_gone(reference, name)

    def test_kept_as_long_as_needed(self):
        """The dense output of a solution, and a simulation, call functions that nobody else has any more."""
        def made():
            held = Held()
            torque = lambda t, q, w: np.array(drag(t, q, w)) if held else None
            return solve(torque).sol, weakref.ref(held)
        motion, reference = made()
        gc.collect()
        self.assertIsNotNone(reference())
        self.assertTrue(np.array_equal(motion(1.23), solve(lambda t, q, w: np.array(drag(t, q, w))).sol(1.23)))
        del motion
        self.assert_gone(reference)

    def test_compiled_ones_are_kept_as_long_as_needed(self):
        """Of them the library has an address alone."""
        def compiled(held):
            return SIGNATURE(lambda t, q, w, m: write(m, drag(t, q, w)) if held else None)
        expected = solve(drag)
        held = Held()
        reference = weakref.ref(held)
        sim = polhode.Simulation(MOMENTS, compiled(held), START, **RK)
        motion = solve(compiled(held)).sol
        del held
        gc.collect()
        sim.advance(30)
        self.assertTrue(np.array_equal(sim.y, expected.y[:, -1]))
        self.assertTrue(np.array_equal(motion(1.23), expected.sol(1.23)))
        del motion
        gc.collect()
        self.assertIsNotNone(reference())
        del sim
        self.assert_gone(reference)

    def test_solutions_without_dense_output_keep_no_function(self):
        held = Held()
        reference = weakref.ref(held)
        sol = solve(lambda t, q, w, held=held: drag(t, q, w), dense_output=False)
        del held
        self.assert_gone(reference)
        self.assertTrue(sol.success)

    def test_exceptions(self):
        def raised_by(call):
            try:
                call()
            except Raised as error:
                return weakref.ref(error)
            return self.fail("nothing raised")

        def torque(t, q, w):
            raise Raised("short-lived")
        for call in (lambda: solve(torque), lambda: solve(drag, events=torque),
                     lambda: polhode.solve(MOMENTS, torque, START, (0, 3))):
            self.assert_gone(raised_by(call))

    def test_steps_of_a_method_that_was_replaced(self):
        held = Held()
        reference = weakref.ref(held)
        step = lambda q, pi, t, h, system, held=held: (q, pi)
        polhode.Method(step, "replaced", order=1)
        solve(method="replaced")
        del step, held
        gc.collect()
        self.assertIsNotNone(reference())
        polhode.Method(lambda q, pi, t, h, system: (q, pi), "replaced", order=1)
        self.assert_gone(reference)

    def test_counts_of_references(self):
        answer, kept, event_answer = np.zeros(3), [], 1.5e300
        as_list = [1e-300, 2e-300, 3e-300]

        def torque(t, q, w):
            kept[:] = [q, w]
            return answer

        def listed(t, q, w):
            return as_list

        def event(t, y):
            return event_answer

        def counts():
            return [sys.getrefcount(one) for one in (answer, torque, listed, event, event_answer, as_list, *as_list, drag)]
        solve(torque, step=0.5), solve(listed, step=0.5)
        gc.collect()
        before = counts()
        for _ in range(3):
            solve([torque, listed], t_span=(0, 100), events=event, dense_output=False)
        gc.collect()
        self.assertEqual(counts(), before)
        self.assertEqual([sys.getrefcount(one) for one in kept], [2 + 1] * 2)    # the list, the loop and the argument

    def test_blocks_of_memory(self):
        """Twenty more runs of every kind leave no more objects, and no more memory of numpy."""
        polhode.Method(lambda q, pi, t, h, system: (q, pi + h * system.torque(q, system.velocity(pi), t)),
                       "for-memory", order=1)

        def torque(t, q, w):
            return -0.1 * w

        def raising(t, q, w):
            if t > 0.2:
                raise Raised("often")
            return -0.1 * w

        def nonsense(t, q, w):
            return "nonsense" if t > 0.2 else None

        def event(t, y):
            return y[5]

        def all_kinds():
            sol = solve(torque, events=event)
            sol.sol(np.linspace(0, 3, 10)), sol.info, sol.end, repr(sol)
            solve(many, method="picard-lobatto-8", step=None, tolerance=1e-6)
            solve(torque, method="for-memory")
            for wrong in (raising, nonsense, lambda t, q, w: [1, 2], lambda t, q, w: 10**400):
                try:
                    solve(wrong)
                except (Raised, ValueError):
                    pass
            sim = polhode.Simulation(MOMENTS, torque, START, events=event, **RK)
            sim.advance(3)
            sim.restore(sim.save())
            polhode.FreeRotor(MOMENTS, START)(np.linspace(0, 1, 9))
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)

        def after(runs):
            for _ in range(runs):
                all_kinds()
            gc.collect()
            sys._clear_type_cache()     # which keeps names of attributes, some thousands in the end
            return sys.getallocatedblocks(), tracemalloc.get_traced_memory()[0]
        after(5)
        # Other caches grow now and then. What is lost in every run is lost in every twenty.
        objects, memory = np.diff([after(20) for _ in range(6)], axis=0).T
        self.assertLess(objects.min(), 20)
        self.assertLess(memory.min(), 2000)


if __name__ == "__main__":
    unittest.main()
