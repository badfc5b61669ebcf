"""Values that nobody would pass, as expressions: a call that goes wrong is printed as it would be written."""

import functools
import gc
import threading
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import numpy as np
from hypothesis import strategies as st
from scipy import LowLevelCallable

import polhode
from callables import SIGNATURE, capsule

RAISED = []     # by what follows; may come out as itself


class Planted(Exception):
    """Of no kind that polhode has."""


def fail(kind=Planted):
    RAISED.append(kind("planted"))
    raise RAISED[-1]


class Evil:
    """A value, one of whose special methods fails, or answers with `answer`."""

    def __init__(self, method, kind=Planted, **answer):
        def special(self, *arguments, **named):
            return answer["answer"] if answer else fail(kind)
        self.__class__ = type("Evil", (Evil,), {method: special})

    def __repr__(self):
        return "an evil one"


class Obliging:
    """Has every attribute, can be called, and always answers with itself."""

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments, **named):
        return self


class Keys(Mapping):
    """A mapping with these items, one of which fails when it is read, or whose length is a lie."""

    def __init__(self, *keys, fails=None, length=None):
        self.keys_, self.fails, self.length = keys, fails, length

    def __getitem__(self, key):
        if key == self.fails:
            fail(KeyError)
        return [1.0, 2.0, 2.5]

    def __iter__(self):
        return iter(self.keys_)

    def __len__(self):
        return len(self.keys_) if self.length is None else self.length


class Items(list):
    """A list that empties itself, or grows for a while, when it is read."""

    def __init__(self, *items, grows=False):
        super().__init__(items)
        self.grows = grows

    def __iter__(self):
        for i in range(20 if self.grows else len(self)):
            if not self.grows and self:
                self.pop()
            yield 1.0 + i


class OwnArray(np.ndarray):
    pass


# Functions of the caller. All take any arguments.

class Returns:
    def __init__(self, answer, late=0):
        self.answer, self.left = answer, late

    def __call__(self, *arguments):
        self.left -= 1
        return self.answer if self.left < 0 else (1.0 if len(arguments) == 2 else (0.1, 0.0, 0.0))


class Raises(Returns):
    def __init__(self, kind=Planted, late=0):
        super().__init__(None, late)
        self.kind = kind

    def __call__(self, *arguments):
        answer = super().__call__(*arguments)
        return fail(self.kind) if self.left < 0 else answer


class Patience:
    """Progress of a study, which is long enough after a while."""

    def __call__(self, done, seconds):
        if seconds > 0.3:
            fail()


def recorded(function):
    """What it raises may come out as itself, such as that it takes other arguments."""
    @functools.wraps(function)
    def call(*arguments):
        try:
            return function(*arguments)
        except BaseException as error:
            if not any(error is one for one in RAISED):
                RAISED.append(error)
            raise
    return call


def endless(*arguments):
    return endless(*arguments)


@recorded
def solves(*arguments):
    """Asks for runs of itself, until that is refused."""
    return polhode.solve([1, 2, 3], solves, [0.1, 1, 0.1], (0, 0.2), "rkmk-4", step=0.1, events=solves).y[4:, -1]


@recorded
def steps(q, pi, t, h, system):
    """A step of a method: no motion."""
    return q, pi + 0 * system.torque(q, system.velocity(pi), t)


def in_a_thread(*arguments):
    """Solves in another thread, and waits for it."""
    answers = []

    def work():
        answers.append(polhode.solve([1, 2, 3], Returns((0, 0.1, 0)), [0.1, 1, 0.1], (0, 1), "rkmk-4", step=0.5).y[4:, -1])
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return answers[0] if len(arguments) == 3 else 1.0


def ruins(*arguments):
    """Leaves its arguments in disorder."""
    for one in arguments:
        if isinstance(one, np.ndarray):
            one.fill(np.nan)
            one.resize((2,), refcheck=False)
            one.flags.writeable = False
    gc.collect()
    return 1.0 if len(arguments) == 2 else (0.0, 0.0, 0.1)


@recorded
def many(t, q, w):
    """A vectorized one that is right."""
    return np.zeros((len(t), 3)) - 0.1 * w


def array(dtype, shape, fill, form=""):
    """Of any type: numbers where it takes them, else its zeros."""
    made = np.zeros(shape, dtype)
    try:
        with np.errstate(all="ignore"):
            made[...] = fill
    except (TypeError, ValueError, OverflowError):
        pass
    if form == "read-only":
        made.flags.writeable = False
    if form == "strided":
        made = np.repeat(np.atleast_1d(made), 2, axis=0)[::2]
    if form == "broadcast":
        made = np.broadcast_to(made.flat[0] if made.size else made, shape)
    if form == "own":
        made = made.view(OwnArray)
    if form == "masked":
        made = np.ma.masked_array(made, mask=made == made)
    if form == "fortran":
        made = np.asfortranarray(made)
    return made


def damaged(saved, at):
    """With one bit that is another."""
    made = bytearray(saved)
    made[at // 8 % len(made)] ^= 1 << at % 8
    return bytes(made)


def contains_itself(kind):
    made = kind()
    if kind is list:
        made.append(made)
    else:
        made["inertia"] = made
    return made


def nested(depth):
    return functools.reduce(lambda inner, _: [inner], range(depth), 1.0)


# An address is believed: there are none here but that of this function, and null.
NULL = SIGNATURE(0)


@SIGNATURE
def COMPILED(t, q, w, m):
    m[0], m[1], m[2] = 0.0, 0.1, 0.0


WHEEL = {"axis": [0, 0, 1], "inertia": 0.01, "speed": 60}
TOP = {"kind": "heavy-top", "weight_times_arm": 0.5}
START = {"rotation_vector": [0.3, 0, 0.1], "angular_velocity_body": [0.1, 1, 0.2]}

SMALL = """None True False nan inf -inf 0 -0.0 0.0 -1 -1.0 1 2 3 0.5 1e-300 5e-324 -1e-300 1j nan*1j Decimal('0.5') Decimal('nan')
Fraction(1,3) np.float16(0.5) np.float32(-1) np.longdouble('0.5') np.int8(-3) np.uint64(2) np.bool_(True) np.complex64(1)
np.datetime64('nat') np.timedelta64(1,'s') np.ma.masked np.array(1.0) np.array(nan) np.void(b'abc') np.float64(0.25)""".split()

LARGE = """1e300 -1e300 1.7e308 1e18 10**9 2**31 2**32 2**63 2**63-1 2**64 -2**63 10**400 -10**400 np.uint64(2**64-1)
np.longdouble('1e4000') Decimal('1e400') Fraction(10**400) 1e16 1e22 10**5000""".split()

TEXTS = """'' 'x' '0' '1' '0.1' 'nan' '\\0' 'a\\0b' '\\ud800' 'ü' '𝔸' '%s{}' '\\n' '-' '[]' '..' 'x'*100000 'rkmk-4' 'wy' 'Rzz-0.5' 'auto'
'RKMK-4' 'rkmk-4@' 'rkmk-4:' 'rkmk-4@suzuki' 'newmark-gamma:gamma=nan' '('*10000 '1e400' 'wx+'*5000+'wx' '1/0' 'sqrt(-1)' 'quad'
'attitude' 'problem:' 'problem:x' 'no.toml' 'no.h5' b'' b'x' b'\\xff\\0' bytearray(b'x') memoryview(b'abc') np.str_('wy') np.bytes_(b'x')
'-0.1' 'inf' 'true' '\\u202e' 'torque' 'start' 'wy>0' 't>0.5' 'body' 'time'""".split()

THINGS = """[]
()
{}
set()
[[]]
[None]*3
[nan]*3
[inf, 1, 1]
[1, 2]
[1, 2, 3]
[1, 2, 3, 4]
[0]*7
[1]*7
[-1, -2, -3]
[1, 1, 5]
[1e300]*3
[1e-320]*3
[10**400, 1, 1]
['a', 'b', 'c']
'abc'
[[1, 2, 3], [4, 5]]
[[1, 0, 0], [0, 2, 0], [0, 0, 3]]
[[1, 2, 3], [4, 5, 6], [7, 8, 9]]
[[[1]]]
['wy', 'wy']
['wy', None]
[{}]
[{}, {}]
[True, False, True]
[1j, 1, 1]
range(3)
range(0)
range(100000)
{1, 2, 3}
{'x': 1}
{1: 2}
{None: None}
{'': ''}
{'\\ud800': 1}
{'a\\0b': 1}
{'inertia': None}
{'inertia': [1, 2, 3], 'x': 1}
{'kind': 'x'}
{'kind': None}
{'time': 1}
{('a',): 1}
dict.fromkeys(map(str, range(1000)), 1)
contains_itself(list)
contains_itself(dict)
nested(15)
nested(40)
nested(5000)
(x for x in (1, 2, 3))
(fail() for x in (1, 2, 3))
iter([])
map(float, 'ab')
zip((1, 2), (3, 4))
object()
Ellipsis
NotImplemented
slice(3)
np
np.dtype(float)
Obliging()
Keys()
Keys('inertia')
Keys('inertia', fails='inertia')
Keys('kind', fails='kind')
Keys('angular_velocity_body', length=1000)
Keys('when', length=-1)
Keys(Planted(), 1, None)
Items(1, 2, 3)
Items(1, 2, 3, grows=True)
array(float, (3, 0), 0)
array('V8', (3,), 0)
np.array([[1, 2], [3]], dtype=object)
np.array([None]*3)
np.array(['a', 'bc', 'd'])
np.rec.array([(1, 2.0)]*3)
np.ma.masked_all(3)
np.lib.stride_tricks.as_strided(np.ones(1), (3, 3), (0, 0))
memoryview(np.ones(3))
memoryview(np.ones((3, 3)))
NULL
capsule(COMPILED, None)
capsule(COMPILED, b'x')
LowLevelCallable(capsule(COMPILED, b'void (double)'))
capsule(COMPILED, b'\\xff')
COMPILED
Evil('__float__')
Evil('__float__', ValueError)
Evil('__float__', answer='x')
Evil('__float__', answer=nan)
Evil('__index__')
Evil('__index__', answer=10**400)
Evil('__index__', answer='x')
Evil('__iter__')
Evil('__iter__', answer=None)
Evil('__len__')
Evil('__len__', answer=-1)
Evil('__array__')
Evil('__array__', ValueError)
Evil('__array__', answer=None)
Evil('__array__', answer=np.zeros(3))
Evil('__repr__')
Evil('__repr__', answer=3)
Evil('__str__')
Evil('__str__', answer=None)
Evil('__bool__')
Evil('__eq__')
Evil('__getattr__')
Evil('__getattribute__', AttributeError)
Evil('__fspath__')
Evil('__fspath__', answer=3)
Evil('__fspath__', answer='no.toml')
Evil('__fspath__', answer=b'\\xff')
Evil('__call__')
Evil('__call__', KeyboardInterrupt)
Evil('__call__', SystemExit)
Evil('__length_hint__', answer=2**62)
Evil('as_quat')
Evil('as_quat', answer=[1, 0, 0, 0])
Evil('as_quat', answer=None)
Evil('tolist')
Evil('tolist', answer=[1, 2, 3])
Evil('tolist', answer=Obliging())
polhode
polhode.Body([1, 2, 3])
polhode.State()
polhode.Error('x')
polhode.torque(many)
polhode.torque(many, vectorized=True)
polhode.load('problem:fast-top')
[Evil('__float__')]*3
[Evil('__index__'), 1, 1]
{'inertia': Evil('__array__')}
{'kind': Evil('__repr__')}""".split("\n")

FUNCTIONS = """Returns(None)
Returns('x')
Returns(nan)
Returns(1)
Returns((1, 2))
Returns((0, 0, 0))
Returns((0, nan, 0), late=9)
Returns(1e300)
Returns((1e300, 0, 0))
Returns((10**400, 0, 0))
Returns([[1, 2, 3]])
Returns(np.zeros((3, 3)))
Returns(np.zeros(3, complex))
Returns(contains_itself(list))
Returns(Evil('__float__'))
Returns([Evil('__float__')]*3, late=5)
Returns(Evil('__array__'))
Returns(Obliging())
Returns(many)
Returns('\\ud800', late=3)
Raises()
Raises(late=7)
Raises(ValueError)
Raises(KeyboardInterrupt)
Raises(SystemExit, late=3)
Raises(StopIteration)
Raises(GeneratorExit)
Raises(MemoryError, late=20)
Raises(polhode.Error)
recorded(endless)
solves
steps
many
in_a_thread
ruins
recorded(lambda: 0)
recorded(lambda t, q, w, *, more: 0)
recorded(lambda t, y: t-0.5)
recorded(lambda t, q, w: w)
recorded(lambda *a: (yield))
recorded(object)
recorded(int)
recorded(len)
recorded(dict)
recorded(type)
recorded(polhode.Body)
recorded(np.float64)
polhode.torque(Returns([[0, 0, 0]]), vectorized=True)
polhode.torque(Raises(late=2), velocity=False)
recorded(functools.partial(Returns, 1))""".split("\n")

SHAPES = ["()", "(0,)", "(1,)", "(3,)", "(4,)", "(7,)", "(3, 3)", "(3, 1)", "(1, 3)", "(0, 3)", "(2, 3, 3)", "(7, 5)", "(1,)*32"]
DTYPES = ["float", "'>f8'", "'<f4'", "'f2'", "'g'", "int", "'>i2'", "'u1'", "bool", "complex", "object", "'M8[s]'", "'m8[D]'", "'U3'",
          "'S2'", "'V5'", "[('x', float), ('y', int)]"]
FILLS = ["1", "0", "-1", "nan", "inf", "None", "'x'", "10**400", "1j", "Evil('__float__')"]
FORMS = ["''", "'read-only'", "'strided'", "'broadcast'", "'own'", "'masked'", "'fortran'"]


def choice(texts):
    return st.sampled_from(list(texts))


def joined(pattern, *strategies):
    return st.tuples(*strategies).map(lambda parts: pattern.format(*parts))


def arrays(fills):
    return joined("array({}, {}, {}, {})", choice(DTYPES), choice(SHAPES), choice(fills), choice(FORMS))


# No number that asks for a run which is too long.
MODERATE = st.one_of(choice(SMALL), choice(TEXTS), choice(THINGS), choice(FUNCTIONS), arrays(FILLS))
LISTS = st.lists(st.one_of(choice(SMALL), choice(LARGE), MODERATE), max_size=4).map(lambda items: f"[{', '.join(items)}]")
ANYTHING = st.one_of(choice(SMALL), choice(LARGE), choice(TEXTS), choice(THINGS), choice(FUNCTIONS), arrays([*FILLS, "1e300"]),
                     LISTS)


def mapping(base, keys, values=ANYTHING):
    """That of an expression with one or two items changed, added or taken away."""
    change = joined("{!r}: {}", choice(keys), values)
    return st.lists(change, min_size=1, max_size=2).map(lambda items: f"{{**{base}, {', '.join(items)}}}")


@functools.lru_cache(5000)
def compiled(text):
    return compile(text, "<nonsense>", "eval")


def value(text, **names):
    """Of an expression, made anew."""
    return eval(compiled(text), globals(), names) if names else eval(compiled(text), globals())
