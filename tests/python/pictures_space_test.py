"""Pictures in space by polhode.plot: polhode and herpolhode, Poinsot's construction, attitudes, animations.

python3 tests/python/pictures_space_test.py
"""

import io
import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from made_up_motions import PRECESSION, SPIN, TILTED, TOP, Pictures, drawn_in, line, matrix, top, tumbling
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

import numpy as np
from matplotlib import pyplot
from PIL import Image
from poinsot_figure_test import turned

from polhode import plot
from polhode.figures.results import read_result
from polhode.pictures import moving, rolling, solids


class Rolling(Pictures):
    def test_the_polhode_of_a_body_of_revolution_is_a_circle_about_its_axis(self):
        path = np.transpose(drawn_in(plot.polhode(top(), color="#123456"), "#123456", 200).get_data_3d())
        axis = matrix(TILTED)[:, 2]
        along = TOP["size"] * np.cos(TOP["tilt"]) / TOP["moments"][2]
        np.testing.assert_allclose(path @ axis, along, rtol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(path - np.outer(path @ axis, axis), axis=1),
                                   TOP["size"] * np.sin(TOP["tilt"]) / TOP["moments"][0], rtol=1e-12)

    def test_its_herpolhode_is_a_circle_about_the_momentum(self):
        ax = plot.herpolhode(top())
        x, y = ax.lines[0].get_data()
        np.testing.assert_allclose(np.hypot(x, y), SPIN * np.sin(TOP["tilt"]), rtol=1e-12)
        # Seen from the body the momentum points away, and what turns about it goes clockwise.
        rate = np.diff(np.unwrap(np.arctan2(y, x))) / 0.1
        np.testing.assert_allclose(rate, -PRECESSION, rtol=1e-9)
        self.assertEqual(ax.get_aspect(), 1.0)
        self.assertRegex(ax.get_xlabel() + ax.get_ylabel(), r"\[rad/s\].*\[rad/s\]$")

    def test_polhodes_lie_on_their_surfaces(self):
        body = tumbling()
        ellipsoid = plot.polhode(body, c="#123456")
        for ax, inverse, sheet in ((ellipsoid, body.body.tensor, 2.0 * body.energy[0]),
                                   (plot.polhode(body, on="sphere", c="#123456"), np.eye(3),
                                    np.sum(body.momentum[0] ** 2))):
            curves = [np.transpose(curve.get_data_3d()) for curve in ax.lines]
            curves = [curve for curve in curves if len(curve) > 2]
            self.assertGreater(len(curves), 20)
            for curve in curves:
                np.testing.assert_allclose(np.sum(curve * (curve @ inverse), axis=1), sheet, rtol=1e-7)
        self.assertEqual([label() for label in (ellipsoid.get_xlabel, ellipsoid.get_ylabel, ellipsoid.get_zlabel)],
                         [rf"$\omega_{i}$ [rad/s]" for i in "xyz"])
        self.assertEqual(plot.polhode(body, on="sphere").get_xlabel(), "$P_x$ [kg m²/s]")

    def test_the_exact_polhode_is_where_the_body_goes(self):
        body = tumbling(400)
        ax = plot.polhode(body)
        exact = np.transpose(drawn_in(ax, "#222222", 241).get_data_3d())
        for w in body.angular_velocity[::20]:
            self.assertLess(np.min(np.linalg.norm(exact - w, axis=1)), 0.02)

    def test_the_ellipsoid_rests_on_the_plane_where_the_herpolhode_goes(self):
        for body in (tumbling(), top()):
            places = rolling.places(rolling.run_of(body))
            for row in (0, 37, 119):
                made = places(row)
                np.testing.assert_allclose(np.sort(np.linalg.norm(made.axes, axis=0)),
                                           np.sort(body.body.moments ** -0.5), rtol=1e-12)
                # An ellipsoid with half-axes a, b, c reaches sqrt(a_z^2 + b_z^2 + c_z^2) down from its centre.
                self.assertAlmostEqual(np.linalg.norm(made.axes[2]), made.distance, places=12)
                normal = np.linalg.solve(made.axes.T, np.linalg.solve(made.axes, made.contact))
                np.testing.assert_allclose(normal / np.linalg.norm(normal), (0.0, 0.0, -1.0), atol=1e-7)
                np.testing.assert_allclose(made.contact, made.herpolhode[row], atol=1e-12)
                self.assertAlmostEqual(made.contact[2], -made.distance, places=12)

    def test_the_point_of_contact_is_that_of_the_herpolhode(self):
        body = tumbling()
        flat = np.transpose(plot.herpolhode(body).lines[0].get_data())
        for row in (0, 55):
            ax = plot.poinsot(body, time=body.t[row] + 0.01)
            contact = drawn_in(ax, "#222222", 1).get_data_3d()
            np.testing.assert_allclose(np.ravel(contact)[:2] * np.sqrt(2.0 * body.energy[row]), flat[row], atol=1e-9)

    def test_a_file_tells_the_ellipsoid_by_its_rows(self):
        body = tumbling()
        rows = np.column_stack([body.t, body.attitude, body.angular_velocity, body.momentum, body.energy])
        path = self.write("a.csv", rows)
        made = rolling.places(read_result(path))(0)
        np.testing.assert_allclose(np.sort(np.linalg.norm(made.axes, axis=0)), np.sort(body.body.moments ** -0.5),
                                   rtol=1e-7)
        np.testing.assert_array_equal(plot.herpolhode(path).lines[0].get_xdata().shape, (120,))
        steady = self.write("b.csv", np.column_stack([rows[:, :1], np.tile(rows[:1, 1:], (120, 1))]))
        self.says("do not show the moments", plot.poinsot, steady)
        self.assertEqual(len([curve for curve in plot.polhode(steady).lines if curve.get_marker() == "None"]), 1)

    def test_hidden_is_what_is_behind_from_where_it_is_looked_at(self):
        ax = plot.attitude(top())
        for elevation, azimuth, towards in ((0, 0, (1, 0, 0)), (0, 90, (0, 1, 0)), (90, 30, (0, 0, 1))):
            ax.view_init(elevation, azimuth)
            np.testing.assert_allclose(solids.view_of(ax).axes[2], towards, atol=1e-15)
            ax.figure.savefig(io.BytesIO(), format="png")

    def test_what_has_no_invariable_plane_is_refused(self):
        pushed = tumbling(torque=(0.3, 0.2, -0.1))
        for picture in (plot.poinsot, plot.herpolhode):
            self.says("of a body without torque", picture, pushed)
        self.assertEqual(len([curve for curve in plot.polhode(pushed).lines if curve.get_marker() == "None"]), 1)
        resting = top()
        resting.angular_velocity, resting.momentum = 0.0 * resting.momentum, 0.0 * resting.momentum
        for picture in (plot.poinsot, plot.herpolhode):
            self.says("at rest", picture, resting)
        with_wheels = top()
        with_wheels.body.tensor = 1.2 * with_wheels.body.tensor
        self.says("wheels", plot.poinsot, with_wheels)
        self.says("is from 0 to 5.95 s", plot.poinsot, tumbling(), time=6.5)
        self.says("'ellipsoid', 'sphere' or None", plot.polhode, top(), on="cube")

    def test_a_trimmed_picture_has_the_names_of_its_axes(self):
        ax = plot.polhode(tumbling())
        ax.figure.canvas.draw()
        renderer = ax.figure.canvas.get_renderer()
        kept = ax.get_tightbbox(renderer)
        for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
            name = axis.label.get_window_extent(renderer)
            self.assertTrue(kept.x0 <= name.x0 and name.x1 <= kept.x1 and kept.y0 <= name.y0 and name.y1 <= kept.y1)

    def test_no_figure_is_left_of_what_is_refused(self):
        pushed = tumbling(torque=(0.3, 0.2, -0.1))
        for picture in (plot.poinsot, plot.herpolhode, plot.animate):
            self.says("without torque", picture, pushed)
        self.says("give one", plot.errors, pushed, quantity="attitude")
        self.assertEqual(pyplot.get_fignums(), [])


class Attitude(Pictures):
    def test_traces_are_those_of_the_bodys_axes(self):
        body = tumbling()
        ax = plot.attitude(body)
        for i, letter in enumerate("xyz"):
            path = np.transpose(line(ax, f"body's ${letter}$").get_data_3d())
            np.testing.assert_allclose(path, [turned(q, np.eye(3)[i]) for q in body.attitude], atol=1e-12)
        self.assertEqual(len({text.get_text() for text in ax.get_legend().get_texts()}), 3)
        self.assertEqual({text.get_text() for text in ax.texts}, {"$X$", "$Y$", "$Z$"})


class Animations(Pictures):
    def test_a_gif_has_its_frames(self):
        for kind in ("poinsot", "attitude"):
            path = self.path(f"{kind}.gif")
            plot.animate(tumbling(), path, kind=kind, frames=4, fps=10)
            with Image.open(path) as image:
                self.assertEqual((image.n_frames, image.info["duration"]), (4, 100))
                frames = []
                for i in range(4):
                    image.seek(i)
                    frames.append(np.asarray(image.convert("RGB")))
            self.assertTrue(all(np.any(a != b) for a, b in zip(frames, frames[1:])))
        self.assertEqual(sorted(os.listdir(self.folder)), ["attitude.gif", "poinsot.gif"])

    def test_frames_are_equally_far_apart_in_time(self):
        t = np.cumsum(np.linspace(0.01, 0.1, 100))
        rows = moving.frame_rows(t, 10)
        self.assertEqual((rows[0], rows[-1]), (0, 99))
        self.assertLess(np.max(np.abs(np.diff(t[rows]) - np.ptp(t) / 9)), 0.1)

    def test_an_mp4_where_ffmpeg_is_there(self):
        if not moving.FFMpegWriter.isAvailable():
            self.skipTest("ffmpeg is not installed")
        plot.animate(top(20), self.path("a.mp4"), frames=3)
        with open(self.path("a.mp4"), "rb") as file:
            self.assertEqual(file.read(8)[4:], b"ftyp")
        self.assertEqual(os.listdir(self.folder), ["a.mp4"])

    def test_without_ffmpeg_its_package_is_named_and_nothing_written(self):
        with unittest.mock.patch.object(moving.FFMpegWriter, "isAvailable", return_value=False):
            self.says("apt install ffmpeg", plot.animate, top(), self.path("a.mp4"), error=RuntimeError)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_fails_leaves_the_old_file_and_nothing_else(self):
        path = self.write("a.gif", ["old"], "", "")
        with unittest.mock.patch.object(moving.PillowWriter, "finish", side_effect=OSError(28, "full")):
            with self.assertRaises(OSError):
                plot.animate(top(20), path, frames=2)
        self.assertEqual(os.listdir(self.folder), ["a.gif"])
        with open(path, encoding="utf-8") as file:
            self.assertIn("old", file.read())
        with self.assertRaises(OSError):
            plot.animate(top(20), self.path("no/folder.gif"), frames=2)

    def test_what_is_refused(self):
        self.says("in .gif or .mp4", plot.animate, top(), self.path("a.avi"))
        self.says("shown as 'poinsot' or 'attitude'", plot.animate, top(), kind="dance")
        self.says("no animation", plot.animate, top(), frames=0)
        self.says("without torque", plot.animate, tumbling(torque=(0.3, 0.2, -0.1)))


if __name__ == "__main__":
    unittest.main()
