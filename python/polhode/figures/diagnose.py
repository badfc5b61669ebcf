"""A diagnosis of one method: errors against steps, the energy of long runs, and what agrees with the claims."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from .converge import draw_errors, found
from .loglog import draw_key, method_styles
from .panels import exponent, head, span, unit_text
from .results import ResultError
from .study import Errors, number, read_json
from .style import GREY, WIDTH, caption, use_style

TOP, PANEL, GAP, ENERGY, AXIS, ROW, BOTTOM = 0.62, 2.45, 0.86, 1.25, 0.62, 0.175, 0.12      # inches
SITUATIONS = {"free": "free", "field": "in the field"}


@dataclass
class Energy:
    """The error of a long run over the largest kinetic energy: least and greatest in each stretch of time."""

    situation: str
    step: float
    steps: int
    time: np.ndarray
    least: np.ndarray
    greatest: np.ndarray


@dataclass
class Diagnosis:
    path: str
    method: str
    problem: str
    scalar: str
    agree: int
    disagree: list          # what the lines that disagree are about
    attitude: list          # of Errors, one per situation
    momentum: list
    energies: list


def read_diagnosis(path):
    """Read what polhode diagnose --json printed, or raise ResultError with a sentence."""
    def curves(data, quantity):
        return [errors(curve) for curve in data["errors"] if curve["quantity"] == quantity]

    def errors(curve):
        columns = (np.array([number(point[key]) for point in curve["points"]]) for key in ("step", "error", "floor"))
        return Errors(SITUATIONS[curve["situation"]], *columns,
                      np.array([point["fitted"] for point in curve["points"]], dtype=bool), number(curve["order"]),
                      number(curve["uncertainty"]), curve["claimed"])

    def energy(curve):
        return Energy(SITUATIONS[curve["situation"]], float(curve["step"]), int(curve["steps"]),
                      *(np.array(curve[key], dtype=float) for key in ("time", "least", "greatest")))

    def diagnosis_of(data):
        wrong = [line["about"] for line in data["findings"] if line["verdict"] == "disagrees"]
        return Diagnosis(path, str(data["diagnosis_of"]), str(data["problem"]), str(data["scalar"]), int(data["agree"]),
                         wrong, curves(data, "attitude"), curves(data, "momentum"),
                         [energy(curve) for curve in data["energies"]])

    study = read_json(path, diagnosis_of, "a diagnosis", "diagnose --json > FILE.json")
    if not study.attitude:
        raise ResultError(f"{path} holds no errors; let the diagnosis finish.")
    return study


@np.errstate(all="ignore")
def diagnose_figure(study, title=None):
    use_style()
    energy_rows = GAP + ENERGY if study.energies else 0.0
    height = TOP + PANEL + energy_rows + AXIS + (2 + len(study.attitude)) * ROW + BOTTOM
    figure = Figure(figsize=(WIDTH, height))
    styles = method_styles(len(study.attitude))
    for ax, curves, words, unit in zip(row_of(figure, TOP, PANEL, 2), (study.attitude, study.momentum),
                                       ("attitude error", "momentum error"), ("rad", unit_text("kg m^2/s"))):
        draw_errors(ax, curves, styles)
        head(ax, words, unit)
    names = [curve.method for curve in study.attitude]
    for ax, curve in zip(row_of(figure, TOP + PANEL + GAP, ENERGY, max(1, len(study.energies))), study.energies):
        draw_energy(ax, curve, styles[names.index(curve.situation)])
    draw_key(figure, styles, ((0.125, "situation"), (0.30, "claimed"), (0.42, "order of attitude"),
                              (0.60, "order of momentum")), key_rows(study),
             "filled: part of the fit; hollow: too coarse for it, or too near rounding")
    caption(figure, title or study.method, f"on {study.problem}, {verdict(study)}")
    return figure


def row_of(figure, top, tall, count):
    height = figure.get_figheight()
    grid = figure.add_gridspec(1, count, left=0.075, right=0.975, bottom=1.0 - (top + tall) / height,
                               top=1.0 - top / height, wspace=0.22)
    return (figure.add_subplot(grid[i]) for i in range(count))


def draw_energy(ax, curve, style):
    """All that the error covers, since it oscillates faster than can be drawn."""
    power = exponent(np.concatenate((curve.least, curve.greatest)))
    unit = 10.0 ** power
    ax.axhline(0.0, color=GREY, linewidth=0.5)
    ax.fill_between(curve.time, curve.least / unit, curve.greatest / unit, color=style["color"], alpha=0.55, linewidth=0.4)
    span(ax, min(0.0, np.min(curve.least)) / unit, max(0.0, np.max(curve.greatest)) / unit, 1.0)
    ax.set_xlim(0.0, curve.time[-1])
    ax.set_xlabel(f"time $t$ [s], {curve.steps} steps of {curve.step:.3g} s in double")
    head(ax, f"energy error, {curve.situation}", r"$E_{\mathrm{kin}}$", power)


def key_rows(study):
    for attitude, momentum in zip(study.attitude, study.momentum):
        claims = dict.fromkeys((str(attitude.claimed), str(momentum.claimed)))
        yield attitude.method, "/".join(claims), found(attitude), found(momentum)


def verdict(study):
    if not study.disagree:
        return f"{study.agree} lines agree with the claims; orders in {study.scalar}"
    return f"DISAGREES in {', '.join(study.disagree)}"
