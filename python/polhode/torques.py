"""Torques that are more than a mapping with the keys of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Tuple, overload

import numpy as np

from ._checks import array, flag, listed, mapping, shown, text
from ._compiled import SIGNATURE, compiled_from, is_compiled

if TYPE_CHECKING:
    from .hints import (CompiledFunction, Floats, Frame, Interpolation, Numbers, Rows, TorqueFunction, Torques,
                        VectorizedTorque)

__all__ = ["Torque", "compiled", "expression", "table_torque", "torque"]


class Torque:
    """A function of yours as a torque, with what is known of it; made by :func:`torque` and :func:`compiled`.

    ``function``; ``vectorized``, whether it takes many motions at once; ``velocity``, whether it depends on w;
    ``name``; ``address`` of a compiled one, and of the ``user_data`` it is passed, or None.

    >>> drag = polhode.torque(lambda t, q, w: -0.1 * w, name="drag")
    >>> drag, drag.vectorized, drag.velocity
    (<torque drag>, False, True)
    """

    def __init__(self, function: Callable[..., Any] | CompiledFunction, *, vectorized: bool = False,
                 velocity: bool = True, name: str | None = None, address: int | None = None,
                 user_data: int | None = None) -> None:
        if address is None and not callable(function):
            raise TypeError(f"torque: {shown(function)} cannot be called; give a function f(t, q, w)")
        self.function = function
        self.vectorized = flag("vectorized", vectorized)
        self.velocity = flag("velocity", velocity)
        known_as = None if name is None else text("name", name)
        self.name = known_as or text("function", getattr(function, "__name__", None) or type(function).__name__)
        self.address, self.user_data = address, user_data

    def __call__(self, t: float | Floats, q: Floats, w: Floats) -> Any:
        """What the function returns."""
        function: Any = self.function
        return function(t, q, w)

    def __repr__(self) -> str:
        return f"<torque {self.name}>"

    def __reduce__(self) -> str | Tuple[Any, ...]:
        if self.address is not None:
            raise TypeError(f"torque: {self.name} is compiled, and its address means nothing to another process; make it there, by "
                            "polhode.compiled")
        return super().__reduce__()

    def __copy__(self) -> Torque:
        return self

    def __deepcopy__(self, memo: object) -> Torque:
        return self

    def _spec(self) -> Dict[str, Any]:
        spec: Dict[str, Any] = {"name": self.name, "velocity": self.velocity, "many": self.vectorized}
        if self.address is not None:
            spec.update(address=self.address, user_data=self.user_data, owner=self.function)
        else:
            spec["function"] = self.function
        return spec


@overload
def torque(function: TorqueFunction, *, vectorized: Literal[False] = False, velocity: bool = True,
           name: str | None = None) -> Torque: ...


@overload
def torque(function: VectorizedTorque, *, vectorized: Literal[True], velocity: bool = True,
           name: str | None = None) -> Torque: ...


@overload
def torque(function: None = None, *, vectorized: Literal[False] = False, velocity: bool = True,
           name: str | None = None) -> Callable[[TorqueFunction], Torque]: ...


@overload
def torque(function: None = None, *, vectorized: Literal[True], velocity: bool = True,
           name: str | None = None) -> Callable[[VectorizedTorque], Torque]: ...


def torque(function: Callable[..., Any] | None = None, *, vectorized: bool = False, velocity: bool = True,
           name: str | None = None) -> Torque | Callable[..., Torque]:
    """Marks a function f(t, q, w) -> torque in body axes [N m]; also a decorator.

    ``vectorized``: it takes arrays of n times (n,), quaternions (n, 4) and velocities (n, 3) and returns (n, 3), which
    methods such as picard-lobatto-8 use for all nodes of a step in one call. ``velocity=False`` promises that it does
    not depend on w, with which methods of kicks keep their order. ``name`` is what messages call it.

    >>> @polhode.torque(velocity=False)
    ... def pull(t, q, w):
    ...     return 0.0, 0.0, 0.1
    >>> pull
    <torque pull>
    >>> @polhode.torque(vectorized=True)
    ... def drag(t, q, w):
    ...     return -0.1 * w
    >>> sol = polhode.solve([1, 2, 3], drag, [0.1, 1, 0.1], (0, 10), "picard-lobatto-8", tolerance=1e-9)
    >>> bool(sol.energy[-1] < sol.energy[0])
    True
    """
    if function is None:
        return lambda taken: _marked(taken, vectorized, velocity, name)
    return _marked(function, vectorized, velocity, name)


def _marked(function: Callable[..., Any], vectorized: bool, velocity: bool, name: str | None) -> Torque:
    return Torque(function, vectorized=vectorized, velocity=velocity, name=name)


def compiled(function: CompiledFunction, *, velocity: bool = True, name: str | None = None) -> Torque:
    """A compiled torque, called without Python: ``void f(double t, const double q[4], const double w[3], double m[3])``.

    ``function`` is a function of ctypes, a ``numba.cfunc``, a capsule as Cython's ``__pyx_capi__`` has them, a
    ``scipy.LowLevelCallable``, with its user data as a fifth argument, ``void *``, or an address. Whatever is known of its
    arguments is checked: a capsule's name is its signature. ``velocity=False`` promises that it does not depend on w;
    ``name`` is what messages call it. An :func:`ensemble` calls it from several threads at once.

    With ctypes, ``polhode.compiled(ctypes.CDLL("./mine.so").my_torque)`` is all there is to it. Here a function of
    Python is made into one of C, to have one to show:

    >>> import ctypes
    >>> numbers = ctypes.POINTER(ctypes.c_double)
    >>> @ctypes.CFUNCTYPE(None, ctypes.c_double, numbers, numbers, numbers)
    ... def push(t, q, w, m):
    ...     m[0], m[1], m[2] = 0.0, 0.0, 0.3
    >>> about_z = polhode.compiled(push, velocity=False)
    >>> sol = polhode.solve([1, 2, 3], about_z, t_span=(0, 10), method="rkmk-4", step=0.1)
    >>> sol.end.angular_velocity.round(9)
    array([0., 0., 1.])
    """
    itself = function.function if isinstance(function, Torque) else function
    found = compiled_from(itself)
    if found is None:
        raise TypeError(f"torque: {shown(itself)} has no address; give a function of ctypes, a numba.cfunc, a "
                        f"scipy.LowLevelCallable, a capsule named {SIGNATURE!r} or an address")
    return Torque(itself, velocity=velocity, name=name, address=found.address, user_data=found.user_data)


def expression(x: str | float = "0", y: str | float = "0", z: str | float = "0", *, frame: Frame = "body",
               constants: Mapping[str, float] | None = None, potential: str | None = None) -> Dict[str, object]:
    """A torque written down, which every method can take: it is differentiated where a method needs that.

    ``x``, ``y`` and ``z`` are its components, in the axes of ``frame``, "body" or "spatial", and ``constants`` names in
    them; or give a ``potential`` [J], of which the torque is derived. They may have t, the quaternion qw qx qy qz, the
    angular velocity wx wy wz and the rotation matrix Rxx to Rzz in them (docs/torques.md).

    >>> polhode.expression(z="-0.1*wz + a*sin(t)", constants={"a": 2.0})["kind"]
    'expression'
    >>> spring = polhode.expression(potential="0.5*(1 - Rzz)")
    >>> sol = polhode.solve([1, 2, 3], spring, {"rotation_vector": [0.1, 0, 0]}, (0, 10), "lie-verlet", step=0.01)
    >>> bool(np.ptp(sol.energy) < 1e-5)
    True
    """
    made: Dict[str, object] = {"kind": "expression"}
    components = {"x": text("x", x), "y": text("y", y), "z": text("z", z)}
    if potential is not None:
        made["potential"] = potential
        made.update((key, component) for key, component in components.items() if component != "0")
    else:
        made.update(components)
    if not (isinstance(frame, str) and frame == "body"):
        made["frame"] = frame
    if constants is not None:
        named = mapping("constants", constants)
        if named:
            made["constants"] = named
    return made


def table_torque(t: Numbers, torque: Rows, *, frame: Frame = "body",
                 interpolation: Interpolation = "linear") -> Dict[str, object]:
    """A torque given at times: ``t`` (n,) [s] and ``torque`` (n, 3) [N m], in axes of ``frame``, "body" or "spatial".

    ``interpolation``, between the rows, is "linear", "cubic-hermite" or "natural-spline". A run that leaves the times
    is refused.

    >>> pulse = polhode.table_torque([0, 1, 2], [[0, 0, 0], [0, 0, 3], [0, 0, 0]])
    >>> sol = polhode.solve([1, 2, 3], pulse, t_span=(0, 2), method="rkmk-4", step=0.1)
    >>> sol.end.angular_velocity.round(9)
    array([0., 0., 1.])
    """
    times, values = array("t", t), array("torque", torque)
    if times.ndim != 1:
        raise ValueError(f"t: an array of shape {times.shape}, where (n,) is wanted")
    if values.shape != (times.size, 3):
        raise ValueError(f"torque: an array of shape {values.shape}, where ({times.size}, 3) is wanted, a row for each time")
    rows = np.column_stack([times, values])
    return {"kind": "table", "frame": frame, "interpolation": interpolation,
            "file": {"columns": ["t[s]", "x", "y", "z"], "rows": rows}}


def _as_torques(value: Torques | None) -> Tuple[List[Dict[str, Any]], List[Dict[str, Any]]]:
    """(tables of a scenario file, specifications of functions)."""
    if value is None:
        return [], []
    alone = isinstance(value, (Mapping, Torque)) or callable(value) or is_compiled(value)
    several: Any = [value] if alone else value
    if isinstance(several, str) or not hasattr(several, "__iter__"):
        raise TypeError(f"torque: {shown(value)} is no torque; give a mapping such as {{'kind': 'heavy-top', …}}, a function "
                        "f(t, q, w), or a list of these")
    tables: List[Dict[str, Any]] = []
    functions: List[Dict[str, Any]] = []
    for one in listed("torque", several):
        if isinstance(one, Mapping):
            tables.append(mapping("torque", one))
        elif isinstance(one, Torque):
            functions.append(one._spec())
        elif is_compiled(one):
            functions.append(compiled(one)._spec())
        elif callable(one):
            functions.append(_marked(one, False, True, None)._spec())
        else:
            raise TypeError(f"torque: {shown(one)} is no torque; give a mapping such as {{'kind': 'heavy-top', …}} or a "
                            "function f(t, q, w)")
    return tables, functions
