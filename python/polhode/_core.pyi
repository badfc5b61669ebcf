from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypedDict

from ._kept import Kept
from .hints import Floats, Numbers, Progress
from .records import Work

version: str

class Error(RuntimeError):
    """What goes wrong and is not the fault of an argument, such as a step that fails in a Simulation."""

class Request:
    kept: List[Kept]                    # solve.py puts them here; only what it has made has any
    @property
    def toml(self) -> str: ...
    @property
    def setup_json(self) -> str: ...
    @property
    def title(self) -> str: ...
    def override(self, key: str, given_as: str, value: str, /) -> None: ...

class Motion:
    def at(self, times: Sequence[float], /) -> Floats: ...

class Outcome:
    def json(self) -> str: ...

class Rotor:
    def __init__(self, request: Request, farthest: float, /) -> None: ...
    def at(self, times: Floats, /) -> Floats: ...

class Stepped:
    def __init__(self, request: Request, /) -> None: ...
    def advance_to(self, t: float, /) -> None: ...
    def columns(self) -> Floats: ...
    def columns_at(self, t: float, /) -> Floats: ...
    def events(self) -> List[Tuple[str, float]]: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes, /) -> None: ...
    @property
    def time(self) -> float: ...
    @property
    def ended(self) -> bool: ...
    @property
    def work(self) -> Work: ...
    @property
    def method(self) -> str: ...
    @property
    def step(self) -> float: ...

class SystemView:
    @property
    def inertia(self) -> Floats: ...
    def velocity(self, pi: Numbers, /) -> Floats: ...
    def torque(self, q: Numbers, w: Numbers, t: float) -> Floats: ...

class _Seen(TypedDict):
    name: str
    t: float
    y: Floats
    rising: bool
    terminal: bool

class _Answer(TypedDict):
    rows: Floats
    all_rows: Floats                    # added by solve.py: t_eval may leave out some
    headers: List[str]
    method: str
    step: float
    steps: int
    attitude_error: Optional[float]
    momentum_error: Optional[float]
    events: List[_Seen]
    status: str
    failure: Optional[str]
    incomplete: str
    warnings: List[str]
    no_reference: str
    explanation: str
    torque_evaluations: int
    seconds: float
    energy_conserved: bool
    motion: Optional[Motion]
    outcome: Outcome

class _States(TypedDict):
    attitude: Floats
    angular_velocity: Floats
    momentum: Floats
    energy: Floats

class _Many(TypedDict):
    start: _States
    end: _States
    snapshots: List[_States]
    t_snapshots: List[float]
    end_time: Floats
    energy_error: Floats
    momentum_error: Floats
    attitude_error: Optional[Floats]
    passages: Dict[str, Floats]
    quantities: Dict[str, Floats]
    json: str

def make_request(
    tables: Dict[str, Any],
    names: Dict[str, str],
    torques: List[Dict[str, Any]],
    events: List[Dict[str, Any]],
    scalar_first: bool,
) -> Request: ...
def request_of(file_or_problem: bytes, /) -> Request: ...
def solve(request: Request, record: bool, times: List[float], every: int) -> _Answer: ...
def ensemble(
    request: Request, rows: List[Tuple[str, Floats]], threads: int, part: int, parts: int, fast: bool,
    output: bytes, /
) -> _Many: ...
def converge(request: Request, methods: List[str], steps: List[float], progress: Optional[Progress], /) -> str: ...
def compare(
    request: Request, methods: List[str], steps: List[float], repeats: int, progress: Optional[Progress], /
) -> str: ...
def diagnose(request: Request, method: str, progress: Optional[Progress], /) -> str: ...
def conducted(folder: bytes, set: str, output: bytes, threads: int, /) -> str: ...
def experiment_names(folder: bytes, /) -> List[str]: ...
def list_method(name: str, about: str, step: Callable[..., Any], claims: Mapping[str, object], /) -> None: ...
def methods_as_json() -> str: ...
def method_as_json(name: str, /) -> str: ...
def problems_as_json() -> str: ...
def torque_kinds_as_json() -> str: ...
def load_plugin(path: bytes, /) -> List[str]: ...
