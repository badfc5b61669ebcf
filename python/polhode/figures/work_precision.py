"""A work-precision diagram: errors against the time they take, and against evaluations of the torque."""

import numpy as np

from .loglog import draw_key, error_axis, line_of, mark_of, method_styles, round_axis, span, study_figure
from .panels import head
from .style import caption, shorten


@np.errstate(all="ignore")
def work_precision_figure(study, title=None):
    figure, panels = study_figure(len(study.methods))
    styles = method_styles(len(study.methods))
    limits = span(np.concatenate([method.error for method in study.methods]))
    calls, words = counted_work(study)
    times, ends = [method.cost for method in study.methods], [method.quartiles.ravel() for method in study.methods]
    for method, style in zip(study.methods, styles):
        draw_bars(panels[0], method, style, limits)
    draw_work(panels[0], study, times, ends, f"time of the integration [{study.unit}]", styles, limits)
    draw_work(panels[1], study, calls, [], words, styles, limits)
    for ax in panels:
        head(ax, "attitude error", "rad")
    draw_key(figure, styles, *costs(study), note(study))
    caption(figure, title or study.problem, f"after {study.duration:.6g} s, in {study.scalar}")
    return figure


def counted_work(study):
    """Evaluations of the torque, or steps where there is no torque; NaN where a run failed."""
    def made(method, count):
        return np.where(np.isnan(method.error) | (count <= 0.0), np.nan, count)

    calls = [made(method, method.calls) for method in study.methods]
    if np.any(np.isfinite(np.concatenate(calls))):
        return calls, "torque evaluations"
    return [made(method, method.steps) for method in study.methods], "steps (without a torque nothing is evaluated)"


def draw_work(ax, study, work, ends, label, styles, limits):
    """Errors against the work of each method; the axis holds the ends of bars as well."""
    for method, x, style in zip(study.methods, work, styles):
        y = np.clip(method.error, 10.0 ** limits[0], None)          # an error of zero has no place on a log axis
        ax.plot(x, y, zorder=3, **line_of(style))
        ax.plot(x, y, zorder=5, **mark_of(style))
    seen = np.concatenate(work + ends)
    round_axis(ax, seen[np.isfinite(seen)], label)
    error_axis(ax, limits)


def draw_bars(ax, method, style, limits):
    """From quartile to quartile of the timings, where the file has them."""
    if not np.any(np.isfinite(method.quartiles)):
        return
    y = np.clip(method.error, 10.0 ** limits[0], None)
    ax.hlines(y, *method.quartiles.T, color=style["color"], linewidth=0.8, zorder=4)
    for x in method.quartiles.T:
        ax.plot(x, y, linestyle="none", marker="|", markersize=4.5, markeredgewidth=0.8, color=style["color"], zorder=4)


def costs(study):
    """Titles and rows of the key: the time that each method needs for a few errors."""
    errors = sorted(study.at_error, reverse=True)
    powers = [rf"$10^{{{np.log10(error):.0f}}}$ rad" for error in errors]
    titles = [(0.125, "method")] + ([(0.53, f"time [{study.unit}] to reach")] if errors else [])
    titles += [(0.66 + 0.11 * i, power) for i, power in enumerate(powers)]
    rows = []
    for method in study.methods:
        needed = [study.at_error[error].get(method.method) for error in errors]
        rows.append((shorten(method.method, 44), "", *("\u2013" if cost is None else f"{cost:.2e}" for cost in needed)))
    return titles, rows


def note(study):
    words = "time: " + ("one timing" if study.repeats == 1 else f"median of {study.repeats} timings")
    if study.repeats > 1 and any(np.any(np.isfinite(method.quartiles)) for method in study.methods):
        words += "; bars: their quartiles"
    failed = sum(np.count_nonzero(np.isnan(method.error)) for method in study.methods)
    return words + (f"; not shown: {failed} run{'s' if failed > 1 else ''} that failed" if failed else "")
