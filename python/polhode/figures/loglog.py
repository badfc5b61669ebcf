"""Double logarithmic panels of errors, shared by the figures of studies."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from .style import METHOD_COLOURS, METHOD_DASHES, WIDTH, use_style

TOP, PANEL, AXIS, ROW, BOTTOM = 0.62, 2.75, 0.62, 0.175, 0.12      # inches
MARKERS = "osD^vP*X<>"
DECADES = 40           # the most that is shown
LINE = dict(linewidth=0.9)
MARK = dict(linestyle="none", markersize=3.6, markeredgewidth=0.8)


def study_figure(count):
    """Two panels side by side, with room below for a key of so many methods; and the panels."""
    use_style()
    height = TOP + PANEL + AXIS + (2 + count) * ROW + BOTTOM
    figure = Figure(figsize=(WIDTH, height))
    panels = figure.add_gridspec(1, 2, left=0.075, right=0.975, bottom=1.0 - (TOP + PANEL) / height,
                                 top=1.0 - TOP / height, wspace=0.22)
    return figure, [figure.add_subplot(panels[i]) for i in range(2)]


def draw_key(figure, styles, titles, rows, note):
    """A line per method below the panels: its mark, its name and what was found, in columns that begin at given x."""
    height = figure.get_figheight()
    top = (BOTTOM + (len(styles) + 1.5) * ROW) / height
    figure.text(0.075, (BOTTOM + 0.35 * ROW) / height, note, va="center", color="#555555", fontsize=7.0)
    for x, words in titles:
        figure.text(x, top, words, va="center", color="#555555", fontsize=7.5)
    for i, (style, row) in enumerate(zip(styles, rows)):
        y = top - (i + 1) * ROW / height
        figure.add_artist(Line2D([0.075, 0.11], [y, y], markevery=[], **line_of(style)))
        figure.add_artist(Line2D([0.0925], [y], **mark_of(style)))
        for (x, _), words in zip(titles, row):
            figure.text(x, y, words, va="center", parse_math=False, fontsize=7.5)


def method_styles(count):
    """A colour, a line style and a mark for each of so many methods; when colours come round, with another style."""
    colours, dashes = len(METHOD_COLOURS), len(METHOD_DASHES)
    return [dict(color=METHOD_COLOURS[i % colours], dashes=METHOD_DASHES[(i + i // colours) % dashes],
                 marker=MARKERS[i % len(MARKERS)]) for i in range(count)]


def line_of(style):
    return dict(LINE, color=style["color"], dashes=style["dashes"])


def mark_of(style):
    return dict(MARK, color=style["color"], marker=style["marker"])


def span(error, near=()):
    """Decades from below the smallest error to above the largest, and what else is to be seen."""
    seen = np.concatenate((error[np.isfinite(error) & (error > 0.0)], near))
    decades = np.log10(seen) if len(seen) else np.zeros(1)
    low, high = np.min(decades) - 0.6, np.max(decades) + 0.4
    return np.array((max(min(low, high - 2.0), high - DECADES), high))


def error_axis(ax, limits):
    ax.set_yscale("log")
    ax.set_ylim(10.0 ** limits)
    every = -(-int(limits[1] - limits[0]) // 6)
    powers = range(int(np.ceil(limits[0])), int(np.floor(limits[1])) + 1)
    ax.yaxis.set_major_locator(FixedLocator([10.0 ** k for k in powers if k % every == 0]))
    ax.yaxis.set_minor_locator(NullLocator())


def round_axis(ax, values, label):
    """Log axis with round numbers, as plain ones where those are short; returns its ends."""
    left, right = np.min(values) / 1.35, np.max(values) * 1.35
    powers = range(int(np.floor(np.log10(left))), int(np.ceil(np.log10(right))) + 1)
    digits = (1, 2, 5) if right / left < 300.0 else (1,)
    every = -(-len(powers) // 8)
    ax.set_xscale("log")
    ax.set_xlim(left, right)
    ax.xaxis.set_major_locator(FixedLocator([d * 10.0 ** k for k in powers if k % every == 0 for d in digits]))
    ax.xaxis.set_minor_locator(NullLocator())
    plain = left > 2e-5 and right < 1e4
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.6g}" if plain else power_text(x)))
    ax.set_xlabel(label)
    return left, right


def power_text(x):
    digit, exponent = f"{x:.0e}".split("e")
    factor = "" if digit == "1" else digit + r"\times"
    return rf"$\mathdefault{{{factor}10^{{{int(exponent)}}}}}$"
