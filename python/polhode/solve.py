"""solve() and load(): from arguments to a motion."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple

import numpy as np

from . import _core
from ._checks import UNREADABLE, array, flag, listed, mapping, number, path, shown, text, whole
from ._kept import Kept
from .body import Body, _as_body
from .solution import PolhodeWarning, Solution
from .state import State
from .torques import _as_torques

if TYPE_CHECKING:
    from .hints import (BodyLike, Event, Events, Floats, Goal, Names, Numbers, OnFailure, Path, Scalar, Span, StartLike,
                        Torques)

__all__ = ["load", "solve", "Loaded"]

MOTION_KEYS = ("angular_velocity_body", "angular_velocity_spatial", "angular_momentum_body",
               "angular_momentum_spatial")
ATTITUDE_KEYS = ("attitude_wxyz", "attitude_xyzw", "rotation_matrix", "rotation_vector", "mrp", "direction")


def _start_table(start: StartLike | None, scalar_first: bool, begin: float) -> Dict[str, Any]:
    if start is None:
        return {"angular_velocity_body": [0.0, 0.0, 0.0]}
    if isinstance(start, State):
        key = "attitude_wxyz" if start.scalar_first else "attitude_xyzw"
        return {key: start.attitude, "angular_velocity_body": start.angular_velocity}
    if isinstance(start, Mapping):
        table = mapping("start", start)
        time = table.pop("time", None)
        if time is not None and number("start['time']", time) != begin:
            raise ValueError(f"start: its time is {time} and t_span begins at {begin}; leave one of them out")
        for key, value in table.items():
            if hasattr(value, "as_quat"):  # scipy's Rotation, whichever attitude it is given for
                raise TypeError(f"start: {text('start', key)} is a Rotation; give polhode.State(rotation, angular_velocity)")
        if not any(key in table for key in MOTION_KEYS) and all(key in ATTITUDE_KEYS for key in table):
            table["angular_velocity_body"] = [0.0, 0.0, 0.0]
        return table
    y: Floats | None
    try:
        y = array("start", start)
    except TypeError:
        y = None
    if y is not None and y.shape == (7,):
        return {"attitude_wxyz" if scalar_first else "attitude_xyzw": y[:4], "angular_velocity_body": y[4:]}
    if y is not None and y.shape == (3,):
        return {"angular_velocity_body": y}
    raise TypeError(f"start: {shown(start)} is no start; give a mapping such as {{'angular_velocity_body': [0, 3, 0]}}, a "
                    "polhode.State, a column of y, or three numbers, the angular velocity in body axes")


def _span(t_span: Span) -> Tuple[float, float]:
    try:
        begin, end = t_span
    except UNREADABLE:
        raise TypeError(f"t_span: {shown(t_span)} is not two times, such as (0, 100)") from None
    begin, end = number("t_span", begin), number("t_span", end)
    if begin == end:
        raise ValueError(f"t_span: ({begin}, {end}) has no length")
    return begin, end


def _times(t_eval: Numbers | None, sign: int | None = None) -> Floats | None:
    """In the direction of the run, 1 or -1, as solve_ivp wants them, where that is known."""
    if t_eval is None:
        return None
    times = array("t_eval", t_eval)
    if times.ndim != 1 or times.size == 0:
        raise ValueError(f"t_eval: an array of shape {times.shape}, where (n,) with at least one time is wanted")
    if not np.all(np.isfinite(times)):
        raise ValueError("t_eval: every time must be finite")
    if sign is not None:
        late = np.flatnonzero(sign * np.diff(times) <= 0)
        if late.size:
            before, after = times[late[0]], times[late[0] + 1]
            raise ValueError(f"t_eval: {after} s stands after {before} s; give every time once, in the order from the "
                             "begin of t_span to its end")
    return times


def _direction(value: Any) -> str:
    if isinstance(value, str):
        return value
    sign = 0.0 if value is None else number("events: the direction", value)
    return "rising" if sign > 0 else "falling" if sign < 0 else "both"


def _events(events: Events | None) -> Tuple[List[Dict[str, Any]], List[Dict[str, Any]], List[str]]:
    """(tables of a scenario file, specifications of functions, all names in order)."""
    if events is None:
        return [], [], []
    if callable(events) or isinstance(events, (str, Mapping)):
        events = [events]
    tables: List[Dict[str, Any]] = []
    functions: List[Dict[str, Any]] = []
    names: List[str] = []
    for i, event in enumerate(listed("events", events)):
        if isinstance(event, str):
            event = {"name": event, "when": event}
        if isinstance(event, Mapping):
            table = mapping("events", event)
            table.setdefault("name", text("events", table.get("when", f"event {i}")))
            if "direction" in table:
                table["direction"] = _direction(table["direction"])
            tables.append(table)
            names.append(text("events", table["name"]))
        elif callable(event):
            name = text("events", getattr(event, "__name__", f"event {i}"))
            while name in names:
                name += "'"
            direction = _direction(getattr(event, "direction", 0))
            if direction not in ("both", "rising", "falling"):
                raise ValueError(f"events: the direction {direction!r} of {name} is none of rising, falling and both")
            functions.append({"name": name, "function": _of_two(event), "direction": direction,
                              "terminal": flag("events: terminal", getattr(event, "terminal", False))})
            names.append(name)
        else:
            raise TypeError(f"events: {shown(event)} is no event; give an expression such as 'Rzz - 0.5', a mapping with "
                            "name, when, direction and terminal, or a function event(t, y)")
    return tables, functions, names


def _of_two(event: Event) -> Callable[..., Any]:
    """event(t, y), or event(t, q, w) as torques are."""
    try:
        count = len([p for p in inspect.signature(event).parameters.values()
                     if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)])
    except (TypeError, ValueError):
        count = 2
    if count != 3:
        return event
    function: Callable[..., Any] = event
    return lambda t, y: function(t, y[:4], y[4:])


def _request(body: BodyLike, torque: Torques | None, start: StartLike | None, t_span: Span, run: Dict[str, Any], *,
             scalar_first: bool, events: Events | None = None, quantities: Mapping[str, str] | None = None,
             columns: Names | None = None, ensemble: Tuple[Dict[str, Any], Dict[str, str]] | None = None,
             ) -> Tuple[_core.Request, Body, List[str]]:
    """A request of the library, the body, and the events' names. ``run`` becomes the table of that name; what is None in it
    counts as not given."""
    begin, end = _span(t_span)
    scalar_first = flag("scalar_first", scalar_first)
    body = _as_body(body)
    torque_tables, torque_functions = _as_torques(torque)
    event_tables, event_functions, event_names = _events(events)
    start_table = _start_table(start, scalar_first, begin)
    if not isinstance(run["method"], str):
        raise TypeError(f"method: {shown(run['method'])} is not a name; polhode.methods() lists them")
    run["duration"] = end - begin
    tables: Dict[str, Any] = {"body": body._table(), "start": {**start_table, "time": begin}, "run": run}
    if torque_tables:
        tables["torque"] = torque_tables
    if event_tables:
        tables["event"] = event_tables
    if quantities is not None:
        tables["quantities"] = mapping("quantities", quantities)
    output: Dict[str, Any] = {}
    if columns is not None:
        output["columns"] = [columns] if isinstance(columns, str) else listed("columns", columns)
        if not any(isinstance(name, str) and name == "standard" for name in output["columns"]):
            output["columns"].insert(0, "standard")
    if output:
        tables["output"] = output
    if ensemble is not None:
        tables["ensemble"] = ensemble[0]
    kept = []       # the library has weak references to them, or an address: whoever has the motion has these, too
    for one in (*torque_functions, *event_functions):
        kept.append(Kept(one["function"] if "function" in one else one["owner"]))
        if "function" in one:
            one["function"] = kept[-1]
    names = {} if ensemble is None else ensemble[1]
    request = _core.make_request(tables, names, torque_functions, event_functions, scalar_first)
    request.kept = kept
    return request, body, event_names


def solve(body: BodyLike, torque: Torques | None = None, start: StartLike | None = None,
          t_span: Span = (0.0, 100.0), method: str = "auto", *, step: float | None = None,
          tolerance: float | None = None, t_eval: Numbers | None = None, every: int = 1, dense_output: bool = True,
          events: Events | None = None, quantities: Mapping[str, str] | None = None, columns: Names | None = None,
          stop_when: str | None = None, scalar: Scalar = "double", on_failure: OnFailure | None = None,
          goal: Goal | None = None, step_scale: str | None = None, parameters: Mapping[str, float] | None = None,
          reference: bool | None = None, sensitivities: Names | None = None, max_steps: int | None = None,
          max_time: float | None = None, scalar_first: bool = True) -> Solution:
    """Integrates the rotation of a body, and returns a :class:`Solution`.

    body
        Three principal moments [kg m^2], a symmetric 3 x 3 tensor, or a :class:`Body`. "Body axes" are those it is told
        in.
    torque
        None for a free body; a mapping with the keys of a scenario file (``polhode.torque_kinds()`` has them all); a
        function f(t, q, w) that returns the torque in body axes [N m] at a quaternion and an angular velocity in body
        axes; a compiled function (:func:`compiled`); or a list of these, which add up.
    start
        A mapping with the keys of a scenario file, such as ``{"attitude_wxyz": …, "angular_velocity_body": …}``; a
        :class:`State`; a column of ``y``; or an angular velocity in body axes [rad/s].
    t_span
        Begin and end [s]; an end before the begin runs backwards.
    method, step, parameters
        The name of a method (``polhode.methods()`` lists them), its step [s], and numbers that it lets you choose, by
        name.
    tolerance, goal
        "auto" chooses method and step for a ``tolerance``, the attitude error at the end [rad] (1e-6), by trials.
        ``goal`` is what it saves: "time", "torque-evaluations", or time among the methods that keep the "energy".
        Methods that take a tolerance themselves (picard-lobatto-8, taylor-adaptive) take it here.
    t_eval, every
        Times of the rows. The steps stay as they are: within them the motion has the order of the method. Without it
        there is a row at every ``every``-th step.
    dense_output
        Whether ``sol.sol(t)`` shall know the motion at any time.
    events, stop_when
        Expressions ("Rzz - 0.5"), mappings with ``name``, ``when``, ``direction`` and ``terminal``, or functions
        event(t, y) with attributes ``terminal`` and ``direction``, as scipy has them. The run ends where the condition
        ``stop_when`` ("wz < 0.1 and t > 5") comes true.
    quantities, columns
        Named expressions, and names of groups of columns, that are columns of the result.
    scalar, scalar_first
        What the library calculates in: "float", "double", "long-double" or "quad". Whether the scalar of quaternions is
        their first number, or the last.
    reference, sensitivities
        True for errors at the end where none are known without a reference. Names of what to differentiate the end by
        ("start", "inertia", "torque"); the answer is in ``sol.info``.
    on_failure, step_scale, max_steps, max_time
        "halve" takes a step that fails again in halves. An expression, for methods that choose their steps in
        proportion to it. Guards, in steps and in seconds of waiting, that end the run with status 2.

    >>> sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 10), method="mclachlan-reich-231", step=0.01,
    ...                     t_eval=np.linspace(0, 10, 5), events="wy")
    >>> sol.t
    array([ 0. ,  2.5,  5. ,  7.5, 10. ])
    >>> sol.attitude_error < 1e-3, len(sol.t_events[0]) > 0
    (True, True)

    A top with friction, which falls until its axis is horizontal:

    >>> top = {"kind": "heavy-top", "weight_times_arm": 0.5}
    >>> def friction(t, q, w):
    ...     return -0.05 * w
    >>> start = {"rotation_vector": [0.3, 0, 0], "angular_velocity_body": [0, 0, 5]}
    >>> sol = polhode.solve([1, 1, 0.5], [top, friction], start, (0, 60), tolerance=1e-6, stop_when="Rzz < 0")
    >>> sol.status, bool(sol.energy[-1] < sol.energy[0])
    (1, True)
    """
    begin, end = _span(t_span)
    run = {"method": method, "step": step, "tolerance": tolerance, "stop_when": stop_when, "scalar": scalar,
           "on_failure": on_failure, "goal": goal, "step_scale": step_scale, "parameters": parameters,
           "reference": reference, "max_steps": max_steps, "max_time": max_time,
           "sensitivities": [sensitivities] if isinstance(sensitivities, str) else sensitivities}
    request, body, event_names = _request(body, torque, start, (begin, end), run, scalar_first=scalar_first, events=events,
                                          quantities=quantities, columns=columns)
    if stop_when is not None:
        event_names = [*event_names, "stop_when"]
    return _solved(request, body, "", scalar_first, event_names, dense_output, every,
                   _times(t_eval, 1 if end > begin else -1))


def _solved(request: _core.Request, body: Body, title: str, scalar_first: bool, event_names: List[str],
            dense_output: bool, every: int, times: Floats | None) -> Solution:
    answer = _core.solve(request, flag("dense_output", dense_output), times, whole("every", every, " of steps"))
    answer["all_rows"] = answer["rows"]
    if times is not None:
        answer["rows"] = _asked_for(answer["rows"], times, answer["steps"])
    for sentence in answer["warnings"]:
        warnings.warn(sentence, PolhodeWarning, stacklevel=3)
    return Solution(answer, body=body, title=title, scalar_first=scalar_first, event_names=event_names,
                    kept=request.kept)


def _asked_for(rows: Floats, times: Floats, steps: int) -> Floats:
    """A row for each time that the run has reached. The library adds the start and the end, and has one row for times
    that differ by less than 1e-9 of a step."""
    t = rows[:, 0]
    sign = -1 if t[-1] < t[0] or times[-1] < times[0] else 1
    near = 1e-8 * abs(t[-1] - t[0]) / max(steps, 1) + 8 * np.finfo(float).eps * np.abs(times)
    after = np.clip(np.searchsorted(sign * t, sign * times), 1 if len(t) > 1 else 0, len(t) - 1)
    nearest = after - (np.abs(times - t[after - 1]) < np.abs(times - t[after]))
    reached = np.abs(times - t[nearest]) <= near
    asked, times = nearest[reached], times[reached]
    if asked.size and asked[-1] - asked[0] + 1 == asked.size and np.all(np.diff(asked) == 1):
        rows = rows[asked[0]:asked[-1] + 1]     # without a copy
    else:
        rows = rows[asked]
    rows[:, 0] = times
    return rows


def _request_of(argument: str, name: str) -> _core.Request:
    """Of a file or a problem."""
    try:
        return _core.request_of(os.fsencode(name))
    except ValueError as error:
        if not name.startswith("problem:"):     # a sentence on what is in a file begins with its name
            raise
        raise ValueError(f"{argument}: {error}") from None


class Loaded:
    """A scenario, from a file, a result or a problem; ``solve()`` it, or study it.

    >>> top = polhode.load("problem:fast-top")
    >>> top.solve(method="mclachlan-reich-231", step=0.001, t_span_end=0.1).success
    True
    """

    def __init__(self, name: str) -> None:
        self._name = path("name", name)
        self._read()

    def _read(self) -> _core.Request:
        return _request_of("name", self._name)

    @property
    def toml(self) -> str:
        """The scenario as a file would have it."""
        return self._read().toml

    @property
    def title(self) -> str:
        """What it is called: the name of the file or of the problem."""
        return self._read().title

    def _with(self, **changes: object) -> _core.Request:
        request = self._read()
        for key, value in changes.items():
            if value is None:
                continue
            dotted = {"t_span_end": "run.duration", "columns": "output.columns"}.get(key, f"run.{key}")
            values = value if isinstance(value, (list, tuple)) else [value]
            request.override(dotted, key, ",".join(repr(float(one)) if isinstance(one, float) else text(key, one)
                                                   for one in values))
        return request

    def solve(self, *, method: str | None = None, step: float | None = None, tolerance: float | None = None,
              t_span_end: float | None = None, scalar: Scalar | None = None, t_eval: Numbers | None = None,
              every: int = 1, dense_output: bool = True) -> Solution:
        """As :func:`solve`, with what the scenario says wherever nothing else is given; ``t_span_end`` is how long. A
        scenario that names no method, as problems do, is solved by "auto"."""
        import json
        request = self._with(method=method, step=step, tolerance=tolerance, t_span_end=t_span_end, scalar=scalar)
        if not request.method:
            request.override("run.method", "method", "auto")
        times = _times(t_eval)
        answer = _core.solve(request, flag("dense_output", dense_output), times,
                             whole("every", every, " of steps"))
        answer["all_rows"] = answer["rows"]
        if times is not None:
            backwards = answer["rows"][-1, 0] < answer["rows"][0, 0]
            _times(times, -1 if backwards else 1)
            answer["rows"] = _asked_for(answer["rows"], times, answer["steps"])
        for sentence in answer["warnings"]:
            warnings.warn(sentence, PolhodeWarning, stacklevel=2)
        names = list(dict.fromkeys(event["name"] for event in answer["events"]))
        inertia = json.loads(request.setup_json)["inertia"]
        return Solution(answer, body=Body(inertia), title=request.title, scalar_first=True, event_names=names)

    def __repr__(self) -> str:
        return f"<scenario {self.title}>"


def load(name: Path) -> Loaded:
    """A scenario file (.toml), a result (.h5), or a benchmark problem ("problem:NAME"; ``problems()`` lists them).

    ``name`` is its path or the problem's name. What is loaded can be solved, and studied by :func:`converge` and the
    like.

    >>> polhode.load("problem:asymmetric-top")
    <scenario asymmetric-top>
    """
    return Loaded(path("name", name))
