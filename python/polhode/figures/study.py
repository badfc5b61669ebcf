"""Convergence studies in, arrays out: what polhode converge --output FILE.json wrote."""

import json
from dataclasses import dataclass

import numpy as np

from .results import ResultError

QUANTITIES = ("attitude", "momentum")


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
    claimed: object         # an order, or "exact"


@dataclass
class Study:
    path: str
    problem: str
    scalar: str
    duration: float
    attitude: list          # of Errors, one per method
    momentum: list


def read_study(path):
    """Read a study, or raise ResultError with a sentence that names the file and a remedy."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise ResultError(f"{path} does not exist; check the name.", ResultError.MISSING) from None
    except OSError as error:
        raise ResultError(f"{path} cannot be read ({(error.strerror or 'no reason given').lower()}).",
                          ResultError.MISSING) from None
    except ValueError:         # not UTF-8, or not JSON
        raise ResultError(f"{path} is not JSON; draw a study that polhode converge --output FILE.json wrote.") from None
    try:
        columns = {quantity: [errors(data["rows"], entry, quantity) for entry in data["orders"]]
                   for quantity in QUANTITIES}
        study = Study(path, str(data["problem"]), str(data["scalar"]), float(data["duration"]), **columns)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is not a convergence study ({type(error).__name__}: {error}); draw one that polhode "
                          "converge --output FILE.json wrote.") from None
    if not study.attitude:
        raise ResultError(f"{path} holds no method whose runs were all made; let the study finish.")
    return study


def errors(rows, entry, quantity):
    own = [row for row in rows if row["method"] == entry["method"]]
    return Errors(entry["method"],
                  *(np.array([number(row[key]) for row in own])
                    for key in ("step", f"{quantity}_error", f"{quantity}_floor")),
                  np.array([row[f"{quantity}_standing"] == "fitted" for row in own]),
                  number(entry[quantity]), number(entry[f"{quantity}_uncertainty"]), entry[f"claimed_{quantity}"])


def number(value):
    return np.nan if value is None else float(value)
