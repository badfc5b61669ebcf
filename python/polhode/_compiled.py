"""Where a compiled function is, and whether it is one that a torque can be."""

from __future__ import annotations

import ctypes
import datetime
import re
import sys
from typing import Any, List, NamedTuple, Optional

from ._checks import shown

__all__ = ["SIGNATURE", "WITH_DATA", "Compiled", "compiled_from", "is_compiled"]

SIGNATURE = "void (double, const double *, const double *, double *)"
WITH_DATA = "void (double, const double *, const double *, double *, void *)"
WANTED = f"{SIGNATURE!r}, or with user data {WITH_DATA!r}"

OF_CTYPES: Any = getattr(ctypes, "_CFuncPtr")   # the class of its functions, which not all stubs of ctypes have
NEEDS_LOCK = 4                                  # among their _flags_: of ctypes.PyDLL or PYFUNCTYPE
OF_CAPSULES: Any = type(getattr(datetime, "datetime_CAPI"))     # which has no other name before Python 3.13

# Of arguments: an input may be promised not to be changed, in the places where C and Cython write that.
CONST_DOUBLES = r"(?:const double|double const|double) ?\*"
ARGUMENTS = ("double", CONST_DOUBLES, CONST_DOUBLES, r"double ?\*", r"void ?\*")


class Compiled(NamedTuple):
    """The address of a function, and of what it is passed as its fifth argument, where it takes one."""

    address: int
    user_data: Optional[int] = None


def is_compiled(value: object) -> bool:
    """Whether it can be nothing else: what merely has an address might be."""
    return (isinstance(value, (OF_CTYPES, OF_CAPSULES)) or _is_low_level(value)
            or (_has_address(value) and isinstance(getattr(value, "ctypes", None), OF_CTYPES)))


def compiled_from(function: object) -> Compiled | None:
    """Nothing of what has no address. Raises ValueError for what takes or returns something else."""
    if isinstance(function, int) and not isinstance(function, bool):
        return Compiled(function) if function else None
    if isinstance(function, OF_CTYPES):
        return _of_ctypes(function)
    if isinstance(function, OF_CAPSULES):
        return _of_capsule(function)
    if _is_low_level(function):
        parts: Any = function
        return _of_capsule(tuple.__getitem__(parts, 0))     # the capsule that scipy's own code takes out of it
    if _has_address(function):                  # numba's cfunc, which knows its types as a function of ctypes
        typed = getattr(function, "ctypes", None)
        if isinstance(typed, OF_CTYPES):
            _refuse_other_types(function, typed)
        address: int = getattr(function, "address")
        return Compiled(address) if address else None
    return None


def _has_address(value: object) -> bool:
    address = getattr(value, "address", None)
    return isinstance(address, int) and not isinstance(address, bool)


def _is_low_level(value: object) -> bool:
    """Made by scipy, which then has been imported."""
    kind = getattr(sys.modules.get("scipy"), "LowLevelCallable", None)
    return isinstance(kind, type) and isinstance(value, kind)


def _of_capsule(capsule: object) -> Compiled:
    def asked(what: str, kind: Any, *arguments: Any) -> Any:
        function = ctypes.pythonapi[f"PyCapsule_{what}"]
        function.restype = kind
        return function(ctypes.py_object(capsule), *arguments)
    name: bytes | None = asked("GetName", ctypes.c_char_p)
    if name is None:
        raise ValueError(f"torque: a capsule without a name, which is to be its function's signature: {WANTED}")
    takes_data = _takes_data(name.decode(errors="backslashreplace"))
    address: int = asked("GetPointer", ctypes.c_void_p, name)
    return Compiled(address, (asked("GetContext", ctypes.c_void_p) or 0) if takes_data else None)


def _takes_data(signature: str) -> bool:
    """Whether there is a fifth argument."""
    words = " ".join(signature.split())
    for count in (4, 5):
        if re.fullmatch(rf"void ?\({' ?, ?'.join(ARGUMENTS[:count])}\)", words):
            return count == 5
    raise ValueError(f"torque: a function with the signature {signature!r}, where {WANTED} is wanted")


def _of_ctypes(function: Any) -> Compiled | None:
    address = ctypes.cast(function, ctypes.c_void_p).value
    if not address:
        return None
    _refuse_other_types(function, function)
    if getattr(function, "_flags_", 0) & NEEDS_LOCK:
        raise ValueError(f"torque: {shown(function)} needs Python's lock, without which compiled torques are called; load its "
                         "library by ctypes.CDLL")
    return Compiled(address)


def _refuse_other_types(function: object, typed: Any) -> None:
    """As far as ctypes was told of types; c_int is what it believes of a function that it was told nothing of."""
    if typed.restype not in (None, ctypes.c_int):
        raise ValueError(f"torque: {shown(function)} returns {_called(typed.restype)}; it is to write the torque to its fourth "
                         f"argument: {SIGNATURE}")
    if typed.argtypes is None:
        return
    taken: List[Any] = list(typed.argtypes)
    if len(taken) == 5:
        raise ValueError(f"torque: {shown(function)} takes five arguments; pass the fifth, user data, by "
                         "scipy.LowLevelCallable(function, user_data)")
    if len(taken) != 4 or taken[0] is not ctypes.c_double or not all(map(_points_to_doubles, taken[1:])):
        raise ValueError(f"torque: {shown(function)} takes ({', '.join(map(_called, taken))}), where {SIGNATURE!r} is wanted")


def _points_to_doubles(kind: Any) -> bool:
    if kind is ctypes.c_void_p:
        return True
    of = getattr(kind, "_dtype_", None)         # numpy's ndpointer
    if of is not None:
        return str(of) == "float64"
    return getattr(kind, "_type_", None) is ctypes.c_double


def _called(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))
