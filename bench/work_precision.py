#!/usr/bin/env python3
"""Draws what work_precision measured, and writes it into docs/performance.md.

    work_precision --json RESULT.json
    work_precision.py RESULT.json [--figure FIGURE.pdf|svg|png] [--page docs/performance.md]

The page keeps everything outside the two comments that mark the section.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "polhode"))

BEGIN, END = "<!-- work-precision -->\n", "<!-- /work-precision -->\n"
SHOWN = 4           # peers, and as many of ours, in one panel of the figure and in one table of the page


def contenders(case, errors, kind):
    """The names that cost least at some error, those that do so most often first."""
    wins = {}
    methods = [method for method in case["methods"] if (method["kind"] == "peer") == (kind == "peer")]
    for place in range(2):
        for look in ("nominal", "worst"):
            for i in range(len(errors)):
                ranked = sorted((m for m in methods if m["units"][look][i] is not None), key=lambda m: m["units"][look][i])
                if len(ranked) > place:
                    name = ranked[place]["name"]
                    wins[name] = wins.get(name, 0) + (100 if place == 0 else 1)
    return [name for name, _ in sorted(wins.items(), key=lambda item: -item[1])][:SHOWN]


def figure(result, target):
    from figures import style
    from figures.loglog import line_of, mark_of, method_styles
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    style.use_style()
    cases = [case for case in result["cases"] if case["verdicts"] and case["methods"]][:4]
    columns = min(2, len(cases))
    rows = -(-len(cases) // columns)
    shown = {case["name"]: {kind: contenders(case, result["errors"], kind) for kind in ("peer", "ours")}
             for case in cases}
    ours = list(dict.fromkeys(name for case in cases for name in shown[case["name"]]["ours"]))
    peers = list(dict.fromkeys(name for case in cases for name in shown[case["name"]]["peer"]))
    styles = dict(zip(ours, method_styles(len(ours))))
    greys = ("#555555", "#8a8a8a", "#b0b0b0", "#707070", "#9c9c9c", "#c4c4c4")
    for i, name in enumerate(peers):
        styles[name] = dict(color=greys[i % len(greys)], dashes=style.METHOD_DASHES[i % 7], marker="ox+sdv^1"[i % 8])
    names = peers + ours
    key_rows = -(-len(names) // 3)
    height = 0.75 + 2.75 * rows + 0.17 * key_rows
    page = Figure(figsize=(style.WIDTH, height))
    grid = page.add_gridspec(rows, columns, left=0.085, right=0.985, bottom=(0.55 + 0.17 * key_rows) / height,
                             top=1 - 0.62 / height, wspace=0.2, hspace=0.42)
    for i, case in enumerate(cases):
        ax = page.add_subplot(grid[i // columns, i % columns])
        for method in case["methods"]:
            if method["name"] not in shown[case["name"]]["peer"] + shown[case["name"]]["ours"]:
                continue
            points = [(row["units"][1], row["attitude_error"]) for row in method["rows"]
                      if row["attitude_error"] is not None and 0 < row["attitude_error"] < 0.5]
            look = styles[method["name"]]
            if points:
                ax.plot(*zip(*points), **line_of(look))
                ax.plot(*zip(*points), **{**mark_of(look), "markersize": 2.8})
        ax.set(xscale="log", yscale="log")
        ax.set_ylim(max(ax.get_ylim()[0], 1e-16), 1)
        ax.set_title(f"{case['name']}: {case['problem']}, {case['duration']:g} s", loc="left", pad=3)
        ax.set_xlabel("steps of runge_kutta4")
        if i % columns == 0:
            ax.set_ylabel("attitude error [rad]")
    for i, name in enumerate(names):
        x, y = 0.03 + 0.325 * (i % 3), (0.12 + 0.17 * (key_rows - 1 - i // 3)) / height
        page.add_artist(Line2D([x, x + 0.04], [y, y], **line_of(styles[name])))
        page.add_artist(Line2D([x + 0.02], [y], **mark_of(styles[name])))
        page.text(x + 0.05, y, name, va="center", fontsize=7.0, parse_math=False)
    style.caption(page, "Error against cost", f"grey: other libraries; {result['processor']}")
    style.save(page, target)


def power(error):
    return f"{error:.0e}".replace("e-0", "e-")


def cost(value):
    return "-" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def table(case, errors, currency):
    """Rows of all methods that reach an error, as nominal / worst."""
    words = "units" if currency == "units" else "torque evaluations"
    yield f"| {words} | " + " | ".join(map(power, errors)) + " |\n"
    yield "|---" * (len(errors) + 1) + "|\n"
    keep = contenders(case, errors, "ours")
    for method in case["methods"]:
        if method["kind"] != "peer" and currency == "units" and method["name"] not in keep:
            continue
        nominal, worst = method[currency]["nominal"], method[currency]["worst"]
        if any(value is not None for value in nominal):
            yield f"| {method['name']} | " + " | ".join(f"{cost(a)} / {cost(b)}" for a, b in zip(nominal, worst)) + " |\n"


def verdict_rows(cases):
    yield "| row | goal | nominal | worst of 16 | |\n|---|---|---|---|---|\n"
    for case in cases:
        for verdict in case["verdicts"]:
            goal, nominal, worst = (" / ".join(map(str, values)) for values in (
                [f"{ratio:g}" for ratio in verdict["goal"]], [r["text"] for r in verdict["nominal"]],
                [r["text"] for r in verdict["worst"]]))
            judgement = "met" if verdict["met"] else "**missed**" if verdict["judged"] else "**not judged**"
            yield f"| {case['name']}, {verdict['currency']} | {goal} | {nominal} | {worst} | {judgement} |\n"


def section(result, image):
    errors, cases = result["errors"], [case for case in result["cases"] if case["methods"]]
    goals = [case for case in cases if case["verdicts"]]
    yield (f"Measured on {result['date']}: {result['processor']}, {result['compiler']}"
           f"{', with --quick' if result['quick'] else ''}.\n")
    if result["load"]:
        yield (f"When it began, {result['load']['average']:.1f} programs wanted to run on {result['load']['processors']} "
               "processors.\n")
    for note in result["notes"]:
        yield f"{note[0].upper()}{note[1:]}.\n"
    yield ("\nThe best peer's cost over ours, at attitude errors of " + " / ".join(map(power, errors)) + " rad. `>`: no peer got "
           "so far in the time that a run was given; `only ours`: rounding keeps the peers from it; `ours fail`: we do not "
           "get there.\n\n")
    yield from verdict_rows(goals)
    complaints = [f"{case['name']}: {complaint}" for case in cases for complaint in case["complaints"]]
    if complaints:
        yield "\nPremises that do not hold, for which nothing is judged:\n\n" + "".join(f"- {line}\n" for line in complaints)
    missed = [verdict["line"] for case in goals for verdict in case["verdicts"] if not verdict["met"]]
    kept = [one["line"] for case in goals for one in case["keeping"]]
    if missed:
        yield "\nMissed:\n\n" + "".join(f"- {line}\n" for line in missed)
    choices = [choice for case in cases for choice in case.get("auto") or []]
    if choices:
        yield (f"\n`--method auto` costs at most {max(choice['ratio'] for choice in choices):.2f} times the best listed method at "
               f"the error it achieves (goal 2), in {len(choices)} choices for 1e-3, 1e-6 and 1e-9 rad; "
               f"{sum(choice['attitude_error'] > choice['tolerance'] for choice in choices)} of them miss their tolerance.\n")
    if kept:
        yield "\nWhat methods keep for a long time, the cheapest on P3 first, until one keeps both:\n\n" + "".join(f"- {line}\n" for line in kept)
    if image:
        yield f"\n![Error against cost, our methods and other libraries]({image})\n"
    for case in cases:
        yield (f"\n### {case['name']}: {case['problem']}, {case['duration']:g} s\n\nOne unit is {case['unit_ns'][1]:.0f} ns on {result['processor']}. "
               f"Nominal / worst of {case['random_starts'] or 'no others'}; of ours the best {SHOWN}.\n\n")
        if case["torque_calls"]:
            calls = [1e6 * seconds for seconds in case["torque_calls"]]
            yield (f"A torque call idles for {1e6 * case['torque_seconds']:g} us; watched in each of {len(calls) // 2} integrators, "
                   f"before the timings and after them, it took {min(calls):.3g} to {max(calls):.3g} us.\n\n")
        yield from table(case, errors, "units")
        ratios = case["best_peer_over_ours"]
        yield ("| **best peer over ours** | " +
               " | ".join(f"{a['text']} / {b['text']}" for a, b in zip(ratios["nominal"], ratios["worst"])) + " |\n")
        if any(verdict["currency"] == "torque evaluations" for verdict in case["verdicts"]):
            yield "\n"
            yield from table(case, errors, "torque_evaluations")
    left_out = [case["problem"] for case in result["cases"] if not case["methods"]]
    if left_out:
        yield f"\nLeft out: {', '.join(left_out)}, whose torque jumps on the way; other libraries would be stopped there.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result")
    parser.add_argument("--figure")
    parser.add_argument("--page", type=pathlib.Path)
    request = parser.parse_args()
    with open(request.result, encoding="utf-8") as file:
        result = json.load(file)
    if request.figure:
        figure(result, request.figure)
    if request.page:
        before, rest = request.page.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        image = None
        if request.figure:
            image = pathlib.Path(request.figure).resolve().relative_to(request.page.resolve().parent).as_posix()
        request.page.write_text(before + BEGIN + "\n" + "".join(section(result, image)) + "\n" + END + after,
                                encoding="utf-8")


if __name__ == "__main__":
    main()
