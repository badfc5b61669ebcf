"""The report from top to bottom, as blocks."""

import re
from collections import Counter

from .blocks import Bullets, Command, Heading, Link, Paragraph, Picture, Table, Verdict, cell
from .claims import claim_blocks
from .published import number_blocks
from .words import EXPLAINED, duration, measured, paper, paper_order, plural, seconds, sentence, short_name, source, with_unit

NONE = "\u2013"               # in place of a nought
PICTURES = ("The papers were at hand as text, without their pictures: a figure is judged by what text and captions say of "
            "it, and nothing here says what a picture shows.")


def document(experiments, twin=False):
    """The Markdown twin is without times, so that it changes only when results do, and shorter on how claims are
    measured."""
    times = not twin
    blocks = [Heading(1, "Reproduction of published results"), Paragraph((opening(experiments, times),)),
              Heading(2, "Summary", "summary"), Paragraph((counts(experiments),)),
              claim_counts(experiments), Paragraph((PICTURES,)), summary(experiments, times)]
    blocks += failing(experiments)
    for key in sorted({experiment.paper for experiment in experiments}, key=lambda key: (paper_order(key), key)):
        heading, reference = paper(key)
        blocks += [Heading(2, heading, f"paper-{key or 'none'}")] + ([Paragraph((reference,))] if reference else [])
        for experiment in in_order(experiments):
            if experiment.paper == key:
                blocks += section(experiment, twin)
    return blocks


def in_order(experiments):
    return sorted(experiments, key=lambda each: (paper_order(each.paper), each.paper, each.name))


def opening(experiments, times):
    versions = ", ".join(sorted({experiment.version for experiment in experiments}))
    sets = ", ".join(sorted({experiment.run_set for experiment in experiments}))
    took = f", in {duration(sum(experiment.seconds for experiment in experiments))}" if times else ""
    return sentence(f"Polhode {versions}; {plural(len(experiments), 'experiment')} of the set {sets}{took}",
                    "Every printed number and every claim stands beside what is measured here; each can be measured again "
                    "with the command given")


def verdicts(experiments):
    return (Counter(item.verdict for experiment in experiments for item in experiment.items),
            Counter(claim.verdict for experiment in experiments for claim in experiment.claims))


def counts(experiments):
    items, _ = verdicts(experiments)
    compared = sum(items.values()) - items["used"] - items["measured"]
    by_paper = Counter(short_name(experiment.paper) for experiment in experiments for item in experiment.items
                       if item.verdict not in ("used", "measured"))
    shares = ", ".join(f"{count} by {name}" for name, count in by_paper.most_common())
    return sentence(
        f"{plural(compared, 'printed number')}: {items['reproduced']} reproduced to the digits printed, "
        f"{items['within tolerance']} within the tolerance stated, {sum(items[v] for v in EXPLAINED)} off for a known "
        f"reason (misprint, solved, differs), {items['not reproduced']} not reproduced",
        f"They were printed: {shares}" if len(by_paper) > 1 else "", "Data taken over and numbers without a printed one are not counted")


def claim_counts(experiments):
    """What the papers say, what hangs on the clock, and what we ask ourselves: each counted for itself."""
    claims = [claim for experiment in experiments for claim in experiment.claims]
    groups = (("Statements of the papers", [c for c in claims if not c.own and not c.timed]),
              ("Statements of the papers on running times, which hang on the processor",
               [c for c in claims if not c.own and c.timed]),
              ("Our own questions and experiments", [c for c in claims if c.own]))
    return Bullets(tuple((sentence(f"{name}: {tally(group)}"),) for name, group in groups if group))


def tally(claims):
    """'4: 2 hold, 1 in part, 1 does not'."""
    by_verdict = Counter(claim.verdict for claim in claims)
    words = (("holds", "hold"), ("holds in part", "in part"), ("does not hold", "do not"), ("undecided", "undecided"),
             ("cannot be decided", "cannot be decided"), ("not proved", "not proved"))
    return f"{len(claims)}: " + ", ".join(f"{by_verdict[verdict]} {word}" for verdict, word in words if by_verdict[verdict])


def summary(experiments, times):
    head = ("experiment", "paper and place", "reproduced", "within tolerance", "misprint, solved, differs",
            "not reproduced", "claims that hold", "in part", "do not hold", "undecided", "cannot be decided") + (("time [s]",) if times else ())
    rows = [summary_row(cell(Link(experiment.name, experiment.name)), source(experiment), [experiment], times)
            for experiment in in_order(experiments)]
    foot = summary_row(cell("all"), "", experiments, times)
    return Table("summary", "Verdicts by experiment", head, tuple(rows), foot)


def summary_row(first, place, experiments, times):
    items, claims = verdicts(experiments)
    amounts = ((items["reproduced"], "good"), (items["within tolerance"], "near"),
               (sum(items[v] for v in EXPLAINED), "aside"), (items["not reproduced"], "bad"),
               (claims["holds"], "good"), (claims["holds in part"], "near"), (claims["does not hold"], "bad"),
               (claims["undecided"], "aside"), (claims["cannot be decided"], "aside"))
    row = [first, cell(place)] + [cell(str(n), tone=tone) if n else cell(NONE) for n, tone in amounts]
    took = [cell(seconds(sum(experiment.seconds for experiment in experiments)))] if times else []
    return tuple(row + took)


def failing(experiments):
    """What must not be overlooked."""
    claims = [(Verdict("does not hold"), " ", Link(claim.claim, anchor(experiment, claim)), f" ({source(experiment)})")
              for experiment in in_order(experiments) for claim in experiment.claims
              if claim.verdict == "does not hold"]
    numbers = [(Verdict("not reproduced"), " ", Link(f"{experiment.name}: {item.item}", experiment.name),
                f": printed {item.published}, measured "
                + with_unit(measured(item), item.unit))
               for experiment in in_order(experiments) for item in experiment.items
               if item.verdict == "not reproduced"]
    blocks = [Heading(2, "Claims that do not hold", "claims-that-do-not-hold"),
              Bullets(tuple(claims)) if claims else Paragraph(("None.",))]
    if numbers:
        blocks += [Heading(2, "Numbers that are not reproduced", "numbers-not-reproduced"), Bullets(tuple(numbers))]
    return blocks


def anchor(experiment, claim):
    return re.sub(r"[^\w-]+", "-", f"{experiment.name}-{claim.id}")


def section(experiment, twin):
    blocks = [Heading(3, f"{experiment.name}: {experiment.title}", experiment.name),
              Paragraph((sentence(source(experiment) if experiment.paper else "", experiment.about),)),
              Command(experiment.command)]
    if not twin:
        blocks.append(Paragraph((f"Time taken: {duration(experiment.seconds)}.",)))
    if experiment.left_out:
        blocks.append(Paragraph((f"{plural(experiment.left_out, 'number or claim', 'numbers and claims')} left out: "
                                 "they need a larger set of runs.",)))
    if experiment.figure:
        blocks.append(Picture(experiment.name, alt_text(experiment), experiment.figure.get("caption") or ""))
    return blocks + number_blocks(experiment) + claim_blocks(experiment, anchor, twin)


def alt_text(experiment):
    """The figure for those who do not see it: panels and what is in them."""
    said = []
    for panel in experiment.figure["panels"]:
        curves = [str(curve.get("label", "")) for curve in panel["curves"]]
        what = " ".join(part for part in (panel.get("title", ""), f"({panel.get('kind', '')})") if part)
        said.append(what + (": " + ", ".join(curves) if curves else ""))
    return sentence(f"Figure: {experiment.title}", "; ".join(said))
