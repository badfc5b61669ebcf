"""The polhode on the momentum sphere, in an orthographic view.

A free body keeps |pi_B|, so its momentum in body axes moves on a sphere, along the curve where the sphere meets the
energy ellipsoid: the polhode. A method that does not keep the energy leaves its polhode and can be seen to.
"""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke

from .results import length
from .style import GREY, INK, PALE, REFERENCE

LIMIT = 1.24           # half the width of the view, in radii of the sphere
START = dict(linestyle="", marker="o", markersize=4.0, markerfacecolor=INK, markeredgecolor=INK, markeredgewidth=0.8)
END = dict(START, markerfacecolor="white")
HALO = [withStroke(linewidth=2.0, foreground="white")]
EXACT = dict(color=INK, linewidth=0.8, dashes=(3, 2))


class View:
    """Looks along -towards with z up; coordinates are (right, up, depth), depth > 0 in front."""

    def __init__(self, towards):
        depth = np.asarray(towards, float) / np.linalg.norm(towards)
        right = np.cross((0.0, 0.0, 1.0), depth)
        right = right / np.linalg.norm(right) if np.any(right) else np.array((0.0, 1.0, 0.0))
        self.axes = np.array([right, np.cross(depth, right), depth])

    def __call__(self, points):
        return np.asarray(points) @ self.axes.T


def facing(paths):
    """The oblique view, with z up, that shows most of the paths' length in front and their loops most open."""
    angles = [(azimuth, elevation) for elevation in (24, 38, 52, -24, -38, -52) for azimuth in range(25, 385, 10)]
    towards = [(np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)) for a, e in np.radians(angles)]
    views = [View(direction) for direction in towards if np.min(np.abs(direction)) > 0.2]
    from_above = [0.15 * len(paths) * (view.axes[2, 2] > 0.0) for view in views]
    return max(zip(from_above, views), key=lambda pair: pair[0] + sum(openness(pair[1], path) for path in paths))[1]


def openness(view, path):
    """Fraction of the length in front, the width of the path across its narrow side, and whether its start is seen."""
    some = np.arange(0, len(path) - 1, max(len(path) // 1000, 1))
    middle, weight = 0.5 * (path[some + 1] + path[some]), length(path[some + 1] - path[some])
    weight = np.where(length(middle) < LIMIT, weight, 0.0)
    if not np.sum(weight) > 0.0:
        return float(view(path[0])[2])
    drawn = weight > 0.0
    seen, weight = view(middle[drawn]), weight[drawn] / np.sum(weight)
    plane = seen[:, :2] - weight @ seen[:, :2]
    narrow = np.linalg.eigvalsh(plane.T @ (plane * weight[:, None]))[0]
    start = 0.3 * (view(path[0])[2] > 0.05)
    return start + float(weight @ (seen[:, 2] > 0.0)) + 2.0 * float(np.sqrt(max(narrow, 0.0)))


def polhode(moments, amplitude, about, side):
    """Closed form of the polhode on the unit sphere about the axis of the least (0) or largest (2) moment.

    With m_i = 1/I_i and i the axis gone about, eliminating p_i from |p| = 1 and sum m_j p_j^2 = 2E leaves an ellipse
    in the other two; amplitude in (0, 1] is its half-axis along the intermediate axis, 1 the separatrix.
    """
    order = np.argsort(moments)
    m = 1.0 / np.asarray(moments)[order]
    other = 2 - about
    s = np.linspace(0.0, 2.0 * np.pi, 241)
    p = np.zeros((len(s), 3))
    p[:, 1] = amplitude * np.cos(s)
    p[:, other] = amplitude * np.sqrt(max((m[about] - m[1]) / (m[about] - m[other]), 0.0)) * np.sin(s)
    p[:, about] = side * np.sqrt(np.maximum(1.0 - p[:, 1] ** 2 - p[:, other] ** 2, 0.0))
    return p[:, np.argsort(order)]


def polhode_through(moments, start):
    """The polhode of the direction `start`: a loop, or the one point where all moments are equal."""
    order = np.argsort(moments)
    m, p = 1.0 / np.asarray(moments)[order], np.asarray(start)[order] / np.linalg.norm(start)
    if all_equal(moments):
        return np.array([start, start]) / np.linalg.norm(start)
    level, tiny = np.dot(m, p * p), 1e-9 * m[0]
    about = 0 if m[1] - m[2] < tiny or (m[0] - m[1] > tiny and level > m[1]) else 2
    amplitude = np.sqrt(np.clip((m[about] - level) / (m[about] - m[1]), 0.0, 1.0))
    return polhode(moments, amplitude, about, 1.0 if p[about] >= 0.0 else -1.0)


def all_equal(moments):
    return np.max(moments) - np.min(moments) < 1e-9 * np.max(moments)


def pieces(points, keep):
    """The kept segments of a polyline, with a gap of NaN for the others."""
    segments = np.flatnonzero(keep)
    if len(segments) == 0:
        return np.full((1, points.shape[1]), np.nan)
    gap = np.full((1, points.shape[1]), np.nan)
    runs = np.split(segments, np.flatnonzero(np.diff(segments) != 1) + 1)
    return np.concatenate([part for run in runs for part in (points[run[0]:run[-1] + 2], gap)])


def without_repeats(points, most=4000, cells=260):
    """A path that goes round and round, drawn once: no segment between the same two cells of a fine grid again."""
    if len(points) <= most:
        return points, np.ones(max(len(points) - 1, 0), bool)
    cell = np.round(points * cells).astype(np.int64)
    moved = np.append(True, np.any(np.diff(cell, axis=0) != 0, axis=1))
    points, cell = points[moved], cell[moved]
    number = cell @ np.array([1, 4096, 4096 ** 2])
    ends = np.sort(np.stack([number[:-1], number[1:]], axis=1), axis=1)
    keep = np.zeros(len(ends), bool)
    keep[np.unique(ends, axis=0, return_index=True)[1]] = True
    return points, keep


def draw_line(ax, view, points, front, back, keep=None):
    """Draw a path twice: where the sphere hides it in the style `back`, elsewhere in the style `front`."""
    seen = view(points)
    middle = 0.5 * (seen[1:] + seen[:-1])
    hidden = (middle[:, 2] < 0.0) & (np.hypot(middle[:, 0], middle[:, 1]) < 1.0)
    inside = np.maximum(length(seen[1:]), length(seen[:-1])) < LIMIT
    keep = inside if keep is None else keep & inside
    for style, part in ((back, keep & hidden), (front, keep & ~hidden)):
        if np.any(part):
            line = pieces(seen, part)
            ax.plot(line[:, 0], line[:, 1], rasterized=len(line) > 40000, **style)


def draw_axes(ax, view, crowd):
    """The body axes, each by the end that is in front, its letter where the paths leave most room."""
    crowd = view(crowd[:: max(len(crowd) // 4000, 1)])
    crowd = crowd[crowd[:, 2] >= 0.0, :2]
    inch = 2.0 * LIMIT / (ax.get_position().width * ax.figure.get_figwidth())
    for axis, name in zip(np.eye(3), "xyz"):
        if view(axis)[2] < -0.05:
            axis, name = -axis, "-" + name
        root, tip, label = view(axis)[:2], view(1.12 * axis)[:2], view(1.21 * axis)[:2]
        if np.hypot(*label) < 1.05:         # an arrow towards the reader: its letter goes beside it
            wide, high = inch * (0.08 + 0.04 * len(name)), inch * 0.14
            beside = 0.5 * (root + tip) + [(wide, 0.0), (-wide, 0.0), (0.0, high), (0.0, -high)]
            room = [np.min(np.hypot(*(crowd - place).T), initial=0.2) for place in beside]
            label = beside[int(np.argmax(room))]
        ax.annotate("", tip, root, zorder=6, arrowprops=dict(
            arrowstyle="-|>,head_length=0.25,head_width=0.12", color=INK, linewidth=0.7, shrinkA=0, shrinkB=0))
        ax.text(*label, f"${name}$", ha="center", va="center", zorder=7, path_effects=HALO)


def draw_family(ax, view, moments):
    """The body's polhodes at a few energies, the separatrix darker."""
    if all_equal(moments):
        return
    for about in (0, 2):
        for side in (-1.0, 1.0):
            for angle in (18, 36, 54, 72, 90):
                tone = dict(color="#b0b0b0" if angle == 90 else PALE, linewidth=0.5, zorder=2)
                draw_line(ax, view, polhode(moments, np.sin(np.radians(angle)), about, side), tone,
                          dict(tone, alpha=0.45, zorder=1))


def draw_sphere(ax, view, path, moments, colour, crowd):
    """One run's path, in units of the sphere's radius, over the polhodes of the body where it is free.

    Letters keep clear of the crowd: the points of all paths that are drawn in this view."""
    ax.set(xlim=(-LIMIT, LIMIT), ylim=(-LIMIT, LIMIT), aspect="equal")
    ax.axis("off")
    path = np.clip(path, -9.0, 9.0)         # far outside the view all the same
    ax.add_patch(Circle((0, 0), 1.0, facecolor="#f7f7f7", edgecolor=GREY, linewidth=0.6, zorder=0))
    draw_axes(ax, view, crowd)
    spacing = np.median(length(np.diff(path, axis=0))) if len(path) > 1 else 0.0
    if spacing > 0.35:         # too coarse for a curve: chords would cut through the sphere
        seen = view(path)
        ax.plot(seen[:, 0], seen[:, 1], ".", color=colour, markersize=2.5, zorder=4)
    else:
        points, keep = without_repeats(path)
        draw_line(ax, view, points, dict(color=colour, linewidth=0.9, zorder=4),
                  dict(color=colour, linewidth=0.7, alpha=0.35, zorder=3), keep)
    if moments is not None:
        draw_family(ax, view, moments)
        draw_line(ax, view, polhode_through(moments, path[0]), dict(EXACT, zorder=5), dict(EXACT, color=GREY, zorder=3))
    for point, style in ((path[-1], END), (path[0], START)):
        if np.linalg.norm(point) < LIMIT:
            seen = view(point)
            ax.plot(*seen[:2], zorder=8, alpha=1.0 if seen[2] >= 0.0 else 0.45, **style)


def key(figure, where, exact, reference=False):
    """What the marks mean: in figure coordinates, centred."""
    handles = [Line2D([], [], label="start", **START), Line2D([], [], label="end", **END)]
    if exact:
        handles.insert(0, Line2D([], [], label="exact polhode", **EXACT))
    if reference:
        handles.append(Line2D([], [], label="reference", **REFERENCE))
    figure.legend(handles=handles, ncol=len(handles), loc="center", bbox_to_anchor=where, columnspacing=1.6,
                  handletextpad=0.5)
