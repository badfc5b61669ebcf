"""Types: mypy is content with the package and with programs that are right, and finds the mistakes in one that is not;
what annotations promise is what comes out."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing
import unittest
from unittest import mock

import polhode
import polhode._core as core
import polhode.plot as plot
from polhode import records

HERE = pathlib.Path(__file__).resolve().parents[2]
STUB = HERE / "python" / "polhode" / "_core.pyi"
HAS_MYPY = subprocess.run([sys.executable, "-c", "import mypy"], stderr=subprocess.DEVNULL).returncode == 0
WITH_MYPY = unittest.skipUnless(HAS_MYPY, "no mypy (tools/bootstrap python)")

CORRECT = '''
import ctypes
from pathlib import Path
from typing import Dict, List, Tuple

import numpy as np
from scipy import LowLevelCallable
from scipy.spatial.transform import Rotation

import polhode
import polhode.plot as plot
from polhode.hints import EventTable, Floats, StartTable, System, TorqueLike

body = polhode.Body.box(4.0, (0.1, 0.1, 0.3))
bodies = [polhode.Body([1, 2, 3]), polhode.Body(np.diag([1.0, 2.0, 3.0])), polhode.Body([[1, 0, 0], [0, 2, 0], [0, 0, 3]]),
          polhode.Body.ellipsoid(1, [1, 2, 3]), polhode.Body.cylinder(1, 2, 3, inner_radius=1),
          polhode.Body.point_masses([1, 1, 1], np.eye(3)), polhode.Body([1, 2, 3], unphysical=True),
          polhode.Body([1, 2, 3], wheels=[{"axis": [0, 0, 1], "inertia": 0.01, "speed": 600}])]
tensor: Floats = body.tensor

start = polhode.State([1, 0, 0, 0], [0.1, 0.2, 5.0])
turned = polhode.State(Rotation.from_rotvec([0.1, 0, 0]), np.array([0, 0, 5]), t=1.0)
table: StartTable = {"rotation_vector": [0.1, 0, 0], "angular_velocity_body": [0, 0, 5]}

def drag(t: float, q: Floats, w: Floats) -> Floats:
    return -0.1 * w

def push(t: float, q: Floats, w: Floats) -> Tuple[float, float, float]:
    return 0.0, 0.0, 0.1

@polhode.torque
def plain(t: float, q: Floats, w: Floats) -> List[float]:
    return [0.0, 0.0, 0.1]

@polhode.torque(velocity=False, name="pull")
def pull(t: float, q: Floats, w: Floats) -> Tuple[float, float, float]:
    return 0.0, 0.0, 0.1

@polhode.torque(vectorized=True)
def many(t: Floats, q: Floats, w: Floats) -> Floats:
    return -0.1 * w

top = {"kind": "heavy-top", "weight_times_arm": 0.5}
spring = polhode.expression(potential="0.5*k*(1 - Rzz)", constants={"k": 2.0})
pulse = polhode.table_torque([0, 1, 2], np.zeros((3, 3)), frame="spatial", interpolation="cubic-hermite")
numbers = ctypes.POINTER(ctypes.c_double)

def no_torque(t: float, q: "ctypes._Pointer[ctypes.c_double]", w: "ctypes._Pointer[ctypes.c_double]",
              m: "ctypes._Pointer[ctypes.c_double]") -> None:
    m[0] = m[1] = m[2] = 0.0

in_c = ctypes.CFUNCTYPE(None, ctypes.c_double, numbers, numbers, numbers)(no_torque)
torques: List[TorqueLike] = [top, drag, many, polhode.compiled(in_c, velocity=False), spring, pulse]

def crossing(t: float, y: Floats) -> float:
    return float(y[5])

def of_three(t: float, q: Floats, w: Floats) -> float:
    return float(w[1])

tipped: EventTable = {"name": "tipped", "when": "Rzz - 0.5", "direction": "falling", "terminal": False}
sol = polhode.solve(body, torques, start, (0, 1), "rkmk-4", step=0.01, t_eval=np.linspace(0, 1, 11),
                    events=["wy", {"name": "far", "when": "wx - 3"}, tipped, crossing, of_three],
                    quantities={"s": "wx + wy"}, columns=["standard"])
y: Floats = sol.y
seconds: float = sol.seconds
error: "float | None" = sol.attitude_error
times: List[Floats] = sol.t_events
everything: Dict[str, Floats] = sol.columns
rotation: Rotation = sol.rotation()
first: polhode.State = sol.end
if sol.sol is not None:
    later: Floats = sol.sol([0.1, 0.2])
for event in sol.events:
    print(event.name.upper(), event.t + 1.0, event.y.shape, event.rising or event.terminal)
polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 1), tolerance=1e-8, goal="energy", scalar="double")
polhode.solve({"inertia": [1, 2, 3]}, push, table, [0, 1], method="rkmk-4", step=0.1)
polhode.solve([1, 2, 3], [pull, plain], sol.y[:, 0], np.array([0.0, 1.0]), method="rkmk-4", step=0.1)
polhode.solve([1, 2, 3], top, turned, (0, 0.1), "rkmk-4", step=0.01, sensitivities=["start"], stop_when="wx > 100",
              max_steps=100, on_failure="halve", parameters=None, reference=True, scalar_first=True)

low_level = LowLevelCallable(in_c)
polhode.solve([1, 2, 3], [low_level, in_c], [0.1, 1, 0.1], (0, 1), method="rkmk-4", step=0.1)
crowd = polhode.ensemble([1, 2, 3], low_level, [0.1, 1, 0.1], (0, 1), step=0.1, bodies=3, device="cpu")
where: str = crowd.device

sim = polhode.Simulation([1, 1, 0.5], top, [0.1, 0, 5], method="rkmk-4", step=0.01)
sim.advance_to(0.1)
sim.advance(2)
saved: bytes = sim.save()
sim.restore(saved)
middle: polhode.State = sim.at(sim.t)
calls: int = sim.work["torque_evaluations"]

rotor = polhode.FreeRotor([1, 2, 3], start=[0.1, 1, 0.1], farthest=100)
one: Floats = rotor(1.0)
some: Floats = rotor(np.linspace(0, 10, 5))

def step(q: Floats, pi: Floats, t: float, h: float, system: System) -> Tuple[Floats, Floats]:
    w = system.velocity(pi)
    return q, pi + h * (np.cross(pi, w) + system.torque(q, w, t))

own = polhode.Method(step, "half-a-method", order=1, energy="bounded")
names: List[str] = [m["name"] for m in polhode.methods() if m["symplectic"] and m["needs"] == "values"]
cite: str = polhode.method("lie-verlet")["cite"]
about: str = polhode.torque_kinds()["heavy-top"]["about"]
duration: "float | None" = next(p["reference"]["duration"] for p in polhode.problems() if p["reference"] is not None)

loaded = polhode.load("problem:fast-top")
short: polhode.Solution = loaded.solve(method="mclachlan-reich-231", step=0.001, t_span_end=0.01)
study = polhode.converge(loaded, ["lie-verlet", "rkmk-4"], [0.01, 0.005])
order: "float | None" = study.orders[0]["attitude"]
costs = polhode.compare("asymmetric-top", "lie-verlet", [0.01], repeats=1,
                        progress=lambda done, seconds: print(done > 1.0))
cost: "float | None" = costs.rows[0]["cost"]
verdicts: List[str] = [finding["verdict"] for finding in polhode.diagnose("lie-verlet").findings]

plain_run = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 10), t_eval=np.linspace(0, 10, 50))
ax = plot.trajectory(plain_run, "energy", color="k")
ax = plot.errors(plain_run)
both = plot.errors([plain_run, plain_run], reference=plain_run, labels=["one", "other"], band=None)
both[0].set_title("attitude")
plot.errors([plain_run], reference=plain_run, quantity="attitude").set_title("attitude")
plot.convergence(study, quantity="momentum")
plot.work_precision(costs, against="evaluations")

try:
    polhode.load(Path("no_such_file.toml"))
except FileNotFoundError:
    pass
except polhode.Error as failed:
    print(failed.args)
'''

# What mypy must say of each line, by the code of the error.
MISTAKES = '''
import numpy as np

import polhode
import polhode.plot as plot
from polhode.hints import EventTable, Floats, StartTable, WheelTable

def drag(t: float, q: Floats, w: Floats) -> Floats:
    return -0.1 * w

def of_two(t: float, w: Floats) -> Floats:
    return -0.1 * w

def words(t: float, q: Floats, w: Floats) -> str:
    return "0, 0, 0"

def step(q: Floats, pi: Floats, t: float, h: float) -> "tuple[Floats, Floats]":
    return q, pi

top = {"kind": "heavy-top", "weight_times_arm": 0.5}
sol = polhode.solve([1, 2, 3], start=[0.1, 1, 0.1])
sim = polhode.Simulation([1, 2, 3], start=[0.1, 1, 0.1])
rotor = polhode.FreeRotor([1, 2, 3], start=[0.1, 1, 0.1])
study = polhode.converge("asymmetric-top")
event = sol.events[0]

polhode.solve()                                                         # call-arg
polhode.solve("1 2 3")                                                  # arg-type
polhode.solve(["1", "2", "3"])                                          # arg-type
polhode.solve([1, 2, 3], "heavy-top")                                   # arg-type
polhode.solve([1, 2, 3], 0.5)                                           # arg-type
polhode.solve([1, 2, 3], of_two)                                        # arg-type
polhode.solve([1, 2, 3], words)                                         # arg-type
polhode.solve([1, 2, 3], [drag, words])                                 # list-item
polhode.solve([1, 2, 3], start="fast")                                  # arg-type
polhode.solve([1, 2, 3], t_span=10)                                     # arg-type
polhode.solve([1, 2, 3], t_span=(0, 1, 2))                              # arg-type
polhode.solve([1, 2, 3], t_span=(0, "1"))                               # arg-type
polhode.solve([1, 2, 3], method=4)                                      # arg-type
polhode.solve([1, 2, 3], None, None, (0, 1), "auto", 0.1)               # misc
polhode.solve([1, 2, 3], steps=100)                                     # call-arg
polhode.solve([1, 2, 3], rtol=1e-6)                                     # call-arg
polhode.solve([1, 2, 3], step="0.1")                                    # arg-type
polhode.solve([1, 2, 3], scalar="half")                                 # arg-type
polhode.solve([1, 2, 3], goal="speed")                                  # arg-type
polhode.solve([1, 2, 3], on_failure="raise")                            # arg-type
polhode.solve([1, 2, 3], events=3)                                      # arg-type
polhode.solve([1, 2, 3], events=[lambda t: t])                          # list-item
polhode.solve([1, 2, 3], quantities=["wx + wy"])                        # arg-type
polhode.solve([1, 2, 3], parameters={"theta": "0.5"})                   # dict-item
polhode.solve([1, 2, 3], max_steps=1.5)                                 # arg-type
polhode.solve([1, 2, 3], sensitivities=3)                               # arg-type
polhode.Body(1.0)                                                       # arg-type
polhode.Body([1, 2, 3], physical=False)                                 # call-arg
polhode.Body([1, 2, 3], wheels=[[0, 0, 1]])                             # list-item
polhode.Body.box(1.0, 2.0)                                              # arg-type
polhode.Body.cylinder(1, 2, 3, 4)                                       # misc call-arg
polhode.State([1, 0, 0, 0], 5.0)                                        # arg-type
polhode.State(attitude_wxyz=[1, 0, 0, 0])                               # call-arg
polhode.expression(x=[1])                                               # arg-type
polhode.expression("wx", frame="space")                                 # arg-type
polhode.expression("a", constants={"a": "2"})                           # dict-item
polhode.table_torque([0, 1], [[0, 0, 0], [0, 0, 0]], interpolation="spline")                    # arg-type
polhode.torque(drag, vectorised=True)                                   # call-overload
polhode.torque(of_two)                                                  # call-overload
polhode.compiled(drag)                                                  # arg-type
polhode.ensemble([1, 2, 3], device="gpu")                               # arg-type
polhode.Method(step, "mine", order=2)                                   # arg-type
polhode.Method(lambda q, pi, t, h, s: (q, pi), "mine")                  # call-arg
polhode.Method(lambda q, pi, t, h, s: (q, pi), "mine", order=2, energy="well")                  # arg-type
polhode.Simulation([1, 2, 3], t_span=(0, 1))                            # call-arg
polhode.FreeRotor([1, 2, 3], top, [0, 0, 1], 0.0)                       # arg-type misc
polhode.load(3)                                                         # arg-type
polhode.load("problem:fast-top").solve("rkmk-4")                        # misc call-arg
polhode.converge("asymmetric-top", "rkmk-4", "0.1")                     # arg-type
polhode.compare("asymmetric-top", repeats="five")                       # arg-type
polhode.diagnose(3)                                                     # arg-type
polhode.reproduce(set="all")                                            # arg-type
polhode.integrate([1, 2, 3])                                            # attr-defined
polhode.methods()[0]["order"]                                           # typeddict-item
polhode.method("rkmk-4")["symplectic"].upper()                          # attr-defined
polhode.torque_kinds()["heavy-top"]["key"]                              # typeddict-item
study.orders[0]["order"]                                                # typeddict-item
study.orders[0]["attitude"] + 1.0                                       # operator
study.findings                                                          # attr-defined
sol.x                                                                   # attr-defined
sol.sol(1.0)                                                            # misc operator
sol.attitude_error + 1.0                                                # operator
sol.t_events[0].name                                                    # attr-defined
sol.y()                                                                 # operator
sol.energy = sol.t                                                      # misc
sim.step = 0.1                                                          # misc
sim.advance_to("end")                                                   # arg-type
sim.advance(0.5)                                                        # arg-type
sim.restore("saved")                                                    # arg-type
sim.work["calls"]                                                       # typeddict-item
rotor("now")                                                            # arg-type
table: StartTable = {"angular_velocity": [0, 0, 1]}                     # typeddict-item typeddict-unknown-key misc
wheel: WheelTable = {"axis": [0, 0, 1], "inertia": "0.01"}              # typeddict-item
turn: EventTable = {"when": "wx", "direction": "up"}                    # typeddict-item
plot.trajectory(sol, "speed")                                           # arg-type
plot.trajectory(3)                                                      # arg-type
plot.errors(sol, sol, quantity="momentum")                              # call-overload
plot.errors(sol, reference=sol).set_title("an axis, where there are two")                       # attr-defined
plot.errors([sol, sol], band="wide")                                    # call-overload
plot.convergence(sol)                                                   # arg-type
plot.work_precision(study, against="cost")                              # arg-type
plot.animate(sol, frames="many")                                        # arg-type
plot.polhode(sol, on="plane")                                           # arg-type
plot.no_such_picture(sol)                                               # attr-defined
'''

# None of these may be Any: assigned to a name of another type, each is a mistake.
KNOWN = """
sol sol.t sol.y sol.sol sol.t_events sol.y_events sol.events sol.nfev sol.status sol.message sol.success sol.attitude
sol.angular_velocity sol.momentum sol.energy sol.energy_conserved sol.attitude_error sol.momentum_error sol.columns sol.end
sol.method sol.step sol.steps sol.explanation sol.seconds sol.warnings sol.info sol.body sol.title sol.scalar_first
sol.event_names event.name event.t event.y event.rising event.terminal sim.t sim.y sim.attitude sim.angular_velocity
sim.momentum sim.energy sim.ended sim.events sim.work sim.method sim.step sim.state sim.save() sim.at(0.0) rotor(0.0)
rotor.body body.inertia body.tensor body.moments body.axes body.wheels body.unphysical state.attitude
state.angular_velocity state.t state.y state.scalar_first polhode.methods() polhode.methods()[0]["name"]
polhode.method("rkmk-4")["order_attitude"] polhode.problems() polhode.torque_kinds() polhode.load_plugin("p.so")
loaded.toml loaded.title loaded.solve() study.rows study.orders study.json study.rows[0]["step"]
costs.rows[0]["cost"] diagnosis.findings diagnosis.disagreements papers.results papers.verdicts
polhode.expression("1") polhode.table_torque([0],[[0,0,0]]) polhode.torque(push) polhode.compiled(3) polhode.__version__
plot.errors([sol],reference=sol)
"""
KNOWN_BEFORE = """
import polhode
import polhode.plot as plot
from polhode.hints import Floats

class Other:
    pass

def push(t: float, q: Floats, w: Floats) -> Floats:
    return 0.1 * w

body, state = polhode.Body([1, 2, 3]), polhode.State()
sol, sim = polhode.solve(body), polhode.Simulation(body)
event, rotor, loaded = sol.events[0], polhode.FreeRotor(body), polhode.load("problem:fast-top")
study, costs, diagnosis = polhode.converge(loaded), polhode.compare(loaded), polhode.diagnose("rkmk-4")
papers = polhode.reproduce()
other: Other
"""


def mypy(*arguments, cwd):
    done = subprocess.run([sys.executable, "-m", "mypy", "--show-error-codes", "--no-error-summary", "--hide-error-context",
                           *arguments], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


@WITH_MYPY
class ByMypy(unittest.TestCase):
    """From a folder of its own, as the program of somebody who has the module installed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.cache = os.path.join(cls.folder.name, "cache")

    def check(self, program):
        path = os.path.join(self.folder.name, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        config = os.path.join(self.folder.name, "mypy.ini")
        with open(config, "w", encoding="utf-8") as file:
            file.write("[mypy]\n[mypy-scipy.*,matplotlib.*]\nignore_missing_imports = True\n")
        return mypy("--strict", "--config-file", config, "--cache-dir", self.cache, "program.py", cwd=self.folder.name)

    def errors(self, program):
        """Codes of the errors of each line."""
        status, said = self.check(program)
        self.assertEqual(status, 1, said)
        found = {}
        for line, code in re.findall(r"(?m)^program\.py:(\d+): error: .*\[([a-z-]+)\]$", said):
            found.setdefault(int(line), set()).add(code)
        return found, said

    def test_package(self):
        status, said = mypy("--cache-dir", os.path.join(self.folder.name, "own"), cwd=HERE)
        self.assertEqual((status, said), (0, ""))

    def test_what_is_right(self):
        status, said = self.check(CORRECT)
        self.assertEqual((status, said), (0, ""))

    def test_mistakes(self):
        expected = {number: set(line.split("  # ")[1].split()) for number, line in enumerate(MISTAKES.splitlines(), 1)
                    if "  # " in line}
        self.assertGreater(len(expected), 60)
        found, said = self.errors(MISTAKES)
        for number, line in enumerate(MISTAKES.splitlines(), 1):
            with self.subTest(line=line.split("  #")[0].strip()):
                if number in expected:
                    self.assertTrue(found.get(number, set()) & expected[number], found.get(number))
                else:
                    self.assertNotIn(number, found, said)

    def test_nothing_is_of_any_type(self):
        lines = [f"other = {expression}" for expression in KNOWN.split()]
        start = len(KNOWN_BEFORE.splitlines())
        found, said = self.errors(KNOWN_BEFORE + "\n".join(lines) + "\n")
        for number, line in enumerate(lines, start + 1):
            with self.subTest(line=line):
                self.assertIn("assignment", found.get(number, set()), said)
        self.assertLess(start, min(found))


class Right(unittest.TestCase):
    def test_it_runs(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, mock.patch("builtins.print"):
            os.chdir(folder)
            try:
                exec(compile(CORRECT, "CORRECT", "exec"), {"__name__": "correct"})
            finally:
                os.chdir(before)


class Annotations(unittest.TestCase):
    def functions(self):
        """Everything public that can be called, with its name."""
        for place, names in ((polhode, polhode.__all__), (plot, plot.__all__)):
            for name in names:
                taken = getattr(place, name)
                if inspect.isfunction(taken):
                    yield name, taken
                elif inspect.isclass(taken) and taken.__module__.startswith("polhode."):
                    for own, member in vars(taken).items():
                        member = getattr(member, "__func__", member)
                        member = member.fget if isinstance(member, property) else member
                        if inspect.isfunction(member) and (own == "__init__" or not own.startswith("_")):
                            yield f"{name}.{own}", member

    def test_everything_public_is_annotated(self):
        seen = 0
        for name, function in self.functions():
            with self.subTest(name=name):
                signature = inspect.signature(function)
                self.assertIsNot(signature.return_annotation, signature.empty)
                for argument in list(signature.parameters.values()):
                    if argument.name not in ("self", "cls"):
                        self.assertIsNot(argument.annotation, argument.empty, argument.name)
                seen += 1
        self.assertGreater(seen, 70)


class Stub(unittest.TestCase):
    """_core.pyi declares what polhode._core has."""

    @classmethod
    def setUpClass(cls):
        cls.tree = ast.parse(STUB.read_text(encoding="utf-8"))

    def declared(self, body):
        """Names of functions, classes and variables; those that begin with an underscore are for checkers."""
        names = {}
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names[node.name] = node
            elif isinstance(node, ast.AnnAssign):
                names[node.target.id] = node
        return {name: node for name, node in names.items() if not name.startswith("_") or name == "__init__"}

    @staticmethod
    def real(taken):
        return {name for name in vars(taken) if not name.startswith("_")}

    def test_names(self):
        self.assertEqual(set(self.declared(self.tree.body)), self.real(core))

    def test_members(self):
        for name, node in self.declared(self.tree.body).items():
            if isinstance(node, ast.ClassDef) and name != "Error":
                with self.subTest(name=name):
                    declared, taken = self.declared(node.body), getattr(core, name)
                    made = {"__init__"} if str(taken.__init__.__doc__).startswith("__init__(") else set()
                    added = {own for own, member in declared.items() if isinstance(member, ast.AnnAssign)}
                    self.assertEqual(set(declared) - added, self.real(taken) | made)
                    if added:                                   # by Python
                        self.assertIn("__dict__", vars(taken))
                    for own in set(declared) - added:
                        is_property = any(one.id == "property" for one in declared[own].decorator_list)
                        self.assertEqual(is_property, isinstance(vars(taken)[own], property), own)

    def test_arguments(self):
        """Of functions of pybind11, whose documentation begins with the signature."""
        seen = 0
        for place, body in [(core, self.tree.body)] + [(getattr(core, node.name), node.body) for node in self.tree.body
                                                       if isinstance(node, ast.ClassDef) and node.name[0] != "_"]:
            for name, node in self.declared(body).items():
                if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                    continue
                with self.subTest(name=f"{getattr(place, '__name__', '')}.{name}"):
                    text = getattr(place, name).__doc__.strip().splitlines()[0]
                    inside = re.match(rf"{name}\((.*)\) -> ", text).group(1)
                    real = [one for one in re.findall(r"(\w+): ", re.sub(r"\[[^\]]*\]", "", inside)) if one != "self"]
                    declared = [one for one in node.args.posonlyargs + node.args.args if one.arg != "self"]
                    self.assertEqual(len(real), len(declared), text)
                    for argument, one in zip(declared, real):
                        if argument in node.args.args:      # may be passed by its name
                            self.assertEqual(argument.arg, one, text)
                    seen += 1
        self.assertGreater(seen, 20)

    def test_it_is_as_the_answer(self):
        answers = []
        solve = core.solve

        def kept(*arguments):
            answers.append(solve(*arguments))
            return answers[-1]
        with mock.patch.object(core, "solve", kept):
            polhode.solve([1, 2, 3], start=[0.1, 1, 0.1], t_span=(0, 10), method="rkmk-4", step=0.1, events="wy")
        keys = {name: {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
                for name, node in ((node.name, node) for node in self.tree.body if isinstance(node, ast.ClassDef))}
        self.assertEqual(set(answers[0]), keys["_Answer"])
        self.assertEqual(set(answers[0]["events"][0]), keys["_Seen"])


def misfit(value, hint, place="it"):
    """Where a value is not what an annotation says, or None."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any or hint is object:
        return None
    if typing.is_typeddict(hint):
        missing, more = hint.__required_keys__ - set(value), set(value) - set(hint.__annotations__)
        if missing or more:
            return f"{place}: missing {sorted(missing)}, not declared {sorted(more)}"
        declared = typing.get_type_hints(hint)
        return next(filter(None, (misfit(one, declared[key], f"{place}[{key!r}]") for key, one in value.items())), None)
    if origin is typing.Union:
        found = [misfit(value, one, place) for one in inside]
        return None if None in found else "; or ".join(found)
    if origin is typing.Literal:
        return None if value in inside else f"{place}: {value!r} is none of {inside}"
    if origin is list:
        if not isinstance(value, list):
            return f"{place}: {value!r} is no list"
        return next(filter(None, (misfit(one, inside[0], f"{place}[{i}]") for i, one in enumerate(value))), None)
    if origin is dict:
        if not isinstance(value, dict):
            return f"{place}: {value!r} is no dictionary"
        return next(filter(None, (misfit(one, inside[1], f"{place}[{key!r}]") for key, one in value.items())), None)
    kinds = (float, int) if hint is float else hint
    wrong = not isinstance(value, kinds) or (isinstance(value, bool) and hint is not bool)
    return f"{place}: {value!r} is no {hint}" if wrong else None


class Records(unittest.TestCase):
    """Records have the keys and the values that their types promise."""

    def check(self, values, hint):
        self.assertTrue(values)
        for value in values:
            self.assertIsNone(misfit(value, hint))

    def test_methods(self):
        self.check(polhode.methods(), records.MethodRecord)
        self.check([polhode.method(name) for name in ("mclachlan-reich-231@suzuki", "free-exact")],
                   records.MethodRecord)

    def test_problems(self):
        self.check(polhode.problems(), records.ProblemRecord)

    def test_torques(self):
        self.check(list(polhode.torque_kinds().values()), records.TorqueKind)

    def test_studies(self):
        some = polhode.converge("asymmetric-top", ["lie-verlet", "textbook-rk4"], [3.0, 0.02, 0.01])
        self.check(some.rows, records.ConvergenceRow)
        self.check(some.orders, records.FittedOrder)
        self.check(polhode.converge("asymmetric-top", ["rkmk-4"]).orders, records.FittedOrder)
        self.check(polhode.compare("asymmetric-top", ["lie-verlet", "rkmk-4"], [3.0, 0.02], repeats=2).rows,
                   records.ComparisonRow)
        for name in ("lie-verlet", "textbook-rk4"):
            self.check(polhode.diagnose(name).findings, records.Finding)

    def test_reproduction(self):
        self.check(polhode.reproduce("buss-figure-5").verdicts, records.Verdict)

    def test_work(self):
        self.check([polhode.Simulation([1, 2, 3], start=[0.1, 1, 0.1]).work], records.Work)

    def test_it_finds_what_does_not_fit(self):
        right = dict(polhode.method("rkmk-4"))
        for wrong in (dict(right, order_attitude="two"), dict(right, symplectic=1), dict(right, more=1),
                      dict(right, aliases="rkmk"), dict(right, parameters=[{"name": "x"}]), dict(right, energy="well"),
                      {key: value for key, value in right.items() if key != "needs"}):
            self.assertIsNotNone(misfit(wrong, records.MethodRecord))


if __name__ == "__main__":
    unittest.main()
