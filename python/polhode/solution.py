"""What solve() returns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from . import _core
from ._checks import array
from .state import State, _to_scipy

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

    from ._core import _Answer, _Seen
    from ._kept import Kept
    from .body import Body
    from .hints import Floats, Times

__all__ = ["Event", "PolhodeWarning", "Solution"]


class PolhodeWarning(UserWarning):
    """What the library says of a result that may not be what was wanted; also in ``Solution.warnings``.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 20), method="lie-verlet", step=5)
    >>> said[0].category.__name__, sol.warnings[0].split(";")[1]
    ('PolhodeWarning', ' beyond 1 rad a step the result of lie-verlet may be far off: take steps of 0.4 s or less')
    """


class Event:
    """Where an event's function changes its sign: ``name``, ``t`` [s], ``y`` (7,), whether ``rising`` and ``terminal``.

    >>> sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 20), events="wy")
    >>> first = sol.events[0]
    >>> first.name, first.rising, bool(abs(first.y[5]) < 1e-12)
    ('wy', False, True)
    """

    def __init__(self, seen: _Seen) -> None:
        self.name, self.t, self.y = seen["name"], seen["t"], seen["y"]
        self.rising, self.terminal = seen["rising"], seen["terminal"]

    def __repr__(self) -> str:
        return f"<event {self.name} at t = {self.t:.9g}, {'rising' if self.rising else 'falling'}>"


class Motion:
    """A motion at any time of a run; ``sol(t)`` is (7,) for a number and (7, n) for an array.

    Between steps it has the order of the method. Nothing is stored but where the run was now and then: to find a time,
    the steps from the mark before it are made again. One that was pickled makes all of them again, once, when it is
    asked for the first time.
    """

    def __init__(self, motion: _core.Motion | str, t_min: float, t_max: float, scalar_first: bool,
                 kept: Sequence[Kept] = ()) -> None:
        self._motion, self.t_min, self.t_max, self._scalar_first, self._kept = motion, t_min, t_max, scalar_first, kept

    def __call__(self, t: Times) -> Floats:
        """The motion at a time [s] or at several."""
        times = array("t", t)
        if times.ndim > 1:
            raise ValueError(f"t: an array of shape {times.shape}, where a number or (n,) is wanted")
        if isinstance(self._motion, str):
            self._motion = _core.made_again(self._motion, self._scalar_first)
        y = self._motion.at(np.atleast_1d(times).tolist())
        return y[:, 0] if times.ndim == 0 else y

    def __reduce__(self) -> Tuple[type[Motion], Tuple[str, float, float, bool]]:
        scenario = self._motion if isinstance(self._motion, str) else self._motion.toml()
        return Motion, (scenario, self.t_min, self.t_max, self._scalar_first)

    def __copy__(self) -> Motion:
        return self

    def __deepcopy__(self, memo: object) -> Motion:
        return self             # nothing can change it


class Solution:
    """A motion, with the names of ``scipy.integrate.solve_ivp`` and those of rigid bodies.

    ``t`` (n,) [s]; ``y`` (7, n), quaternion and angular velocity [rad/s] in the body's axes; ``sol``, the motion at any
    time, or None; ``t_events`` and ``y_events``, lists with an array for each event asked for; ``events``, all of them
    in order; ``nfev``, evaluations of the torque; ``status``, 0 at the end, 1 at a terminal event, 2 where a guard
    ended the run, -1 where a step failed; ``message``; ``success``, whether status is 0 or 1.

    ``attitude`` (n, 4); ``angular_velocity`` (n, 3), body axes; ``momentum`` (n, 3), space [kg m^2/s]; ``energy`` (n,)
    [J], kinetic and potential; ``energy_conserved``, whether the exact motion keeps it; ``attitude_error`` [rad] and
    ``momentum_error`` [kg m^2/s] at the end, where a reference is known, or None; ``columns``, more of them by name;
    ``end``, the last state; ``rotation()``.

    ``method``, ``step`` [s] and ``steps``, how many; ``explanation``, why "auto" chose them; ``seconds``, how long it
    took; ``warnings``; ``info``, all that ``polhode run --json`` prints; ``body``, ``title``, ``scalar_first`` and
    ``event_names``, what was asked for.

    It can be copied and pickled; ``sol`` of a torque or an event that is a function of yours cannot be pickled.

    >>> sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 20), method="rkmk-4", step=0.1, events="wy")
    >>> sol
    message: The end of t_span was reached.
    method: rkmk-4
    t: 0 … 20 s in 200 steps, 201 rows
    nfev: 0
    success: True
    attitude_error: ...
    >>> sol.y.shape, sol.attitude.shape, sol.columns["E[J]"].shape
    ((7, 201), (201, 4), (201,))
    >>> sol.sol(sol.t_events[0]).shape[0]       # the motion where wy changes its sign
    7
    >>> ax = polhode.plot.trajectory(sol)
    """

    def __init__(self, answer: _Answer, *, body: Body, title: str, scalar_first: bool, event_names: List[str],
                 kept: Sequence[Kept] = ()) -> None:
        self._rows, self._headers = answer["rows"], answer["headers"]
        self._end = answer["all_rows"][-1].copy()       # which t_eval may have left out
        self._outcome: _core.Outcome | None = answer["outcome"]
        self._info: Dict[str, Any] | None = None
        self._errors: Tuple[float | None, float | None] | None = None
        self.body, self.title, self.scalar_first = body, title, bool(scalar_first)
        self.method, self.step, self.steps = answer["method"], answer["step"], answer["steps"]
        self.warnings = answer["warnings"]
        self.events = [Event(seen) for seen in answer["events"]]
        self.t_events = [np.array([e.t for e in self.events if e.name == name]) for name in event_names]
        self.y_events = [np.array([e.y for e in self.events if e.name == name]).reshape(-1, 7) for name in event_names]
        self.event_names = list(event_names)
        self.nfev, self.seconds = answer["torque_evaluations"], answer["seconds"]
        self.energy_conserved = answer["energy_conserved"]
        self.explanation = answer["explanation"]
        self.status, self.message = self._ending(answer)
        self.success = self.status in (0, 1)
        motion = answer["motion"]
        self.sol = Motion(motion, float(answer["all_rows"][0, 0]), float(self._end[0]), self.scalar_first, kept) if motion is not None else None

    def _ending(self, answer: _Answer) -> Tuple[int, str]:
        status = answer["status"]
        if status == "finished":
            return 0, "The end of t_span was reached."
        if status == "event":
            return 1, f"The terminal event '{self.events[-1].name}' happened."
        if status == "failed":
            return -1, str(answer["failure"])
        return 2, answer["incomplete"]

    def _column(self, header: str, width: int = 1) -> Floats:
        at = self._headers.index(header)
        return self._rows[:, at] if width == 1 else self._rows[:, at:at + width]

    @property
    def t(self) -> Floats:
        """The times of the rows [s], (n,)."""
        return self._rows[:, 0]

    @property
    def y(self) -> Floats:
        """Quaternion and angular velocity in body axes, a column for each time, (7, n)."""
        return self._column("qw", 7).T

    @property
    def attitude(self) -> Floats:
        """Quaternions that take body axes to space, (n, 4)."""
        return self._column("qw", 4)

    @property
    def angular_velocity(self) -> Floats:
        """In body axes [rad/s], (n, 3)."""
        return self._column("wx_B[rad/s]", 3)

    @property
    def momentum(self) -> Floats:
        """The angular momentum in space [kg m^2/s], (n, 3)."""
        return self._column("Lx_S[kg m^2/s]", 3)

    @property
    def energy(self) -> Floats:
        """Kinetic and, where the torque has one, potential [J], (n,)."""
        return self._column("E[J]")

    def _measured(self) -> Tuple[float | None, float | None]:
        """The errors at the end, of attitude and momentum. A closed form would take longer than many a run."""
        if self._errors is None:
            self._errors = (None, None) if self._outcome is None else self._outcome.errors()
        return self._errors

    @property
    def attitude_error(self) -> float | None:
        """Of the attitude at the end [rad], where a reference is known."""
        return self._measured()[0]

    @property
    def momentum_error(self) -> float | None:
        """Of the momentum at the end [kg m^2/s], where a reference is known."""
        return self._measured()[1]

    @property
    def columns(self) -> Dict[str, Floats]:
        """Every column of the result by its header, units included; quantities by their names."""
        return {header: self._rows[:, i] for i, header in enumerate(self._headers)}

    @property
    def info(self) -> Dict[str, Any]:
        """All that ``polhode run --json`` prints."""
        if self._info is None and self._outcome is not None:
            self._info = dict(json.loads(self._outcome.json()))
        return self._info or {}

    def __getstate__(self) -> Dict[str, Any]:
        """Of the library's own memory nothing can be copied or pickled, but what it says can."""
        return {**self.__dict__, "_info": self.info, "_errors": self._measured(), "_outcome": None}

    @property
    def end(self) -> State:
        """The state in which the run ended, a start for another solve()."""
        at = [self._headers.index(header) for header in ("qw", "wx_B[rad/s]")]
        return State(self._end[at[0]:at[0] + 4], self._end[at[1]:at[1] + 3], self._end[0],
                     scalar_first=self.scalar_first)

    def rotation(self) -> Rotation:
        """The attitudes as a ``scipy.spatial.transform.Rotation``."""
        return _to_scipy(self.attitude, self.scalar_first)

    def __repr__(self) -> str:
        range_of = f"{self.t[0]:.9g} … {self.t[-1]:.9g} s" if len(self.t) else "none of those asked for"
        lines = [f"message: {self.message}", f"method: {self.method}", f"t: {range_of} in {self.steps} steps, "
                 f"{len(self.t)} rows", f"nfev: {self.nfev}", f"success: {self.success}"]
        if self.attitude_error is not None:
            lines.append(f"attitude_error: {self.attitude_error:.3g} rad")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from .display import solution_html
        return solution_html(self)


