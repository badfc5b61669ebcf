"""Pictures of polhode.plot: curves belong to their labels, axes are taken and returned, what is no solution is refused.

python3 tests/python/pictures_test.py
"""

import doctest
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from made_up_motions import PYTHON, Pictures, line, solution_of, top, tumbling
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import matplotlib
import numpy as np
from matplotlib import pyplot
from plot_test import FAILED, GOOD, comparison, study
from poinsot_figure_test import top_rows, turned

from polhode import display, plot
from polhode.figures.results import ResultError
from polhode.pictures import moving, over_time, rolling, studies, traces

FLAT = {"trajectory": plot.trajectory, "errors": plot.errors, "herpolhode": plot.herpolhode}
IN_SPACE = {"polhode": plot.polhode, "poinsot": plot.poinsot, "attitude": plot.attitude}


class OverTime(Pictures):
    def test_curves_belong_to_their_labels_and_axes_have_units(self):
        body = tumbling()
        cases = {"angular_velocity": (body.angular_velocity, r"$\omega_{}$", "xyz", "angular velocity [rad/s]"),
                 "momentum": (body.momentum, "$L_{}$", "xyz", "momentum in space [kg m²/s]"),
                 "momentum_body": (body.angular_velocity @ body.body.tensor, "$P_{}$", "xyz",
                                   "momentum in body axes [kg m²/s]"),
                 "direction": ([turned(q, np.array([0.0, 0.0, 1.0])) for q in body.attitude], "$d_{}$", "xyz",
                               "direction of the third axis"),
                 "attitude": (body.attitude, "$q_{}$", "wxyz", "quaternion of the attitude")}
        for quantity, (values, symbol, letters, words) in cases.items():
            with self.subTest(quantity):
                ax = plot.trajectory(body, quantity)
                self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("time $t$ [s]", words))
                self.assertEqual(len(ax.lines), len(letters))
                for i, letter in enumerate(letters):
                    curve = line(ax, symbol.format(letter))
                    np.testing.assert_array_equal(curve.get_xdata(), body.t)
                    np.testing.assert_allclose(curve.get_ydata(), np.asarray(values)[:, i], atol=1e-12)
                legend = ax.get_legend()
                self.assertEqual([text.get_text() for text in legend.get_texts()],
                                 [symbol.format(letter) for letter in letters])
                self.assertEqual([mark.get_color() for mark in legend.get_lines()],
                                 [line(ax, symbol.format(letter)).get_color() for letter in letters])
        ax = plot.trajectory(body, "energy")
        self.assertEqual(ax.get_ylabel(), "energy [J]")
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), body.energy)

    def test_a_quaternion_is_drawn_without_changes_of_sign(self):
        body = tumbling()
        smooth = body.attitude.copy()
        body.attitude = smooth * np.where(np.arange(len(smooth)) // 7 % 2 == 0, 1.0, -1.0)[:, None]
        ax = plot.trajectory(body, "attitude")
        np.testing.assert_allclose(line(ax, "$q_x$").get_ydata(), smooth[:, 1], atol=1e-15)

    def test_style_and_label_are_the_users(self):
        _, ax = pyplot.subplots()
        self.assertIs(plot.trajectory(top(), ax=ax, lw=3.5, ls=":", c="red", label="mine"), ax)
        self.assertEqual({(curve.get_linewidth(), curve.get_linestyle(), curve.get_color()) for curve in ax.lines},
                         {(3.5, ":", "red")})
        self.assertEqual(ax.lines[0].get_label(), r"mine $\omega_x$")

    def test_rows_end_where_they_are_no_longer_finite(self):
        body = top()
        body.angular_velocity[50, 1] = np.nan
        self.assertEqual(len(plot.trajectory(body).lines[0].get_xdata()), 50)


class Studies(Pictures):
    def test_errors_belong_to_their_methods(self):
        data = study(good=GOOD, worse=dict(errors=[0.3 / 2 ** i for i in range(6)], order=1.0), failed=FAILED)
        ax = plot.convergence(data)
        legend = ax.get_legend()
        self.assertEqual([text.get_text() for text in legend.get_texts()],
                         ["good: order 2.00 ± 0.01", "worse: order 1.00 ± 0.01", "failed: no order"])
        for mark, given in zip(legend.get_lines(), (GOOD["errors"], [0.3 / 2 ** i for i in range(6)])):
            curve = next(each for each in ax.lines
                         if each.get_color() == mark.get_color() and len(each.get_xdata()) == 6)
            np.testing.assert_allclose(curve.get_xdata(), 0.1 / 2.0 ** np.arange(6))
            np.testing.assert_allclose(curve.get_ydata(), given)
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("step $h$ [s]", "attitude error [rad]"))
        self.assertEqual(plot.convergence(data, quantity="momentum").get_ylabel(), "momentum error [kg m²/s]")

    def test_costs_belong_to_their_methods(self):
        data = comparison(good=GOOD["errors"], other=[1e-3, 1e-5])
        for against, first, label in (("time", 1e-5, "time of the integration [s]"),
                                      ("evaluations", 200, "torque evaluations")):
            ax = plot.work_precision(data, against=against)
            self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), (label, "attitude error [rad]"))
            names = [text.get_text() for text in ax.get_legend().get_texts()]
            self.assertEqual(names, ["good", "other"])
            for mark, errors in zip(ax.get_legend().get_lines(), (GOOD["errors"], [1e-3, 1e-5])):
                curve = next(each for each in ax.lines if each.get_color() == mark.get_color()
                             and len(each.get_xdata()) == len(errors) and each.get_linestyle() != "None")
                np.testing.assert_allclose(curve.get_xdata(), first * 2.0 ** np.arange(len(errors)))
                np.testing.assert_allclose(curve.get_ydata(), errors)

    def test_objects_dicts_and_files_alike(self):
        for picture, data in ((plot.convergence, study(good=GOOD)),
                              (plot.work_precision, comparison(a=GOOD["errors"]))):
            path = self.path("study.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(data, file)
            shown = [picture(source).lines[0].get_xydata() for source in (data, SimpleNamespace(json=data), path)]
            np.testing.assert_array_equal(shown[0], shown[1])
            np.testing.assert_array_equal(shown[0], shown[2])

    def test_what_is_no_study(self):
        self.says("is no study", plot.convergence, 3.0)
        self.says("not a convergence study", plot.convergence, comparison(a=[1e-3]))
        self.says("one of those in 'studies'", plot.work_precision, {"studies": [1, 2]})
        self.says("against 'time' or", plot.work_precision, comparison(a=[1e-3]), against="joy")
        self.says("quantity is 'charge'", plot.convergence, study(good=GOOD), quantity="charge")
        run = self.write("a.csv", top_rows(5)[:, :12])
        self.says("is a run, and this picture is of a convergence study", plot.convergence, run)
        path = self.path("study.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study(good=GOOD), file)
        self.says("give a solution", plot.trajectory, path)


class Axes(Pictures):
    def test_axes_are_taken_and_returned(self):
        for functions, projection in ((FLAT, None), (IN_SPACE, "3d")):
            for function in functions.values():
                ax = pyplot.figure().add_subplot(projection=projection)
                self.assertIs(function(top(), ax=ax), ax)
                made = function(top())
                self.assertEqual(made.name, ax.name)
        for function, data in ((plot.convergence, study(good=GOOD)), (plot.work_precision, comparison(a=[1e-3, 1e-4]))):
            ax = pyplot.figure().add_subplot()
            self.assertIs(function(data, ax=ax), ax)

    def test_flat_and_spatial_axes_are_not_mixed_up(self):
        space = pyplot.figure().add_subplot(projection="3d")
        for function in FLAT.values():
            self.says("without projection='3d'", function, top(), ax=space)
        self.says("without projection='3d'", plot.convergence, study(good=GOOD), ax=space)
        flat = pyplot.figure().add_subplot()
        for function in IN_SPACE.values():
            self.says("axes made with projection='3d'", function, top(), ax=flat)
        self.says("no axes of matplotlib", plot.trajectory, top(), ax="left")
        self.assertFalse(flat.has_data() or space.has_data())

    def test_settings_are_as_before(self):
        with matplotlib.rc_context({"lines.linewidth": 7.0, "font.size": 31.0, "axes.grid": True}):
            before = dict(matplotlib.rcParams)
            for function in (*FLAT.values(), *IN_SPACE.values()):
                function(top()).figure.savefig(io.BytesIO(), format="png")
                self.assertEqual(dict(matplotlib.rcParams), before)
            plot.convergence(study(good=GOOD))
            plot.work_precision(comparison(a=[1e-3, 1e-4]))
            plot.animate(top(), self.path("a.gif"), frames=2)
            self.says("is no solution", plot.trajectory, 3.0)
            self.assertTrue(display.solution_html(top()))
            self.assertEqual(dict(matplotlib.rcParams), before)

    def test_every_picture_is_written_in_every_format(self):
        for function in (*FLAT.values(), *IN_SPACE.values()):
            for kind in ("png", "svg", "pdf"):
                written = io.BytesIO()
                function(tumbling(40)).figure.savefig(written, format=kind)
                self.assertGreater(len(written.getvalue()), 3000)

    def test_what_is_no_solution(self):
        self.says("is no solution", plot.trajectory, 3.0)
        self.says("quantity is 'charge'", plot.trajectory, top(), "charge")
        short = top()
        short.energy = short.energy[:-1]
        self.says("'energy' of made-up has the shape (199,)", plot.trajectory, short)
        empty = solution_of(np.zeros((0, 12)), np.eye(3))
        self.says("holds no rows", plot.trajectory, empty)
        self.says("does not exist", plot.trajectory, self.path("none.csv"), error=ResultError)
        nothing = top()
        nothing.t = nothing.t * np.nan
        self.says("not finite from its first row", plot.polhode, nothing)


class Page(Pictures):
    def test_what_the_page_says_runs(self):
        for name, method in (("tumble", "exact"), ("verlet", "lie-verlet"), ("rkmk", "rkmk-4")):
            body = tumbling()
            body.energy *= 1.0 + 1e-9 * len(name) * body.t
            self.write(f"{name}.csv", np.column_stack([body.t, body.attitude, body.angular_velocity, body.momentum,
                                                       body.energy]), f"# method: {method}\n# energy_conserved: yes\n")
        for name, data in (("orders", study(good=GOOD)), ("costs", comparison(a=GOOD["errors"]))):
            with open(self.path(f"{name}.json"), "w", encoding="utf-8") as file:
                json.dump(data, file)
        with open(os.path.join(PYTHON, "..", "docs", "pictures.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertGreater(len(blocks), 4)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        names = {}
        for block in blocks:
            exec(block, names)
        made = {name for name in os.listdir(".") if name.endswith((".png", ".gif"))}
        self.assertEqual(made, {"energy.png", "space.png", "errors.png", "tumble.gif", "axes.gif"})


class Importing(unittest.TestCase):
    def run_python(self, program):
        return subprocess.run([sys.executable, "-B", "-c", "import sys; sys.path.insert(0, sys.argv[1]); " + program,
                               PYTHON], capture_output=True, text=True)

    def test_matplotlib_is_needed_when_something_is_drawn(self):
        done = self.run_python("import polhode.plot, polhode.display; dir(polhode.plot); "
                               "print('matplotlib' in sys.modules)")
        self.assertEqual(done.stdout, "False\n", done.stderr)
        done = self.run_python("sys.modules['matplotlib'] = None; import polhode.plot as plot; plot.trajectory")
        self.assertIn("ModuleNotFoundError: polhode.plot.trajectory: matplotlib is not installed", done.stderr)
        self.assertIn("python3-matplotlib", done.stderr)

    def test_every_picture_is_listed(self):
        from polhode import pictures
        self.assertEqual(set(plot.__all__), set(pictures.__all__))
        self.assertLessEqual(set(plot.__all__), set(dir(plot)))
        with self.assertRaises(AttributeError):
            plot.no_such_picture


def load_tests(loader, tests, _):
    """And the examples in the documentation of each function."""
    folder = tempfile.TemporaryDirectory()

    def clear(_):
        pyplot.close("all")

    names = dict(plot=plot, solution=tumbling(60), study=study(good=GOOD), comparison=comparison(a=GOOD["errors"]),
                 folder=folder.name, solution_html=display.solution_html, methods_html=display.methods_html)
    for module in (over_time, rolling, traces, studies, moving, display):
        tests.addTests(doctest.DocTestSuite(module, globs=dict(names, kept=folder), tearDown=clear))
    return tests


if __name__ == "__main__":
    unittest.main()
