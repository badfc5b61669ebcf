"""A motion that is stepped by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, List, Tuple

from . import _core
from ._checks import flag, number, whole
from .solve import _request
from .state import State

if TYPE_CHECKING:
    from .hints import BodyLike, Events, Floats, OnFailure, Scalar, StartLike, Torques
    from .records import Work

__all__ = ["Simulation"]


class Simulation:
    """The same as :func:`solve`, followed as far as you say and then further.

    ``body``, ``torque``, ``start``, ``events`` and what follows are as for :func:`solve`. The start is at ``t0`` [s],
    and ``backwards=True`` goes from there into the past. ``scalar_first`` is where the scalar of its quaternions
    stands.

    >>> sim = polhode.Simulation([1, 2, 3], start=[0.1, 1, 0.1], method="rkmk-4", step=0.01)
    >>> sim.advance_to(1.0)
    >>> round(sim.t, 9), sim.attitude.shape
    (1.0, (4,))
    >>> saved = sim.save()
    >>> sim.advance_to(2.0); later = sim.y
    >>> sim.restore(saved); sim.advance_to(2.0)
    >>> bool((sim.y == later).all())
    True
    """

    def __init__(self, body: BodyLike, torque: Torques | None = None, start: StartLike | None = None, t0: float = 0.0,
                 method: str = "rkmk-4", *, step: float | None = 0.01, tolerance: float | None = None,
                 events: Events | None = None, scalar: Scalar = "double", on_failure: OnFailure | None = None,
                 parameters: Mapping[str, float] | None = None, backwards: bool = False,
                 scalar_first: bool = True) -> None:
        t0, backwards = number("t0", t0), flag("backwards", backwards)
        span = abs(number("step", step)) if step is not None else 0.01
        end = t0 + (-1 if backwards else 1) * (span or 0.01)
        if end == t0 or abs(end) == float("inf"):
            raise ValueError(f"step: {span} s and t0, {t0} s, are too far apart for numbers of double precision")
        request, self.body, self._event_names = _request(
            body, torque, start, (t0, end),
            {"method": method, "step": step, "tolerance": tolerance, "scalar": scalar, "on_failure": on_failure,
             "parameters": parameters}, scalar_first=scalar_first, events=events)
        self.scalar_first, self._backwards = bool(scalar_first), backwards
        self._stepped, self._kept = _core.Stepped(request), request.kept

    def advance_to(self, t: float) -> None:
        """Whole steps of its own, until the time [s] is reached or passed, or a terminal event happened."""
        self._stepped.advance_to(number("t", t))

    def advance(self, steps: int = 1) -> None:
        """So many steps."""
        steps = whole("steps", steps, " of steps")
        half_short = number("steps", steps) - 0.5
        self.advance_to(number("steps: the time after them", self.t + (-1 if self._backwards else 1) * half_short * self.step))

    def at(self, t: float) -> State:
        """The state at a time within the last step, at the order of the method."""
        row = self._stepped.columns_at(number("t", t))
        return State(row[1:5], row[5:8], row[0], scalar_first=self.scalar_first)

    @property
    def t(self) -> float:
        """The time [s]."""
        return self._stepped.time

    @property
    def y(self) -> Floats:
        """Quaternion and angular velocity in body axes, (7,)."""
        return self._stepped.columns()[1:8]

    @property
    def attitude(self) -> Floats:
        """The quaternion that takes body axes to space, (4,)."""
        return self._stepped.columns()[1:5]

    @property
    def angular_velocity(self) -> Floats:
        """In body axes [rad/s], (3,)."""
        return self._stepped.columns()[5:8]

    @property
    def momentum(self) -> Floats:
        """The angular momentum in space [kg m^2/s], (3,)."""
        return self._stepped.columns()[8:11]

    @property
    def energy(self) -> float:
        """Kinetic and, where the torque has one, potential [J]."""
        return float(self._stepped.columns()[11])

    @property
    def ended(self) -> bool:
        """Whether a terminal event happened: there are no steps after it."""
        return self._stepped.ended

    @property
    def events(self) -> List[Tuple[str, float]]:
        """What has happened: names and times [s]."""
        return self._stepped.events()

    @property
    def work(self) -> Work:
        """Evaluations of the torque, and iterations of the equations of implicit steps, so far."""
        return self._stepped.work

    @property
    def method(self) -> str:
        """The name of the method."""
        return self._stepped.method

    @property
    def step(self) -> float:
        """The size of a step [s]."""
        return self._stepped.step

    @property
    def state(self) -> State:
        """Where the motion is, a start for another simulation or for :func:`solve`."""
        return State(self.attitude, self.angular_velocity, self.t, scalar_first=self.scalar_first)

    def save(self) -> bytes:
        """Bytes with all that a simulation made alike needs to go on with the same bits."""
        return self._stepped.save()

    def restore(self, saved: bytes | bytearray) -> None:
        """Goes to where ``saved`` was; refuses what a simulation of another motion, method or step has saved."""
        if not isinstance(saved, (bytes, bytearray)):
            raise TypeError(f"saved: {type(saved).__name__} where the bytes of save() are wanted")
        self._stepped.restore(bytes(saved))

    def __reduce__(self) -> str:
        raise TypeError("a Simulation is neither copied nor pickled; save() has bytes from which one made alike goes on")

    def __repr__(self) -> str:
        return f"<Simulation by {self.method} at t = {self.t:.9g} s>"
