"""Result files in, arrays out.

A Run holds what one result file says, and what follows from it by algebra alone: the momentum in body axes,
the principal moments, errors relative to the first row. Nothing here integrates.
"""

import os
import re
import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .errors import ResultError
from .hdf5 import is_hdf5, read_hdf5

COLUMNS = ("t", "qw", "qx", "qy", "qz", "wx_B", "wy_B", "wz_B", "Lx_S", "Ly_S", "Lz_S", "E")
POINSOT = tuple(f"{curve}_{i}_{frame}" for curve, frame in (("polhode", "B"), ("herpolhode", "S")) for i in "xyz")
HUGE = 1e300           # stands for what overflows


@dataclass
class Run:
    path: str
    about: dict            # provenance: the '# key: value' lines
    units: dict            # column name -> unit as written in the header
    t: np.ndarray          # (n,)   finite rows only, up to the first that is not
    q: np.ndarray          # (n, 4) R_SB, scalar first, unit
    w_B: np.ndarray        # (n, 3)
    L_S: np.ndarray        # (n, 3)
    E: np.ndarray          # (n,)
    lost: bool = False     # the file goes on, but its numbers are no longer finite
    polhode: np.ndarray = None         # (n, 3) in body axes, where the file has it
    herpolhode: np.ndarray = None      # (n, 3) in spatial axes
    tensor: np.ndarray = None          # (3, 3) of inertia in body axes, where it is told

    @cached_property
    def pi_B(self):
        """Angular momentum in body axes: R_SB^T L_S."""
        w, v, L = self.q[:, :1], -self.q[:, 1:], self.L_S
        return L + 2.0 * np.cross(v, np.cross(v, L) + w * L)

    @cached_property
    def direction(self):
        """Of the third axis in space: R_SB e3."""
        w, x, y, z = self.q.T
        return np.column_stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z])

    @cached_property
    def on_sphere(self):
        """Only a direction is looked at: the file has it, and the body does not spin about it."""
        return "dx" in self.units and bool(np.max(np.abs(self.w_B[:, 2])) <= 1e-9 * np.max(np.abs(self.w_B)))

    @cached_property
    def inertia(self):
        """Principal moments from pi_B = I w_B, or None where the motion does not show all three."""
        pi, w = self.pi_B, self.w_B
        square = np.sum(w * w, axis=0)
        if np.any(square <= 1e-12 * np.sum(square)):
            return None
        moments = np.sum(pi * w, axis=0) / square
        misfit = np.max(np.abs(pi - moments * w)) > 1e-3 * np.max(np.abs(pi))
        return None if misfit or np.any(moments <= 0.0) else moments

    @property
    def energy_conserved(self):
        """Whether the exact motion conserves energy, so that a change is an error; None where the file does not say."""
        return {"yes": True, "no": False}.get(self.about.get("energy_conserved"))

    @property
    def energy_name(self):
        return "kinetic energy" if self.about.get("energy_terms") == "kinetic" else "energy"

    @cached_property
    def energy_change(self):
        """E - E0, over |E0| where that is a scale and not the rounding of zero; and whether it is."""
        kinetic = 0.5 * np.sum(self.w_B * self.pi_B, axis=1)
        return relative(self.E - self.E[0], abs(self.E[0]), kinetic)

    @cached_property
    def momentum_change(self):
        """|L - L0| in space, over |L0| where that is a scale; and whether it is."""
        return relative(length(self.L_S - self.L_S[0]), length(self.L_S[:1])[0], length(self.L_S))

    @cached_property
    def free(self):
        """No torque acts, as far as the momentum shows it."""
        change, scaled = self.momentum_change
        return scaled and bool(np.max(change) < 0.02)


def relative(difference, scale, typical):
    """difference/scale, unless scale is next to nothing beside typical values early in the run; and which."""
    scaled = bool(scale > 1e-12 * np.max(typical[:2 + len(typical) // 50]))
    return np.nan_to_num(difference / scale if scaled else difference, nan=HUGE, posinf=HUGE, neginf=-HUGE), scaled


def length(vectors):
    """Euclidean norm of each row, without overflow."""
    largest = np.max(np.abs(vectors), axis=1, keepdims=True)
    largest[largest == 0.0] = 1.0
    return largest[:, 0] * np.sqrt(np.sum((vectors / largest) ** 2, axis=1))


def shared_rows(run, reference):
    """Which rows of the reference have the times of the run, and which rows of the run are met; ResultError if none."""
    order = np.argsort(reference.t, kind="stable")
    ends = np.searchsorted(reference.t[order], run.t)
    left, right = order[np.maximum(ends - 1, 0)], order[np.minimum(ends, len(order) - 1)]
    near = np.where(abs(reference.t[left] - run.t) < abs(reference.t[right] - run.t), left, right)
    same = abs(reference.t[near] - run.t) <= 1e-9 * max(np.max(abs(run.t)), np.ptp(run.t))
    if not np.any(same):
        raise ResultError(f"{reference.path} and {run.path} have no time in common, so there is no difference to draw; "
                          "write both at the same times (--step times --every).")
    return near[same], same


def attitude_error(run, reference):
    """Times both files hold, and there the angle of q_ref^-1 q [rad]: 2 atan2(|v|, |w|), blind to the sign of q."""
    near, same = shared_rows(run, reference)
    a, b = reference.q[near], run.q[same]
    w = np.sum(a * b, axis=1)
    v = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    return run.t[same], 2.0 * np.arctan2(length(v), np.abs(w))


def energy_difference(run, reference):
    """Times both files hold, and there E - E_ref, over |E_ref| at the start where that is a scale; and whether it is."""
    near, same = shared_rows(run, reference)
    kinetic = 0.5 * np.sum(reference.w_B * reference.pi_B, axis=1)
    return run.t[same], *relative(run.E[same] - reference.E[near], abs(reference.E[0]), kinetic)


def read_result(path):
    """Read a result in CSV or HDF5, or raise ResultError with a sentence that names the file and a remedy."""
    units, table, about = read_rows(path)
    return run_of_rows(path, about, units, table)


def run_of_rows(path, about, units, table, tensor=None):
    """Columns are those of COLUMNS, and of POINSOT where there are more; rows up to the first that is not finite."""
    finite = np.all(np.isfinite(table[:, :len(COLUMNS)]), axis=1) & np.any(table[:, 1:5] != 0.0, axis=1)
    count = len(finite) if finite.all() else int(np.argmin(finite))
    if count == 0:
        raise ResultError(f"{path} is not finite from its first row on; check the start values and the step.")
    contact = (table[:count, 12:15], table[:count, 15:18]) if table.shape[1] > len(COLUMNS) else (None, None)
    table = table[:count]
    q = table[:, 1:5] / length(table[:, 1:5])[:, None]
    return Run(path, about, units, table[:, 0], q, table[:, 5:8], table[:, 8:11], table[:, 11], count < len(finite),
               *contact, tensor)


def read_rows(path):
    """Units by column, the columns that figures need (those of Poinsot's curves where there are all), provenance."""
    if is_hdf5(path):
        units, columns, about = read_hdf5(path)
        wanted = wanted_columns(path, list(columns), len(columns.get("t", ())))
        return units, np.column_stack([columns[name] for name in wanted]), about
    header, about, skip, rows = head_of(path)
    names = [re.sub(r"\[.*\]$", "", column).strip() for column in header]
    units = {name: column[len(name):].strip("[] ") for name, column in zip(names, header)}
    wanted = wanted_columns(path, names, rows)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")           # blank lines are no fault
            table = np.loadtxt(path, delimiter=",", skiprows=skip, max_rows=rows, ndmin=2, encoding="utf-8",
                               usecols=[names.index(name) for name in wanted])
    except ValueError:
        raise ResultError(f"{path} is damaged ({_fault(path, len(header), skip)}); run it again.") from None
    return units, table, about


def wanted_columns(path, names, rows):
    absent = [name for name in COLUMNS if name not in names]
    if absent:
        raise ResultError(f"{path} has no column '{absent[0]}'; plot a result that polhode run --output wrote "
                          "with its standard columns.")
    if rows == 0:
        raise ResultError(f"{path} holds no rows below its header; run it again, or let the run finish.")
    return COLUMNS + (POINSOT if set(POINSOT) <= set(names) else ())


def head_of(path):
    """Header, provenance, the number of lines above the data, and the number of whole lines of data."""
    about, header, skip, rows, line = {}, None, 0, 0, "\n"
    try:
        with open(path, encoding="utf-8-sig") as file:
            for line in file:
                skip += header is None
                comment = re.match(r"#\s*([^:]+?)\s*:\s*(.*?)\s*$", line)
                if comment:
                    about[comment[1]] = comment[2]          # below the rows there is one: incomplete
                elif line.strip() and not line.startswith("#"):
                    if header is None:
                        header = line.strip().split(",")
                    else:
                        rows += 1
    except (FileNotFoundError, NotADirectoryError):
        raise ResultError(f"{path} does not exist; check the name, or write it with polhode run --output {path}.",
                          ResultError.MISSING) from None
    except UnicodeDecodeError:
        raise ResultError(f"{path} is not a text file; figures are drawn from results in CSV or HDF5.") from None
    except OSError as error:
        raise ResultError(f"{path} cannot be read ({os.strerror(error.errno).lower()}); check the name and its "
                          "permissions.", ResultError.MISSING) from None
    if header is None:
        raise ResultError(f"{path} is empty; write it with polhode run --output {path}.")
    if rows > 1 and not line.endswith("\n") and not line.startswith("#"):
        rows -= 1                       # an interrupted run may end in the middle of a number
    return header, about, skip, rows


def _fault(path, columns, skip):
    """Where and why the table cannot be read."""
    with open(path, encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            fields = line.strip().split(",")
            if number <= skip or not line.strip() or line.startswith("#"):
                continue
            if len(fields) != columns:
                return f"line {number} has {len(fields)} fields, the header {columns}"
            for field in fields:
                try:
                    float(field)
                except ValueError:
                    return f"line {number}: '{field[:40]}' is not a number"
    return "its numbers cannot be read"
