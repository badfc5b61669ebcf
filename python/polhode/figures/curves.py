"""Panels of an experiment in, arrays out: what polhode reproduce wrote beside result.json."""

import os
from dataclasses import dataclass, field

import numpy as np

from .results import ResultError
from .surfaces import cube


@dataclass(eq=False)
class Curve:
    label: str
    method: str
    step: float
    failure: str            # why the run ended early; empty where it did not
    reference: bool         # what the others are compared with: drawn grey and wide
    x: np.ndarray           # time, step, or what a scan varies; finite rows only
    y: np.ndarray           # (n, columns)
    lost: int = 0           # rows without a number


@dataclass
class Panel:
    title: str
    kind: str
    columns: list           # names of what is drawn
    x_label: str
    y_label: str
    log: str
    slope: float            # of the line to compare with, or None
    curves: list = field(default_factory=list)
    levels: list = field(default_factory=list)      # of the potential, whose values on a grid are in `potential`
    potential: np.ndarray = None
    marks: list = field(default_factory=list)       # (label, point)

    @property
    def log_x(self):
        return self.log in ("x", "both") or self.kind == "convergence" and self.log != "y"

    @property
    def log_y(self):
        return self.log in ("y", "both") or self.kind == "convergence" and self.log != "x"


def read_panels(figure, folder):
    """The panels of result.json's figure with their curves, or ResultError with a sentence that names the file."""
    return [Panel(panel.get("title", ""), panel.get("kind", ""), list(panel.get("columns") or []),
                  panel.get("x_label") or "", panel.get("y_label") or "", panel.get("log") or "none",
                  panel.get("reference_slope"),
                  [read_curve(curve, folder) for curve in panel.get("curves") or []], list(panel.get("levels") or []),
                  read_potential(panel, folder),
                  [(mark["label"], np.array(mark["at"], float)) for mark in panel.get("marks") or []])
            for panel in figure["panels"]]


def read_potential(panel, folder):
    if not panel.get("potential"):
        return None
    return cube(read_table(os.path.join(folder, panel["potential"]), least=1)[:, 0])


def read_curve(about, folder):
    table = read_table(os.path.join(folder, about.get("file", "")))
    whole = np.all(np.isfinite(table), axis=1)
    return Curve(about.get("label", ""), about.get("method") or "", about.get("step") or 0.0,
                 about.get("failure") or "", bool(about.get("reference")), table[whole, 0], table[whole, 1:],
                 int(np.count_nonzero(~whole)))


def read_table(path, least=2):
    try:
        with open(path, encoding="utf-8") as file:
            width = len(file.readline().split(","))
            lines = [line for line in file if line.strip()]
    except OSError as error:
        raise ResultError(f"{path} cannot be read ({os.strerror(error.errno).lower()}); run polhode reproduce again.",
                          ResultError.MISSING) from None
    except UnicodeDecodeError:
        raise ResultError(f"{path} is not a text file; run polhode reproduce again.") from None
    try:
        table = np.loadtxt(lines, delimiter=",", ndmin=2) if lines else np.empty((0, width))
    except ValueError as error:
        raise ResultError(f"{path} is damaged ({str(error).rstrip('.')}); run polhode reproduce again.") from None
    if width < least or table.shape[1] != width:
        raise ResultError(f"{path} is damaged ({table.shape[1]} columns of numbers, {width} in the header); run "
                          "polhode reproduce again.")
    return table
