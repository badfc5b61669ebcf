"""Studies in, arrays out: what polhode converge and polhode compare wrote with --output FILE.json."""

import json
from dataclasses import dataclass

import numpy as np

from .results import ResultError

QUANTITIES = ("attitude", "momentum")
CONVERGENCE, COMPARISON = "a convergence study", "a comparison of methods"


@dataclass
class Errors:
    """One method's errors in one quantity, from the largest step to the smallest."""

    method: str
    step: np.ndarray
    error: np.ndarray       # NaN where the run failed
    floor: np.ndarray       # what rounding may contribute
    fitted: np.ndarray      # whether the point is part of the fit
    order: float            # NaN where the data support none
    uncertainty: float
    claimed: object         # an order, or "exact"; None where the file does not say


@dataclass
class Study:
    path: str
    problem: str
    scalar: str
    duration: float
    attitude: list          # of Errors, one per method
    momentum: list


@dataclass
class Work:
    """One method's errors and what they cost, from the largest step to the smallest."""

    method: str
    step: np.ndarray
    error: np.ndarray       # NaN where the run failed
    cost: np.ndarray        # seconds; NaN where none was measured
    quartiles: np.ndarray   # of the cost, two columns
    calls: np.ndarray       # evaluations of the torque
    steps: np.ndarray


@dataclass
class Comparison:
    path: str
    problem: str
    scalar: str
    duration: float
    unit: str               # of the cost
    repeats: int
    methods: list           # of Work
    at_error: dict          # error: {method: cost}


def read_study(path):
    """Read a convergence study, or raise ResultError with a sentence that names the file and a remedy."""
    return study_of(load_json(path, CONVERGENCE, "converge"), path)


def study_of(data, path):
    """The same of what the file holds; `path` is its name in sentences."""
    def meaning(data):
        columns = {quantity: [errors(data["rows"], entry, quantity) for entry in data["orders"]]
                   for quantity in QUANTITIES}
        return Study(path, str(data["problem"]), str(data["scalar"]), float(data["duration"]), **columns)

    study = understood(data, path, meaning, CONVERGENCE, "converge")
    if not study.attitude:
        raise ResultError(f"{path} holds no method whose runs were all made; let the study finish.")
    return study


def read_comparison(path):
    """The same for a comparison of methods."""
    return comparison_of(load_json(path, COMPARISON, "compare"), path)


def comparison_of(data, path):
    def meaning(data):
        names = list(dict.fromkeys(row["method"] for row in data["rows"]))
        at_error = {float(at["attitude_error"]): {cost["method"]: float(cost["cost"]) for cost in at["costs"]}
                    for at in data["at_error"]}
        return Comparison(path, str(data["problem"]), str(data["scalar"]), float(data["duration"]),
                          str(data["unit_of_cost"]), int(data["repeats"]),
                          [work(data["rows"], name) for name in names], at_error)

    study = understood(data, path, meaning, COMPARISON, "compare")
    if not any(np.any(np.isfinite(method.cost)) for method in study.methods):
        raise ResultError(f"{path} holds no run that was timed; let the comparison finish.")
    return study


def read_json(path, meaning, kind, command):
    return understood(load_json(path, kind, command), path, meaning, kind, command)


def load_json(path, kind, command):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise ResultError(f"{path} does not exist; check the name.", ResultError.MISSING) from None
    except OSError as error:
        raise ResultError(f"{path} cannot be read ({(error.strerror or 'no reason given').lower()}).",
                          ResultError.MISSING) from None
    except ValueError:         # not UTF-8, or not JSON
        raise ResultError(f"{path} is not JSON, and so not {kind}; {remedy(command)}") from None


def understood(data, path, meaning, kind, command):
    """What the data mean, or ResultError with a sentence."""
    try:
        return meaning(data)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is not {kind} ({type(error).__name__}: {error}); {remedy(command)}") from None


def remedy(command):
    return f"draw one that polhode {command} --output FILE.json wrote."


def work(rows, name):
    own = [row for row in rows if row["method"] == name]
    step, error, cost, calls, steps = (np.array([number(row[key]) for row in own]) for key in
                                       ("step", "attitude_error", "cost", "torque_evaluations", "steps"))
    quartiles = np.array([row["cost_quartiles"] or (np.nan, np.nan) for row in own], dtype=float).reshape(-1, 2)
    return Work(name, step, error, cost, quartiles, calls, steps)


def errors(rows, entry, quantity):
    own = [row for row in rows if row["method"] == entry["method"]]
    return Errors(entry["method"],
                  *(np.array([number(row[key]) for row in own])
                    for key in ("step", f"{quantity}_error", f"{quantity}_floor")),
                  np.array([row[f"{quantity}_standing"] == "fitted" for row in own]),
                  number(entry[quantity]), number(entry[f"{quantity}_uncertainty"]), entry[f"claimed_{quantity}"])


def number(value):
    return np.nan if value is None else float(value)
