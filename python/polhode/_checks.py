"""What was passed, as what is wanted, or a sentence that begins with the argument's name."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np

if TYPE_CHECKING:
    from .hints import Floats

__all__ = ["array", "finite", "flag", "listed", "mapping", "number", "path", "shown", "text", "whole"]

LONGEST = 2**63 - 1
FEW = 9                         # numbers, for which numpy takes longer to begin than they take
UNREADABLE = TypeError, ValueError, NotImplementedError     # the last from a memoryview of rows


def shown(value: object) -> str:
    """For a sentence, whatever it is: what an object says of itself may fail, or never end."""
    try:
        said = repr(value)
    except Exception:
        return f"an object of the type {type(value).__name__}"
    return said if len(said) <= 200 else f"{said[:200]}..."


def number(name: str, value: Any) -> float:
    """One finite number."""
    try:
        taken = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {shown(value)} is not a number") from None
    except OverflowError:
        raise ValueError(f"{name}: {shown(value)} is too large for a number of double precision") from None
    if not math.isfinite(taken):
        raise ValueError(f"{name}: {taken} must be finite")
    return taken


def whole(name: str, value: Any, of: str = "", most: int = LONGEST) -> int:
    """A whole number, at least 1."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, (bool, np.timedelta64)) or value < 1:
        raise ValueError(f"{name}: {shown(value)} is not a whole number{of}, at least 1")
    if value > most:
        raise ValueError(f"{name}: {shown(value)} is too large; give {most} or less")
    return int(value)


def flag(name: str, value: Any) -> bool:
    """True or false, in the sense of Python."""
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {shown(value)} is neither true nor false") from None


def text(name: str, value: object) -> str:
    """What an object is called."""
    try:
        said = str(value)
        said.encode()
    except (TypeError, ValueError, RecursionError):
        raise ValueError(f"{name}: {shown(value)} is no text that can be written") from None
    return said


def path(name: str, value: Any) -> str:
    """The name of a file."""
    try:
        file = os.fsdecode(value)
        os.fsencode(file)
    except TypeError:
        raise TypeError(f"{name}: {shown(value)} is not the name of a file") from None
    except ValueError:
        raise ValueError(f"{name}: {shown(value)} has characters that no file has in its name") from None
    if "\0" in file:
        raise ValueError(f"{name}: {shown(value)} has a character in it that no file has in its name")
    return file


def listed(name: str, value: Any) -> List[Any]:
    """As many as there are."""
    try:
        return list(value)
    except UNREADABLE:
        raise TypeError(f"{name}: {shown(value)} is no list") from None


def mapping(name: str, value: Any) -> Dict[Any, Any]:
    """A new dictionary."""
    try:
        return dict(value)
    except UNREADABLE:
        raise TypeError(f"{name}: {shown(value)} is no mapping") from None


def array(name: str, value: object) -> Floats:
    """A new array of numbers, of any shape."""
    try:
        if value is None:   # which numpy takes for a number that is missing
            raise TypeError
        taken: Floats = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {shown(value)} is not made of numbers") from None
    except OverflowError:
        raise ValueError(f"{name}: {shown(value)} has numbers too large for double precision") from None
    return taken


def finite(name: str, value: object, *shapes: Tuple[int, ...]) -> Floats:
    """A new array of finite numbers, of one of these shapes."""
    taken = array(name, value)
    if taken.shape not in shapes:
        wanted = " or ".join(str(one) for one in shapes)
        raise ValueError(f"{name}: an array of shape {taken.shape}, where {wanted} is wanted")
    if not (all(map(math.isfinite, taken.ravel().tolist())) if taken.size <= FEW else np.isfinite(taken).all()):
        raise ValueError(f"{name}: {taken.tolist()} is not finite")
    return taken
