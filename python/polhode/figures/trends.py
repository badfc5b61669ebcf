"""Errors against steps, and numbers against what a scan varies: marks joined by lines."""

import numpy as np

from .columns import axis_words, plain
from .panels import exponent, span
from .scales import log_axis, log_range, plain_numbers, set_y_label, value_range, with_power
from .style import GREY

HEIGHT = 2.35                 # inches
MARKED = 40                   # points of a curve that are marked; more are a line
SLOPE = dict(color=GREY, linewidth=0.8, dashes=(1.5, 1.5))
SIDES = np.array([-0.5, -1.0, 0.5, 1.0, -1.5, -2.0, 1.5])      # decades beside the middle, in order of preference


def entries(panel, styles):
    marks = [(plain(curve.label) + remark(panel, curve), dict(style, marker="") if len(curve.x) > MARKED else style)
             for curve, style in zip(panel.curves, styles)]
    return marks + ([(f"slope {panel.slope:g}", SLOPE)] if panel.slope is not None else [])


def remark(panel, curve):
    """Points that are not there: of runs that failed, and noughts, which have no place on a log axis."""
    total, zeros = curve.lost + len(curve.x), np.count_nonzero(curve.y == 0.0) if panel.log_y else 0
    said = [f"{count} of {total} {words}" for count, words in ((curve.lost, "failed"), (zeros, "exact")) if count]
    return f" ({', '.join(said)})" if said else ""


def draw(ax, panel, styles):
    curves = [(curve, style, *drawn(panel, curve)) for curve, style in zip(panel.curves, styles)]
    xs = np.concatenate([x for *_, x, _ in curves] or [np.zeros(0)])
    ys = [y for *_, y in curves]
    set_axis(ax, "x", panel.log_x, xs)
    power = 0
    if panel.log_y:
        set_axis(ax, "y", True, np.concatenate(ys or [np.zeros(0)]))
    else:
        low, high, _ = value_range(ys)
        power = exponent(np.array([low, high]))
        span(ax, low / 10.0 ** power, high / 10.0 ** power, 1.0)
        plain_numbers(ax.yaxis)
    for _, style, x, y in curves:
        line = dict(color=style["color"], linewidth=style.get("linewidth", 0.9))
        ax.plot(x, y / 10.0 ** power, zorder=3, dashes=style.get("dashes", (None, None)), **line)
        if "marker" in style and len(x) <= MARKED:
            ax.plot(x, y / 10.0 ** power, linestyle="none", marker=style["marker"], markersize=3.6, zorder=4,
                    color=style["color"])
    if panel.slope is not None and panel.log_x and panel.log_y and len(xs):
        draw_slope(ax, panel.slope, [(x, y) for *_, x, y in curves])
    default = "step $h$ [s]" if panel.kind == "convergence" else ""
    ax.set_xlabel(plain(panel.x_label) or default)
    set_y_label(ax, with_power(plain(panel.y_label) or (axis_words(panel.columns) if panel.columns else ""), power))


def drawn(panel, curve):
    """The points of a curve that have a place on these axes, in the order of x."""
    x, y = curve.x, curve.y[:, 0]
    y = np.abs(y) if panel.log_y else y
    kept = (x > 0.0 if panel.log_x else np.isfinite(x)) & (y > 0.0 if panel.log_y else np.isfinite(y))
    order = np.argsort(x[kept], kind="stable")
    return x[kept][order], y[kept][order]


def set_axis(ax, name, logarithmic, values):
    if logarithmic:
        low, high = log_range(values, 0.06)
        ax.set(**{f"{name}scale": "log", f"{name}lim": (10.0 ** low, 10.0 ** high)})
        log_axis(getattr(ax, f"{name}axis"), low, high)
    elif len(values) and np.ptp(values) > 0.0:
        pad = 0.04 * np.ptp(values)
        ax.set(**{f"{name}lim": (np.min(values) - pad, np.max(values) + pad)})
        plain_numbers(getattr(ax, f"{name}axis"))


def draw_slope(ax, slope, curves):
    """A line of this slope over the width of the panel, where it is clearest of the curves."""
    left, right = np.log10(ax.get_xlim())
    low, high = np.log10(ax.get_ylim())
    x, y = (np.log10(np.concatenate(part)) for part in zip(*curves))
    if not len(x):
        return
    offsets = np.median(y - slope * x) + SIDES * max(high - low, 1.0) / 8.0
    room = [np.min(np.abs(y - slope * x - offset)) for offset in offsets]
    offset = offsets[int(np.argmax(np.minimum(room, 0.25)))]
    ends = np.array([left, right])
    ax.plot(10.0 ** ends, 10.0 ** (slope * ends + offset), zorder=1, scalex=False, scaley=False, **SLOPE)
