"""Pictures of errors by polhode.plot: of single solutions, and of ensembles with their quantiles.

python3 tests/python/pictures_errors_test.py
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from made_up_motions import Pictures, line, top
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from matplotlib import pyplot

from polhode import plot


class Errors(Pictures):
    def turned_by(self, angles):
        """The top, off by these angles about a fixed direction in space."""
        body = top(len(angles))
        body.attitude = np.array([np.append(
            np.cos(a / 2) * q[0] - np.sin(a / 2) * q[3],
            np.cos(a / 2) * q[1:] + np.sin(a / 2) * (q[0] * np.eye(3)[2] + np.cross(np.eye(3)[2], q[1:])))
            for a, q in zip(angles, body.attitude)])
        return body

    def test_attitude_errors_are_angles_and_belong_to_their_labels(self):
        growth = 1e-4 * np.arange(1, 101)
        one, other = self.turned_by(growth), self.turned_by(5.0 * growth)
        other.energy = other.energy * (1.0 + 1e-6 * np.arange(100))
        attitude, energy = plot.errors([one, other], reference=top(100), labels=["one", "other"])
        np.testing.assert_allclose(line(attitude, "one").get_ydata(), growth, rtol=1e-9)
        np.testing.assert_allclose(line(attitude, "other").get_ydata(), 5.0 * growth, rtol=1e-9)
        np.testing.assert_allclose(line(energy, "other").get_ydata(), 1e-6 * np.arange(1, 100), rtol=1e-6)
        self.assertEqual((attitude.get_yscale(), energy.get_yscale()), ("log", "log"))
        self.assertEqual((attitude.get_ylabel(), energy.get_xlabel()), ("attitude error [rad]", "time $t$ [s]"))
        self.assertEqual(energy.get_ylabel(), "energy error $|E-E_0|/|E_0|$")

    def test_an_ensemble_has_a_median_and_a_band_of_quantiles(self):
        growth = 1e-4 * np.arange(1, 51)
        factors = np.array([3.0, 1.0, 9.0, 27.0, 81.0])
        members = [self.turned_by(factor * growth) for factor in factors]
        ax = plot.errors(members, reference=top(50), quantity="attitude", band=(0.25, 0.75))
        np.testing.assert_allclose(line(ax, "median of 5 solutions").get_ydata(), 9.0 * growth, rtol=1e-9)
        band, = ax.collections                   # of five numbers the quartiles are the second and the fourth
        self.assertEqual(band.get_label(), "from 25 % to 75 % of them")
        y = band.get_paths()[0].vertices[:, 1]
        self.assertAlmostEqual(y.min() / growth[0], 3.0, places=6)
        self.assertAlmostEqual(y.max() / growth[-1], 27.0, places=6)
        single = [curve.get_ydata()[-1] / growth[-1] for curve in ax.lines if curve.get_label().startswith("_")]
        np.testing.assert_allclose(sorted(single), sorted(factors), rtol=1e-9)

    def test_what_is_an_ensemble_by_itself(self):
        same = [self.turned_by(k * 1e-4 * np.arange(1, 51)) for k in (1, 2, 3)]
        self.assertTrue(plot.errors(same, reference=top(50), quantity="attitude").collections)
        self.assertFalse(plot.errors(same, reference=top(50), quantity="attitude", band=None).collections)
        same[1].method = "another"
        ax = plot.errors(same, reference=top(50), quantity="attitude")
        self.assertFalse(ax.collections)
        self.assertEqual(len(ax.get_legend().get_texts()), 3)

    def test_an_ensemble_for_each_method(self):
        growth = 1e-4 * np.arange(1, 51)
        members = [self.turned_by(factor * growth) for factor in (1.0, 100.0, 2.0, 200.0, 3.0, 300.0, 400.0)]
        for i, member in enumerate(members):
            member.method = "fine" if i in (0, 2, 4) else "coarse"
        ax = plot.errors(members, reference=top(50), quantity="attitude")
        np.testing.assert_allclose(line(ax, "fine: median of 3 solutions").get_ydata(), 2.0 * growth, rtol=1e-9)
        np.testing.assert_allclose(line(ax, "coarse: median of 4 solutions").get_ydata(), 250.0 * growth, rtol=1e-9)
        self.assertEqual(len({line(ax, f"{name} solutions").get_color() for name in ("fine: median of 3", "coarse: median of 4")}), 2)
        self.assertEqual(len(ax.collections), 2)
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()].count("from 10 % to 90 % of them"), 1)
        ax.figure.canvas.draw()
        legend, whole = ax.get_legend().get_window_extent(), ax.figure.bbox
        self.assertTrue(whole.x0 <= legend.x0 and legend.x1 <= whole.x1, "the legend is cut off")
        self.assertLess(ax.get_ylim()[0], 2e-4)
        self.assertGreater(ax.get_ylim()[1], 400.0 * growth[-1])
        together = plot.errors(members[:4], reference=top(50), quantity="attitude", band=(0.0, 1.0))     # two of each
        np.testing.assert_allclose(line(together, "median of 4 solutions").get_ydata(), 51.0 * growth, rtol=1e-9)

    def test_solutions_by_one_method_are_told_apart_by_their_steps(self):
        two = [self.turned_by(factor * 1e-4 * np.arange(1, 51)) for factor in (1.0, 2.0)]
        for one, step in zip(two, (0.05, 0.1)):
            one.method, one.step = "mine", step
        ax = plot.errors(two, reference=top(50), quantity="attitude")
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["mine, h = 0.05", "mine, h = 0.1"])

    def test_an_energy_that_is_not_conserved_needs_a_reference(self):
        body, exact = top(50, energy_conserved=False), top(50, energy_conserved=False)
        body.energy = body.energy + 1e-3 * np.arange(50)
        self.says("give a reference", plot.errors, body)
        ax = plot.errors(body, reference=exact, quantity="energy")
        np.testing.assert_allclose(ax.lines[0].get_ydata(), 1e-3 * np.arange(1, 50) / exact.energy[0], rtol=1e-9)
        self.assertIn(r"E_\mathrm{ref}", ax.get_ylabel())

    def test_what_is_there_already_stays_in_sight(self):
        small, large = (self.turned_by(size * np.arange(1, 51)) for size in (1e-9, 1e-4))
        ax = plot.errors(small, reference=top(50), quantity="attitude")
        plot.errors(large, reference=top(50), quantity="attitude", ax=ax, labels=["large"])
        low, high = ax.get_ylim()
        self.assertTrue(low < 1e-9 and high > 5e-3)
        self.assertEqual(len({curve.get_color() for curve in ax.lines}), 2)

    def test_what_does_not_fit(self):
        self.says("give one", plot.errors, top(), quantity="attitude")
        self.says("'attitude' or of the 'energy'", plot.errors, top(), quantity="charge")
        self.says("draws 2 panels", plot.errors, top(), reference=top(), ax=pyplot.subplots()[1])
        self.says("2 labels for 1", plot.errors, top(), labels=["a", "b"])
        self.says("no solution in the list", plot.errors, [])
        self.says("two quantiles", plot.errors, [top()] * 3, band=(0.9, 0.1))
        self.says("band needs equal", plot.errors, [top(), top(100)], band=(0.1, 0.9))
        late = top()
        late.t = late.t + 0.05
        self.says("no time in common", plot.errors, top(), reference=late)


if __name__ == "__main__":
    unittest.main()
