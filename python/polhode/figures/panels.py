"""Panels that depend on time, shared by the figures. What is drawn stands above its panel, with the unit."""

import numpy as np
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from .style import AXIS_COLOURS, AXIS_DASHES, GREY, envelope, thin

ROUNDING = 1e-17       # smaller relative errors are drawn here: zero has no place on a log axis
DECADES = 24           # the most a log axis shows
BELOW = 0.2            # decades below the first tick


def head(ax, words, unit="", factor=0):
    """Name the quantity above the panel; a power of ten is part of the unit, '[10^-5 J]'."""
    parts = ([rf"$10^{{{factor}}}$"] if factor else []) + ([unit] if unit else [])
    ax.set_title(words + (f"  [{' '.join(parts)}]" if parts else ""), loc="left", pad=5.0)


def time_axis(axes, runs):
    """Share one time axis; only the lowest panel says what it is."""
    start, end = min(r.t.min() for r in runs), max(r.t.max() for r in runs)
    pad = 0.0 if end > start else 0.5 * max(abs(start), 1.0)
    for ax in axes:
        ax.set_xlim(start - pad, end + pad)
        ax.tick_params(labelbottom=ax is axes[-1])
    axes[-1].set_xlabel(f"time $t$ [{runs[0].units['t'] or 's'}]")


def draw(ax, t, y, **style):
    t, y = thin(t, y)
    ax.plot(t, y, **(dict(marker="o", markersize=3.0) if len(t) == 1 else {}), **style)


def exponent(y):
    """The power of ten to take out of y: none for everyday numbers."""
    largest = np.max(np.abs(y))
    power = int(np.floor(np.log10(largest))) if largest > 0.0 else 0
    return power if power < -2 or power > 3 else 0


def span(ax, low, high, least):
    """A linear range with a margin; data that do not vary get a range of their own, not a magnified nothing."""
    if not high - low > 1e-9 * max(abs(low), abs(high), least):
        low, high = low - 0.5 * (abs(low) or least), high + 0.5 * (abs(high) or least)
    margin = 0.06 * (high - low)
    ax.set_ylim(low - margin, high + margin)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=4, steps=(1, 2, 2.5, 5, 10)))


def velocity_panel(ax, run):
    power = exponent(run.w_B)
    for i, name in enumerate("xyz"):
        draw(ax, run.t, run.w_B[:, i] / 10.0 ** power, color=AXIS_COLOURS[i], dashes=AXIS_DASHES[i],
             label=rf"$\omega_{name}$")
    span(ax, np.min(run.w_B) / 10.0 ** power, np.max(run.w_B) / 10.0 ** power, 1.0)
    head(ax, "body angular velocity", run.units["wx_B"], power)
    ax.legend(ncol=3, loc="lower right", bbox_to_anchor=(1.0, 1.05), columnspacing=1.0, handlelength=1.6,
              handletextpad=0.5)


def energy_panel(ax, run):
    """The energy itself where the motion does not conserve it; an error is called one only where the file says that."""
    if run.energy_conserved is False:
        power = exponent(run.E)
        draw(ax, run.t, run.E / 10.0 ** power, color=AXIS_COLOURS[1])
        span(ax, np.min(run.E) / 10.0 ** power, np.max(run.E) / 10.0 ** power, 1.0)
        head(ax, run.energy_name, run.units["E"], power)
        return
    change, relative = run.energy_change
    power = exponent(change)
    ax.axhline(0.0, color=GREY, linewidth=0.5)
    draw(ax, run.t, change / 10.0 ** power, color=AXIS_COLOURS[1])
    span(ax, min(np.min(change), 0.0) / 10.0 ** power, max(np.max(change), 0.0) / 10.0 ** power, 1.0)
    head(ax, change_words([run]) + (r" $(E-E_0)/|E_0|$" if relative else " $E-E_0$"),
         "" if relative else run.units["E"], power)


def change_words(runs):
    return "energy error" if all(run.energy_conserved for run in runs) else "change of energy"


def momentum_panel(ax, run):
    change, relative = run.momentum_change
    power = exponent(change)
    draw(ax, run.t, change / 10.0 ** power, color=AXIS_COLOURS[2])
    span(ax, 0.0, np.max(change) / 10.0 ** power, 1.0)
    head(ax, "change of spatial momentum " + (r"$|L-L_0|/|L_0|$" if relative else "$|L-L_0|$"),
         "" if relative else unit_text(run.units["Lx_S"]), power)


def log_panel(ax, curves, styles):
    """Magnitudes on a log axis: the largest value of each short stretch of time, and faintly all that it covers."""
    tops, bottoms = [], []
    for (t, y), style in zip(curves, styles):
        if len(t) > 1 and y[0] == 0.0:
            t, y = t[1:], y[1:]            # no error at the start, by definition
        middle, low, high = envelope(t, np.maximum(np.abs(y), ROUNDING))
        if len(middle) < len(t):
            ax.fill_between(middle, low, high, color=style["color"], alpha=0.10, linewidth=0)
        draw(ax, middle, high, **style)
        tops.append(np.max(high))
        bottoms.append(np.quantile(high, 0.05))
    log_scale(ax, bottoms, tops)


def log_scale(ax, bottoms, tops):
    """Whole decades, from below the least to above the largest."""
    low = int(np.floor(np.log10(min(bottoms))))
    decades(ax, low, int(np.clip(np.ceil(np.log10(max(tops)) + 0.05), low + 2, low + DECADES)))


def decades(ax, low, high):
    """A log axis from one power of ten to another, a little below the first."""
    ax.set_yscale("log")
    every = -(-(high - low) // 5)
    ax.set_ylim(10.0 ** (low - BELOW), 10.0 ** high)
    ax.yaxis.set_major_locator(FixedLocator([10.0 ** k for k in range(low, high + 1) if k % every == 0]))
    ax.yaxis.set_minor_locator(NullLocator())


def unit_text(unit):
    """Units as they are printed: 'kg m^2/s' with a raised 2, a power of one half as a root."""
    return unit.replace("^2", "\u00b2").replace("^3", "\u00b3").replace("kg^0.5", "\u221akg")
