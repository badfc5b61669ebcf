"""docs/reading-results.md, block by block: each is run on files that the program has written, and must print what they
hold. A program or module that is not installed leaves its blocks out, and the test says so.

python3 tests/python/reading_results_test.py build/release/polhode
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""

SCENARIO = """[body]
inertia = [1, 2, 2.5]
[start]
angular_velocity_body = [0.1, 1, 0.3]
[run]
method = "taylor-4"
step = 0.01
duration = 2
"""
# What MATLAB has and Octave lacks.
H5READ = """function data = h5read(file, place)
  data = load(file);
  for name = strsplit(place(2:end), '/'), data = data.(name{1}); end
end
"""


def blocks():
    """Language, line and text of every block."""
    language, start, text = None, 0, []
    with open(os.path.join(ROOT, "docs", "reading-results.md"), encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            if line.startswith("```"):
                if language is None:
                    language, start, text = line[3:].strip(), number, []
                else:
                    yield language, start, "".join(text)
                    language = None
            elif language is not None:
                text.append(line)
    assert language is None, "a block has no end"


def absent(language, text):
    """The program or module that a block needs and that is not installed, or None."""
    if language == "python":
        modules = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
        return next((name for name in modules if importlib.util.find_spec(name) is None), None)
    words = {"matlab": ["octave-cli"], "octave": ["octave-cli"], "gnuplot": ["gnuplot"],
             "sh": ["gnuplot"] if "gnuplot" in text else []}[language]
    return next((word for word in words if shutil.which(word) is None), None)


class ReadingResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = dict(os.environ, PATH=os.path.join(cls.folder.name, "bin") + ":" + os.environ["PATH"])
        os.mkdir(os.path.join(cls.folder.name, "bin"))
        os.symlink(PROGRAM, os.path.join(cls.folder.name, "bin", "polhode"))
        for name, text in (("tumble.toml", SCENARIO), ("h5read.m", H5READ)):
            with open(os.path.join(cls.folder.name, name), "w", encoding="utf-8") as file:
                file.write(text)
        cls.run_lines("polhode run tumble.toml -o tumble.csv; polhode run tumble.toml -o tumble.ndjson")
        cls.with_hdf5 = cls.run_lines("polhode run tumble.toml -o tumble.h5").returncode != 69
        cls.run_lines("polhode run tumble.toml --scalar quad --steps 3 -o quad.h5")
        cls.run_lines("polhode run tumble.toml --scalar quad --steps 3 -o quad.csv")

    @classmethod
    def run_lines(cls, lines, *program):
        return subprocess.run([*(program or ("bash", "-c")), lines], cwd=cls.folder.name, env=cls.environment,
                              capture_output=True, text=True, timeout=600)

    def expected(self, name):
        """Rows, last time and velocity; of the run in quad the last energy."""
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            rows = [line.split(",") for line in file if not line.startswith("#")][1:]
        if name == "quad.csv":
            return [float(rows[-1][11])]
        return [len(rows), *(float(rows[-1][i]) for i in (0, 5, 6, 7))]

    def test_every_block(self):
        programs = {"python": (sys.executable, "-c"), "sh": ("bash", "-c"),
                    "matlab": ("octave-cli", "--no-history", "--norc", "--eval"),
                    "octave": ("octave-cli", "--no-history", "--norc", "--eval"), "gnuplot": ("gnuplot", "-e")}
        done = set()
        for language, line, text in blocks():
            with self.subTest(f"docs/reading-results.md:{line} ({language})"):
                self.assertIn(language, programs)
                lacking = absent(language, text)
                if lacking or (".h5" in text and not self.with_hdf5):
                    print(f"docs/reading-results.md:{line}: left out, no {lacking or 'HDF5'}", file=sys.stderr)
                    continue
                lines = text
                if language == "gnuplot":                  # its -e takes statements, not lines
                    lines = "; ".join(part for part in text.splitlines() if part)
                run = self.run_lines(lines, *programs[language])
                self.assertEqual(run.returncode, 0, run.stderr)
                done.add(language)
                if language == "sh":
                    continue                                # shells write files, or draw
                printed = [float(word) for word in (run.stdout + (run.stderr if language == "gnuplot" else "")).split()]
                expected = self.expected("quad.csv" if "quad.h5" in text else "tumble.csv")
                if "read_json" in text or "jsondecode" in text:                     # as the page says
                    expected = [round(x, 12) for x in expected]
                self.assertEqual(printed, expected)
        self.assertIn("sh", done)

    def test_every_reader_is_on_the_page(self):
        self.assertEqual({language for language, _, _ in blocks()}, {"sh", "python", "matlab", "octave", "gnuplot"})

    def test_the_curve_is_drawn(self):
        text = next(text for language, _, text in blocks() if language == "sh" and "gnuplot" in text)
        if shutil.which("gnuplot") is None:
            self.skipTest("gnuplot is not installed")
        run = self.run_lines(text)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertGreater(len(run.stdout.splitlines()), 20)
        self.assertIn("*", run.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
