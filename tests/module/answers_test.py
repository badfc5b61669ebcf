"""What functions of the caller may answer, and what is said of answers that mean nothing."""

import collections
import decimal
import fractions
import functools
import gc
import types
import unittest
import warnings

import numpy as np

import polhode
from callables import Case, Raised, drag, solve
from motions import message_of


def ignoring(category):
    def decorated(test):
        @functools.wraps(test)
        def quiet(self):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", category)
                test(self)
        return quiet
    return decorated


class Evil:
    """Numbers that raise, lie or change what they are in."""

    def __init__(self, answer):
        self.answer = answer

    def __float__(self):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class OfArray:
    def __init__(self, answer):
        self.answer = answer

    def __array__(self, dtype=None, copy=None):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def wrong_answers():
    """What is no torque, and what begins to be one."""
    yield from [None, "abc", "", b"abc", 1.0, 0, True, (), [], {}, set(), object(), int, drag, (1, 2), (1, 2, 3, 4), [1],
                [[1, 2, 3]], [[1], [2], [3]], np.zeros(2), np.zeros(4), np.zeros((3, 1)), np.zeros((1, 3)), np.zeros((3, 3)),
                np.float64(3), np.zeros(0), np.array(["a", "b", "c"]),
                ("1", "x", "3"), [None, 0, 0], [1, 2, "x"], [1j, 0, 0], (0, 0, 1 + 1j), np.zeros(3, complex),
                np.array([1j, 2, 3]), {0: 1, 1: 2, 2: 3}, {1, 2, 3}, (x for x in (1, 2, 3)), 10**400,
                (10**400, 0, 0), [0, -10**400, 0], np.array([10**400, 0, 0], dtype=object), Ellipsis, NotImplemented,
                [[1, 2, 3], [4, 5]], ([1], 2, 3), np.array([object()] * 3), np.zeros(3, dtype="M8[s]"),
                np.zeros(3, dtype=[("x", float)]), np.array(["2020-01-01"] * 3, dtype="M8[D]"), Evil("text"),
                [Evil("text"), 0, 0], [Evil(ValueError("x")), 0, 0], [Evil(TypeError("x")), 0, 0], OfArray(None),
                OfArray(np.zeros(2)), OfArray(ValueError("x")), types.SimpleNamespace(shape=(3,)), range(2), slice(3),
                decimal.Decimal(1), fractions.Fraction(1, 3), (decimal.Decimal("NaN"), "x", 0), np.ma.masked,
                memoryview(b"abcd")]
    deep = []
    for _ in range(100):
        deep = [deep]
    yield deep
    own = []
    own.append(own)
    yield own
    yield [own, own, own]


def right_answers():
    """All are (1, 2, 3)."""
    class OwnArray(np.ndarray):
        pass

    class OwnTuple(tuple):
        pass

    class OwnList(list):
        pass

    class Sequence:
        def __len__(self):
            return 3

        def __getitem__(self, i):
            if i > 2:
                raise IndexError
            return i + 1.0
    full = np.arange(24.0).reshape(4, 6)
    full[1, 1::2] = 1, 2, 3
    frozen = np.array([1.0, 2.0, 3.0])
    frozen.flags.writeable = False
    yield from [(1, 2, 3), [1, 2, 3], [1.0, True + 1, np.int8(3)], np.array([1, 2, 3]), np.array([1, 2, 3], np.float32),
                np.array([1, 2, 3], np.int16), np.array([1, 2, 3], np.longdouble), full[1, 1::2], np.array([3.0, 2, 1])[::-1],
                np.array([1, 2, 3], dtype=object), np.array([1, 2, 3], ">f8"), frozen, np.array([1, 2, 3.0]).view(OwnArray),
                np.ma.array([1, 2, 3]), OwnTuple((1, 2, 3)), OwnList([1, 2, 3]), range(1, 4), Sequence(),
                OfArray(np.array([1.0, 2.0, 3.0])), [Evil(1.0), Evil(2.0), Evil(3.0)], collections.deque([1, 2, 3]),
                [fractions.Fraction(1), decimal.Decimal(2), np.array(3)], np.array([1, 2, 3], np.uint64),
                np.array([1, 2, 3], np.float16), memoryview(np.array([1.0, 2.0, 3.0]))]


def right_after_all(answer, form):
    """What is wrong by itself, and right in another form."""
    if form == "nested":
        if isinstance(answer, (float, int, decimal.Decimal, fractions.Fraction, np.generic)):
            return abs(answer) <= 3
        return answer is np.ma.masked       # for numpy a NaN
    if form == "vectorized":        # for one node
        return isinstance(answer, list) and answer[:1] == [[1, 2, 3]] or isinstance(answer, np.ndarray) and answer.shape == (1, 3)
    return form == "vectorized rows" and isinstance(answer, list) and None in answer    # NaN again


class Answers(Case):
    def test_right_ones(self):
        expected = solve(lambda t, q, w: (1.0, 2.0, 3.0))
        for answer in right_answers():
            self.same_bits(solve(lambda t, q, w: answer), expected, repr(answer))
            if not isinstance(answer, OfArray):     # which numpy does not look for in lists
                vectorized = polhode.torque(lambda t, q, w: [answer] * len(t), vectorized=True)
                self.same_bits(solve(vectorized), expected, repr(answer))

    @ignoring(Warning)      # numpy's, of odd arrays
    def test_wrong_ones(self):
        names = ("plain", "nested", "vectorized", "vectorized rows")
        for answer in wrong_answers():
            forms = (lambda t, q, w: answer, lambda t, q, w: (0.0, 0.0, answer),
                     polhode.torque(lambda t, q, w: answer, vectorized=True),
                     polhode.torque(lambda t, q, w: [answer] * len(t), vectorized=True))
            for name, torque in zip(names, forms):
                if right_after_all(answer, name):
                    continue
                with self.subTest(answer=repr(answer)[:60], form=name):
                    with self.assertRaises((TypeError, ValueError)) as caught:
                        solve(torque)
                    self.assertRegex(str(caught.exception), r"(?s)^torque: .*return")
                    self.assertIn(type(caught.exception), (TypeError, ValueError))

    def test_the_name_of_the_function_is_said(self):
        def my_control(t, q, w):
            return None
        self.assertIn("my_control returned None", message_of(self, ValueError, solve, my_control))

    def test_exceptions_of_answers_are_not_mistakes_of_answers(self):
        for error in (Raised("inside"), KeyError("x"), KeyboardInterrupt()):
            for answer in ([Evil(error), 0, 0], (0, 0, Evil(error)), OfArray(error)):
                self.assertIs(self.raised(type(error), solve, lambda t, q, w: answer), error)

    def test_answers_that_change_while_they_are_read(self):
        class Shrinking:
            def __init__(self, of):
                self.of = of

            def __float__(self):
                self.of.clear()
                gc.collect()
                return 1.0
        answer = []

        def torque(t, q, w):
            answer[:] = [Shrinking(answer), 2.0 * 1.5, 3.0 * 1.5]
            return answer
        self.same_bits(solve(torque), solve(lambda t, q, w: (1.0, 3.0, 4.5)))

    def test_not_finite(self):
        """Later on the step fails; a start at which it is so is refused."""
        for bad in (np.nan, np.inf, -np.inf, decimal.Decimal("NaN"), np.float32("inf")):
            for late in (-1.0, 1.0):
                for form in (lambda t, q, w: (bad if t > late else 0.1, 0, 0),
                             lambda t, q, w: np.array([None if t > late else 0.1, 0, 0]),
                             polhode.torque(lambda t, q, w: [[float(bad) if s > late else 0.1, 0, 0] for s in t],
                                            vectorized=True)):
                    if late < 0:
                        self.assertIn("not finite", message_of(self, ValueError, solve, form))
                        continue
                    sol = solve(form)
                    self.assertEqual((sol.status, sol.success), (-1, False))
                    self.assertTrue(sol.message)
                    self.assertTrue(np.all(np.isfinite(sol.y)))
                    self.assertLessEqual(sol.t[-1], late + 1e-9)

    def test_not_finite_when_a_row_asks_again(self):
        """A row within a step is a shorter step of its own, whose torque may be another: there are no rows of NaN."""
        for calls in range(4, 40):
            left = [calls]

            def torque(t, q, w):
                left[0] -= 1
                return 0.1 if left[0] >= 0 else np.nan, 0, 0
            sol = solve(torque, method="rkmk-4", step=0.1, t_span=(0, 1), t_eval=np.linspace(0, 1, 7))
            self.assertEqual((sol.status, sol.success), (-1, False), calls)
            self.assertIn("left the finite numbers in step", sol.message)
            self.assertTrue(np.all(np.isfinite(sol.y)), calls)
            self.assertTrue(np.all(np.diff(sol.t) > 0), calls)
            self.assertAlmostEqual(sol.end.t, 0.1 * sol.steps, 12)

    @ignoring(polhode.PolhodeWarning)
    def test_huge_but_finite(self):
        for size in (1e30, 10**30, 1e150, 1e300):
            sol = solve(lambda t, q, w: (size, 0, 0), step=1e-3, t_span=(0, 0.01))
            self.assertTrue(np.all(np.isfinite(sol.y)))
            self.assertIn((sol.status, sol.success), ((0, True), (-1, False)))
        self.assertEqual(sol.status, -1)    # its square is no number

    def test_events(self):
        for answer in (None, "x", [1, 2], np.zeros(2), 1j, {}, object(), 10**400, b"1", np.array(["x"]), (1,)):
            with self.assertRaises((TypeError, ValueError)) as caught:
                solve(drag, events=lambda t, y: answer)
            self.assertRegex(str(caught.exception), "^events: .*return a number")
        for answer in (1, 1.0, True, np.float32(1), np.array(1.0), np.array([1.0]), fractions.Fraction(1), np.inf, np.nan,
                       decimal.Decimal(1), -0.0):
            sol = solve(drag, events=lambda t, y: answer)
            self.assertTrue(sol.success)
            self.assertEqual([len(t) for t in sol.t_events], [0])
            self.same_bits(sol, solve(drag))

    def test_events_that_become_nan(self):
        """They count as positive, as zero does."""
        sol = solve(drag, events=lambda t, y: np.nan if 1 < t < 2 else t - 2.5)
        self.same_bits(sol, solve(drag))
        np.testing.assert_allclose(sol.t_events[0], [1, 2, 2.5], rtol=0, atol=1e-9)

    def test_progress(self):
        calls = []
        for answer in (None, "x", object(), False, np.zeros(3)):
            def progress(done, seconds):
                calls.append((done, seconds))
                return answer
            polhode.converge("asymmetric-top", ["lie-verlet"], [0.01, 0.005], progress=progress)
        self.assertTrue(calls)
        for done, seconds in calls:
            self.assertTrue(0 <= done <= 1 + 1e-9 and seconds >= 0)

    def test_wrong_numbers_of_arguments(self):
        for wrong in (lambda: 0, lambda t: 0, lambda t, q: 0, lambda t, q, w, more: 0, lambda *, t, q, w: 0):
            self.assertIn("argument", str(self.raised(TypeError, solve, wrong)))
        for wrong in (lambda: 0, lambda t: 0, lambda a, b, c, d: 0):
            self.assertIn("argument", str(self.raised(TypeError, solve, drag, events=wrong)))


if __name__ == "__main__":
    unittest.main()
