"""Published against measured: a table as in the paper where it is one, else a list of numbers."""

from .blocks import BREAK, Bullets, Code, Fold, FoldedList, Heading, Paragraph, Table, Verdict, cell
from .words import MEANING, TO_THE_DIGIT, VERDICTS, measured, sentence, sign, tone, unit_text, with_unit


def number_blocks(experiment):
    if not experiment.items:
        return []
    rows, columns = experiment.table.get("rows"), experiment.table.get("columns")
    inside = [item for item in experiment.items if item.fields.get(rows) and item.fields.get(columns)]
    others = [item for item in experiment.items if item not in inside]
    blocks = [Heading(4, "Published against measured"), Paragraph((legend(experiment.items),))]
    if inside:
        blocks += [pivot(inside, rows, columns), *apart(inside, rows, columns), commands(inside, rows, columns)]
    if others:
        blocks.append(plain_table(others, "Other numbers" if inside else "Printed and measured numbers"))
    return blocks


def legend(items):
    met = {item.verdict for item in items}
    return "; ".join(f"{sign(verdict)} {verdict}: {MEANING[verdict]}" for verdict in VERDICTS
                     if verdict in met and verdict in MEANING) + "."


def pivot(items, rows, columns):
    across = list(dict.fromkeys(item.fields[columns] for item in items))
    down = list(dict.fromkeys(item.fields[rows] for item in items))
    cells = {}
    for item in items:
        cells.setdefault((item.fields[rows], item.fields[columns]), []).append(item)
    body = tuple((cell(row), *(pivot_cell(cells.get((row, column), [])) for column in across)) for row in down)
    units = {item.unit for item in items}
    unit = f" [{unit_text(next(iter(units)))}]" if len(units) == 1 and units != {""} else ""
    return Table("pivot", f"In each cell: printed, below it measured{unit}", (rows, *across), body)


def pivot_cell(items):
    """A cell has the tone of the worst of its numbers."""
    parts = []
    for item in items:
        parts += [BREAK] if parts else []
        parts += [item.published or "\u2013", BREAK, measured(item) or "\u2013", " ",
                  Verdict(item.verdict, short=item.verdict in TO_THE_DIGIT)]
    order = ("plain", "good", "near", "aside", "bad")
    worst = max((tone(item.verdict) for item in items), key=order.index, default="")
    return cell(*parts, tone=worst)


def apart(items, rows, columns):
    """Cells that are not reproduced to the digit, those of one reason together."""
    groups = {}
    for item in items:
        if item.verdict not in TO_THE_DIGIT:
            groups.setdefault((item.verdict, item.tolerance, item.reason, item.note), []).append(item)
    if not groups:
        return []
    bullets = []
    for (verdict, tolerance, reason, note), members in sorted(groups.items(), key=lambda group: place(group[0][0])):
        names = "; ".join(f"{where(item, rows, columns)}: printed {item.published or 'nothing'}, measured "
                          f"{measured(item) or 'none'}" for item in members)
        unexplained = "No reason is known" if verdict == "not reproduced" and not reason else ""
        why = sentence(f"Tolerance: {tolerance}" if tolerance else "", reason, unexplained, note)
        bullets.append((Verdict(verdict), " ", sentence(names), " ", why))
    return [Paragraph(("Not reproduced to the digit:",)), Bullets(tuple(bullets))]


def place(verdict):
    """From good to bad; verdicts that are not known last."""
    order = list(VERDICTS)
    return order.index(verdict) if verdict in order else len(order)


def where(item, rows, columns):
    return f"{item.fields[rows]}, {item.fields[columns]}"


def commands(items, rows, columns):
    return FoldedList("Command of every number", tuple((f"{where(item, rows, columns)}: ", Code(item.command))
                                                       for item in items if item.command))


def plain_table(items, caption):
    """Columns that nothing fills are left out."""
    columns = {
        "number": lambda item: [item.item] + [f" ({', '.join(filter(None, item.fields.values()))})"
                                              if any(item.fields.values()) else ""],
        "place": lambda item: [item.place],
        "printed": lambda item: [with_unit(item.published, item.unit) if item.published else ""],
        "measured": lambda item: [with_unit(measured(item), item.unit)
                                  if item.measured else ""],
        "verdict": lambda item: [Verdict(item.verdict)],
        "tolerance": lambda item: [item.tolerance],
        "remarks": lambda item: remarks(item),
    }
    filled = {name: [cell(*make(item), tone=tone(item.verdict) if name == "verdict" else "") for item in items]
              for name, make in columns.items()}
    filled = {name: cells for name, cells in filled.items() if any("".join(map(str, c.parts)) for c in cells)}
    return Table("numbers", caption, tuple(filled), tuple(zip(*filled.values())))


def remarks(item):
    said = sentence(item.reason, item.note)
    fold = [Fold("command", (Code(item.command),))] if item.command else []
    return ([said, " "] if said and fold else [said]) + fold

