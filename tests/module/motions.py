"""Euler's equations for scipy: motions that share no code with the library. Quaternions scalar first, body into space."""

import numpy as np
from scipy.integrate import solve_ivp

TOP = {"kind": "heavy-top", "weight_times_arm": 0.7, "axis_body": [0.3, -0.2, 0.9], "up_spatial": [0.1, 0.2, 1.0]}
MOMENTS = np.array([1.1, 1.9, 2.6])
START = np.array([0.8, -0.2, 0.5, 0.2645751311064591, 0.4, 1.3, -0.7])
START[:4] /= np.linalg.norm(START[:4])


def product(p, q):
    """Hamilton's."""
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def matrix(q):
    """Takes body axes to space."""
    w, v = q[0], q[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * cross


def no_torque(t, q, w):
    return np.zeros(3)


def heavy_top(t, q, w, weight=0.7, axis=(0.3, -0.2, 0.9), up=(0.1, 0.2, 1.0)):
    """Directions are made unit vectors."""
    axis, up = (np.array(v) / np.linalg.norm(v) for v in (axis, up))
    return np.cross(axis, matrix(q).T @ (-weight * up))


def tensor_of(inertia):
    inertia = np.asarray(inertia, dtype=float)
    return np.diag(inertia) if inertia.ndim == 1 else inertia


def integrated(inertia, torque, y0, times):
    """Rows (7, n) at times in the order of the run, the first of which is that of y0."""
    tensor = tensor_of(inertia)
    inverse = np.linalg.inv(tensor)

    def rate(t, y):
        q, w = y[:4], y[4:]
        turning = 0.5 * product(q, np.concatenate([[0.0], w]))
        return np.concatenate([turning, inverse @ (np.cross(tensor @ w, w) + torque(t, q / np.linalg.norm(q), w))])

    found = solve_ivp(rate, (times[0], times[-1]), y0, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
    assert found.success, found.message
    return found.y


def difference(y, other):
    """The largest difference of two arrays (7, n), where q and -q are one attitude; NaN counts as infinite."""
    y, other = np.asarray(y, dtype=float), np.asarray(other, dtype=float)
    if y.shape != other.shape:
        raise AssertionError(f"shapes {y.shape} and {other.shape}")
    y, other = y.reshape(7, -1), other.reshape(7, -1)
    sign = np.where(np.sum(y[:4] * other[:4], axis=0) < 0, -1.0, 1.0)
    worst = np.max(np.abs(np.vstack([y[:4] - sign * other[:4], y[4:] - other[4:]])))
    return worst if np.isfinite(worst) else np.inf


def turned(q):
    """Scalar first to scalar last."""
    return np.roll(q, -1, axis=0)


def message_of(case, kind, call, *args, **named):
    """The sentence of an exception that is of this kind and of no other kind of argument errors."""
    with case.assertRaises(kind) as caught:
        call(*args, **named)
    case.assertIs(type(caught.exception), kind)
    return str(caught.exception)
