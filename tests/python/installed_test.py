"""The program as it is installed: from a prefix that was moved, in an empty folder, with the source tree out of sight.

python3 tests/python/installed_test.py BUILD_FOLDER [CMAKE]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HIDE = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', SOURCE]
MAGIC = {".pdf": b"%PDF", ".svg": b"<?xml", ".png": b"\x89PNG"}
TOP = ("--problem", "fast-top", "--duration", "0.2")


def can_hide():
    """Whether this user may put an empty folder in the place of the source tree, for one process alone."""
    try:
        return subprocess.run([*HIDE, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.root)
        first, cls.prefix = os.path.join(cls.root, "first"), os.path.join(cls.root, "moved here")
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", first, "--component", "program"], check=True,
                       capture_output=True)
        os.rename(first, cls.prefix)
        cls.hide = HIDE if can_hide() else []

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.root)

    def polhode(self, *arguments, prefix=None, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLHODE", "PYTHON"))}
        return subprocess.run([*self.hide, os.path.join(prefix or self.prefix, "bin", "polhode"), *arguments],
                              cwd=self.folder, env=kept | environment, capture_output=True, text=True)

    def draws(self, figure, *arguments):
        done = self.polhode(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, figure), "rb") as file:
            self.assertTrue(file.read(8).startswith(MAGIC[os.path.splitext(figure)[1]]))

    def refuses(self, code, words, *arguments, **how):
        done = self.polhode(*arguments, **how)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(words, done.stderr)

    def test_figures_of_every_command(self):
        self.draws("run.pdf", "run", *TOP, "-m", "taylor-4", "-o", "a.csv", "--plot", "run.pdf")
        self.draws("again.png", "plot", "a.csv", "-o", "again.png")
        self.draws("both.svg", "plot", "a.csv", "--reference", "a.csv", "-o", "both.svg")
        steps = ("--step-sizes", "0.02,0.01,0.005", "--methods", "taylor-2,rkmk-4")
        self.draws("c.svg", "converge", *TOP, *steps, "-o", "c.csv", "--plot", "c.svg")
        self.draws("c.png", "plot", "c.csv", "-o", "c.png")
        self.draws("w.pdf", "compare", *TOP, *steps, "--repeats", "1", "-o", "w.json", "--plot", "w.pdf")
        self.draws("w.png", "plot", "w.json", "-o", "w.png")

    def test_experiments_are_there_and_reported(self):
        listed = self.polhode("reproduce", "--list").stdout.split("\n")[:-1]
        folders = [name for name in os.listdir(os.path.join(SOURCE, "experiments"))
                   if os.path.exists(os.path.join(SOURCE, "experiments", name, "experiment.toml"))]
        self.assertEqual([line.split()[0] for line in listed], sorted(folders))
        done = self.polhode("reproduce", EXPERIMENT, "--output", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("report.html", "verdicts.json", f"{EXPERIMENT}/figure.pdf"):
            self.assertTrue(os.path.getsize(os.path.join(self.folder, "out", name)) > 0, name)

    def test_sources_and_references_are_built_in(self):
        page = json.loads(self.polhode("methods", "lie-verlet", "--json").stdout)
        self.assertEqual(page["sources"][0]["year"], "2009")
        end = json.loads(self.polhode("run", *TOP, "-m", "taylor-8", "--json").stdout)
        self.assertLess(end["attitude_error"], 1e-9)

    def test_without_its_scripts_it_says_so(self):
        bare = os.path.join(self.folder, "bare")
        shutil.copytree(os.path.join(self.prefix, "bin"), os.path.join(bare, "bin"))
        self.refuses(69, "share/polhode/python/polhode/plot.py", "run", *TOP, "-m", "taylor-4", "--plot", "a.pdf",
                     prefix=bare)
        self.refuses(69, "POLHODE_PLOT", "plot", "a.csv", "-o", "a.pdf", prefix=bare)
        self.refuses(66, "--experiments", "reproduce", prefix=bare)
        self.assertEqual(os.listdir(self.folder), ["bare"])

    def test_without_matplotlib_it_says_so(self):
        modules = os.path.join(self.root, "modules")
        os.makedirs(modules, exist_ok=True)
        with open(os.path.join(modules, "matplotlib.py"), "w", encoding="utf-8") as file:
            file.write('raise ModuleNotFoundError("none", name="matplotlib")\n')
        self.assertEqual(self.polhode("run", *TOP, "-m", "taylor-4", "-o", "a.csv").returncode, 0)
        self.refuses(69, "install python3-matplotlib", "plot", "a.csv", "-o", "a.pdf", PYTHONPATH=modules)
        self.assertEqual(os.listdir(self.folder), ["a.csv"])


EXPERIMENT = "extra-coulomb-sign"

if __name__ == "__main__":
    try:
        import matplotlib     # noqa: F401
    except ModuleNotFoundError:
        print("skipped: matplotlib is not installed")
        sys.exit(0)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BUILD, CMAKE = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cmake"
    unittest.main(argv=sys.argv[:1])
