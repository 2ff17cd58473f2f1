"""What is drawn beside the shapes, from the numbers of a step: contacts and their forces, tendons, joint axes,
centres of mass, boxes of inertia."""

import numpy as np

from .. import _pliant
from .._contact import _DTYPE

_ARC_POINTS = 8  # of a tendon around a geom
_PULLEY = -2  # in wrap_obj


def contacts(data):
    """The contacts of the last step as one structured array: pos, frame, dist, geom, friction, solref …"""
    return data.contact_memory().view(_DTYPE)[:, 0]


def contact_forces(model, data):
    """(ncon, 3): what the second geom of each contact feels, in world axes [N]."""
    rows = contacts(data)
    out = np.zeros((len(rows), 3))
    if not len(rows):
        return out
    force = _pliant.row_array(data, "row_force")
    elliptic = int(model.opt.cone) == 1
    for dim in np.unique(rows["dim"]):
        chosen = np.flatnonzero((rows["efc_address"] >= 0) & (rows["dim"] == dim))
        at = rows["efc_address"][chosen][:, None]
        local = np.zeros((len(chosen), 3))  # along the normal and the two tangents
        if dim == 1 or elliptic:
            count = min(int(dim), 3)
            local[:, :count] = force[at + np.arange(count)]
        else:  # edges of a pyramid: normal ± friction
            edges = force[at + np.arange(2 * (dim - 1))]
            local[:, 0] = edges.sum(1)
            local[:, 1:] = rows["friction"][chosen][:, :2] * (edges[:, 0:4:2] - edges[:, 1:4:2])
        out[chosen] = np.einsum("nij,ni->nj", rows["frame"][chosen].reshape(-1, 3, 3), local)
    return out


def force_scale(model):
    """Length of an arrow per newton, as the reference has it."""
    return float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-12)


def _arc(model, data, geom, a, b):
    """Points between two of a tendon on the same wrapping geom: about its axis, or (a sphere) its centre."""
    centre = data.geom_xpos[geom]
    turn = data.geom_xmat[geom].reshape(3, 3)
    p, q = turn.T @ (a - centre), turn.T @ (b - centre)
    t = np.linspace(0, 1, _ARC_POINTS + 2)[1:-1, None]
    if int(model.geom_type[geom]) == 5:  # a cylinder: a helix
        u, v = np.arctan2(p[1], p[0]), np.arctan2(q[1], q[0])
        angle = u + t[:, 0] * ((v - u + np.pi) % (2 * np.pi) - np.pi)
        radius = (1 - t[:, 0]) * np.hypot(*p[:2]) + t[:, 0] * np.hypot(*q[:2])
        local = np.stack([radius * np.cos(angle), radius * np.sin(angle), (1 - t[:, 0]) * p[2] + t[:, 0] * q[2]], 1)
    else:
        straight = (1 - t) * p + t * q
        length = np.maximum(np.linalg.norm(straight, axis=1, keepdims=True), 1e-12)
        local = straight / length * ((1 - t) * np.linalg.norm(p) + t * np.linalg.norm(q))
    return centre + local @ turn.T


def tendon_paths(model, data):
    """[(tendon, (n, 3) points)]: a tendon with pulleys has several paths."""
    out = []
    points, objects = data.wrap_xpos.reshape(-1, 3), data.wrap_obj.ravel()
    for tendon in range(model.ntendon):
        start, count = int(data.ten_wrapadr[tendon]), int(data.ten_wrapnum[tendon])
        path = []
        for i in range(start, start + count):
            if objects[i] == _PULLEY:
                if len(path) > 1:
                    out.append((tendon, np.array(path)))
                path = []
                continue
            if path and objects[i] >= 0 and objects[i] == objects[i - 1]:
                path.extend(_arc(model, data, int(objects[i]), path[-1], points[i]))
            path.append(points[i])
        if len(path) > 1:
            out.append((tendon, np.array(path)))
    return out


def inertia_boxes(model):
    """(nbody, 3): half sizes of boxes with the mass and the inertia of the bodies."""
    mass, inertia = np.asarray(model.body_mass), np.asarray(model.body_inertia)
    total = inertia.sum(1, keepdims=True)
    square = np.where(mass[:, None] > 0, 1.5 * (total - 2 * inertia) / np.maximum(mass[:, None], 1e-12), 0)
    return np.sqrt(np.maximum(square, 0))


def quat_of_axis(axes):
    """(n, 4): turns that take z to each axis."""
    axes = np.asarray(axes, float).reshape(-1, 3)
    length = np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-12)
    x, y, z = (axes / length).T
    out = np.stack([1 + z, -y, x, np.zeros_like(z)], 1)
    out[z < -0.999999] = (0, 1, 0, 0)
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def quat_of_matrix(turn):
    """The quaternion of a rotation matrix (3, 3)."""
    # of the four ways to write it, the one with the largest divisor
    t = np.asarray(turn, float)
    squares = np.array([1 + t[0, 0] + t[1, 1] + t[2, 2], 1 + t[0, 0] - t[1, 1] - t[2, 2],
                        1 - t[0, 0] + t[1, 1] - t[2, 2], 1 - t[0, 0] - t[1, 1] + t[2, 2]])  # fmt: skip
    products = np.array([
        [squares[0], t[2, 1] - t[1, 2], t[0, 2] - t[2, 0], t[1, 0] - t[0, 1]],
        [t[2, 1] - t[1, 2], squares[1], t[0, 1] + t[1, 0], t[0, 2] + t[2, 0]],
        [t[0, 2] - t[2, 0], t[0, 1] + t[1, 0], squares[2], t[1, 2] + t[2, 1]],
        [t[1, 0] - t[0, 1], t[0, 2] + t[2, 0], t[1, 2] + t[2, 1], squares[3]],
    ])  # fmt: skip
    row = products[int(np.argmax(squares))]
    return row / np.linalg.norm(row)
