"""Result files of any kind: what they are is told by their content, and what they are not is said.

python3 tests/python/files_test.py
"""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from plot_test import FAILED, GOOD, HEADER, Figures, comparison, steady_rows, study
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from figures.files import kind_of
from figures.study_tables import read_comparison_table, read_study_table

SUBJECT = "# program: polhode 0.1.0\n# problem: made-up\n# scalar: double\n# duration: 10\n"


def table(data, header, cells):
    return header + "\n" + "".join(",".join("nan" if row[c] is None else f"{row[c]}" for c in cells) + "\n"
                                   for row in data["rows"])


def study_table(data, fits):
    return SUBJECT + "".join(f"# order of {fit}\n" for fit in fits) + table(
        data, "method,step[s],steps,attitude_error[rad],momentum_error[kg m^2/s],torque_evaluations,converged",
        ("method", "step", "steps", "attitude_error", "momentum_error", "torque_evaluations", "converged"))


def comparison_table(data):
    return SUBJECT + "# repeats: 5\n# cost at an error of 0.001: good 3e-05 s\n" + table(
        data, "method,step[s],steps,attitude_error[rad],cost[s],cost_spread[s],torque_evaluations,converged",
        ("method", "step", "steps", "attitude_error", "cost", "cost_spread", "torque_evaluations", "converged"))


class Files(Figures):
    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return self.path(name)

    def setUp(self):
        super().setUp()
        errors = dict(good=GOOD["errors"], failed=FAILED["errors"])
        self.run_file = self.write("run", steady_rows(20))
        self.studies = {
            "converge": (self.put("a", study(good=GOOD)), self.put("b", study_table(study(good=GOOD), ()))),
            "compare": (self.put("c", comparison(**errors)), self.put("d", comparison_table(comparison(**errors))))}

    def test_the_content_tells_not_the_name(self):
        self.assertEqual(kind_of(self.run_file), "run")
        for kind, files in self.studies.items():
            self.assertEqual([kind_of(file) for file in files], [kind, kind])

    def test_every_kind_is_drawn(self):
        other = self.write("other.csv", steady_rows(20, rate=2.1), "# method: n\n")
        calls = [(self.run_file,), (self.run_file, other), (self.run_file, "--reference", other),
                 (self.run_file, other, "--labels", "a", "b")]
        for call in calls + [(file,) for files in self.studies.values() for file in files]:
            with self.subTest(call):
                figure = self.path("f.svg")
                self.assertEqual(self.plot("files", *call, "-o", figure), (0, ""))
                os.remove(figure)

    def test_a_table_holds_what_the_study_found(self):
        fits = ("attitude of good: 1.9985 +- 0.0012, steps 0.05 to 0.0125", "momentum of good: none, too few steps")
        attitude, failed = read_study_table(self.put("s.csv", study_table(study(good=GOOD, failed=FAILED), fits))).attitude
        np.testing.assert_array_equal(attitude.error, GOOD["errors"])
        np.testing.assert_array_equal(attitude.step, 0.1 / 2.0 ** np.arange(6))
        np.testing.assert_array_equal(attitude.fitted, [False, True, True, True, False, False])
        self.assertEqual((attitude.order, attitude.uncertainty, attitude.claimed), (1.9985, 0.0012, None))
        np.testing.assert_array_equal(np.isnan(failed.error), [True, True, False, False, False, False])
        self.assertTrue(np.isnan(read_study_table(self.path("s.csv")).momentum[0].order))

    def test_a_table_holds_what_was_timed(self):
        read = read_comparison_table(self.studies["compare"][1])
        self.assertEqual((read.problem, read.scalar, read.duration, read.repeats), ("made-up", "double", 10.0, 5))
        np.testing.assert_array_equal(read.methods[0].cost, 1e-5 * 2.0 ** np.arange(6))
        np.testing.assert_array_equal(read.methods[0].calls, 2 * read.methods[0].steps)
        self.assertTrue(np.isnan(read.methods[0].quartiles).all())
        self.assertEqual(read.at_error, {1e-3: {"good": 3e-5}})

    def test_what_is_no_result_is_refused(self):
        good = self.run_file
        converge, compare = (self.studies[kind][0] for kind in ("converge", "compare"))
        self.refuses(66, "none.csv does not exist", "files", self.path("none.csv"))
        self.refuses(66, "none.csv does not exist", "files", good, "--reference", self.path("none.csv"))
        self.refuses(65, "is not a result", "files", self.put("x.csv", "a,b\n1,2\n"))
        self.refuses(65, "is not a result", "files", self.put("x.toml", "[body]\ninertia = [1, 2, 3]\n"))
        self.refuses(65, "is empty", "files", self.put("x.csv", ""))
        self.refuses(65, "is damaged", "files", self.put("x.json", "{"))
        self.refuses(65, "JSON but no study", "files", self.put("x.json", {"inertia": [1, 2, 3]}))
        self.refuses(65, "is not a result", "files", self.put("x.json", [1, 2]))
        self.refuses(65, "the end of a run and not its course", "files", self.put("x.json", {"attitude_wxyz": []}))
        self.refuses(65, "no column 'E'", "files", self.write("x.csv", steady_rows(3)[:, :11], header=HEADER[:-5]))
        self.refuses(65, "row 1 is not one of numbers", "files",
                     self.put("x.csv", SUBJECT + "method,step[s],cost[s]\nm,fast,1\n"))
        self.refuses(65, "holds no rows", "files", self.put("x.csv", SUBJECT + "method,step[s],cost[s]\n"))
        self.refuses(65, "does not say its problem", "files",
                     self.put("x.csv", study_table(study(good=GOOD), ()).replace("# problem", "# subject")))
        self.refuses(65, "is a convergence study; give a run", "files", good, "--reference", converge)
        self.refuses(2, "is a run and", "files", good, converge)
        self.refuses(2, "are studies", "files", compare, self.studies["compare"][1])
        self.refuses(2, "--reference is for runs", "files", compare, "--reference", good)
        self.refuses(2, "--labels has 1 names for 2 runs", "files", good, good, "--labels", "a")
        late = steady_rows(3)
        late[:, 0] += 0.05
        self.refuses(65, "no time in common", "files", good, "--reference", self.write("late.csv", late))


if __name__ == "__main__":
    unittest.main()
