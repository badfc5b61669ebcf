"""A convergence study: errors against steps, and the orders they show."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from .panels import head, unit_text
from .style import GREY, METHOD_COLOURS, METHOD_DASHES, WIDTH, caption, shorten, use_style

TOP, PANEL, AXIS, LINE, BOTTOM = 0.62, 2.75, 0.62, 0.175, 0.12      # inches
MARKERS = "osD^vP*X<>"
FLOOR = "#ececec"
DECADES = 40           # the most that is shown


@np.errstate(all="ignore")
def converge_figure(study, title=None):
    use_style()
    height = TOP + PANEL + AXIS + (2 + len(study.attitude)) * LINE + BOTTOM
    figure = Figure(figsize=(WIDTH, height))
    styles = [dict(color=METHOD_COLOURS[i % len(METHOD_COLOURS)], dashes=METHOD_DASHES[i % len(METHOD_DASHES)],
                   marker=MARKERS[i % len(MARKERS)]) for i in range(len(study.attitude))]
    panels = figure.add_gridspec(1, 2, left=0.075, right=0.975, bottom=1.0 - (TOP + PANEL) / height,
                                 top=1.0 - TOP / height, wspace=0.22)
    for i, (curves, words, unit) in enumerate(((study.attitude, "attitude error", "rad"),
                                               (study.momentum, "momentum error", unit_text("kg m^2/s")))):
        ax = figure.add_subplot(panels[i])
        draw_errors(ax, curves, styles)
        head(ax, words, unit)
    draw_key(figure, study, styles)
    caption(figure, title or study.problem, f"after {study.duration:.6g} s, in {study.scalar}")
    return figure


def draw_errors(ax, curves, styles):
    limits = span(curves)
    low, high = 10.0 ** limits
    left, right = step_axis(ax, curves)
    draw_floor(ax, curves, low, left, right)
    for curve, style in zip(curves, styles):
        y = np.clip(curve.error, low, None)            # an error of zero has no place on a log axis
        line = dict(color=style["color"], dashes=style["dashes"])
        mark = dict(linestyle="none", marker=style["marker"], markersize=3.6, markeredgewidth=0.8, color=style["color"])
        ax.plot(curve.step, y, linewidth=0.9, zorder=3, **line)
        ax.plot(curve.step[curve.fitted], y[curve.fitted], zorder=5, **mark)
        ax.plot(curve.step[~curve.fitted], y[~curve.fitted], zorder=4, markerfacecolor="white", **mark)
        failed = curve.step[np.isnan(curve.error)]
        ax.plot(failed, np.full(len(failed), 0.98), "x", transform=ax.get_xaxis_transform(), color=style["color"],
                markersize=4.0)
    ax.set_yscale("log")
    ax.set_ylim(low, high)
    every = -(-int(limits[1] - limits[0]) // 6)
    powers = range(int(np.ceil(limits[0])), int(np.floor(limits[1])) + 1)
    ax.yaxis.set_major_locator(FixedLocator([10.0 ** k for k in powers if k % every == 0]))
    ax.yaxis.set_minor_locator(NullLocator())
    for order in sorted({curve.claimed for curve in curves if curve.claimed != "exact"}):
        draw_triangle(ax, curves, order, limits)


def span(curves):
    """Decades from below the smallest error to above the largest; the floor is in it where errors come near."""
    error = np.concatenate([curve.error for curve in curves])
    floor = np.concatenate([curve.floor for curve in curves])
    near = floor[(error < 100.0 * floor) & (floor > 0.0)]
    seen = np.concatenate((error[np.isfinite(error) & (error > 0.0)], near))
    decades = np.log10(seen) if len(seen) else np.zeros(1)
    low, high = np.min(decades) - 0.6, np.max(decades) + 0.4
    return np.array((max(min(low, high - 2.0), high - DECADES), high))


def step_axis(ax, curves):
    """Log axis with round numbers."""
    step = np.concatenate([curve.step for curve in curves])
    left, right = np.min(step) / 1.35, np.max(step) * 1.35
    digits = (1, 2, 5) if right / left < 300.0 else (1,)
    ticks = [d * 10.0 ** k for k in range(int(np.floor(np.log10(left))), int(np.ceil(np.log10(right))) + 1)
             for d in digits]
    ax.set_xscale("log")
    ax.set_xlim(left, right)
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    plain = left > 2e-5 and right < 1e4
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.6g}" if plain else power_text(x)))
    ax.set_xlabel("step $h$ [s]")
    return left, right


def power_text(x):
    digit, exponent = f"{x:.0e}".split("e")
    factor = "" if digit == "1" else digit + r"\times"
    return rf"$\mathdefault{{{factor}10^{{{int(exponent)}}}}}$"


def draw_floor(ax, curves, low, left, right):
    """What rounding may contribute, as a grey ground; it rises with the number of steps."""
    step = np.concatenate([curve.step for curve in curves])
    floor = np.concatenate([curve.floor for curve in curves])
    order = np.argsort(step)
    step, floor = step[order], floor[order]
    x = np.concatenate(([left], step, [right]))
    y = np.concatenate((floor[:1] * np.sqrt(step[0] / left), floor, floor[-1:] * np.sqrt(step[-1] / right)))
    ax.fill_between(x, low / 10.0, y, color=FLOOR, linewidth=0, zorder=0)
    for side, height, place in (("right", floor[-1], 0.985), ("left", floor[0], 0.015)):
        if height > 3.0 * low:
            ax.text(place, 0.012, "rounding", transform=ax.transAxes, ha=side, va="bottom", color=GREY, fontsize=6.5)
            break


def draw_triangle(ax, curves, order, limits):
    """A slope to compare with, beside a fit that shows it, where there is most room."""
    places = [place for curve in curves if curve.claimed == order and abs(curve.order - order) < 0.3
              for place in gaps(curve, curves, limits)]
    if not places or max(places)[0] < 0.4:
        return
    _, side, coarse, fine, height = max(places)
    high = height + 0.25 * side
    low = high - order * np.log10(coarse / fine)
    corner = (coarse, low) if side < 0 else (fine, high)
    x, y = np.transpose([(fine, low), (coarse, high), corner, (fine, low)])
    ax.plot(x, 10.0 ** y, color=GREY, linewidth=0.6, zorder=2)
    ax.annotate(f"{order}", (corner[0], 10.0 ** (0.5 * (low + high))), (-2.5 * side, 0.0), textcoords="offset points",
                ha="left" if side < 0 else "right", va="center", fontsize=6.5, color="#666666", zorder=2)


def gaps(curve, curves, limits):
    """For each fitted interval, below and above: the room beside a triangle up to the next curve or the frame, in
    decades; the side; the ends of the interval; the height at its coarse end."""
    for i in np.flatnonzero(curve.fitted[:-1] & curve.fitted[1:]):
        coarse, fine = curve.step[i], curve.step[i + 1]
        high, low = np.log10(curve.error[i:i + 2])
        lines = [np.log10(np.interp((coarse, fine), other.step[::-1], other.error[::-1]))
                 for other in curves if other is not curve] + [(edge, edge) for edge in limits]
        at_coarse, at_fine = np.transpose(np.array(lines) - (high, low))
        below = min(nearest(-at_coarse) - (high - low), nearest(-at_fine))
        above = min(nearest(at_fine) - (high - low), nearest(at_coarse))
        yield below, -1, coarse, fine, high
        yield above, 1, coarse, fine, high


def nearest(distances):
    """The least that is positive; none if the curve has left the frame."""
    return min(distances[distances > 0.0], default=-1.0)


def draw_key(figure, study, styles):
    """A line per method: its mark, its name and what was found."""
    height = figure.get_figheight()
    top = (BOTTOM + (len(study.attitude) + 1.5) * LINE) / height
    figure.text(0.075, (BOTTOM + 0.35 * LINE) / height, "filled: part of the fit; hollow: too coarse for it, or too "
                "near rounding" + ("; cross: the run failed" if failures(study) else ""), va="center",
                color="#555555", fontsize=7.0)
    columns = (0.075, 0.125, 0.50, 0.64, 0.80)
    titles = ("", "method", "claimed", "order of attitude", "order of momentum")
    for x, words in zip(columns, titles):
        figure.text(x, top, words, va="center", color="#555555", fontsize=7.5)
    for i, (attitude, momentum, style) in enumerate(zip(study.attitude, study.momentum, styles)):
        y = top - (i + 1) * LINE / height
        figure.add_artist(Line2D([columns[0], columns[0] + 0.035], [y, y], linewidth=0.9, markersize=3.6, markevery=[],
                                 **style))
        figure.add_artist(Line2D([columns[0] + 0.0175], [y], linestyle="none", markersize=3.6, marker=style["marker"],
                                 color=style["color"]))
        claimed = f"{attitude.claimed}" if attitude.claimed == momentum.claimed else (f"{attitude.claimed}/"
                                                                                      f"{momentum.claimed}")
        for x, words in zip(columns[1:], (shorten(attitude.method, 44), claimed, found(attitude), found(momentum))):
            figure.text(x, y, words, va="center", parse_math=False, fontsize=7.5)


def failures(study):
    return any(np.any(np.isnan(curve.error)) for curve in study.attitude)


def found(curve):
    return "none" if np.isnan(curve.order) else f"{curve.order:.2f} \u00b1 {curve.uncertainty:.2f}"
