"""Solutions and tables of methods as HTML, for notebooks. Pure functions of what they are given."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any, Callable, Iterable, Mapping, Optional, Tuple

STYLE = "text-align:left;padding:2px 12px 2px 0"
WIDTH, HEIGHT, SHOWN, FINE = 4.2, 1.7, 100, 150     # inches; dots to an inch on the page, and in the image
METHOD_COLUMNS = ("method", "order", "symplectic", "symmetric", "energy", "torque calls", "needs", "good for")


def solution_html(solution: Any) -> str:
    """A small table of what a solution is, and its angular velocity against time where matplotlib is there.

    What the solution does not know has no line; nothing raises. Besides the arrays that pictures need, it shows the
    attributes method, scalar, step, steps, status, attitude_error, momentum_error and warnings where there are any.

    >>> "<th" in solution_html(solution)
    True
    """
    lines = []
    for name, words in FACTS.items():
        try:
            found = words(solution)
        except Exception:                       # a table that is not shown helps less than one that lacks a line
            found = None
        if found is not None:
            lines.append(f'<tr><th style="{STYLE}">{name}</th>{cell(found)}</tr>')
    title = escape(str(getattr(solution, "title", "") or "Solution"))
    return (f'<div><strong>{title}</strong><table style="border-collapse:collapse">{"".join(lines)}</table>'
            f"{picture(solution)}</div>")


def methods_html(records: Iterable[Mapping[str, Any]]) -> str:
    """A table of methods, of records as `polhode methods --json` prints them.

    >>> methods_html([{"name": "mine", "good_for": "x < y"}]).count("&lt;")
    1
    """
    head = "".join(f'<th style="{STYLE}">{title}</th>' for title in METHOD_COLUMNS)
    rows = "".join(f"<tr>{''.join(map(cell, method_cells(record)))}</tr>" for record in records)
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def cell(words: str) -> str:
    return f'<td style="{STYLE}">{escape(words)}</td>'


def method_cells(record: Mapping[str, Any]) -> Tuple[str, ...]:
    calls = record.get("torque_evaluations")
    return (text(record.get("name")), orders(record), text(record.get("symplectic")), text(record.get("symmetric")),
            energy(record), "" if calls is None else f"{calls:g}", text(record.get("needs")),
            text(record.get("good_for")))


def orders(record: Mapping[str, Any]) -> str:
    """Of attitude and momentum in a torque, and of a free body where they differ: '2, free 4/6'."""
    field, free = (order(record, ending) for ending in ("", "_free"))
    return field if not free or free == field else f"{field}, free {free}" if field else f"free {free}"


def order(record: Mapping[str, Any], ending: str) -> str:
    both = [text(record.get(f"order_{quantity}{ending}")) for quantity in ("attitude", "momentum")]
    return "/".join(part for part in dict.fromkeys(both) if part)


def energy(record: Mapping[str, Any]) -> str:
    """What is kept of it in a field, and of a free body where that differs."""
    field, free = text(record.get("energy")), text(record.get("energy_free"))
    if record.get("needs") == "no torque":
        return free
    return field if not free or free == field else f"{field}, free {free}"


def text(value: object) -> str:
    return "" if value is None else "yes" if value is True else "no" if value is False else str(value)


def given(name: str, form: str = "{}") -> Callable[[Any], Optional[str]]:
    def words(solution: Any) -> str | None:
        value = getattr(solution, name, None)
        return None if value is None or value == "" else form.format(value)
    return words


def end(solution: Any) -> str:
    return f"{float(solution.t[-1]):.6g} s, {len(solution.t)} rows"


def energy_change(solution: Any) -> str:
    """An error only where the motion conserves energy."""
    first = float(solution.energy[0])
    change = max(abs(float(value) - first) for value in solution.energy)
    if solution.energy_conserved:
        return "error of at most " + (f"{change / abs(first):.2e}, relative" if first else f"{change:.2e} J")
    return f"from {first:.6g} J to {float(solution.energy[-1]):.6g} J, which this motion does not conserve"


def warnings(solution: Any) -> str | None:
    said = getattr(solution, "warnings", None)
    return "; ".join(map(str, said)) if said else None


FACTS = {"method": given("method"), "scalar": given("scalar"), "step": given("step", "{:.6g} s"),
         "steps": given("steps"), "end": end, "status": given("status"),
         "attitude error": given("attitude_error", "{:.2e} rad"),
         "momentum error": given("momentum_error", "{:.2e} kg m\u00b2/s"), "energy": energy_change,
         "warnings": warnings}


def picture(solution: Any) -> str:
    """The angular velocity as an image within the page, or nothing."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        from .figures.style import RC
        from .pictures import trajectory
        with rc_context(RC):
            figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
            trajectory(solution, ax=figure.add_subplot())
            written = io.BytesIO()
            figure.savefig(written, format="png", dpi=FINE)
    except Exception:                           # matplotlib is absent, or the solution has nothing to draw
        return ""
    image = base64.b64encode(written.getvalue()).decode("ascii")
    return f'<img alt="angular velocity" width="{round(WIDTH * SHOWN)}" src="data:image/png;base64,{image}">'
