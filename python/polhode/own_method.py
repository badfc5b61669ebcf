"""Methods of your own, stepped in Python: a slow lane, with everything that the listed ones have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._checks import flag, number, shown, text

if TYPE_CHECKING:
    from .hints import Keeps, Situation, Step
    from .studies import Diagnosis

__all__ = ["Method"]

KEEPS = ("no", "bounded", "exact")


class Method:
    """A method whose step is a function of Python, known by its name to solve(), converge(), compare() and diagnose().

    ``step(q, pi, t, h, system)`` returns ``(q, pi)`` a step h later: a quaternion, scalar first, and the angular
    momentum in body axes. ``system`` has ``inertia``, three principal moments, ``velocity(pi)`` and ``torque(q, w,
    t)``. All are in principal axes, in units in which the largest moment lies between one and two.

    The other arguments are what the method claims: ``order``, of the attitude, and ``order_momentum`` (the same);
    ``symmetric`` in time; ``symplectic``; how it keeps the momentum and the energy of a free body (``momentum_free``,
    ``energy_free``), the ``energy`` in a field, and the momentum along one (``momentum_along_field``): "no", "bounded"
    or "exact"; ``torque_evaluations`` of a step; ``variable_steps``, whether a step may have another size than the one
    before. ``diagnose`` measures whether that is so. ``about`` is a sentence for tables.

    ``name`` and ``step`` are kept. A name may be given again: the later method takes its place.

    >>> def quaternion_rate(q, w):
    ...     return 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
    >>> def step(q, pi, t, h, system):
    ...     w = system.velocity(pi)
    ...     return q + h * quaternion_rate(q, w), pi + h * (np.cross(pi, w) + system.torque(q, w, t))
    >>> euler = polhode.Method(step, "my-euler", order=1)
    >>> sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 1), method="my-euler", step=0.001)
    >>> 1e-5 < sol.attitude_error < 1e-2
    True
    """

    def __init__(self, step: Step, name: str, *, order: int, order_momentum: int | None = None, symmetric: bool = False,
                 symplectic: bool = False, momentum_free: Keeps = "no", momentum_along_field: Keeps = "no",
                 energy_free: Keeps = "no", energy: Keeps = "no", torque_evaluations: float = 1.0,
                 variable_steps: bool = True, about: str = "") -> None:
        if not callable(step):
            raise TypeError(f"step: {shown(step)} cannot be called; give a function step(q, pi, t, h, system)")
        for key, value in (("order", order), ("order_momentum", order if order_momentum is None else order_momentum)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
                raise ValueError(f"{key}: {shown(value)} is not a whole number from 1 to 100")
        keeps = {"momentum_free": momentum_free, "momentum_along_field": momentum_along_field,
                 "energy_free": energy_free, "energy": energy}
        for key, word in keeps.items():
            if not isinstance(word, str) or word not in KEEPS:
                raise ValueError(f"{key}: {shown(word)} is none of {', '.join(KEEPS)}")
        evaluations = number("torque_evaluations", torque_evaluations)
        if evaluations < 0:
            raise ValueError(f"torque_evaluations: {torque_evaluations} must not be negative")
        claims = dict(keeps, order_attitude=order, order_momentum=order if order_momentum is None else order_momentum,
                      symmetric=flag("symmetric", symmetric), symplectic=flag("symplectic", symplectic),
                      variable_steps=flag("variable_steps", variable_steps),
                      torque_evaluations=evaluations)
        self.name, self.step = text("name", name), step
        about = text("about", about) or text("step", getattr(step, "__doc__", None) or "a method of one's own, in Python")
        try:
            _core.list_method(self.name, about, step, claims)
        except ValueError as error:
            raise ValueError(f"name: {error}") from None

    def diagnose(self, situation: Situation | None = None, **more: Any) -> Diagnosis:
        """What it claims against what it does; as :func:`polhode.diagnose`."""
        from .studies import diagnose
        return diagnose(self.name, situation, **more)

    def __repr__(self) -> str:
        return f"<method {self.name}>"
