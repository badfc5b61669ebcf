"""Rows of a long run are in memory once, and what is asked of a solution looks at them there."""

import os
import subprocess
import sys
import tracemalloc
import unittest

import numpy as np

import polhode
from motions import MOMENTS, START, TOP

# In a process of its own, whose largest memory is that of this run. Vectors that grow by copying have most of their rows
# twice on the way to so many.
ROWS = 700_000
MEASURED = f"""
import polhode

def memory(key):
    for line in open("/proc/self/status"):
        if line.startswith(key):
            return 1024 * int(line.split()[1])

def run(steps):
    return polhode.solve([1, 2, 3], None, [0.1, 1, 0.1], (0, steps), "lie-verlet", step=1.0, dense_output=False)

import warnings
warnings.simplefilter("ignore")
run(10)
before = memory("VmRSS")
sol = run({ROWS - 1})
assert sol.y.shape == (7, {ROWS})
print(8 * len(sol.t) * len(sol.columns), memory("VmHWM") - before)
"""


class Memory(unittest.TestCase):
    @unittest.skipUnless(os.path.exists("/proc/self/status") and "asan" not in os.environ.get("LD_PRELOAD", ""),
                         "what memory a process has is not known here, or not its own doing")
    def test_rows_are_there_once_at_any_time(self):
        done = subprocess.run([sys.executable, "-B", "-c", MEASURED], check=True, stdout=subprocess.PIPE, text=True)
        rows, taken = map(int, done.stdout.split())
        self.assertGreater(rows, 8 * 7 * ROWS)
        self.assertLess(taken, 1.2 * rows)

    def test_views(self):
        for more in ({}, {"t_eval": np.linspace(1, 190, 40_000)}):
            sol = polhode.solve(MOMENTS, TOP, START, (0, 200), "lie-verlet", step=0.005, **more)
            tracemalloc.start()
            views = [sol.t, sol.y, sol.attitude, sol.angular_velocity, sol.momentum, sol.energy, *sol.columns.values()]
            taken = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(taken, 10_000)      # a tenth of a byte of each number
            for view in views:
                self.assertTrue(np.may_share_memory(view, sol.y))       # the same rows, in columns of their own
                self.assertEqual(view.dtype, np.float64)
            self.assertTrue(np.shares_memory(sol.y[:4], sol.attitude) and np.shares_memory(sol.y[4:], sol.angular_velocity))

    def test_rows_outlive_the_solution(self):
        sol = polhode.solve(MOMENTS, TOP, START, (0, 20), "lie-verlet", step=0.01)
        y, kept = sol.y, sol.y.copy()
        del sol
        others = [polhode.solve(MOMENTS, TOP, START, (0, 20), "lie-verlet", step=0.01 + i * 1e-3) for i in range(3)]
        self.assertTrue(np.array_equal(y, kept))
        self.assertEqual(len(others), 3)


if __name__ == "__main__":
    unittest.main()
