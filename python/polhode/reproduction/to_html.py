"""Blocks as one page that needs nothing else: no script, no font, no picture from elsewhere."""

import re
from html import escape

from .blocks import (BREAK, Anchor, Bullets, Code, Command, Fold, FoldedList, Heading, Link, Paragraph, Picture, Solid,
                     Verdict)
from .stylesheet import STYLESHEET
from .words import sign, tone


def html_page(blocks, picture):
    """`picture` gives the data URI of an experiment's figure, or a sentence on why there is none: (uri, sentence)."""
    title = next(block.words for block in blocks if isinstance(block, Heading))
    body = "\n".join(render(block, picture) for block in blocks)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
            f"<style>\n{STYLESHEET}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n")


def render(block, picture):
    if isinstance(block, Heading):
        return f"<h{block.level}{identity(block.anchor)}>{inline((block.words,))}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{inline(block.parts)}</p>"
    if isinstance(block, Command):
        return f"<pre><code>{escape(block.words)}</code></pre>"
    if isinstance(block, Picture):
        return figure(block, *picture(block.name))
    if isinstance(block, Bullets):
        return bullets(block.items)
    if isinstance(block, FoldedList):
        return f"<details><summary>{escape(block.summary)}</summary>\n{bullets(block.items)}\n</details>"
    return table(block)


def identity(anchor):
    return f' id="{escape(anchor)}"' if anchor else ""


def bullets(items):
    return "<ul>\n" + "\n".join(f"<li>{inline(parts)}</li>" for parts in items) + "\n</ul>"


def figure(block, uri, missing):
    if not uri:
        return f'<p class="missing">{escape(missing)}</p>'
    caption = f"<figcaption>{inline((block.caption,))}</figcaption>" if block.caption else ""
    return f'<figure><img src="{uri}" alt="{escape(block.alt)}">{caption}</figure>'


def table(block):
    """Roles are said again because a table laid out as cards loses them. Narrow screens show the heads beside cells."""
    head = "".join(f'<th scope="col" role="columnheader">{inline((words,))}</th>' for words in block.head)
    body = "\n".join(row(cells, block.head) for cells in block.rows)
    foot = f"<tfoot>{row(block.foot, block.head)}</tfoot>" if block.foot else ""
    return (f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(block.caption)}">'
            f'<table class="{block.kind}" role="table"><caption>{escape(block.caption)}</caption>\n'
            f'<thead><tr role="row">{head}</tr></thead>\n<tbody>\n{body}\n</tbody>{foot}</table></div>')


def row(cells, head):
    first = f'<th scope="row" role="rowheader">{inline(cells[0].parts)}</th>'
    rest = "".join(data(cell, label) for cell, label in zip(cells[1:], head[1:]))
    return f'<tr role="row">{first}{rest}</tr>'


def data(cell, label):
    tinted = f' class="{cell.tone}"' if cell.tone else ""
    empty = "" if any(cell.parts) else " data-empty"
    return f'<td role="cell"{tinted}{empty} data-label="{escape(label)}"><div>{inline(cell.parts)}</div></td>'


def inline(parts):
    return "".join(part_text(part) for part in parts)


def part_text(part):
    if part is BREAK:
        return "<br>"
    if isinstance(part, Code):
        return f"<code>{escape(part.words)}</code>"
    if isinstance(part, Solid):
        return f'<span class="solid">{escape(part.words)}</span>'
    if isinstance(part, Link):
        return f'<a href="#{escape(part.anchor)}">{inline((part.words,))}</a>'
    if isinstance(part, Anchor):
        return f'<span id="{escape(part.name)}"></span>'
    if isinstance(part, Fold):
        return f"<details><summary>{escape(part.summary)}</summary> {inline(part.parts)}</details>"
    if isinstance(part, Verdict):
        words = f'<span class="unseen">{escape(part.verdict)}</span>' if part.short else escape(part.verdict)
        mark = f'<span aria-hidden="true">{sign(part.verdict)}</span>'
        return f'<span class="verdict {tone(part.verdict)}">{mark} {words}</span>'
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(part))
