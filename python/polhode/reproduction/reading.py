"""Results of experiments in: what polhode reproduce --output DIR wrote."""

import glob
import json
import os
from dataclasses import dataclass, field


class ReportError(Exception):
    """A sentence for the user, and the exit code that goes with it."""

    BAD, MISSING = 65, 66

    def __init__(self, sentence, code=BAD):
        super().__init__(sentence)
        self.code = code


@dataclass
class Item:
    """A printed number and ours."""

    item: str
    published: str
    measured: str
    verdict: str
    unit: str = ""
    place: str = ""
    tolerance: str = ""
    reason: str = ""
    command: str = ""
    note: str = ""
    value: float = None                             # the measured number in full; None: there is none
    fields: dict = field(default_factory=dict)      # other columns of published.csv


@dataclass
class Claim:
    """A statement of a paper, and what was measured about it."""

    id: str
    claim: str
    verdict: str
    place: str = ""
    measured: list = field(default_factory=list)    # of (name, value, expression)
    criterion: str = ""
    holds_if: str = ""
    note: str = ""
    test: str = ""                                  # name of the test program that carries the verdict,
    filter: str = ""                                # which of its tests,
    test_outcome: str = ""                          # and what these came to
    command: str = ""
    missing: str = ""                               # what it would take to decide it
    timed: bool = False                             # the verdict hangs on the clock
    own: bool = False                               # a question of ours, not a statement of a paper


@dataclass
class Experiment:
    folder: str
    name: str               # that of the folder
    title: str
    paper: str
    place: str
    about: str
    command: str
    version: str
    run_set: str
    seconds: float
    items: list
    claims: list
    table: dict             # names of the fields that make rows and columns; empty for none
    figure: dict            # caption, columns, panels; empty for none
    left_out: int
    written: dict           # result.json as it stands


def read_experiments(folder):
    """Every FOLDER/*/result.json by name, or ReportError with a sentence that names the file and a remedy."""
    if not os.path.isdir(folder):
        raise ReportError(f"{folder} is not a folder; give the one that polhode reproduce --output wrote.",
                          ReportError.MISSING)
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), "*", "result.json")))
    if not paths:
        raise ReportError(f"{folder} holds no result.json in its folders; run polhode reproduce --output {folder} "
                          "first.", ReportError.MISSING)
    return [read_experiment(path) for path in paths]


def read_experiment(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise ReportError(f"{path} cannot be read ({os.strerror(error.errno).lower()}); check its permissions.",
                          ReportError.MISSING) from None
    except ValueError as error:             # not UTF-8, or not JSON
        raise ReportError(f"{path} is damaged ({str(error)[:80]}); run its experiment again.") from None
    try:
        return experiment(data, os.path.dirname(path))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReportError(f"{path} is not the result of an experiment ({type(error).__name__}: {error}); run its "
                          "experiment again.") from None


def experiment(data, folder):
    table, figure = data.get("table") or {}, dict(data.get("figure") or {})
    figure["panels"] = [dict(panel, curves=[dict(curve) for curve in panel.get("curves") or []])
                        for panel in figure.get("panels") or []]
    if table and not {"rows", "columns"} <= table.keys():
        table = {}
    return Experiment(folder, os.path.basename(folder), str(data["title"]), str(data["paper"]), str(data["place"]),
                      str(data["about"]), str(data["command"]), str(data["version"]), str(data["run_set"]),
                      float(data["seconds"]), [item(entry) for entry in data["items"]],
                      [claim(entry, str(data["paper"])) for entry in data["claims"]], table, figure if figure["panels"] else {},
                      int(data.get("left_out") or 0), data)


def item(entry):
    fields = {key: str(value) for key, value in (entry.get("fields") or {}).items()}
    value = entry.get("value")
    return Item(fields=fields, value=value if isinstance(value, (int, float)) else None,
                **strings(entry, ("item", "published", "measured", "verdict"),
                          ("unit", "place", "tolerance", "reason", "command", "note")))


def claim(entry, of_paper):
    measured = [(str(number["name"]), float(number["value"]), str(number.get("expression", "")))
                for number in entry.get("measured") or []]
    own = not of_paper or text(entry.get("place")).startswith("ours")
    return Claim(measured=measured, timed=bool(entry.get("timed")), own=own,
                 **strings(entry, ("id", "claim", "verdict"), ("place", "criterion", "holds_if", "note", "test", "filter",
                                                               "test_outcome", "command", "missing")))


def strings(entry, needed, optional):
    return {**{key: text(entry[key]) for key in needed}, **{key: text(entry.get(key)) for key in optional}}


def text(value):
    return "" if value is None else str(value)
