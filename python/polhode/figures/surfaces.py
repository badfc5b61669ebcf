"""Level surfaces of a potential among rotation vectors: its values on a grid in, triangles out."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

TINTS = ("#30506e", "#6f90b0", "#b9cbdc")     # darker: lower
LIGHT = np.array((-0.4, 0.6, 0.7)) / np.linalg.norm((-0.4, 0.6, 0.7))       # right, up, towards the reader
# A cube cut into six tetrahedra around its diagonal; corners by their offsets.
CORNERS = np.array([(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1)])
TETRAHEDRA = np.array([(0, a, b, 7) for a, b in ((1, 3), (3, 2), (2, 6), (6, 4), (4, 5), (5, 1))])


def cube(values):
    """The values of a file as a cube from -pi to pi along each axis, indexed x, y, z."""
    points = round(len(values) ** (1.0 / 3.0))
    return values.reshape(points, points, points).transpose(2, 1, 0)


def triangles(potential, level):
    """(n, 3, 3): where the potential, taken as linear in each of six tetrahedra of a cell, has this level."""
    count = potential.shape[0] - 1
    cells = np.stack(np.meshgrid(*[np.arange(count)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    low, high = cell_range(potential, cells)
    cells = cells[(low < level) & (high >= level)]            # comparisons with NaN are false: no surface at the edge
    corners = cells[:, None, None, :] + CORNERS[TETRAHEDRA][None]
    values = potential[tuple(np.moveaxis(corners, -1, 0))].reshape(-1, 4)
    corners = corners.reshape(-1, 4, 3)
    below = values < level
    found = [cut(corners, values, level, below, pattern) for pattern in range(1, 15)]
    return 2.0 * np.pi / count * np.concatenate(found) - np.pi


def cell_range(potential, cells):
    values = np.stack([potential[tuple((cells + corner).T)] for corner in CORNERS])
    return np.min(values, axis=0), np.max(values, axis=0)


def cut(corners, values, level, below, pattern):
    """Triangles of the tetrahedra whose corners below the level are the bits of the pattern."""
    inside = [i for i in range(4) if pattern >> i & 1]
    outside = [i for i in range(4) if i not in inside]
    own = np.flatnonzero(below @ (1, 2, 4, 8) == pattern)

    def crossing(i, j):
        part = ((level - values[own, i]) / (values[own, j] - values[own, i]))[:, None]
        return (1.0 - part) * corners[own, i] + part * corners[own, j]

    if len(inside) == 2:
        (a, b), (c, d) = inside, outside
        quad = crossing(a, c), crossing(a, d), crossing(b, d), crossing(b, c)
        return np.concatenate([np.stack([quad[0], quad[1], quad[2]], 1), np.stack([quad[0], quad[2], quad[3]], 1)])
    alone, others = (inside[0], outside) if len(inside) == 1 else (outside[0], inside)
    return np.stack([crossing(alone, other) for other in others], 1)


def draw_surfaces(ax, faces, levels, view):
    """Semi-transparent: first the halves away from the reader, the outermost first, then above all curves those towards
    the reader. Each is shaded as an image of its own, so that no triangle shows through another."""
    sides = [(rank, away) for away in (True, False) for rank in np.argsort(levels)[::-1 if away else 1]]
    for number, (rank, away) in enumerate(sides):
        seen = view(faces[rank])
        depth = np.mean(seen[:, :, 2], axis=1)
        order = np.argsort(depth)
        order = order[(depth[order] <= 0.0) == away]
        if not len(order):
            continue
        tint = np.array(to_rgb(TINTS[min(int(np.sum(np.asarray(levels) < levels[rank])), len(TINTS) - 1)]))
        image, extent = shaded(seen[order], tint)
        image[..., 3] = (image[..., 3] * (0.5 if away else 0.16)).astype(np.uint8)
        limits = ax.get_xlim(), ax.get_ylim()
        ax.imshow(image, extent=extent, origin="upper", aspect="equal", zorder=(2.5 if away else 5.0) + 0.01 * number)
        ax.set(xlim=limits[0], ylim=limits[1])


def shaded(seen, tint, pixels=700):
    """Triangles in the order in which they hide each other, lit from above the reader's left; RGBA and its place."""
    (left, low), (right, high) = np.min(seen[:, :, :2], axis=(0, 1)), np.max(seen[:, :, :2], axis=(0, 1))
    size = max(right - left, high - low)
    normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    light = 0.55 + 0.45 * np.abs(normal @ LIGHT)
    figure = Figure(figsize=((right - left) / size, (high - low) / size), dpi=pixels)
    figure.patch.set_alpha(0.0)
    ax = figure.add_axes([0, 0, 1, 1])
    ax.set(xlim=(left, right), ylim=(low, high))
    ax.axis("off")
    colours = np.clip(light[:, None] * tint + (1.0 - light[:, None]) * 0.12, 0.0, 1.0)
    ax.add_collection(PolyCollection(seen[:, :, :2], facecolors=colours, edgecolors=colours, linewidths=0.05))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba()), (left, right, low, high)
