"""One torque as a function of Python, of C, on many motions at once, written down, and as a listed kind: the same motion, to the
bit where every operation is rounded alike."""

import functools
import unittest

import numpy as np

import polhode
from callables import (DRAG, PULL, RK, SIGNATURE, TENSOR, Case, address_of, capsule, drag, drag_last, library, many,
                       many_pulls, pull, solve)
from motions import MOMENTS, START, TOP, difference, heavy_top, integrated, message_of

try:
    import numba
except ImportError:
    numba = None


# They use derivatives of a torque that has some, the multistep ones of these for their first steps.
BY_SERIES = ("taylor-1", "taylor-2", "taylor-2-augmented", "abm4-buss", "simo-wong-ab2", "simo-wong-buss")


class TheSameTorque(Case):
    """Told in other words."""

    def test_to_the_bit(self):
        compiled = library()
        for body in (MOMENTS, TENSOR, {"inertia": 1e-7 * MOMENTS}):
            for method in ("rkmk-4", "lie-verlet", "rotor-adams-8", "newmark", "implicit-midpoint", "textbook-rk4",
                           "mclachlan-reich-231@suzuki", "taylor-2"):
                how = {"body": body, "method": method}
                torque = drag if isinstance(body, np.ndarray) else lambda t, q, w: 1e-7 * np.array(drag(t, q, w))
                expected = solve(torque, **how)
                self.assertTrue(expected.success, method)
                if torque is not drag:
                    self.same_bits(solve(polhode.torque(torque, name="x"), **how), expected, method)
                    continue
                forms = [polhode.torque(drag), many, compiled.drag, polhode.compiled(compiled.drag),
                         polhode.compiled(address_of(compiled.drag)), capsule(compiled.drag),
                         polhode.compiled(capsule(compiled.drag)), SIGNATURE(address_of(compiled.drag)), [drag],
                         functools.partial(drag), lambda t, q, w: np.array(drag(t, q, w)),
                         lambda t, q, w: list(map(float, drag(t, q, w)))]
                for form in forms:
                    self.same_bits(solve(form, **how), expected, (method, form))

    def test_every_method_that_takes_values(self):
        """Function, compiled, many at once, written down: methods that refuse it are to refuse all of them."""
        compiled, compared, refused = library(), 0, []
        for method in [m["name"] for m in polhode.methods() if m["needs"] == "values" and "plugin" not in m]:
            for function, together, in_c, text in ((drag, many, compiled.drag, DRAG), (pull, many_pulls, compiled.pull, PULL)):
                how = {"method": method, "step": 0.01, "t_span": (0, 0.3), "dense_output": False}
                velocity = together.velocity
                forms = [polhode.torque(function, velocity=velocity), polhode.compiled(in_c, velocity=velocity), together, text]
                try:
                    found = [solve(form, **how) for form in forms]
                except ValueError:
                    refused.append((method, velocity))
                    for form in forms:
                        with self.assertRaises(ValueError, msg=method):
                            solve(form, **how)
                    continue
                self.same_bits(found[0], found[1], method)
                self.same_bits(found[0], found[2], method)
                self.assertLess(difference(found[0].y, found[3].y), 1e-3 if method in BY_SERIES else 1e-11, method)
                compared += 1
        self.assertGreater(compared, 80, refused)

    def test_a_listed_kind(self):
        top = polhode.torque(heavy_top, velocity=False)
        for method in ("rkmk-4", "lie-verlet", "rotor-adams-8", "implicit-midpoint", "mclachlan-reich-231",
                       "picard-lobatto-8", "newmark"):
            how = {"method": method, "step": 0.02}
            self.assertLess(difference(solve(top, **how).y, solve(TOP, **how).y), 1e-11, method)

    def test_against_scipy(self):
        times = np.linspace(0, 3, 7)
        expected = integrated(MOMENTS, drag, START, times)
        for torque in (drag, many, library().drag, DRAG):
            sol = solve(torque, method="rkmk-4", step=0.01, t_eval=times)
            self.assertLess(difference(sol.y, expected), 1e-8, torque)

    def test_scalar_last(self):
        start = np.concatenate([np.roll(START[:4], -1), START[4:]])
        expected = solve(drag)

        @polhode.torque(vectorized=True)
        def many_last(t, q, w):
            return many(t, np.roll(q, 1, axis=1), w)
        for torque in (drag_last, many_last, library().drag_last, polhode.torque(drag_last)):
            sol = solve(torque, start=start, scalar_first=False)
            self.assertTrue(np.array_equal(np.roll(sol.y[:4], 1, axis=0), expected.y[:4]), torque)
            self.assertTrue(np.array_equal(sol.y[4:], expected.y[4:]), torque)

    def test_parts_that_add_up(self):
        def half(t, q, w):
            return 0.5 * np.array(drag(t, q, w))
        whole = solve(drag, step=0.02)
        halves = [half, polhode.torque(lambda t, q, w: 0.5 * many(t, q, w), vectorized=True)]
        self.assertLess(difference(solve(halves, step=0.02).y, whole.y), 1e-13)
        several = [drag, DRAG, library().drag, many, capsule(library().drag)]
        fivefold = solve(lambda t, q, w: 5 * np.array(drag(t, q, w)), step=0.02)
        self.assertLess(difference(solve(several, step=0.02).y, fivefold.y), 1e-12)

    def test_step_by_step_and_loaded_bits(self):
        expected = solve(drag).y[:, -1]
        for torque in (drag, many, library().drag):
            sim = polhode.Simulation(MOMENTS, torque, START, **RK)
            sim.advance(15)
            saved = sim.save()
            sim.advance(15)
            self.assertTrue(np.array_equal(sim.y, expected))
            other = polhode.Simulation(MOMENTS, torque, START, **RK)
            other.restore(saved)
            other.advance(15)
            self.assertTrue(np.array_equal(other.y, expected))

    def test_times_within_steps(self):
        times = np.random.default_rng(3).uniform(0, 3, 20)
        expected = solve(drag).sol(times)
        for torque in (many, library().drag, capsule(library().drag)):
            self.assertTrue(np.array_equal(solve(torque).sol(times), expected))

    def test_chosen_method(self):
        exact = integrated(MOMENTS, drag, START, [0, 3])[:, -1]
        for torque in (drag, many, library().drag):
            sol = polhode.solve(MOMENTS, torque, START, (0, 3), tolerance=1e-8)
            self.assertLess(difference(sol.y[:, -1], exact), 1e-7)

    @unittest.skipIf(numba is None, "numba is not installed")
    def test_numba(self):
        kind = numba.types.void(numba.types.double, *[numba.types.CPointer(numba.types.double)] * 3)

        @numba.cfunc(kind)
        def quick(t, q, w, m):
            m[0] = -0.3 * w[0] + 0.1 * q[1] * q[2]
            m[1] = 0.2 * q[0] * q[3] - 0.1 * t
            m[2] = -0.2 * w[2] + 0.05 * q[1] * q[0]
        for form in (quick, polhode.compiled(quick)):
            self.assertLess(difference(solve(form).y, solve(drag).y), 1e-13)

    def test_what_has_an_address_and_what_has_none(self):
        self.assertEqual(polhode.compiled(library().drag).address, address_of(library().drag))
        for wrong in (None, 0, True, drag, "drag", 1.5, SIGNATURE(0), SIGNATURE(), []):
            self.assertRegex(message_of(self, TypeError, polhode.compiled, wrong), "^torque: ")
        for name in (b"other", b"", None):
            self.assertRegex(message_of(self, ValueError, polhode.compiled, capsule(library().drag, name)), "^torque: ")
        for wrong in (-1, -5, 1 << 64, 1 << 200):
            with self.assertRaises((TypeError, ValueError)) as caught:
                solve(polhode.compiled(wrong))
            self.assertRegex(str(caught.exception), "^torque: ")


class OrderOfKicks(Case):
    """velocity=False is a promise with which methods of kicks keep their order."""

    def order(self, torque, method, steps):
        exact = integrated(MOMENTS, heavy_top, START, [0, 1])[:, -1]
        errors = [difference(solve(torque, t_span=(0, 1), method=method, step=h).y[:, -1], exact) for h in steps]
        return np.polyfit(np.log(steps), np.log(errors), 1)[0]

    def test_order(self):
        steps = [0.02, 0.01, 0.005]
        for method, expected in (("lie-verlet", 2), ("mclachlan-reich-231", 2), ("mclachlan-reich-231@suzuki", 4)):
            for torque in (polhode.torque(heavy_top, velocity=False),
                           polhode.torque(lambda t, q, w: np.array([heavy_top(*one) for one in zip(t, q, w)]),
                                          vectorized=True, velocity=False)):
                self.assertAlmostEqual(self.order(torque, method, steps), expected, delta=0.25, msg=method)

    def test_calls(self):
        """Without the promise a kick asks again, until the velocity that it leads to has settled."""
        for method in ("lie-verlet", "mclachlan-reich-231"):
            promised, other = (solve(polhode.torque(heavy_top, velocity=velocity), method=method) for velocity in (False, True))
            self.assertEqual(promised.nfev, promised.steps + 1)
            self.assertGreater(other.nfev, 2 * other.steps)
            self.assertLess(difference(promised.y, other.y), 1e-12)

    def test_energy_stays(self):
        """A symplectic method keeps the energy of a torque that is a potential's, which nobody told it."""
        sol = solve(polhode.torque(heavy_top, velocity=False), t_span=(0, 400), method="mclachlan-reich-231", step=0.05)
        up = np.array(TOP["up_spatial"]) / np.linalg.norm(TOP["up_spatial"])
        axis = np.array(TOP["axis_body"]) / np.linalg.norm(TOP["axis_body"])
        energy = sol.angular_velocity**2 @ MOMENTS / 2 + 0.7 * sol.rotation().apply(axis) @ up
        self.assertLess(np.ptp(energy[4000:]), 1.1 * np.ptp(energy[:4000]))


if __name__ == "__main__":
    unittest.main()
