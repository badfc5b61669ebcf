"""Polhode: the rotation of rigid bodies in time, done right.

Solve, and look at the result as you would with ``scipy.integrate.solve_ivp``:

>>> import polhode
>>> sol = polhode.solve([1.0, 2.0, 3.0], start={"angular_velocity_body": [0.01, 3.0, 0.0]}, t_span=(0, 10))
>>> sol.method, sol.success
('free-exact', True)
>>> sol.y.shape[0]                    # qw qx qy qz, wx wy wz in the body's axes
7
>>> bool(abs(sol.energy[-1] / sol.energy[0] - 1) < 1e-13)
True

A torque is a mapping with the keys of a scenario file, a list of torques that add up, or a function:

>>> top = {"kind": "heavy-top", "weight_times_arm": 0.5}
>>> sol = polhode.solve([1, 1, 0.5], torque=top, start={"angular_velocity_body": [0.1, 0, 5]}, t_span=(0, 5),
...                     method="mclachlan-reich-231", step=0.01)
>>> drag = lambda t, q, w: -0.1 * w
>>> sol = polhode.solve([1, 1, 0.5], torque=[top, drag], start={"angular_velocity_body": [0.1, 0, 5]},
...                     t_span=(0, 5), tolerance=1e-8)
>>> sol.method
'rotor-adams-8'

What else there is::

    solve              a motion from a body, a torque and a start
    ensemble           many bodies at once, in what you say they differ
    Simulation         the same, stepped by hand; saved and restored to the bit
    FreeRotor          the free body in closed form, at many times at once
    Body, State        what moves, and where it starts
    torque, expression, table_torque, compiled    kinds of torque beyond mappings
    methods, method, problems, torque_kinds       what can be named
    load               a scenario file, a problem or a result, ready to be solved
    converge, compare, diagnose, reproduce        studies of methods
    Method             a method of your own, stepped in Python, beside the others
    plot               pictures (needs matplotlib)

Quaternions are Hamilton's, scalar first, and turn body axes into space; ``scalar_first=False`` puts the scalar last.
Units are SI. Errors in what you ask for are ``ValueError`` or ``TypeError`` with a sentence that names the argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ._names import __version__ as __version__
from .body import Body
from .state import State

try:
    import polhode._core as _core
except ModuleNotFoundError as missing:  # figures of result files can be drawn without it
    if missing.name != f"{__name__}._core":
        raise
    _core = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from . import plot

if _core is not None:
    from ._core import Error
    from .catalogue import load_plugin, method, methods, problems, torque_kinds
    from .ensemble import Bodies, Ensemble, ensemble
    from .own_method import Method
    from .rotor import FreeRotor
    from .simulation import Simulation
    from .solution import Event, PolhodeWarning, Solution
    from .solve import load, solve, Loaded
    from .studies import Comparison, Convergence, Diagnosis, Reproduction, compare, converge, diagnose, reproduce
    from .torques import Torque, compiled, expression, table_torque, torque

    __all__ = ["Bodies", "Body", "Comparison", "Convergence", "Diagnosis", "Ensemble", "Error", "Event", "FreeRotor", "Loaded", "Method",
               "PolhodeWarning", "Reproduction", "Simulation", "Solution", "State", "Torque", "compare", "compiled",
               "converge", "diagnose", "ensemble", "expression", "load", "load_plugin", "method", "methods", "plot", "problems",
               "reproduce", "solve", "table_torque", "torque", "torque_kinds"]

    Error.__doc__ = """What goes wrong and is not the fault of an argument, such as a step that fails in a Simulation.

    >>> sim = polhode.Simulation([1, 2, 3], start=[1, 10, 1], method="moser-veselov", step=3.0)
    >>> sim.advance_to(3.0)
    Traceback (most recent call last):
    polhode.Error: moser-veselov did not converge in step 1 of 3 s, ...
    """
else:
    __all__ = ["Body", "State", "plot"]


if not TYPE_CHECKING:                   # a checker would believe that every name is here
    def __getattr__(name):
        if name == "plot":
            import importlib
            return importlib.import_module(".plot", __name__)
        if _core is None and not name.startswith("_"):
            raise AttributeError(f"polhode.{name} needs the compiled module polhode._core, which is not installed here; "
                                 "'make python' builds it (pictures of result files, polhode.plot, work without)")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted(__all__)
