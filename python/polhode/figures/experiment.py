"""The figure of one experiment: its panels in rows, their legends below or beside them."""

import os

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from . import dots, drawing, poinsot, series, space, trends
from .columns import plain
from .curves import read_panels
from .loglog import MARKERS
from .results import ResultError
from .style import METHOD_COLOURS, METHOD_DASHES, REFERENCE, WIDTH, caption, save, shorten, use_style

KINDS = {"time-series": series, "space-curve": space, "convergence": trends, "scan": trends, "poinsot": poinsot,
         "drawing": drawing}
BARE = ("space-curve", "poinsot", "drawing")        # without ticks: room for their own labels
TOP, HEAD, AXIS, LINE, GAP, BOTTOM = 0.5, 0.26, 0.42, 0.165, 0.14, 0.08       # inches
LEFT, RIGHT, BETWEEN = 0.66, 0.2, 0.72
BESIDE = 3.0                  # the most that a legend beside a single panel takes
LETTER, HANDLE = 0.06, 0.32  # mean width of a letter of the legend, and of what stands before a label


@np.errstate(all="ignore")
def experiment_figure(result, folder):
    """Of what result.json says and the curves in its folder."""
    use_style()
    panels = read_panels(result["figure"], folder)
    check(panels, result, folder)
    styles = curve_styles(panels)
    keys = [[] if panel.kind == "table-dots" else KINDS[panel.kind].entries(panel, own)
            for panel, own in zip(panels, styles)]
    across = min(int(result["figure"].get("columns") or 2), len(panels))
    rows = arrange(panels, across)
    beside = len(panels) == 1 and panels[0].kind in ("convergence", "scan", "space-curve", "poinsot")
    shared = len(panels) > 1 and all(key == keys[0] for key in keys)
    heights = [row_height(panels, keys, row, across, result, shared or beside) for row in rows]
    bottom = BOTTOM + (key_height(keys[0], WIDTH - LEFT - RIGHT) if shared else 0.0)
    total = TOP + sum(heights) + GAP * (len(rows) - 1) + bottom
    figure = Figure(figsize=(WIDTH, total))
    top = total - TOP
    for row, height in zip(rows, heights):
        for place, i in enumerate(row):
            if panels[i].kind == "table-dots":
                dots.draw(figure, top - head(panels, row), panels[i], result["items"], result["table"])
                draw_title(figure, panels[i].title, LEFT, top, WIDTH)
            else:
                draw_panel(figure, panels[i], styles[i], None if shared else keys[i], top - head(panels, row), place,
                           across, beside)
        top -= height + GAP
    if shared:
        draw_key(figure, keys[0], LEFT, bottom, WIDTH - LEFT - RIGHT)
    caption(figure, result["title"], result.get("source") or result["place"])
    return figure


def save_experiment(result, folder, paths):
    """Drawn once, written in every format asked for.

    Letters go into a PDF as outlines: there are many of these figures, and half the time of one is fonts otherwise."""
    figure = experiment_figure(result, folder)
    with matplotlib.rc_context({"pdf.fonttype": 3}):
        for path in paths:
            save(figure, path)


def check(panels, result, folder):
    for panel in panels:
        known = panel.kind in KINDS or panel.kind == "table-dots" and result.get("table")
        needed = {"space-curve": 3, "poinsot": 13}.get(panel.kind, 1)
        if not known or any(curve.y.shape[1] < needed for curve in panel.curves):
            raise ResultError(f"{os.path.join(folder, 'result.json')}: the panel '{panel.title}' of kind "
                              f"'{panel.kind}' cannot be drawn from what is there; run polhode reproduce again.")


def arrange(panels, across):
    """Numbers of the panels in each row; a table of dots has a row to itself."""
    rows = []
    for i, panel in enumerate(panels):
        alone = panel.kind == "table-dots" or i and panels[i - 1].kind == "table-dots"
        if not rows or alone or len(rows[-1]) == across:
            rows.append([])
        rows[-1].append(i)
    return rows


def curve_styles(panels):
    """For every panel a style per curve. One look per method in all panels where methods tell the curves of each panel
    apart; else one per step, or per label."""
    own = [[curve for curve in panel.curves if not curve.reference] for panel in panels]
    for tell in (lambda curve: curve.method, lambda curve: curve.step, lambda curve: curve.label):
        if all(len({tell(curve) for curve in curves}) == len(curves) for curves in own):
            break
    order = list(dict.fromkeys(tell(curve) for curves in own for curve in curves))
    return [[REFERENCE if curve.reference else look(order.index(tell(curve))) for curve in panel.curves]
            for panel in panels]


def look(i):
    """Colours come back when there are no more, with other dashes and marks."""
    return dict(color=METHOD_COLOURS[i % len(METHOD_COLOURS)], marker=MARKERS[i % len(MARKERS)],
                dashes=METHOD_DASHES[(i + i // len(METHOD_COLOURS)) % len(METHOD_DASHES)])


def panel_width(across):
    return (WIDTH - LEFT - RIGHT - (across - 1) * BETWEEN) / across


def head(panels, row):
    return HEAD if any(panels[i].title for i in row) else 0.0


def row_height(panels, keys, row, across, result, keyless):
    if panels[row[0]].kind == "table-dots":
        return head(panels, row) + dots.height(result["items"], result["table"])
    key = 0.0 if keyless else max(key_height(keys[i], panel_width(across)) for i in row)
    return head(panels, row) + max(KINDS[panels[i].kind].HEIGHT for i in row) + AXIS + key


def draw_panel(figure, panel, styles, key, top, place, across, beside):
    wide, tall, kind = WIDTH, figure.get_figheight(), KINDS[panel.kind]
    width = panel_width(across) - (min(max(map(key_width, key)) + 0.3, BESIDE) if beside and key else 0.0)
    left = LEFT + place * (width + BETWEEN)
    under = top - kind.HEIGHT
    ax = figure.add_axes([left / wide, (under - 0.2 * (panel.kind in BARE)) / tall, width / wide, kind.HEIGHT / tall])
    kind.draw(ax, panel, styles)
    draw_title(figure, panel.title, left, top + HEAD, width)
    if key and beside:
        draw_key(figure, key, left + width + 0.25, top, BESIDE, columns=1)
    elif key:
        draw_key(figure, key, left, under - AXIS, width)


def draw_title(figure, title, left, top, width):
    figure.text((left - 0.02) / WIDTH, (top - 0.12) / figure.get_figheight(), va="center", fontweight="bold",
                s=plain(shorten(title, int(15.0 * (width + 0.5)))))


def key_columns(key, width):
    """As many as fit; a legend is filled column by column."""
    widths = [key_width(entry) for entry in key]
    for count in range(len(key), 1, -1):
        each = -(-len(key) // count)
        if sum(max(widths[i:i + each]) for i in range(0, len(key), each)) + 0.15 * (count - 1) <= width:
            return count
    return 1


def key_width(entry):
    label = entry[0]
    return HANDLE + LETTER * (2 if label.startswith("$") and label.endswith("$") else len(label))


def key_height(key, width):
    return LINE * -(-len(key) // key_columns(key, width)) + 0.06 if key else 0.0


def draw_key(figure, key, left, top, width, columns=None):
    """Its upper left corner in inches."""
    most = int((width - HANDLE) / LETTER)
    handles = [Line2D([], [], label=shorten(label, most), markersize=3.6, **style) for label, style in key]
    figure.legend(handles=handles, ncol=columns or key_columns(key, width), loc="upper left", columnspacing=1.4,
                  handletextpad=0.6, bbox_to_anchor=(left / WIDTH, top / figure.get_figheight()))
