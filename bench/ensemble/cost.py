#!/usr/bin/env python3
"""Draws what build/bench/ensemble --sizes prints: cost.py SIZES.csv FIGURE.pdf|svg|png"""

import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "polhode"))
from figures import style  # noqa: E402

from matplotlib.figure import Figure  # noqa: E402


def main(source, target):
    style.use_style()
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure = Figure(figsize=(style.WIDTH * 0.6, 3.0))
    ax = figure.add_axes((0.13, 0.17, 0.84, 0.78))
    for fast, name, colour in (("0", "default: the bits of runs", style.METHOD_COLOURS[0]),
                               ("1", "--fast", style.METHOD_COLOURS[1])):
        own = [row for row in rows if row["fast"] == fast]
        ax.plot([float(row["bodies"]) for row in own], [float(row["ns_per_body_step"]) for row in own], "o-",
                color=colour, markersize=3.5, label=name)
    ax.set(xscale="log", xlabel="bodies", ylabel="processor time of a body's step [ns]")
    ax.set_ylim(bottom=0)
    ax.legend(loc=(0.04, 0.06), frameon=False)
    figure.savefig(target, dpi=200)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
