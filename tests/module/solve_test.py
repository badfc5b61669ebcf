"""polhode.solve against scipy's integration of Euler's equations, and against itself told in other words."""

import os
import unittest
import warnings

import numpy as np
from scipy.spatial.transform import Rotation

import polhode
from motions import MOMENTS, START, TOP, difference, heavy_top, integrated, matrix, message_of, no_torque, product

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TIMES = np.linspace(0.0, 3.0, 13)
TURN = Rotation.from_rotvec([0.4, -1.1, 0.8]).as_matrix()      # from one set of body axes to others
PRECISE = {"method": "mclachlan-reich-231@kahan-li-8", "step": 0.01}  # errors of about 1e-12 in what follows
RK = {"method": "rkmk-4", "step": 0.1}


def solve(body=MOMENTS, torque=None, start=START, t_span=(0, 3), **more):
    return polhode.solve(body, torque, start, t_span, **{**RK, **more})


class AgainstScipy(unittest.TestCase):
    def test_free_body(self):
        sol = polhode.solve(MOMENTS, start=START, t_span=(0, 3), t_eval=TIMES)
        self.assertEqual(sol.method, "free-exact")
        self.assertLess(difference(sol.y, integrated(MOMENTS, no_torque, START, TIMES)), 1e-10)

    def test_heavy_top(self):
        sol = solve(torque=TOP, t_eval=TIMES, **PRECISE)
        self.assertLess(difference(sol.y, integrated(MOMENTS, heavy_top, START, TIMES)), 1e-10)

    def test_heavy_top_by_auto(self):
        sol = polhode.solve(MOMENTS, TOP, START, (0, 3), tolerance=1e-9)
        self.assertLess(difference(sol.y[:, -1], integrated(MOMENTS, heavy_top, START, TIMES)[:, -1]), 1e-8)

    def test_callable_with_drag(self):
        def drag(t, q, w):
            return heavy_top(t, q, w) - np.array([0.1, 0.2, 0.3]) * w + np.array([0.0, 0.1 * np.sin(t), 0.0])
        sol = solve(torque=drag, t_eval=TIMES, method="rkmk-4", step=0.01)
        self.assertLess(difference(sol.y, integrated(MOMENTS, drag, START, TIMES)), 1e-8)

    def test_gravity_gradient(self):
        n, normal, radius = 0.9, np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])

        def pull(t, q, w):
            r = matrix(q).T @ (np.cos(n * t) * radius + np.sin(n * t) * np.cross(normal, radius))
            return 3 * n * n * np.cross(r, MOMENTS * r)
        kind = {"kind": "gravity-gradient", "mean_motion": n, "orbit_normal_spatial": normal, "radius_spatial": radius}
        sol = solve(torque=kind, t_eval=TIMES, **PRECISE)
        self.assertLess(difference(sol.y, integrated(MOMENTS, pull, START, TIMES)), 1e-10)

    def test_torques_add_up(self):
        def both(t, q, w):
            return heavy_top(t, q, w) - 0.2 * w
        parts = [TOP, lambda t, q, w: -0.1 * w, {"kind": "damping", "linear": 0.06},
                 polhode.expression("-0.04*wx", "-0.04*wy", "-0.04*wz")]
        sol = solve(torque=parts, method="rkmk-4", step=0.01, t_eval=TIMES)
        self.assertLess(difference(sol.y, integrated(MOMENTS, both, START, TIMES)), 1e-8)

    def test_full_tensor(self):
        tensor = TURN @ np.diag(MOMENTS) @ TURN.T
        tensor = (tensor + tensor.T) / 2
        sol = solve(tensor, TOP, t_eval=TIMES, **PRECISE)
        self.assertLess(difference(sol.y, integrated(tensor, heavy_top, START, TIMES)), 1e-10)

    def test_same_motion_in_other_axes(self):
        q = Rotation.from_matrix(TURN.T).as_quat()[[3, 0, 1, 2]]
        start = np.concatenate([product(START[:4], q), TURN @ START[4:]])
        top = dict(TOP, axis_body=TURN @ np.array(TOP["axis_body"]))
        tensor = TURN @ np.diag(MOMENTS) @ TURN.T
        told, other = solve(torque=TOP, **PRECISE), solve((tensor + tensor.T) / 2, top, start, **PRECISE)
        self.assertLess(np.abs(TURN @ told.angular_velocity.T - other.angular_velocity.T).max(), 1e-11)
        self.assertLess(np.abs(told.momentum - other.momentum).max(), 1e-11)
        self.assertLess(np.abs(told.energy - other.energy).max(), 1e-11)

    def test_backwards(self):
        times = TIMES[::-1]
        end = integrated(MOMENTS, heavy_top, START, TIMES)[:, -1]
        sol = solve(torque=TOP, start=end, t_span=(3, 0), t_eval=times, **PRECISE)
        self.assertEqual(list(sol.t), list(times))
        self.assertLess(difference(sol.y, integrated(MOMENTS, heavy_top, end, times)), 1e-9)
        self.assertLess(difference(sol.y[:, -1], START), 1e-9)

    def test_begin_other_than_zero(self):
        def push(t, q, w):
            return np.array([0.3 * np.cos(t), 0.0, 0.1 * t])
        times = np.linspace(5, 7, 5)
        sol = solve(torque=push, t_span=(5, 7), t_eval=times, method="rkmk-4", step=0.01)
        self.assertLess(difference(sol.y, integrated(MOMENTS, push, START, times)), 1e-8)

    def test_columns_of_the_motion(self):
        sol = solve(torque=TOP, **PRECISE)
        up = np.array(TOP["up_spatial"]) / np.linalg.norm(TOP["up_spatial"])
        axis = np.array(TOP["axis_body"]) / np.linalg.norm(TOP["axis_body"])
        for i in (0, 40, -1):
            q, w = sol.attitude[i], sol.angular_velocity[i]
            np.testing.assert_allclose(sol.momentum[i], matrix(q) @ (MOMENTS * w), atol=1e-13)
            self.assertAlmostEqual(sol.energy[i], w @ (MOMENTS * w) / 2 + 0.7 * (matrix(q) @ axis) @ up, delta=1e-13)
        self.assertTrue(sol.energy_conserved)
        self.assertLess(np.abs(sol.energy - sol.energy[0]).max(), 1e-11)


class TimesOfRows(unittest.TestCase):
    def test_exactly_those_asked_for(self):
        random = np.random.default_rng(4)
        for times in (TIMES, [0.0], [3.0], [1.234], [0.05, 0.05000001], [0.1, 2.9], np.sort(random.uniform(0, 3, 40)),
                      [1e-12, 3 - 1e-12], range(4), (0, 1.5), np.float32([0.5, 0.25])[::-1]):
            sol = solve(torque=TOP, t_eval=times)
            self.assertEqual(list(sol.t), [float(t) for t in times])
            self.assertEqual(sol.y.shape, (7, len(times)))

    def test_of_a_begin_far_from_zero(self):
        times = [1e9 + 0.125, 1e9 + 1.3]
        self.assertEqual(list(solve(t_span=(1e9, 1e9 + 3), t_eval=times).t), times)

    def test_steps_stay_as_they_are(self):
        plain = solve(torque=TOP)
        dense = solve(torque=TOP, t_eval=np.sort(np.concatenate([plain.t, plain.t[:-1] + 0.037])))
        self.assertEqual(dense.steps, plain.steps)
        self.assertEqual(plain.steps, 30)
        at_steps = np.isin(dense.t, plain.t)
        self.assertEqual(at_steps.sum(), 31)
        self.assertTrue(np.array_equal(dense.y[:, at_steps], plain.y))
        self.assertTrue(np.array_equal(dense.energy[at_steps], plain.energy))
        self.assertTrue(np.array_equal(dense.end.y, plain.end.y))

    def test_end_is_that_of_the_run(self):
        plain, early = solve(torque=TOP), solve(torque=TOP, t_eval=[0.5])
        self.assertTrue(np.array_equal(plain.end.y, early.end.y))
        self.assertEqual((early.end.t, early.sol.t_min, early.sol.t_max), (3.0, 0.0, 3.0))

    def test_every(self):
        plain = solve(torque=TOP)
        some = solve(torque=TOP, every=7)
        self.assertTrue(np.array_equal(some.t, plain.t[[0, 7, 14, 21, 28, 30]]))
        self.assertTrue(np.array_equal(some.y, plain.y[:, [0, 7, 14, 21, 28, 30]]))

    def test_refused(self):
        for times in ([0.5, 0.2], [0.5, 0.5], [0.1, 0.3, 0.2]):
            self.assertRegex(message_of(self, ValueError, solve, t_eval=times), "^t_eval: .* stands after ")
        self.assertRegex(message_of(self, ValueError, solve, t_span=(3, 0), t_eval=[0.5, 0.7]), "^t_eval: ")
        for times in ([3.1], [-0.1, 1], [3 + 1e-6], [-1e-6], []):
            self.assertRegex(message_of(self, ValueError, solve, t_eval=times), "^t_eval: ")

    def test_not_reached(self):
        sol = solve(torque=TOP, t_eval=[0.05, 0.3, 0.30001, 2.0], max_steps=3)
        self.assertEqual(list(sol.t), [0.05, 0.3])
        none = solve(torque=TOP, t_eval=[2.0, 3.0], max_steps=3)
        self.assertEqual((none.t.shape, none.y.shape, none.energy.shape), ((0,), (7, 0), (0,)))
        self.assertIn("none", repr(none))
        self.assertAlmostEqual(none.end.t, 0.3)

    def test_duration_that_is_no_whole_number_of_steps(self):
        sol = solve(torque=TOP, t_span=(0, 0.95), t_eval=[0.9, 0.925, 0.95])
        self.assertEqual((list(sol.t), sol.steps), ([0.9, 0.925, 0.95], 10))


class DenseOutput(unittest.TestCase):
    def test_bits_of_the_rows(self):
        times = np.sort(np.random.default_rng(1).uniform(0, 3, 50))
        for more in ({}, {"method": "mclachlan-reich-231"}, {"method": "lie-verlet@suzuki"},
                     {"method": "picard-lobatto-8", "step": None, "tolerance": 1e-9}):
            sol = solve(torque=TOP, t_eval=times, **more)
            self.assertTrue(np.array_equal(sol.sol(times), sol.y), more)
            backwards = solve(torque=TOP, t_span=(3, 0), t_eval=times[::-1], **more)
            self.assertTrue(np.array_equal(backwards.sol(times[::-1]), backwards.y), more)

    def test_in_any_order(self):
        sol = solve(torque=TOP)
        times = np.random.default_rng(2).uniform(0, 3, 60)
        together = sol.sol(times)
        self.assertEqual(together.shape, (7, 60))
        for i, t in enumerate(times):
            one = sol.sol(t)
            self.assertEqual(one.shape, (7,))
            self.assertTrue(np.array_equal(one, together[:, i]))
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))
        self.assertEqual(sol.sol(np.array([])).shape, (7, 0))

    def test_order_between_steps(self):
        """The slope of the error over steps, away from the nodes; 4 of the method, to a quarter."""
        times = np.linspace(0, 3, 47)
        exact = integrated(MOMENTS, heavy_top, START, times)
        steps = np.array([0.2, 0.1, 0.05])
        errors = [difference(solve(torque=TOP, step=h).sol(times), exact) for h in steps]
        slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
        self.assertGreater(slope, 3.6)
        self.assertLess(errors[-1], 1e-5)

    def test_outside(self):
        sol = solve(torque=TOP)
        for t in (-0.1, 3.1, np.nan, np.inf, [0.1, 5]):
            with self.assertRaises(ValueError):
                sol.sol(t)
        with self.assertRaises(ValueError):
            sol.sol(np.zeros((2, 2)))
        with self.assertRaises((TypeError, ValueError)):
            sol.sol("soon")

    def test_off(self):
        sol = solve(torque=TOP, dense_output=False)
        self.assertIsNone(sol.sol)
        self.assertTrue(np.array_equal(sol.y, solve(torque=TOP).y))

    def test_with_a_callable_that_fails_later(self):
        calls = []

        def torque(t, q, w):
            if calls and calls[0] == "fail":
                raise KeyError("later")
            return heavy_top(t, q, w)
        sol = solve(torque=torque)
        calls.append("fail")
        with self.assertRaisesRegex(KeyError, "later"):
            sol.sol(1.234)
        calls.clear()
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))

    def test_of_a_run_that_ended_early(self):
        sol = solve(torque=TOP, events={"name": "e", "when": "t - 1.23", "terminal": True})
        self.assertAlmostEqual(sol.sol.t_max, 1.23, delta=1e-12)
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))
        with self.assertRaises(ValueError):
            sol.sol(1.3)


class Events(unittest.TestCase):
    def crossings(self):
        """Of wy = 0.2 and of Rzz = 0.5, of scipy's motion, found by bisection on fine rows."""
        from scipy.optimize import brentq
        times = np.linspace(0, 3, 301)
        rows = integrated(MOMENTS, heavy_top, START, times)

        def values(y):
            return np.array([y[5] - 0.2, matrix(y[:4] / np.linalg.norm(y[:4]))[2, 2] - 0.5])
        found = [[], []]
        for i in range(300):
            for k in range(2):
                if values(rows[:, i])[k] * values(rows[:, i + 1])[k] < 0:
                    def at(t):
                        return integrated(MOMENTS, heavy_top, rows[:, i], [times[i], t])[:, -1]
                    t = brentq(lambda t: values(at(t) if t > times[i] else rows[:, i])[k], times[i], times[i + 1], xtol=1e-13)
                    found[k].append((t, values(rows[:, i + 1])[k] > 0))
        return found

    def test_against_scipy(self):
        expected = self.crossings()
        self.assertTrue(all(expected))

        def level(t, y):
            return y[5] - 0.2
        sol = solve(torque=TOP, events=["wy - 0.2", {"name": "tilt", "when": "Rzz - 0.5"}, level], **PRECISE)
        self.assertEqual([len(t) for t in sol.t_events], [len(expected[0]), len(expected[1]), len(expected[0])])
        for k, reference in ((0, expected[0]), (1, expected[1]), (2, expected[0])):
            np.testing.assert_allclose(sol.t_events[k], [t for t, _ in reference], atol=1e-9)
            rising = [e.rising for e in sol.events if e.name == sol.event_names[k]]
            self.assertEqual(rising, [up for _, up in reference])
            for t, y in zip(sol.t_events[k], sol.y_events[k]):
                self.assertLess(difference(sol.sol(t), y), 1e-13)
        self.assertEqual([e.t for e in sol.events], sorted(e.t for e in sol.events))
        self.assertEqual(sol.event_names, ["wy - 0.2", "tilt", "level"])
        self.assertEqual(sol.status, 0)

    def test_steps_stay_as_they_are(self):
        plain, watched = solve(torque=TOP), solve(torque=TOP, events=["wy - 0.2", lambda t, y: y[4]])
        self.assertTrue(np.array_equal(plain.y, watched.y))

    def test_direction(self):
        expected, _ = self.crossings()
        for direction, kept in ((1, True), (-1, False), ("rising", True), ("falling", False), (2.5, True)):
            wanted = [t for t, up in expected if up == kept]
            def level(t, y):
                return y[5] - 0.2
            level.direction = direction
            for event in (level, {"when": "wy - 0.2", "direction": direction}):
                sol = solve(torque=TOP, events=event, **PRECISE)
                np.testing.assert_allclose(sol.t_events[0], wanted, atol=1e-9)
        for direction in (0, None, "both"):
            sol = solve(torque=TOP, events={"when": "wy - 0.2", "direction": direction}, **PRECISE)
            self.assertEqual(len(sol.t_events[0]), len(expected))

    def test_terminal(self):
        t = self.crossings()[0][0][0]
        def level(t, y):
            return y[5] - 0.2
        level.terminal = True
        for event in (level, {"name": "level", "when": "wy - 0.2", "terminal": True}):
            sol = solve(torque=TOP, events=["wx - 100", event], **PRECISE)
            self.assertEqual((sol.status, sol.success), (1, True))
            self.assertIn("level", sol.message)
            self.assertAlmostEqual(sol.t[-1], t, delta=1e-9)
            self.assertAlmostEqual(sol.y[5, -1], 0.2, delta=1e-12)
            self.assertEqual([len(one) for one in sol.t_events], [0, 1])
            self.assertEqual(sol.y_events[0].shape, (0, 7))
            self.assertTrue(np.array_equal(sol.y_events[1][0], sol.y[:, -1]))
            self.assertTrue(sol.events[-1].terminal)

    def test_event_of_three_arguments(self):
        two = solve(torque=TOP, events=lambda t, y: y[0] * y[5] - 0.3)
        three = solve(torque=TOP, events=lambda t, q, w: q[0] * w[1] - 0.3)
        self.assertGreater(len(two.t_events[0]), 0)
        self.assertTrue(np.array_equal(two.t_events[0], three.t_events[0]))

    def test_names_that_are_alike(self):
        sol = solve(torque=TOP, events=[lambda t, y: y[5], lambda t, y: t - 1.05, "t - 2.05"])
        self.assertEqual(len(set(sol.event_names)), 3)
        self.assertEqual([len(t) for t in sol.t_events[1:]], [1, 1])
        self.assertAlmostEqual(sol.t_events[1][0], 1.05, delta=1e-12)

    def test_backwards(self):
        sol = solve(torque=TOP, t_span=(3, 0), events=["t - 1.234", lambda t, y: t - 1.234])
        for t in sol.t_events:
            np.testing.assert_allclose(t, [1.234], atol=1e-12)
        self.assertEqual([e.rising for e in sol.events], [False, False])

    def test_stop_when(self):
        sol = solve(torque=TOP, stop_when="t > 1.234")
        self.assertEqual((sol.status, sol.success), (1, True))
        self.assertAlmostEqual(sol.t[-1], 1.234, delta=1e-12)
        self.assertIn("stop_when", sol.message)
        self.assertEqual(sol.event_names, ["stop_when"])
        self.assertEqual(len(sol.t_events[0]), 1)


class Endings(unittest.TestCase):
    def test_the_end(self):
        sol = solve()
        self.assertEqual((sol.status, sol.success, sol.steps, sol.t[-1]), (0, True, 30, 3.0))
        self.assertIn("end", sol.message)

    def test_guards(self):
        steps = solve(max_steps=7)
        self.assertEqual((steps.status, steps.success, steps.steps), (2, False, 7))
        self.assertIn("7", steps.message)
        time = solve(t_span=(0, 1e9), max_time=0.01)
        self.assertEqual((time.status, time.success), (2, False))
        self.assertIn("0.01", time.message)

    def test_failure(self):
        """An implicit step that is far too long."""
        sol = polhode.solve(MOMENTS, TOP, [40, 50, 60], (0, 50), "moser-veselov", step=5.0)
        self.assertEqual((sol.status, sol.success), (-1, False))
        self.assertTrue(sol.message)
        self.assertTrue(np.all(np.isfinite(sol.y)))

    def test_torque_that_becomes_nan(self):
        def torque(t, q, w):
            return (np.nan if t > 1 else 0.1, 0, 0)
        sol = solve(torque=torque)
        self.assertEqual((sol.status, sol.success), (-1, False))
        self.assertTrue(np.all(np.isfinite(sol.y)))
        self.assertLess(sol.t[-1], 1.05)

    def test_counts_of_evaluations(self):
        calls = []

        def torque(t, q, w):
            calls.append(t)
            return heavy_top(t, q, w)
        sol = solve(torque=torque, dense_output=False)
        self.assertEqual(sol.nfev, 4 * sol.steps)
        self.assertGreaterEqual(len(calls), sol.nfev)       # the state at the start is looked at besides
        self.assertLessEqual(len(calls), sol.nfev + 2 * (sol.steps + 1))
        self.assertEqual(solve(torque=TOP).nfev, 4 * 30)
        self.assertEqual(solve().nfev, 0)

    def test_repr(self):
        sol = solve(torque=TOP)
        for words in ("message", "rkmk-4", "nfev: 120", "success: True"):
            self.assertIn(words, repr(sol))
        self.assertIn("<table", sol._repr_html_())


class ScalarLast(unittest.TestCase):
    def test_everywhere(self):
        seen = []

        def torque_last(t, q, w):
            seen.append(np.array(q))
            return heavy_top(t, np.roll(q, 1), w)
        first = solve(torque=heavy_top, events=lambda t, y: y[0] - 0.1)
        last = polhode.solve(MOMENTS, torque_last, np.concatenate([np.roll(START[:4], -1), START[4:]]), (0, 3),
                             scalar_first=False, events=lambda t, y: y[3] - 0.1, **RK)
        self.assertTrue(np.array_equal(np.roll(first.y[:4], -1, axis=0), last.y[:4]))
        self.assertTrue(np.array_equal(first.y[4:], last.y[4:]))
        self.assertTrue(np.array_equal(np.roll(first.attitude, -1, axis=1), last.attitude))
        self.assertTrue(np.allclose(seen[0], np.roll(START[:4], -1), atol=1e-15))
        self.assertTrue(np.array_equal(first.t_events[0], last.t_events[0]))
        self.assertGreater(len(first.t_events[0]), 0)
        self.assertTrue(np.array_equal(np.roll(first.y_events[0][:, :4], -1, axis=1), last.y_events[0][:, :4]))
        self.assertTrue(np.array_equal(np.roll(first.sol(1.23)[:4], -1), last.sol(1.23)[:4]))
        self.assertTrue(np.array_equal(first.rotation().as_quat(), last.rotation().as_quat()))
        self.assertTrue(np.array_equal(np.roll(first.end.attitude, -1), last.end.attitude))
        self.assertFalse(last.end.scalar_first)
        self.assertTrue(np.array_equal(first.energy, last.energy))

    def test_vectorized_and_compiled_see_the_same(self):
        import ctypes
        kind = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3)

        def write(t, q, w, torque):
            for i, value in enumerate(heavy_top(t, np.array([q[3], q[0], q[1], q[2]]), np.array(w[:3]))):
                torque[i] = value

        def many(t, q, w):
            return np.array([heavy_top(*one) for one in zip(t, np.roll(q, 1, axis=1), w)])
        start = polhode.State(np.roll(START[:4], -1), START[4:], scalar_first=False)
        expected = solve(torque=heavy_top).y
        for torque in (polhode.compiled(kind(write)), polhode.torque(many, vectorized=True)):
            sol = solve(torque=torque, start=start, scalar_first=False)
            self.assertTrue(np.array_equal(np.roll(sol.y[:4], 1, axis=0), expected[:4]))

    def test_a_state_knows_its_own(self):
        last = polhode.State(np.roll(START[:4], -1), START[4:], scalar_first=False)
        expected = solve().y
        self.assertTrue(np.array_equal(solve(start=last).y, expected))
        self.assertTrue(np.array_equal(np.roll(solve(start=last, scalar_first=False).y[:4], 1, axis=0), expected[:4]))

    def test_of_simulation_and_rotor(self):
        start = np.concatenate([np.roll(START[:4], -1), START[4:]])
        sim = polhode.Simulation(MOMENTS, TOP, start, scalar_first=False, step=0.1)
        other = polhode.Simulation(MOMENTS, TOP, START, step=0.1)
        sim.advance(5), other.advance(5)
        self.assertTrue(np.array_equal(np.roll(sim.y[:4], 1), other.y[:4]))
        self.assertTrue(np.array_equal(sim.y[4:], other.y[4:]))
        self.assertTrue(np.array_equal(sim.momentum, other.momentum))
        self.assertEqual(sim.energy, other.energy)
        self.assertTrue(np.array_equal(sim.at(0.47).attitude, np.roll(other.at(0.47).attitude, -1)))
        self.assertTrue(np.array_equal(sim.attitude, sim.y[:4]))
        rotor, same = polhode.FreeRotor(MOMENTS, start, scalar_first=False), polhode.FreeRotor(MOMENTS, START)
        self.assertTrue(np.array_equal(np.roll(rotor(TIMES)[:4], 1, axis=0), same(TIMES)[:4]))


class Starts(unittest.TestCase):
    def test_forms_of_one_start(self):
        q, w = START[:4], START[4:]
        rotation = Rotation.from_quat(np.roll(q, -1))
        L = matrix(q) @ (MOMENTS * w)
        expected = solve(torque=TOP).y
        forms = [START, START.tolist(), tuple(START), polhode.State(q, w), polhode.State(rotation, w),
                 polhode.State(rotation, w, scalar_first=False),
                 {"attitude_wxyz": q, "angular_velocity_body": w},
                 {"attitude_xyzw": np.roll(q, -1), "angular_velocity_body": list(w)},
                 {"attitude_wxyz": tuple(-q), "angular_velocity_spatial": matrix(q) @ w},
                 {"rotation_matrix": matrix(q), "angular_momentum_spatial": L},
                 {"rotation_vector": rotation.as_rotvec(), "angular_momentum_body": MOMENTS * w},
                 {"mrp": rotation.as_mrp() if hasattr(rotation, "as_mrp") else q[1:] / (1 + q[0]),
                  "angular_velocity_body": w}]
        for form in forms:
            self.assertLess(difference(solve(torque=TOP, start=form).y, expected), 1e-13, form)

    def test_short_forms(self):
        w = solve(start=[0.1, 0.2, 0.3]).y[:, 0]
        np.testing.assert_allclose(w, [1, 0, 0, 0, 0.1, 0.2, 0.3], atol=1e-16)
        np.testing.assert_allclose(solve(torque=TOP, start=None).y[:, 0], [1, 0, 0, 0, 0, 0, 0])
        rest = solve(torque=TOP, start={"attitude_wxyz": START[:4]}).y[:, 0]
        np.testing.assert_allclose(rest, [*START[:4], 0, 0, 0], atol=1e-15)

    def test_a_rotation_is_refused_by_the_name_of_its_key(self):
        for key, begins in ("attitude_wxyz", "start: attitude_wxyz is a Rotation; "), ("\ud800", r"start: '\\ud800' is no text "):
            with self.assertRaisesRegex((TypeError, ValueError), f"^{begins}") as refused:
                solve(start={key: Rotation.identity()})
            str(refused.exception).encode()     # can be printed

    def test_end_of_one_is_the_start_of_another(self):
        whole = solve(torque=TOP, **PRECISE)
        half = solve(torque=TOP, t_span=(0, 1.5), **PRECISE)
        rest = solve(torque=TOP, start=half.end, t_span=(1.5, 3), **PRECISE)
        self.assertLess(difference(rest.y[:, -1], whole.y[:, -1]), 1e-12)
        column = solve(torque=TOP, start=half.y[:, -1], t_span=(1.5, 3), **PRECISE)
        self.assertLess(difference(rest.y, column.y), 1e-14)

    def test_time_of_the_start(self):
        self.assertEqual(solve(start={"angular_velocity_body": [0, 1, 0], "time": 2.0}, t_span=(2, 3)).t[0], 2.0)
        self.assertRegex(message_of(self, ValueError, solve, start={"angular_velocity_body": [0, 1, 0], "time": 1.0},
                                    t_span=(2, 3)), "^start: .*t_span")


class Wheels(unittest.TestCase):
    def test_gyrostat(self):
        """A motor that keeps the speed, and a bearing without friction, which keeps the wheel's momentum about its axis. The
        body's inertia includes the locked wheel."""
        from scipy.integrate import solve_ivp
        inertia, speed, axis = 0.2, 6.0, np.array([0.0, 0.6, 0.8])
        for more, tensor, h in (({}, np.diag(MOMENTS), inertia * speed),
                                ({"torque": 0.0}, np.diag(MOMENTS) - inertia * np.outer(axis, axis),
                                 inertia * (speed + axis @ START[4:]))):
            body = polhode.Body(MOMENTS, wheels=[{"axis": axis, "inertia": inertia, "speed": speed, **more}])

            def rate(t, y):  # the momentum is tensor w + h axis
                q, w = y[:4], y[4:]
                turning = 0.5 * product(q, np.concatenate([[0], w]))
                return np.concatenate([turning, np.linalg.solve(tensor, np.cross(tensor @ w + h * axis, w))])
            expected = solve_ivp(rate, (0, 3), START, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=TIMES).y
            sol = solve(body, t_eval=TIMES, **PRECISE)
            self.assertLess(difference(sol.y, expected), 1e-10, more)
            told = solve({"inertia": MOMENTS, "wheels": body.wheels}, t_eval=TIMES, **PRECISE)
            self.assertTrue(np.array_equal(told.y, sol.y))


class QuantitiesAndColumns(unittest.TestCase):
    def test_quantities(self):
        named = {"spin": "sqrt(wx^2 + wy^2 + wz^2)", "tilt": "acos(Rzz)", "a": "spin*2"}
        sol = solve(torque=TOP, quantities=named)
        np.testing.assert_allclose(sol.columns["spin"], np.linalg.norm(sol.angular_velocity, axis=1), rtol=1e-14)
        np.testing.assert_allclose(sol.columns["tilt"], [np.arccos(matrix(q)[2, 2]) for q in sol.attitude], rtol=1e-12)
        self.assertEqual(list(sol.columns)[-3:], ["spin", "tilt", "a"])
        np.testing.assert_array_equal(sol.columns["a"], 2 * sol.columns["spin"])

    def test_columns(self):
        for asked in ("euler_321_deg", ["euler_321_deg"], ("standard", "euler_321_deg")):
            sol = solve(torque=TOP, columns=asked)
            angles = np.column_stack([values for name, values in sol.columns.items() if "deg" in name])
            expected = sol.rotation().as_euler("ZYX", degrees=True)
            np.testing.assert_allclose(angles, expected, atol=1e-10)
            self.assertEqual(sol.y.shape, (7, 31))

    def test_with_scalar_last(self):
        """The columns of attitude turn, others do not."""
        first = solve(torque=TOP, columns=["mrp", "euler_321_deg"])
        last = solve(torque=TOP, start=polhode.State(START[:4], START[4:]), columns=["mrp", "euler_321_deg"], scalar_first=False)
        for name, values in first.columns.items():
            if name not in ("qw", "qx", "qy", "qz"):
                self.assertTrue(np.array_equal(values, last.columns[name]), name)

    def test_sensitivities(self):
        """Against differences of two runs: their error is of the order of the square of the difference."""
        by, d = "torque.weight_times_arm", 1e-5
        sol = solve(torque=TOP, sensitivities=[by])
        found = np.array([sol.columns[name][-1] for name in sol.columns if name.startswith("dw")])
        self.assertEqual(found.shape, (3,))
        ends = [solve(torque=dict(TOP, weight_times_arm=0.7 + e)).y[4:, -1] for e in (-d, d)]
        np.testing.assert_allclose(found, (ends[1] - ends[0]) / (2 * d), atol=1e-8)
        self.assertEqual(sol.info["sensitivities"][0]["by"], by)
        self.assertTrue(np.array_equal(sol.y, solve(torque=TOP).y))


class Errors(unittest.TestCase):
    def test_attitude_error_of_a_free_body(self):
        exact = polhode.FreeRotor(MOMENTS, START)
        for step in (0.1, 0.05):
            sol = solve(step=step)
            turn = Rotation.from_quat(np.roll(exact(3.0)[:4], -1)).inv() * sol.rotation()[-1]
            self.assertAlmostEqual(sol.attitude_error, turn.magnitude(), delta=1e-13 + 1e-6 * sol.attitude_error)
            self.assertGreater(sol.attitude_error, 1e-8)

    def test_unknown(self):
        sol = solve(torque=lambda t, q, w: -0.1 * w)
        self.assertIsNone(sol.attitude_error)
        self.assertIsNone(sol.momentum_error)

    def test_scalars(self):
        """A single precision run differs by its rounding; the others by theirs, which is not seen."""
        plain = solve(torque=TOP).y
        self.assertLess(difference(solve(torque=TOP, scalar="quad").y, plain), 1e-13)
        single = difference(solve(torque=TOP, scalar="float").y, plain)
        self.assertLess(single, 1e-4)
        self.assertGreater(single, 1e-9)


class Loading(unittest.TestCase):
    def test_scenarios(self):
        for name in ("book-toss", "detumbling", "gyrostat", "tumble", "worked-number", "dumbbell"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", polhode.PolhodeWarning)
                sol = polhode.load(os.path.join(ROOT, "scenarios", name + ".toml")).solve()
            self.assertTrue(sol.success, name)
            self.assertTrue(np.all(np.isfinite(sol.y)), name)

    def test_the_same_by_arguments(self):
        given = polhode.load(os.path.join(ROOT, "scenarios", "book-toss.toml")).solve()
        told = polhode.solve(polhode.Body([5, 10, 1], unphysical=True),
                             {"kind": "pulse", "torque": [20, 0, 0], "until": 2.0, "impulse": [0, 0.2, 0]}, None, (0, 10),
                             "mclachlan-reich-4-231", step=0.01)
        self.assertTrue(np.array_equal(given.y, told.y))
        self.assertTrue(np.array_equal(given.t, told.t))

    def test_problem(self):
        loaded = polhode.load("problem:asymmetric-top")
        self.assertEqual(loaded.title, "asymmetric-top")
        self.assertIn("heavy-top", loaded.toml)
        sol = loaded.solve(method="rkmk-4", step=0.01, t_span_end=2.0, t_eval=[0.5, 1.0])
        self.assertEqual(list(sol.t), [0.5, 1.0])
        data = next(p for p in polhode.problems() if p["name"] == "asymmetric-top")
        self.assertEqual(sol.body.moments.tolist(), data["setup"]["inertia"] if "setup" in data else data["inertia"])

    def test_a_problem_names_no_method(self):
        sol = polhode.load("problem:fast-top").solve(t_span_end=1.0, tolerance=1e-8)
        self.assertTrue(sol.explanation)        # of auto
        self.assertLess(sol.attitude_error, 1e-8)

    def test_keys_that_are_missing_are_named(self):
        for torque, begins in (({"kind": "heavy-top"}, r"torque\.weight_times_arm: is missing"),
                               ([TOP, {"kind": "pulse", "torque": [0, 0, 1]}], r"torque\[1\]\.until: is missing")):
            self.assertRegex(message_of(self, ValueError, polhode.solve, MOMENTS, torque, START, (0, 1), "rkmk-4", step=0.1), f"^{begins}")

    def test_missing(self):
        with self.assertRaises(FileNotFoundError):
            polhode.load("no-such-file.toml")
        self.assertRegex(message_of(self, ValueError, polhode.load, "problem:asymetric-top"), "asymmetric-top")


if __name__ == "__main__":
    unittest.main()
