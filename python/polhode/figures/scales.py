"""Ranges and ticks of an experiment's panels."""

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, ScalarFormatter

from .loglog import power_text

BEYOND = 1e6                    # values so many times larger than the others have left the panel
DECADES, LEAST = 24, -36        # the most a log axis shows, and where it begins at the lowest
ROUNDING = 1e-9                 # curves below are rounding errors, no measure of what is large


def value_range(curves):
    """Smallest and largest value to show on a linear axis, and which curves go beyond them."""
    gone = blown_up(curves)
    kept = [y for y, lost in zip(curves, gone) if not lost and len(y)]
    if not kept:           # every curve blows up: show their usual size
        top = max((10.0 * np.median(np.abs(y[y != 0.0])) for y in curves if np.any(y != 0.0)), default=1.0)
        kept = [np.clip(y, -top, top) for y in curves if len(y)] or [np.zeros(1)]
    return min(np.min(y) for y in kept), max(np.max(y) for y in kept), gone


def blown_up(curves):
    """Which curves leave the panel: far above their own usual size, or above all others."""
    tops = [float(np.max(np.abs(y), initial=0.0)) for y in curves]
    gone = []
    for i, (y, top) in enumerate(zip(curves, tops)):
        own = float(np.median(np.abs(y[y != 0.0]))) if np.any(y != 0.0) else 0.0
        others = max(tops[:i] + tops[i + 1:], default=0.0)
        gone.append(top > BEYOND * max(own, ROUNDING) or ROUNDING < others < top / BEYOND)
    return gone


def log_range(values, margin=0.08):
    """Powers of ten that enclose positive values, at least one decade; not those far above the rest."""
    decades = np.sort(np.log10(values[values > 0.0])) if np.any(values > 0.0) else np.zeros(1)
    upper = decades[len(decades) // 2:]
    gaps = np.flatnonzero(np.diff(upper) > np.log10(BEYOND))
    low, high = max(float(decades[0]), LEAST), float(upper[gaps[0]] if len(gaps) else upper[-1])
    high = min(high, low + DECADES)
    if high - low < 1.0:
        low, high = 0.5 * (low + high) - 0.5, 0.5 * (low + high) + 0.5
    room = margin * (high - low)
    return low - room, high + room


def log_axis(axis, low, high, most=7):
    """Decades, with 2 and 5 or 3 between them where there are few; low and high are powers of ten."""
    plain = low > -4.6 and high < 5.1
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    every = max(-(-int(high - low) // most), 1)
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = [d * 10.0 ** k for k in powers if k % every == 0 for d in digits if low <= k + np.log10(d) <= high]
        decades = sum(low <= k <= high for k in powers)
        if len(ticks) <= most and (plain or decades < 2):
            break
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.6g}" if plain else power_text(x)))


def plain_numbers(axis):
    """Round ticks as ordinary text, which is set faster than formulas are."""
    formatter = ScalarFormatter(useOffset=False, useMathText=False)
    formatter.set_scientific(False)
    axis.set_major_formatter(formatter)


def with_power(label, power):
    """A power of ten becomes part of the unit: 'E [J]' and -3 give 'E [10^-3 J]'."""
    if not power:
        return label
    factor = rf"$10^{{{power}}}$"
    if label.endswith("]") and " [" in label:
        words, _, unit = label.rpartition(" [")
        return f"{words} [{factor} {unit}"
    return f"{label} [{factor}]"


def magnitude(label):
    """'E - E(0) [J]' becomes '|E - E(0)| [J]'."""
    words, bracket, unit = label.rpartition(" [") if label.endswith("]") else (label, "", "")
    return (words if words.startswith("|") else f"|{words}|") + bracket + unit


def set_y_label(ax, words):
    """As large as the height of its panel allows."""
    inches = ax.get_position().height * ax.figure.get_figheight()
    fitting = 72.0 * 1.1 * inches / (0.58 * max(len(words.replace("$", "")), 1))
    ax.set_ylabel(words, fontsize=min(max(fitting, 6.0), 8.0))
