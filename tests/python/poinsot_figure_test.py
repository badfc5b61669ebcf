"""The pictures of Poinsot's construction and of level surfaces: their geometry, from bodies and potentials known here.

python3 tests/python/poinsot_figure_test.py
"""

import io
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from plot_test import HEADER, Figures
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from figures import poinsot, read_result, run_figure
from figures.panels import unit_text
from figures.surfaces import cube, triangles

POINSOT = ",".join(f"{name}[1/(m kg^0.5)]" for name in (
    "polhode_x_B", "polhode_y_B", "polhode_z_B", "herpolhode_x_S", "herpolhode_y_S", "herpolhode_z_S"))


def turn(axis, angle):
    """Quaternion, scalar first."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.append(np.cos(0.5 * angle), np.sin(0.5 * angle) * axis)


def product(a, b):
    return np.append(a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))


def turned(q, v):
    return v + 2.0 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v)


def top_rows(count, axes=(1.0, 0.0, 0.0, 0.0), moments=(1.0, 1.0, 0.4), tilt=0.6, size=2.0):
    """A free body of revolution in closed form [Landau and Lifshitz, 33]: it spins about its own axis, which goes round
    the momentum. `axes` takes its principal axes to those in which the file tells it."""
    first, third = moments[0], moments[2]
    rows = []
    for t in 0.1 * np.arange(count):
        spin = size * np.cos(tilt) * (1.0 / third - 1.0 / first)
        q = product(product(turn((0, 0, 1), size / first * t), turn((1, 0, 0), tilt)), turn((0, 0, 1), spin * t))
        L = np.array([0.0, 0.0, size])
        pi = turned(q * [1, -1, -1, -1], L)
        w = pi / moments
        energy = 0.5 * w @ pi
        rho = w / np.sqrt(2.0 * energy)
        contact = turned(q, rho)
        told = product(q, axes * np.array([1, -1, -1, -1]))
        rows.append(np.concatenate([[t], told, turned(axes, w), L, [energy], turned(axes, rho),
                                    contact - [0.0, 0.0, contact[2]]]))
    return np.array(rows)


class Poinsot(Figures):
    def file(self, rows):
        return read_result(self.write("a.csv", rows, header=f"{HEADER},{POINSOT}"))

    def construction(self, rows):
        run = self.file(rows)
        return poinsot.construction(run.polhode, run.herpolhode, run.q, run.L_S)

    def test_the_ellipsoid_is_that_of_the_moments_and_rests_on_the_plane(self):
        for axes in (turn((0, 0, 1), 0.0), turn((1, -2, 0.5), 1.1)):
            made = self.construction(top_rows(200, axes))
            np.testing.assert_allclose(np.sort(np.linalg.norm(made.axes, axis=0)), [1.0, 1.0, 0.4 ** -0.5], rtol=1e-9)
            # The lowest point of an ellipsoid with half-axes a, b, c is sqrt(a_z^2 + b_z^2 + c_z^2) below its centre.
            self.assertAlmostEqual(np.linalg.norm(made.axes[2]), made.distance, places=9)
            np.testing.assert_allclose(made.herpolhode[:, 2], -made.distance, atol=1e-12)
            np.testing.assert_allclose(made.polhode[0], made.herpolhode[0], atol=1e-12)
            on_ellipsoid = np.linalg.norm(np.linalg.solve(made.axes, made.polhode.T), axis=0)
            np.testing.assert_allclose(on_ellipsoid, 1.0, rtol=1e-9)

    def test_what_the_motion_does_not_show_is_not_drawn(self):
        steady = np.tile(top_rows(1), (50, 1))
        steady[:, 0] = 0.1 * np.arange(50)
        self.assertIsNone(self.construction(steady).axes)
        for rows in (steady, steady[:1]):
            run_figure(self.file(rows)).savefig(io.BytesIO(), format="svg")
        resting = top_rows(5)
        resting[:, 12:] = np.nan
        self.assertIsNone(self.construction(resting))

    def test_hidden_parts_are_those_behind_the_ellipsoid(self):
        view, ball = poinsot.View((1.0, 0.0, 0.0)), np.eye(3)
        points = np.array([(0, 0, 0), (2, 0, 0), (-2, 0, 0), (-2, 0.9, 0), (-2, 1.1, 0)], float)
        np.testing.assert_array_equal(poinsot.hidden_by(view, ball, points, False), [False, True, True, False])
        np.testing.assert_array_equal(poinsot.hidden_by(view, ball, points, True), [False, True, True, True])

    def test_a_run_with_the_columns_is_drawn_with_them(self):
        figure = run_figure(self.file(top_rows(200)))
        ax = figure.axes[3]
        self.assertEqual(ax.get_aspect(), 1.0)
        words = [text.get_text() for text in ax.texts] + [text.get_text() for text in figure.texts]
        for word in ("inertia ellipsoid", "invariable plane", "$L$", r"$\omega$", "Poinsot's construction"):
            self.assertIn(word, words)
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()],
                         ["polhode", "herpolhode", "contact at the start"])
        colours = [line.get_color() for line in ax.lines]
        self.assertIn(poinsot.POLHODE, colours)
        self.assertIn(poinsot.HERPOLHODE, colours)

    def test_in_a_torque_the_momentum_is_drawn_as_without_them(self):
        rows = top_rows(200)
        rows[:, 8:11] *= np.linspace(1.0, 1.5, 200)[:, None]
        figure = run_figure(self.file(rows))
        self.assertNotIn("Poinsot's construction", [text.get_text() for text in figure.texts])

    def test_every_format(self):
        path = self.write("a.csv", top_rows(100), header=f"{HEADER},{POINSOT}")
        for kind in ("pdf", "svg", "png"):
            self.assertEqual(self.plot("run", path, "-o", self.path(f"a.{kind}")), (0, ""))
            self.assertGreater(os.path.getsize(self.path(f"a.{kind}")), 3000)

    def test_the_unit_has_a_root(self):
        self.assertEqual(unit_text("1/(m kg^0.5)"), "1/(m \u221akg)")


class Surfaces(unittest.TestCase):
    def grid(self, function, points=41):
        axis = np.linspace(-np.pi, np.pi, points)
        z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")         # the first fastest, as in the file
        return cube(function(x, y, z).ravel())

    def test_a_sphere_has_its_radius_and_area(self):
        faces = triangles(self.grid(lambda x, y, z: x * x + y * y + z * z), 1.44)
        radius = np.linalg.norm(faces, axis=2)
        self.assertLess(np.max(np.abs(radius - 1.2)), 0.01)             # the grid's spacing is 0.16
        area = 0.5 * np.sum(np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1))
        self.assertAlmostEqual(area / (4.0 * np.pi * 1.44), 1.0, delta=0.02)

    def test_axes_are_not_confused(self):
        faces = triangles(self.grid(lambda x, y, z: x + 10.0 * y + 100.0 * z), 50.0).reshape(-1, 3)
        np.testing.assert_allclose(faces @ (1.0, 10.0, 100.0), 50.0, rtol=1e-9)

    def test_there_is_no_surface_where_there_are_no_values(self):
        def half(x, y, z):
            return np.where(z > 0.0, np.nan, x * x + y * y + z * z)
        faces = triangles(self.grid(half), 1.44)
        self.assertGreater(len(faces), 100)
        self.assertLess(np.max(faces[:, :, 2]), 1e-12)


if __name__ == "__main__":
    unittest.main()
