"""A convergence study: errors against steps, and the orders they show."""

import numpy as np

from .loglog import draw_key, error_axis, line_of, mark_of, method_styles, round_axis, span, study_figure
from .panels import head, unit_text
from .style import GREY, caption, shorten

FLOOR = "#ececec"


@np.errstate(all="ignore")
def converge_figure(study, title=None):
    figure, panels = study_figure(len(study.attitude))
    styles = method_styles(len(study.attitude))
    for ax, curves, words, unit in zip(panels, (study.attitude, study.momentum), ("attitude error", "momentum error"),
                                       ("rad", unit_text("kg m^2/s"))):
        draw_errors(ax, curves, styles)
        head(ax, words, unit)
    note = "filled: part of the fit; hollow: too coarse for it, or too near rounding"
    draw_key(figure, styles, ((0.125, "method"), (0.50, "claimed"), (0.64, "order of attitude"),
                              (0.80, "order of momentum")), key_rows(study),
             note + ("; cross: the run failed" if failures(study) else ""))
    caption(figure, title or study.problem, f"after {study.duration:.6g} s, in {study.scalar}")
    return figure


def draw_errors(ax, curves, styles):
    limits = error_span(curves)
    low = 10.0 ** limits[0]
    left, right = round_axis(ax, np.concatenate([curve.step for curve in curves]), "step $h$ [s]")
    draw_floor(ax, curves, low, left, right)
    for curve, style in zip(curves, styles):
        y = np.clip(curve.error, low, None)            # an error of zero has no place on a log axis
        ax.plot(curve.step, y, zorder=3, **line_of(style))
        ax.plot(curve.step[curve.fitted], y[curve.fitted], zorder=5, **mark_of(style))
        ax.plot(curve.step[~curve.fitted], y[~curve.fitted], zorder=4, markerfacecolor="white", **mark_of(style))
        failed = curve.step[np.isnan(curve.error)]
        ax.plot(failed, np.full(len(failed), 0.98), "x", transform=ax.get_xaxis_transform(), color=style["color"],
                markersize=4.0)
    error_axis(ax, limits)
    for order in sorted({curve.claimed for curve in curves if isinstance(curve.claimed, int)}):
        draw_triangle(ax, curves, order, limits)


def error_span(curves):
    """The span of the errors; the floor is in it where they come near."""
    error = np.concatenate([curve.error for curve in curves])
    floor = np.concatenate([curve.floor for curve in curves])
    return span(error, floor[(error < 100.0 * floor) & (floor > 0.0)])


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


def key_rows(study):
    for attitude, momentum in zip(study.attitude, study.momentum):
        claims = dict.fromkeys(str(claim) for claim in (attitude.claimed, momentum.claimed) if claim is not None)
        yield shorten(attitude.method, 44), "/".join(claims) or "\u2013", found(attitude), found(momentum)


def failures(study):
    return any(np.any(np.isnan(curve.error)) for curve in study.attitude)


def found(curve):
    return "none" if np.isnan(curve.order) else f"{curve.order:.2f} \u00b1 {curve.uncertainty:.2f}"
