"""What the tests of functions of the caller share: one torque told in several languages, and a case that hears what Python
can only print."""

import ctypes
import functools
import gc
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import polhode
from motions import MOMENTS, START

# A shell lets what it starts in the background ignore it, and tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

RK = {"method": "rkmk-4", "step": 0.1}
TENSOR = np.array([[1.2, 0.1, -0.05], [0.1, 0.9, 0.08], [-0.05, 0.08, 1.5]])
NUMBERS = ctypes.POINTER(ctypes.c_double)
SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)
CAPSULE = b"void (double, const double *, const double *, double *)"

# One torque in five languages. It has the same value for q and -q, and every operation of it is rounded alike in all.
C_SOURCE = """
void drag(double t, const double *q, const double *w, double *m) {
  m[0] = -0.3 * w[0] + 0.1 * q[1] * q[2];
  m[1] = 0.2 * q[0] * q[3] - 0.1 * t;
  m[2] = -0.2 * w[2] + 0.05 * q[1] * q[0];
}
void pull(double t, const double *q, const double *w, double *m) {
  m[0] = 0.1 * q[1] * q[2];
  m[1] = 0.2 * q[0] * q[3] - 0.1 * t;
  m[2] = 0.05 * q[1] * q[0];
}
void drag_last(double t, const double *q, const double *w, double *m) {
  m[0] = -0.3 * w[0] + 0.1 * q[0] * q[1];
  m[1] = 0.2 * q[3] * q[2] - 0.1 * t;
  m[2] = -0.2 * w[2] + 0.05 * q[0] * q[3];
}
void damping(double t, const double *q, const double *w, double *m, void *data) {
  const double *rates = data;
  (void)t, (void)q;
  m[0] = -rates[0] * w[0];
  m[1] = 0;
  m[2] = -rates[2] * w[2];
}
void told_nothing(double t, const double *q, const double *w, double *m, void *data) {
  (void)t, (void)q, (void)w;
  m[0] = data == 0;
  m[1] = m[2] = 0;
}
"""
DRAG = polhode.expression("-0.3*wx + 0.1*qx*qy", "0.2*qw*qz - 0.1*t", "-0.2*wz + 0.05*qx*qw")
PULL = polhode.expression("0.1*qx*qy", "0.2*qw*qz - 0.1*t", "0.05*qx*qw")


def drag(t, q, w):
    return (-0.3 * w[0] + 0.1 * q[1] * q[2], 0.2 * q[0] * q[3] - 0.1 * t, -0.2 * w[2] + 0.05 * q[1] * q[0])


def drag_last(t, q, w):
    return drag(t, (q[3], q[0], q[1], q[2]), w)


def pull(t, q, w):
    return 0.1 * q[1] * q[2], 0.2 * q[0] * q[3] - 0.1 * t, 0.05 * q[1] * q[0]


@polhode.torque(vectorized=True)
def many(t, q, w):
    return np.stack([-0.3 * w[:, 0] + 0.1 * q[:, 1] * q[:, 2], 0.2 * q[:, 0] * q[:, 3] - 0.1 * t,
                     -0.2 * w[:, 2] + 0.05 * q[:, 1] * q[:, 0]], axis=-1)


@polhode.torque(vectorized=True, velocity=False)
def many_pulls(t, q, w):
    return np.stack([0.1 * q[:, 1] * q[:, 2], 0.2 * q[:, 0] * q[:, 3] - 0.1 * t, 0.05 * q[:, 1] * q[:, 0]], axis=-1)


def solve(torque=None, body=MOMENTS, start=START, t_span=(0, 3), **more):
    return polhode.solve(body, torque, start, t_span, **{**RK, **more})


@functools.lru_cache(None)
def library():
    """The source above, compiled by cc without contractions."""
    folder = tempfile.TemporaryDirectory()
    source, made = os.path.join(folder.name, "torques.c"), os.path.join(folder.name, "torques.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(C_SOURCE)
    clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    try:
        subprocess.run(["cc", "-O0", "-ffp-contract=off", "-shared", "-fPIC", "-o", made, source], check=True, env=clean,
                       capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise unittest.SkipTest(f"no C compiler: {error}")
    loaded = ctypes.CDLL(made)
    loaded.folder = folder
    return loaded


def address_of(function):
    return ctypes.cast(function, ctypes.c_void_p).value


NAMED = {}      # a capsule does not own its name


def capsule(function, name=CAPSULE):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(address_of(function), NAMED.setdefault(name, name), None)


class Case(unittest.TestCase):
    """Whatever Python could not raise, and would only print, is a mistake."""

    def setUp(self):
        self.unraisable = []
        before, sys.unraisablehook = sys.unraisablehook, lambda one: self.unraisable.append(repr(one.exc_value))
        self.addCleanup(setattr, sys, "unraisablehook", before)

    def tearDown(self):
        self.assertEqual(self.unraisable, [])

    def same_bits(self, sol, other, note=None):
        self.assertTrue(np.array_equal(sol.t, other.t), note)
        self.assertTrue(np.array_equal(sol.y, other.y), note)

    def raised(self, kind, call, *args, **named):
        """With its traceback, which assertRaises takes away."""
        try:
            call(*args, **named)
        except kind as error:
            return error
        return self.fail(f"no {kind} was raised")

    def assert_gone(self, reference, note=None):
        gc.collect()
        self.assertIsNone(reference(), note)


class Raised(Exception):
    """One that only tests raise."""


class Held:
    """What functions hold, and weak references look at."""
