"""Several runs of one problem: their polhodes side by side, their errors against time."""

import os

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .panels import change_words, draw, exponent, head, log_panel, span, time_axis
from .results import attitude_error, energy_difference, length
from .sphere import draw_sphere, facing, key
from .style import METHOD_COLOURS, METHOD_DASHES, REFERENCE, WIDTH, caption, short_number, shorten, use_style

PER_ROW = 4
TOP, LABEL, SPHERE, KEY, PANEL, GAP, BOTTOM = 0.42, 0.32, 1.74, 0.62, 1.05, 0.36, 0.45      # inches


@np.errstate(all="ignore")
def compare_figure(runs, labels=None, reference=None, title=None):
    use_style()
    labels = labels or names(runs)
    styles = [dict(color=METHOD_COLOURS[i % len(METHOD_COLOURS)], dashes=METHOD_DASHES[i % len(METHOD_DASHES)])
              for i in range(len(runs))]
    panels = 3 if reference else 2
    rows = -(-len(runs) // PER_ROW)
    stacked = panels * PANEL + (panels - 1) * GAP
    height = TOP + rows * (LABEL + SPHERE) + KEY + stacked + BOTTOM
    figure = Figure(figsize=(WIDTH, height))

    exact = draw_spheres(figure, runs, labels, styles, reference)
    key(figure, (0.5, (BOTTOM + stacked + KEY - 0.12) / height), exact, reference is not None)
    stack = figure.add_gridspec(panels, 1, left=0.075, right=0.972, bottom=BOTTOM / height,
                                top=(BOTTOM + stacked) / height, hspace=GAP / PANEL)
    axes = [figure.add_subplot(stack[i]) for i in range(panels)]
    draw_velocity(axes[0], runs, styles, reference)
    if reference:
        draw_energy_difference(axes[1], runs, styles, reference)
    elif any(run.energy_conserved is False for run in runs):
        draw_energy(axes[1], runs, styles)
    else:
        draw_energy_change(axes[1], runs, styles)
    if reference:
        log_panel(axes[2], [attitude_error(run, reference) for run in runs], styles)
        head(axes[2], "attitude error: angle to the reference", "rad")
    time_axis(axes, runs)

    step = common(runs, "step")
    caption(figure, title or common(runs, "problem") or "Several runs of one problem",
            f"step {short_number(step)} {runs[0].units['t'] or 's'}" if step else "")
    return figure


def draw_spheres(figure, runs, labels, styles, reference):
    """Small multiples, one view and one scale for all; their titles are the legend of the panels below.

    Whether the body is free, and its moments, are taken from the run that keeps the momentum best."""
    best = reference or min(runs, key=lambda run: np.max(run.momentum_change[0]))
    paths = [run.pi_B for run in runs]
    scale = (length(best.pi_B)[0] if best.free else max(np.max(length(path)) for path in paths)) or 1.0
    moments = best.inertia if best.free else None
    paths = [path / scale for path in paths]
    view, crowd = facing(paths), np.concatenate(paths)
    height, count = figure.get_figheight(), len(runs)
    for i, (run, path, label, style) in enumerate(zip(runs, paths, labels, styles)):
        row, column = divmod(i, PER_ROW)
        across = min(PER_ROW, count - row * PER_ROW)
        left = 0.5 * WIDTH + (column - 0.5 * across) * WIDTH / PER_ROW + 0.5 * (WIDTH / PER_ROW - SPHERE)
        under = height - TOP - (row + 1) * (LABEL + SPHERE)
        ax = figure.add_axes([left / WIDTH, under / height, SPHERE / WIDTH, SPHERE / height])
        draw_sphere(ax, view, path, moments, style["color"], crowd)
        note = " (blows up)" if run.lost else ""
        label = shorten(label + note, 40)
        ax.text(0.5, 1.06, label, transform=ax.transAxes, ha="center", va="bottom", parse_math=False,
                fontsize=min(8.0, 200.0 / len(label)) if label else 8.0)
        ax.add_line(Line2D([0.34, 0.66], [1.02, 1.02], transform=ax.transAxes, clip_on=False, linewidth=1.3, **style))
    return moments is not None


def draw_velocity(ax, runs, styles, reference):
    """Of the components that vary most, the one that carries the spin at the start: its changes of sign are flips."""
    first = reference or runs[0]
    swing = np.ptp(first.w_B, axis=0)
    i = int(np.argmax(np.where(swing >= 0.7 * np.max(swing), np.abs(first.w_B[0]), -1.0)))
    if reference:
        draw(ax, reference.t, reference.w_B[:, i], **REFERENCE)
    for run, style in zip(runs, styles):
        draw(ax, run.t, run.w_B[:, i], **style)
    shown = [run.w_B[:, i] for run in ([reference] if reference else runs)]
    low, high = min(np.min(w) for w in shown), max(np.max(w) for w in shown)
    span(ax, low, high, 1.0)
    head(ax, rf"body angular velocity $\omega_{'xyz'[i]}$", first.units["wx_B"])


def draw_energy(ax, runs, styles):
    """Of motions that do not conserve it."""
    power = exponent(np.concatenate([run.E for run in runs]))
    for run, style in zip(runs, styles):
        draw(ax, run.t, run.E / 10.0 ** power, **style)
    span(ax, min(np.min(run.E) for run in runs) / 10.0 ** power, max(np.max(run.E) for run in runs) / 10.0 ** power, 1.0)
    names = {run.energy_name for run in runs}
    head(ax, names.pop() if len(names) == 1 else "energy", runs[0].units["E"], power)


def draw_energy_change(ax, runs, styles):
    curves, words, unit = energy_changes(runs)
    log_panel(ax, curves, styles)
    head(ax, words, unit)


def energy_changes(runs):
    """Of each run times and changes, relative where all can be; what to call them, and their unit."""
    changes = [run.energy_change for run in runs]
    relative = all(scaled for _, scaled in changes)
    curves = [(run.t, change if relative or not scaled else change * abs(run.E[0]))
              for run, (change, scaled) in zip(runs, changes)]
    return (curves, change_words(runs) + (r" $|E-E_0|/|E_0|$" if relative else " $|E-E_0|$"),
            "" if relative else runs[0].units["E"])


def draw_energy_difference(ax, runs, styles, reference):
    curves, words, unit = energy_differences(runs, reference)
    log_panel(ax, curves, styles)
    head(ax, "difference of energy to the reference " + words, unit)


def energy_differences(runs, reference):
    """The same for differences to the energy of a reference."""
    differences = [energy_difference(run, reference) for run in runs]
    relative = differences[0][2]
    return ([(t, difference) for t, difference, _ in differences],
            r"$|E-E_\mathrm{ref}|/|E_{\mathrm{ref},0}|$" if relative else r"$|E-E_\mathrm{ref}|$",
            "" if relative else runs[0].units["E"])


def common(runs, item):
    values = {run.about.get(item) for run in runs}
    return values.pop() if len(values) == 1 else None


def names(runs):
    """Methods where they differ, else methods with their steps, else file names."""
    methods = [run.about.get("method") for run in runs]
    steps = [run.about.get("step") for run in runs]
    if None not in methods:
        if len(set(methods)) == len(runs):
            return methods
        with_steps = [f"{method}, h = {short_number(step or '')}" for method, step in zip(methods, steps)]
        if None not in steps and len(set(with_steps)) == len(runs):
            return with_steps
    return [os.path.splitext(os.path.basename(run.path))[0] for run in runs]
