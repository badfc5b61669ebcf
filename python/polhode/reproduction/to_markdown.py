"""Blocks as GitHub's Markdown."""

import re

from .blocks import (BREAK, Anchor, Bullets, Code, Command, Fold, FoldedList, Heading, Link, Paragraph, Picture, Solid,
                     Verdict)
from .words import sign


def markdown_page(blocks, picture):
    """`picture` gives the relative address of an experiment's figure, or a sentence on why there is none, as
    (address, sentence)."""
    return "\n\n".join(render(block, picture) for block in blocks) + "\n"


def render(block, picture):
    if isinstance(block, Heading):
        anchor = f'<a id="{block.anchor}"></a>\n\n' if block.anchor else ""
        return f"{anchor}{'#' * block.level} {inline((block.words,))}"
    if isinstance(block, Paragraph):
        return line_start(inline(block.parts))
    if isinstance(block, Command):
        return "\n".join("    " + line for line in block.words.splitlines())
    if isinstance(block, Picture):
        return figure(block, *picture(block.name))
    if isinstance(block, Bullets):
        return bullets(block.items)
    if isinstance(block, FoldedList):
        return f"<details><summary>{plain(block.summary)}</summary>\n\n{bullets(block.items)}\n\n</details>"
    return table(block)


def figure(block, address, missing):
    if not address:
        return f"*{plain(missing)}*"
    caption = f"\n\n*{inline((block.caption,))}*" if block.caption else ""
    return f"![{plain(block.alt)}](<{address}>){caption}"


def bullets(items):
    return "\n".join(f"- {inline(parts)}" for parts in items)


def table(block):
    """The foot is one more row. A bar inside a cell must be escaped, in code as well."""
    rows = [[cell.parts for cell in cells] for cells in (*block.rows, *([block.foot] if block.foot else []))]
    lines = [[(words,) for words in block.head], *rows]
    text = [[inline(parts, cell=True) for parts in line] for line in lines]
    right = {"summary": 2, "pivot": 1}.get(block.kind, len(block.head))
    ruler = ["---" if i < right else "---:" for i in range(len(block.head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [text[0], ruler, *text[1:]])


def inline(parts, cell=False):
    return " ".join("".join(part_text(part, cell) for part in parts).split())


def part_text(part, cell):
    if part is BREAK:
        return "<br>"
    if isinstance(part, Code):
        return code(part.words, cell)
    if isinstance(part, Solid):
        return plain(part.words)
    if isinstance(part, Link):
        return f"[{inline((part.words,), cell)}](#{part.anchor})"
    if isinstance(part, Anchor):
        return f'<a id="{part.name}"></a>'
    if isinstance(part, Fold):
        inside = "".join(part_text(inner, cell) for inner in part.parts)
        return f"<details><summary>{plain(part.summary)}</summary> {inside}</details>"
    if isinstance(part, Verdict):
        return f"**{sign(part.verdict)} {part.verdict}**" if not part.short else sign(part.verdict)
    pieces = re.split(r"`([^`]+)`", part)        # text, code, text, code, ...
    return "".join(code(piece, cell) if i % 2 else plain(piece) for i, piece in enumerate(pieces))


def code(words, cell):
    words = " ".join(words.split())
    fence = "`" * (max(map(len, re.findall(r"`+", words)), default=0) + 1)
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    words = words.replace("|", r"\|") if cell else words
    return fence + edge + words + edge + fence


def plain(words):
    """Text that means nothing to Markdown."""
    words = re.sub(r"([\\`*_\[\]|~$])", r"\\\1", words)
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def line_start(text):
    """A paragraph that begins like a list or a heading is still a paragraph."""
    return re.sub(r"^(\d+)([.)])|^([-+#=])", lambda part: f"{part[1]}\\{part[2]}" if part[1] else "\\" + part[3], text)
