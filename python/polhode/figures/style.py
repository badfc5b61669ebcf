"""One look for every figure, and one way to write it."""

import io
import os

import matplotlib
import numpy as np

WIDTH = 7.1                                  # inches: a page between its margins
INK, GREY, PALE = "#222222", "#8a8a8a", "#d9d9d9"
AXIS_COLOURS, AXIS_DASHES = ("#D55E00", "#0072B2", "#009E73"), ((None, None), (6, 1.2), (2.5, 1.2))      # x, y, z
REFERENCE = dict(color="#c8c8c8", linewidth=3.0)
# Okabe and Ito's palette, then some of Tol's: told apart by colour-blind readers; with line styles, in grey as well.
METHOD_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#882255", "#999933",
                  "#332288", "#44AA99", "#AA4499")
METHOD_DASHES = ((None, None), (5, 1.4), (5, 1.4, 1, 1.4), (1.2, 1.2), (8, 1.5, 2, 1.5), (3, 1), (9, 2))

RC = {
    "font.family": "DejaVu Sans", "font.size": 8.0, "mathtext.fontset": "cm", "axes.titlesize": 8.0,
    "axes.labelsize": 8.0, "xtick.labelsize": 7.0, "ytick.labelsize": 7.0, "legend.fontsize": 7.5,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.major.size": 3.0,
    "ytick.major.size": 3.0, "ytick.minor.size": 0.0, "axes.spines.top": False, "axes.spines.right": False,
    "axes.formatter.limits": (-4, 6), "axes.formatter.use_mathtext": True, "axes.formatter.useoffset": False,
    "lines.linewidth": 1.1, "lines.solid_capstyle": "round", "lines.dash_capstyle": "butt",
    "lines.scale_dashes": True, "legend.frameon": False, "legend.handlelength": 2.2, "legend.borderaxespad": 0.0,
    "legend.borderpad": 0.0, "path.simplify": True, "path.simplify_threshold": 0.05,
    "savefig.dpi": 300, "pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "polhode",
}
METADATA = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}     # same result, same bytes


def use_style():
    """Start from matplotlib's own defaults, whatever the user's matplotlibrc says."""
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    matplotlib.rcParams.update(RC)


def save(figure, path):
    """Write the whole figure or nothing: readers of path never see a part of it."""
    kind = os.path.splitext(path)[1][1:].lower()
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, metadata=METADATA[kind])
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.part"
    try:
        with open(partial, "wb") as file:
            file.write(buffer.getbuffer())
        os.replace(partial, target)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def thin(t, y, most=4000):
    """At most so many points of a curve that draw the same picture: each bin's smallest and largest."""
    if len(t) <= most:
        return t, y
    edges = np.linspace(0, len(t), most // 2 + 1).astype(int)
    keep = [(a + np.argmin(y[a:b]), a + np.argmax(y[a:b])) for a, b in zip(edges[:-1], edges[1:])]
    keep = np.unique(np.append(np.ravel(keep), (0, len(t) - 1)))
    return t[keep], y[keep]


def envelope(t, y, bins=350):
    """Time, smallest and largest value of each bin: what a rapidly oscillating curve fills."""
    if len(t) <= bins:
        return t, y, y
    edges = np.linspace(0, len(t), bins + 1).astype(int)
    parts = list(zip(edges[:-1], edges[1:]))
    middle = np.array([0.5 * (t[a] + t[b - 1]) for a, b in parts])
    middle[0], middle[-1] = t[0], t[-1]
    return middle, np.array([y[a:b].min() for a, b in parts]), np.array([y[a:b].max() for a, b in parts])


def caption(figure, title, facts):
    """What is shown, at the top left; how it was made, in grey to its right, or below where both are long."""
    inch = 1.0 / figure.get_figheight()
    title, facts = shorten(title, 72), shorten(facts, 98)
    figure.text(0.018, 1.0 - 0.12 * inch, title, fontsize=10, fontweight="bold", va="top", parse_math=False)
    fits = 6.8 * len(title) + 5.0 * len(facts) < 470.0            # points, at these sizes
    figure.text(0.985 if fits else 0.018, 1.0 - (0.14 if fits else 0.31) * inch, facts, color="#555555", va="top",
                ha="right" if fits else "left", parse_math=False)


def short_number(text):
    """A step of 17 digits is for machines; a reader is given six."""
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


def shorten(text, most):
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most - 1] + "\u2026"
