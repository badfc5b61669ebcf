#!/usr/bin/env python3
"""Whole runs with derivatives by 1 to 12 numbers beside the same runs without, of every family that has them.

    sensitivity_runs.py build/polhode [--rounds 9] [--seconds 0.15] [--methods A,B,...]

Processor time, medians of runs in turn. Prints a Markdown table of the ratios; by n numbers at most 1 + n are wanted, and what
is more stands in bold.
"""

import argparse
import pathlib
import tempfile

from whole_runs import interleaved, processor, steps_for

# Regular: derivatives grow in proportion to time, and no run is too long for them.
SCENARIO = """
[body]
inertia = [0.9144, 1.098, 1.66]
[start]
rotation_vector = [0.2, 0.1, 0.04]
angular_velocity_body = [0.1, 0.2, 2.0]
[torque]
kind = "heavy-top"
weight_times_arm = 0.2
"""
METHODS = ["mclachlan-reich-231", "mclachlan-reich-4-231", "no-squish", "textbook-rk4", "crouch-grossman-4", "rkmk-4",
           "commutator-free-4", "lie-verlet", "mclachlan-reich-231@suzuki"]
NUMBERS = ([f"start.attitude.{axis}" for axis in "xyz"] + [f"start.angular_velocity_body.{axis}" for axis in "xyz"] +
           [f"inertia.{axis}" for axis in "xyz"] + ["torque.weight_times_arm", "torque.axis_body.x", "torque.axis_body.y"])
COUNTS = [1, 2, 3, 4, 6, 9, 12]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.15, help="of a plain run")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS)
    asked = parser.parse_args()
    print(f"{processor()}; medians of {asked.rounds}\n")
    print("| method | " + " | ".join(str(n) for n in COUNTS) + " |")
    print("|---|" + "---:|" * len(COUNTS))
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "top.toml"
        scenario.write_text(SCENARIO)
        for method in asked.methods:
            def run(steps, count=0):
                by = ["--sensitivities", ",".join(NUMBERS[:count])] if count else []
                return [asked.program, "run", str(scenario), "--method", method, "--step", "0.02", "--steps", str(steps),
                        "--json", *by]
            steps = steps_for(run, asked.seconds)
            plain, *others = interleaved([run(steps)] + [run(steps, n) for n in COUNTS], asked.rounds)
            cells = [f"**{time / plain:.2f}**" if time > (1 + n) * plain else f"{time / plain:.2f}"
                     for n, time in zip(COUNTS, others)]
            print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
