"""Where a motion starts, or is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._checks import array, flag, number

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

    from .hints import Floats, Numbers, RotationLike

__all__ = ["State"]


def _to_scipy(quaternions: Floats, scalar_first: bool) -> Rotation:
    from scipy.spatial.transform import Rotation
    q = np.asarray(quaternions, dtype=float)
    return Rotation.from_quat(np.roll(q, -1, axis=-1) if scalar_first else q)


class State:
    """An attitude and an angular velocity at a time; a start for :func:`polhode.solve`.

    ``attitude`` is a quaternion, or a ``scipy.spatial.transform.Rotation``; it takes body axes to space.
    ``angular_velocity`` is in body axes [rad/s], ``t`` a time [s]; when a motion that starts there begins is for
    ``t_span`` to say. With ``scalar_first=False`` the scalar of the quaternion is its last number.

    >>> start = polhode.State([1, 0, 0, 0], [0.1, 0, 5])
    >>> start.angular_velocity
    array([0.1, 0. , 5. ])
    >>> polhode.solve([1, 1, 0.5], start=start, t_span=(0, 1)).success
    True
    """

    def __init__(self, attitude: Numbers | RotationLike = (1, 0, 0, 0), angular_velocity: Numbers = (0, 0, 0),
                 t: float = 0.0, *, scalar_first: bool = True) -> None:
        self.scalar_first = flag("scalar_first", scalar_first)
        if hasattr(attitude, "as_quat"):
            q = array("attitude", attitude.as_quat())
            if q.shape != (4,):
                raise ValueError(f"attitude: a Rotation with quaternions of shape {q.shape}; give one of them, such as rotation[0]")
            attitude = np.roll(q, 1) if self.scalar_first else q
        self.attitude = array("attitude", attitude)
        self.angular_velocity = array("angular_velocity", angular_velocity)
        self.t = number("t", t)
        if self.attitude.shape != (4,):
            raise ValueError(f"attitude: an array of shape {self.attitude.shape}, where (4,) is wanted")
        if self.angular_velocity.shape != (3,):
            raise ValueError(f"angular_velocity: an array of shape {self.angular_velocity.shape}, where (3,) is wanted")

    @property
    def y(self) -> Floats:
        """The seven numbers of a column of ``Solution.y``."""
        return np.concatenate([self.attitude, self.angular_velocity])

    def rotation(self) -> Rotation:
        """The attitude as a ``scipy.spatial.transform.Rotation``."""
        return _to_scipy(self.attitude, self.scalar_first)

    def __repr__(self) -> str:
        more = "" if self.scalar_first else ", scalar_first=False"
        return f"State({self.attitude.tolist()}, {self.angular_velocity.tolist()}, t={self.t}{more})"
