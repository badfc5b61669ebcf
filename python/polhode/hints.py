"""Names for types: what polhode takes, for annotations of your own functions and for checkers such as mypy.

>>> import numpy as np
>>> from polhode.hints import Floats
>>> def drag(t: float, q: Floats, w: Floats) -> Floats:
...     return -0.1 * w
>>> drag(0.0, np.array([1.0, 0, 0, 0]), np.array([0.0, 0, 5]))
array([-0. , -0. , -0.5])

A list of torques that is put together before it is passed on is a ``list[TorqueLike]``; the table of a start with the
keys that may stand there is a ``StartTable``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, Literal, Protocol, Sequence, Tuple, TypedDict, Union)

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from .body import Body
    from .own_method import Method
    from .solve import Loaded
    from .state import State
    from .studies import Comparison, Convergence
    from .torques import Torque

Floats = NDArray[np.float64]
"""An array, as polhode returns them and passes them to functions."""

Numbers = Union[Sequence[float], NDArray[np.floating[Any]], NDArray[np.integer[Any]]]
"""Some numbers in a row."""

Rows = Union[Sequence[Numbers], NDArray[np.floating[Any]], NDArray[np.integer[Any]]]
"""Rows of numbers, such as a 3 x 3 tensor."""

Times = Union[Numbers, float]
Span = Union[Tuple[float, float], List[float], List[int], Floats]
Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Sequence[str]]

Scalar = Literal["float", "double", "long-double", "quad"]
Goal = Literal["time", "torque-evaluations", "energy"]
OnFailure = Literal["stop", "halve"]
Device = Literal["cpu", "cuda"]
Frame = Literal["body", "spatial"]
Interpolation = Literal["linear", "cubic-hermite", "natural-spline"]
Keeps = Literal["no", "bounded", "exact"]
ExperimentSet = Literal["quick", "standard", "long"]
Quantity = Literal["angular_velocity", "attitude", "momentum", "momentum_body", "direction", "energy"]


class WheelTable(TypedDict, total=False):
    """A wheel within a body: axis, moment [kg m^2], speed relative to the body [rad/s], torque of its motor [N m]."""

    axis: Numbers
    inertia: float
    speed: float
    torque: float


class StartTable(TypedDict, total=False):
    """One attitude, one angular velocity or momentum, and perhaps the time."""

    attitude_wxyz: Numbers
    attitude_xyzw: Numbers
    rotation_matrix: Rows
    rotation_vector: Numbers
    mrp: Numbers
    direction: Numbers
    angular_velocity_body: Numbers
    angular_velocity_spatial: Numbers
    angular_momentum_body: Numbers
    angular_momentum_spatial: Numbers
    time: float


class EventTable(TypedDict, total=False):
    """``when`` is an expression: the event is where it changes its sign."""

    name: str
    when: str
    direction: Literal["rising", "falling", "both"]
    terminal: bool


class RotationLike(Protocol):
    """A ``scipy.spatial.transform.Rotation``."""

    def as_quat(self) -> Floats: ...


class TorqueFunction(Protocol):
    """The torque in body axes at a time, a quaternion and an angular velocity in body axes."""

    def __call__(self, t: float, q: Floats, w: Floats, /) -> Numbers: ...


class VectorizedTorque(Protocol):
    """The same at n times (n,), quaternions (n, 4) and angular velocities (n, 3), as (n, 3)."""

    def __call__(self, t: Floats, q: Floats, w: Floats, /) -> Rows: ...


class CtypesFunction(Protocol):
    """A function of ctypes: ``void f(double t, const double q[4], const double w[3], double torque[3])``."""

    @property
    def argtypes(self) -> object: ...


class Addressed(Protocol):
    """A function that knows its address, as a ``numba.cfunc`` does."""

    @property
    def address(self) -> int: ...


class LowLevel(Protocol):
    """A ``scipy.LowLevelCallable``."""

    @property
    def signature(self) -> str: ...

    @property
    def user_data(self) -> object: ...


class System(Protocol):
    """What a step of a :class:`polhode.Method` is told of body and torque."""

    @property
    def inertia(self) -> Floats: ...

    def velocity(self, pi: Numbers, /) -> Floats: ...

    def torque(self, q: Numbers, w: Numbers, t: float) -> Floats: ...


class Motion(Protocol):
    """What pictures are drawn from: a :class:`polhode.Solution`, or anything with such arrays."""

    @property
    def t(self) -> ArrayLike: ...

    @property
    def attitude(self) -> ArrayLike: ...

    @property
    def angular_velocity(self) -> ArrayLike: ...

    @property
    def momentum(self) -> ArrayLike: ...

    @property
    def energy(self) -> ArrayLike: ...


Step = Callable[[Floats, Floats, float, float, System], Tuple[Numbers, Numbers]]
Progress = Callable[[float, float], object]
Event = Union[Callable[[float, Floats], float], Callable[[float, Floats, Floats], float]]

BodyLike = Union["Body", Numbers, Rows, Mapping[str, object]]
StartLike = Union["State", Numbers, Mapping[str, object]]
CompiledFunction = Union[CtypesFunction, Addressed, LowLevel, int]
TorqueLike = Union["Torque", TorqueFunction, CtypesFunction, Addressed, LowLevel, Mapping[str, object]]
Torques = Union[TorqueLike, Sequence[TorqueLike]]
EventLike = Union[str, Event, EventTable, Mapping[str, object]]
Events = Union[EventLike, Sequence[EventLike]]
Situation = Union[Path, "Loaded"]
MethodName = Union[str, "Method"]
MotionSource = Union[Motion, Path]
StudySource = Union["Convergence", "Comparison", Dict[str, Any], Path]
