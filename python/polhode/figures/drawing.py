"""Lines and points in a plane, with one scale for both directions and without axes: a sketch of a geometry."""

import numpy as np

from .columns import plain
from .style import INK

HEIGHT = 2.3                  # inches
POINT = dict(linestyle="", marker="o", markersize=3.2, color=INK, zorder=6)


def is_point(curve):
    return len(curve.x) == 1


def entries(panel, styles):
    """Lines; a point has its name beside it."""
    return [(plain(curve.label), line_style(style)) for curve, style in zip(panel.curves, styles)
            if not is_point(curve)]


def line_style(style):
    return dict(color=style["color"], dashes=(None, None))


def draw(ax, panel, styles):
    lines = [curve for curve in panel.curves if not is_point(curve)]
    middle = np.mean(np.concatenate([curve.x for curve in lines] or [np.zeros(1)]))
    for curve, style in zip(panel.curves, styles):
        if not is_point(curve):
            ax.plot(curve.x, curve.y[:, 0], zorder=3, **line_style(style))
            continue
        x, y, side = curve.x[0], curve.y[0, 0], -1.0 if curve.x[0] < middle else 1.0
        ax.plot(x, y, **POINT)
        ax.annotate(plain(curve.label), (x, y), (6.0 * side, 5.0), textcoords="offset points", va="center",
                    ha="right" if side < 0.0 else "left", annotation_clip=False)
    ax.set_aspect("equal", anchor="S")
    ax.margins(0.06)
    ax.axis("off")
