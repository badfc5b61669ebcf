"""pip installs the module offline, by the lines that docs/python.md and setup.py give.

PYTHONPATH is not needed: what is tested is the installed one.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parents[2]
LINES = ["python3 -m venv --system-site-packages .venv",
         ".venv/bin/pip install --no-build-isolation --no-index --no-deps ."]
TRY = """
import polhode
assert ".venv" in polhode.__file__ or "lib/python3" in polhode.__file__, polhode.__file__
sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 10))
assert sol.success and sol.attitude_error < 1e-12, sol
assert polhode.reproduce("buss-figure-5").results[0]["experiment"] == "buss-figure-5"
print("installed", polhode.__version__)
"""


def installed(package):
    return subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True).returncode == 0


class Pip(unittest.TestCase):
    def test_lines_are_those_of_the_page(self):
        for page in ("docs/python.md", "setup.py"):
            text = (HERE / page).read_text()
            for line in LINES:
                self.assertIn(line, text, page)
        readme = (HERE / "README.md").read_text()
        self.assertIn(LINES[1], readme)

    def test_install(self):
        for package in ("venv", "ensurepip", "pip", "setuptools", "wheel"):
            if not installed(package):
                self.skipTest(f"no {package} (tools/bootstrap python)")
        with tempfile.TemporaryDirectory() as folder:
            withheld = ("PYTHONPATH", "POLHODE_PROGRAM", "LD_PRELOAD")        # the last of sanitizers, for other builds than this one
            env = {key: value for key, value in os.environ.items() if key not in withheld}
            environment = os.path.join(folder, ".venv")
            subprocess.run([sys.executable, *LINES[0].split()[1:-1], environment], check=True, env=env)
            words = LINES[1].split()
            done = subprocess.run([os.path.join(folder, words[0]), *words[1:]], cwd=HERE, env=env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            tried = subprocess.run([os.path.join(environment, "bin", "python3"), "-c", TRY], cwd=folder, env=env, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(tried.returncode, 0, tried.stdout)
            version = re.search(r"project\(polhode VERSION ([0-9.]+)", (HERE / "CMakeLists.txt").read_text()).group(1)
            self.assertIn(f"installed {version}", tried.stdout)


if __name__ == "__main__":
    unittest.main()
