"""What examples/bullet and examples/ode have written, measured again: energy and momentum by rotation matrices, the times at
which bodies turn over by Euler's equations under a Runge-Kutta method that shares nothing with the program's exact motion.

python3 tests/python/engines_test.py FILE.csv ...
"""

import math
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
STEP, BETWEEN_TICKS = 1.0 / 60.0, 4
MATRIX_ROWS = (lambda w, x, y, z: (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
               lambda w, x, y, z: (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
               lambda w, x, y, z: (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))


def read(path):
    """Of each body its moments, and by run the rows: time, velocity in body axes, momentum in space, energy."""
    moments, runs = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                if ": moments " in line:
                    body, numbers = line[2:].split(": moments ")
                    moments[body] = [float(number) for number in numbers.split()]
            elif not line.startswith("body,"):
                body, run, *numbers = line.split(",")
                t, *rest = map(float, numbers)
                R = [row(*rest[:4]) for row in MATRIX_ROWS]
                w_B = [sum(R[i][j] * rest[4 + i] for i in range(3)) for j in range(3)]
                L_B = [I * w for I, w in zip(moments[body], w_B)]
                L_S = [sum(R[i][j] * L_B[j] for j in range(3)) for i in range(3)]
                energy = 0.5 * sum(w * L for w, L in zip(w_B, L_B))
                runs.setdefault(body, {}).setdefault(run, []).append((t, w_B, L_S, energy))
    return moments, runs


def euler(moments, w):
    x, y, z = moments
    return [(y - z) / x * w[1] * w[2], (z - x) / y * w[2] * w[0], (x - y) / z * w[0] * w[1]]


def runge_kutta(moments, w, h):
    def moved(k, by):
        return [a + by * b for a, b in zip(w, k)]
    k1 = euler(moments, w)
    k2 = euler(moments, moved(k1, 0.5 * h))
    k3 = euler(moments, moved(k2, 0.5 * h))
    k4 = euler(moments, moved(k3, h))
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(w, k1, k2, k3, k4)]


def turns_over(times, velocities):
    """When the velocity about the middle axis changes its sign."""
    return [t + (u - t) * a / (a - b)
            for t, u, a, b in zip(times, times[1:], velocities, velocities[1:]) if a * b < 0]


def middle(rows):
    return [t for t, *_ in rows], [w_B[1] for _, w_B, *_ in rows]


def exact_turns(moments, w, duration):
    about_y = [w[1]]
    count = round(duration / STEP)
    for _ in range(count):
        for _ in range(BETWEEN_TICKS):
            w = runge_kutta(moments, w, STEP / BETWEEN_TICKS)
        about_y.append(w[1])
    return turns_over([STEP * i for i in range(count + 1)], about_y)


class Engines(unittest.TestCase):
    files = ()

    @classmethod
    def setUpClass(cls):
        cls.contents = {path: read(path) for path in cls.files}

    def stories(self):
        """Name, moments and runs of each body: exact, the engine's own with its default first, Polhode's."""
        for path, (moments, runs) in self.contents.items():
            self.assertEqual(list(runs), ["T-handle", "rod", "book"])
            for body, of in runs.items():
                exact, default, *_, polhode = of
                self.assertEqual((exact, default.split(" ", 1)[1], polhode.rsplit(" ", 1)[0]),
                                 ("exact", "by default", "Polhode in"))
                self.assertEqual({len(rows) for rows in of.values()}, {3601})
                yield f"{body} in {path}", moments[body], list(of.values())

    def off(self, mine, exact):
        """The largest error of a turn in parts of the time between two; infinite if their number differs."""
        if len(mine) != len(exact):
            return math.inf
        between = (exact[-1] - exact[0]) / (len(exact) - 1)
        return max(abs(a - b) for a, b in zip(mine, exact)) / between

    def energy_error(self, rows):
        ratios = [row[3] / rows[0][3] for row in rows]
        self.assertTrue(all(map(math.isfinite, ratios)))
        return max(abs(ratio - 1) for ratio in ratios)

    def test_with_polhode_nothing_is_lost(self):
        for name, _, (*_, polhode) in self.stories():
            self.assertLess(self.energy_error(polhode), 1e-5, name)
            first = polhode[0][2]
            for _, _, L, _ in polhode:
                self.assertLess(math.dist(L, first), 1e-5 * math.hypot(*first), name)

    def test_with_polhode_bodies_turn_over_when_they_should(self):
        for name, moments, (exact, *_, polhode) in self.stories():
            wanted = exact_turns(moments, polhode[0][1], polhode[-1][0])
            self.assertGreater(len(wanted), 10, name)
            for rows, bound in ((exact, 1e-3), (polhode, 0.05)):
                self.assertLess(self.off(turns_over(*middle(rows)), wanted), bound, name)

    def test_without_it_energy_or_turns_are_off(self):
        for name, _, (exact, default, *_) in self.stories():
            off = self.off(turns_over(*middle(default)), turns_over(*middle(exact)))
            self.assertTrue(self.energy_error(default) > 0.01 or off > 0.05, name)

    def test_it_is_drawn(self):
        for path in self.files:
            with tempfile.TemporaryDirectory() as folder:
                figure = os.path.join(folder, "figure.png")
                done = subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "engines_plot.py"), path, "-o", figure],
                                      capture_output=True, text=True)
                if done.returncode == 69:
                    self.skipTest(done.stderr)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                with open(figure, "rb") as file:
                    self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_what_is_no_such_file_is_refused(self):
        script = os.path.join(SOURCE, "engines_plot.py")
        for path, code in (("/nowhere/at.csv", 74), (script, 65)):
            done = subprocess.run([sys.executable, "-B", script, path, "-o", "figure.png"], capture_output=True, text=True)
            if done.returncode == 69:
                self.skipTest(done.stderr)
            self.assertEqual(done.returncode, code)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    Engines.files = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not Engines.files:
        sys.exit("which files? examples/bullet and examples/ode write them")
    unittest.main(argv=[sys.argv[0]] + [argument for argument in sys.argv[1:] if argument.startswith("-")])
