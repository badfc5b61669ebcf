"""Results go to other processes and come back: copied and pickled, with the bits that they had."""

import copy
import multiprocessing
import os
import pickle
import tempfile
import unittest
import warnings

import numpy as np

import polhode
from callables import Case, drag, library
from motions import MOMENTS, START, TOP, message_of

WHEEL = {"axis": [0, 0, 1], "inertia": 0.1, "speed": 2.0}
WAYS = {"pickle": lambda one: pickle.loads(pickle.dumps(one)), "copy": copy.copy, "deepcopy": copy.deepcopy}
# Whatever decides the steps of a run.
RUNS = {
    "free": {"method": "rkmk-4", "step": 0.1}, "closed form": {}, "auto": {"torque": TOP, "tolerance": 1e-6},
    "auto for its energy": {"torque": TOP, "tolerance": 1e-4, "goal": "energy"},
    "a method that takes a tolerance": {"torque": TOP, "method": "picard-lobatto-8", "tolerance": 1e-7},
    "series to a tolerance": {"torque": TOP, "method": "taylor-adaptive", "tolerance": 1e-9},
    "a table": {"torque": polhode.table_torque([-9, 0, 4, 9], np.eye(4, 3)), "method": "rkmk-4", "step": 0.1},
    "expressions": {"torque": [polhode.expression("a*sin(t)", "-wy", constants={"a": 1 / 3}), TOP], "method": "newmark", "step": 0.1},
    "wheels": {"body": {"inertia": MOMENTS, "wheels": [WHEEL]}, "method": "rkmk-4", "step": 0.1},
    "a tensor, multistep": {"body": np.diag(MOMENTS) + 0.01, "torque": TOP, "method": "rotor-adams-8", "step": 0.05},
    "backwards": {"torque": TOP, "t_span": (5, 1), "method": "lie-verlet", "step": 0.1},
    "parameters": {"torque": TOP, "method": "newmark-gamma", "step": 0.1, "parameters": {"gamma": 0.6}},
    "chosen steps": {"torque": TOP, "method": "lie-verlet~adaptive", "step": 0.1, "step_scale": "1/(1+wx^2)"},
    "ended by an event": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "events": [{"name": "low", "when": "wy", "terminal": True}]},
    "ended by a condition": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "stop_when": "tilt > 0.1 and t > 1.2", "quantities": {"tilt": "acos(Rzz)"}},
    "ended by a guard": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "max_steps": 13},
    "ended by another": {"torque": TOP, "method": "rkmk-4", "step": 1e-7, "max_time": 0.02, "every": 10**9, "t_span": (0, 1)},
    "halved steps": {"body": [1, 2, 3], "start": [1, 10, 1], "method": "moser-veselov", "step": 0.3, "on_failure": "halve", "t_span": (0, 3)},
    "another scalar": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "scalar": "quad"},
    "scalar last": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "scalar_first": False, "t_eval": [0.05, 1, 2]},
    "more asked for": {"torque": TOP, "method": "rkmk-4", "step": 0.1, "sensitivities": ["start"], "reference": True, "columns": "mrp"},
}
ENDINGS = {"ended by an event": 1, "ended by a condition": 1, "ended by a guard": 2, "ended by another": 2}
NAMES = ("t", "y", "attitude", "angular_velocity", "momentum", "energy")


def solved(body=MOMENTS, torque=None, start=START, t_span=(0, 4), **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", polhode.PolhodeWarning)
        return polhode.solve(body, torque, start, t_span, **more)


def end_of(sol):
    """In another process."""
    return os.getpid(), sol.y[:, -1], sol.sol(sol.t[-1] / 3)


class Solutions(Case):
    def test_every_run(self):
        for name, more in RUNS.items():
            sol = solved(**more)
            self.assertEqual(sol.status, ENDINGS.get(name, 0), name)
            self.assertGreater(sol.steps, 5)
            self.assertEqual(sol.info.get("steps_halved", 0) > 0, name == "halved steps", name)
            times = np.linspace(sol.sol.t_min, sol.sol.t_max, 21)
            between = sol.sol(times)
            for way, done in WAYS.items():
                with self.subTest(name, way=way):
                    other = done(sol)
                    for one in NAMES:
                        self.assertTrue(np.array_equal(getattr(other, one), getattr(sol, one)), one)
                    self.assertTrue(np.array_equal(other.sol(times), between))
                    self.assertTrue(np.array_equal(done(other).sol(times), between))
                    self.assertEqual((repr(other), other.info, other.body.moments.tolist(), repr(other.end)),
                                     (repr(sol), sol.info, sol.body.moments.tolist(), repr(sol.end)))
                    self.assertEqual(list(map(repr, other.events)), list(map(repr, sol.events)))

    def test_copies_share_no_more_than_they_say(self):
        sol = solved(method="rkmk-4", step=0.1)
        self.assertTrue(np.shares_memory(copy.copy(sol).y, sol.y))
        self.assertEqual(pickle.loads(pickle.dumps(sol))._repr_html_(), sol._repr_html_())
        for way in ("deepcopy", "pickle"):
            self.assertFalse(np.shares_memory(WAYS[way](sol).y, sol.y))

    def test_of_a_file(self):
        """With a table in a file of its own, which need not be there any more."""
        with tempfile.TemporaryDirectory() as folder:
            rows = "\n".join(f"{t},{np.sin(t)!r},0,{t / 7!r}" for t in range(-1, 8))
            for name, text in (("torque.csv", f"t[s],x,y,z\n{rows}\n"),
                               ("it.toml", "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [0.1, 1, 0.2]\n[torque]\n"
                                "kind = 'table'\nfile = 'torque.csv'\n[run]\nmethod = 'rkmk-4'\nstep = 0.1\nduration = 5\n")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            sol = polhode.load(os.path.join(folder, "it.toml")).solve()
            stored = pickle.dumps(sol)
        other = pickle.loads(stored)
        times = np.linspace(0, 5, 17)
        self.assertTrue(np.array_equal(other.sol(times), sol.sol(times)))
        problem = polhode.load("problem:fast-top").solve(method="lie-verlet", t_span_end=0.1)
        self.assertTrue(np.array_equal(WAYS["pickle"](problem).sol(0.0123), problem.sol(0.0123)))

    def test_another_process(self):
        sol = solved(torque=TOP, tolerance=1e-6)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            process, end, middle = pool.apply(end_of, (sol,))
            back = pool.apply(solved, kwds={"torque": TOP, "tolerance": 1e-6})
        self.assertNotEqual(process, os.getpid())
        self.assertTrue(np.array_equal(end, sol.y[:, -1]) and np.array_equal(middle, sol.sol(sol.t[-1] / 3)))
        self.assertTrue(back.success)

    def test_functions_of_the_caller(self):
        compiled = polhode.compiled(library().drag)
        for more in ({"torque": drag}, {"torque": compiled}, {"events": lambda t, y: y[5]}):
            sol = solved(method="rkmk-4", step=0.1, **more)
            self.assertRegex(message_of(self, TypeError, pickle.dumps, sol), "^the motion between the rows, sol, asks a function of "
                             "yours .*dense_output=False")
            for way in ("copy", "deepcopy"):
                self.assertTrue(np.array_equal(WAYS[way](sol).sol(1.23), sol.sol(1.23)))
            without = solved(method="rkmk-4", step=0.1, dense_output=False, **more)
            self.same_bits(WAYS["pickle"](without), sol)
            sol.sol = None
            self.same_bits(WAYS["pickle"](sol), without)


class Others(Case):
    def test_ensembles(self):
        many = polhode.ensemble(MOMENTS, TOP, START, (0, 1), step=0.1, bodies=5, draw={"attitude": "uniform"}, snapshots=[0.5],
                                events=["wy"], quantities={"s": "wx"})
        for way, done in WAYS.items():
            other = done(many)
            for one, that in zip((other.start, other.end, *other.snapshots), (many.start, many.end, *many.snapshots)):
                self.assertTrue(np.array_equal(one.y, that.y) and np.array_equal(one.energy, that.energy), way)
            self.assertEqual((other.info, repr(other), other.statistics), (many.info, repr(many), many.statistics))
            self.assertTrue(np.array_equal(other.passages["wy"], many.passages["wy"], equal_nan=True))

    def test_studies_and_tables(self):
        study = polhode.converge("asymmetric-top", ["lie-verlet"], [0.02, 0.01])
        papers = polhode.reproduce("buss-figure-5")
        for done in WAYS.values():
            self.assertEqual(done(study).rows, study.rows)
            self.assertEqual(done(papers).verdicts, papers.verdicts)
            self.assertEqual(done(polhode.methods()), polhode.methods())
            self.assertIn("<table", done(polhode.methods())._repr_html_())

    def test_what_is_passed(self):
        body = polhode.Body.point_masses([1, 2, 3, 4], np.random.default_rng(1).normal(size=(4, 3)))
        start = polhode.State(START[:4], START[4:], 1.5, scalar_first=False)
        named = polhode.torque(drag, velocity=True, name="mine")
        for way, done in WAYS.items():
            self.assertEqual((repr(done(body)), repr(done(start))), (repr(body), repr(start)))
            other = done(named)
            self.assertEqual((other.name, other.vectorized, other.velocity, other.function), ("mine", False, True, drag), way)
            self.assertEqual(done(polhode.load("problem:fast-top")).toml, polhode.load("problem:fast-top").toml)

    def test_rotors(self):
        rotor = polhode.FreeRotor(MOMENTS, START, 2.0, farthest=100.0, scalar_first=False)
        times = np.linspace(-9, 50, 31)
        for done in WAYS.values():
            self.assertTrue(np.array_equal(done(rotor)(times), rotor(times)))
            self.assertFalse(done(rotor).scalar_first)

    def test_what_cannot_be(self):
        sim = polhode.Simulation(MOMENTS, TOP, START)
        for done in WAYS.values():
            self.assertRegex(message_of(self, TypeError, done, sim), r"save\(\)")
        compiled = polhode.compiled(library().drag, name="mine")
        self.assertRegex(message_of(self, TypeError, pickle.dumps, compiled), "^torque: mine is compiled.*polhode.compiled")
        self.assertEqual(copy.deepcopy(compiled).address, compiled.address)


if __name__ == "__main__":
    unittest.main()
