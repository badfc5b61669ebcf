"""Three columns of a run as a curve in space: seen from one side, in a box with one scale for all axes."""

import numpy as np

from .columns import plain, symbol
from .results import length
from .sphere import pieces, without_repeats
from .style import INK
from .surfaces import draw_surfaces, triangles

HEIGHT = 2.7                  # inches
COARSE = 0.12                 # distance of rows, in parts of the box
AZIMUTH, ELEVATION = np.radians((-55.0, 22.0))
FACE = dict(color="#e4e4e4", linewidth=0.6, zorder=1)
EDGE = dict(color=INK, linewidth=0.6, zorder=2)


def entries(panel, styles):
    return [(plain(curve.label) + (" (failed)" if not len(curve.x) else ""), mark(curve, style))
            for curve, style in zip(panel.curves, styles)] if len(panel.curves) > 1 else []


def mark(curve, style):
    return style if curve.reference else dict(color=style["color"], dashes=(None, None))


def view(points):
    """Orthographic: to the right, upwards, and towards the reader."""
    x, y, z = np.moveaxis(np.asarray(points, float), -1, 0)
    c, s = np.cos(AZIMUTH), np.sin(AZIMUTH)
    right, depth = -s * x + c * y, c * x + s * y
    return np.stack([right, np.cos(ELEVATION) * z - np.sin(ELEVATION) * depth,
                     np.cos(ELEVATION) * depth + np.sin(ELEVATION) * z], axis=-1)


def draw(ax, panel, styles):
    paths = [curve.y[:, :3] for curve in panel.curves]
    faces = [away_from(panel.marks, triangles(panel.potential, level), panel.potential) for level in panel.levels]
    all_points = np.concatenate([path for path in paths if len(path)] + [np.zeros((0, 3))]
                                + [face.reshape(-1, 3) for face in faces] + [point[None] for _, point in panel.marks])
    low, high = box(all_points if len(all_points) else np.zeros((1, 3)))
    middle, scale = 0.5 * (low + high), np.max(high - low)
    draw_box(ax, (low - middle) / scale, (high - middle) / scale, low, high, panel)
    draw_surfaces(ax, [(face - middle) / scale for face in faces], panel.levels, view)
    for label, point in panel.marks:
        place = view((point - middle) / scale)[:2]
        ax.plot(*place, "o", color=INK, markersize=3.6, zorder=7)
        ax.annotate(plain(label), place, (6.0, 5.0), textcoords="offset points", va="center", zorder=7)
    for curve, path, style in zip(panel.curves, paths, styles):
        if not len(path):
            continue
        draw_path(ax, (path - middle) / scale, style["color"], curve.reference)
        start = view((path[0] - middle) / scale)
        ax.plot(start[0], start[1], "o", color="white", markeredgecolor=INK, markersize=4.0, zorder=6)
    ax.set_aspect("equal")
    ax.axis("off")


def away_from(marks, faces, potential):
    """Without what lies within two cells of a mark: a surface around it that the grid does not resolve."""
    near = 2.0 * 2.0 * np.pi / (potential.shape[0] - 1)
    for _, point in marks:
        faces = faces[np.linalg.norm(np.mean(faces, axis=1) - point, axis=1) > near]
    return faces


def draw_path(ax, path, colour, reference):
    """A line, or dots where rows are so far apart that chords would fill the space between them."""
    if len(path) < 2 or np.median(length(np.diff(path, axis=0))) > COARSE:
        seen = view(path)
        ax.plot(seen[:, 0], seen[:, 1], ".", markersize=1.6, markeredgewidth=0.0, color=colour, zorder=4,
                rasterized=len(seen) > 2500)
        return
    points, keep = without_repeats(path)
    line = pieces(view(points), keep)
    ax.plot(line[:, 0], line[:, 1], linewidth=3.0 if reference else 0.55, zorder=3 if reference else 4, color=colour,
            rasterized=len(line) > 20000)


def box(points):
    """Round bounds; an axis along which nothing happens is as thin as a tenth of the longest."""
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    longest = max(np.max(high - low), 1e-300)
    unit = 10.0 ** np.floor(np.log10(longest)) / 2.0
    low, high = np.floor(low / unit + 1e-9) * unit, np.ceil(high / unit - 1e-9) * unit
    thin = np.maximum(0.1 * longest - (high - low), 0.0)
    return low - 0.5 * thin, high + 0.5 * thin


def draw_box(ax, a, b, low, high, panel):
    """The three faces behind the curve, with the bounds and the name of each axis along the front edges."""
    corner = np.array([b[0] if view((1, 0, 0))[2] < 0 else a[0], b[1] if view((0, 1, 0))[2] < 0 else a[1], a[2]])
    across = a + b - corner
    for axis in range(3):         # a face: all corners that share the hidden coordinate
        u, v = [i for i in range(3) if i != axis]
        face = np.tile(corner, (5, 1))
        face[[1, 2], u], face[[2, 3], v] = across[u], across[v]
        ax.plot(*view(face)[:, :2].T, **FACE)
    edges = ((0, np.array([corner[0], across[1], a[2]]), (-9.0, -8.0)),
             (1, np.array([across[0], corner[1], a[2]]), (9.0, -8.0)),
             (2, left_edge(a, b), (-5.0, 0.0)))
    for axis, start, shift in edges:
        ends = np.array([start, start])
        ends[:, axis] = a[axis], b[axis]
        seen = view(ends)[:, :2]
        ax.plot(*seen.T, **EDGE)
        side = dict(ha="right" if axis == 2 else "center", va="center", annotation_clip=False)
        for place, value in zip(seen, (low[axis], high[axis])):
            ax.annotate(f"{value:.4g}", place, shift, textcoords="offset points", fontsize=7.0, color="#555555", **side)
        name = symbol(panel.columns[axis]) if axis < len(panel.columns) else ""
        ax.annotate(name, seen.mean(axis=0), np.multiply(shift, 1.7), textcoords="offset points", **side)


def left_edge(a, b):
    """The upright edge at the far left of the view."""
    corners = [np.array([x, y, a[2]]) for x in (a[0], b[0]) for y in (a[1], b[1])]
    return min(corners, key=lambda corner: view(corner)[0])
