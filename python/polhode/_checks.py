"""Numbers that were passed, or a sentence that begins with the argument's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

if TYPE_CHECKING:
    from .hints import Floats

__all__ = ["array", "finite", "number", "whole"]


def number(name: str, value: Any) -> float:
    """One finite number."""
    try:
        taken = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {value!r} is not a number") from None
    if not np.isfinite(taken):
        raise ValueError(f"{name}: {taken} must be finite")
    return taken


def whole(name: str, value: Any, of: str = "") -> int:
    """A whole number, at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name}: {value!r} is not a whole number{of}, at least 1")
    return int(value)


def array(name: str, value: object) -> Floats:
    """A new array of numbers, of any shape."""
    try:
        if value is None:   # which numpy takes for a number that is missing
            raise TypeError
        taken: Floats = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {value!r} is not made of numbers") from None
    return taken


def finite(name: str, value: object, *shapes: Tuple[int, ...]) -> Floats:
    """A new array of finite numbers, of one of these shapes."""
    taken = array(name, value)
    if taken.shape not in shapes:
        wanted = " or ".join(str(one) for one in shapes)
        raise ValueError(f"{name}: an array of shape {taken.shape}, where {wanted} is wanted")
    if not np.all(np.isfinite(taken)):
        raise ValueError(f"{name}: {taken.tolist()} is not finite")
    return taken
