"""A printed table as dots: one line per row, one panel per column, printed and measured values side by side."""

import math
import textwrap
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D

from .columns import plain
from .scales import log_axis, log_range, plain_numbers
from .style import AXIS_COLOURS, GREY, INK, PALE, WIDTH, shorten

LINE, HEAD, FOOT, KEY = 0.165, 0.24, 0.42, 0.24         # inches: one row of the table, and what is around it
LEFT, RIGHT, GAP = 2.3, 0.15, 0.16      # LEFT: the most that names of rows take
MOST = 6                                # panels side by side
LETTER, SMALL = 0.066, 0.058            # mean width of a letter of a title, and of a tick's label
PRINTED = dict(marker="o", markersize=5.2, markerfacecolor="none", markeredgecolor=INK, markeredgewidth=0.8,
               linestyle="none")
MEASURED = dict(marker="o", markersize=2.8, color=AXIS_COLOURS[1], linestyle="none")
APART = dict(marker="D", markersize=3.4, color=AXIS_COLOURS[0], linestyle="none")
FAILED = dict(marker="x", markersize=4.0, color=GREY, linestyle="none")
AGREE = ("reproduced", "within tolerance", "used", "measured")


def cells(items, table):
    """Row and column names in the order of the paper, and the items that have both. A row of one method has the name
    that the method has in all legends."""
    named = [(item.get("fields") or {}, item) for item in items]
    kept = [(fields[table["rows"]], fields[table["columns"]], item) for fields, item in named
            if fields.get(table["rows"]) and fields.get(table["columns"])]
    names = method_names([(row, (item.get("fields") or {}).get("method")) for row, _, item in kept])
    kept = [(names.get(row, row), column, item) for row, column, item in kept]
    return (list(dict.fromkeys(row for row, _, _ in kept)), list(dict.fromkeys(column for _, column, _ in kept)), kept)


def method_names(rows):
    """The method of each row that has one for itself alone; none at all where two rows have the same."""
    methods = {}
    for row, method in rows:
        methods.setdefault(row, set()).add(method or "")
    names = {row: own.pop() for row, own in methods.items() if len(own) == 1 and own != {""}}
    return names if len(set(names.values())) == len(names) else {}


@dataclass
class Grid:
    """How the panels lie, in inches."""

    rows: list
    columns: list
    left: float
    width: float            # of a panel
    across: int             # panels side by side
    titles: list            # of the columns, in one line or two

    @property
    def lines(self):
        return max(-(-len(self.columns) // self.across), 1)

    @property
    def line(self):
        """Height of panels side by side, with their heads and axes."""
        return HEAD + 0.14 * any("\n" in title for title in self.titles) + LINE * max(len(self.rows), 1) + FOOT


def grid(items, table):
    """As many panels side by side as their names leave room for, in two lines if need be."""
    rows, columns, _ = cells(items, table)
    left = min(0.2 + SMALL * max(map(len, rows), default=0), LEFT)
    room = WIDTH - left - RIGHT
    least = max(0.7, LETTER * (0.5 * max(map(len, columns), default=0) + 3.0))
    across = min(max(int((room + GAP) / (least + GAP)), 1), MOST, max(len(columns), 1))
    width = (room - (across - 1) * GAP) / across
    titles = ["\n".join(textwrap.wrap(plain(column), int(width / LETTER), max_lines=2, placeholder="\u2026"))
              for column in columns]
    return Grid(rows, columns, left, width, across, titles)


def height(items, table):
    own = grid(items, table)
    return own.lines * own.line + KEY


def draw(figure, top, panel, items, table):
    """Below `top`, inches from the bottom of the figure."""
    own, kept, tall = grid(items, table), cells(items, table)[2], figure.get_figheight()
    for i, column in enumerate(own.columns):
        line, place = divmod(i, own.across)
        under = top - (line + 1) * own.line + FOOT
        ax = figure.add_axes([(own.left + place * (own.width + GAP)) / WIDTH, under / tall, own.width / WIDTH,
                              LINE * len(own.rows) / tall])
        draw_column(ax, own, [(row, item) for row, name, item in kept if name == column], panel.log_x)
        ax.set_title(own.titles[i], loc="left", pad=4.0)
        if place == 0:
            ax.set_yticks(range(len(own.rows)), [plain(shorten(row, int(own.left / SMALL))) for row in own.rows])
    if panel.x_label:
        figure.text(0.5 * (own.left + WIDTH - RIGHT) / WIDTH, (top - own.lines * own.line + 0.08) / tall,
                    plain(panel.x_label), ha="center", va="center")
    draw_key(figure, kept, own.left / WIDTH, (top - own.lines * own.line - 0.5 * KEY) / tall)


def draw_key(figure, kept, x, y):
    handles = [Line2D([], [], label="measured", **MEASURED)]
    if any(item["published"] for *_, item in kept):
        handles.insert(0, Line2D([], [], label="printed", **PRINTED))
    if any(item["verdict"] not in AGREE for *_, item in kept):
        handles.append(Line2D([], [], label="measured, not as printed", **APART))
    if any(not finite(item["measured"]) for *_, item in kept):
        handles.append(Line2D([], [], label="failed", **FAILED))
    figure.legend(handles=handles, ncol=len(handles), loc="center left", columnspacing=1.6, handletextpad=0.4,
                  bbox_to_anchor=(x, y))


def draw_column(ax, own, entries, logarithmic):
    rows, ticks = own.rows, int(np.clip(2.6 * own.width, 2, 6))
    values = np.array([x for _, item in entries for x in (number(item["published"]), number(item["measured"]))])
    values = values[np.isfinite(values)]
    logarithmic = logarithmic and bool(np.all(values > 0.0))
    if logarithmic:
        low, high = log_range(values, 0.08)
        ax.set_xscale("log")
        ax.set_xlim(10.0 ** low, 10.0 ** high)
        log_axis(ax.xaxis, low, high, most=ticks)
    elif len(values):
        low, high = np.min(values), np.max(values)
        pad = 0.08 * (high - low) or 0.5 * max(abs(high), 1.0)
        ax.set_xlim(low - pad, high + pad)
        ax.locator_params(axis="x", nbins=ticks)
        plain_numbers(ax.xaxis)
    ax.hlines(range(len(rows)), 0.0, 1.0, transform=ax.get_yaxis_transform(), color=PALE, linewidth=0.4, zorder=0)
    printed = [(number(item["published"]), rows.index(row)) for row, item in entries]
    measured = [(number(item["measured"]), rows.index(row)) for row, item in entries]
    agree = [item["verdict"] in AGREE for _, item in entries]
    failed = [rows.index(row) for row, item in entries if not finite(item["measured"])]
    plot(ax, printed, zorder=3, **PRINTED)
    plot(ax, [point for point, good in zip(measured, agree) if good], zorder=4, **MEASURED)
    plot(ax, [point for point, good in zip(measured, agree) if not good], zorder=4, **APART)
    plot(ax, [(0.97, y) for y in failed], transform=ax.get_yaxis_transform(), zorder=4, **FAILED)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0.0)


def plot(ax, points, **style):
    """Points that are not numbers leave no mark."""
    if points:
        ax.plot(*np.transpose(points), **style)


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def finite(text):
    """Nothing was measured, or a number was."""
    return not text or math.isfinite(number(text))
