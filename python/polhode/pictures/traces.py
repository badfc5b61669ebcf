"""How a body stands, shown by its axes on the unit sphere in space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures.rolling import rotation_matrices
from ..figures.sphere import END, START
from ..figures.style import AXIS_COLOURS, INK
from . import solids
from .canvas import SPACE, canvas, look
from .sources import run_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..hints import MotionSource


def attitude(solution: MotionSource, ax: Axes | None = None, **style: Any) -> Axes:
    """The three axes of the body as they go over the unit sphere, in spatial axes.

    Orange is the body's x, blue its y, green its z; a dot marks the start of each, a ring the end.

    >>> ax = plot.attitude(solution)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ["body's $x$", "body's $y$", "body's $z$"]
    """
    run = run_of(solution)
    with canvas(ax, "an attitude", SPACE) as ax:
        globe(ax)
        for path, colour, name in axes_of(run):
            draw_trace(ax, path, **look(style, color=colour, label=f"body's ${name}$"))
            for point, mark in ((path[-1], END), (path[0], dict(START, markerfacecolor=colour))):
                ax.plot(*point[:, None], zorder=10, **dict(mark, markeredgecolor=colour))
        key(ax)
    return ax


def axes_of(run):
    """The way of each axis in space, its colour, its name."""
    turned = rotation_matrices(run.q)
    return [(turned[:, :, i], AXIS_COLOURS[i], "xyz"[i]) for i in range(3)]


def globe(ax):
    """The unit sphere, and names of the spatial axes where they leave it."""
    solids.frame(ax, 1.1, zoom=1.35)
    ax.set_axis_off()
    ax.view_init(24.0, 35.0)
    solids.draw_solid(ax, np.eye(3))
    for axis, name in zip(np.eye(3), "XYZ"):
        solids.draw_line(ax, np.array([axis, 1.25 * axis]), np.eye(3), False, color=INK, linewidth=0.8, zorder=9)
        solids.draw_word(ax, 1.38 * axis, f"${name}$")


def draw_trace(ax, path, **style):
    return solids.draw_line(ax, path, np.eye(3), **dict(linewidth=1.2, zorder=8) | style)


def key(ax):
    ax.legend(ncol=3, loc="lower center", bbox_to_anchor=(0.5, -0.04), frameon=False)
