"""Poinsot's construction, seen from the side: the inertia ellipsoid rests on the invariable plane, the momentum points
down. The ellipsoid stands as at the first row; polhode and herpolhode are those of the whole run.

With rho = w / sqrt(2 T) in body axes, I rho = L_B / (rho . L_B): the rows themselves say which ellipsoid it is."""

from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke

from .results import length
from .sphere import View, pieces, without_repeats
from .style import AXIS_COLOURS, GREY, INK

HEIGHT = 3.1                            # inches
ELEVATION, ASIDE = np.radians((20.0, 42.0))
POLHODE, HERPOLHODE = AXIS_COLOURS[0], AXIS_COLOURS[1]
CONTACT = dict(linestyle="", marker="o", markersize=4.0, color=INK)
HALO = [withStroke(linewidth=2.0, foreground="white")]
ROUND = np.linspace(0.0, 2.0 * np.pi, 181)


@dataclass
class Construction:
    """In axes whose third points up, against the momentum, and whose origin is the centre of the body."""

    polhode: np.ndarray         # (n, 3) with the body as at the first row
    herpolhode: np.ndarray      # (n, 3)
    axes: np.ndarray            # half-axes of the ellipsoid as columns; None where the motion does not show all three
    distance: float             # of the plane from the centre


def construction(polhode_B, herpolhode_S, q, L_S):
    """From the rows of a run without torque, or None where a body at rest has no contact point."""
    if not len(polhode_B) or not np.all(np.isfinite(polhode_B)) or not np.all(np.isfinite(herpolhode_S)):
        return None
    attitude = rotation_matrix(q[0])
    up = -L_S[0] / np.linalg.norm(L_S[0])
    frame = frame_with(up, herpolhode_S[0])
    normal = np.einsum("nji,nj->ni", rotation_matrices(q), L_S)
    normal /= np.sum(polhode_B * normal, axis=1)[:, None]
    tensor = fitted_tensor(polhode_B, normal)
    distance = float(polhode_B[0] @ attitude.T @ -up)
    half_axes = None
    if tensor is not None:
        moments, directions = np.linalg.eigh(tensor)
        half_axes = frame @ attitude @ directions / np.sqrt(moments)
    return Construction(polhode_B @ (frame @ attitude).T, herpolhode_S @ frame.T - [0.0, 0.0, distance], half_axes,
                        distance)


def frame_with(up, towards):
    """Rows are the axes of the picture: the first along `towards` as far as it is level, the third up."""
    level = towards - up * (up @ towards)
    if np.linalg.norm(level) < 1e-9 * (np.linalg.norm(towards) or 1.0) or not np.any(level):
        level = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    level = level / np.linalg.norm(level)
    return np.array([level, np.cross(up, level), up])


def fitted_tensor(rho, normal, most=600):
    """The symmetric I with I rho = normal in the least squares; None where the rows leave it open."""
    some = np.arange(0, len(rho), max(len(rho) // most, 1))
    x, y, z = rho[some].T
    o = np.zeros(len(some))
    rows = np.concatenate([np.stack(row, axis=1) for row in (
        (x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))])            # of xx, yy, zz, xy, xz, yz
    solved, _, _, singular = np.linalg.lstsq(rows, normal[some].T.ravel(), rcond=None)
    if singular[-1] < 1e-6 * singular[0]:
        return None
    a, b, c, d, e, f = solved
    tensor = np.array([[a, d, e], [d, b, f], [e, f, c]])
    return tensor if np.min(np.linalg.eigvalsh(tensor)) > 0.0 else None


def rotation_matrix(q):
    return rotation_matrices(np.asarray(q)[None])[0]


def rotation_matrices(q):
    """Body to space, of unit quaternions with the scalar first."""
    w, x, y, z = np.asarray(q).T
    return np.moveaxis(np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                 [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), 2, 0)


def of_panel(panel):
    """The one curve of a panel of an experiment, whose columns are polhode, herpolhode, attitude and momentum."""
    table = panel.curves[0].y
    return construction(table[:, 0:3], table[:, 3:6], table[:, 6:10], table[:, 10:13])


def entries(panel, _):
    return [(handle.get_label(), dict(color=handle.get_color(), linestyle=handle.get_linestyle(),
                                      marker=handle.get_marker())) for handle in handles()]


def handles():
    return [Line2D([], [], label="polhode", color=POLHODE), Line2D([], [], label="herpolhode", color=HERPOLHODE),
            Line2D([], [], label="contact at the start", **CONTACT)]


def draw(ax, panel, _):
    made = of_panel(panel)
    if made:
        draw_construction(ax, made)
    ax.axis("off")


def draw_construction(ax, made):
    """One scale for all directions."""
    view = View((np.cos(ELEVATION) * np.cos(ASIDE), np.cos(ELEVATION) * np.sin(ASIDE), np.sin(ELEVATION)))
    reach = 1.22 * max(np.max(length(made.polhode)), 0.0 if made.axes is None else 0.8 * np.max(length(made.axes.T)))
    draw_plane(ax, view, reach, made)
    if made.axes is not None:
        along = np.abs(np.mean(np.linalg.solve(made.axes, made.polhode.T), axis=1))
        draw_ellipsoid(ax, view, made.axes, int(np.argmax(along)))
    draw_arrows(ax, view, made, reach)
    draw_path(ax, view, made.polhode, POLHODE, made.axes, True)
    ax.plot(*view(made.polhode[0])[:2], zorder=9, **CONTACT)
    ax.set_aspect("equal")
    ax.axis("off")


def draw_plane(ax, view, reach, made):
    corners = reach * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float) - [0, 0, made.distance]
    seen = view(corners)[:, :2]
    ax.add_patch(Polygon(seen, facecolor="#eef2f6", edgecolor="#b8c2cc", linewidth=0.6, zorder=0))
    draw_path(ax, view, made.herpolhode, HERPOLHODE, made.axes, False)
    near = seen[np.argmin(seen[:, 1])]
    right = seen[np.argmax(seen[:, 0])]
    turn = np.degrees(np.arctan2(*(right - near)[::-1]))
    ax.annotate("invariable plane", 0.5 * (near + right), (2.0, -7.0), textcoords="offset points", ha="center",
                va="center", rotation=turn, fontsize=7.0, color="#555555", annotation_clip=False)


def draw_ellipsoid(ax, view, axes, about):
    """Its outline, filled so that what is behind shows faintly, its sections with the principal planes, and parallels
    about one principal axis."""
    to_ball = np.linalg.inv(axes)
    sight = to_ball @ view.axes[2]                  # the outline: where the line of sight is tangent
    u = np.cross(sight, np.eye(3)[int(np.argmin(np.abs(sight)))])
    v = np.cross(sight, u)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    outline = view((np.outer(np.cos(ROUND), u) + np.outer(np.sin(ROUND), v)) @ axes.T)[:, :2]
    ax.add_patch(Polygon(outline, facecolor="#ffffff", alpha=0.6, edgecolor="none", zorder=3))
    ax.plot(*outline.T, color=INK, linewidth=0.7, zorder=4)
    for axis in range(3):
        others = [i for i in range(3) if i != axis]
        for part in (-0.75, -0.4, 0.0, 0.4, 0.75):
            ring = np.zeros((len(ROUND), 3))
            ring[:, axis] = part
            ring[:, others] = np.sqrt(1.0 - part * part) * np.column_stack([np.cos(ROUND), np.sin(ROUND)])
            if part and axis != about:
                continue
            tone = dict(color="#9a9a9a" if part == 0.0 else "#d0d0d0", linewidth=0.5)
            draw_segments(ax, view(ring @ axes.T), (ring @ sight)[1:] > 0.0, dict(tone, zorder=4),
                          dict(tone, alpha=0.35, zorder=3.5))
    top = outline[np.argmax(outline[:, 1])]
    ax.annotate("inertia ellipsoid", top, (0.0, 7.0), textcoords="offset points", ha="center", va="center",
                fontsize=7.0, color="#555555", annotation_clip=False)


def draw_arrows(ax, view, made, reach):
    """Momentum, angular velocity, and the perpendicular to the plane."""
    centre, foot, contact = (view(point)[:2] for point in (np.zeros(3), (0.0, 0.0, -made.distance), made.polhode[0]))
    ax.plot(*np.array([centre, foot]).T, color=GREY, linewidth=0.7, dashes=(3, 2), zorder=6)
    tip = view((0.0, 0.0, -made.distance - 0.45 * reach))[:2]
    arrow = dict(arrowstyle="-|>,head_length=0.3,head_width=0.14", color=INK, linewidth=0.8, shrinkA=0, shrinkB=0)
    ax.annotate("", tip, foot, zorder=6, arrowprops=arrow, annotation_clip=False)
    beyond = centre + 1.35 * (contact - centre)
    ax.plot(*np.array([centre, contact]).T, color=INK, linewidth=0.7, zorder=7)
    ax.annotate("", beyond, contact, zorder=7, arrowprops=arrow, annotation_clip=False)
    ax.plot(*centre, "o", color=INK, markersize=2.2, zorder=7)
    words = dict(textcoords="offset points", va="center", zorder=9, path_effects=HALO, annotation_clip=False)
    ax.annotate("$L$", tip, (5.0, 3.0), ha="left", **words)
    ax.annotate(r"$\omega$", beyond, (5.0, -2.0), ha="left", **words)
    ax.plot(*tip, alpha=0.0)                        # the view has room for both
    ax.plot(*beyond, alpha=0.0)


def hidden_by(view, axes, points, on_surface):
    """For each segment, whether the ellipsoid is in front of it."""
    if axes is None:
        return np.zeros(max(len(points) - 1, 0), bool)
    to_ball = np.linalg.inv(axes)
    p, sight = points @ to_ball.T, to_ball @ view.axes[2]
    ahead = p @ sight
    if on_surface:
        return ahead[1:] < 0.0
    outside = np.sum(p * p, axis=1) - 1.0
    return ((ahead < 0.0) & (ahead * ahead > (sight @ sight) * outside))[1:]


def draw_path(ax, view, path, colour, axes, on_surface):
    """Drawn once where it goes round and round; what is hidden is faint."""
    scale = np.max(length(path)) or 1.0
    points, keep = without_repeats(path / scale)
    front = ~hidden_by(view, axes, points * scale, on_surface)
    draw_segments(ax, view(points * scale), keep & front, dict(color=colour, linewidth=1.0, zorder=8),
                  dict(color=colour, linewidth=0.8, alpha=0.5, zorder=5), keep)


def draw_segments(ax, seen, front, style, behind, keep=None):
    """A path twice: its segments in front, and the others."""
    keep = np.ones(len(front), bool) if keep is None else keep
    for part, look in ((keep & ~front, behind), (keep & front, style)):
        if np.any(part):
            line = pieces(seen, part)
            ax.plot(line[:, 0], line[:, 1], **look)
