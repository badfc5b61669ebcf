#!/usr/bin/env python3
"""What the Python module costs beside the C++ program, and beside scipy.integrate.solve_ivp. Ratios, measured in one run.

    PYTHONPATH=build/release/python python3 bench/python/speed.py [--build build/release] [--repeats 9] [--quick] [--update]

Prints Markdown tables and says which goals are met; --update puts them into docs/performance.md. Premises are checked before anything is timed: the same steps and end of the motion in program and
module, a callable that takes its time, and errors of all solvers against one reference.
"""

import argparse
import ctypes
import json
import math
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import scipy
from scipy.integrate import solve_ivp

import polhode

C_SOURCE = """
void drag(double t, const double *q, const double *w, double *torque) {
  (void)t;
  torque[0] = -0.1 * w[0] + 0.2 * (q[1] * q[3] - q[0] * q[2]);
  torque[1] = -0.1 * w[1];
  torque[2] = -0.1 * w[2];
}
"""
DRAG = polhode.expression("-0.1*wx + 0.2*(qx*qz - qw*qy)", "-0.1*wy", "-0.1*wz")
BODY, START = [0.9144, 1.098, 1.66], [0.45549, 0.82623, 0.03476]


def processor_time():
    """Of this process and of programs that it has waited for: what others do on the machine counts less than on a clock."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- bench/python/speed.py -->\n", "<!-- /bench/python/speed.py -->\n"
printed, goals = [], []


def say(line):
    print(line, flush=True)
    printed.append(line)


def judge(goal, ratios, met):
    """Of ratios by name, which all are to be so."""
    missed = [f"{name} {ratio:.3g}" for name, ratio in ratios.items() if not met(ratio)]
    verdict = "met" if not missed else f"**missed** by {len(missed)} of {len(ratios)}: {', '.join(missed)}"
    goals.append(f"* {goal}: {verdict}.")


SHORTEST = 0.02     # seconds of a timing: what takes less is called several times, as timeit does


def interleaved(repeats, **functions):
    """The median seconds of a call of each, in turn."""
    def timed(function, calls):
        begin = processor_time()
        for _ in range(calls):
            function()
        return (processor_time() - begin) / calls
    calls = {name: max(1, math.ceil(SHORTEST / max(timed(function, 1), 1e-6))) for name, function in functions.items()}
    seconds = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            seconds[name].append(timed(function, calls[name]))
    return {name: statistics.median(all_of_one) for name, all_of_one in seconds.items()}


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown"


def against_the_program(program, repeats, steps):
    """A million steps in a built-in field: the module's `seconds` and the program's, which begin and end alike."""
    say(f"| {steps} steps, heavy top | program [s] | module [s] | ratio | without the program's start |\n|---|---|---|---|---|")
    ratios = {}
    scenario = ("[body]\ninertia = [0.9144, 1.098, 1.66]\n[start]\nangular_velocity_body = [0.45549, 0.82623, 0.03476]\n"
                "[torque]\nkind = \"heavy-top\"\nweight_times_arm = 0.5\n"
                f"[run]\nmethod = \"METHOD\"\nstep = 0.01\nsteps = {steps}\n")
    with tempfile.TemporaryDirectory() as folder:
        for method in ("mclachlan-reich-231", "rkmk-4", "taylor-4"):
            file = pathlib.Path(folder) / "top.toml"
            file.write_text(scenario.replace("METHOD", method))
            ends = {}

            def by_program(*more):
                out = subprocess.run([program, "run", file, "--json", "--quiet", *more], capture_output=True, check=True)
                ends["start" if more else "program"] = json.loads(out.stdout)

            def start_of_program():
                by_program("--steps", "1")

            def by_module():
                sol = polhode.solve(BODY, {"kind": "heavy-top", "weight_times_arm": 0.5}, START, (0, 0.01 * steps),
                                    method, step=0.01, every=steps, dense_output=False)
                ends["module"] = sol.info

            times = interleaved(repeats, program=by_program, module=by_module, start=start_of_program)
            assert ends["program"]["attitude_wxyz"] == ends["module"]["attitude_wxyz"], "not the same motion"
            assert ends["program"]["steps"] == ends["module"]["steps"] == steps
            ratios[f"`{method}`"] = times["module"] / (times["program"] - times["start"])
            say(f"| `{method}` | {times['program']:.3f} | {times['module']:.3f} | {times['module'] / times['program']:.3f} | "
                f"{ratios[f'`{method}`']:.3f} |")
    judge("A built-in field within 5 % of the program, without the start of the program", ratios, lambda ratio: ratio <= 1.05)


def compiled_torque(folder):
    source, library = folder / "drag.c", folder / "drag.so"
    source.write_text(C_SOURCE)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return ctypes.CDLL(str(library)).drag


def against_compiled(native, repeats, steps):
    """A compiled callable beside the same torque as a function of a C++ program, and as an expression of the library."""
    say(f"\n| {steps} steps, a drag and a pull | s | ratio |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        drag = compiled_torque(pathlib.Path(name))

        def run(torque, count=steps):
            return polhode.solve(BODY, torque, START, (0, 0.01 * count), "rkmk-4", step=0.01, every=count,
                                 dense_output=False)

        def by_native(count=steps):
            out = subprocess.run([native, str(count)], capture_output=True, check=True, text=True).stdout.split()
            return [float(number) for number in out]

        compiled, some = polhode.compiled(drag), 2000       # steps, before roundings have grown apart
        end = run(compiled, some).y[:, -1]
        assert np.abs(end - run(DRAG, some).y[:, -1]).max() < 1e-10, "not the same torque"
        assert np.abs(end[4:] - by_native(some)[1:]).max() < 1e-10, "not the same torque in C++"
        seconds = {"a function of a C++ program": [], "a compiled function": [], "an expression": []}
        for _ in range(repeats):                             # the run alone, without the start of a program
            seconds["a function of a C++ program"].append(by_native()[0])
            for name, torque in (("a compiled function", compiled), ("an expression", DRAG)):
                begin = time.process_time()
                run(torque)
                seconds[name].append(time.process_time() - begin)
        medians = {name: statistics.median(all_of_one) for name, all_of_one in seconds.items()}
        for name, median in medians.items():
            say(f"| {name} | {median:.3f} | {median / medians['a function of a C++ program']:.3f} |")
        ratio = medians["a compiled function"] / medians["a function of a C++ program"]
        judge("A compiled callable within 20 % of the same in C++", {"ratio": ratio}, lambda ratio: ratio <= 1.2)


def of_a_callable(repeats, steps):
    """What a callable of five microseconds costs, over its own time."""
    rounds = 16

    def busy(t, q, w):
        some = 0.1
        for _ in range(rounds):
            some = 0.5 * (some + 0.01 / some)
        return (0.0, 0.0, some)

    def alone():
        q, w = np.zeros(4), np.zeros(3)
        for _ in range(4 * steps):
            busy(0.0, q, w)

    while interleaved(1, alone=alone)["alone"] < 4 * steps * 6e-6:
        rounds *= 2

    def in_a_run():
        assert polhode.solve(BODY, busy, START, (0, 0.01 * steps), "rkmk-4", step=0.01, every=steps,
                             dense_output=False).nfev >= 4 * steps
    times = interleaved(repeats, alone=alone, run=in_a_run)
    per_call = times["alone"] / (4 * steps)
    assert per_call > 5e-6, "the callable does not take its time"
    ratio = times["run"] / times["alone"]
    say(f"\nA callable of {per_call * 1e6:.2f} microseconds, {4 * steps} calls: {ratio:.3f} times its own time.")
    judge("A callable of five microseconds or more at no more than 1.2 times its own time", {"ratio": ratio},
          lambda ratio: ratio <= 1.2)


def equations(inertia, torque):
    """y = (q, w), as anybody would write them for solve_ivp."""
    i1, i2, i3 = inertia

    def rate(t, y):
        qw, qx, qy, qz, wx, wy, wz = y
        tx, ty, tz = torque(t, y[:4], y[4:])
        return [0.5 * (-qx * wx - qy * wy - qz * wz), 0.5 * (qw * wx + qy * wz - qz * wy),
                0.5 * (qw * wy + qz * wx - qx * wz), 0.5 * (qw * wz + qx * wy - qy * wx),
                ((i2 - i3) * wy * wz + tx) / i1, ((i3 - i1) * wz * wx + ty) / i2, ((i1 - i2) * wx * wy + tz) / i3]
    return rate


def weight(mgl):
    def torque(t, q, w):
        w0, x, y, z = q
        return (mgl * 2 * (y * z + w0 * x), -mgl * 2 * (x * z - w0 * y), 0.0)
    return torque


def angle(p, q):
    return 2 * np.arctan2(np.linalg.norm(p[1:] * q[0] - q[1:] * p[0] - np.cross(p[1:], q[1:])), abs(np.dot(p, q)))


CASES = (("P1", "free-mclachlan-zanna", 100.0), ("P2", "fast-top", 10.0), ("P3", "asymmetric-top", 50.0))


def against_scipy(repeats):
    problems = {one["name"]: one for one in polhode.problems()}
    say("\n| case | error wanted [rad] | solver | scipy's time over ours: a built-in field | the same callable | scipy's "
        "evaluations over ours |\n|---|---|---|---|---|---|")
    of_field, of_callable = {}, {}
    for case, name, end in CASES:
        problem = problems[name]
        start = polhode.solve(problem["inertia"], problem["torque"], problem["start"],
                              (0, 1e-3), "rkmk-4", step=1e-3)
        mgl = problem["torque"][0]["weight_times_arm"] if problem["torque"] else 0.0
        callable_torque = weight(mgl)
        if mgl:
            check = polhode.solve(problem["inertia"], problem["torque"], start.y[:, 0], (0, 1e-3), "rkmk-4", step=1e-4)
            same = polhode.solve(problem["inertia"], callable_torque, start.y[:, 0], (0, 1e-3), "rkmk-4", step=1e-4)
            assert np.abs(check.y - same.y).max() < 1e-12, "not the same torque"
        reference = polhode.solve(problem["inertia"], problem["torque"], start.y[:, 0], (0, end), "taylor-adaptive",
                                  tolerance=1e-15).y[:4, -1]
        rate = equations(problem["inertia"], callable_torque)
        for wanted in (1e-3, 1e-6, 1e-9):
            for solver in ("DOP853", "LSODA"):
                rtol = wanted
                while True:  # as loose as reaches the error
                    scipys = solve_ivp(rate, (0, end), start.y[:, 0], solver, rtol=rtol, atol=rtol * 1e-2)
                    if angle(scipys.y[:4, -1], reference) <= wanted or rtol < 1e-13:
                        break
                    rtol /= 3
                if angle(scipys.y[:4, -1], reference) > wanted:
                    say(f"| {case} | {wanted:g} | {solver} | not reached | | |")
                    continue

                def by_field():
                    return polhode.solve(problem["inertia"], problem["torque"], start.y[:, 0], (0, end), ours[0],
                                         step=ours[1], every=10**9, dense_output=False)

                def by_callable():
                    return polhode.solve(problem["inertia"], callable_torque, start.y[:, 0], (0, end), theirs[0],
                                         step=theirs[1], every=10**9, dense_output=False)

                def by_scipy():
                    return solve_ivp(rate, (0, end), start.y[:, 0], solver, rtol=rtol, atol=rtol * 1e-2)

                chosen = polhode.solve(problem["inertia"], problem["torque"], start.y[:, 0], (0, end), "auto",
                                       tolerance=wanted, every=10**9, dense_output=False)
                # The closed form needs no steps, and one is enough for the end alone.
                ours = (chosen.method, end) if chosen.method == "free-exact" else (chosen.method, chosen.step)
                theirs = fewest(lambda method, step: polhode.solve(
                    problem["inertia"], callable_torque, start.y[:, 0], (0, end), method, step=step, every=10**9,
                    dense_output=False), reference, wanted, end)
                assert angle(by_field().y[:4, -1], reference) <= wanted
                counted = by_callable()
                assert angle(counted.y[:4, -1], reference) <= wanted

                def by_closed_form():
                    return polhode.FreeRotor(problem["inertia"], start.y[:, 0])(end)

                timed = {"field": by_field, "callable": by_callable, "scipy": by_scipy}
                if ours[0] == "free-exact":
                    assert angle(by_closed_form()[:4], reference) <= wanted
                    timed["closed form"] = by_closed_form
                times = interleaved(repeats, **timed)
                name = f"{case} {wanted:g} {solver}"
                of_field[name], of_callable[name] = times["scipy"] / times["field"], times["scipy"] / times["callable"]
                also = f"; {times['scipy'] / times['closed form']:.0f} (FreeRotor)" if "closed form" in timed else ""
                say(f"| {case} | {wanted:g} | {solver} | {of_field[name]:.0f} ({ours[0]}){also} | {of_callable[name]:.1f} "
                    f"({theirs[0]}) | {scipys.nfev / counted.nfev:.1f} |")
    judge("A built-in field 100 times as fast as `solve_ivp`, by `solve`", of_field, lambda ratio: ratio >= 100)
    judge("The same callable three times as fast", of_callable, lambda ratio: ratio >= 3)


def fewest(run, reference, wanted, end):
    """Of a few methods that ask little of a torque, the one that reaches the error with the fewest evaluations."""
    best = None
    for method in ("rotor-adams-8", "rotor-extrapolated-8", "rotor-srkn14a", "rotor-verlet"):
        step = end / 8
        for _ in range(24):
            steps = max(1, round(end / step))
            sol = run(method, end / steps)
            if sol.success and angle(sol.y[:4, -1], reference) <= wanted:
                if best is None or sol.nfev < best[0]:
                    best = sol.nfev, method, end / steps
                break
            if best is not None and sol.nfev > best[0]:
                break
            step /= 1.3
    return best[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release", help="where program and benchmarks are")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--update", action="store_true", help="put what is printed into docs/performance.md")
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps, three repeats")
    options = parser.parse_args()
    steps, repeats = (100_000, 3) if options.quick else (1_000_000, options.repeats)
    say(f"{time.strftime('%Y-%m-%d')}, {processor()}, Python {sys.version.split()[0]}, scipy {scipy.__version__}, medians of "
        f"{repeats}, processor time.\n")
    warnings.simplefilter("ignore", polhode.PolhodeWarning)     # of long steps that are tried on the way
    build = pathlib.Path(options.build)
    against_the_program(build / "polhode", repeats, steps)
    against_compiled(build / "bench" / "called_torque", repeats, steps)
    of_a_callable(repeats, steps // 100)
    against_scipy(repeats)
    say("\nGoals:\n")
    for goal in goals:
        say(goal)
    if options.update:
        before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        PAGE.write_text(before + BEGIN + "\n".join(printed) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
