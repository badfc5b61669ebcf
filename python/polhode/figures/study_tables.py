"""Studies in, arrays out: what polhode converge and polhode compare wrote with --output FILE.csv.

A table holds less than the JSON: no claimed orders, no ground of rounding, no quartiles of the timings."""

import csv
import re

import numpy as np

from .results import ResultError
from .study import Comparison, Errors, Study, Work

ORDER = re.compile(r"# order of (attitude|momentum) of (\S+): (\S+) \+- (\S+), steps (\S+) to (\S+)")
COST = re.compile(r"# cost at an error of (\S+): (\S+) (\S+) s")


def read_study_table(path):
    """A convergence study, or ResultError with a sentence that names the file."""
    comments, rows = lines_of(path, "converge")
    fits = {match.group(1, 2): [float(x) for x in match.group(3, 4, 5, 6)]
            for match in map(ORDER.match, comments) if match}
    columns = {quantity: [errors(own, method, quantity, fits.get((quantity, method))) for method, own in grouped(rows)]
               for quantity in ("attitude", "momentum")}
    return Study(path, *subject(path, comments), **columns)


def read_comparison_table(path):
    """The same for a comparison of methods."""
    comments, rows = lines_of(path, "compare")
    at_error = {}
    for error, method, cost in (match.groups() for match in map(COST.match, comments) if match):
        at_error.setdefault(float(error), {})[method] = float(cost)
    methods = [Work(method, *(column(own, name) for name in ("step", "attitude_error", "cost")),
                    np.full((len(own), 2), np.nan), column(own, "torque_evaluations"), column(own, "steps"))
               for method, own in grouped(rows)]
    repeats = about(comments).get("repeats", "1")
    return Comparison(path, *subject(path, comments), "s", int(repeats), methods, at_error)


def lines_of(path, command):
    """The lines that begin with '#', and the rows below the header with their numbers; columns without their units."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [line.rstrip("\r\n") for line in file]
    comments = [line for line in lines if line.startswith("#")]
    table = csv.DictReader(line for line in lines if line.strip() and not line.startswith("#"))
    names = {name: re.sub(r"\[.*\]$", "", name) for name in table.fieldnames}
    rows = []
    for row in table:
        try:
            rows.append({names[name]: text if names[name] in ("method", "converged") else float(text)
                         for name, text in row.items()})
        except (KeyError, TypeError, ValueError):
            raise ResultError(f"{path} is damaged (row {len(rows) + 1} is not one of numbers); run polhode {command} "
                              "again.") from None
    if not rows:
        raise ResultError(f"{path} holds no rows below its header; let the study finish.")
    return comments, rows


def about(comments):
    return dict(re.match(r"#\s*([^:]+?)\s*:\s*(.*?)\s*$", line).groups() for line in comments if ":" in line)


def subject(path, comments):
    """Problem, scalar and duration."""
    said = about(comments)
    try:
        return said["problem"], said["scalar"], float(said["duration"])
    except (KeyError, ValueError):
        raise ResultError(f"{path} does not say its problem, scalar and duration in '# key: value' lines; keep those "
                          "that the study was written with.") from None


def grouped(rows):
    return [(method, [row for row in rows if row["method"] == method])
            for method in dict.fromkeys(row["method"] for row in rows)]


def column(rows, name):
    return np.array([row[name] for row in rows])


def errors(rows, method, quantity, fit):
    step, error = column(rows, "step"), column(rows, f"{quantity}_error")
    order, uncertainty, *ends = fit or (np.nan, np.nan, np.nan, np.nan)
    fitted = (step >= min(ends)) & (step <= max(ends)) & np.isfinite(error)
    return Errors(method, step, error, np.full(len(step), np.nan), fitted, order, uncertainty, None)
