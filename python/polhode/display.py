"""Solutions and tables of methods as HTML, for notebooks. Pure functions of what they are given; nothing raises."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Tuple

STYLE = "text-align:left;padding:2px 12px 2px 0"
SIZE = 4.2, 1.7             # inches
SHOWN, FINE = 100, 150      # dots to an inch on the page, and in the image
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
    facts = f'<table style="border-collapse:collapse">{"".join(lines)}</table>'
    return titled(getattr(solution, "title", "") or "Solution", facts, picture("angular velocity", draw_velocity, solution))


def titled(title: object, *parts: str) -> str:
    return f"<div><strong>{escape(str(title))}</strong>{''.join(parts)}</div>"


def methods_html(records: Iterable[Mapping[str, Any]]) -> str:
    """A table of methods, of records as `polhode methods --json` prints them.

    >>> methods_html([{"name": "mine", "good_for": "x < y"}]).count("&lt;")
    1
    """
    return table(METHOD_COLUMNS, map(method_cells, records))


def table(titles: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th style="{STYLE}">{escape(title)}</th>' for title in titles)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


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


def draw_velocity(solution: Any, ax: Any) -> None:
    from .pictures import trajectory
    trajectory(solution, ax=ax)


def picture(words: str, draw: Callable[[Any, Any], None], of: Any, size: Tuple[float, float] = SIZE) -> str:
    """An image within the page, on which draw(of, ax) has drawn, or nothing."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        from .figures.style import RC
        with rc_context(RC):
            figure = Figure(figsize=size, layout="constrained")
            draw(of, figure.add_subplot())
            written = io.BytesIO()
            figure.savefig(written, format="png", dpi=FINE)
    except Exception:                           # matplotlib is absent, or there is nothing to draw
        return ""
    image = base64.b64encode(written.getvalue()).decode("ascii")
    return f'<img alt="{words}" width="{round(size[0] * SHOWN)}" src="data:image/png;base64,{image}">'
