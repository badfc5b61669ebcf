"""Problems, studies and ensembles as HTML, for notebooks. Pure functions of records and of what --json prints."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, List, Mapping, Sequence

from .display import STYLE, picture, table, text, titled

WIDE = 7.2, 2.8     # inches, of a picture with the names of methods beside it
LONGEST = 60        # rows of a table
COLOURS = {"disagrees": "#b3261e", "more": "#9a6700", "does not hold": "#b3261e"}

Record = Mapping[str, Any]


def number(value: object, digits: int = 3) -> str:
    """What was measured; nothing of what was not."""
    return f"{value:.{digits}g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else text(value)


def shortened(rows: Sequence[Any]) -> Sequence[Any]:
    return rows[:LONGEST]


def and_more(rows: Sequence[Any]) -> str:
    return f"<p>and {len(rows) - LONGEST} more rows</p>" if len(rows) > LONGEST else ""


def problems_html(records: Iterable[Record]) -> str:
    """Benchmark problems, as `polhode problems --json` prints them.

    >>> problems_html([{"name": "top", "inertia": [1, 2, 3], "torque": []}]).count("<td")
    7
    """
    return table(("problem", "moments [kg m²]", "torque", "step [s]", "duration [s]", "source", "about"),
                 map(problem_cells, records))


def problem_cells(record: Record) -> List[str]:
    inertia = record.get("inertia") or []
    moments = "tensor" if inertia and isinstance(inertia[0], (list, tuple)) else ", ".join(map(number, inertia))
    kinds = ", ".join(str(one.get("kind")) for one in record.get("torque") or ()) or "none"
    return [text(record.get("name")), moments, kinds, number(record.get("step")), number(record.get("duration")),
            text(record.get("cite")), text(record.get("about"))]


def convergence_html(study: Record) -> str:
    """Orders that were fitted, or why there are none, and errors against steps.

    >>> "2.00 ± 0.10" in convergence_html({"orders": [{"method": "m", "attitude": 2.0, "attitude_uncertainty": 0.1}]})
    True
    """
    def cells(fit: Record) -> List[str]:
        return [text(fit.get("method")), text(fit.get("claimed_attitude")), fitted(fit, "attitude"),
                text(fit.get("claimed_momentum")), fitted(fit, "momentum"), text(fit.get("reason"))]
    return titled(f"Convergence: {named(study)}",
                  table(("method", "order of attitude: claimed", "found", "of momentum: claimed", "found", ""),
                        map(cells, study.get("orders", ()))),
                  picture("errors against steps", draw_convergence, study, WIDE))


def fitted(fit: Record, quantity: str) -> str:
    order, uncertainty = fit.get(quantity), fit.get(f"{quantity}_uncertainty")
    if order is None:
        return ""
    return f"{order:.2f}" if uncertainty is None else f"{order:.2f} ± {uncertainty:.2f}"


def draw_convergence(study: Any, ax: Any) -> None:
    from .pictures import convergence
    convergence(study, ax)


def comparison_html(study: Record) -> str:
    """Every run with its error and cost, and the work-precision diagram."""
    def cells(row: Record) -> List[str]:
        cost = row.get("cost")
        return [text(row.get("method")), number(row.get("step")), number(row.get("attitude_error")),
                "" if cost is None else number(1e3 * cost), number(row.get("torque_evaluations"), 9), text(row.get("failure"))]
    rows = study.get("rows", ())
    return titled(f"Comparison: {named(study)}",
                  picture("errors against time", draw_comparison, study, WIDE),
                  table(("method", "step [s]", "attitude error [rad]", "time [ms]", "torque calls", ""),
                        map(cells, shortened(rows))), and_more(rows))


def draw_comparison(study: Any, ax: Any) -> None:
    from .pictures import work_precision
    work_precision(study, ax)


def diagnosis_html(study: Record) -> str:
    """Each claim beside what was measured.

    >>> diagnosis_html({"diagnosis_of": "m", "findings": [{"claimed": "2", "verdict": "disagrees"}]}).count("color")
    1
    """
    def cells(finding: Record) -> List[str]:
        return [text(finding.get(key)) for key in ("about", "claimed", "measured", "zero", "verdict", "note")]
    wrong = study.get("disagree", 0)
    told = f"{wrong} of its claims do{'es' if wrong == 1 else ''} not hold" if wrong else "no claim is contradicted"
    return titled(f"{text(study.get('diagnosis_of'))} in {named(study)}: {told}",
                  coloured(table(("", "claimed", "measured", "zero is", "verdict", ""), map(cells, study.get("findings", ())))))


def coloured(html: str) -> str:
    """Verdicts that somebody should look at."""
    for words, colour in COLOURS.items():
        html = html.replace(f'{STYLE}">{words}</td>', f'{STYLE};color:{colour}">{words}</td>')
    return html


def reproduction_html(verdicts: Sequence[Record]) -> str:
    """Numbers and claims of papers beside what was measured."""
    def cells(one: Record) -> List[str]:
        measured = one.get("measured")
        return [text(one.get("experiment")), text(one.get("item") or one.get("id")),
                text(one.get("published") or one.get("claim")), measured if isinstance(measured, str) else "",
                text(one.get("unit")), text(one.get("verdict"))]
    return titled("Papers measured again",
                  coloured(table(("experiment", "", "published", "measured", "", "verdict"), map(cells, shortened(verdicts)))),
                  and_more(verdicts))


def ensemble_html(info: Record) -> str:
    """What was followed and how, and statistics of what is known of all bodies."""
    def cells(one: Record) -> List[str]:
        return [text(one.get("quantity")), text(one.get("time"))] + [
            number(one.get(key), 6) for key in ("least", "mean", "largest", "deviation")]
    failed = info.get("failed")
    where = text(info.get("card")) or f"{text(info.get('threads'))} threads, packs: {text(info.get('instruction_set'))}"
    facts = [f"{text(info.get('followed'))} bodies by {text(info.get('method'))}",
             f"{text(info.get('steps'))} steps of {number(info.get('step'), 6)} s",
             f"{number(info.get('seconds'))} s on {where}", f"{failed} failed" if failed else "none failed"]
    return titled(text(info.get("title")) or "Ensemble", f"<p>{escape('; '.join(facts))}</p>",
                  table(("quantity", "at", "least", "mean", "largest", "deviation"),
                        map(cells, info.get("statistics", ()))))


def named(study: Record) -> str:
    return text(study.get("problem")) or text(study.get("title")) or "a scenario"
