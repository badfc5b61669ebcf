"""Claims of a paper, what was measured about each, and the verdict."""

import re

from .blocks import BREAK, Anchor, Code, Fold, Heading, Solid, Table, Verdict, cell
from .words import number, tone


MOST = 2                    # commands of a claim that the twin gives


def claim_blocks(experiment, anchor, twin=False):
    if not experiment.claims:
        return []
    head = ("claim", "place", "measured", "criterion", "verdict", "note")
    rows = tuple((anchored(claim, anchor(experiment, claim), twin), cell(claim.place), cell(*numbers(claim)),
                  cell(claim.criterion), cell(Verdict(claim.verdict), tone=tone(claim.verdict)), cell(claim.note))
                 for claim in experiment.claims)
    return [Heading(4, "Claims"), Table("claims", "Claims and what is measured", head, rows)]


def anchored(claim, anchor, twin):
    """The claim in our words; how it is measured below, folded."""
    details = how(claim, twin)
    return cell(Anchor(anchor), claim.claim, *([" ", Fold("how it is measured", tuple(details))] if details else []))


def numbers(claim):
    if not claim.measured:
        return ["by the test ", Code(named_test(claim)), outcome(claim)] if claim.test else ["\u2013"]
    families = {}               # numbers whose names differ in a last index only stand in one line
    for name, value, _ in claim.measured:
        stem = re.sub(r"\d+$", "#", name)
        families.setdefault(stem, []).append((name, Solid(number(value))))
    return lines(family_parts(*zip(*family)) for family in families.values())


def family_parts(names, values):
    """'ratio_0 = 4' or, of several, 'ratio_0\u20262 = 4, 3.9, 3.7'."""
    ends = [re.search(r"\d*$", name)[0] for name in names]
    in_turn = len(names) > 1 and all(ends) and ends == [str(i) for i in range(int(ends[0]), int(ends[0]) + len(ends))]
    name = names[0] + (f"\u2026{ends[-1]}" if in_turn else "".join(f", {end}" for end in ends[1:]))
    return [f"{name} = ", values[0]] + [part for value in values[1:] for part in (", ", value)]


def how(claim, twin):
    commands = [command for command in re.split(r"; (?=polhode )", claim.command) if command]
    shown = commands[:MOST] if twin else commands
    said = [[Code(command)] for command in shown]
    said += [[f"and {len(commands) - len(shown)} more runs"]] if len(shown) < len(commands) else []
    said += [[Code(f"{name} = {expression}")] for name, _, expression in claim.measured if expression and not twin]
    said += [["holds if ", Code(claim.holds_if)]] if claim.holds_if else []
    said += [[f"missing: {claim.missing}"]] if claim.missing else []
    said += [["The verdict is that of the test ", Code(named_test(claim)), "."]] if claim.test else []
    return lines(said)


def named_test(claim):
    return " ".join(part for part in (claim.test, claim.filter) if part)


def outcome(claim):
    return f": {claim.test_outcome}" if claim.test_outcome else ""


def lines(entries):
    parts = []
    for entry in entries:
        parts += [BREAK, *entry] if parts else entry
    return parts
