"""Names for types: the records that methods(), problems() and studies return, key by key.

They are dictionaries, and exist for annotations and checkers only. A number that could not be had is None.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union

Order = Union[int, Literal["exact"]]
Kept = Literal["no", "bounded", "exact"]
Standing = Literal["fitted", "failed", "saturated", "unsettled", "levelled", "rounding"]
Agreement = Literal["agrees", "more", "disagrees", "open", "no claim"]


class ParameterRecord(TypedDict):
    """A number that a method lets its user choose."""

    name: str
    default: float
    lowest: float
    highest: float
    meaning: str


class ListedMethod(TypedDict):
    """A method, with what it claims."""

    name: str
    aliases: List[str]
    family: str
    cite: str
    about: str
    good_for: str
    not_for: str
    space: str
    order_attitude: Order
    order_momentum: Order
    order_attitude_free: Order
    order_momentum_free: Order
    order_attitude_with_velocity: Optional[Order]
    order_momentum_with_velocity: Optional[Order]
    symmetric: bool
    symplectic: bool
    momentum_free: Kept
    momentum_along_field: Kept
    energy_free: Kept
    energy: Kept
    torque_evaluations: float
    implicit_torque: bool
    needs: Literal["values", "series", "no torque", "direction", "uniform field"]
    variable_steps: bool
    multistep: bool
    takes_tolerance: bool
    chooses_steps: bool
    composes: bool
    dissipative: bool
    gains_momentum: bool
    wheels: bool
    batch: bool
    parameters: List[ParameterRecord]
    memory: bool


class MethodRecord(ListedMethod, total=False):
    """A method; ``plugin`` is the file of one that is none of the library's own."""

    plugin: str


class ReferenceRecord(TypedDict):
    """What the errors of a problem are measured against, until when, and how well it is known."""

    duration: float
    integrators: List[str]
    attitude_disagreement: float
    momentum_disagreement: float


class ListedProblem(TypedDict):
    """A benchmark problem, with the keys of a scenario file."""

    name: str
    cite: str
    about: str
    space: str
    inertia: Union[List[float], List[List[float]]]
    start: Dict[str, object]
    torque: List[Dict[str, object]]
    step: float
    duration: float
    reference: Optional[ReferenceRecord]


class ProblemRecord(ListedProblem, total=False):
    """A benchmark problem; some have wheels, or moments that no body can have."""

    wheels: List[Dict[str, object]]
    unphysical: bool


class TorqueKind(TypedDict):
    """A kind of torque: a sentence, and what each of its keys means."""

    about: str
    keys: Dict[str, str]


class Work(TypedDict):
    """What a simulation has cost."""

    torque_evaluations: int
    solver_iterations: int


class Measured(TypedDict):
    """One run of a study."""

    method: str
    step: Optional[float]
    steps: int
    attitude_error: Optional[float]
    torque_evaluations: int
    converged: bool


class ErrorsAtStep(Measured):
    """One run of converge()."""

    momentum_error: Optional[float]
    attitude_floor: Optional[float]
    momentum_floor: Optional[float]


class ConvergenceRow(ErrorsAtStep, total=False):
    """One run of converge(), and whether the fit of the order uses it."""

    attitude_standing: Standing
    momentum_standing: Standing
    failure: str


class FittedOrder(TypedDict):
    """The order of a method that its errors show, or the reason why they show none."""

    method: str
    attitude: Optional[float]
    momentum: Optional[float]
    from_step: Optional[float]
    to_step: Optional[float]
    momentum_from_step: Optional[float]
    momentum_to_step: Optional[float]
    attitude_uncertainty: Optional[float]
    momentum_uncertainty: Optional[float]
    claimed_attitude: Order
    claimed_momentum: Order
    reason: Optional[str]


class CostAtStep(Measured):
    """One run of compare(), with the median of its timings [s]."""

    cost: Optional[float]
    cost_spread: Optional[float]
    cost_quartiles: Optional[List[float]]
    timings: int


class ComparisonRow(CostAtStep, total=False):
    """One run of compare(), and why it failed if it did."""

    failure: str


class Finding(TypedDict):
    """One claim of a method against what was measured."""

    key: str
    about: str
    claimed: str
    measured: str
    value: Optional[float]
    uncertainty: Optional[float]
    zero: Optional[str]
    bound: Optional[float]
    verdict: Agreement
    note: Optional[str]


class JudgedStatement(TypedDict):
    """What numbers and claims of a paper have in common."""

    experiment: str
    place: str
    verdict: str
    command: str
    note: str


class Verdict(JudgedStatement, total=False):
    """A number of a paper (``item`` and what follows) or a claim of it (``id`` and what follows), measured again."""

    item: str
    published: str
    measured: Any                       # text of a number, a list of records of a claim
    value: Optional[float]
    allowed: str
    unit: str
    tolerance: str
    reason: str
    fields: Dict[str, str]
    id: str
    claim: str
    criterion: str
    holds_if: str
    missing: str
    test: str
    filter: str
    test_outcome: str
    timed: bool


Seen = Tuple[str, float]
