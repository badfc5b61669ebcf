"""The geometry of Poinsot's construction: the inertia ellipsoid of a free body rolls on the invariable plane.

With rho = w / sqrt(2 T) in body axes, I rho = L_B / (rho . L_B): the rows themselves say which ellipsoid it is."""

from dataclasses import dataclass

import numpy as np

from .results import length

ROUND = np.linspace(0.0, 2.0 * np.pi, 181)


@dataclass
class Construction:
    """In axes whose third points up, against the momentum, and whose origin is the centre of the body."""

    polhode: np.ndarray         # (n, 3) with the body as at the row `at`
    herpolhode: np.ndarray      # (n, 3)
    axes: np.ndarray            # half-axes of the ellipsoid as columns; None where the motion does not show all three
    distance: float             # of the plane from the centre
    at: int

    @property
    def contact(self):
        return self.polhode[self.at]

    @property
    def reach(self):
        """How far from the centre there is something to see."""
        return 1.22 * max(np.max(length(self.polhode)), 0.0 if self.axes is None else 0.8 * np.max(length(self.axes.T)))

    @property
    def corners(self):
        """Of the part of the invariable plane that is drawn."""
        return self.reach * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float) - [0, 0, self.distance]

    @property
    def about(self):
        """The principal axis that the polhode goes about."""
        return int(np.argmax(np.abs(np.mean(np.linalg.solve(self.axes, self.polhode.T), axis=1))))


def construction(polhode_B, herpolhode_S, q, L_S, at=0, tensor=None):
    """From the rows of a run without torque, or None where a body at rest has no contact point. The tensor is found
    from the rows where it is not told."""
    if not len(polhode_B) or not np.all(np.isfinite(polhode_B)) or not np.all(np.isfinite(herpolhode_S)):
        return None
    attitude = rotation_matrix(q[at])
    up = -L_S[at] / np.linalg.norm(L_S[at])
    frame = frame_with(up, herpolhode_S[0])
    tensor = tensor_of_rows(polhode_B, q, L_S) if tensor is None else tensor
    distance = float(polhode_B[at] @ attitude.T @ -up)
    half_axes = None if tensor is None else frame @ attitude @ ellipsoid_axes(tensor)
    return Construction(polhode_B @ (frame @ attitude).T, herpolhode_S @ frame.T - [0.0, 0.0, distance], half_axes,
                        distance, at)


def ellipsoid_axes(tensor):
    """Half-axes of rho . I rho = 1, as columns."""
    moments, directions = np.linalg.eigh(tensor)
    return directions / np.sqrt(moments)


@np.errstate(all="ignore")
def contact_curves(run) -> "tuple[np.ndarray, np.ndarray]":
    """Polhode in body axes and herpolhode in space, of a run whose file has no columns for them: not finite at rest."""
    rho = run.w_B / np.sqrt(np.sum(run.w_B * run.pi_B, axis=1))[:, None]
    normal = run.L_S / length(run.L_S)[:, None]
    contact = np.einsum("nij,nj->ni", rotation_matrices(run.q), rho)
    return rho, contact - normal * np.sum(contact * normal, axis=1)[:, None]


def tensor_of_rows(polhode_B, q, L_S):
    """The tensor of inertia in body axes, or None where the rows leave it open."""
    normal = np.einsum("nji,nj->ni", rotation_matrices(q), L_S)
    return fitted_tensor(polhode_B, normal / np.sum(polhode_B * normal, axis=1)[:, None])


def frame_with(up, towards):
    """Rows are the axes of the picture: the first along `towards` as far as it is level, the third up."""
    level = towards - up * (up @ towards)
    if np.linalg.norm(level) < 1e-9 * (np.linalg.norm(towards) or 1.0) or not np.any(level):
        level = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    level = level / np.linalg.norm(level)
    return np.array([level, np.cross(up, level), up])


def fitted_tensor(rho, normal, most=600):
    """The symmetric I with I rho = normal in the least squares; None where the rows leave it open."""
    some = np.arange(0, len(rho), max(len(rho) // most, 1))
    x, y, z = rho[some].T
    o = np.zeros(len(some))
    rows = np.concatenate([np.stack(row, axis=1) for row in (
        (x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))])            # of xx, yy, zz, xy, xz, yz
    solved, _, _, singular = np.linalg.lstsq(rows, normal[some].T.ravel(), rcond=None)
    if singular[-1] < 1e-6 * singular[0]:
        return None
    a, b, c, d, e, f = solved
    tensor = np.array([[a, d, e], [d, b, f], [e, f, c]])
    return tensor if np.min(np.linalg.eigvalsh(tensor)) > 0.0 else None


def rotation_matrix(q):
    return rotation_matrices(np.asarray(q)[None])[0]


def rotation_matrices(q):
    """Body to space, of unit quaternions with the scalar first."""
    w, x, y, z = np.asarray(q).T
    return np.moveaxis(np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                 [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), 2, 0)


def rings(about):
    """On the unit ball, with the look of each: sections with the principal planes, parallels about one principal
    axis."""
    for axis in range(3):
        others = [i for i in range(3) if i != axis]
        for part in (-0.75, -0.4, 0.0, 0.4, 0.75) if axis == about else (0.0,):
            ring = np.zeros((len(ROUND), 3))
            ring[:, axis] = part
            ring[:, others] = np.sqrt(1.0 - part * part) * np.column_stack([np.cos(ROUND), np.sin(ROUND)])
            yield ring, dict(color="#9a9a9a" if part == 0.0 else "#d0d0d0", linewidth=0.5)


def outline_of(view, axes):
    """Of the ellipsoid with these half-axes: where the line of sight is tangent."""
    sight = np.linalg.inv(axes) @ view.axes[2]
    u = np.cross(sight, np.eye(3)[int(np.argmin(np.abs(sight)))])
    v = np.cross(sight, u)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return (np.outer(np.cos(ROUND), u) + np.outer(np.sin(ROUND), v)) @ axes.T


def hidden_by(view, axes, points, on_surface):
    """For each segment, whether the ellipsoid is in front of it."""
    if axes is None:
        return np.zeros(max(len(points) - 1, 0), bool)
    to_ball = np.linalg.inv(axes)
    p, sight = points @ to_ball.T, to_ball @ view.axes[2]
    ahead = p @ sight
    if on_surface:
        return ahead[1:] < 0.0
    outside = np.sum(p * p, axis=1) - 1.0
    return ((ahead < 0.0) & (ahead * ahead > (sight @ sight) * outside))[1:]
