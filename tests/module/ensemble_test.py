"""Many bodies at once: each as solve() has it, from draws and from arrays, and what is refused."""

import os
import subprocess
import tempfile
import unittest

import numpy as np

import polhode
from motions import MOMENTS, START, TOP, message_of

VELOCITIES = np.random.default_rng(3).normal([0.4, 1.3, -0.7], 0.3, (40, 3))
STEPS = {"t_span": (0, 3), "step": 0.05}


def ensemble(torque=None, body=MOMENTS, start=START, **more):
    return polhode.ensemble(body, torque, start, **{**STEPS, **more})


class LikeSolve(unittest.TestCase):
    def test_bits_of_single_bodies(self):
        attitude = {"attitude_wxyz": START[:4], "angular_velocity_body": START[4:]}
        for torque in (None, TOP, {"kind": "damping", "linear": 0.1}):
            for method in ("mclachlan-reich-231", "lie-verlet@suzuki", "implicit-midpoint"):
                many = ensemble(torque, start=attitude, method=method, draw={"angular_velocity_body": VELOCITIES},
                                snapshots=[1.0, 2.0])
                self.assertTrue(many.success)
                for i in (0, 17, 39):
                    start = {**attitude, "angular_velocity_body": VELOCITIES[i]}
                    one = polhode.solve(MOMENTS, torque, start, (0, 3), method, step=0.05, t_eval=[0, *many.t_snapshots, 3])
                    for row, bodies in enumerate((many.start, *many.snapshots, many.end)):
                        with self.subTest(torque=torque, method=method, body=i, row=row):
                            self.assertTrue(np.array_equal(bodies.y[:, i], one.y[:, row]))
                            self.assertTrue(np.array_equal(bodies.momentum[i], one.momentum[row]))
                            self.assertEqual(bodies.energy[i], one.energy[row])
                    self.assertEqual(many.energy_error[i], (one.energy[-1] - one.energy[0]) / abs(one.energy[0]))
                    if torque is None:
                        # Beside a closed form in long double, and in quad.
                        rounding = 4e-18 * (1 + 3 * np.linalg.norm(VELOCITIES[i])) + np.spacing(one.attitude_error)
                        self.assertAlmostEqual(many.attitude_error[i], one.attitude_error, delta=rounding)

    def test_events_and_quantities(self):
        many = ensemble(TOP, draw={"angular_velocity_body": VELOCITIES}, events=["wy - 1"], quantities={"tilt": "acos(Rzz)"})
        self.assertEqual(many.instruction_set, "none")
        found = 0
        for i, velocity in enumerate(VELOCITIES[:10]):
            one = polhode.solve(MOMENTS, TOP, np.append(START[:4], velocity), (0, 3), "mclachlan-reich-231", step=0.05,
                                events=["wy - 1"], quantities={"tilt": "acos(Rzz)"})
            times = one.t_events[0]
            passage = many.passages["wy - 1"][i]
            self.assertTrue(passage == times[0] if len(times) else np.isnan(passage))
            self.assertEqual(many.quantities["tilt"][i], one.columns["tilt"][-1])
            found += len(times) > 0
        self.assertGreater(found, 2)

    def test_fast_is_the_same_motion_to_rounding(self):
        usual, fast = (ensemble(draw={"angular_velocity_body": VELOCITIES}, fast=fast) for fast in (False, True))
        self.assertFalse(usual.fused)
        self.assertEqual(fast.fused, usual.instruction_set in ("avx2", "avx512"))
        self.assertLess(abs(fast.end.y - usual.end.y).max(), 50 * 2.3e-16 * 61)  # of 60 steps, in which fifty roundings each

    def test_scalar_last(self):
        first = ensemble(draw={"attitude": "uniform"}, bodies=5)
        last = ensemble(draw={"attitude": "uniform"}, bodies=5, scalar_first=False, start=np.append(np.roll(START[:4], -1), START[4:]))
        self.assertTrue(np.array_equal(np.roll(first.end.attitude, -1, axis=1), last.end.attitude))
        self.assertTrue(np.allclose(first.end.rotation().as_matrix(), last.end.rotation().as_matrix(), atol=1e-15))


class Draws(unittest.TestCase):
    def test_threads_and_parts_change_no_bit(self):
        draw = {"attitude": "uniform", "angular_velocity_body": {"normal": [[0, 0, 1], [0.1, 0.1, 0.1]]}}
        whole = ensemble(TOP, bodies=50, draw=draw, threads=1)
        self.assertTrue(np.array_equal(whole.end.y, ensemble(TOP, bodies=50, draw=draw, threads=3).end.y))
        parts = [ensemble(TOP, bodies=50, draw=draw, shard=(i, 3)).end.y for i in (1, 2, 3)]
        self.assertTrue(np.array_equal(whole.end.y, np.hstack(parts)))
        self.assertFalse(np.array_equal(whole.end.y, ensemble(TOP, bodies=50, draw=draw, seed=2).end.y))

    def test_moments_of_what_is_drawn(self):
        many = ensemble(bodies=20000, draw={"angular_velocity_body": {"normal": [[0.1, 0, 1], [0.1, 0.2, 0.3]]}},
                        t_span=(0, 0.05), quantiles=[0.5])
        velocity = many.start.angular_velocity
        self.assertTrue(np.all(np.abs(velocity.mean(axis=0) - [0.1, 0, 1]) < 5 * np.array([0.1, 0.2, 0.3]) / 20000**0.5))
        self.assertTrue(np.allclose(velocity.std(axis=0), [0.1, 0.2, 0.3], rtol=5 / 40000**0.5))
        by_name = {one["quantity"]: one for one in many.statistics}
        self.assertEqual(by_name["energy"]["count"], 20000)
        self.assertTrue(np.isclose(by_name["energy"]["mean"], many.end.energy.mean(), rtol=1e-14))
        self.assertTrue(np.isclose(by_name["energy"]["deviation"], many.end.energy.std(ddof=1), rtol=1e-12))
        medians = {one["quantity"]: one["values"][0] for one in many.quantiles}
        self.assertEqual(medians["energy"], np.quantile(many.end.energy, 0.5))

    def test_histogram(self):
        many = ensemble(bodies=1000, draw={"angular_velocity_body": {"normal": [[0, 0, 1], [0.2, 0.2, 0.2]]}},
                        histograms=[{"quantity": "angular_speed", "low": 0.5, "high": 1.5, "bins": 10}], t_span=(0, 0.5))
        speed = np.linalg.norm(many.end.angular_velocity, axis=1)
        self.assertEqual(many.histograms[0]["bins"], np.histogram(speed, 10, (0.5, 1.5))[0].tolist())
        self.assertEqual(many.histograms[0]["below"], np.count_nonzero(speed < 0.5))

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "many.csv")
            many = ensemble(bodies=4, draw={"attitude": "uniform"}, output=file)
            rows = np.genfromtxt(file, delimiter=",", comments="#", skip_header=0, invalid_raise=False)
            ends = rows[~np.isnan(rows[:, 1])][1::2]
            self.assertTrue(np.array_equal(ends[:, 2:6], many.end.attitude))


class Devices(unittest.TestCase):
    def on_card_by_the_program(self):
        """What the program says where it cannot; else None."""
        program = os.environ.get("POLHODE_PROGRAM")
        if program is None:
            self.skipTest("POLHODE_PROGRAM does not name the program")
        done = subprocess.run([program, "ensemble", "--problem", "asymmetric-top", "--bodies", "3", "--step", "0.01", "--method", "lie-verlet",
                               "--duration", "1", "--device", "cuda"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.stderr.strip() if done.returncode else None

    def test_a_graphics_card(self):
        draw = {"angular_velocity_body": VELOCITIES}
        by_processor = ensemble(TOP, draw=draw, method="lie-verlet", device="cpu")
        self.assertEqual(by_processor.device, "cpu")
        self.assertTrue(np.array_equal(by_processor.end.y, ensemble(TOP, draw=draw, method="lie-verlet").end.y))
        refused = self.on_card_by_the_program()
        if refused is None:
            on_card = ensemble(TOP, draw=draw, method="lie-verlet", device="cuda")
            self.assertEqual(on_card.device, "cuda")
            self.assertLess(np.abs(on_card.end.y - by_processor.end.y).max(), 1e-12)
        else:
            sentence = message_of(self, polhode.Error, ensemble, TOP, draw=draw, method="lie-verlet", device="cuda")
            self.assertTrue(refused.endswith(sentence), (refused, sentence))
            self.assertIn("graphics card", sentence)


class Refused(unittest.TestCase):
    def test_sentences(self):
        cases = [(ValueError, "bodies", {"bodies": 0}), (ValueError, "bodies", {}),
                 (TypeError, "seed", {"bodies": 3, "seed": "x"}), (ValueError, "seed", {"bodies": 3, "seed": -1}),
                 (ValueError, "shard", {"bodies": 3, "shard": (2, 1)}), (TypeError, "shard", {"bodies": 3, "shard": 7}),
                 (ValueError, "threads", {"bodies": 3, "threads": 0}),
                 (ValueError, "device", {"bodies": 3, "device": "gpu"}), (ValueError, "device", {"bodies": 3, "device": None}),
                 (ValueError, "draw['velocity']", {"bodies": 3, "draw": {"velocity": "uniform"}}),
                 (ValueError, "draw['angular_velocity_body']", {"draw": {"angular_velocity_body": np.ones(3)}}),
                 (ValueError, "draw['angular_velocity_body']", {"draw": {"angular_velocity_body": np.ones((4, 2))}}),
                 (ValueError, "snapshots", {"bodies": 3, "snapshots": [1e9]}),
                 (ValueError, "histograms", {"bodies": 3, "histograms": [{"quantity": "enrgy", "low": 0, "high": 1}]}),
                 (ValueError, "method", {"bodies": 3, "method": "lie-verlt"})]
        for kind, beginning, arguments in cases:
            with self.subTest(arguments=arguments):
                self.assertTrue(message_of(self, kind, ensemble, **arguments).startswith(beginning))

    def test_functions_of_python(self):
        self.assertTrue(message_of(self, TypeError, ensemble, lambda t, q, w: -w, bodies=3).startswith("torque"))
        self.assertTrue(message_of(self, TypeError, ensemble, bodies=3, events=[lambda t, y: y[4]]).startswith("events"))

    def test_bodies_that_fail(self):
        velocities = VELOCITIES.copy()
        velocities[5] = 1e160
        many = ensemble(method="rkmk-4", draw={"angular_velocity_body": velocities})
        self.assertFalse(many.success)
        self.assertEqual([one["body"] for one in many.failures], [5])
        self.assertTrue(np.all(np.isfinite(np.delete(many.end.energy, 5))))


if __name__ == "__main__":
    unittest.main()
