"""Poinsot's construction, seen from the side: the inertia ellipsoid rests on the invariable plane, the momentum points
down. The ellipsoid stands as at one row; polhode and herpolhode are those of the whole run."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke

from .results import length
from .rolling import construction, hidden_by, outline_of, rings
from .sphere import View, pieces, without_repeats
from .style import AXIS_COLOURS, GREY, INK

HEIGHT = 3.1                            # inches
ELEVATION, ASIDE = np.radians((20.0, 42.0))
POLHODE, HERPOLHODE = AXIS_COLOURS[0], AXIS_COLOURS[1]
CONTACT = dict(linestyle="", marker="o", markersize=4.0, color=INK)
PLANE = dict(facecolor="#eef2f6", edgecolor="#b8c2cc", linewidth=0.6)
HALO = [withStroke(linewidth=2.0, foreground="white")]


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
    draw_plane(ax, view, made)
    if made.axes is not None:
        draw_ellipsoid(ax, view, made.axes, made.about)
    draw_arrows(ax, view, made)
    draw_path(ax, view, made.polhode, POLHODE, made.axes, True)
    ax.plot(*view(made.contact)[:2], zorder=9, **CONTACT)
    ax.set_aspect("equal")
    ax.axis("off")


def draw_plane(ax, view, made):
    seen = view(made.corners)[:, :2]
    ax.add_patch(Polygon(seen, zorder=0, **PLANE))
    draw_path(ax, view, made.herpolhode, HERPOLHODE, made.axes, False)
    near = seen[np.argmin(seen[:, 1])]
    right = seen[np.argmax(seen[:, 0])]
    turn = np.degrees(np.arctan2(*(right - near)[::-1]))
    ax.annotate("invariable plane", 0.5 * (near + right), (2.0, -7.0), textcoords="offset points", ha="center",
                va="center", rotation=turn, fontsize=7.0, color="#555555", annotation_clip=False)


def draw_ellipsoid(ax, view, axes, about):
    """Its outline, filled so that what is behind shows faintly, its sections with the principal planes, and parallels
    about one principal axis."""
    sight = np.linalg.inv(axes) @ view.axes[2]
    outline = view(outline_of(view, axes))[:, :2]
    ax.add_patch(Polygon(outline, facecolor="#ffffff", alpha=0.6, edgecolor="none", zorder=3))
    ax.plot(*outline.T, color=INK, linewidth=0.7, zorder=4)
    for ring, tone in rings(about):
        draw_segments(ax, view(ring @ axes.T), (ring @ sight)[1:] > 0.0, dict(tone, zorder=4),
                      dict(tone, alpha=0.35, zorder=3.5))
    top = outline[np.argmax(outline[:, 1])]
    ax.annotate("inertia ellipsoid", top, (0.0, 7.0), textcoords="offset points", ha="center", va="center",
                fontsize=7.0, color="#555555", annotation_clip=False)


def draw_arrows(ax, view, made):
    """Momentum, angular velocity, and the perpendicular to the plane."""
    centre, foot, contact = (view(point)[:2] for point in (np.zeros(3), (0.0, 0.0, -made.distance), made.contact))
    ax.plot(*np.array([centre, foot]).T, color=GREY, linewidth=0.7, dashes=(3, 2), zorder=6)
    tip = view((0.0, 0.0, -made.distance - 0.45 * made.reach))[:2]
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
