"""Runs within runs: functions of the caller that themselves ask for something of the library."""

import gc
import unittest

import numpy as np

import polhode
from callables import RK, Case, drag, solve
from motions import MOMENTS, START, message_of


class Recursion(Case):
    def test_solve_within_solve(self):
        inner = solve(drag, t_span=(0, 0.5)).y[4:, -1]

        def torque(t, q, w):
            return 0.1 * solve(drag, t_span=(0, 0.5)).y[4:, -1]
        self.same_bits(solve(torque, step=0.5), solve(lambda t, q, w: 0.1 * inner, step=0.5))

        def event(t, y):
            return t - 1.0 + 0 * solve(drag, t_span=(0, 0.5)).y[0, -1]
        sol = solve(drag, step=0.5, events=event)
        self.assertAlmostEqual(sol.t_events[0][0], 1.0, delta=1e-12)

    def test_the_same_function_at_two_depths(self):
        """A torque that asks for a run of itself, which does not ask again; its arrays are not those of the inner call."""
        depth = []

        def torque(t, q, w):
            if depth:
                return drag(t, q, w)
            before = q.copy(), w.copy()
            depth.append(1)
            try:
                end = solve(torque, t_span=(0, 0.3)).y[4:, -1]
            finally:
                depth.pop()
            self.assertTrue(np.array_equal(q, before[0]) and np.array_equal(w, before[1]))
            return 0.1 * end
        inner = solve(drag, t_span=(0, 0.3)).y[4:, -1]
        self.same_bits(solve(torque, step=0.5), solve(lambda t, q, w: 0.1 * inner, step=0.5))

    def test_one_recording_at_two_depths(self):
        """Within a run a recording answers as it does outside."""
        sol, inside = solve(drag), {}

        def torque(t, q, w):
            inside[t] = sol.sol(t)
            return 0.1 * inside[t][4:]
        first = solve(torque)
        self.assertGreater(len(inside), 60)     # the ends and the middles of 30 steps
        for t, y in inside.items():
            self.assertTrue(np.array_equal(sol.sol(t), y))
        self.same_bits(solve(lambda t, q, w: 0.1 * inside[t][4:]), first)

    def test_a_recording_that_asks_itself(self):
        place = []

        def torque(t, q, w):
            if place and len(place) < 4:
                place.append(1)
                place[0].sol(0.77)
            return drag(t, q, w)
        sol = solve(torque)
        expected = solve(drag).sol(1.23)
        place.append(sol)
        self.assertTrue(np.array_equal(sol.sol(1.23), expected))

    def test_too_deep(self):
        calls = []

        def torque(t, q, w):
            calls.append(t)
            return solve(torque, t_span=(0, 0.3)).y[4:, -1]
        error = self.raised((polhode.Error, RecursionError), solve, torque)
        self.assertTrue(str(error))
        self.assertLess(len(calls), 100)

        def event(t, y):
            return solve(drag, events=event).y[0, 0]
        self.raised((polhode.Error, RecursionError), solve, drag, events=event)
        self.same_bits(solve(drag), solve(drag))

    def test_step_in_a_step(self):
        def step(q, pi, t, h, system):
            return q, polhode.solve([1, 2, 3], method="inner-one", start=pi, t_span=(0, 0.2), step=0.1).y[4:, -1]
        polhode.Method(lambda q, pi, t, h, system: (q, pi * 0.5), "inner-one", order=1)
        polhode.Method(step, "outer-one", order=1)
        sol = polhode.solve([1, 1, 1], None, [0.8, 0.4, 0.2], (0, 1), "outer-one", step=0.5)
        self.assertTrue(np.allclose(sol.angular_velocity[-1], np.array([0.8, 0.4, 0.2]) / 16, atol=1e-14))

    def test_a_simulation_in_its_own_torque(self):
        place, errors = [], []

        def torque(t, q, w):
            for call in (lambda s: s.advance(1), lambda s: s.t, lambda s: s.y, lambda s: s.save(), lambda s: s.at(0),
                         lambda s: s.ended, lambda s: s.events, lambda s: s.work, lambda s: s.energy, lambda s: s.state,
                         repr, lambda s: s.restore(place[1])):
                if len(place) > 1:
                    errors.append(self.raised(polhode.Error, call, place[0]))
            return drag(t, q, w)
        sim = polhode.Simulation(MOMENTS, torque, START, **RK)
        place += [sim, sim.save()]
        sim.advance(3)
        expected = polhode.Simulation(MOMENTS, drag, START, **RK)
        expected.advance(3)
        self.assertTrue(np.array_equal(sim.y, expected.y))
        self.assertTrue(errors and all(str(error) for error in errors))

    def test_another_simulation_in_a_torque(self):
        inner = polhode.Simulation(MOMENTS, drag, START, **RK)

        def torque(t, q, w):
            if inner.t < 2:
                inner.advance(1)
            return 0.0, 0.0, 0.0
        outer = polhode.Simulation(MOMENTS, torque, START, **RK)
        outer.advance_to(3)
        expected = polhode.Simulation(MOMENTS, drag, START, **RK)
        expected.advance(20)
        self.assertTrue(np.array_equal(inner.y, expected.y))

    def test_methods_are_not_listed_on_the_way(self):
        def torque(t, q, w):
            polhode.Method(lambda q, pi, t, h, system: (q, pi), "listed-on-the-way", order=1)
            return drag(t, q, w)
        self.assertTrue(str(self.raised(polhode.Error, solve, torque)))
        self.assertRegex(message_of(self, ValueError, solve, drag, method="listed-on-the-way"), "^method: ")

    def test_everything_else_in_a_torque(self):
        """What only looks is allowed on the way."""
        def torque(t, q, w):
            polhode.methods(), polhode.method("rkmk-4"), polhode.problems(), polhode.torque_kinds()
            polhode.load("problem:fast-top").title
            polhode.FreeRotor(MOMENTS, START)(t)
            gc.collect()
            return drag(t, q, w)


if __name__ == "__main__":
    unittest.main()
