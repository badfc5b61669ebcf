"""What polhode converge and polhode compare found, on one axes each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib.lines import Line2D

from ..figures.converge import draw_errors, found
from ..figures.loglog import LINE, MARK, method_styles, span
from ..figures.panels import unit_text
from ..figures.work_precision import counted_work, draw_bars, draw_work
from .canvas import canvas
from .sources import study_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..hints import StudySource

SIZE = (5.4, 3.4)               # inches


def work_precision(study: StudySource, ax: Axes | None = None,
                   against: Literal["time", "evaluations"] = "time") -> Axes:
    """The error of each method against what it costs: the lower and the further left, the better.

    against="time" is the time of the integration, with bars from quartile to quartile of its timings; "evaluations" are
    those of the torque, or the steps where there is no torque. Both axes are logarithmic.

    >>> ax = plot.work_precision(comparison)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('time of the integration [s]', 'attitude error [rad]')
    """
    if against not in ("time", "evaluations"):
        raise ValueError(f"against is {against!r}; errors are drawn against 'time' or 'evaluations'.")
    costs = study_from(study, "compare")
    styles = method_styles(len(costs.methods))
    limits = span(np.concatenate([method.error for method in costs.methods]))
    with canvas(ax, "a work-precision diagram", SIZE) as ax, np.errstate(all="ignore"):
        if against == "time":
            for method, style in zip(costs.methods, styles):
                draw_bars(ax, method, style, limits)
            ends = [method.quartiles.ravel() for method in costs.methods]
            draw_work(ax, costs, [method.cost for method in costs.methods], ends,
                      f"time of the integration [{costs.unit}]", styles, limits)
        else:
            calls, words = counted_work(costs)
            draw_work(ax, costs, calls, [], words, styles, limits)
        ax.set_ylabel("attitude error [rad]")
        key(ax, styles, [method.method for method in costs.methods])
    return ax


def convergence(study: StudySource, ax: Axes | None = None,
                quantity: Literal["attitude", "momentum"] = "attitude") -> Axes:
    """The error of each method against its step, with the order that was fitted; quantity is "attitude" or "momentum".

    Filled marks are part of the fit, hollow ones are too coarse for it or too near rounding, which is the grey ground.
    Both axes are logarithmic.

    >>> ax = plot.convergence(study)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('step $h$ [s]', 'attitude error [rad]')
    >>> ax = plot.convergence(study, quantity="momentum")
    """
    units = {"attitude": "rad", "momentum": unit_text("kg m^2/s")}
    if quantity not in units:
        raise ValueError(f"quantity is {quantity!r}; a study has the errors of the 'attitude' and of the 'momentum'.")
    curves = getattr(study_from(study, "converge"), quantity)
    styles = method_styles(len(curves))
    with canvas(ax, "a convergence diagram", SIZE) as ax, np.errstate(all="ignore"):
        draw_errors(ax, curves, styles)
        ax.set_ylabel(f"{quantity} error [{units[quantity]}]")
        key(ax, styles, [f"{curve.method}: {order_words(curve)}" for curve in curves])
    return ax


def order_words(curve):
    return "no order" if np.isnan(curve.order) else f"order {found(curve)}"


def key(ax, styles, labels):
    """Beside the axes: curves of errors leave no corner free."""
    handles = [Line2D([], [], **LINE | MARK | dict(style, linestyle="-")) for style in styles]
    texts = ax.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False).get_texts()
    for text in texts:
        text.set_parse_math(False)
