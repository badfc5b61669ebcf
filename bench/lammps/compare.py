#!/usr/bin/env python3
"""Free rigid bodies by LAMMPS's fix rigid/nve/small and by polhode ensemble, one core each, at the same error.

    bench/lammps/compare.py [--bodies N] [--duration T] [--errors 1e-2 ...] [--methods NAME ...] [--packs SET]
                            [--repeat R]

Every body has moments, an attitude and a spin of its own (0.5 to 1 rad/s). For each error the step is searched for at
which the root mean square of the angle to the closed form at the end is that error. Cost is processor time of the
whole program per body and step, the difference of a long and a short run, so that starting, reading and writing drop
out; the programs take turns, and medians are shown. Of LAMMPS's, the share of its fix is what its own table calls
Modify.
"""
import argparse
import csv
import datetime
import math
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CORNERS = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def matrices(q):
    w, x, y, z = q.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def angles(a, b):
    """Between attitudes as matrices; by the chord, which keeps the digits of small ones."""
    chord = np.sqrt(((a - b) ** 2).sum(axis=(1, 2)) / 8)
    return 2 * np.arcsin(np.minimum(chord, 1))


class Bodies:
    """Four atoms of mass 1/4 at the corners of a tetrahedron that is stretched along the principal axes."""

    def __init__(self, count, folder):
        random = np.random.default_rng(1)
        self.count, self.folder = count, folder
        self.inertia = np.array([0.9144, 1.098, 1.66]) * random.uniform(0.95, 1.05, (count, 3))
        self.q = random.normal(size=(count, 4))
        self.q /= np.linalg.norm(self.q, axis=1)[:, None]
        w = random.normal(size=(count, 3))
        self.w = w * (random.uniform(0.5, 1, count) / np.linalg.norm(w, axis=1))[:, None]
        second = self.inertia.sum(axis=1)[:, None] / 2 - self.inertia
        self.in_body = CORNERS * np.sqrt(second)[:, None, :]
        side = int(np.ceil(count ** (1 / 3)))
        i = np.arange(count)
        self.centre = 4.0 * np.stack([i % side, i // side % side, i // side**2], axis=1)
        self.write_atoms(folder / "bodies.data", 4.0 * side)
        self.write_table(folder / "bodies.csv")

    def write_atoms(self, path, side):
        R = matrices(self.q)
        offset = np.einsum("nij,naj->nai", R, self.in_body)
        velocity = np.cross(np.einsum("nij,nj->ni", R, self.w)[:, None, :], offset)
        position = offset + self.centre[:, None, :]
        with open(path, "w") as file:
            file.write(f"free bodies\n\n{4 * self.count} atoms\n1 atom types\n\n")
            for axis in "xyz":
                file.write(f"-4 {side + 4} {axis}lo {axis}hi\n")
            file.write("\nMasses\n\n1 0.25\n\nAtoms # molecular\n\n")
            for k, x in enumerate(position.reshape(-1, 3)):
                file.write(f"{k + 1} {k // 4 + 1} 1 {x[0]:.17g} {x[1]:.17g} {x[2]:.17g}\n")
            file.write("\nVelocities\n\n")
            for k, v in enumerate(velocity.reshape(-1, 3)):
                file.write(f"{k + 1} {v[0]:.17g} {v[1]:.17g} {v[2]:.17g}\n")

    def write_table(self, path):
        columns = ["qw", "qx", "qy", "qz", "wx_B", "wy_B", "wz_B", "inertia.x", "inertia.y", "inertia.z"]
        rows = np.hstack([self.q, self.w, self.inertia])
        np.savetxt(path, rows, fmt="%.17g", delimiter=",", header=",".join(columns), comments="")
        scenario = "[body]\ninertia = [0.9, 1.1, 1.6]\n[start]\nangular_velocity_body = [0, 0, 1]\n[ensemble]\n"
        for key in ("attitude_wxyz", "angular_velocity_body", "inertia"):
            scenario += key + ' = { from = "bodies.csv" }\n'
        (self.folder / "bodies.toml").write_text(scenario)

    def attitudes_of_atoms(self, path):
        """R of the positions R x: least squares, exact where the atoms are a rigid body."""
        lines = path.read_text().split("ITEM: ATOMS id x y z\n")[1].split()
        position = np.array(lines, dtype=float).reshape(self.count, 4, 4)[:, :, 1:] - self.centre[:, None, :]
        return np.einsum("nai,naj->nij", position, self.in_body * (1 / (self.in_body**2).sum(axis=1))[:, None, :])


def processor_time(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


class Lammps:
    name = "LAMMPS fix rigid/nve/small"

    def __init__(self, bodies):
        self.bodies, self.share_of_fix = bodies, []

    def run(self, step, steps, keep=0):
        command = ["lmp", "-in", HERE / "free.in", "-log", "none", "-nocite"]
        for key, value in (("bodies", "bodies.data"), ("step", repr(step)), ("steps", steps), ("keep", keep)):
            command += ["-var", key, str(value)]
        return processor_time(command, self.bodies.folder)

    def end(self, step, steps):
        self.run(step, steps, keep=1)
        return self.bodies.attitudes_of_atoms(self.bodies.folder / "end.dump")

    def seconds(self, step, steps):
        taken, text = self.run(step, steps)
        shares = dict(re.findall(r"^(\w+) .*\| *([\d.]+)$", text, re.M))
        self.share_of_fix.append(float(shares["Modify"]) / 100)
        return taken


class Polhode:
    def __init__(self, bodies, program, method, packs="auto"):
        self.bodies, self.program, self.name, self.packs = bodies, program, method, packs

    def run(self, step, steps, *more):
        return processor_time([self.program, "ensemble", "bodies.toml", "--method", self.name, "--step", repr(step),
                               "--steps", str(steps), "--threads", "1", "--packs", self.packs, "--json", *more], self.bodies.folder)

    def end(self, step, steps):
        self.run(step, steps, "--output", "end.csv")
        with open(self.bodies.folder / "end.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        ends = {row["body"]: row for row in rows}  # the last row of each body
        return matrices(np.array([[float(row[k]) for k in ("qw", "qx", "qy", "qz")] for row in ends.values()]))

    def seconds(self, step, steps):
        return self.run(step, steps)[0]


def steps_for(program, exact, duration, wanted):
    """How many steps lead to the end with the wanted root mean square of the error, to a hundredth or a step."""
    steps, order, last = max(8, int(2 * duration)), 2, None
    for _ in range(20):
        error = np.sqrt((angles(program.end(duration / steps, steps), exact) ** 2).mean())
        if last and last[0] != steps:
            order = np.clip(np.log(last[1] / error) / np.log(steps / last[0]), 1, 16)
        last = steps, error
        better = max(1, math.ceil(steps * (error / wanted) ** (1 / order) - 0.01 * steps))
        if abs(better - steps) <= max(1, 0.01 * steps):
            return max(steps, better)
        steps = better
    sys.exit(f"{program.name}: no step leads to an error of {wanted:g}")


def versions(program):
    info = pathlib.Path("/proc/cpuinfo").read_text()
    processor = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", info, re.M))
    lammps = re.search(r"Simulator - (.*)", subprocess.run(["lmp", "-h"], capture_output=True, text=True).stdout)[1]
    own = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()[-1]
    return (f"{processor['model name']}, family {processor['cpu family']}, model {processor['model']}; "
            f"LAMMPS {lammps}, polhode {own}; {datetime.date.today()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=4096)
    parser.add_argument("--duration", type=float, default=20)
    parser.add_argument("--errors", type=float, nargs="+", default=[1e-2, 1e-3, 1e-4])
    parser.add_argument("--methods", nargs="+", default=["mclachlan-reich-231", "taylor-4"])
    parser.add_argument("--packs", default="auto", help="instructions of polhode's packs: auto, avx512, avx2, sse2")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--polhode", type=pathlib.Path, default=HERE.parents[1] / "build" / "polhode")
    given = parser.parse_args()
    if shutil.which("lmp") is None:
        sys.exit("there is no LAMMPS here (lmp; Debian's package lammps): nothing to compare with")
    if not given.polhode.exists():
        sys.exit(f"there is no {given.polhode}; build the program, or name it with --polhode")
    with tempfile.TemporaryDirectory() as folder:
        bodies = Bodies(given.bodies, pathlib.Path(folder))
        program = given.polhode.resolve()
        exact = Polhode(bodies, program, "free-exact").end(given.duration, 1)
        programs = [Lammps(bodies), *(Polhode(bodies, program, method, given.packs) for method in given.methods)]
        work = {}  # processor time of a body's step [s]
        for one in programs:
            work[one] = []
        long, short = {}, {}
        for one in programs:
            long[one] = 400 if isinstance(one, Lammps) else 20000
            short[one] = long[one] // 4
        for _ in range(given.repeat):
            for one in programs:
                more = one.seconds(0.05, long[one]) - one.seconds(0.05, short[one])
                work[one].append(more / (long[one] - short[one]) / given.bodies)
        lammps = programs[0]
        share = statistics.median(lammps.share_of_fix)
        print(versions(program))
        print(f"{given.bodies} bodies, {given.duration:g} s; of LAMMPS's time {100 * share:.0f} % is the fix")
        print(f"{'':28}{'ns a step':>10}", *(f"{f'error {e:g}':>26}" for e in given.errors))
        cost = {}
        for one in programs:
            ns = 1e9 * statistics.median(work[one])
            print(f"{one.name:28}{ns:10.1f}", end="", flush=True)
            for wanted in given.errors:
                steps = steps_for(one, exact, given.duration, wanted)
                cost[one, wanted] = ns * steps / given.duration
                ratio = cost[lammps, wanted] / cost[one, wanted]
                print(f"{given.duration / steps:9.4f} s{cost[one, wanted]:8.0f} ns{ratio:6.1f}", end="", flush=True)
            print()
        print("for each error: step, cost of a body's simulated second, LAMMPS's cost over it "
              f"(with its fix alone: {share:.2f} of that)")


if __name__ == "__main__":
    main()
