#!/usr/bin/env python3
"""Draw what examples/bullet or examples/ode has written: energy and angular velocity of every body, with the engine's own
step and with Polhode's.

engines_plot.py FILE.csv -o FIGURE.png       (or .pdf, .svg; needs matplotlib)
"""

import argparse
import csv
import os
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "polhode")
MIDDLE = 1      # moments rise along x, y, z


class Runs:
    """Of one body: its moments, and by name of the run time, energy, |L| and angular velocity in body axes."""

    def __init__(self, moments):
        self.moments, self.rows, self.runs = moments, {}, {}

    def measure(self):
        import numpy as np
        for name, rows in self.rows.items():
            table = np.array(rows, float)
            q, w_S = table[:, 1:5], table[:, 5:8]
            v = -q[:, 1:]                                               # the inverse rotation takes space to body
            w = w_S + 2.0 * np.cross(v, np.cross(v, w_S) + q[:, :1] * w_S)
            self.runs[name] = dict(t=table[:, 0], energy=0.5 * (w * w) @ self.moments,
                                   momentum=np.linalg.norm(w * self.moments, axis=1), w=w)


def read(path):
    """What the runs were made by, and the runs of each body in the order of the file: exact, the engine's, Polhode's."""
    made_by, bodies = "", {}
    with open(path, encoding="utf-8", newline="") as file:
        for line in file:
            text = line.rstrip("\r\n")
            if not text.startswith("# "):
                break
            name, _, moments = text[2:].partition(": moments ")
            if moments:
                bodies[name] = Runs([float(number) for number in moments.split()])
            else:
                made_by = name
        for body, run, *numbers in csv.reader(file):
            bodies[body].rows.setdefault(run, []).append(numbers)
    for body in bodies.values():
        body.measure()
    return made_by, bodies


def styles(names):
    """How runs look, in the order in which they are drawn: those that coincide stay visible, thin dashes over wide lines."""
    from figures.style import METHOD_COLOURS, METHOD_DASHES, REFERENCE
    exact, default, *others, polhode = names
    looks = {exact: REFERENCE, default: dict(color=METHOD_COLOURS[0], linewidth=1.6),
             polhode: dict(color=METHOD_COLOURS[1], linewidth=1.6)}
    for i, name in enumerate(others):
        looks[name] = dict(color=("#E69F00", "#CC79A7", "#222222")[i % 3], dashes=METHOD_DASHES[1 + i % 4], linewidth=1.0)
    return looks


def figure(made_by, bodies):
    sys.path.insert(0, SOURCE)
    from figures.style import WIDTH, caption, thin, use_style
    use_style()
    import matplotlib.pyplot as plt
    height = 1.0 + 1.4 * len(bodies)
    drawn, axes = plt.subplots(len(bodies), 3, figsize=(WIDTH, height), sharex="col", squeeze=False,
                               gridspec_kw=dict(width_ratios=(1.0, 1.0, 2.1)))
    drawn.subplots_adjust(left=0.095, right=0.985, bottom=0.42 / height, top=1.0 - 0.95 / height, wspace=0.32, hspace=0.2)
    for (name, body), row in zip(bodies.items(), axes):
        looks = styles(list(body.runs))
        exact, default, polhode = list(looks)[:3]
        for panel, quantity in zip(row, ("energy", "momentum")):
            for run, look in list(looks.items())[1:]:
                shown = body.runs[run]
                panel.plot(*thin(shown["t"], shown[quantity] / shown[quantity][0]), label=run, **look)
            if panel.dataLim.y1 > 5.0:
                panel.set_yscale("log")
            panel.margins(y=0.08)
        for run in (exact, default, polhode):
            shown = body.runs[run]
            row[2].plot(shown["t"], shown["w"][:, MIDDLE], **dict(looks[run], **({} if run == exact else {"linewidth": 1.1})))
        row[0].set_ylabel(name, fontsize=9, fontweight="bold")
    for panel, title in zip(axes[0], ("energy / first", "|L| / first", "angular velocity about the middle axis [rad/s]")):
        panel.set_title(title, loc="left")
    for panel in axes[-1]:
        panel.set_xlabel("time [s]")
    drawn.align_ylabels(axes[:, 0])
    lines = [plt.Line2D([], [], **look) for look in looks.values()]
    drawn.legend(lines, list(looks), loc="upper left", bbox_to_anchor=(0.018, 1.0 - 0.36 / height), ncol=3,
                 columnspacing=2.0, handlelength=2.0, handletextpad=0.5, fontsize=7.0)
    caption(drawn, "Tumbling in a game engine", made_by)
    return drawn


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="engines_plot.py", description="Draw what examples/bullet or examples/ode wrote.")
    parser.add_argument("runs", metavar="FILE.csv")
    parser.add_argument("-o", "--output", required=True, metavar="FIGURE", help="FILE.png, FILE.pdf or FILE.svg")
    options = parser.parse_args(arguments)
    try:
        drawn = figure(*read(options.runs))
        from figures.style import save
        save(drawn, options.output)
    except ModuleNotFoundError as error:
        return fail(f"{error.name} is not installed for {sys.executable}; install python3-matplotlib.", 69)
    except OSError as error:
        return fail(f"{error.filename}: {os.strerror(error.errno).lower()}.", 74)
    except (KeyError, ValueError):
        return fail(f"{options.runs} is not what examples/bullet and examples/ode write, or {options.output} not the name of "
                    "a figure.", 65)
    return 0


def fail(sentence, code):
    print(f"engines_plot.py: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
