"""Figures show what their files hold: curves belong to their labels, axes say what is drawn, numbers are recomputed here
from the rows.

python3 tests/python/figure_data_test.py
"""

import csv
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from plot_test import GOOD, HEADER, Figures, comparison, study
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from figures import (compare_figure, converge_figure, experiment_figure, read_comparison, read_result,
                     read_study, run_figure, work_precision_figure)
from figures.columns import NAMES
from figures.panels import unit_text

ABOUT = "# method: {}\n# problem: made-up\n# step: 0.1\n"
KEPT, VARIES = ABOUT + "# energy_terms: kinetic + potential\n# energy_conserved: yes\n", (
    ABOUT + "# energy_terms: kinetic + potential\n# energy_conserved: no\n")
KINETIC = ABOUT + "# energy_terms: kinetic\n# energy_conserved: no\n"


def general_rows(seed, count=60, scale=1.0):
    """No motion, but every column has its own values: mixing any two of them up shows."""
    t = 0.1 * np.arange(count)
    waves = [1.5 + np.sin((0.3 + 0.17 * i + 0.05 * seed) * t + i + 0.1 * seed) for i in range(11)]
    q = np.column_stack(waves[:4])
    q /= np.linalg.norm(q, axis=1)[:, None]
    return np.column_stack([t, q, *(scale * wave for wave in waves[4:])])


def columns_of(path):
    """The file's columns by their whole header, read without the code under test."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


def power_of(title):
    """The power of ten that a heading takes out of its numbers."""
    found = re.search(r"\$10\^\{(-?\d+)\}\$", title)
    return 10.0 ** int(found[1]) if found else 1.0


def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def text_of(figure):
    axes = [words for ax in figure.axes for words in
            (ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel(), *(text.get_text() for text in ax.texts))]
    return "\n".join(axes + [text.get_text() for text in figure.texts])


class OneRun(Figures):
    def figure(self, about, rows):
        path = self.write("a.csv", rows, about.format("m"))
        return columns_of(path), run_figure(read_result(path)).axes

    def test_velocities_belong_to_their_labels(self):
        for scale in (1.0, 1e-7, 3e8):
            data, axes = self.figure(KEPT, general_rows(0, scale=scale))
            title = axes[0].get_title(loc="left")
            self.assertRegex(title, r"^body angular velocity .*rad/s\]$")
            handles, labels = axes[0].get_legend_handles_labels()
            self.assertEqual(labels, [r"$\omega_x$", r"$\omega_y$", r"$\omega_z$"])
            for handle, name in zip(handles, ("wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]")):
                np.testing.assert_array_equal(handle.get_xdata(), data["t[s]"])
                np.testing.assert_allclose(handle.get_ydata() * power_of(title), data[name], rtol=1e-15)
            shown = axes[0].get_legend()
            self.assertEqual([text.get_text() for text in shown.get_texts()], labels)
            self.assertEqual([line.get_color() for line in shown.get_lines()], [h.get_color() for h in handles])

    def test_time_is_in_seconds(self):
        _, axes = self.figure(KEPT, general_rows(0))
        self.assertEqual(axes[2].get_xlabel(), "time $t$ [s]")

    def test_a_conserved_energy_has_a_relative_error(self):
        data, axes = self.figure(KEPT, general_rows(0))
        title, E = axes[1].get_title(loc="left"), data["E[J]"]
        self.assertTrue(title.startswith(r"energy error $(E-E_0)/|E_0|$"), title)
        curve = [line for line in axes[1].lines if len(line.get_xdata()) == len(E)]
        np.testing.assert_allclose(curve[0].get_ydata() * power_of(title), (E - E[0]) / abs(E[0]), atol=1e-15)

    def test_an_energy_that_is_not_conserved_is_drawn_itself(self):
        for about, words in ((VARIES, "energy"), (KINETIC, "kinetic energy")):
            for scale in (1.0, 1e-5):
                path = self.write("a.csv", general_rows(0, scale=scale), about.format("m"))
                figure = run_figure(read_result(path))
                title = figure.axes[1].get_title(loc="left")
                self.assertRegex(title, rf"^{words}  \[(\$10\^\{{-?\d+\}}\$ )?J\]$")
                self.assertNotIn("error", text_of(figure))
                np.testing.assert_allclose(figure.axes[1].lines[0].get_ydata() * power_of(title),
                                           columns_of(path)["E[J]"], rtol=1e-15)

    def test_a_file_that_does_not_say_shows_a_change(self):
        path = self.write("a.csv", general_rows(0))
        figure = run_figure(read_result(path))
        self.assertTrue(figure.axes[1].get_title(loc="left").startswith("change of energy"))
        self.assertNotIn("error", text_of(figure))

    def test_change_of_momentum(self):
        data, axes = self.figure(KEPT, general_rows(0))
        L = np.column_stack([data[f"L{i}_S[kg m^2/s]"] for i in "xyz"])
        title = axes[2].get_title(loc="left")
        self.assertIn(r"$|L-L_0|/|L_0|$", title)
        expected = [np.sqrt(sum((row - L[0]) ** 2)) / np.sqrt(sum(L[0] ** 2)) for row in L]
        np.testing.assert_allclose(axes[2].lines[0].get_ydata() * power_of(title), expected, atol=1e-15)

    def test_from_zero_there_is_no_relative_change(self):
        rows = general_rows(0)
        rows[:, 8:] -= rows[0, 8:]
        data, axes = self.figure(KEPT, rows)
        self.assertRegex(axes[1].get_title(loc="left"), r"^energy error \$E-E_0\$ .*J\]$")
        self.assertRegex(axes[2].get_title(loc="left"), r"\$\|L-L_0\|\$ .*kg m²/s\]$")
        np.testing.assert_allclose(axes[1].lines[-1].get_ydata(), data["E[J]"], atol=1e-15)


class SeveralRuns(Figures):
    def setUp(self):
        super().setUp()
        self.names = ["first", "second", "third"]

    def paths(self, about):
        return [self.write(f"{name}.csv", general_rows(i + 1), about.format(name)) for i, name in enumerate(self.names)]

    def looks(self, figure, count):
        """Label and look of each curve, in the order of the spheres."""
        spheres = figure.axes[:count]
        own = [[line for line in ax.lines if line.get_transform() == ax.transAxes] for ax in spheres]
        return [(ax.texts[-1].get_text() if ax.texts else "", line[-1].get_color()) for ax, line in zip(spheres, own)]

    def curves(self, ax):
        return {line.get_color(): line for line in ax.lines}

    def test_curves_have_the_look_of_their_label(self):
        paths = self.paths(VARIES)
        figure = compare_figure([read_result(path) for path in paths])
        looks = self.looks(figure, 3)
        self.assertEqual([label for label, _ in looks], self.names)
        self.assertEqual(len({colour for _, colour in looks}), 3)
        velocity, energy = figure.axes[3:5]
        i = re.search(r"omega_([xyz])", velocity.get_title(loc="left"))[1]
        self.assertEqual(energy.get_title(loc="left"), "energy  [J]")
        for path, (_, colour) in zip(paths, looks):
            data = columns_of(path)
            np.testing.assert_array_equal(self.curves(velocity)[colour].get_ydata(), data[f"w{i}_B[rad/s]"])
            np.testing.assert_array_equal(self.curves(energy)[colour].get_ydata(), data["E[J]"])
        self.assertNotIn("error", text_of(figure))

    def test_errors_of_energy_are_relative_to_each_start(self):
        paths = self.paths(KEPT)
        figure = compare_figure([read_result(path) for path in paths])
        self.assertEqual(figure.axes[4].get_title(loc="left"), r"energy error $|E-E_0|/|E_0|$")
        for path, (_, colour) in zip(paths, self.looks(figure, 3)):
            E = columns_of(path)["E[J]"]
            np.testing.assert_allclose(self.curves(figure.axes[4])[colour].get_ydata(),
                                       (abs(E - E[0]) / abs(E[0]))[1:], rtol=1e-14)

    def test_differences_to_a_reference(self):
        paths = self.paths(VARIES)
        reference = self.write("reference.csv", general_rows(9)[::2], VARIES.format("reference"))
        figure = compare_figure([read_result(path) for path in paths], None, read_result(reference))
        exact = columns_of(reference)
        energy, attitude = figure.axes[4:6]
        self.assertIn("difference of energy to the reference", energy.get_title(loc="left"))
        self.assertEqual(attitude.get_title(loc="left"), "attitude error: angle to the reference  [rad]")
        for path, (_, colour) in zip(paths, self.looks(figure, 3)):
            data = {name: values[::2] for name, values in columns_of(path).items()}
            line = self.curves(energy)[colour]
            np.testing.assert_array_equal(line.get_xdata(), data["t[s]"])
            np.testing.assert_allclose(line.get_ydata(), abs(data["E[J]"] - exact["E[J]"]) / abs(exact["E[J]"][0]),
                                       rtol=1e-13)
            angles = []
            for n in range(len(data["t[s]"])):
                R, S = (rotation([table[f"q{i}"][n] for i in "wxyz"]) for table in (data, exact))
                angles.append(np.arccos(np.clip(0.5 * (np.trace(S.T @ R) - 1.0), -1.0, 1.0)))
            np.testing.assert_allclose(self.curves(attitude)[colour].get_ydata(), angles, atol=1e-9)


class Studies(Figures):
    def write_json(self, data):
        with open(self.path("a.json"), "w", encoding="utf-8") as file:
            json.dump(data, file)
        return self.path("a.json")

    def look_of(self, figure, method):
        """The colour beside a method's name in the key."""
        name = next(text for text in figure.texts if text.get_text() == method)
        beside = [line for line in figure.artists if abs(line.get_ydata()[0] - name.get_position()[1]) < 1e-12]
        return beside[0].get_color()

    def slopes(self, ax):
        """Slope of the longest side of every triangle, and the number written beside it."""
        triangles = [line for line in ax.lines if len(line.get_xdata()) == 4 and line.get_xdata()[0] == line.get_xdata()[3]]
        found = [np.log(line.get_ydata()[1] / line.get_ydata()[0]) / np.log(line.get_xdata()[1] / line.get_xdata()[0])
                 for line in triangles]
        return sorted(found), sorted(float(text.get_text()) for text in ax.texts if text.get_text() != "rounding")

    def test_errors_steps_orders_and_slopes(self):
        data = study(slow=GOOD, fast=dict(errors=[1e-4 / 16 ** i for i in range(5)], order=4.0))
        for row in data["rows"]:
            row["momentum_error"] = 3.0 * row["attitude_error"]
        for entry in data["orders"]:
            if entry["method"] == "fast":
                entry.update(claimed_attitude=4, claimed_momentum=4)
        figure = converge_figure(read_study(self.write_json(data)))
        words = [text.get_text() for text in figure.texts]
        self.assertLess(words.index("slow"), words.index("fast"))
        self.assertEqual(words[words.index("slow"):words.index("slow") + 4], ["slow", "2", "2.00 ± 0.01", "2.00 ± 0.01"])
        self.assertEqual(words[words.index("fast"):words.index("fast") + 4], ["fast", "4", "4.00 ± 0.01", "4.00 ± 0.01"])
        for ax, quantity, unit in zip(figure.axes, ("attitude", "momentum"), ("rad", "kg m²/s")):
            self.assertEqual(ax.get_title(loc="left"), f"{quantity} error  [{unit}]")
            self.assertEqual(ax.get_xlabel(), "step $h$ [s]")
            for method in ("slow", "fast"):
                own = [row for row in data["rows"] if row["method"] == method]
                colour = self.look_of(figure, method)
                line = next(line for line in ax.lines if line.get_color() == colour)
                np.testing.assert_array_equal(line.get_xdata(), [row["step"] for row in own])
                np.testing.assert_array_equal(line.get_ydata(), [row[f"{quantity}_error"] for row in own])
            drawn, written = self.slopes(ax)
            np.testing.assert_allclose(drawn, [2.0, 4.0], atol=1e-12)
            self.assertEqual(written, [2.0, 4.0])

    def test_errors_against_costs(self):
        data = comparison(slow=GOOD["errors"], fast=[1e-4 / 16 ** i for i in range(5)])
        figure = work_precision_figure(read_comparison(self.write_json(data)))
        for ax, key, label in zip(figure.axes, ("cost", "torque_evaluations"),
                                  ("time of the integration [s]", "torque evaluations")):
            self.assertEqual((ax.get_xlabel(), ax.get_title(loc="left")), (label, "attitude error  [rad]"))
            for method in ("slow", "fast"):
                own = [row for row in data["rows"] if row["method"] == method]
                colour = self.look_of(figure, method)
                line = next(line for line in ax.lines if line.get_color() == colour and line.get_linestyle() != "None")
                np.testing.assert_array_equal(line.get_xdata(), [row[key] for row in own])
                np.testing.assert_array_equal(line.get_ydata(), [row["attitude_error"] for row in own])


class Experiments(Figures):
    def test_units_are_those_of_the_files(self):
        for header in HEADER.split(","):
            name, unit = re.match(r"(\w+)(?:\[(.*)\])?$", header).groups()
            self.assertEqual(NAMES[name][2], unit_text(unit or ""), name)

    def result(self, panels):
        return dict(title="made-up", place="", items=[], table=None, figure=dict(columns=1, panels=panels))

    def curve(self, label, rows):
        name = f"{label}.csv"
        np.savetxt(self.path(name), rows, delimiter=",", header="x,y", comments="", fmt="%.17g")
        return dict(label=label, method=label, step=0.1, file=name)

    def test_legend_order_colours_and_the_slope_drawn(self):
        h = 0.1 / 2.0 ** np.arange(5)
        data = {"one": 3.0 * h ** 2, "two": 0.5 * h ** 2, "three": 7.0 * h ** 3}
        panel = dict(title="errors", kind="convergence", columns=["attitude_error"], log="both", reference_slope=2.5,
                     curves=[self.curve(name, np.column_stack([h, y])) for name, y in data.items()])
        figure = experiment_figure(self.result([panel]), self.folder)
        key = figure.legends[0]
        self.assertEqual([text.get_text() for text in key.get_texts()], ["one", "two", "three", "slope 2.5"])
        ax = figure.axes[0]
        for name, handle in zip(data, key.get_lines()):
            line = next(line for line in ax.lines if line.get_color() == handle.get_color())
            np.testing.assert_allclose(line.get_xdata(), np.sort(h))
            np.testing.assert_allclose(line.get_ydata(), data[name][::-1])
        x, y = next(line for line in ax.lines if len(line.get_xdata()) == 2).get_data()
        self.assertAlmostEqual(np.log(y[1] / y[0]) / np.log(x[1] / x[0]), 2.5, places=12)
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("step $h$ [s]", "attitude error [rad]"))

    def test_a_time_series_shows_its_column(self):
        t = 0.1 * np.arange(50)
        panel = dict(title="energy", kind="time-series", columns=["E"], log="none",
                     curves=[self.curve("m", np.column_stack([t, 2e-6 * np.cos(t)]))])
        ax = experiment_figure(self.result([panel]), self.folder).axes[0]
        self.assertEqual(ax.get_ylabel(), "E [$10^{-6}$ J]")
        np.testing.assert_allclose(ax.lines[0].get_ydata(), 2.0 * np.cos(t), atol=1e-12)


if __name__ == "__main__":
    unittest.main()
