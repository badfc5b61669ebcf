"""The free body in closed form."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

from . import _core
from ._checks import array, flag, number
from .solve import _request, _start_table

if TYPE_CHECKING:
    from .hints import BodyLike, Floats, StartLike, Times

__all__ = ["FreeRotor"]


class FreeRotor:
    """A free body at any time of either sign, attitude included: no steps, no drift.

    ``rotor(t)`` is y, (7,) for a number and (7, n) for an array: quaternion and angular velocity in body axes.
    ``body``, ``start`` and ``scalar_first`` are as for :func:`solve`, and the start is at ``t0`` [s]. ``farthest`` is
    the longest time that will be asked for, as far as it is known: times by which the body turns by more than 1000 rad
    then cost no more than others.

    >>> rotor = polhode.FreeRotor([1, 2, 3], start={"angular_velocity_body": [0.1, 1, 0.1]})
    >>> rotor(np.linspace(0, 1e4, 1000)).shape
    (7, 1000)
    >>> before = rotor(-1.0)              # the past, too
    >>> before.shape
    (7,)
    """

    def __init__(self, body: BodyLike, start: StartLike | None = None, t0: float = 0.0, *, farthest: float = 0.0,
                 scalar_first: bool = True) -> None:
        t0, farthest = number("t0", t0), number("farthest", farthest)
        scalar_first = flag("scalar_first", scalar_first)
        start = _start_table(start, scalar_first, t0)
        some_end = t0 / 2 if abs(t0) > 1 else t0 + 1.0
        request, self.body, _ = _request(body, None, start, (t0, some_end), {"method": "free-exact"},
                                         scalar_first=scalar_first)
        self.scalar_first, self._made_of = scalar_first, (start, t0, farthest)
        self._rotor = _core.Rotor(request, abs(farthest))

    def __call__(self, t: Times) -> Floats:
        """The motion at a time [s] or at several."""
        times = array("t", t)
        if times.ndim > 1:
            raise ValueError(f"t: an array of shape {times.shape}, where a number or (n,) is wanted")
        if not np.all(np.isfinite(times)):
            raise ValueError("t: every time must be finite")
        y = self._rotor.at(np.atleast_1d(times))
        return y[:, 0] if times.ndim == 0 else y

    def __reduce__(self) -> Tuple[Any, ...]:
        start, t0, farthest = self._made_of
        return functools.partial(FreeRotor, self.body, start, t0, farthest=farthest, scalar_first=self.scalar_first), ()
