"""ensemble(): many bodies at once."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from . import _core
from ._checks import UNREADABLE, array, flag, listed, mapping, path, shown, whole
from .solve import _events, _request
from .state import _to_scipy
from .torques import _as_torques

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

    from ._core import _States
    from .hints import (BodyLike, Device, Events, Floats, Numbers, OnFailure, Path, Scalar, Span, StartLike, Torques)

__all__ = ["Bodies", "Ensemble", "ensemble"]


class Bodies:
    """All bodies of an ensemble at one time, a row for each: ``attitude`` (n, 4), ``angular_velocity`` (n, 3) in body
    axes [rad/s], ``momentum`` (n, 3) in space [kg m^2/s], ``energy`` (n,) [J].

    >>> many = polhode.ensemble([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 1), step=0.1, bodies=3,
    ...                         draw={"attitude": "uniform"})
    >>> many.end.y.shape, len(many.end)
    ((7, 3), 3)
    """

    def __init__(self, states: _States, scalar_first: bool) -> None:
        self.attitude, self.angular_velocity = states["attitude"], states["angular_velocity"]
        self.momentum, self.energy = states["momentum"], states["energy"]
        self.scalar_first = scalar_first

    @property
    def y(self) -> Floats:
        """Quaternion and angular velocity, a column for each body, (7, n); a copy."""
        return np.vstack([self.attitude.T, self.angular_velocity.T])

    def rotation(self) -> Rotation:
        """The attitudes as a ``scipy.spatial.transform.Rotation``."""
        return _to_scipy(self.attitude, self.scalar_first)

    def __len__(self) -> int:
        return len(self.energy)

    def __repr__(self) -> str:
        return f"<{len(self)} bodies>"


class Ensemble:
    """What :func:`ensemble` returns.

    ``start``, ``end`` and ``snapshots``, the latter at the times ``t_snapshots`` [s], are :class:`Bodies`; ``end_time``
    (n,) [s] is that of an event or of a failure for bodies which did not get to the end. ``energy_error`` (n,),
    relative to the energy at the start; ``momentum_error`` (n,), likewise; ``attitude_error`` (n,) [rad], of free
    bodies, or None. ``passages``, the first time of each event by its name, NaN where there was none; ``quantities`` by
    name, at the end.

    ``statistics``, ``histograms``, ``quantiles`` and ``failures`` are lists of mappings; ``info`` is all that ``polhode
    ensemble --json`` prints. ``method``, ``step`` [s], ``steps``, ``seed``, ``seconds``, ``body_steps_per_second``,
    ``threads``, ``device``, ``instruction_set`` ("none" where bodies went one by one), ``fused`` (whether fast kernels
    were used) and ``success``, whether no body failed.

    >>> many = polhode.ensemble([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 10), step=0.05, bodies=100,
    ...                         draw={"angular_velocity_body": {"normal": [[0.1, 1, 0.1], [0.01, 0.01, 0.01]]}})
    >>> many.success, bool(many.energy_error.max() < 1e-2)
    (True, True)
    >>> [one["quantity"] for one in many.statistics][:3]
    ['energy', 'angular_speed', 'angular_momentum']
    """

    def __init__(self, answer: _core._Many, scalar_first: bool) -> None:
        self.info: Dict[str, Any] = json.loads(answer["json"])
        self.start, self.end = Bodies(answer["start"], scalar_first), Bodies(answer["end"], scalar_first)
        self.snapshots = [Bodies(states, scalar_first) for states in answer["snapshots"]]
        self.t_snapshots: Floats = np.array(answer["t_snapshots"], dtype=float)
        self.end_time, self.energy_error = answer["end_time"], answer["energy_error"]
        self.momentum_error, self.attitude_error = answer["momentum_error"], answer["attitude_error"]
        self.passages, self.quantities = answer["passages"], answer["quantities"]
        self.scalar_first = scalar_first
        self.method, self.step, self.steps = self.info["method"], self.info["step"], self.info["steps"]
        self.seed, self.threads = self.info["seed"], self.info["threads"]
        self.seconds, self.body_steps_per_second = self.info["seconds"], self.info["body_steps_per_second"]
        self.device, self.instruction_set = self.info["device"], self.info["instruction_set"]
        self.fused = self.info["fused"]
        self.statistics: List[Dict[str, Any]] = self.info["statistics"]
        self.histograms: List[Dict[str, Any]] = self.info["histograms"]
        self.quantiles: List[Dict[str, Any]] = self.info["quantiles"]
        self.failures: List[Dict[str, Any]] = self.info["failures"]
        self.success = self.info["failed"] == 0

    def __repr__(self) -> str:
        failed = f", {self.info['failed']} failed" if self.info["failed"] else ""
        return f"<{len(self.end)} bodies by {self.method}, {self.steps} steps of {self.step:.6g} s{failed}>"

    def _repr_html_(self) -> str:
        from .display_studies import ensemble_html
        return ensemble_html(self.info)


def _draws(draw: Mapping[str, object], seed: int) -> Tuple[Dict[str, Any], Dict[str, str], List[Tuple[str, Floats]]]:
    """The table [ensemble], what its keys are called, and arrays with a row for each body."""
    table: Dict[str, Any] = {"seed": seed}
    names: Dict[str, str] = {}
    rows: List[Tuple[str, Floats]] = []
    for key, value in mapping("draw", draw).items():
        names[f"ensemble.{key}"] = f"draw['{key}']"
        if isinstance(value, (str, Mapping)) or key in ("torque", "wheels"):
            table[key] = value
            continue
        numbers = array(f"draw['{key}']", value)
        if numbers.ndim != 2:
            raise ValueError(f"draw['{key}']: an array of shape {numbers.shape}, where a row for each body is wanted; or "
                             "give a mapping such as {'normal': [mean, deviation]}")
        rows.append(("body.inertia" if key == "inertia" else f"start.{key}", numbers))
    return table, names, rows


def ensemble(body: BodyLike, torque: Torques | None = None, start: StartLike | None = None,
             t_span: Span = (0.0, 100.0), method: str = "mclachlan-reich-231", *, step: float | None = 0.01,
             bodies: int | None = None, draw: Mapping[str, object] | None = None, seed: int = 1,
             tolerance: float | None = None, snapshots: Numbers | None = None, quantiles: Numbers | None = None,
             histograms: Sequence[Mapping[str, object]] | None = None, events: Events | None = None,
             quantities: Mapping[str, str] | None = None, stop_when: str | None = None, scalar: Scalar = "double",
             on_failure: OnFailure | None = None, threads: int | None = None, shard: Tuple[int, int] = (1, 1),
             device: Device = "cpu", fast: bool = False, output: Path | None = None,
             scalar_first: bool = True) -> Ensemble:
    """Follows many bodies that do not know of each other, and returns an :class:`Ensemble`.

    ``body``, ``torque``, ``start``, ``t_span``, ``method``, ``step``, ``tolerance``, ``events``, ``quantities``,
    ``stop_when``, ``scalar``, ``on_failure`` and ``scalar_first`` are those of :func:`polhode.solve`, of the body that
    all others differ from. Every body has the bits that ``solve`` would give it, whatever the threads,
    unless ``fast`` is asked for.

    bodies, draw, seed
        How many, and in what they differ: a mapping with the keys of a scenario's table [ensemble]
        (docs/ensembles.md), such as ``{"attitude": "uniform", "inertia": {"uniform": [low, high]}}``, or arrays with a
        row for each body in place of a distribution. The same seed draws the same bodies.
    snapshots, quantiles, histograms
        Times [s] at which all bodies are kept, besides the end; probabilities; mappings with ``quantity``, ``low``,
        ``high`` and ``bins``.
    threads, shard
        How many threads (as many as the machine has), and which part of the bodies: (2, 8) is the second of eight.
    device
        "cpu", or "cuda", a graphics card, where the library was built for one. A card fuses products and sums: there
        the bits are not those of ``solve``, from which they differ by rounding.
    fast
        Fuses products and sums and merges steps, where there are kernels that do (``fused`` of the result says so): the
        same motion to rounding, in less time.
    output
        A file (.h5 or .csv) that every body is written to as well.

    Torques and events may not be functions of Python, which one thread at a time can run; compiled functions may.

    >>> velocities = np.random.default_rng(1).normal([0, 0, 1], 0.1, (50, 3))
    >>> top = {"kind": "heavy-top", "weight_times_arm": 0.5}
    >>> many = polhode.ensemble([1, 1.2, 0.5], top, t_span=(0, 5), step=0.01, draw={"angular_velocity_body": velocities},
    ...                         snapshots=[2.5])
    >>> many.end.attitude.shape, len(many.snapshots)
    ((50, 4), 1)
    >>> alone = polhode.solve([1, 1.2, 0.5], top, velocities[7], (0, 5), "mclachlan-reich-231", step=0.01)
    >>> bool((many.end.angular_velocity[7] == alone.angular_velocity[-1]).all())
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed: {shown(seed)} is not a whole number")
    table, names, rows = _draws({} if draw is None else draw, int(seed))
    if bodies is not None:
        table["bodies"] = whole("bodies", bodies)
    for key, value in (("snapshots", snapshots), ("quantiles", quantiles)):
        if value is not None:
            table[key] = array(key, value)
    if histograms is not None:
        table["histogram"] = [mapping("histograms", one) for one in listed("histograms", histograms)]
    names.update({"ensemble.bodies": "bodies", "ensemble.seed": "seed", "ensemble.snapshots": "snapshots",
                  "ensemble.quantiles": "quantiles", "ensemble.histogram": "histograms"})
    scalar_first = flag("scalar_first", scalar_first)
    one_at_a_time = "a function of Python can be called by one thread at a time, and an ensemble has several; give an expression"
    if any("function" in one for one in _as_torques(torque)[1]):
        raise TypeError(f"torque: {one_at_a_time}, a compiled function, or solve() body by body")
    if _events(events)[1]:
        raise TypeError(f"events: {one_at_a_time}")
    if not isinstance(device, str) or device not in ("cpu", "cuda"):
        raise ValueError(f"device: {shown(device)} is neither cpu nor cuda")
    run = {"method": method, "step": step, "tolerance": tolerance, "stop_when": stop_when, "scalar": scalar,
           "on_failure": on_failure}
    request, _, _ = _request(body, torque, start, t_span, run, scalar_first=scalar_first, events=events,
                             quantities=quantities, ensemble=(table, names))
    try:
        part, parts = shard
    except UNREADABLE:
        raise TypeError(f"shard: {shown(shard)} is not a part and a number of parts, such as (2, 8)") from None
    answer = _core.ensemble(request, rows, 0 if threads is None else whole("threads", threads, most=4096),
                            whole("shard", part), whole("shard", parts), device == "cuda", flag("fast", fast),
                            b"" if output is None else os.fsencode(path("output", output)))
    return Ensemble(answer, scalar_first)
