"""Compiled torques in every form that they come in: as ctypes, Cython, scipy and numba have them, with user data and without;
and the sentences on those that are none."""

import ctypes
import gc
import types
import unittest
import weakref

import numpy as np
import scipy

import polhode
from callables import CAPSULE, NUMBERS, SIGNATURE, Case, address_of, capsule, drag, library, solve
from motions import MOMENTS, START, message_of

OF_CYTHON = b"void (double, double const *, double const *, double *)"
WITH_DATA = b"void (double, const double *, const double *, double *, void *)"
RATES = (ctypes.c_double * 3)(0.3, 0.0, 0.2)
FIVE = (ctypes.c_double, NUMBERS, NUMBERS, NUMBERS, ctypes.c_void_p)


def typed(function, *arguments, returns=None):
    """Another object for the same function, which knows its types."""
    return ctypes.CFUNCTYPE(returns, *arguments)(address_of(function))


def capsule_with(function, context, name=WITH_DATA):
    """As Cython code makes one whose function is to be told something."""
    made = capsule(function, name)
    set_context = ctypes.pythonapi.PyCapsule_SetContext
    set_context.argtypes = [ctypes.py_object, ctypes.c_void_p]
    set_context(made, ctypes.addressof(context))
    return made


def damping(t, q, w):
    return -0.3 * w[0], 0.0, -0.2 * w[2]


class Forms(Case):
    def without_data(self):
        """The torque `drag`, in C."""
        function = library().drag
        plain = typed(function, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)
        yield "as loaded", function
        yield "with its types", plain
        yield "of pointers to anything", typed(function, ctypes.c_double, *[ctypes.c_void_p] * 3)
        yield "a capsule", capsule(function)
        yield "a capsule of Cython's", capsule(function, OF_CYTHON)
        yield "a capsule without const", capsule(function, b"void (double, double *, double *, double *)")
        yield "a capsule without blanks", capsule(function, b"void(double,const double*,const double*,double*)")
        yield "scipy's", scipy.LowLevelCallable(plain)
        yield "scipy's, of a capsule", scipy.LowLevelCallable(capsule(function))
        yield "scipy's, with a signature", scipy.LowLevelCallable(plain, signature=CAPSULE.decode())
        yield "as numba's", types.SimpleNamespace(address=address_of(function), ctypes=plain)

    def with_data(self):
        """The torque `damping`, whose rates are the data."""
        function = library().damping
        yield "scipy's", scipy.LowLevelCallable(typed(function, *FIVE), ctypes.cast(RATES, ctypes.c_void_p))
        yield "scipy's, of a capsule", scipy.LowLevelCallable(capsule_with(function, RATES))
        yield "a capsule", capsule_with(function, RATES)
        yield "a capsule of Cython's", capsule_with(function, RATES, OF_CYTHON.replace(b")", b", void *)"))

    def test_the_same_bits(self):
        for forms, told in ((self.without_data, drag), (self.with_data, damping)):
            for method in ("rkmk-4", "rotor-adams-8", "picard-lobatto-8"):
                expected = solve(told, method=method)
                for name, form in forms():
                    for passed in (form, [form], polhode.compiled(form), polhode.compiled(polhode.compiled(form))):
                        self.same_bits(solve(passed, method=method), expected, (name, method))

    def test_by_its_address_alone(self):
        """What merely has an address is taken at its word where it is called compiled, and nowhere else."""
        named = types.SimpleNamespace(address=address_of(library().drag))
        self.same_bits(solve(polhode.compiled(named)), solve(drag))
        self.assertRegex(message_of(self, TypeError, solve, named), "^torque: ")

    def test_user_data_may_change_and_may_be_nothing(self):
        rates = (ctypes.c_double * 3)(0.3, 0.0, 0.2)
        sim = polhode.Simulation(MOMENTS, capsule_with(library().damping, rates), START, step=0.1)
        sim.advance(5)
        rates[:] = [0, 0, 0]
        before = np.linalg.norm(sim.momentum)
        sim.advance(20)
        self.assertAlmostEqual(np.linalg.norm(sim.momentum), before, delta=1e-6)
        nothing = capsule(library().told_nothing, WITH_DATA)        # which writes whether its data are null
        end = polhode.solve(MOMENTS, nothing, t_span=(0, 1), method="rkmk-4", step=0.1).end.angular_velocity
        self.assertAlmostEqual(end[0] * MOMENTS[0], 1, delta=1e-12)

    def test_an_ensemble(self):
        velocities = np.random.default_rng(2).normal(size=(9, 3))
        for forms, told in ((self.without_data, drag), (self.with_data, damping)):
            alone = [polhode.solve(MOMENTS, told, np.append(START[:4], one), (0, 1), "rkmk-4", step=0.1).y[:, -1] for one in velocities]
            for name, form in forms():
                many = polhode.ensemble(MOMENTS, form, START, (0, 1), "rkmk-4", step=0.1, threads=3,
                                        draw={"angular_velocity_body": velocities})
                self.assertTrue(np.array_equal(many.end.y.T, alone), name)

    def test_kept_as_long_as_needed(self):
        class Held:
            pass
        for make in (lambda function: function, scipy.LowLevelCallable,
                     lambda function: types.SimpleNamespace(address=address_of(function), ctypes=function)):
            held = Held()
            reference = weakref.ref(held)

            @SIGNATURE
            def push(t, q, w, m, held=held):
                m[0], m[1], m[2] = 0.0, 0.0, 0.1
            motion = solve(make(push)).sol
            del push, held
            gc.collect()
            self.assertIsNotNone(reference())
            self.assertTrue(np.all(np.isfinite(motion(1.23))))
            del motion
            self.assert_gone(reference)


class Refused(Case):
    def refused(self, pattern, form, kind=ValueError):
        for call in (polhode.compiled, solve, lambda form: solve([drag, form])):
            self.assertRegex(message_of(self, kind, call, form), f"^torque: .*{pattern}")

    def test_signatures(self):
        function = library().drag
        for name in ("double (double, const double *, const double *, double *)", "void (double, const double *, double *)",
                     "void (float, const float *, const float *, float *)", "void (double, double *, double *, const double *)",
                     "void (double, const double *, const double *, double *, int)", "other", "", "void", "void ()",
                     "void (double, const double *, const double *, double *, void *, void *)",
                     "void (double, const double **, const double *, double *)", "void (double, double, double, double *)"):
            self.refused(r"the signature '.*', where 'void \(double, const double", capsule(function, name.encode()))
        self.refused("signature", capsule(function, b"\xff\xfe"))
        self.refused("without a name", capsule(function, None))

    def test_signatures_that_scipy_wrote(self):
        function = library().drag
        self.refused("the signature 'double", scipy.LowLevelCallable(typed(function, ctypes.c_double, returns=ctypes.c_double)))
        self.refused("the signature 'void", scipy.LowLevelCallable(typed(function, ctypes.c_int, NUMBERS, NUMBERS, NUMBERS)))

    def test_types_of_ctypes(self):
        function = library().drag
        floats = ctypes.POINTER(ctypes.c_float)
        self.refused("takes .c_double, .*where 'void", typed(function, ctypes.c_double, NUMBERS, NUMBERS))
        self.refused("takes .c_float", typed(function, ctypes.c_float, NUMBERS, NUMBERS, NUMBERS))
        self.refused("takes .*LP_c_float", typed(function, ctypes.c_double, NUMBERS, floats, NUMBERS))
        self.refused("takes .*c_double, c_double", typed(function, *[ctypes.c_double] * 4))
        self.refused("returns c_double", typed(function, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS, returns=ctypes.c_double))
        self.refused("LowLevelCallable", typed(library().damping, *FIVE))
        self.refused("Python's lock", ctypes.PYFUNCTYPE(None, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)(address_of(function)))
        of_numpy = typed(function, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)
        for dtype, pattern in ((np.float64, None), (np.float32, "takes")):
            of_numpy.argtypes = [ctypes.c_double, *[np.ctypeslib.ndpointer(dtype)] * 3]
            if pattern:
                self.refused(pattern, of_numpy)
            else:
                self.same_bits(solve(of_numpy), solve(drag))

    def test_types_of_numba(self):
        function = library().drag
        wrong = typed(function, ctypes.c_double, NUMBERS, returns=ctypes.c_double)
        self.refused("returns c_double", types.SimpleNamespace(address=address_of(function), ctypes=wrong))

    def test_no_address(self):
        plain = typed(library().drag, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)
        for form in (SIGNATURE(0), types.SimpleNamespace(address=0, ctypes=plain)):
            self.refused("has no address", form, TypeError)
        for form in (types.SimpleNamespace(address=True), types.SimpleNamespace(address=1.0), (), (1, 2, 3), "drag",
                     types.SimpleNamespace(ctypes=plain), polhode.torque(drag), type("PyCapsule", (), {})()):
            self.assertRegex(message_of(self, TypeError, polhode.compiled, form), "^torque: .*has no address")

    def test_user_data_by_hand(self):
        address = address_of(library().damping)
        good = polhode.Torque(None, address=address, user_data=ctypes.addressof(RATES))
        self.same_bits(solve(good), solve(damping))
        for wrong in (-1, 1 << 64, 0.5, "x"):
            self.assertRegex(message_of(self, ValueError, solve, polhode.Torque(None, address=address, user_data=wrong)), "^torque: ")


if __name__ == "__main__":
    unittest.main()
