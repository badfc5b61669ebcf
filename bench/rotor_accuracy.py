#!/usr/bin/env python3
"""Draws what rotor_accuracy prints: rotor_accuracy.py ACCURACY.csv FIGURE.pdf|svg|png"""

import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "polhode"))
from figures import style  # noqa: E402

from matplotlib.figure import Figure  # noqa: E402

SCALARS = ("double", "double"), ("long_double", "long double")


def promise(scalar, turned):
    if scalar == "double" and turned <= 1000:
        return 2e-15 + 1e-15 * turned
    return 4e-16 * (1 + turned) * (1 if scalar == "double" else 2.0**-11)


def main(source, target):
    style.use_style()
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    regimes = list(dict.fromkeys(row["regime"] for row in rows))
    figure = Figure(figsize=(style.WIDTH, 4.9))
    grid = figure.add_gridspec(2, 3, left=0.085, right=0.985, bottom=0.095, top=0.865, wspace=0.12, hspace=0.28)
    for i, regime in enumerate(regimes):
        ax = figure.add_subplot(grid[i // 3, i % 3])
        own = [row for row in rows if row["regime"] == regime]
        turned = [float(row["turned_rad"]) for row in own]
        rounding = [float(row["rounding_of_the_input"]) for row in own]
        ax.plot(turned, rounding, color=style.PALE, linewidth=3.5, label="one rounding of the input (double)")
        for (key, name), colour in zip(SCALARS, style.METHOD_COLOURS):
            ax.plot(turned, [max(float(row[key]), 1e-22) for row in own], ".", color=colour, markersize=2.6, label=name)
            ax.plot(turned, [promise(key, x) for x in turned], color=colour, linewidth=0.7)
        ax.set(xscale="log", yscale="log", ylim=(1e-21, 9.0), xlim=(5e-6, 3e10))
        ax.set_xticks([1e-4, 1, 1e4, 1e8])
        ax.set_yticks([1e-20, 1e-16, 1e-12, 1e-8, 1e-4, 1])
        ax.set_title(regime, loc="left", pad=3, fontsize=7.5)
        if i % 3:
            ax.tick_params(labelleft=False)
        else:
            ax.set_ylabel("attitude error [rad]")
        if i // 3:
            ax.set_xlabel(r"angle turned $|\omega| t$ [rad]")
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", bbox_to_anchor=(0.985, 0.975), ncol=3, columnspacing=1.4)
    style.caption(figure, "The free body in closed form", "lines: what is promised, in double 2e-15 + 1e-15 |w| t up to 1000 rad and 4e-16 (1 + |w| t) beyond")
    style.save(figure, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
