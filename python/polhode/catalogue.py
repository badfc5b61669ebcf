"""What can be named: methods, problems and kinds of torque."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Dict, List, TypeVar

from . import _core
from ._checks import path as path_of
from ._checks import text

if TYPE_CHECKING:
    from .hints import Path
    from .records import MethodRecord, ProblemRecord, TorqueKind

__all__ = ["load_plugin", "method", "methods", "problems", "torque_kinds"]

Record = TypeVar("Record", bound=Mapping[str, object])


class Records(List[Record]):
    """A list of dictionaries of methods, or of problems, which a notebook shows as a table; ``pandas.DataFrame(records)``
    takes it as it is.

    >>> import pandas
    >>> table = pandas.DataFrame(polhode.methods())
    >>> int((table.family == "taylor").sum()) > 1
    True
    """

    def _repr_html_(self) -> str:
        from .display import methods_html
        from .display_studies import problems_html
        return problems_html(self) if self and "inertia" in self[0] else methods_html(self)


def methods() -> Records[MethodRecord]:
    """Every method, as records with its order, what it keeps and what it needs.

    >>> [m["name"] for m in polhode.methods() if m["symplectic"] and m["order_attitude"] == 6][:1]
    ['rotor-srkn11b']

    ``needs`` says which torques it takes: "values" any, a function too; "series" those that are formulas; "no torque",
    "direction" and "uniform field" less. ``energy`` is what it keeps in a field, ``energy_free`` of a free body.
    """
    records: List[MethodRecord] = json.loads(_core.methods_as_json())
    return Records(records)


def method(name: str) -> MethodRecord:
    """One method, with parameters and suffixes in its name.

    >>> polhode.method("mclachlan-reich-231@suzuki")["order_attitude"]
    4
    >>> print(polhode.method("rkmk-4")["good_for"])
    fourth order with values of the torque only, at any sequence of steps
    """
    name = text("name", name)
    try:
        record: MethodRecord = json.loads(_core.method_as_json(name))
    except ValueError as error:
        raise ValueError(f"name: {error}") from None
    return record


def problems() -> Records[ProblemRecord]:
    """The benchmark problems, with data as a scenario has them; :func:`load` has one ready to be solved.

    >>> "asymmetric-top" in {p["name"] for p in polhode.problems()}
    True
    """
    records: List[ProblemRecord] = json.loads(_core.problems_as_json())
    return Records(records)


def torque_kinds() -> Dict[str, TorqueKind]:
    """Every kind of torque with a sentence on it and its keys.

    >>> sorted(polhode.torque_kinds()["heavy-top"]["keys"])
    ['axis_body', 'up_spatial', 'weight_times_arm']
    """
    kinds: Dict[str, TorqueKind] = json.loads(_core.torque_kinds_as_json())
    return kinds


def load_plugin(path: Path) -> List[str]:
    """Loads methods of a shared library (docs/own-methods.md); returns their names, which are listed from then on.

    ``path`` is that of the library's file.

    >>> polhode.load_plugin("no_such_method.so")
    Traceback (most recent call last):
    FileNotFoundError: ...
    """
    import os
    return _core.load_plugin(os.fsencode(path_of("path", path)))
