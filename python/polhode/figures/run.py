"""One run: its polhode, Poinsot's construction or its direction on the sphere, and how velocity, energy and momentum
went."""

import numpy as np
from matplotlib.figure import Figure

from . import poinsot
from .panels import energy_panel, momentum_panel, time_axis, velocity_panel
from .results import length
from .sphere import draw_sphere, facing, key
from .style import AXIS_COLOURS, WIDTH, caption, short_number, use_style

HEIGHT, SPHERE = 4.2, 3.05        # inches


@np.errstate(all="ignore")
def run_figure(run, title=None):
    use_style()
    figure = Figure(figsize=(WIDTH, HEIGHT))
    stack = figure.add_gridspec(3, 1, left=0.52, right=0.972, bottom=0.105, top=0.845, hspace=0.42)
    panels = [figure.add_subplot(stack[i]) for i in range(3)]
    for draw, ax in zip((velocity_panel, energy_panel, momentum_panel), panels):
        draw(ax, run)
    time_axis(panels, [run])

    picture = figure.add_axes([0.015, 0.175, SPHERE / WIDTH, SPHERE / HEIGHT])
    where = 0.015 + 0.5 * SPHERE / WIDTH
    contact = contact_of(run)
    if contact:
        poinsot.draw_construction(picture, contact)
        words = "Poinsot's construction"
        figure.legend(handles=poinsot.handles(), ncol=3, loc="center", bbox_to_anchor=(where, 0.085), columnspacing=1.2,
                      handlelength=1.6, handletextpad=0.5)
    else:
        path, moments, words = direction_path(run) if run.on_sphere else momentum_path(run)
        draw_sphere(picture, facing([path]), path, moments, AXIS_COLOURS[1], path)
        key(figure, (where, 0.085), moments is not None)
    figure.text(where, 0.145, words, ha="center", va="center")

    caption(figure, title or run.about.get("problem", "Rigid-body rotation"), facts(run))
    return figure


def contact_of(run):
    """Poinsot's construction, where the file has its columns and no torque changes the plane."""
    if run.polhode is None or not run.free:
        return None
    return poinsot.construction(run.polhode, run.herpolhode, run.q, run.L_S)


def direction_path(run):
    """What is drawn on the sphere, the moments whose polhodes go with it, and what to call it."""
    return run.direction, None, "direction of the third axis in space"


def momentum_path(run):
    """The same for the momentum in body axes."""
    size = length(run.pi_B)
    scale = (size[0] if run.free else np.max(size)) or 1.0
    words = "body angular momentum" + ("" if run.free else "; sphere: its largest size")
    return run.pi_B / scale, run.inertia if run.free else None, words


def facts(run):
    """Method, step and scalar in one line, as far as the file says them, and where the numbers end."""
    unit = run.units["t"] or "s"
    words = [run.about["method"]] if "method" in run.about else []
    if "step" in run.about:
        words.append(f"step {short_number(run.about['step'])} {unit}")
    if run.about.get("scalar", "double") != "double":
        words.append(run.about["scalar"])
    if "incomplete" in run.about:
        words.append(f"incomplete, to t = {run.t[-1]:.6g} {unit}")
    if run.lost:
        words.append(f"not finite after t = {run.t[-1]:.6g} {unit}")
    return ", ".join(words)
