"""The polhode on its ellipsoid, the herpolhode in its plane, and the one rolling on the other as Poinsot saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from ..figures import rolling
from ..figures.panels import unit_text
from ..figures.poinsot import ASIDE, CONTACT, ELEVATION, HERPOLHODE, PLANE, POLHODE, handles
from ..figures.results import length
from ..figures.sphere import END, START, all_equal, polhode as polhode_of, polhode_through
from ..figures.style import GREY, INK, PALE
from . import solids
from .canvas import SPACE, SQUARE, canvas, look
from .sources import run_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..hints import MotionSource

SURFACES = ("ellipsoid", "sphere", None)


def polhode(solution: MotionSource, ax: Axes | None = None,
            on: Literal["ellipsoid", "sphere", None] = "ellipsoid", **style: Any) -> Axes:
    """The way of the angular velocity in body axes, in space.

    With on="ellipsoid" it is the angular velocity, on the ellipsoid of the angular velocities that have the energy of
    the start; with on="sphere" the momentum in body axes, on the sphere of its length at the start. A dot marks the
    start, a ring the end; pale lines are other polhodes of the body, the grey ones the separatrix, and the thin black
    one is where the exact motion goes. A method that loses energy leaves the ellipsoid, one that loses momentum the
    sphere. With on=None, for a body under torque, and where the rows of a file do not show all moments of the body,
    there is the curve alone. `style` is for the curve: color, linewidth, label.

    >>> ax = plot.polhode(solution)
    >>> ax.get_zlabel()
    '$\\\\omega_z$ [rad/s]'
    >>> ax = plot.polhode(solution, on="sphere", color="black")
    """
    if on not in SURFACES:
        raise ValueError(f"on is {on!r}; a polhode is drawn on 'ellipsoid', 'sphere' or None.")
    run = run_of(solution)
    with canvas(ax, "a polhode", SPACE) as ax:
        path, column, words = (run.pi_B, "Lx_S", "P") if on == "sphere" else (run.w_B, "wx_B", r"\omega")
        tensor = tensor_of(run) if on and run.free else None
        half_axes, family = surface(run, tensor, on) if tensor is not None else (None, ())
        reach = max(np.max(length(path)), 0.0 if half_axes is None else np.max(length(half_axes.T)))
        solids.frame(ax, 1.02 * reach, zoom=0.95)
        solids.plain_box(ax)
        if half_axes is not None:
            solids.draw_solid(ax, half_axes)
        for curve, tone in family:
            solids.draw_line(ax, curve, half_axes, zorder=5, linewidth=0.5, color=tone)
        solids.draw_line(ax, path, half_axes, **look(style, color=POLHODE, linewidth=1.3, zorder=8))
        for point, mark in ((path[-1], END), (path[0], START)):
            ax.plot(*point[:, None], zorder=10, **mark)
        for axis, name in zip("xyz", (ax.set_xlabel, ax.set_ylabel, ax.set_zlabel)):
            name(f"${words}_{axis}$ [{unit_text(run.units[column])}]")
        ax.view_init(24.0, 35.0)
    return ax


def herpolhode(solution: MotionSource, ax: Axes | None = None, **style: Any) -> Axes:
    """The way of the angular velocity in the invariable plane, which is perpendicular to the momentum.

    The plane is seen from the body, as in plot.poinsot; the cross is the foot of the momentum, a dot the start, a ring
    the end. For a body without torque only: under a torque no plane is invariable.

    >>> ax = plot.herpolhode(solution, color="black")
    >>> ax.get_aspect()
    1.0
    """
    run = free_run(solution, "a herpolhode")
    with canvas(ax, "a herpolhode", SQUARE) as ax:
        made = rolling.construction(*rolling.contact_curves(run), run.q, run.L_S)
        size = np.sqrt(np.sum(run.w_B * run.pi_B, axis=1))
        x, y = (made.herpolhode[:, :2] * size[:, None]).T
        ax.plot(x, y, **look(style, color=HERPOLHODE, linewidth=1.1))
        ax.plot(0.0, 0.0, "+", color=GREY)
        ax.plot(x[-1], y[-1], **END)
        ax.plot(x[0], y[0], **START)
        ax.set_aspect("equal", adjustable="datalim")
        unit = unit_text(run.units["wx_B"])
        ax.set(xlabel=rf"$\omega$ along its first direction in the plane [{unit}]",
               ylabel=rf"$\omega$ across it [{unit}]")
    return ax


def poinsot(solution: MotionSource, time: float | None = None, ax: Axes | None = None) -> Axes:
    """Poinsot's construction, in space: the inertia ellipsoid of a body without torque rests on the invariable plane
    and rolls on it, at the speed of the angular velocity, which points to where they touch.

    The body stands as at `time` [s], or at the row next to it; without one as at the start. The polhode is on the
    ellipsoid, the herpolhode in the plane, the momentum L points down. Lengths are in 1/(m sqrt(kg)):
    an axis of the ellipsoid is one over the root of its moment.

    >>> ax = plot.poinsot(solution, time=0.5)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['polhode', 'herpolhode', 'contact']
    """
    run = run_of(solution)
    made = places(run)(row_at(run, time))
    with canvas(ax, "Poinsot's construction", SPACE) as ax:
        stage(ax, made)
        draw_body(ax, made)
        draw_herpolhode(ax, made, made.herpolhode)
        key(ax)
    return ax


def key(ax):
    lines = handles()
    lines[-1].set_label("contact")
    ax.legend(handles=lines, ncol=3, loc="lower center", bbox_to_anchor=(0.5, -0.04), frameon=False)


def stage(ax, made):
    """What does not move: the plane and the perpendicular to it."""
    solids.frame(ax, 0.85 * made.reach, zoom=1.02)
    ax.view_init(np.degrees(ELEVATION), np.degrees(ASIDE))
    ax.set_axis_off()
    ax.add_collection3d(Poly3DCollection([made.corners], zorder=1, **PLANE))
    foot = np.array([0.0, 0.0, -made.distance])
    ax.plot(*np.transpose([np.zeros(3), foot]), color=GREY, linewidth=0.8, dashes=(3, 2), zorder=2)
    solids.draw_arrow(ax, foot - [0.0, 0.0, 0.35 * made.reach], "$L$", zorder=2)
    edge = np.mean(made.corners[1:3], axis=0)
    ax.text(*edge * (1.07, 1.0, 1.0), "invariable plane", "y", color="#555555", fontsize=7.0, ha="center", va="center")


def draw_body(ax, made):
    """The ellipsoid with its polhode, and the angular velocity. What was drawn is returned."""
    tip, right = 1.25 * made.contact, np.array([-np.sin(ASIDE), np.cos(ASIDE), 0.0])
    beside = tip + np.copysign(0.09 * made.reach, tip @ right) * right          # and not on that of the momentum
    return solids.draw_solid(ax, made.axes, made.about) + [
        solids.draw_line(ax, made.polhode, made.axes, color=POLHODE, linewidth=1.2, zorder=8),
        *solids.draw_arrow(ax, tip, r"$\omega$", beside),
        *ax.plot(*made.contact[:, None], zorder=10, **CONTACT)]


def draw_herpolhode(ax, made, path, **style):
    return solids.draw_line(ax, path, made.axes, False, **dict(color=HERPOLHODE, linewidth=1.2, zorder=2.5) | style)


def free_run(solution, picture):
    run = run_of(solution)
    if not np.all(np.isfinite(rolling.contact_curves(run))):
        raise ValueError(f"{run.path} has a row at rest, and {picture} is of a body that turns.")
    if not run.free:
        raise ValueError(f"the momentum of {run.path} changes by {np.max(run.momentum_change[0]):.2g} of its size, and "
                         f"{picture} is of a body without torque; plot.polhode and plot.attitude show any motion.")
    return run


def places(run):
    """The construction with the body as at a row, as a function of the row; ValueError where there is none."""
    free_run(run, "Poinsot's construction")
    tensor = tensor_of(run)
    if tensor is None:
        raise ValueError(f"the rows of {run.path} do not show the moments of inertia, of which the ellipsoid is made "
                         "(a steady turn, or wheels within the body); give a solution of a body without wheels.")
    curves = rolling.contact_curves(run)
    return lambda row: rolling.construction(*curves, run.q, run.L_S, row, tensor)


def tensor_of(run):
    """Told, or found from the rows; None where they do not show it, or where the momentum is not that of the body."""
    curve, _ = rolling.contact_curves(run)
    if not np.all(np.isfinite(curve)):
        return None
    tensor = rolling.tensor_of_rows(curve, run.q, run.L_S) if run.tensor is None else run.tensor
    if tensor is None or np.max(np.abs(run.pi_B - run.w_B @ tensor)) > 1e-3 * np.max(np.abs(run.pi_B)):
        return None
    return tensor


def surface(run, tensor, on):
    """Half-axes of what the polhode lies on, and some polhodes of the body there, with their colours."""
    energy, size = float(run.w_B[0] @ run.pi_B[0]), length(run.pi_B[:1])[0]
    moments, directions = np.linalg.eigh(tensor)

    def placed(momenta):
        """Momenta of length one in principal axes, in the picture's place."""
        if on == "sphere":
            return size * momenta @ directions.T
        velocity = momenta / moments
        return velocity * np.sqrt(energy / np.sum(velocity * momenta, axis=1))[:, None] @ directions.T

    half_axes = size * np.eye(3) if on == "sphere" else np.sqrt(energy) * rolling.ellipsoid_axes(tensor)
    family = [] if all_equal(moments) else [
        (placed(polhode_of(moments, np.sin(np.radians(angle)), about, side)), GREY if angle == 90 else PALE)
        for about in (0, 2) for side in (-1.0, 1.0) for angle in (18, 36, 54, 72, 90)]
    exact = placed(polhode_through(moments, run.pi_B[0] @ directions))
    return half_axes, family + [(exact, INK)]


def row_at(run, time):
    """The row next to a time."""
    if time is None:
        return 0
    low, high = np.min(run.t), np.max(run.t)
    if not low <= time <= high:
        raise ValueError(f"time is {time:g} s, and {run.path} is from {low:.6g} to {high:.6g} s.")
    return int(np.argmin(np.abs(run.t - time)))
