"""What a report is made of, before it is HTML or Markdown.

Running text is a list of strings and of the inline parts below; `code` in a string is set as code."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Code:
    words: str


@dataclass(frozen=True)
class Solid:
    """A number: not broken at the end of a line."""

    words: str


@dataclass(frozen=True)
class Link:
    words: str
    anchor: str


@dataclass(frozen=True)
class Anchor:
    """A place to link to."""

    name: str


@dataclass(frozen=True)
class Verdict:
    verdict: str
    short: bool = False         # the sign alone is shown; the word is for those who do not see it


@dataclass(frozen=True)
class Fold:
    """Hidden until asked for."""

    summary: str
    parts: tuple


BREAK = object()                # a new line within a cell


@dataclass(frozen=True)
class Heading:
    level: int
    words: str
    anchor: str = ""


@dataclass(frozen=True)
class Paragraph:
    parts: tuple


@dataclass(frozen=True)
class Command:
    words: str


@dataclass(frozen=True)
class Picture:
    name: str                   # of the experiment
    alt: str
    caption: str


@dataclass(frozen=True)
class Bullets:
    items: tuple                # of tuples of parts


@dataclass(frozen=True)
class FoldedList:
    summary: str
    items: tuple


@dataclass(frozen=True)
class Cell:
    parts: tuple = ()
    tone: str = ""              # good, near, aside, bad: how it is coloured


@dataclass(frozen=True)
class Table:
    kind: str                   # summary, pivot, numbers, claims: how it is laid out
    caption: str
    head: tuple                 # of strings
    rows: tuple                 # of tuples of cells, the first of which names the row
    foot: tuple = field(default=())


def cell(*parts, tone=""):
    return Cell(tuple(parts), tone)
