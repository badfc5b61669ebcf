"""What pictures are drawn from: solutions, files of results, studies."""

import os
from collections.abc import Mapping

import numpy as np

from ..figures.columns import NAMES
from ..figures.files import WORDS, kind_of, read_study_file
from ..figures.results import COLUMNS, ResultError, Run, read_result, run_of_rows
from ..figures.study import comparison_of, study_of

# In the order of COLUMNS: what a solution has for each of its times.
PARTS = {"t": (), "attitude": (4,), "angular_velocity": (3,), "momentum": (3,), "energy": ()}
UNITS = {name: NAMES[name][2] for name in COLUMNS}
MAKERS = {"converge": study_of, "compare": comparison_of}


def run_of(source):
    """The rows of a solution, or of the path of a result file in CSV or HDF5; ValueError with a sentence."""
    if isinstance(source, Run):
        return source
    if is_path(source):
        path = os.fspath(source)
        kind = kind_of(path)
        if kind != "run":
            raise ResultError(f"{path} is {WORDS[kind]}, and this picture is of a run; give a solution, or a file that "
                              "polhode run --output wrote.")
        return read_result(path)
    return run_of_solution(source)


def runs_of(sources):
    """The same of one, or of each in a list."""
    several = isinstance(sources, (list, tuple))
    if several and not sources:
        raise ValueError("there is no solution in the list; give one or more.")
    return [run_of(source) for source in (sources if several else [sources])]


def run_of_solution(solution):
    absent = [name for name in PARTS if not hasattr(solution, name)]
    if absent:
        raise ValueError(f"a {type(solution).__name__} is no solution (it has no '{absent[0]}'); give a solution, or "
                         "the path of a result file in CSV or HDF5.")
    title = str(getattr(solution, "title", "") or "the solution")
    parts = {name: np.asarray(getattr(solution, name), dtype=float) for name in PARTS}
    count = parts["t"].size
    for name, shape in PARTS.items():
        if parts[name].shape != (count, *shape):
            raise ValueError(f"'{name}' of {title} has the shape {parts[name].shape}, and with {count} times it must "
                             f"have {(count, *shape)}.")
    if count == 0:
        raise ValueError(f"{title} holds no rows; integrate over some time first.")
    about = {"method": str(getattr(solution, "method", "")), "problem": title}
    if isinstance(getattr(solution, "step", None), float):
        about["step"] = repr(solution.step)
    conserved = getattr(solution, "energy_conserved", None)
    if conserved is not None:
        about["energy_conserved"] = "yes" if conserved else "no"
    body = getattr(solution, "body", None)
    tensor = None if body is None else np.asarray(body.tensor, dtype=float)
    return run_of_rows(title, about, UNITS, np.column_stack([parts[name] for name in PARTS]), tensor)


def study_from(source, kind):
    """A study of steps ('converge') or of costs ('compare'): an object with `json`, that dict itself, or the path of
    what the program wrote."""
    if is_path(source):
        path = os.fspath(source)
        found = kind_of(path)
        if found != kind:
            raise ResultError(f"{path} is {WORDS[found]}, and this picture is of {WORDS[kind]}; polhode {kind} "
                              "--output FILE.json writes one.")
        return read_study_file(path, kind)
    data = getattr(source, "json", source)
    if not isinstance(data, Mapping):
        raise ValueError(f"a {type(source).__name__} is no study; give {WORDS[kind]}, the dict of its JSON, or the "
                         "path of its file.")
    if "studies" in data:
        raise ValueError(f"there are {len(data['studies'])} studies here, and a picture shows one; give one of those "
                         "in 'studies'.")
    return MAKERS[kind](data, "the study")


def is_path(source):
    return isinstance(source, (str, os.PathLike))
