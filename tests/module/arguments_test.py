"""What functions of the caller are told, how often, and what becomes of it: arrays that they keep, change and ruin."""

import collections
import functools
import unittest
import warnings

import numpy as np

import polhode
from callables import TENSOR, Case, drag, many, solve
from motions import MOMENTS, START, TOP, difference, message_of


class WhatTheyAreTold(Case):
    def test_kinds(self):
        seen = []

        def torque(t, q, w):
            seen.append((t, q.copy(), w.copy(), type(t), q.dtype, w.dtype, q.shape, w.shape, q.flags.writeable,
                         q.flags.c_contiguous))
            return 0, 0, 0
        solve(torque)
        for t, q, w, *kinds in seen:
            self.assertEqual(kinds, [float, np.dtype(float), np.dtype(float), (4,), (3,), True, True])
            self.assertAlmostEqual(np.linalg.norm(q), 1, delta=1e-14)
            self.assertTrue(0 <= t <= 3 + 1e-12)
        self.assertTrue(np.allclose(seen[0][1], START[:4], atol=1e-15))
        self.assertTrue(np.allclose(seen[0][2], START[4:], atol=1e-15))

    def test_velocity_and_attitude_are_those_of_the_rows(self):
        """With a tensor in general axes and in other units: the axes and units of the arguments."""
        for scale in (1.0, 1e-9, 1e7):
            at = {}

            def torque(t, q, w):
                at[t] = (q.copy(), w.copy())
                return 0, 0, 0
            sol = solve(torque, body=scale * TENSOR, method="textbook-euler")
            for t, y in zip(sol.t[:-1], sol.y.T):
                self.assertLess(difference(np.concatenate(at[t]), y), 1e-13)

    def test_nodes_together(self):
        sizes, alone = collections.Counter(), []

        @polhode.torque(vectorized=True)
        def together(t, q, w):
            self.assertEqual((t.shape, q.shape, w.shape), ((len(t),), (len(t), 4), (len(t), 3)))
            for array in (t, q, w):
                self.assertEqual(array.dtype, float)
                self.assertTrue(array.flags.c_contiguous and array.flags.writeable)
            self.assertTrue(np.allclose(np.linalg.norm(q, axis=1), 1, atol=1e-14))
            sizes[len(t)] += 1
            return many(t, q, w)

        def single(t, q, w):
            alone.append(t)
            return drag(t, q, w)
        how = {"method": "picard-lobatto-8", "step": None, "tolerance": 1e-9}
        sol, other = solve(together, **how), solve(single, **how)
        self.assertLess(difference(sol.y, other.y), 1e-12)
        self.assertGreater(max(sizes), 1)
        self.assertLess(3 * sum(sizes.values()), len(alone))
        self.assertEqual(sum(n * count for n, count in sizes.items()), len(alone))

    def test_events_see_the_rows(self):
        at = {}

        def event(t, y):
            self.assertEqual((type(t), y.shape, y.dtype), (float, (7,), np.dtype(float)))
            at[t] = y.copy()
            return 1.0
        for body in (MOMENTS, 1e5 * TENSOR):
            at.clear()
            sol = solve(drag, body=body, events=event)
            for t, y in zip(sol.t, sol.y.T):
                self.assertLess(difference(at[t], y), 1e-13)

    def test_not_called_without_need(self):
        """As often as the method says, and twice a step for what else is asked of a run."""
        for method, calls_of_a_step in (("rkmk-4", 4), ("textbook-euler", 1), ("lie-verlet", 1), ("textbook-rk4", 4)):
            calls = []

            def torque(t, q, w):
                calls.append(t)
                return 0.1, 0.0, 0.0
            sol = solve(polhode.torque(torque, velocity=False), method=method, dense_output=False)
            self.assertGreaterEqual(len(calls), calls_of_a_step * sol.steps)
            self.assertLessEqual(len(calls), (calls_of_a_step + 2) * sol.steps + 3, method)

    def test_nobody_calls_later(self):
        calls = []

        def torque(t, q, w):
            calls.append(t)
            return 0.1, 0.0, 0.0
        sol = solve(torque)
        count = len(calls)
        sol.energy, sol.info, repr(sol), sol._repr_html_(), sol.end, sol.rotation(), sol.momentum
        self.assertEqual(len(calls), count)
        sol.sol(1.23)
        self.assertGreater(len(calls), count)

    def test_kinds_of_callables(self):
        class Thing:
            def __call__(self, t, q, w):
                return drag(t, q, w)

            def method(self, t, q, w):
                return drag(t, q, w)

            @classmethod
            def of_class(cls, t, q, w):
                return drag(t, q, w)

            @staticmethod
            def static(t, q, w):
                return drag(t, q, w)

        class Slots:
            __slots__ = ()

            def __call__(self, *args):
                return drag(*args)
        expected = solve(drag)
        for torque in (Thing(), Thing().method, Thing.of_class, Thing().static, Slots(), lambda *args: drag(*args),
                       lambda t, q, w, more=0: drag(t, q, w), functools.partial(lambda k, t, q, w: drag(t, q, w), 1),
                       functools.wraps(drag)(lambda *a: drag(*a))):
            self.same_bits(solve(torque), expected, torque)
        self.assertEqual(polhode.torque(Thing()).name, "Thing")
        self.assertEqual(polhode.torque(functools.partial(drag)).name, "partial")
        self.assertEqual(polhode.torque(drag, name="mine").name, "mine")
        self.assertEqual(polhode.torque(drag)(0.0, START[:4], START[4:]), drag(0.0, START[:4], START[4:]))

    def test_name_in_messages(self):
        for name in ("brake", "ein Name, „quoted“ \\ \n"):
            torque = polhode.torque(lambda t, q, w: None, name=name)
            self.assertIn(f"torque: {name} returned None", message_of(self, ValueError, solve, torque))


class Arguments(Case):
    """Kept, changed and ruined."""

    def test_kept(self):
        kept, seen, events = [], [], []

        def torque(t, q, w):
            kept.append((q, w, w[::-1], memoryview(q)))
            seen.append((q.tobytes(), w.tobytes()))
            return drag(t, q, w)

        def event(t, y):
            events.append((y, y.tobytes()))
            return 1.0
        sol = solve(torque, events=event)
        self.same_bits(sol, solve(drag))
        self.assertEqual([(q.tobytes(), w.tobytes()) for q, w, *_ in kept], seen)
        self.assertEqual(len({q.ctypes.data for q, *_ in kept}), len(kept))
        for (q, w, back, view), (was_q, _) in zip(kept, seen):
            self.assertTrue(np.array_equal(back, w[::-1]))
            self.assertEqual(view.tobytes(), was_q)
        self.assertTrue(all(y.tobytes() == was for y, was in events))

    def test_views_alone_are_kept(self):
        for view in (lambda a: a[1:], lambda a: a[::-1], memoryview, lambda a: a.T, lambda a: a.reshape(-1, 1), np.asarray,
                     lambda a: np.frombuffer(a), lambda a: a.flat, lambda a: iter(a), lambda a: a.view(np.int64)):
            kept = []

            def torque(t, q, w):
                values = drag(t, q, w)
                kept.append((view(q), bytes(q.data), bytes(w.data), view(w)))
                return values
            self.same_bits(solve(torque), solve(drag))
            for q, was_q, was_w, w in kept:
                for one, was in ((q, was_q), (w, was_w)):
                    numbers = np.array(list(one)) if not isinstance(one, np.ndarray) else one
                    found = np.sort(np.ravel(numbers.view(float) if numbers.dtype == np.int64 else numbers))
                    self.assertTrue(np.isin(found, np.frombuffer(was)).all())

    def ruins(self):
        """Functions that leave arrays in all sorts of states."""
        def fill(a):
            a[...] = np.nan

        def add(a):
            a += 1e6

        def shape(a):
            a.shape = (a.size, 1)

        def kind(a):
            a.dtype = np.int64

        def write(a):
            a.flags.writeable = False

        def resize(a):
            a.resize((2,), refcheck=False)

        def grow(a):
            a.resize((100000,), refcheck=False)

        def strides(a):
            a.strides = (0,) * a.ndim

        def bytes_(a):
            a.dtype = np.uint8

        def names(a):
            a.dtype = [("x", float)]

        def transposed(a):
            a.shape = (1,) * 3 + a.shape

        def state(a):
            a.__setstate__((1, (a.size,), np.dtype(np.float32), False, bytes(4 * a.size)))

        def swapped(a):
            a.byteswap(inplace=True)
        return [fill, add, shape, kind, write, resize, grow, strides, bytes_, names, transposed, state, swapped]

    def test_changed(self):
        expected, expected_many = solve(drag), solve(many, method="picard-lobatto-8", step=0.1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            for ruin in self.ruins():
                def spoil(*arrays):
                    for array in arrays:
                        try:
                            ruin(array)
                        except (ValueError, TypeError, AttributeError):
                            pass        # numpy may refuse it

                def torque(t, q, w):
                    values = drag(t, q, w)
                    spoil(q, w)
                    return values

                @polhode.torque(vectorized=True)
                def vectorized(t, q, w):
                    values = many(t, q, w)
                    spoil(t, q, w)
                    return values

                def event(t, y):
                    spoil(y)
                    return 1.0
                self.same_bits(solve(torque), expected, ruin)
                self.same_bits(solve([torque, lambda t, q, w: (0, 0, 0)], events=[event, event]), expected, ruin)
                self.same_bits(solve(vectorized, method="picard-lobatto-8", step=0.1), expected_many, ruin)
                kept = []

                def keeper(t, q, w):
                    kept.append((q, w))
                    return torque(t, q, w)
                self.same_bits(solve(keeper), expected, ruin)

    def test_classes_of_arguments(self):
        """A function that tries to make something else of its arrays gets plain ones the next time."""
        class Own(np.ndarray):
            pass
        kinds = set()

        def torque(t, q, w):
            kinds.update((type(q), type(w)))
            values = drag(t, q, w)
            for array in (q, w):
                try:
                    array.__class__ = Own
                except TypeError:
                    pass
            return values
        self.same_bits(solve(torque), solve(drag))
        self.assertEqual(kinds, {np.ndarray})

    def test_answered_with_the_arguments(self):
        for answer, same in ((lambda t, q, w: w, lambda t, q, w: w.copy()), (lambda t, q, w: q[1:], lambda t, q, w: q[1:].copy()),
                             (lambda t, q, w: w[::-1], lambda t, q, w: w[::-1].copy())):
            self.same_bits(solve(answer, t_span=(0, 0.5)), solve(same, t_span=(0, 0.5)))

    def test_answer_changed_later(self):
        answer = np.zeros(3)

        def torque(t, q, w):
            answer[:] = drag(t, q, w)
            return answer
        sol = solve(torque)
        answer[:] = np.nan
        self.same_bits(sol, solve(drag))

    def test_attributes_that_change_while_it_runs(self):
        torque = polhode.torque(drag)

        def event(t, y):
            torque.function, torque.vectorized, torque.velocity = None, True, False
            event.terminal = True
            return y[5]
        self.same_bits(solve(torque, events=event), solve(drag))

    def test_arrays_that_were_passed_are_left_alone(self):
        body, start, times = MOMENTS.copy(), START.copy(), np.linspace(0, 3, 5)
        top = dict(TOP, axis_body=np.array(TOP["axis_body"]))
        solve([top, drag], body=body, start=start, t_eval=times)
        self.assertTrue(np.array_equal(body, MOMENTS) and np.array_equal(start, START))
        self.assertEqual(sorted(top), sorted(TOP))
        sol = solve(drag, start=start)
        start[:] = 0
        self.assertTrue(np.array_equal(sol.sol(sol.t), sol.y))
        self.same_bits(sol, solve(drag))


if __name__ == "__main__":
    unittest.main()
