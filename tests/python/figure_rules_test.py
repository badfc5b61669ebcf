"""What every figure of the experiments keeps to: one colour for each curve of a panel, typeset units, one name for each
method. Read from experiment.toml, with made-up curves in the place of the measured ones.

python3 tests/python/figure_rules_test.py
"""

import glob
import os
import re
import sys
import tomllib
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from plot_test import Figures
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from figures import experiment_figure, series
from figures.columns import axis_words, symbol
from figures.curves import Curve, Panel
from figures.dots import method_names
from figures.experiment import curve_styles
from figures.style import METHOD_COLOURS, RC

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "experiments")
# Names of methods in the papers: they belong into captions, beside the name that the method has here.
PAPERS_NAMES = {"NMB", "SW", "AKW", "LS", "LP2", "IMR", "DMV", "DMV4", "DMV6", "HSTAGM", "LIEMID", "VLV", "EP", "MR"}


def read_experiments():
    for path in sorted(glob.glob(os.path.join(ROOT, "*", "experiment.toml"))):
        with open(path, "rb") as file:
            yield os.path.basename(os.path.dirname(path)), tomllib.load(file)


def made_up_panel(told):
    """The panel with its curves as they will be there, each with three rows of nothing in particular."""
    columns = told.get("columns", [])
    width = 13 if told["kind"] == "poinsot" else max(len(columns), 1)
    x, y = np.arange(3.0), np.tile(np.arange(3.0)[:, None], width)
    methods, steps = told.get("methods", []), told.get("step_sizes", [])
    if told["kind"] == "convergence":
        curves = [Curve(method, method, 0.0, "", False, x, y) for method in methods]
    else:
        curves = [Curve(method if len(methods) > 1 else f"h = {step}", method, step, "", False, x, y)
                  for method in methods for step in steps]
    curves += [Curve(scan["label"], "", 0.0, "", False, x, y) for scan in told.get("curves", [])]
    if told.get("reference"):
        curves.insert(0, Curve(told["reference"], told["reference"], 0.0, "", True, x, y))
    return Panel(told.get("title", ""), told["kind"], columns, told.get("x_label", ""), told.get("y_label", ""),
                 told.get("log", "none"), told.get("reference_slope"), curves)


def colours(panel, styles):
    """Of every curve that is drawn, one for each column in a time series."""
    if panel.kind != "time-series":
        return [style["color"] for style in styles]
    return [series.curve_style(panel, curve, styles, i)["color"] for curve in panel.curves
            for i in range(1 if curve.reference else len(panel.columns))]


def faults(panels):
    """What breaks the rules, in words."""
    found = []
    for panel, styles in zip(panels, curve_styles(panels)):
        used = colours(panel, styles)
        found += [f"{panel.title}: two curves have the colour {colour}" for colour in set(used)
                  if used.count(colour) > 1]
        words = [panel.title, panel.x_label, panel.y_label, *(curve.label for curve in panel.curves)]
        shown = words + [symbol(column) for column in panel.columns]
        shown += [axis_words(panel.columns)] if panel.columns else []
        found += [f"{panel.title}: a caret in '{text}'" for text in shown if "^" in re.sub(r"\$[^$]*\$", "", text)]
        found += [f"{panel.title}: '{text}' has a paper's name of a method" for text in words
                  if PAPERS_NAMES & set(re.findall(r"[A-Za-z0-9]+", text))]
    return found


class Rules(unittest.TestCase):
    def test_every_experiment_keeps_to_them(self):
        seen = 0
        for name, told in read_experiments():
            with self.subTest(name):
                panels = [made_up_panel(panel) for panel in told.get("panel", [])]
                self.assertEqual(faults(panels), [])
                seen += len(panels)
        self.assertGreater(seen, 90)

    def test_curves_of_scans_have_the_names_of_methods_or_none(self):
        told = dict(read_experiments())
        methods = {method for one in told.values() for panel in one.get("panel", [])
                   for method in panel.get("methods", [])}
        methods |= {method for one in told.values() for measure in one.get("measure", [])
                    for method in [measure.get("method"), *measure.get("methods", [])] if method}
        for name, one in told.items():
            for panel in one.get("panel", []):
                for scan in panel.get("curves", []):
                    variables = {variable for y in scan["y"] for variable in re.findall(r"[a-z_0-9]{3,}", str(y))}
                    about = {method for method in methods if any(
                        re.fullmatch(rf"\w+?_{re.sub(r'[^a-z0-9]', '_', method)}(_\d+)?", variable)
                        for variable in variables)}
                    if about:
                        self.assertIn(scan["label"], about, f"{name}: {panel['title']}")

    def test_panels_beside_those_of_a_paper_say_that_they_are_ours(self):
        """Known by their titles: what is not in the papers' captions and text was listed by hand from them."""
        ours = {"bou-rabee-figure-1": 4, "bou-rabee-figure-4": 2, "buss-claims": 4, "buss-figure-2": 1,
                "buss-figure-4": 2, "buss-figure-5": 2, "buss-run-of-200-million-steps": 4, "krysl-endres-claims": 2,
                "krysl-endres-figure-03": 3, "krysl-endres-figure-08": 3, "krysl-endres-figure-12": 1,
                "krysl-endres-figure-13": 2, "romero-figure-2": 1}
        for name, told in read_experiments():
            titles = [panel.get("title", "") for panel in told.get("panel", [])]
            marked = [title for title in titles if re.match(r"(\([a-z]\) )?ours: ", title)]
            self.assertEqual(len(marked), ours.get(name, 0), name)
            self.assertEqual(len(marked), sum("ours" in title for title in titles), name)

    def test_what_breaks_them_is_noticed(self):
        panel = dict(kind="convergence", title="t", x_label="h [s]", columns=["attitude_error"], step_sizes=[1])
        many = [f"method-{i}" for i in range(len(METHOD_COLOURS))]
        self.assertEqual(faults([made_up_panel(dict(panel, methods=many))]), [])
        self.assertEqual(len(faults([made_up_panel(dict(panel, methods=many + ["one-more"]))])), 1)
        self.assertEqual(len(faults([made_up_panel(dict(panel, methods=["a"], y_label="L [kg m^2/s]"))])), 1)
        self.assertEqual(faults([made_up_panel(dict(panel, methods=["a"], y_label="L [$10^{3}$ kg m²/s]"))]), [])
        self.assertEqual(len(faults([made_up_panel(dict(panel, methods=["a"], title="SW, h = 1"))])), 1)
        scan = dict(kind="scan", title="t", curves=[dict(label="HSTAGM", x=[1], y=["2"])])
        self.assertEqual(len(faults([made_up_panel(scan)])), 1)

    def test_a_row_of_dots_has_the_methods_name_where_it_has_one_of_its_own(self):
        both = [("1st order", "taylor-1"), ("1st order", "taylor-1"), ("2nd order", "taylor-2")]
        self.assertEqual(method_names(both), {"1st order": "taylor-1", "2nd order": "taylor-2"})
        two_of_a_row = [("1st order", "taylor-1"), ("1st order", "taylor-1+energy"), ("head", None)]
        self.assertEqual(method_names(two_of_a_row), {})
        self.assertEqual(method_names([("counted", "taylor-1"), ("timed", "taylor-1")]), {})

    def test_print_resolution(self):
        self.assertGreaterEqual(RC["savefig.dpi"], 300)


class Drawn(Figures):
    def curve(self, label, rows):
        np.savetxt(self.path(f"{label}.csv"), rows, delimiter=",", header="x,y", comments="", fmt="%.17g")
        return dict(label=label, method="", step=0.1, file=f"{label}.csv")

    def draw(self, **panel):
        result = dict(title="made-up", place="", items=[], table=None, figure=dict(columns=1, panels=[panel]))
        return experiment_figure(result, self.folder).axes[0]

    def test_twelve_curves_have_twelve_colours(self):
        h = 0.1 / 2.0 ** np.arange(4)
        ax = self.draw(title="", kind="convergence", columns=["attitude_error"], log="both", curves=[
            self.curve(f"m{i}", np.column_stack([h, (i + 1) * h ** 2])) for i in range(12)])
        self.assertEqual(len({line.get_color() for line in ax.lines if len(line.get_xdata()) == 4}), 12)

    def test_a_drawing_has_one_scale_and_names_its_points(self):
        s = np.linspace(0.0, 2.0 * np.pi, 50)
        ax = self.draw(title="", kind="drawing", curves=[
            self.curve("disk", np.column_stack([np.sin(s), 1.0 + np.cos(s)])), self.curve("q", [(0.5, 0.25)])])
        self.assertEqual(ax.get_aspect(), 1.0)
        self.assertEqual([text.get_text() for text in ax.texts], ["q"])
        point = next(line for line in ax.lines if len(line.get_xdata()) == 1)
        self.assertEqual((point.get_xdata()[0], point.get_ydata()[0]), (0.5, 0.25))


if __name__ == "__main__":
    unittest.main()
