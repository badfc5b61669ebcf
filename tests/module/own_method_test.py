"""Methods of one's own: listed ones in Python, by their formulas, and steps that go wrong."""

import math
import unittest
import weakref

import numpy as np

import polhode
from callables import DRAG, TENSOR, Case, Held, drag, solve
from motions import MOMENTS, START, TOP, difference, heavy_top, integrated, message_of, product


def quaternion_rate(q, w):
    return 0.5 * product(q, np.concatenate([[0.0], w]))


def rates(q, pi, t, system):
    w = system.velocity(pi)
    return quaternion_rate(q, w), np.cross(pi, w) + system.torque(q / np.linalg.norm(q), w, t)


def textbook_rk4(q, pi, t, h, system):
    """The classical Runge-Kutta method for quaternion and momentum."""
    a = rates(q, pi, t, system)
    b = rates(q + h / 2 * a[0], pi + h / 2 * a[1], t + h / 2, system)
    c = rates(q + h / 2 * b[0], pi + h / 2 * b[1], t + h / 2, system)
    d = rates(q + h * c[0], pi + h * c[1], t + h, system)
    q = q + h / 6 * (a[0] + 2 * (b[0] + c[0]) + d[0])
    return q / np.linalg.norm(q), pi + h / 6 * (a[1] + 2 * (b[1] + c[1]) + d[1])


def textbook_euler(q, pi, t, h, system):
    """The momentum by its rate, then the quaternion by the new velocity."""
    pi = pi + h * rates(q, pi, t, system)[1]
    q = q + h * quaternion_rate(q, system.velocity(pi))
    return q / np.linalg.norm(q), pi


def turn(v):
    """The quaternion of a rotation vector."""
    angle = np.linalg.norm(v)
    return np.concatenate([[np.cos(angle / 2)], np.sinc(angle / (2 * np.pi)) / 2 * v])


def apply(q, v):
    """A quaternion to a vector."""
    return product(product(q, np.concatenate([[0.0], v])), q * [1, -1, -1, -1])[1:]


def lie_euler(q, pi, t, h, system):
    """Attitude by the velocity at the start; the momentum in space by the torque there."""
    w = system.velocity(pi)
    momentum = apply(q, pi + h * system.torque(q, w, t))
    moved = product(q, turn(h * w))
    return moved, apply(moved * [1, -1, -1, -1], momentum)


def lie_midpoint(q, pi, t, h, system):
    """Explicit midpoint on the group: half a step of Lie-Euler, and the whole with what is found there."""
    half_q, half_pi = lie_euler(q, pi, t, h / 2, system)
    w = system.velocity(half_pi)
    momentum = apply(q, pi) + h * apply(half_q, system.torque(half_q, w, t + h / 2))
    moved = product(q, turn(h * w))
    return moved, apply(moved * [1, -1, -1, -1], momentum)


def turn_about(axis, angle, q, pi):
    """A principal axis. Lists of numbers are quicker than arrays, and diagnose() takes a third of a million steps."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    c, s = math.cos(angle), math.sin(angle)
    pi[j], pi[k] = c * pi[j] + s * pi[k], c * pi[k] - s * pi[j]
    c, s = math.cos(angle / 2), math.sin(angle / 2)
    q[0], q[1 + axis] = c * q[0] - s * q[1 + axis], c * q[1 + axis] + s * q[0]
    q[1 + j], q[1 + k] = c * q[1 + j] + s * q[1 + k], c * q[1 + k] - s * q[1 + j]


def splitting(q, pi, t, h, system):
    """Kicks, and turns about the axes 2, 3, 1, 3, 2: the symmetric splitting of McLachlan and Reich."""
    pi = pi + h / 2 * system.torque(q, system.velocity(pi), t)
    q, pi, inertia = q.tolist(), pi.tolist(), system.inertia.tolist()
    for axis, part in ((1, 0.5), (2, 0.5), (0, 1), (2, 0.5), (1, 0.5)):
        turn_about(axis, part * h * pi[axis] / inertia[axis], q, pi)
    return q, pi + h / 2 * system.torque(q, system.velocity(pi), t + h)


class OwnMethods(Case):
    @classmethod
    def setUpClass(cls):
        polhode.Method(textbook_rk4, "own-rk4", order=4, torque_evaluations=4)
        polhode.Method(textbook_euler, "own-euler", order=1)
        polhode.Method(lie_midpoint, "own-midpoint", order=2, momentum_free="exact", momentum_along_field="exact",
                       torque_evaluations=2)
        polhode.Method(splitting, "own-splitting", order=2, symmetric=True, symplectic=True, momentum_free="exact",
                       momentum_along_field="exact", energy_free="bounded", energy="bounded", torque_evaluations=2)

    def test_beside_listed_ones(self):
        """The same formulas, to rounding; in any axes and units, with any torque."""
        top = polhode.torque(heavy_top, velocity=False)
        for body in (MOMENTS, TENSOR, 1e-9 * MOMENTS, 3e7 * TENSOR):
            size = np.max(np.abs(body))
            for torque in (TOP, top, None):
                scaled = None if torque is None else dict(TOP, weight_times_arm=0.7 * size) if torque is TOP else \
                    polhode.torque(lambda t, q, w: size * heavy_top(t, q, w), velocity=False)
                for own, listed in (("own-rk4", "textbook-rk4"), ("own-euler", "textbook-euler"),
                                    ("own-splitting", "mclachlan-reich-231")):
                    how = {"body": body, "step": 0.02}
                    sol, other = solve(scaled, method=own, **how), solve(scaled, method=listed, **how)
                    self.assertLess(difference(sol.y, other.y), 1e-11, (own, torque))
                    np.testing.assert_allclose(sol.momentum, other.momentum, rtol=0, atol=1e-11 * size)

    def test_drag_and_time(self):
        for own, listed in (("own-rk4", "textbook-rk4"), ("own-euler", "textbook-euler")):
            sol, other = solve(drag, method=own, step=0.02), solve(DRAG, method=listed, step=0.02)
            self.assertLess(difference(sol.y, other.y), 1e-12)

    def test_order(self):
        """Slopes of errors against scipy, and what converge() makes of them."""
        exact = integrated(MOMENTS, heavy_top, START, [0, 1])[:, -1]
        steps = np.array([0.02, 0.01, 0.005])
        for name, order in (("own-euler", 1), ("own-midpoint", 2), ("own-splitting", 2), ("own-rk4", 4)):
            errors = [difference(solve(TOP, t_span=(0, 1), method=name, step=h).y[:, -1], exact) for h in steps]
            self.assertAlmostEqual(np.polyfit(np.log(steps), np.log(errors), 1)[0], order, delta=0.2, msg=name)
            study = polhode.converge(body=MOMENTS, torque=TOP, start=START, t_span=(0, 1), methods=[name],
                                     step_sizes=[0.04, 0.02, 0.01, 0.005])
            self.assertAlmostEqual(study.orders[0]["attitude"], order, delta=0.25, msg=name)
            self.assertEqual(study.orders[0]["claimed_attitude"], order)

    def test_suffixes(self):
        """Compositions raise the order of a symmetric method, and the energy is put back."""
        exact = integrated(MOMENTS, heavy_top, START, [0, 1])[:, -1]
        steps = np.array([0.1, 0.05, 0.025])
        for suffix in ("@suzuki", "@triple-jump"):
            errors = [difference(solve(TOP, t_span=(0, 1), method="own-splitting" + suffix, step=h).y[:, -1], exact)
                      for h in steps]
            self.assertAlmostEqual(np.polyfit(np.log(steps), np.log(errors), 1)[0], 4, delta=0.4, msg=suffix)
            other = solve(TOP, method="mclachlan-reich-231" + suffix, step=0.05)
            self.assertLess(difference(solve(TOP, method="own-splitting" + suffix, step=0.05).y, other.y), 1e-11)
        sol = solve(TOP, method="own-rk4+energy", t_span=(0, 20))
        self.assertLess(np.ptp(sol.energy), 1e-12 * np.max(np.abs(sol.energy)) + 1e-13)
        self.assertGreater(np.ptp(solve(TOP, method="own-rk4", t_span=(0, 20)).energy), 1e-9)
        adaptive = solve(TOP, method="own-splitting~adaptive")
        self.assertTrue(adaptive.success)
        self.assertRegex(message_of(self, ValueError, solve, TOP, method="own-euler@suzuki"), "^method: ")

    def test_records(self):
        record = next(m for m in polhode.methods() if m["name"] == "own-splitting")
        self.assertEqual((record["order_attitude"], record["symmetric"], record["symplectic"]), (2, True, True))
        self.assertEqual((record["momentum_free"], record["energy"]), ("exact", "bounded"))
        self.assertEqual(polhode.method("own-splitting@suzuki")["order_attitude"], 4)
        self.assertIn("McLachlan", record["about"])

    def test_diagnose(self):
        found = polhode.diagnose("own-splitting", body=MOMENTS, torque=TOP, start=START)
        self.assertEqual([f for f in found.disagreements], [])
        self.assertGreater(len(found.findings), 5)
        boaster = polhode.Method(splitting, "own-boaster", order=4, symmetric=True, energy_free="exact")
        verdicts = {f["about"]: f["verdict"] for f in boaster.diagnose(body=MOMENTS, start=START).findings}
        self.assertEqual({about for about, verdict in verdicts.items() if verdict == "disagrees"},
                         {"order of attitude, free", "order of momentum, free", "energy, free"}, verdicts)
        self.assertEqual({about for about, verdict in verdicts.items() if verdict == "more"},
                         {"symplectic", "momentum, free"}, verdicts)

    def test_all_that_listed_ones_have(self):
        times = np.random.default_rng(5).uniform(0, 3, 20)
        listed = {"method": "textbook-rk4", "step": 0.02}
        sol, other = solve(TOP, method="own-rk4", step=0.02, events="wy"), solve(TOP, events="wy", **listed)
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))
        self.assertLess(difference(sol.sol(times), other.sol(times)), 1e-9)
        np.testing.assert_allclose(sol.t_events[0], other.t_events[0], atol=1e-9)
        self.assertEqual(sol.nfev, 4 * sol.steps)
        dense = solve(TOP, method="own-rk4", step=0.02, t_eval=np.sort(times))
        self.assertTrue(np.array_equal(sol.sol(np.sort(times)), dense.y))
        back = solve(TOP, start=sol.end, t_span=(3, 0), method="own-rk4", step=0.02)
        self.assertLess(difference(back.y[:, -1], START), 1e-5)
        sim = polhode.Simulation(MOMENTS, TOP, START, method="own-rk4", step=0.02)
        sim.advance(50)
        saved = sim.save()
        sim.advance(50)
        end = sim.y
        self.assertTrue(np.array_equal(sim.y, sol.y[:, 100]))
        sim.restore(saved)
        sim.advance(50)
        self.assertTrue(np.array_equal(sim.y, end))

    def test_refused(self):
        for scalar in ("float", "long-double", "quad"):
            self.assertTrue(message_of(self, ValueError, solve, TOP, method="own-rk4", scalar=scalar))
        for name in ("rkmk-4", "auto", "LIEMID", "Upper", "with space", "", "ü", "a@b", "x+energy", "\0", "\ud800", "a:b"):
            self.assertTrue(message_of(self, ValueError, polhode.Method, textbook_rk4, name, order=4))
        for step in (None, 1, "step"):
            self.assertRegex(message_of(self, TypeError, polhode.Method, step, "own-refused", order=4), "^step: ")
        for order in (0, -1, 101, 2.5, "2", None, True, 10**30):
            self.assertRegex(message_of(self, ValueError, polhode.Method, textbook_rk4, "own-refused", order=order), "^order")
        for word in ("yes", None, 1, "", "Exact", [], {}):
            with self.assertRaises((TypeError, ValueError)) as caught:
                polhode.Method(textbook_rk4, "own-refused", order=4, energy=word)
            self.assertRegex(str(caught.exception), "^energy: ")
        self.assertRegex(message_of(self, ValueError, solve, method="own-refused"), "^method: ")

    def test_nonsense_of_steps(self):
        wrong = [None, (), (1,), (1, 2), (1, 2, 3), "ab", [START[:4], START[4:]], (START[:4], None), (None, START[4:]),
                 (START[:3], START[4:]), (START[:4], START[:4]), (START[:4], "abc"), (START[:4] * 1j, START[4:]),
                 ([[1, 0, 0, 0]], START[4:]), ({}, {}), (START[:4], (1, 2, 10**400)), object(), 5]
        for answer in wrong:
            polhode.Method(lambda q, pi, t, h, system: answer, "own-nonsense", order=1)
            with self.subTest(repr(answer)):
                with self.assertRaises((TypeError, ValueError)) as caught:
                    solve(method="own-nonsense")
                self.assertRegex(str(caught.exception), "^step: ")
        for answer in ((START[:4], (np.nan, 0, 0)), ((np.nan,) * 4, START[4:]), ((0, 0, 0, 0), START[4:]),
                       (START[:4], (np.inf, 0, 0)), ((np.inf, 0, 0, 0), START[4:])):
            polhode.Method(lambda q, pi, t, h, system: answer, "own-nonsense", order=1)
            sol = solve(method="own-nonsense")
            self.assertEqual((sol.status, sol.success), (-1, False), answer)
            self.assertTrue(sol.message)
            self.assertTrue(np.all(np.isfinite(sol.y)))
        polhode.Method(lambda q, pi, t, h, system: (q.astype(np.longdouble), pi.astype(np.float32)), "own-nonsense", order=1)
        self.assertTrue(solve(method="own-nonsense").success)
        # Not of unit length: it is made so.
        polhode.Method(lambda q, pi, t, h, system: (7 * q, pi), "own-nonsense", order=1)
        sol = solve(method="own-nonsense")
        self.assertTrue(np.allclose(np.linalg.norm(sol.attitude, axis=1), 1, atol=1e-14))

    def test_arguments_kept_and_changed(self):
        kept = []

        def step(q, pi, t, h, system):
            kept.append((q, pi, system, t, q.copy(), pi.copy()))
            answer = textbook_rk4(q, pi, t, h, system)
            if len(kept) % 2:
                q[:], pi[:] = np.nan, 1e9
                q.resize((9,), refcheck=False)
            return answer
        polhode.Method(step, "own-keeper", order=4)
        sol = solve(drag, method="own-keeper")
        self.assertTrue(np.array_equal(sol.y, solve(drag, method="own-rk4").y))
        for i, (q, pi, system, t, was_q, was_pi) in enumerate(kept):
            if i % 2:
                self.assertTrue(np.array_equal(q, was_q) and np.array_equal(pi, was_pi))
        # A system outlives its step; what it asks is still there, and the answer is the same.
        q, pi, system, t, *_ = kept[1]
        w = system.velocity(pi)
        self.assertTrue(np.all(np.isfinite(system.torque(q, w, t))))
        self.assertEqual(system.inertia.shape, (3,))
        self.assertTrue(1 <= np.max(system.inertia) < 2 + 1e-12)
        for call in (lambda: system.velocity(None), lambda: system.velocity([1, 2]), lambda: system.torque(1, 2, 3),
                     lambda: system.torque(q, w, "x"), lambda: system.torque(q, w, None), lambda: system.torque()):
            with self.assertRaises((TypeError, ValueError)):
                call()

    def test_a_system_whose_solution_is_gone(self):
        kept = []

        def step(q, pi, t, h, system):
            kept[:] = [system]
            return q, pi

        def made():
            held = Held()
            solve(lambda t, q, w, held=held: drag(t, q, w), method="own-remembers")
            return weakref.ref(held)
        polhode.Method(step, "own-remembers", order=1)
        reference = made()
        self.assert_gone(reference)
        with self.assertRaises(polhode.Error):      # the torque went with it
            kept[0].torque([1, 0, 0, 0], [0, 0, 0], 0.0)
        kept.clear()

    def test_given_again(self):
        polhode.Method(textbook_euler, "own-again", order=1)
        first = solve(TOP, method="own-again")
        sim = polhode.Simulation(MOMENTS, TOP, START, method="own-again", step=0.1)
        polhode.Method(textbook_rk4, "own-again", order=4)
        later = solve(TOP, method="own-again")
        self.assertLess(difference(later.y, solve(TOP, method="textbook-rk4").y), 1e-12)
        self.assertGreater(difference(first.y, later.y), 1e-3)
        self.assertEqual(len([m for m in polhode.methods() if m["name"] == "own-again"]), 1)
        sim.advance_to(3)
        self.assertTrue(np.array_equal(sim.y, first.y[:, -1]))     # one that began earlier keeps its own
        self.assertTrue(np.array_equal(first.sol(first.t), first.y))

    def test_fixed_steps(self):
        """A method that remembers what it did may say that steps must be alike."""
        polhode.Method(textbook_rk4, "own-fixed", order=4, variable_steps=False)
        self.assertTrue(solve(method="own-fixed").success)


if __name__ == "__main__":
    unittest.main()
