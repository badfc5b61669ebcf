"""Columns of runs against time."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from .columns import axis_words, plain, symbol
from .panels import exponent, span
from .scales import log_axis, log_range, magnitude, plain_numbers, set_y_label, value_range, with_power
from .style import AXIS_COLOURS, AXIS_DASHES, INK, METHOD_COLOURS, METHOD_DASHES, REFERENCE, thin

HEIGHT = 1.55                 # inches
POINTS_PER_INCH = 320         # two for each width of a line
TURNS = 150                   # of a curve that dashes still follow


def entries(panel, styles):
    """The legend: curves by colour; where a panel has several columns too, those by dashes."""
    own = [curve for curve in panel.curves if not curve.reference]
    marks = [(plain(curve.label) + remark(panel, curve), curve_style(panel, curve, styles, 0))
             for curve in panel.curves]
    if len(panel.columns) < 2 or not own:
        return marks
    if len(own) == 1:
        columns = [(symbol(column), curve_style(panel, own[0], styles, i)) for i, column in enumerate(panel.columns)]
        return columns + [(label, style if curve.reference else dict(color="none"))
                          for (label, style), curve in zip(marks, panel.curves)
                          if curve.reference or remark(panel, curve)]
    curves = [(label, style if style is REFERENCE else dict(style, dashes=(None, None))) for label, style in marks]
    return curves + [(symbol(column), dict(column_style(i), color=INK)) for i, column in enumerate(panel.columns)]


def remark(panel, curve):
    """What a reader does not see from the curve: that it ends early, or leaves the panel."""
    if not len(curve.x):
        return " (failed)"
    said = [f"fails after t = {curve.x[-1]:.4g}"] if curve.failure or curve.lost else []
    gone = limits(panel)[2][panel.curves.index(curve)]
    return f" ({', '.join(said + ['leaves the panel'] * gone)})" if said or gone else ""


def limits(panel):
    """Smallest and largest value shown, as powers of ten on a log axis; and which curves go beyond them."""
    values = [curve.y.ravel() for curve in panel.curves]
    if not panel.log_y:
        return value_range(values)
    pooled = np.abs(np.concatenate(values or [np.zeros(1)]))
    pooled = pooled[pooled > 0.0]
    if len(pooled):           # a curve passing through zero needs no depth
        pooled = pooled[pooled >= np.quantile(pooled, 0.01)]
    low, high = log_range(pooled)
    return low, high, [np.max(np.abs(y), initial=0.0) > 10.0 ** high for y in values]


def column_style(i):
    return dict(dashes=METHOD_DASHES[i % len(METHOD_DASHES)])


def curve_style(panel, curve, styles, column):
    if curve.reference:
        return REFERENCE
    several = len([other for other in panel.curves if not other.reference]) > 1
    if len(panel.columns) > 1 and not several:
        colours = AXIS_COLOURS if len(panel.columns) <= 3 else METHOD_COLOURS
        dashes = AXIS_DASHES if len(panel.columns) <= 3 else METHOD_DASHES
        return dict(color=colours[column % len(colours)], dashes=dashes[column % len(dashes)])
    style = styles[panel.curves.index(curve)]
    if len(panel.columns) > 1:
        return dict(column_style(column), color=style["color"])
    if busy(curve.y[:, column]):
        return dict(color=style["color"], dashes=(None, None), linewidth=0.8)
    return dict(color=style["color"], dashes=style["dashes"])


def draw(ax, panel, styles):
    low, high, _ = limits(panel)
    power = 0 if panel.log_y else exponent(np.array([low, high]))
    label = plain(panel.y_label) or axis_words(panel.columns)
    inches = ax.get_position().width * ax.figure.get_figwidth()
    lines = [(curve, curve.y[:, i], curve_style(panel, curve, styles, i)) for curve in panel.curves
             for i in range(min(curve.y.shape[1], len(panel.columns)))]
    lines.sort(key=lambda line: (not line[0].reference, -np.ptp(line[1]) if len(line[1]) else 0.0))
    for rank, (curve, y, style) in enumerate(lines):        # the widest swing first: it hides no other
        if panel.log_y:
            shown = y != 0.0
            x, y = curve.x[shown], np.abs(y[shown])
        else:
            x, y = curve.x, y / 10.0 ** power
        x, y = thin(x, y, int(inches * POINTS_PER_INCH))
        if len(x) == 1:
            style = dict(style, marker="o", markersize=3.0)
        ax.plot(x, y, zorder=2.0 + 0.01 * rank, **style)
    if panel.log_y:
        negative = any(np.any(curve.y < 0.0) for curve in panel.curves)
        label = magnitude(label) if negative else label
        ax.set_yscale("log")
        ax.set_ylim(10.0 ** low, 10.0 ** high)
        log_axis(ax.yaxis, low, high)
    else:
        span(ax, low / 10.0 ** power, high / 10.0 ** power, 1.0)
        plain_numbers(ax.yaxis)
    time_axis(ax, panel)
    set_y_label(ax, with_power(label, power))


def busy(y):
    """More turns than dashes can show."""
    return np.count_nonzero(np.diff(np.sign(np.diff(y)))) > TURNS


def time_axis(ax, panel):
    x = np.concatenate([curve.x for curve in panel.curves if len(curve.x)] or [np.zeros(1)])
    if panel.log_x and np.any(x > 0.0):
        low, high = log_range(x, 0.0)
        ax.set_xscale("log")
        ax.set_xlim(10.0 ** low, 10.0 ** high)
        log_axis(ax.xaxis, low, high)
    else:
        pad = 0.0 if np.ptp(x) > 0.0 else 0.5 * max(abs(x[0]), 1.0)
        ax.set_xlim(np.min(x) - pad, np.max(x) + pad)
        plain_numbers(ax.xaxis)
        inches = ax.get_position().width * ax.figure.get_figwidth()
        ax.xaxis.set_major_locator(MaxNLocator(nbins=int(np.clip(2.2 * inches, 3, 9)), steps=(1, 2, 2.5, 5, 10)))
    ax.set_xlabel(plain(panel.x_label) or "time $t$ [s]")
