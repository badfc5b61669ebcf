"""Any result files in, the figure that suits them out: what a file is, its content shows."""

import json

from .compare import compare_figure
from .converge import converge_figure
from .diagnose import diagnose_figure, read_diagnosis
from .hdf5 import is_hdf5
from .results import ResultError, head_of, read_result
from .run import run_figure
from .study import read_comparison, read_study
from .study_tables import read_comparison_table, read_study_table
from .work_precision import work_precision_figure

USAGE = 2
WORDS = {"run": "a run", "converge": "a convergence study", "compare": "a comparison of methods",
         "diagnose": "a diagnosis of a method"}


def files_figure(paths, reference=None, labels=None, title=None):
    """Raises ResultError with a sentence that names the file, the flag and a remedy."""
    kinds = [kind_of(path) for path in paths]
    for path, kind in zip(paths, kinds):
        if kind != kinds[0]:
            raise ResultError(f"{paths[0]} is {WORDS[kinds[0]]} and {path} is {WORDS[kind]}; draw them apart.", USAGE)
    if kinds[0] == "run":
        return runs_figure(paths, reference, labels, title)
    if len(paths) > 1:
        raise ResultError(f"{paths[0]} and {paths[1]} are studies, and a figure shows one of them; draw them apart.",
                          USAGE)
    for flag, value in (("--reference", reference), ("--labels", labels)):
        if value:
            raise ResultError(f"{flag} is for runs, and {paths[0]} is {WORDS[kinds[0]]}; leave it out.", USAGE)
    return study_figure(paths[0], kinds[0], title)


def runs_figure(paths, reference, labels, title):
    if labels and len(labels) != len(paths):
        raise ResultError(f"--labels has {len(labels)} names for {len(paths)} runs; give one for each.", USAGE)
    if reference and kind_of(reference) != "run":
        raise ResultError(f"--reference: {reference} is {WORDS[kind_of(reference)]}; give a run that polhode run "
                          "--output FILE.csv wrote.")
    runs = [read_result(path) for path in paths]
    if len(runs) == 1 and not reference and not labels:
        return run_figure(runs[0], title)
    return compare_figure(runs, labels, read_result(reference) if reference else None, title)


def study_figure(path, kind, title):
    if kind == "diagnose":
        return diagnose_figure(read_diagnosis(path), title)
    return (converge_figure if kind == "converge" else work_precision_figure)(read_study_file(path, kind), title)


def read_study_file(path, kind):
    """A study of steps ('converge') or of costs ('compare'), from JSON or from a table."""
    as_json = is_json(head_of(path)[0])
    if kind == "converge":
        return (read_study if as_json else read_study_table)(path)
    return (read_comparison if as_json else read_comparison_table)(path)


def kind_of(path):
    """run, converge, compare or diagnose."""
    if is_hdf5(path):
        return "run"
    header = head_of(path)[0]
    if is_json(header):
        return kind_of_json(path)
    names = {column.split("[")[0].strip() for column in header}
    if "method" in names and "step" in names:
        return "compare" if "cost" in names else "converge"
    if "t" in names:
        return "run"
    raise ResultError(f"{path} is not a result: its header has neither a time 't[s]' nor a 'method'; draw what polhode "
                      "run, converge or compare wrote with --output.")


def is_json(header):
    return header[0].lstrip().startswith("{")


def kind_of_json(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            data = json.load(file)
    except ValueError as error:
        raise ResultError(f"{path} is damaged (not JSON: {error}); write it again.") from None
    if "unit_of_cost" in data:
        return "compare"
    if "diagnosis_of" in data:
        return "diagnose"
    if "orders" in data:
        return "converge"
    if "attitude_wxyz" in data:
        raise ResultError(f"{path} is the end of a run and not its course; draw the rows that polhode run --output "
                          "FILE.csv writes.")
    raise ResultError(f"{path} is JSON but no study; draw what polhode converge or compare wrote with --output.")
