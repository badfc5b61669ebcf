"""Rigid bodies by what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterable, Tuple

import numpy as np

from ._checks import array, finite, flag, listed, number, shown

if TYPE_CHECKING:
    from .hints import BodyLike, Floats, Numbers, Rows, WheelTable

__all__ = ["Body"]

KEYS = ("inertia", "wheels", "unphysical")
NO_WHEELS: Tuple[Dict[str, Any], ...] = ()


def _positive(name: str, value: Any) -> float:
    taken = number(name, value)
    if taken <= 0:
        raise ValueError(f"{name}: {taken} must be positive")
    return taken


def _squared(name: str, lengths: Numbers) -> Floats:
    """Of three lengths; one of a plate may be zero."""
    taken = finite(name, lengths, (3,))
    if np.any(taken < 0):
        raise ValueError(f"{name}: {taken.tolist()} must not be negative")
    return taken**2


def _wheels(given: Any) -> Tuple[Dict[str, Any], ...]:
    if given is NO_WHEELS:
        return NO_WHEELS
    try:
        return tuple(dict(wheel) for wheel in ([given] if isinstance(given, Mapping) else listed("wheels", given)))
    except (TypeError, ValueError):
        raise TypeError(f"wheels: {shown(given)} are not mappings with axis, inertia and speed") from None


class Body:
    """A rigid body: its moments of inertia, about its centre of mass, and wheels inside.

    ``inertia`` is three principal moments or a symmetric 3 x 3 tensor [kg m^2], in the body's axes. ``wheels`` are
    mappings with ``axis``, ``inertia``, ``speed`` and perhaps ``torque``; the body's inertia includes them, locked.
    Whether the numbers can be a body's is checked where it is used; ``unphysical=True`` lets pass what cannot.

    >>> polhode.Body([1, 2, 3]).moments
    array([1., 2., 3.])
    >>> polhode.Body.box(12, (1, 2, 3)).inertia
    array([13., 10.,  5.])
    >>> wheel = {"axis": [0, 0, 1], "inertia": 0.01, "speed": 600}
    >>> polhode.Body([1, 2, 2.5], wheels=[wheel]).wheels[0]["speed"]
    600
    """

    def __init__(self, inertia: Numbers | Rows, *, wheels: Iterable[WheelTable | Mapping[str, object]] = (),
                 unphysical: bool = False) -> None:
        self.inertia = finite("inertia", inertia, (3,), (3, 3))
        self.inertia.setflags(write=False)
        self.wheels = _wheels(wheels)
        self.unphysical = flag("unphysical", unphysical)

    @classmethod
    def box(cls, mass: float, sizes: Numbers) -> Body:
        """A uniform box with edges of these lengths [m].

        >>> polhode.Body.box(12, (1, 1, 1)).inertia
        array([2., 2., 2.])
        """
        m, (a, b, c) = _positive("mass", mass), _squared("sizes", sizes)
        return cls(np.array([b + c, a + c, a + b]) * m / 12)

    @classmethod
    def ellipsoid(cls, mass: float, semi_axes: Numbers) -> Body:
        """A uniform ellipsoid with these semi-axes [m].

        >>> polhode.Body.ellipsoid(5, (1, 1, 1)).inertia
        array([2., 2., 2.])
        """
        m, (a, b, c) = _positive("mass", mass), _squared("semi_axes", semi_axes)
        return cls(np.array([b + c, a + c, a + b]) * m / 5)

    @classmethod
    def cylinder(cls, mass: float, radius: float, length: float, *, inner_radius: float = 0.0) -> Body:
        """A uniform cylinder, or a tube, about the third axis [m].

        >>> polhode.Body.cylinder(2, 1, 3).inertia
        array([2., 2., 1.])
        """
        m, r, h = _positive("mass", mass), _positive("radius", radius), number("length", length)
        inner = number("inner_radius", inner_radius)
        if h < 0:
            raise ValueError(f"length: {h} must not be negative")
        if not 0 <= inner < r:
            raise ValueError(f"inner_radius: {inner} must lie between 0 and the radius {r}")
        square = r * r + inner * inner
        across = m * (3 * square + h * h) / 12
        return cls([across, across, m * square / 2])

    @classmethod
    def point_masses(cls, masses: Numbers, positions: Rows) -> Body:
        """Masses [kg] at positions (n, 3) [m] that hold together; the tensor is about their centre of mass.

        >>> cross = polhode.Body.point_masses([1, 1, 1, 1], [[1, 0, 0], [-1, 0, 0], [0, 2, 0], [0, -2, 0]])
        >>> cross.inertia.diagonal()
        array([ 8.,  2., 10.])
        """
        m: Floats = np.atleast_1d(array("masses", masses))
        if m.ndim != 1 or m.size == 0:
            raise ValueError(f"masses: an array of shape {m.shape}, where (n,) is wanted")
        r = finite("positions", positions, (m.size, 3))
        if not np.all(np.isfinite(m)) or np.any(m <= 0):
            raise ValueError(f"masses: {m.tolist()} must be positive")
        r = r - m @ r / m.sum()
        return cls(np.sum(m * np.sum(r * r, axis=1)) * np.eye(3) - np.einsum("n,ni,nj->ij", m, r, r))

    @property
    def tensor(self) -> Floats:
        """The inertia as a 3 x 3 array."""
        return np.diag(self.inertia) if self.inertia.ndim == 1 else np.array(self.inertia)

    @property
    def moments(self) -> Floats:
        """The principal moments: as they were given, or from the smallest to the largest."""
        return np.array(self.inertia) if self.inertia.ndim == 1 else np.linalg.eigvalsh(self._symmetric())

    @property
    def axes(self) -> Floats:
        """The principal axes, as columns, in the body's axes: a rotation."""
        if self.inertia.ndim == 1:
            return np.eye(3)
        axes: Floats = np.linalg.eigh(self._symmetric())[1]
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        return axes

    def _symmetric(self) -> Floats:
        """The tensor; numpy would not look at the half of it."""
        difference = np.abs(self.inertia - self.inertia.T)
        if np.max(difference) > 1e-12 * np.max(np.abs(self.inertia)):
            raise ValueError(f"inertia: {self.inertia.tolist()} is not symmetric")
        return self.inertia

    def __repr__(self) -> str:
        more = f", wheels={list(self.wheels)}" if self.wheels else ""
        more += ", unphysical=True" if self.unphysical else ""
        return f"Body({self.inertia.tolist()}{more})"

    def _table(self) -> Dict[str, Any]:
        table: Dict[str, Any] = {"inertia": self.inertia}
        if self.wheels:
            table["wheels"] = list(self.wheels)
        if self.unphysical:
            table["unphysical"] = True
        return table


def _as_body(value: BodyLike) -> Body:
    if isinstance(value, Body):
        return value
    table: Mapping[str, Any] = {"inertia": value}
    if isinstance(value, Mapping):
        table = value
        unknown = [key for key in table if key not in KEYS]
        if unknown or "inertia" not in table:
            raise ValueError(f"body: {f'{shown(unknown[0])} is none of its keys' if unknown else 'it has no inertia'}; "
                             f"they are {', '.join(KEYS)}")
    try:
        return Body(**table)
    except (TypeError, ValueError) as error:
        sentence = str(error)
        if not sentence.startswith("inertia: "):
            raise type(error)(f"body.{sentence}") from None
        raise type(error)(f"body: {sentence.removeprefix('inertia: ')}; give three principal moments, a 3 x 3 tensor or a "
                          "polhode.Body") from None
