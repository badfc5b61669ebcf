"""What a solution does against time, and how far it is off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Sequence, Tuple, Union, overload

import numpy as np

from ..figures.columns import axis_words, symbol
from ..figures.compare import energy_changes, energy_differences, names
from ..figures.panels import BELOW, ROUNDING, decades, draw, log_panel, log_scale, span, unit_text
from ..figures.results import attitude_error
from ..figures.style import AXIS_COLOURS, AXIS_DASHES, INK, METHOD_COLOURS, METHOD_DASHES, shorten
from .canvas import canvas, look, stacked
from .sources import run_of, runs_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..hints import MotionSource, Quantity

    Sources = Union[MotionSource, Sequence[MotionSource]]
    Band = Union[Tuple[float, float], Literal["auto"], None]
    ErrorOf = Literal["attitude", "energy"]

QUANTITIES = {                  # columns, and where a run has them
    "angular_velocity": (("wx_B", "wy_B", "wz_B"), lambda run: run.w_B),
    "attitude": (("qw", "qx", "qy", "qz"), lambda run: continuous(run.q)),
    "momentum": (("Lx_S", "Ly_S", "Lz_S"), lambda run: run.L_S),
    "momentum_body": (("px_B", "py_B", "pz_B"), lambda run: run.pi_B),
    "direction": (("dx", "dy", "dz"), lambda run: run.direction),
    "energy": (("E",), lambda run: run.E[:, None])}
FEW = 3                         # solutions that are no ensemble yet
BAND = (0.1, 0.9)
LETTERS, KEY = 80, 9            # as many as are as wide as a picture, and as a line beside a name
STEADY = 1e-9                   # parts of a quantity by which it may vary and be drawn as one that does not


def trajectory(solution: MotionSource, quantity: Quantity = "angular_velocity", ax: Axes | None = None,
               **style: Any) -> Axes:
    """A quantity of a solution against time.

    `quantity` is "angular_velocity" (in body axes), "attitude" (the quaternion, by the sign that makes it continuous),
    "momentum" (in spatial axes), "momentum_body", "direction" (of the body's third axis in space) or "energy".
    `style` goes to every line; a `label` stands before the symbols of the components.

    >>> ax = plot.trajectory(solution, "momentum")
    >>> ax.get_ylabel()
    'momentum in space [kg m²/s]'
    >>> ax = plot.trajectory(solution, "momentum", ax=ax, alpha=0.3, label="again:")
    """
    if quantity not in QUANTITIES:
        raise ValueError(f"quantity is {quantity!r}; a trajectory is of {', '.join(map(repr, QUANTITIES))}.")
    run = run_of(solution)
    columns, values = QUANTITIES[quantity]
    colours = (INK, *AXIS_COLOURS)[-len(columns):] if len(columns) > 1 else AXIS_COLOURS[1:2]
    dashes = ((1.2, 1.2), *AXIS_DASHES)[-len(columns):] if len(columns) > 1 else ((None, None),)
    before = style.pop("label", "")
    with canvas(ax, "a trajectory") as ax:
        for column, y, colour, dash in zip(columns, values(run).T, colours, dashes):
            words = f"{before} {symbol(column)}".strip() if len(columns) > 1 or not before else before
            draw(ax, run.t, y, **look(style, color=colour, dashes=dash, label=words))
        low, high = ax.dataLim.intervaly
        if not high - low > STEADY * max(abs(low), abs(high)):
            span(ax, low, high, 1.0)
        time_label(ax, run)
        ax.set_ylabel(axis_words(columns) if len(columns) > 1 else f"{run.energy_name} [{run.units['E']}]")
        if len(columns) > 1 or before:
            legend(ax)
    return ax


def continuous(q):
    """q and -q are one attitude: each row by the sign that is next to the row before."""
    turns = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)
    return q * np.append(1.0, np.cumprod(turns))[:, None]


@overload
def errors(solutions: Sources, reference: None = None, ax: Axes | None = None, band: Band = "auto",
           quantity: ErrorOf | None = None, labels: Sequence[str] | None = None) -> Axes: ...


@overload
def errors(solutions: Sources, reference: MotionSource, ax: Sequence[Axes] | None = None, band: Band = "auto",
           quantity: None = None, labels: Sequence[str] | None = None) -> List[Axes]: ...


@overload
def errors(solutions: Sources, reference: MotionSource, ax: Axes | None = None, band: Band = "auto", *,
           quantity: ErrorOf, labels: Sequence[str] | None = None) -> Axes: ...


def errors(solutions: Sources, reference: MotionSource | None = None, ax: Axes | Sequence[Axes] | None = None,
           band: Band = "auto", quantity: ErrorOf | None = None,
           labels: Sequence[str] | None = None) -> Axes | List[Axes]:
    """How far one or more solutions are off, against time, on a logarithmic axis.

    `quantity` is "attitude", the angle to the attitude of `reference` [rad] at the times that both have, or "energy",
    |E - E0|/|E0| where the motion conserves energy, and otherwise the difference to the energy of the reference, over
    the size of that at its start. Without `quantity` both are drawn, one above the other, and a list of two axes is
    returned; without a reference the energy alone, on one.

    Several solutions are drawn with a label each, or, with `band` a pair of quantiles such as (0.1, 0.9), as an
    ensemble: the median over the solutions at each time, a band between these two quantiles, and faintly the solutions
    themselves, which must have equal times then. Three or more solutions of each of several methods are an ensemble
    for each. "auto" is the band (0.1, 0.9) where there are three or more solutions of every method at equal times;
    None never. The pale ground of a single curve with many rows is no such band: the curve is
    the largest error in each of 350 stretches of time, the ground is all that it covers there.

    >>> ax = plot.errors(solution)
    >>> ax.get_ylabel()
    'energy error $|E-E_0|/|E_0|$'
    >>> attitude, energy = plot.errors([solution, solution], reference=solution, labels=["one", "other"])
    >>> attitude.get_ylabel()
    'attitude error [rad]'
    """
    runs = runs_of(solutions)
    target = None if reference is None else run_of(reference)
    wanted = quantities(runs, target, quantity)
    if labels is not None and len(labels) != len(runs):
        raise ValueError(f"there are {len(labels)} labels for {len(runs)} solutions; give one for each.")
    with stacked(ax, "errors", len(wanted)) as axes, np.errstate(all="ignore"):
        for panel, what in zip(axes, wanted):
            curves, words, unit = measured(runs, target, what)
            before = panel.get_ylim() if panel.has_data() else None
            quantiles = chosen_band(band, runs, curves)
            if quantiles:
                draw_ensembles(panel, runs, curves, quantiles)
            else:
                draw_each(panel, curves, labels or names(runs))
            if before:
                decades(panel, *shown_with(before, panel.get_ylim()))
            panel.set_ylabel(words + (f" [{unit}]" if unit else ""))
        if len(axes[0].get_legend_handles_labels()[1]) > 1 or labels:
            legend(axes[0])
        time_label(axes[-1], runs[0])
    return axes if len(axes) > 1 else axes[0]


def quantities(runs, target, quantity):
    if quantity not in (None, "attitude", "energy"):
        raise ValueError(f"quantity is {quantity!r}; errors are those of the 'attitude' or of the 'energy'.")
    if quantity == "attitude" and target is None:
        raise ValueError("an error of the attitude is the angle to a reference; give one, such as "
                         "reference=a solution with a much smaller step.")
    if target is None and any(run.energy_conserved is False for run in runs):
        raise ValueError("the energy of this motion is not conserved, so that its change is no error; give a "
                         "reference.")
    return [quantity] if quantity else ["energy"] if target is None else ["attitude", "energy"]


def measured(runs, target, quantity):
    """Curves of times and values, what they are, and their unit."""
    if quantity == "attitude":
        return [attitude_error(run, target) for run in runs], "attitude error", "rad"
    if any(run.energy_conserved is False for run in runs):
        curves, words, unit = energy_differences(runs, target)
        return curves, "energy error " + words, unit
    return energy_changes(runs)


def chosen_band(band, runs, curves):
    """The quantiles of an ensemble, or None for a line each."""
    equal = all(len(t) == len(curves[0][0]) and np.allclose(t, curves[0][0], rtol=1e-9) for t, _ in curves)
    if isinstance(band, str) and band == "auto":
        return BAND if equal and all(len(members) >= FEW for members in by_method(runs).values()) else None
    if band is None:
        return None
    if len(np.shape(band)) != 1 or len(band) != 2 or not 0.0 <= band[0] < band[1] <= 1.0:
        raise ValueError(f"band is {band!r}; give two quantiles between 0 and 1, such as (0.1, 0.9), 'auto' or None.")
    if not equal:
        raise ValueError("these solutions have different times, and a band needs equal ones; integrate to the same "
                         "times, or give band=None.")
    return tuple(band)


def shown_with(*limits):
    """The powers of ten from which and to which both can be seen."""
    low, high = np.log10([min(low for low, _ in limits), max(high for _, high in limits)])
    return int(np.round(low + BELOW)), int(np.round(high))


def draw_each(ax, curves, labels):
    first = len([line for line in ax.lines if not line.get_label().startswith("_")])
    styles = [dict(color=METHOD_COLOURS[i % len(METHOD_COLOURS)], dashes=METHOD_DASHES[i % len(METHOD_DASHES)],
                   label=shorten(label, 40)) for i, label in enumerate(labels, first)]
    log_panel(ax, curves, styles)


def by_method(runs):
    """Which of them are by each."""
    methods = {}
    for i, run in enumerate(runs):
        methods.setdefault(run.about.get("method"), []).append(i)
    return methods


def draw_ensembles(ax, runs, curves, quantiles):
    """One for each method, or of all where one of these has too few."""
    methods = by_method(runs)
    if len(methods) == 1 or min(map(len, methods.values())) < FEW:
        methods = {"": range(len(runs))}
    t, values = curves[0][0], np.maximum(np.abs([y for _, y in curves]), ROUNDING)
    if len(t) > 1 and np.all(values[:, 0] == ROUNDING):
        t, values = t[1:], values[:, 1:]            # no error at the start, by definition
    share = f"from {100 * quantiles[0]:g} % to {100 * quantiles[1]:g} % of them"
    for k, (method, members) in enumerate(methods.items()):
        look = {"color": METHOD_COLOURS[k % len(METHOD_COLOURS)], "dashes": METHOD_DASHES[k % len(METHOD_DASHES)]}
        if len(methods) == 1:
            look = {"color": METHOD_COLOURS[1]}
        before = f"{shorten(method, 40)}: " if method else ""
        draw_ensemble(ax, t, values[list(members)], quantiles, look, f"{before}median of {len(members)} solutions", share)
        share = None
    log_scale(ax, [np.quantile(y, 0.05) for y in values], [np.max(values)])


def draw_ensemble(ax, t, values, quantiles, look, words, share):
    low, middle, high = np.quantile(values, (quantiles[0], 0.5, quantiles[1]), axis=0)
    for y in values:
        draw(ax, t, y, color=look["color"], linewidth=0.4, alpha=min(0.35, 10 / len(values)))   # many would hide the band
    ax.fill_between(t, low, high, color=look["color"], alpha=0.2, linewidth=0, label=share)
    draw(ax, t, middle, linewidth=1.6, label=words, **look)


def time_label(ax, run):
    ax.set_xlabel(f"time $t$ [{unit_text(run.units['t']) or 's'}]")


def legend(ax):
    """Above the axes, where it hides no curve."""
    handles, labels = ax.get_legend_handles_labels()
    columns = min(len(labels), 4, max(1, LETTERS // (max(map(len, labels)) + KEY)))
    ax.legend(handles, labels, loc="lower right", bbox_to_anchor=(1.0, 1.02), ncol=columns, frameon=False,
              columnspacing=1.2)
