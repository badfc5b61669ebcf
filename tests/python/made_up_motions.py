"""Motions for tests of pictures: a body of revolution in closed form, others by Runge and Kutta's method; and what such
tests have in common."""

import os
import sys
from types import SimpleNamespace

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python")
sys.path.insert(0, PYTHON)

from plot_test import Figures
from poinsot_figure_test import top_rows, turn, turned

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.colors import to_rgba

TILTED = turn((1, -2, 0.5), 1.1)
TOP = dict(moments=(1.0, 1.0, 0.4), tilt=0.6, size=2.0)          # as in top_rows
PRECESSION = TOP["size"] / TOP["moments"][0]                      # about the momentum [Landau and Lifshitz, 33]
SPIN = TOP["size"] * np.cos(TOP["tilt"]) * (1.0 / 0.4 - 1.0)      # about its own axis, besides


def matrix(q):
    """Body to space, column by column."""
    return np.column_stack([turned(q, axis) for axis in np.eye(3)])


def tensor_in(axes, moments):
    return matrix(axes) @ np.diag(moments) @ matrix(axes).T


def solution_of(rows, tensor, **more):
    rows = np.asarray(rows)
    moments, axes = np.linalg.eigh(tensor)
    return SimpleNamespace(**dict(
        t=rows[:, 0], attitude=rows[:, 1:5], angular_velocity=rows[:, 5:8], momentum=rows[:, 8:11], energy=rows[:, 11],
        energy_conserved=True, method="closed-form", title="made-up",
        body=SimpleNamespace(moments=moments, axes=axes, tensor=tensor)) | more)


def top(count=200, axes=TILTED, **more):
    """A body of revolution, whose axes are not those it is told in."""
    return solution_of(top_rows(count, axes), tensor_in(axes, TOP["moments"]), **more)


def tumbling(count=120, moments=(1.0, 2.0, 2.5), velocity=(0.2, 0.4, 1.2), axes=TILTED, h=0.05, torque=(0, 0, 0)):
    """Any body, by Runge and Kutta's method in ten parts of a step; the torque is constant in body axes."""
    tensor = tensor_in(axes, moments)
    inverse = np.linalg.inv(tensor)

    def rate(y):
        q, w = y[:4], y[4:]
        turning = 0.5 * np.append(-q[1:] @ w, q[0] * w + np.cross(q[1:], w))
        return np.append(turning, inverse @ (np.cross(tensor @ w, w) + torque))

    y, rows = np.append((1.0, 0.0, 0.0, 0.0), matrix(axes) @ velocity), []
    for i in range(count):
        w = y[4:]
        rows.append(np.concatenate([[i * h], y, turned(y[:4], tensor @ w), [0.5 * w @ tensor @ w]]))
        for _ in range(10):
            s = h / 10
            a = rate(y)
            b = rate(y + 0.5 * s * a)
            c = rate(y + 0.5 * s * b)
            y = y + s / 6 * (a + 2 * b + 2 * c + rate(y + s * c))
            y[:4] /= np.linalg.norm(y[:4])
    return solution_of(rows, tensor)


def line(ax, label):
    return next(line for line in ax.lines if line.get_label() == label)


def drawn_in(ax, colour, points):
    """The line of that colour with so many points."""
    return next(line for line in ax.lines if to_rgba(line.get_color()) == to_rgba(colour)
                and len(np.transpose(line.get_data_3d())) == points)


class Pictures(Figures):
    def setUp(self):
        super().setUp()
        self.addCleanup(pyplot.close, "all")

    def says(self, words, function, *arguments, error=ValueError, **named):
        with self.assertRaises(error) as raised:
            function(*arguments, **named)
        said = str(raised.exception)
        self.assertIn(words, said)
        self.assertNotIn("\n", said)
        self.assertTrue(said.endswith("."), said)
