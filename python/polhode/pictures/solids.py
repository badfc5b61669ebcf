"""Bodies in space and lines upon them: what they hide is faint, from whichever side they are looked at."""

from functools import partial

import numpy as np
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.art3d import Line3D, Poly3DCollection

from ..figures.poinsot import HALO
from ..figures.results import length
from ..figures.rolling import hidden_by, outline_of, rings
from ..figures.sphere import View, pieces, without_repeats
from ..figures.style import INK

FAINT = 0.35                    # of what is hidden
SKIN = dict(facecolor=(0.97, 0.975, 0.98, 0.72), edgecolor=INK, linewidth=0.7, zorder=3)


def view_of(ax):
    up, round_ = np.radians((ax.elev, ax.azim))
    return View((np.cos(up) * np.cos(round_), np.cos(up) * np.sin(round_), np.sin(up)))


class Skin(Poly3DCollection):
    """An ellipsoid about the origin by its outline."""

    def __init__(self, half_axes):
        self._half_axes = half_axes
        super().__init__([half_axes.T], **SKIN)

    def do_3d_projection(self):
        self.set_verts([outline_of(view_of(self.axes), self._half_axes)])
        return super().do_3d_projection()


class SolidLine(Line3D):
    """A path on an ellipsoid about the origin, or beside it: its half-axes are columns, and without any nothing
    hides."""

    def __init__(self, path, half_axes, on_surface, **style):
        scale = np.max(length(path)) or 1.0
        points, self._keep = without_repeats(path / scale)
        self._points, self._half_axes, self._on_surface = points * scale, half_axes, on_surface
        super().__init__(*self._points.T, **style)

    def draw(self, renderer):
        hidden = hidden_by(view_of(self.axes), self._half_axes, self._points, self._on_surface)
        alpha = self.get_alpha()
        faint = FAINT * (1.0 if alpha is None else alpha)
        for part, shown in ((self._keep & hidden, faint), (self._keep & ~hidden, alpha)):
            if np.any(part):
                self.set_data_3d(*pieces(self._points, part).T)
                self.set_alpha(shown)
                super().draw(renderer)
        self.set_data_3d(*self._points.T)
        self.set_alpha(alpha)


def draw_line(ax, path, half_axes, on_surface=True, **style):
    line = SolidLine(path, half_axes, on_surface, **style)
    ax.add_line(line)
    return line


def draw_solid(ax, half_axes, about=None):
    """An ellipsoid, and its sections with the principal planes. What was drawn is returned."""
    return [ax.add_collection3d(Skin(half_axes)),
            *(draw_line(ax, ring @ half_axes.T, half_axes, zorder=4, **tone) for ring, tone in rings(about))]


def draw_arrow(ax, tip, word, place=None, **style):
    """From the origin, with its word beyond the tip or at the place."""
    look = dict(color=INK, linewidth=0.9, arrow_length_ratio=0.1, zorder=9) | style
    place = 1.1 * np.asarray(tip) if place is None else place
    return [ax.quiver(0.0, 0.0, 0.0, *tip, **look), draw_word(ax, place, word, color=look["color"])]


def draw_word(ax, place, word, **style):
    return ax.text(*place, word, **dict(ha="center", va="center", zorder=11, path_effects=HALO) | style)


def frame(ax, reach, zoom=1.0):
    """A cube about the origin, with one scale for all directions; no smaller than what is there already."""
    reach = max(reach, *np.abs(ax.get_xlim())) if ax.has_data() else reach
    ax.computed_zorder = False              # by the order given here: matplotlib's own sorts by the middles of things
    ax.set_proj_type("ortho")
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach))
    ax.set_box_aspect((1.0, 1.0, 1.0), zoom=zoom)


def box_with_name(axis, renderer, **_):
    return type(axis).get_tightbbox(axis, renderer)


def plain_box(ax):
    """Three thin axes without walls.

    In space matplotlib (3.6) leaves the names of axes out of what is kept when a picture is trimmed, as notebooks do."""
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_pane_color((1.0, 1.0, 1.0, 0.0))
        axis.set_major_locator(MaxNLocator(nbins=5, steps=(1, 2, 2.5, 5, 10)))
        axis.get_tightbbox = partial(box_with_name, axis)
    ax.grid(False)
