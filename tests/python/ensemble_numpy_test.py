"""Bodies of ensembles: drawn as docs/ensembles.md says, by numpy's generator, and read from tables that h5py wrote.

python3 tests/python/ensemble_numpy_test.py build/release/polhode
"""

import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
except ModuleNotFoundError as absent:
    print(f"skipped: {absent.name} is not installed")
    sys.exit(0)

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
if subprocess.run([PROGRAM, "run", "none.h5"], capture_output=True).returncode == 69:
    print("skipped: polhode was built without HDF5")
    sys.exit(0)
if subprocess.run([PROGRAM, "ensemble", "--help"], capture_output=True).returncode != 0:
    print("skipped: polhode was built without ensembles")
    sys.exit(0)

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "ensembles.md")
SCENARIO = """[body]
inertia = [1, 1.5, 2]
[start]
angular_velocity_body = [1, 0.25, 0.5]
[run]
method = "rkmk-4"
step = 0.1
duration = 0.2
[ensemble]
"""


def function_of_page():
    """The function `words`, as it is printed."""
    with open(PAGE, encoding="utf-8") as file:
        code = file.read().split("```python\n")[1].split("```")[0]
    names = {}
    exec(code, names)
    return names["words"]


class Draws(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def polhode(self, command, lines, *words, code=0):
        with open(self.path("x.toml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO + lines)
        run = subprocess.run([PROGRAM, command, "x.toml", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def starts(self, lines):
        """Attitudes and angular velocities at the start."""
        self.polhode("ensemble", lines, "--output", "out.h5")
        with h5py.File(self.path("out.h5"), "r") as file:
            return file["start/attitude_wxyz"][()], file["start/angular_velocity_body"][()]

    def test_the_page_says_how_numbers_are_drawn(self):
        words = function_of_page()
        low, high = np.array([0.5, -2, 100]), np.array([1.5, -1, 100.5])
        velocities = self.starts("bodies = 300\nseed = 12345678901234567\nangular_velocity_body = "
                                 f"{{ uniform = [{low.tolist()}, {high.tolist()}] }}\n")[1]
        for body, found in enumerate(velocities):
            drawn = words(12345678901234567, "start.angular_velocity_body", body)
            u = (drawn[:3] >> np.uint64(11)) / 2.0**53
            # The momentum of a body is stored, and its velocity is that over the moments again.
            np.testing.assert_allclose(found, low + u * (high - low), rtol=1e-15)

    def test_normal_numbers_and_attitudes_are_made_of_its_words(self):
        words = function_of_page()

        def on_circle(word):
            angle = np.pi * (float(word >> np.uint64(11)) / 2**53 - 0.5)
            return (-1 if word & np.uint64(1) else 1) * np.array([np.cos(angle), np.sin(angle)])

        attitudes, velocities = self.starts('bodies = 100\nattitude = "uniform"\n'
                                            "angular_velocity_body = { normal = [[10, -20, 30], [1, 2, 3]] }\n")
        for body in range(100):
            a, b, c, d = words(1, "start.angular_velocity_body", body)
            pairs = [np.sqrt(-2 * np.log((float(distance) + 0.5) / 2**64)) * on_circle(direction)
                     for distance, direction in ((a, b), (c, d))]
            expected = np.array([10, -20, 30]) + np.array([1, 2, 3]) * np.concatenate(pairs)[:3]
            np.testing.assert_allclose(velocities[body], expected, rtol=1e-14)
            u, v, w, _ = words(1, "start.attitude", body)
            square = float(u >> np.uint64(11)) / 2**53
            expected = np.concatenate([np.sqrt(1 - square) * on_circle(v), np.sqrt(square) * on_circle(w)])
            np.testing.assert_allclose(attitudes[body], expected, atol=4e-15)

    def test_bodies_are_read_from_files_that_others_wrote(self):
        velocities, attitudes = np.arange(6.0).reshape(2, 3) + 1, np.array([[0, 0.6, 0, 0.8], [0.6, 0, -0.8, 0]])
        with h5py.File(self.path("a.h5"), "w") as file:
            file["attitude_wxyz"] = attitudes
            file["late/angular_velocity_body"] = velocities
            file["late/angular_velocity_body"].attrs["units"] = "rad/s"
            file["mass"] = np.array([3, 4], dtype="i2")
            file["words"] = np.array(["a", "b"], dtype=h5py.string_dtype())
            file["cube"] = np.ones((2, 2, 2))
            file["long"] = np.ones(3)
            file["hole"] = np.array([1, np.nan])
            file["wide"] = np.ones((2, 2), dtype="f4")
        found = self.starts('attitude_wxyz = { from = "a.h5" }\n'
                            'angular_velocity_body = { from = "a.h5", columns = ["late/angular_velocity_body"] }\n')
        np.testing.assert_array_equal(found[0], attitudes)
        np.testing.assert_allclose(found[1], velocities, rtol=1e-15)
        group = 'angular_velocity_body = { from = "a.h5", columns = ["late"] }\n'
        np.testing.assert_allclose(self.starts(group)[1], velocities, rtol=1e-15)
        found = self.starts('angular_velocity_body = { from = "a.h5", columns = ["mass", "wide"] }\n')[1]
        np.testing.assert_allclose(found, [[3, 1, 1], [4, 1, 1]], rtol=1e-15)
        for columns, said in (('["mass", "mass", "long"]', "dataset 'long' has 3 rows, and 'mass' has 2"),
                              ('["mass", "mass", "hole"]', "column 'hole' holds nan in row 2, which is not finite"),
                              ('["mass", "mass", "words"]', "has no column words; it has attitude_wxyz.w"),
                              ('["cube"]', "has no column cube"),
                              ('["late/angular_velocity_body.x"]', "1 columns are named; name one for each of three")):
            run = self.polhode("validate", f'angular_velocity_body = {{ from = "a.h5", columns = {columns} }}\n', code=65)
            self.assertIn(said, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)

    def test_an_ensemble_goes_on_where_another_ended(self):
        first = 'bodies = 50\nattitude = "uniform"\nangular_velocity_body = { normal = [[1, 2, 3], 1] }\n'
        self.polhode("ensemble", first, "--output", "first.h5")
        with h5py.File(self.path("first.h5"), "r") as file:
            attitudes, momenta = file["end/attitude_wxyz"][()], file["end/angular_momentum_spatial"][()]
        self.polhode("ensemble", 'attitude_wxyz = { from = "first.h5", columns = ["end"] }\n'
                                 'angular_momentum_spatial = { from = "first.h5", columns = ["end"] }\n',
                     "--output", "second.h5")
        with h5py.File(self.path("second.h5"), "r") as file:
            np.testing.assert_allclose(file["start/attitude_wxyz"], attitudes, atol=1e-15)
            # Turned into the body and back.
            off = np.linalg.norm(file["start/angular_momentum_spatial"] - momenta, axis=1)
            np.testing.assert_array_less(off, 8 * np.finfo(float).eps * np.linalg.norm(momenta, axis=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
