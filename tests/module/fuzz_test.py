"""The module with nonsense. Valid calls in which an argument or two is something else end in an answer of the documented
kind, or in an exception of a promised one whose sentence names the argument; and the process lives on.

POLHODE_FUZZ_EXAMPLES is how many calls are made in all. The hundred of every day are always the same; more than these are
new ones each time, and come again with the POLHODE_FUZZ_SEED that is printed. They are made in a process of its own: where
it dies or hangs, the call that it was at is shown.
"""

import ctypes
import faulthandler
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import nonsense
import polhode
from nonsense import ANYTHING, FUNCTIONS, LARGE, MODERATE, SMALL, TEXTS, THINGS, choice, joined, mapping, value

EVERY_DAY = 100
EXAMPLES = int(os.environ.get("POLHODE_FUZZ_EXAMPLES", EVERY_DAY))
SEED = int(os.environ.get("POLHODE_FUZZ_SEED", random.randrange(2**32) if EXAMPLES > EVERY_DAY else 0))
LAST = os.environ.get("POLHODE_FUZZ_LAST")      # the file that says what is under way
MOST_MEMORY = 2**34                             # what would take more is a MemoryError, which nobody may raise
LONGEST = 600                                   # seconds that a call may take before it is said to hang
HERE = os.path.dirname(os.path.realpath(__file__))
EXPERIMENTS = os.path.join(HERE, "..", "..", "experiments")

METHODS = [method["name"] for method in polhode.methods()]
SUFFIXED = ["mclachlan-reich-231@suzuki", "rkmk-4~adaptive", "lie-verlet+energy", "newmark-gamma:gamma=0.6", "taylor-adaptive", "auto"]
TABLES = ["{'kind': 'constant-spatial', 'torque': [0.1, 0, 0.2]}", "{'kind': 'constant-body', 'torque': [0.1, 0, 0.2]}",
          "{'kind': 'gravity-gradient', 'mean_motion': 0.3, 'orbit_normal_spatial': [0, 0, 1], 'radius_spatial': [1, 0, 0]}",
          "{'kind': 'coulomb', 'sign': -1, 'strength': 0.01}", "{'kind': 'stress-test', 'alpha': 1.0, 'well': [0.1, 0, 0]}",
          "{'kind': 'uniform-field', 'field': [0, 0, 1], 'axis_body': [0, 0.6, 0.8], 'oscillation': [0, 0.1, 0], 'angular_frequency': 2.0}",
          "{'kind': 'two-masses', 'mass_1': 1, 'mass_2': 2, 'length': 1, 'attraction': 1, 'centre': [3, 0, 0]}",
          "{'kind': 'pulse', 'torque': [0, 0, 1], 'from': 0.2, 'until': 0.4}", "{'kind': 'damping', 'linear': 0.1, 'quadratic': 0.1}",
          "{'kind': 'magnetic', 'dipole_body': [0, 0, 1], 'field_spatial': [1e-2, 0, 0]}",
          "polhode.table_torque([-9, 0, 9], [[0, 0, 0], [0, 0, 1], [0, 1, 0]])",
          "polhode.expression('a*sin(t)', '-wy', 'Rzz*qw*qx', constants={'a': 0.1})", "polhode.expression(potential='Rzz')"]
KEYS = sorted({key for kind in polhode.torque_kinds().values() for key in kind["keys"]} | {"kind", "x y", "\0"})
EVENT = "{'name': 'low', 'when': 'Rzz-0.9', 'direction': 'falling', 'terminal': True}"

# Of arguments: what may well stand there, first what is passed where nothing else is ("..." for nothing).
SOLVE = {
    "body": ["[1.1, 1.9, 2.6]", "np.diag([1.1, 1.9, 2.6])", "polhode.Body.box(12, (1, 2, 3))", "[1, 1, 1]",
             "{'inertia': [1, 2, 2.5], 'wheels': [WHEEL]}", "{'inertia': [1, 1, 5], 'unphysical': True}", "[1e-9, 2e-9, 2e-9]"],
    "torque": ["TOP", "...", "[TOP, lambda t, q, w: -0.1*w]", "polhode.torque(many, vectorized=True)", "COMPILED",
             "LowLevelCallable(COMPILED)",
               "Returns((0, 0.1, 0))", "Raises(late=3)", *TABLES],
    "start": ["START", "[0.1, 1, 0.2]", "[1, 0, 0, 0, 0.1, 1, 0.2]", "polhode.State([1, 0, 0, 0], [0.1, 0, 5])", "...",
              "{'direction': [0, 0, 1], 'angular_momentum_spatial': [1, 2, 3]}"],
    "t_span": ["(0, 1)", "(0, -1)", "[5, 6]", "np.array([0, 0.35])", "(1e6, 1e6 + 1)"],
    "method": ["'rkmk-4'", *map(repr, METHODS + SUFFIXED)],
    "step": ["0.1", "0.03", "1", "..."],
    "tolerance": ["...", "1e-6", "1e-3"],
    "t_eval": ["...", "[0, 0.5, 1]", "np.linspace(0, 1, 7)", "[0.35]"],
    "every": ["...", "1", "3", "10**9"],
    "dense_output": ["...", "False"],
    "events": ["...", "'wy'", f"['wy', {EVENT}]", "lambda t, y: t-0.5", "lambda t, q, w: q[0]", "Returns(1.0)"],
    "quantities": ["...", "{'tilt': 'acos(Rzz)', 'speed': 'sqrt(wx^2+wy^2)'}"],
    "columns": ["...", "'momentum'", "['standard', 'attitude']", "()"],
    "stop_when": ["...", "'wy<0'"],
    "scalar": ["...", "'float'", "'long-double'", "'quad'"],
    "on_failure": ["...", "'halve'", "'stop'"],
    "goal": ["...", "'energy'", "'torque-evaluations'"],
    "step_scale": ["...", "'1+0.1*wx^2'"],
    "parameters": ["...", "{'gamma': 0.6}", "{}"],
    "reference": ["...", "True", "False"],
    "sensitivities": ["...", "'start'", "['start', 'inertia', 'torque']"],
    "max_steps": ["200", "7"],
    "max_time": ["0.1"],
    "scalar_first": ["...", "False"],
}
SIMULATION = {key: SOLVE[key] for key in ("body", "torque", "start", "method", "step", "tolerance", "events", "scalar",
                                          "on_failure", "parameters", "scalar_first")}
STUDY = {"methods": ["['lie-verlet']", "'rkmk-4'", "['lie-verlet', 'rkmk-4']"], "step_sizes": ["[0.1, 0.05]", "0.1", "np.array([0.1])", "..."]}
PATIENT = {"progress": ["Patience()", "..."]}
SITUATION = {"situation": ["'asymmetric-top'", "'problem:fast-top'", "polhode.load('problem:asymmetric-top')"], **PATIENT}
OWN = {**{key: SOLVE[key] for key in ("body", "torque", "start", "t_span")}, **PATIENT}
OWN["body"] = OWN["body"][:-1]     # of the last a reference takes its time
OWN["torque"] = LISTED = [text for text in OWN["torque"] if text.startswith(("TOP", "...", "{", "polhode.expr"))]    # no functions
SPAN_OF_SCALARS = {"scalar": SOLVE["scalar"], "t_eval": SOLVE["t_eval"], "every": SOLVE["every"], "dense_output": ["...", "False"]}

# Nonsense of a certain place: it has the form of what belongs there.
FORMED = {
    "body": st.one_of(mapping("{'inertia': [1, 2, 2.5]}", ["inertia", "wheels", "unphysical", "mass", "\0"]),
                      joined("{{'inertia': [1, 2, 2.5], 'wheels': [WHEEL, {}]}}",
                             mapping("WHEEL", ["axis", "inertia", "speed", "torque", "x"]))),
    "wheels": joined("[{}]", mapping("WHEEL", ["axis", "inertia", "speed", "torque", "x"])),
    "torque": st.one_of(choice(FUNCTIONS), st.sampled_from(["TOP", *TABLES]).flatmap(lambda table: mapping(table, KEYS)),
                        joined("[TOP, {}]", ANYTHING), joined("polhode.torque({}, vectorized=True)", choice(FUNCTIONS))),
    "start": mapping("START", ["rotation_vector", "angular_velocity_body", "attitude_wxyz", "time", "mrp", "direction",
                               "rotation_matrix", "angular_momentum_spatial", "x", "\ud800"]),
    "t_span": joined("({}, {})", *[st.one_of(choice(SMALL), choice(LARGE))] * 2),
    "t_eval": joined("[0, {}]", ANYTHING),
    "events": st.one_of(choice(FUNCTIONS), mapping(EVENT, ["name", "when", "direction", "terminal", "x"]),
                        joined("['wy', {}]", ANYTHING)),
    "draw": mapping("{'attitude': 'uniform'}", ["attitude", "angular_velocity_body", "inertia", "torque", "wheels", "bodies", "x"]),
    "quantities": mapping("{'a': 'wx'}", ["a", "b c", "\0", "wx"]),
    "parameters": mapping("{'gamma': 0.6}", ["gamma", "x", ""]),
    "constants": mapping("{'a': 0.1}", ["a", "x", "", "wx"]),
    "function": choice(FUNCTIONS), "step": choice(FUNCTIONS), "progress": choice(FUNCTIONS),
}

# What may be asked, how many of a hundred calls are of this kind, and with what.
CALLS = {
    "polhode.solve": (34, SOLVE),
    "polhode.Simulation": (8, {**SIMULATION, "t0": ["...", "5.0"], "backwards": ["...", "True"]}),
    "polhode.FreeRotor": (3, {"body": SOLVE["body"][:3], "start": SOLVE["start"], "t0": ["...", "3"], "farthest": ["...", "1e5"],
                              "scalar_first": ["...", "False"]}),
    "polhode.FreeRotor([1, 2, 3], [0.1, 1, 0.1])": (2, {"t": ["0.5", "[1, 2, 3]", "np.linspace(-9, 9, 20)"]}),
    "polhode.solve([1, 2, 3], TOP, START, (0, 1), 'rkmk-4', step=0.1).sol": (2, {"t": ["0.5", "[1, 0.1, 0.3]"]}),
    "polhode.load": (2, {"name": ["'problem:fast-top'", "'problem:asymmetric-top'"]}),
    "polhode.Loaded": (1, {"name": ["'problem:fast-top'"]}),
    "polhode.load('problem:asymmetric-top').solve": (4, {
        **SPAN_OF_SCALARS, "method": SOLVE["method"], "step": ["0.1", "..."], "tolerance": SOLVE["tolerance"], "t_span_end": ["1.0"]}),
    "polhode.Body": (3, {"inertia": SOLVE["body"][:2], "wheels": ["...", "[WHEEL]"], "unphysical": ["...", "True"]}),
    "polhode.Body.box": (1, {"mass": ["12"], "sizes": ["(1, 2, 3)"]}),
    "polhode.Body.ellipsoid": (1, {"mass": ["12"], "semi_axes": ["(1, 2, 3)"]}),
    "polhode.Body.cylinder": (1, {"mass": ["12"], "radius": ["1"], "length": ["2"], "inner_radius": ["...", "0.5"]}),
    "polhode.Body.point_masses": (1, {"masses": ["[1, 1, 1, 1]"], "positions": ["[[1, 0, 0], [-1, 0, 0], [0, 2, 0], [0, -2, 1]]"]}),
    "polhode.State": (3, {"attitude": ["[1, 0, 0, 0]", "Evil('as_quat', answer=[0, 0, 0, 1])"], "angular_velocity": ["[1, 2, 3]"],
                          "t": ["...", "2"], "scalar_first": ["...", "False"]}),
    "polhode.expression": (3, {"x": ["...", "'wx*t'"], "y": ["...", "0.5"], "z": ["'-a*wz'"], "frame": ["...", "'spatial'"],
                               "constants": ["{'a': 0.1}"], "potential": ["...", "'Rzz'"]}),
    "polhode.table_torque": (3, {"t": ["[-9, 0, 9]"], "torque": ["[[0, 0, 0], [0, 0, 3], [0, 0, 0]]"], "frame": ["...", "'spatial'"],
                                 "interpolation": ["...", "'cubic-hermite'", "'natural-spline'"]}),
    "polhode.torque": (2, {"function": ["lambda t, q, w: -w", "..."], "vectorized": ["...", "True"], "velocity": ["...", "False"],
                           "name": ["...", "'drag'"]}),
    "polhode.Torque": (1, {"function": ["lambda t, q, w: -w"], "vectorized": ["...", "True"], "velocity": ["...", "False"],
                           "name": ["...", "'drag'"], "address": ["..."]}),
    "polhode.compiled": (2, {"function": ["COMPILED", "LowLevelCallable(COMPILED)", "capsule(COMPILED)"], "velocity": ["...", "False"], "name": ["...", "'drag'"]}),
    "polhode.Method": (4, {"step": ["steps"], "name": ["'fuzzed'", "'fuzzed-too'"], "order": ["1", "4"], "order_momentum": ["...", "2"],
                           **{key: ["...", "'exact'"] for key in ("momentum_free", "momentum_along_field", "energy_free", "energy")},
                           **{key: ["...", "True"] for key in ("symmetric", "symplectic", "variable_steps")},
                           "torque_evaluations": ["...", "2"], "about": ["...", "'words'"]}),
    "polhode.method": (2, {"name": ["'rkmk-4'", *map(repr, SUFFIXED[:4])]}),
    "polhode.load_plugin": (1, {"path": ["polhode._core.__file__", "'/dev/null'", "__file__"]}),
    "polhode.ensemble": (3, {
        **{key: SOLVE[key] for key in ("body", "start", "t_span", "quantities", "stop_when", "scalar", "on_failure", "scalar_first")},
        "torque": LISTED, "method": ["'mclachlan-reich-231'", "'rkmk-4'", "'rotor-verlet'"], "step": ["0.1"], "bodies": ["10", "1"],
        "draw": ["{'attitude': 'uniform'}", "{'angular_velocity_body': np.ones((10, 3))}"], "seed": ["...", "-7"],
        "snapshots": ["...", "[0.5]"], "quantiles": ["...", "[0.1, 0.9]"], "events": ["...", "'wy'"], "threads": ["2"],
        "histograms": ["...", "[{'quantity': 'energy', 'low': 0, 'high': 3, 'bins': 5}]"], "shard": ["...", "(1, 2)"],
        "device": ["...", "'cpu'"], "output": ["...", "'bodies.csv'"]}),
    "polhode.converge": (2, {**SITUATION, **STUDY}),
    "functools.partial(polhode.converge, None)": (2, {**STUDY, **OWN}),
    "functools.partial(polhode.compare, repeats=1)": (0.2, {**SITUATION, **STUDY}),
    "functools.partial(polhode.compare, None)": (1, {**STUDY, **OWN, "repeats": ["1"]}),
    "polhode.diagnose": (0.2, {"method": ["'lie-verlet'", "polhode.Method(steps, 'fuzzed', order=1)"], **SITUATION}),
    "functools.partial(polhode.diagnose, 'rkmk-4')": (0.2, OWN),
    "polhode.reproduce": (1, {"names": ["'buss-figure-5'"], "set": ["...", "'standard'"], "output": ["...", "'out'"],
                              "experiments": [repr(EXPERIMENTS)], "threads": ["2", "2**31-1"]}),
    "polhode.methods": (0, {}), "polhode.problems": (0, {}), "polhode.torque_kinds": (0, {}),
    "polhode.Error": (0, {}), "polhode.PolhodeWarning": (0, {}),
}
RESULTS = ("Bodies", "Comparison", "Convergence", "Diagnosis", "Ensemble", "Event", "Reproduction", "Solution")   # made by the library alone

# Where everything that is believed would be too much: runs without an end, addresses of no function, all experiments.
# What a sentence may begin with instead: an argument that it does not go together with, or what it becomes.
ALSO = {"t_span": ["step"], "t0": ["step"], "function": ["torque"], "path": ["the plug-in"], "masses": ["positions"], "t": ["torque"],
        "events": ["this function takes at least 4 arguments"], "experiments": ["names"],
        "body": ["situation", "start: nothing moves here", "picard-lobatto-16 cannot take a body with wheels"], "start": ["method"], "method": ["no method is chosen"],
        **dict.fromkeys(["mass", "sizes", "semi_axes", "radius", "length"], ["inertia"])}
REFUSED_ADDRESSES = ["-1", "0", "10**400", "-10**400", "2**64", "inf", "None", "'x'", "object()", "[1]"]
ONLY = {("polhode.Torque", "address"): choice(REFUSED_ADDRESSES),
        ("polhode.compiled", "function"): choice(REFUSED_ADDRESSES + TEXTS + THINGS + FUNCTIONS),
        ("polhode.reproduce", "names"): MODERATE.filter(lambda text: text != "None"),
        ("polhode.load('problem:asymmetric-top').solve", "t_span_end"): MODERATE,
        ("polhode.load('problem:asymmetric-top').solve", "step"): MODERATE,
        **{("polhode.ensemble", key): MODERATE for key in ("t_span", "step", "bodies", "threads")},
        **{(function, key): MODERATE for function in CALLS if re.search("converge|compare|diagnose", function)
           for key in ("t_span", "step_sizes", "repeats")}}


# What may happen to simulations, and to what several threads have in common.
MADE = ["TOP", "None", "[TOP, Returns((0, 0, 0.1))]", "Returns((0, 0.1, 0))", "Raises(late=9)", "COMPILED", "in_a_thread"]
STEPS = st.one_of(
    choice(["sim.advance()", "sim.advance(3)", "sim.advance(np.int8(2))", "sim.advance_to(sim.t + 3.3 * sim.step)", "sim.advance_to(-1)",
            "sim.advance_to(nan)", "sim.at(sim.t - 0.4 * sim.step)", "sim.at(sim.t)", "sim.at(nan)", "sim.at(1e300)", "sim.y", "sim.t",
            "sim.state.y", "sim.energy", "sim.momentum", "sim.work", "sim.events", "sim.ended", "repr(sim)", "saved.append(sim.save())",
            "sim.restore(saved[-1])", "sim.restore(saved[0])", "sim.restore(bytearray(saved[-1]))", "sim.restore(other.save())",
            "other.advance()", "other.restore(saved[-1])", "sim.restore(b'')", "sim.restore(saved[-1][:-20] + saved[-1][-16:])"]),
    joined("sim.restore(damaged(saved[-1], {}))", st.integers(0, 10**6)), joined("sim.restore({})", ANYTHING),
    joined("sim.advance({})", MODERATE), joined("sim.at({})", ANYTHING), joined("sim.advance_to({})", MODERATE))
LOOKS = choice(["sol.sol(sol.t)", "sol.sol(0.35)", "sol.sol([0.9, 0.1])", "rotor([1, 2, 3])", "sol.end.y", "sol.info", "sol.columns",
                "polhode.solve([1.1, 1.9, 2.6], TOP, sim.state, (0, 1), 'rkmk-4', step=0.1)", "gc.collect()", "polhode.methods()",
                "polhode.Method(steps, 'fuzzed', order=1)", "polhode.solve([1, 2, 3], TOP, START, (0, 1), 'fuzzed', step=0.1)"])


def values(function, argument):
    if (function, argument) in ONLY:
        return ONLY[function, argument]
    return st.one_of(ANYTHING, *3 * [FORMED[argument]]) if argument in FORMED else ANYTHING


@st.composite
def changes(draw, function, arguments):
    """(arguments that are something else, those of them that are nonsense)"""
    if not arguments:
        return {}, []
    some = sorted(arguments) + 2 * [key for key in ("body", "torque", "start", "t_span", "method", "events", "t_eval") if key in arguments]
    changed = draw(st.lists(st.sampled_from(some), max_size=3, unique=True))
    bad = changed[:draw(st.sampled_from([1, 0, 1, 0, 2]))]
    if "max_steps" in bad and "max_time" in changed:
        changed.remove("max_time")      # a guard stays
    return {key: draw(values(function, key) if key in bad else choice(arguments[key])) for key in changed}, bad


def written(arguments, changed):
    """As it would be written."""
    passed = {key: changed.get(key, texts[0]) for key, texts in arguments.items()}
    return {key: text for key, text in passed.items() if text != "..."}


def under_way(text):
    if LAST:
        with open(LAST, "w", encoding="utf-8") as file:
            file.write(text)


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.unraisable = []
        for hooks, name, taken in ((sys, "unraisablehook", "exc_value"), (threading, "excepthook", "exc_value")):
            self.addCleanup(setattr, hooks, name, getattr(hooks, name))
            setattr(hooks, name, lambda one, taken=taken: self.unraisable.append(repr(getattr(one, taken))))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def tried(self, text, call, refused):
        """Calls; what goes wrong has to be what may, and is passed to `refused` where the library said it."""
        nonsense.RAISED.clear()
        under_way(text)
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return call()
        except BaseException as error:
            if any(error is one for one in nonsense.RAISED) or isinstance(error, ctypes.ArgumentError):
                return None     # the latter is ctypes' own, of a compiled function that is called as one of Python
            if not isinstance(error, (ValueError, TypeError, OSError, polhode.Error)):
                raise
            refused(error)
        finally:
            faulthandler.cancel_dump_traceback_later()
            self.assertEqual(self.unraisable, [], text)

    def refused(self, error, suspects, bad, passed):
        """`suspects` are what a sentence may begin with. Functions may themselves refuse what they are told."""
        kinds = {ValueError, TypeError, polhode.Error}
        if set(passed) & {"situation", "name", "path", "experiments", "output"}:
            kinds |= {OSError, *OSError.__subclasses__()}
        if type(error) not in kinds:
            raise error
        sentence = str(error)
        sentence.encode()       # can be printed
        self.assertRegex(sentence, r"\w", repr(error))
        functions = [one for key, one in passed.items() if key in bad and callable(one)]
        if isinstance(error, (ValueError, TypeError)) and all(isinstance(one, nonsense.Returns) for one in functions):
            about = {name for key in suspects for name in (key, *ALSO.get(key, ()))}
            self.assertRegex(sentence, rf"^({'|'.join(map(re.escape, about))})\b")

    def call(self, function, arguments, drawn):
        changed, bad = drawn
        texts = written(arguments, changed)
        text = f"{function}({', '.join(f'{key}={one}' for key, one in texts.items())})"
        passed = {}

        def made():
            passed.update((key, value(one)) for key, one in texts.items())
            return value(function)(**passed)
        suspects = bad if len(bad) == 1 and len(changed) == 1 else arguments
        answer = self.tried(text, made, lambda error: self.refused(error, suspects, bad, passed))
        if answer is not None:
            suspects = {*arguments, *SOLVE, "steps"}
            wide = passed.get("scalar") in ("long-double", "quad")
            exact = not wide and "t_eval" not in passed     # rows of nearly the same time are one
            self.tried(f"what {text} returned", lambda: self.used(answer, wide, exact),
                       lambda error: self.refused(error, suspects, bad, passed))

    def used(self, answer, wide, exact):
        """The answer is what it is documented to be, and goes on working. Numbers of a wide scalar need not be any of double."""
        if isinstance(answer, polhode.Solution):
            self.check_solution(answer, wide, exact)
        elif isinstance(answer, polhode.Simulation):
            before = answer.t
            answer.advance(2)
            self.assertEqual((answer.y.shape, answer.attitude.shape, answer.momentum.shape), ((7,), (4,), (3,)))
            self.assertTrue(wide or np.all(np.isfinite(answer.y)))
            self.assertTrue(repr(answer) and np.isfinite(answer.t))
            answer.restore(answer.save())
        elif isinstance(answer, polhode.FreeRotor):
            self.assertEqual(answer([0, 1, -1e6]).shape, (7, 3))
        elif isinstance(answer, polhode.Body):
            self.assertEqual((answer.tensor.shape, answer.moments.shape, answer.axes.shape), ((3, 3), (3,), (3, 3)))
            polhode.solve(answer, start=[0.1, 1, 0.2], t_span=(0, 1), method="rkmk-4", step=0.1)
        elif isinstance(answer, polhode.State):
            self.assertEqual(answer.y.shape, (7,))
            self.assertTrue(repr(answer))
            polhode.solve([1, 2, 3], start=answer, t_span=(0, 1), method="rkmk-4", step=0.1)
        elif isinstance(answer, (polhode.Torque, dict)):
            sol = polhode.solve([1, 2, 3], answer, [0.1, 1, 0.2], (0, 1), "rkmk-4", step=0.1)
            self.check_solution(sol)
        elif isinstance(answer, polhode.Method):
            self.assertTrue(repr(answer))
            try:
                self.check_solution(polhode.solve([1, 2, 3], None, [0.1, 1, 0.2], (0, 1), answer.name, step=0.1))
            finally:
                polhode.Method(nonsense.steps, answer.name, order=1)    # one that others may try
        elif isinstance(answer, polhode.Ensemble):
            self.assertTrue(repr(answer) and answer.info)
            self.assertEqual((answer.end.y.shape, answer.end_time.shape), ((7, len(answer.end)), (len(answer.end),)))
        elif isinstance(answer, polhode.Loaded):
            self.assertTrue(answer.title and answer.toml and repr(answer))

    def check_solution(self, sol, wide=False, exact=True):
        n = len(sol.t)
        shapes = [a.shape for a in (sol.t, sol.y, sol.attitude, sol.angular_velocity, sol.momentum, sol.energy)]
        self.assertEqual(shapes, [(n,), (7, n), (n, 4), (n, 3), (n, 3), (n,)])
        self.assertTrue(np.all(np.isfinite(sol.t)) and (wide or np.all(np.isfinite(sol.y))))
        self.assertTrue(sol.warnings or np.all(np.abs(np.linalg.norm(sol.attitude, axis=1) - 1) < 1e-3))
        # Where a scalar has no times so near to each other, which the library says, some rows have the same one.
        advances = not any("s apart, and do not advance" in warning or "s apart, and advance unevenly" in warning for warning in sol.warnings)
        apart = np.sign(sol.t[-1] - sol.t[0]) * np.diff(sol.t) if n else sol.t
        self.assertTrue(np.all(apart > 0) if advances else np.all(apart >= 0))
        self.assertIn((sol.status, sol.success), [(0, True), (1, True), (2, False), (-1, False)])
        self.assertTrue(sol.message and sol.method and repr(sol))
        self.assertEqual(len(sol.t_events), len(sol.event_names))
        for times, states in zip(sol.t_events, sol.y_events):
            self.assertEqual(states.shape, (len(times), 7))
        self.assertIn("method", sol.info)
        self.assertEqual(sol.end.y.shape, (7,))
        if sol.sol is not None:
            self.assertEqual(sol.sol([sol.sol.t_min, sol.sol.t_max]).shape, (7, 2))
            if n and exact and np.all(apart > 0):
                self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))

    def fuzz(self, share, strategy, attempt):
        """As many attempts as are this one's share."""
        many = max(1, int(share * EXAMPLES / 100))

        @seed(SEED)
        @settings(max_examples=many, deadline=None, database=None, print_blob=False,
                  phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck))
        @given(strategy)
        def attempts(drawn):
            attempt(drawn)
        attempts()

    def test_results_made_by_hand(self):
        """Nobody is to make them; who does gets an exception at worst."""
        for name in RESULTS:
            self.fuzz(1, st.tuples(ANYTHING, ANYTHING), lambda drawn, name=name: self.made_by_hand(name, *drawn))

    def made_by_hand(self, name, argument, other):
        under_way(f"polhode.{name}({argument}), or with a dictionary of what its keys have")
        try:
            getattr(polhode, name)(value(argument))
            getattr(polhode, name)(dict.fromkeys(("rows", "all_rows", "name", "t", "events"), value(other)))
        except Exception:
            pass

    def test_sequences(self):
        """A simulation to which anything happens in any order."""
        self.fuzz(10, st.tuples(choice(MADE), st.lists(STEPS, max_size=20)), lambda drawn: self.sequence(*drawn))

    def sequence(self, how, texts):
        sim, other = (polhode.Simulation([1.1, 1.9, 2.6], value(how), value("START"), method=method, step=0.1)
                      for method in ("rkmk-4", "rotor-adams-6"))
        names = {"sim": sim, "other": other, "saved": [sim.save()]}
        for i, text in enumerate(texts):
            before = sim.save()
            self.tried(f"{text}, which was step {i} of {texts} with the torque {how}", lambda: value(text, **names),
                       lambda error: self.refused(error, ["t", "steps", "saved"], [], {}))
            self.assertTrue(np.isfinite(sim.t) and np.all(np.isfinite(sim.y)))
            self.assertAlmostEqual(np.linalg.norm(sim.attitude), 1, delta=1e-9)
            after = sim.save()
            if after != before:
                self.assertRegex(text, r"^sim\.(advance|restore)")
            with self.assertRaises(ValueError):
                sim.restore(nonsense.damaged(before, 997 * i))
            self.assertEqual(sim.save(), after)

    def test_together(self):
        """The same things in several threads, while they are at work for others."""
        self.fuzz(4, st.lists(st.lists(st.one_of(STEPS, LOOKS), min_size=1, max_size=6), min_size=2, max_size=4), self.together)

    def together(self, threads):
        torque = nonsense.Returns((0.0, 0.1, 0.0))
        sim, other = (polhode.Simulation([1.1, 1.9, 2.6], torque, value("START"), step=0.1) for _ in range(2))
        sol = polhode.solve([1.1, 1.9, 2.6], torque, value("START"), (0, 1), "rkmk-4", step=0.1)
        names = {"sim": sim, "other": other, "sol": sol, "rotor": polhode.FreeRotor([1, 2, 3], [0.1, 1, 0.1]), "saved": [sim.save()]}
        wrong = []

        def work(texts):
            for text in texts:
                try:
                    value(text, **names)
                except (ValueError, TypeError, polhode.Error, nonsense.Planted):
                    pass        # at work for another, or nonsense
                except BaseException as error:
                    wrong.append((text, error))
        self.tried(f"together: {threads}", lambda: run_all([lambda texts=texts: work(texts) for texts in threads]), self.fail)
        self.assertEqual([one for one in wrong if not any(one[1] is known for known in nonsense.RAISED)], [])
        self.assertTrue(np.all(np.isfinite(sim.y)))
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))

    def test_everything_is_here(self):
        named = {re.search(r"polhode\.(\w+)", function).group(1) for function in CALLS} | set(RESULTS)
        self.assertEqual({name for name in polhode.__all__ if callable(getattr(polhode, name))} - named, set())

    def test_valid_calls(self):
        """What nonsense is put into is valid itself, so that it gets far."""
        for function, (_, arguments) in CALLS.items():
            with self.subTest(function):
                if "load_plugin" not in function:       # there is none here
                    texts = written(arguments, {"progress": "None"})
                    self.assertIsNotNone(value(function)(**{key: value(text) for key, text in texts.items()}))
        for key in "body", "torque", "start", "t_span", "t_eval", "every", "events", "quantities", "stop_when", "scalar":
            for text in SOLVE[key]:
                if "Raises" not in text:
                    with self.subTest(text):
                        passed = {name: value(one) for name, one in written(SOLVE, {key: text}).items()}
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            self.assertTrue(polhode.solve(**passed).success)

    def test_calls(self):
        for function, (share, arguments) in CALLS.items():
            with self.subTest(function):
                self.fuzz(share, changes(function, arguments), lambda drawn: self.call(function, arguments, drawn))


def run_all(calls):
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def in_a_process_of_its_own():
    """Its exit code; what it was at, where something has ended it."""
    print(f"{EXAMPLES} examples, POLHODE_FUZZ_SEED={SEED}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        last = os.path.join(folder, "last")
        settled = {"POLHODE_FUZZ_LAST": last, "POLHODE_FUZZ_SEED": str(SEED)}
        code = subprocess.run([sys.executable, "-B", *sys.argv], env={**os.environ, **settled}, check=False).returncode
        if code and os.path.exists(last):
            with open(last, encoding="utf-8") as file:
                print(f"It ended with {code}; the last call was\n{file.read(3000)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    if LAST:
        faulthandler.enable()
        if "asan" not in os.environ.get("LD_PRELOAD", ""):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        unittest.main()
    sys.exit(1 if in_a_process_of_its_own() else 0)
