"""Who owns the functions that the library calls."""

__all__ = ["Kept"]


class Kept:
    """Owns a function. The library has a weak reference alone, so that Python sees every cycle that the function is in:
    that of a solution which belongs to the object whose method its torque is, for one."""

    __slots__ = ("function", "__weakref__")

    def __init__(self, function: object) -> None:
        self.function = function
