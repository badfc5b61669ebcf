"""Studies of methods: convergence, cost, claims."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List

import numpy as np

from . import _core
from ._checks import array, listed, path, shown, text, whole
from .solve import Loaded, _request, _request_of

if TYPE_CHECKING:
    from .hints import (BodyLike, ExperimentSet, MethodName, Names, Numbers, Path, Progress, Situation, Span, StartLike,
                        Times, Torques)
    from .records import ComparisonRow, ConvergenceRow, Finding, FittedOrder, Verdict

__all__ = ["Comparison", "Convergence", "Diagnosis", "Reproduction", "compare", "converge", "diagnose", "reproduce"]


class Study:
    """``json`` is what the program prints with --json."""

    def __init__(self, text: str) -> None:
        self.json: Dict[str, Any] = json.loads(text)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} of {self.json.get('problem') or self.json.get('title') or 'a scenario'}>"

    def _repr_html_(self) -> str:
        from . import display_studies
        shown: Callable[[Dict[str, Any]], str] = getattr(display_studies, f"{type(self).__name__.lower()}_html")
        return shown(self.json)


class Convergence(Study):
    """Errors at steps, what :func:`converge` returns; ``plot.convergence(study)`` draws them.

    ``json`` is all that the program prints with --json.

    >>> study = polhode.converge("asymmetric-top", ["lie-verlet"], [0.01, 0.005])
    >>> [(row["step"], row["attitude_error"] < 2e-2) for row in study.rows]
    [(0.01, True), (0.005, True)]
    """

    @property
    def rows(self) -> List[ConvergenceRow]:
        """A dictionary for each run: method, step [s], ``attitude_error`` [rad], ``momentum_error`` and more."""
        rows: List[ConvergenceRow] = self.json["rows"]
        return rows

    @property
    def orders(self) -> List[FittedOrder]:
        """A dictionary for each method: the orders of ``attitude`` and ``momentum`` that errors show, or a reason."""
        orders: List[FittedOrder] = self.json["orders"]
        return orders


class Comparison(Study):
    """Errors against cost, what :func:`compare` returns; ``plot.work_precision(study)`` draws them.

    ``json`` is all that the program prints with --json.

    >>> study = polhode.compare("asymmetric-top", ["lie-verlet", "rkmk-4"], [0.01], repeats=1)
    >>> sorted(study.rows[0])[:4]
    ['attitude_error', 'converged', 'cost', 'cost_quartiles']
    """

    @property
    def rows(self) -> List[ComparisonRow]:
        """A dictionary for each run: method, step [s], ``attitude_error`` [rad], ``cost`` (a median time [s]), …"""
        rows: List[ComparisonRow] = self.json["rows"]
        return rows


class Diagnosis(Study):
    """What a method claims against what it does, as :func:`diagnose` returns it.

    ``json`` is all that the program prints with --json.

    >>> study = polhode.diagnose("lie-verlet")
    >>> order = study.findings[0]
    >>> order["about"], order["claimed"], order["verdict"]
    ('order of attitude, free', '2', 'agrees')
    """

    @property
    def findings(self) -> List[Finding]:
        """A dictionary for each claim: ``claimed``, ``measured``, ``verdict`` ("agrees", "more", "disagrees"), …"""
        findings: List[Finding] = self.json["findings"]
        return findings

    @property
    def disagreements(self) -> List[Finding]:
        """The findings that speak against the method."""
        return [finding for finding in self.findings if finding["verdict"] == "disagrees"]


def _situation(situation: Situation | None, body: BodyLike | None, torque: Torques | None, start: StartLike | None,
               t_span: Span) -> _core.Request:
    if situation is None and body is not None:
        return _request(body, torque, start, t_span, {"method": "auto"}, scalar_first=True)[0]
    if situation is None or body is not None:
        raise TypeError("situation: give the name of a problem, a scenario file or load(…), or else body, torque, start "
                        "and t_span")
    if isinstance(situation, Loaded):
        return situation._read()
    name = path("situation", situation)
    is_file = name.endswith((".toml", ".h5")) or os.path.exists(name) or name.startswith("problem:")
    return _request_of("situation", name if is_file else f"problem:{name}")


def _names(argument: str, names: Names | None) -> List[str]:
    if names is None:
        return []
    return [text(argument, name) for name in ([names] if isinstance(names, str) else listed(argument, names))]


def _steps(steps: Times | None) -> List[float]:
    if steps is None:
        return []
    sizes = np.atleast_1d(array("step_sizes", steps))
    if sizes.ndim != 1 or not np.all(np.isfinite(sizes)) or np.any(sizes <= 0):
        raise ValueError(f"step_sizes: {shown(sizes.tolist())} are not positive numbers of seconds")
    return [float(step) for step in sizes]


def _progress(progress: Progress | None) -> Progress | None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: {shown(progress)} cannot be called; give a function progress(done, seconds)")
    return progress


def converge(situation: Situation | None = None, methods: Names | None = None, step_sizes: Times | None = None, *,
             body: BodyLike | None = None, torque: Torques | None = None, start: StartLike | None = None,
             t_span: Span = (0.0, 10.0), progress: Progress | None = None) -> Convergence:
    """Errors against steps, and the orders they show.

    ``situation`` is a problem, a scenario file or what :func:`load` returns; or give ``body``, ``torque``, ``start``
    and ``t_span`` as to :func:`solve`. ``methods`` are names (default: a few of orders 2 to 4), ``step_sizes`` steps
    [s] (default: six that suit them). ``progress(done, seconds)`` is called now and then, with the part of the work
    that is done.

    >>> study = polhode.converge("asymmetric-top", ["mclachlan-reich-231"])
    >>> round(study.orders[0]["attitude"])
    2
    >>> top = {"kind": "heavy-top", "weight_times_arm": 0.5}
    >>> own = polhode.converge(body=[1, 1, 0.5], torque=top, start=[0.1, 0, 5], t_span=(0, 1), methods="rkmk-4")
    >>> round(own.orders[0]["momentum"])
    4
    """
    return Convergence(_core.converge(_situation(situation, body, torque, start, t_span), _names("methods", methods),
                                      _steps(step_sizes), _progress(progress)))


def compare(situation: Situation | None = None, methods: Names | None = None, step_sizes: Times | None = None, *,
            repeats: int = 5, body: BodyLike | None = None, torque: Torques | None = None,
            start: StartLike | None = None, t_span: Span = (0.0, 10.0),
            progress: Progress | None = None) -> Comparison:
    """Errors against time.

    Every run is timed ``repeats`` times. ``situation``, or ``body``, ``torque``, ``start`` and ``t_span``,
    ``step_sizes`` and ``progress`` are as for :func:`converge`; without ``methods`` the best of each family are
    compared.

    >>> study = polhode.compare("asymmetric-top", ["lie-verlet", "rkmk-4"], [0.02, 0.01], repeats=1)
    >>> [(row["method"], row["step"]) for row in study.rows]
    [('lie-verlet', 0.02), ('lie-verlet', 0.01), ('rkmk-4', 0.02), ('rkmk-4', 0.01)]
    """
    repeats = whole("repeats", repeats, most=2**31 - 1)
    return Comparison(_core.compare(_situation(situation, body, torque, start, t_span), _names("methods", methods),
                                    _steps(step_sizes), repeats, _progress(progress)))


def diagnose(method: MethodName, situation: Situation | None = None, *, body: BodyLike | None = None,
             torque: Torques | None = None, start: StartLike | None = None, t_span: Span = (0.0, 10.0),
             progress: Progress | None = None) -> Diagnosis:
    """What a method claims against what it does in a situation (default: the problem asymmetric-top-tilted).

    ``method`` is a name or a :class:`Method`; ``situation``, or ``body``, ``torque``, ``start`` and ``t_span``, and
    ``progress`` are as for :func:`converge`.

    >>> polhode.diagnose("lie-verlet").disagreements
    []
    """
    if situation is None and body is None:
        situation = "asymmetric-top-tilted"
    name = text("method", getattr(method, "name", method))
    return Diagnosis(_core.diagnose(_situation(situation, body, torque, start, t_span), name, _progress(progress)))


class Reproduction:
    """The papers measured again, as :func:`reproduce` returns it: ``results``, a dictionary for each experiment.

    >>> papers = polhode.reproduce("buss-figure-5")
    >>> papers.results[0]["title"]
    'Energy after 4 s with large steps'
    >>> papers.verdicts[0]["item"], papers.verdicts[0]["published"], papers.verdicts[0]["verdict"]
    ('theta-0.004', '16.3', 'reproduced')
    """

    def __init__(self, results: List[Dict[str, Any]]) -> None:
        self.results = results

    @property
    def verdicts(self) -> List[Verdict]:
        """Every number and every claim with its ``verdict``, in one list of dictionaries."""
        entries: List[Any] = [dict(experiment=result["experiment"], **entry) for result in self.results
                              for kind in ("items", "claims") for entry in result[kind]]
        return entries

    def __repr__(self) -> str:
        return f"<reproduction of {len(self.results)} experiments, {len(self.verdicts)} verdicts>"

    def _repr_html_(self) -> str:
        from .display_studies import reproduction_html
        return reproduction_html(self.verdicts)


def _experiments_folder(given: Path | None) -> str:
    here = os.path.dirname(os.path.realpath(__file__))
    places = [path("experiments", given)] if given is not None else ["experiments", os.path.join(here, "experiments"),
                                                os.path.join(here, "..", "..", "experiments")]
    for place in places:
        if os.path.isdir(place):
            return place
    raise FileNotFoundError(f"experiments: there is no folder {places[0]!r}; name the one that has them")


def reproduce(names: Names | None = None, *, set: ExperimentSet = "quick", output: Path | None = None,
              experiments: Path | None = None, threads: int | None = None) -> Reproduction:
    """Measures the papers' tables, figures and claims again, as ``polhode reproduce`` does.

    ``names``: experiments, or what their names begin with (default: all of the ``set``: quick, standard or long).
    Curves go to ``output``, a folder (default: nowhere). Claims whose evidence is a test program are "not run".
    ``experiments`` is the folder that has the experiments (default: that of the source tree or of the installed
    module), ``threads`` how many run at once (default: as many as there are cores).

    >>> polhode.reproduce("buss-figure-5").results[0]["experiment"]
    'buss-figure-5'
    """
    import tempfile
    folder = _experiments_folder(experiments)
    every = _core.experiment_names(os.fsencode(folder))
    wanted = every if names is None else []
    for name in _names("names", names):
        found = [one for one in every if one == name or one.startswith(name + "-")]
        if not found:
            raise ValueError(f"names: there is no experiment {shown(name)} in '{folder}'")
        wanted += [one for one in found if one not in wanted]
    threads = whole("threads", threads, most=2**31 - 1) if threads is not None else max(1, os.cpu_count() or 1)
    if not isinstance(set, str) or set not in ("quick", "standard", "long"):
        raise ValueError(f"set: {shown(set)} is none of quick, standard and long")
    given_output = None if output is None else path("output", output)
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in wanted:
            place = os.path.join(scratch if given_output is None else given_output, name)
            os.makedirs(place, exist_ok=True)
            measured = _core.conducted(os.fsencode(os.path.join(folder, name)), set, os.fsencode(place), threads)
            if measured:
                results.append(json.loads(measured))
    return Reproduction(results)
