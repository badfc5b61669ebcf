"""Results in HDF5, read by h5py: the layout, the bits, every scalar, and what is left of a run that ends early.

python3 tests/python/hdf5_test.py build/release/polhode
"""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from fractions import Fraction

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

TOP = ("--problem", "fast-top", "-m", "rkmk-4")
SCENARIO = """# a comment, and a character beyond ASCII: \u03c9
[body]
inertia = [1, 2, 2.5]

[start]
angular_velocity_body = [1, 0.25, 0.5]
[run]
method = "taylor-4"
step = 0.1
duration = 1
"""


def rows_of(path):
    """Header without units, and the cells as texts."""
    with open(path, encoding="utf-8") as file:
        header, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return [name.split("[")[0] for name in header], rows


class Hdf5(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def polhode(self, *words, code=0):
        run = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def open(self, name):
        file = h5py.File(self.path(name), "r")
        self.addCleanup(file.close)
        return file

    def columns(self, file, suffix=""):
        """By the names of the CSV."""
        found = {}
        for data in (file["rows"][name] for name in file["rows"] if not name.endswith(("_low", "_lowest"))):
            values = file[data.name + suffix][()]
            for i, component in enumerate(data.attrs["components"]):
                found[component] = values[:, i] if values.ndim > 1 else values
        return found

    def test_layout_and_attributes(self):
        self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5")
        file = self.open("a.h5")
        shapes = {name: data.shape for name, data in file["rows"].items()}
        self.assertEqual(shapes, {"t": (11,), "attitude_wxyz": (11, 4), "angular_velocity_body": (11, 3),
                                  "angular_momentum_spatial": (11, 3), "energy": (11,)})
        for data in file["rows"].values():
            self.assertEqual(data.maxshape[0], None, "extendable along time")
            self.assertIsNotNone(data.chunks)
            self.assertEqual(data.dtype, np.float64)
        velocity = file["rows/angular_velocity_body"].attrs
        self.assertEqual(velocity["units"], "rad/s")
        self.assertEqual(velocity["frame"], "body")
        self.assertEqual(list(velocity["components"]), ["wx_B", "wy_B", "wz_B"])
        self.assertEqual(file["rows/angular_momentum_spatial"].attrs["frame"], "spatial")
        self.assertEqual(file["rows/angular_momentum_spatial"].attrs["units"], "kg m^2/s")
        self.assertEqual(file["rows/attitude_wxyz"].attrs["units"], "1")
        self.assertNotIn("frame", file["rows/attitude_wxyz"].attrs)
        self.assertEqual(file["rows/energy"].attrs["units"], "J")
        said = {key: file.attrs[key] for key in ("method", "problem", "scalar", "step", "status", "energy_terms",
                                                 "energy_conserved", "layout")}
        self.assertEqual(said, {"method": "rkmk-4", "problem": "fast-top", "scalar": "double", "step": 0.002,
                                "status": "finished", "energy_terms": "kinetic + potential", "energy_conserved": "yes",
                                "layout": 1})
        self.assertTrue(file.attrs["program"].startswith("polhode "))
        self.assertNotIn("incomplete", file.attrs)

    def test_summary_is_what_json_prints(self):
        printed = self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5", "--json").stdout
        summary = json.loads(self.open("a.h5").attrs["summary"])
        self.assertEqual(summary, json.loads(printed))

    def test_bits_of_every_scalar_are_those_of_the_csv(self):
        for scalar, wide in (("float", np.float32), ("double", np.float64)):
            words = ("run", *TOP, "--steps", "300", "--scalar", scalar, "--columns", "standard,mrp,euler_321_deg")
            self.polhode(*words, "-o", "a.csv")
            self.polhode(*words, "-o", "a.h5")
            header, rows = rows_of(self.path("a.csv"))
            columns = self.columns(self.open("a.h5"))
            self.assertEqual(sorted(columns), sorted(header))
            for i, name in enumerate(header):
                self.assertEqual(columns[name].dtype, wide)
                np.testing.assert_array_equal(columns[name], np.array([row[i] for row in rows], dtype=wide), name)
                shortest = [len(repr(float(x))) for x in columns[name]] if wide is np.float64 else []
                for row, most in zip(rows, shortest):           # Python's repr is the shortest, too
                    self.assertLessEqual(len(row[i]), most, row[i])

    def test_wide_scalars_are_sums_of_doubles(self):
        # Their spacings at 1; the CSV has 21 or 36 digits, which give back all bits.
        for scalar, spacing, parts in (("long-double", 2.0 ** -63, ("_low",)), ("quad", 2.0 ** -112, ("_low", "_lowest"))):
            words = ("run", *TOP, "--steps", "20", "--scalar", scalar)
            self.polhode(*words, "-o", "a.csv")
            self.polhode(*words, "-o", "a.h5")
            header, rows = rows_of(self.path("a.csv"))
            file = self.open("a.h5")
            values = [self.columns(file, suffix) for suffix in ("", *parts)]
            low_bits = 0
            for i, name in enumerate(header):
                for row, *numbers in zip(rows, *(part[name] for part in values)):
                    exact, total = Fraction(row[i]), sum(Fraction(float(x)) for x in numbers)
                    # The text is rounded to its digits, the sum is not: half a unit of the last digit apart.
                    self.assertLessEqual(abs(total - exact), abs(exact) * Fraction(spacing) / 4)
                    nearest = Fraction(float(abs(np.spacing(numbers[0])))) / 2
                    self.assertLessEqual(abs(Fraction(float(numbers[0])) - total), nearest, "the nearest double")
                    low_bits += numbers[-1] != 0
            self.assertGreater(low_bits, len(rows), f"{scalar}: the last part is in use")
            self.assertEqual("energy_lowest" in file["rows"], scalar == "quad")
            file.close()

    def test_long_results_have_whole_chunks_and_the_rows_of_the_csv(self):
        for count in (4095, 4096, 4097, 9000):           # rows of a chunk: 4096
            words = ("run", *TOP, "--steps", str(count - 1))
            self.polhode(*words, "-o", "a.csv")
            self.polhode(*words, "-o", "a.h5")
            header, rows = rows_of(self.path("a.csv"))
            with h5py.File(self.path("a.h5"), "r") as file:
                self.assertEqual(file["rows/t"].shape, (count,))
                self.assertEqual(file["rows/t"].chunks, (min(count, 4096),))
                table = np.array(rows, dtype=float)
                for i, name in enumerate(header):
                    np.testing.assert_array_equal(self.columns(file)[name], table[:, i], name)

    def test_rows_can_be_added_by_others(self):
        self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5")
        with h5py.File(self.path("a.h5"), "r+") as file:
            file["rows/attitude_wxyz"].resize(20, axis=0)
            file["rows/attitude_wxyz"][11:] = 7.0
        self.assertEqual(self.open("a.h5")["rows/attitude_wxyz"][19, 3], 7.0)

    def test_a_result_repeats_its_run(self):
        with open(self.path("x.toml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO)
        self.polhode("run", "x.toml", "-o", "a.csv")
        with open(self.path("y.toml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO + '[output]\nfile = "y.h5"\n')
        self.polhode("run", "y.toml")
        self.assertEqual(self.open("y.h5").attrs["scenario"], SCENARIO + '[output]\nfile = "y.h5"\n', "verbatim")
        before = os.stat(self.path("y.h5")).st_mtime_ns
        first = json.loads(self.open("y.h5").attrs["summary"])
        self.assertEqual(first, json.loads(self.polhode("run", "y.h5", "--json").stdout))
        self.polhode("run", "y.h5", "-o", "b.csv")
        self.assertEqual(rows_of(self.path("a.csv")), rows_of(self.path("b.csv")))
        self.polhode("run", "y.h5", "-o", "b.h5")
        self.polhode("run", "b.h5", "-o", "c.h5")
        b, c = self.open("b.h5"), self.open("c.h5")
        for name in b["rows"]:
            np.testing.assert_array_equal(b["rows"][name], c["rows"][name])
        refused = self.polhode("run", "b.h5", "-o", "b.h5", code=2)
        self.assertIn("'b.h5' is the scenario", refused.stderr)
        self.assertEqual(os.stat(self.path("y.h5")).st_mtime_ns, before, "the result itself is not written again")

    def test_a_problem_keeps_its_reference(self):
        first = self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5", "--json").stdout
        self.assertIn("attitude_error", first)
        self.assertEqual(self.polhode("run", "a.h5", "--json").stdout, first)

    def test_the_same_run_gives_the_same_bytes(self):
        contents = []
        for _ in range(2):
            self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5")
            with open(self.path("a.h5"), "rb") as file:
                contents.append(file.read())
        self.assertEqual(*contents)

    def test_long_scenarios(self):
        text = SCENARIO + "".join(f"# line {i} of a long comment\n" for i in range(10000))       # over 64 KiB
        with open(self.path("x.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        self.polhode("run", "x.toml", "-o", "a.csv")
        with open(self.path("x.toml"), "a", encoding="utf-8") as file:
            file.write('[output]\nfile = "a.h5"\n')
        self.polhode("run", "x.toml")
        self.assertTrue(self.open("a.h5").attrs["scenario"].startswith(text))

    def test_files_that_hold_no_run(self):
        with open(self.path("text.h5"), "w") as file:
            file.write("text\n")
        with h5py.File(self.path("other.h5"), "w") as file:
            file["x"] = 1.0
        with h5py.File(self.path("number.h5"), "w") as file:
            file.attrs["scenario"] = 1.0
        with h5py.File(self.path("bad.h5"), "w") as file:
            file.attrs["scenario"] = SCENARIO.replace("step = 0.1", "step = -1")
        self.polhode("run", *TOP, "--steps", "10", "-o", "whole.h5")
        with open(self.path("whole.h5"), "rb") as whole, open(self.path("half.h5"), "wb") as half:
            half.write(whole.read()[:3000])
        os.mkdir(self.path("folder.h5"))
        for name, code, words in (("text.h5", 65, "is not an HDF5 file"), ("half.h5", 65, "not a whole one"),
                                  ("other.h5", 65, "no attribute 'scenario'"), ("number.h5", 65, "no attribute"),
                                  ("bad.h5", 65, "bad.h5:9: run.step"), ("none.h5", 66, "cannot read 'none.h5'"),
                                  ("folder.h5", 66, "Is a directory")):
            said = self.polhode("run", name, code=code).stderr
            self.assertIn(words, said)
            self.assertEqual(said.count("\n"), 1, said)

    def test_a_failed_run_is_set_aside(self):
        with open(self.path("a.h5"), "w") as file:
            file.write("older")
        # Steps so long that the implicit equation has no solution.
        self.polhode("run", "--problem", "fast-top", "-m", "lie-midpoint", "--step", "5", "--steps", "50", "-o", "a.h5",
                     code=1)
        with open(self.path("a.h5")) as file:
            self.assertEqual(file.read(), "older")
        file = self.open("a.partial.h5")
        self.assertEqual(file.attrs["status"], "failed")
        self.assertRegex(file.attrs["incomplete"], r"; \d+ rows$")
        self.assertEqual(len(file["rows/t"]), int(file.attrs["incomplete"].split()[-2]))
        self.assertIn("failure", json.loads(file.attrs["summary"]))

    def test_an_interrupted_run_is_set_aside(self):
        with open(self.path("a.h5"), "w") as file:
            file.write("older")
        run = subprocess.Popen([PROGRAM, "run", *TOP, "--steps", "1e12", "-o", "a.h5"], cwd=self.folder,
                               stderr=subprocess.PIPE)
        while run.poll() is None and not any(os.path.getsize(self.path(name)) > 100000
                                             for name in os.listdir(self.folder) if name.endswith(".part")):
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        run.communicate()
        self.assertEqual(run.returncode, 130)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.h5", "a.partial.h5"])
        file = self.open("a.partial.h5")
        self.assertEqual(file.attrs["status"], "interrupted")
        self.assertIn("SIGINT", file.attrs["incomplete"])
        t = file["rows/t"][()]
        self.assertEqual(len(t), int(file.attrs["incomplete"].split()[-2]))
        self.assertTrue(np.all(np.diff(t) > 0))
        file.close()
        self.polhode("run", *TOP, "--steps", "10", "-o", "a.h5")
        self.assertEqual(os.listdir(self.folder), ["a.h5"], "a complete run removes the partial one")

    def test_a_full_disk_leaves_nothing_new(self):
        with open(self.path("a.h5"), "w") as file:
            file.write("older")
        for limit in (1, 8, 64, 300, 2000):              # KiB: from the first bytes to the last rows
            run = subprocess.run(["bash", "-c", f'ulimit -f {limit}; exec "$@"', "bash", PROGRAM, "run", *TOP,
                                  "--steps", "40000", "-o", "a.h5"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(run.returncode, 74, run.stderr)
            self.assertEqual(run.stderr, "polhode: cannot write 'a.h5': File too large; raise the limit (ulimit -f), "
                                         "or write fewer rows\n")
            self.assertEqual(os.listdir(self.folder), ["a.h5"])
        with open(self.path("a.h5")) as file:
            self.assertEqual(file.read(), "older")

    def test_refused_before_the_run(self):
        os.mkdir(self.path("folder.h5"))
        os.mkfifo(self.path("pipe.h5"))
        with open(self.path("kept.h5"), "w") as file:
            file.write("kept")
        os.chmod(self.path("kept.h5"), 0o444)
        for name, code, words in (("none/a.h5", 74, "make its folder"), ("folder.h5", 74, "Is a directory"),
                                  ("kept.h5", 74, "read-only"), ("pipe.h5", 2, "not a file"), ("-.h5", 2, "not a file"),
                                  ("-.hdf5", 2, "not a file")):
            said = self.polhode("run", *TOP, "--steps", "1e15", "-o", name, code=code).stderr
            self.assertIn(words, said)
            self.assertEqual(said.count("\n"), 1, said)
        self.assertEqual(sorted(os.listdir(self.folder)), ["folder.h5", "kept.h5", "pipe.h5"])

    def test_quantities_and_events(self):
        with open(self.path("x.toml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO.replace("[1, 0.25, 0.5]", "[0, 0, 1]").replace("duration = 1", "duration = 4") + """
[quantities]
cosine = "Rxx"
[[event]]
name = "quarter \u03c9"
when = "cosine"
[[event]]
name = "half"
when = "Ryx"
terminal = true
""")
        self.polhode("run", "x.toml", "-o", "a.h5")
        file = self.open("a.h5")
        t = file["rows/t"][:]
        np.testing.assert_allclose(file["rows/cosine"][:], np.cos(t), atol=1e-14)
        self.assertEqual(file["rows/cosine"].attrs["units"], "1")
        events = file["events"]
        self.assertEqual([events.attrs["names"][i] for i in events["name"]], ["quarter \u03c9", "half"])
        np.testing.assert_allclose(events["t"][:], [np.pi / 2, np.pi], atol=1e-14)
        self.assertEqual(events["t"].attrs["units"], "s")
        self.assertEqual(list(events["rising"]), [0, 0])
        self.assertEqual(list(events["terminal"]), [0, 1])
        np.testing.assert_allclose(events["attitude_wxyz"][1], [0, 0, 0, 1], atol=1e-14)
        np.testing.assert_allclose(events["angular_velocity_body"][:], [[0, 0, 1], [0, 0, 1]], atol=1e-14)
        self.assertEqual(file.attrs["status"], "event")
        self.assertEqual(t[-1], events["t"][-1])
        self.polhode("run", *TOP, "--steps", "10", "-o", "b.h5")
        self.assertEqual(self.open("b.h5")["events/t"].shape, (0,))

    def test_figures_are_drawn_from_it(self):
        try:
            import matplotlib                             # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("matplotlib is not installed")
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "polhode"))
        from figures import read_result
        self.polhode("run", *TOP, "--steps", "50", "-o", "a.csv", "--columns", "standard,polhode,herpolhode")
        self.polhode("run", *TOP, "--steps", "50", "-o", "a.h5", "--columns", "standard,polhode,herpolhode")
        from_csv, from_hdf5 = read_result(self.path("a.csv")), read_result(self.path("a.h5"))
        self.assertEqual(from_csv.units, from_hdf5.units)
        for name in ("t", "q", "w_B", "L_S", "E", "polhode", "herpolhode"):
            np.testing.assert_array_equal(getattr(from_csv, name), getattr(from_hdf5, name), name)
        for key in ("method", "problem", "step", "energy_conserved", "energy_terms"):
            self.assertEqual(from_csv.about[key], from_hdf5.about[key])
        self.polhode("plot", "a.h5", "-o", "a.svg")
        self.polhode("plot", "a.h5", "a.csv", "-o", "b.svg")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
