#!/usr/bin/env python3
"""What whole runs of a program cost beside those of an older one: a free body and a heavy top, no rows on the way.

    plain_runs.py OLD NEW [--rounds 9] [--seconds 0.15] [--methods A,B,...] [--instructions]

Ratios of the processor time of NEW to that of OLD, medians of runs in turn, less that of a run of one step, as a Markdown
table; in bold what is more than 1.03. A ratio beyond that is measured once more with three times as many runs, and the second stands. With --instructions
there are those of the instructions of a step too, as Valgrind counts them: they do not hang on what else the machine does.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

from whole_runs import interleaved, processor, steps_for

BODY = """
[body]
inertia = [0.9144, 1.098, 1.66]
[start]
rotation_vector = [0.2, 0.1, 0.04]
angular_velocity_body = [0.45549, 0.82623, 0.03476]
"""
TORQUE = """
[torque]
kind = "heavy-top"
weight_times_arm = 0.5
axis_body = [0, 0, 1]
"""
METHODS = ["lie-verlet", "mclachlan-reich-231", "mclachlan-reich-231@suzuki", "mclachlan-reich-4-231", "no-squish", "rkmk-4",
           "commutator-free-4", "magnus-4", "crouch-grossman-4", "rk4-quaternion", "abm4", "taylor-2", "taylor-4", "taylor-6",
           "taylor-8", "implicit-midpoint", "newmark", "simo-wong", "simo-wong-ab2", "moser-veselov-4", "rotor-verlet",
           "energy-momentum", "variational-legendre", "picard-lobatto-8"]
MOST = 1.03


def instructions(command_of):
    """Of one step."""
    def count(steps):
        said = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                               *command_of(steps)], capture_output=True, text=True, check=True).stderr
        return int(re.search(r"I\s+refs:\s+([\d,]+)", said).group(1).replace(",", ""))
    return (count(12000) - count(2000)) / 10000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.15, help="of a run")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS)
    parser.add_argument("--instructions", action="store_true")
    asked = parser.parse_args()
    bodies = {"free body": BODY, "heavy top": BODY + TORQUE}
    columns = [f"{body}{what}" for body in bodies for what in (["", ", instructions"] if asked.instructions else [""])]
    print(f"{processor()}; medians of {asked.rounds}\n")
    print("| method | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in bodies.items():
            pathlib.Path(folder, f"{name}.toml").write_text(text)
        for method in asked.methods:
            cells = []
            for body in bodies:
                def run(program, steps):
                    return [program, "run", str(pathlib.Path(folder, f"{body}.toml")), "--method", method, "--step", "0.05",
                            "--steps", str(steps), "--json"]
                steps = steps_for(lambda n: run(asked.old, n), asked.seconds)

                def ratio(rounds):
                    old, new, start_old, start_new = interleaved(
                        [run(program, n) for n in (steps, 1) for program in (asked.old, asked.new)], rounds)
                    return (new - start_new) / (old - start_old)
                found = ratio(asked.rounds)
                if found > MOST:
                    found = ratio(3 * asked.rounds)
                cells.append(f"**{found:.2f}**" if found > MOST else f"{found:.2f}")
                if asked.instructions:
                    cells.append(f"{instructions(lambda n: run(asked.new, n)) / instructions(lambda n: run(asked.old, n)):.3f}")
            print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
