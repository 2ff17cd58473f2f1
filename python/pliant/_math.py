"""The helpers mju_* under MuJoCo's names: one line of the table each.

A line is (arguments, function, meaning). Arguments are words: `x` is a number, `vec:3` an array of three numbers,
`vec:n` one of any size, `mat:n,m` a matrix; `>res:3` is written, `=res:3` read and written; sizes of the same letter
are equal. The function gets what is read and gives what is written, then what is returned where the line ends in `->`.
Sizes are checked here, once, for all of them.
"""

import math
import random

import numpy as np

from . import _enums, _pliant

_MIN = _enums.mjMINVAL
_I4 = (1.0, 0.0, 0.0, 0.0)

# ---- vectors -------------------------------------------------------------------------------------


def _normalize(v):
    norm = math.sqrt(float(v @ v))
    if norm < _MIN:
        unit = np.zeros_like(v)
        unit[0] = 1
        return unit, norm
    return v / norm, norm


def _normalize_quat(q):
    norm = math.sqrt(float(q @ q))
    if norm < _MIN:
        return np.array(_I4), norm
    return (q / norm if abs(norm - 1) > _MIN else q), norm


def _cross(a, b):
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))


# ---- quaternions (w, x, y, z) and poses ----------------------------------------------------------


def _mul_quat(a, b):
    (aw, ax, ay, az), (bw, bx, by, bz) = a.tolist(), b.tolist()
    return np.array((
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ))  # fmt: skip


def _neg_quat(q):
    return q * (1, -1, -1, -1)


def _quat_to_mat(q):
    w, x, y, z = q.tolist()
    return np.array((
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    ))  # fmt: skip


def _mat_to_quat(m):
    """From the largest of the four components, so that nothing small is divided by."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = m.tolist()
    if xx + yy + zz > 0:
        w = 0.5 * math.sqrt(1 + xx + yy + zz)
        q = (w, 0.25 * (zy - yz) / w, 0.25 * (xz - zx) / w, 0.25 * (yx - xy) / w)
    elif xx > yy and xx > zz:
        x = 0.5 * math.sqrt(1 + xx - yy - zz)
        q = (0.25 * (zy - yz) / x, x, 0.25 * (yx + xy) / x, 0.25 * (xz + zx) / x)
    elif yy > zz:
        y = 0.5 * math.sqrt(1 - xx + yy - zz)
        q = (0.25 * (xz - zx) / y, 0.25 * (yx + xy) / y, y, 0.25 * (zy + yz) / y)
    else:
        z = 0.5 * math.sqrt(1 - xx - yy + zz)
        q = (0.25 * (yx - xy) / z, 0.25 * (xz + zx) / z, 0.25 * (zy + yz) / z, z)
    return _normalize_quat(np.array(q))[0]


def _rotate(v, q):
    if tuple(q.tolist()) == _I4:
        return v.copy()
    u = q[1:]
    t = 2 * _cross(u, v)
    return v + q[0] * t + _cross(u, t)


def _axis_angle(axis, angle):
    if angle == 0:
        return np.array(_I4)
    return np.concatenate(([math.cos(angle / 2)], math.sin(angle / 2) * axis))


def _quat_to_vel(q, dt):
    axis, sine = _normalize(q[1:])
    speed = 2 * math.atan2(sine, float(q[0]))
    if speed > math.pi:
        speed -= 2 * math.pi
    return axis * (speed / dt)


def _quat_integrate(q, vel, scale):
    axis, speed = _normalize(vel)
    return _mul_quat(_normalize_quat(q)[0], _axis_angle(axis, speed * scale))


def _quat_z_to_vec(vec):
    unit, norm = _normalize(vec)
    if norm < _MIN:
        return np.array(_I4)
    axis = np.array((-unit[1], unit[0], 0.0))  # z x unit
    axis, sine = _normalize(axis)
    if abs(sine) < _MIN:
        return np.array((0.0, 1, 0, 0) if unit[2] < 0 else _I4)
    return _axis_angle(axis, math.atan2(sine, float(unit[2])))


def _euler_to_quat(euler, seq):
    """Lower-case letters are axes that move with the frame, upper-case ones stay."""
    if len(seq) != 3:
        raise _pliant.FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    for i, letter in enumerate(seq):
        if letter not in "xyzXYZ":
            raise _pliant.FatalError(f"mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z")
    result = np.array(_I4)
    for angle, letter in zip(euler.tolist(), seq):
        turn = np.array((math.cos(angle / 2), 0.0, 0.0, 0.0))
        turn[1 + "xyz".index(letter.lower())] = math.sin(angle / 2)
        result = _mul_quat(result, turn) if letter.islower() else _mul_quat(turn, result)
    return result


def _deriv_quat(q, vel):
    return 0.5 * _mul_quat(np.concatenate(([0.0], vel)), q)


def _mat_to_rot(q, m):
    """Rotation nearest to a matrix: columns are turned towards those of the matrix until nothing turns any more."""
    target = m.reshape(3, 3)
    for iteration in range(500):
        columns = _quat_to_mat(q).reshape(3, 3)
        turn = sum(np.cross(columns[:, i], target[:, i]) for i in range(3))
        turn = turn / (abs(float(np.sum(columns * target))) + _MIN)
        axis, angle = _normalize(turn)
        if angle < 1e-9:
            return q, iteration
        q = _normalize_quat(_mul_quat(_axis_angle(axis, angle), q))[0]
    return q, 500


def _mul_pose(pos1, quat1, pos2, quat2):
    return pos1 + _rotate(pos2, quat1), _normalize_quat(_mul_quat(quat1, quat2))[0]


def _neg_pose(pos, quat):
    inverse = _neg_quat(quat)
    return -_rotate(pos, inverse), inverse


def _transform_spatial(vec, flg_force, newpos, oldpos, rotation):
    """[angular, linear] about another point and in other axes; forces change their torque, motions their velocity."""
    angular, linear = vec[:3].copy(), vec[3:].copy()
    arm = newpos - oldpos
    if flg_force:
        angular -= _cross(arm, linear)
    else:
        linear -= _cross(arm, angular)
    turn = rotation.reshape(3, 3).T
    return np.concatenate((turn @ angular, turn @ linear))


# ---- matrices ------------------------------------------------------------------------------------


def _eig3(m):
    """Largest eigenvalue first; vectors in columns make a rotation."""
    values, vectors = np.linalg.eigh(m.reshape(3, 3))
    values, vectors = values[::-1], vectors[:, ::-1].copy()
    if np.linalg.det(vectors) < 0:
        vectors[:, 2] *= -1
    return values, vectors.ravel(), _mat_to_quat(vectors.ravel()), 1


def _chol_factor(mat, mindiag):
    """L in the lower triangle; pivots below mindiag become mindiag and lower the rank."""
    a, n = mat.copy(), len(mat)
    rank = n
    for j in range(n):
        pivot = a[j, j] - a[j, :j] @ a[j, :j]
        if pivot < mindiag:
            pivot, rank = mindiag, rank - 1
        a[j, j] = math.sqrt(pivot)
        a[j + 1 :, j] = (a[j + 1 :, j] - a[j + 1 :, :j] @ a[j, :j]) / a[j, j]
    return a, rank


def _chol_solve(mat, vec):
    lower = np.tril(mat)
    return np.linalg.solve(lower.T, np.linalg.solve(lower, vec))


def _chol_update(mat, x, flg_plus):
    """L L' ± x x', by rotations that take the elements of x in turn."""
    a, x, sign = mat.copy(), x.copy(), 1 if flg_plus else -1
    rank = n = len(x)
    for k in range(n):
        if x[k] == 0:
            continue
        square = a[k, k] ** 2 + sign * x[k] ** 2
        if square < _MIN:
            square, rank = _MIN, rank - 1
        root = math.sqrt(square)
        c, s = root / a[k, k], x[k] / a[k, k]
        a[k, k] = root
        a[k + 1 :, k] = (a[k + 1 :, k] + sign * s * x[k + 1 :]) / c
        x[k + 1 :] = c * x[k + 1 :] - s * a[k + 1 :, k]
    return a, x, rank


def _sparse_rows(mat, rownnz, rowadr, colind):
    for row, (n, first) in enumerate(zip(rownnz.tolist(), rowadr.tolist())):
        yield row, colind[first : first + n], mat[first : first + n]


def _sparse_to_dense(shape, mat, rownnz, rowadr, colind):
    out = np.zeros(shape)
    for row, columns, values in _sparse_rows(mat, rownnz, rowadr, colind):
        out[row, columns] = values
    return out


def _sym_to_dense(shape, mat, rownnz, rowadr, colind):
    lower = _sparse_to_dense(shape, mat, rownnz, rowadr, colind)
    return lower + np.tril(lower, -1).T


# A band-dense matrix: rows of the first ntotal - ndense have nband numbers that end at the diagonal, the others all
# ntotal.


def _band_diag(i, ntotal, nband, ndense):
    first = ntotal - ndense
    return i * nband + nband - 1 if i < first else first * nband + (i - first) * ntotal + i


def _band_to_dense(mat, ntotal, nband, ndense, flg_sym):
    out = np.zeros((ntotal, ntotal))
    for i in range(ntotal):
        width = min(i + 1, nband) if i < ntotal - ndense else i + 1
        at = _band_diag(i, ntotal, nband, ndense)
        out[i, i + 1 - width : i + 1] = mat[at + 1 - width : at + 1]
    return out + np.tril(out, -1).T if flg_sym else out


def _dense_to_band(mat, ntotal, nband, ndense):
    out = np.zeros((ntotal - ndense) * nband + ndense * ntotal)
    for i in range(ntotal):
        width = min(i + 1, nband) if i < ntotal - ndense else i + 1
        at = _band_diag(i, ntotal, nband, ndense)
        out[at + 1 - width : at + 1] = mat[i, i + 1 - width : i + 1]
    return out


def _band_mul(mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    return (vec.reshape(nvec, ntotal) @ _band_to_dense(mat.ravel(), ntotal, nband, ndense, flg_sym).T).ravel()


def _band_factor(mat, ntotal, nband, ndense, diagadd, diagmul):
    dense = _band_to_dense(mat, ntotal, nband, ndense, True)
    dense[np.diag_indices(ntotal)] += diagadd + diagmul * np.diag(dense)
    lower, rank = _chol_factor(dense, _MIN)
    return _dense_to_band(lower, ntotal, nband, ndense), float(np.diag(lower).min()) if rank == ntotal else 0.0


def _band_solve(mat, vec, ntotal, nband, ndense):
    return _chol_solve(_band_to_dense(mat, ntotal, nband, ndense, False), vec)


# ---- contacts, actuators, numbers ----------------------------------------------------------------


# As in the reference, mu has one number more than there are tangents: the last is not used.


def _decode_pyramid(force, pyramid, mu):
    n = len(mu) - 1
    plus, minus = pyramid[0 : 2 * n : 2], pyramid[1 : 2 * n : 2]
    result = force.copy()
    result[0] = pyramid[: 2 * n].sum()
    result[1 : n + 1] = (plus - minus) * mu[:n]
    return result


def _encode_pyramid(pyramid, force, mu):
    n = len(mu) - 1
    normal = force[0] / n
    tangent = np.minimum(normal, force[1 : n + 1] / mu[:n])
    result = pyramid.copy()
    result[: 2 * n] = np.column_stack((normal + tangent, normal - tangent)).ravel() / 2
    return result


def _muscle_scale(lengthrange, acc0, prm):
    force = prm[2] if prm[2] >= 0 else prm[3] / max(_MIN, acc0)
    return force, (lengthrange[1] - lengthrange[0]) / max(_MIN, prm[1] - prm[0])


def _muscle_gain(length, vel, lengthrange, acc0, prm):
    force, optimal = _muscle_scale(lengthrange, acc0, prm)
    lmin, lmax, vmax, fvmax = prm[4], prm[5], prm[6], prm[8]
    x = prm[0] + (length - lengthrange[0]) / max(_MIN, optimal)
    v = vel / max(_MIN, optimal * vmax)
    low, high = (lmin + 1) / 2, (1 + lmax) / 2
    if x < lmin or x > lmax:
        by_length = 0.0
    elif x <= low:
        by_length = 0.5 * ((x - lmin) / max(_MIN, low - lmin)) ** 2
    elif x <= 1:
        by_length = 1 - 0.5 * ((1 - x) / max(_MIN, 1 - low)) ** 2
    elif x <= high:
        by_length = 1 - 0.5 * ((x - 1) / max(_MIN, high - 1)) ** 2
    else:
        by_length = 0.5 * ((lmax - x) / max(_MIN, lmax - high)) ** 2
    y = fvmax - 1
    if v <= -1:
        by_speed = 0.0
    elif v <= 0:
        by_speed = (v + 1) ** 2
    elif v <= y:
        by_speed = fvmax - (y - v) ** 2 / max(_MIN, y)
    else:
        by_speed = fvmax
    return float(-force * by_length * by_speed)


def _muscle_bias(length, lengthrange, acc0, prm):
    force, optimal = _muscle_scale(lengthrange, acc0, prm)
    x = prm[0] + (length - lengthrange[0]) / max(_MIN, optimal)
    high = (1 + prm[5]) / 2
    if x <= 1:
        return 0.0
    if x <= high:
        return float(-force * prm[7] * 0.5 * ((x - 1) / max(_MIN, high - 1)) ** 2)
    return float(-force * prm[7] * (0.5 + (x - high) / max(_MIN, high - 1)))


def _sigmoid(x):
    x = min(1.0, max(0.0, x))
    return x * x * x * (3 * x * (2 * x - 5) + 10)


def _muscle_dynamics(ctrl, act, prm):
    ctrl, clamped = min(1.0, max(0.0, ctrl)), min(1.0, max(0.0, act))
    rise, fall = prm[0] * (0.5 + 1.5 * clamped), prm[1] / (0.5 + 1.5 * clamped)
    change = ctrl - act
    if prm[2] < _MIN:
        tau = rise if change > 0 else fall
    else:
        tau = fall + (rise - fall) * _sigmoid(change / prm[2] + 0.5)
    return float(change / max(_MIN, tau))


def _spring_damper(pos0, vel0, kp, kv, dt):
    """x'' = -kp x - kv x', exactly: over-, critically or under-damped."""
    det = kv * kv / 4 - kp
    if abs(det) <= _MIN * _MIN:
        r = -kv / 2
        return (pos0 + (vel0 - r * pos0) * dt) * math.exp(r * dt)
    if det > 0:
        r1, r2 = -kv / 2 + math.sqrt(det), -kv / 2 - math.sqrt(det)
        c2 = (vel0 - r1 * pos0) / (r2 - r1)
        return (pos0 - c2) * math.exp(r1 * dt) + c2 * math.exp(r2 * dt)
    w = math.sqrt(-det)
    return math.exp(-kv * dt / 2) * (pos0 * math.cos(w * dt) + (vel0 + pos0 * kv / 2) / w * math.sin(w * dt))


def _halton(index, base):
    result, fraction = 0.0, 1.0 / base
    while index > 0:
        index, digit = divmod(index, base)
        result += fraction * digit
        fraction /= base
    return result


def _round(x):
    if math.isnan(x):
        return -(2**31)
    # not floor(|x| + 0.5): that sum is rounded, and the largest number below 0.5 would become 1
    whole = math.trunc(min(max(x, -(2.0**31)), 2.0**31 - 1))
    if abs(x - whole) >= 0.5 and -(2**31) < whole < 2**31 - 1:
        whole += 1 if x > 0 else -1
    return whole


def _number_of_bytes(n):
    letters = iter("KMGTPE")
    letter = ""
    while n and n % 1024 == 0:
        n, letter = n // 1024, next(letters)
    return f"{n}{letter}"


TABLE = {
    # numbers
    "mju_clip": ("x min max ->", lambda x, low, high: min(max(x, low), high), "x, not below min and not above max"),
    "mju_max": ("a b ->", max, "the larger one"),
    "mju_min": ("a b ->", min, "the smaller one"),
    "mju_sign": ("x ->", lambda x: float((x > 0) - (x < 0)), "1, -1 or 0"),
    "mju_round": ("x ->", _round, "the nearest integer that fits into 32 bits; halves go away from zero"),
    "mju_isBad": ("x ->", lambda x: int(not abs(x) <= _enums.mjMAXVAL), "1 if NaN or beyond 1e10"),
    "mju_sigmoid": ("x ->", _sigmoid, "smooth step from 0 at 0 to 1 at 1, of order five"),
    "mju_Halton": ("index:i base:i ->", _halton, "number `index` of the Halton sequence of a base"),
    "mju_springDamper": ("pos0 vel0 Kp Kv dt ->", _spring_damper, "position of a damped spring after time dt"),
    "mju_writeNumBytes": ("nbytes:i ->", _number_of_bytes, "a number of bytes for people"),
    "mju_standardNormal": ("num2:? ->", lambda num2: random.gauss(0, 1),
                           "a random number of the normal distribution, by Python's `random`; num2 is not written"),
    # vectors of three and more
    "mju_zero3": (">res:3", lambda: 0, "res = 0"),
    "mju_zero4": (">res:4", lambda: 0, "res = 0"),
    "mju_zero": (">res:n", lambda: 0, "res = 0"),
    "mju_fill": (">res:n val", lambda val: val, "res = val"),
    "mju_copy3": (">res:3 data:3", lambda a: a, "res = data"),
    "mju_copy4": (">res:4 data:4", lambda a: a, "res = data"),
    "mju_copy": (">res:n vec:n", lambda a: a, "res = vec"),
    "mju_n2d": (">res:n vec:n", lambda a: a, "res = vec"),
    "mju_d2n": (">res:n vec:n", lambda a: a, "res = vec"),
    "mju_n2f": (">res:n:float32 vec:n", lambda a: a, "res = vec, rounded to float32"),
    "mju_f2n": (">res:n vec:n:float32", lambda a: a, "res = vec, from float32"),
    "mju_add3": (">res:3 vec1:3 vec2:3", lambda a, b: a + b, "res = vec1 + vec2"),
    "mju_add": (">res:n vec1:n vec2:n", lambda a, b: a + b, "res = vec1 + vec2"),
    "mju_sub3": (">res:3 vec1:3 vec2:3", lambda a, b: a - b, "res = vec1 - vec2"),
    "mju_sub": (">res:n vec1:n vec2:n", lambda a, b: a - b, "res = vec1 - vec2"),
    "mju_addTo3": ("=res:3 vec:3", lambda r, a: r + a, "res = res + vec"),
    "mju_addTo": ("=res:n vec:n", lambda r, a: r + a, "res = res + vec"),
    "mju_subFrom3": ("=res:3 vec:3", lambda r, a: r - a, "res = res - vec"),
    "mju_subFrom": ("=res:n vec:n", lambda r, a: r - a, "res = res - vec"),
    "mju_scl3": (">res:3 vec:3 scl", lambda a, s: a * s, "res = vec scl"),
    "mju_scl": (">res:n vec:n scl", lambda a, s: a * s, "res = vec scl"),
    "mju_addScl3": (">res:3 vec1:3 vec2:3 scl", lambda a, b, s: a + b * s, "res = vec1 + vec2 scl"),
    "mju_addScl": (">res:n vec1:n vec2:n scl", lambda a, b, s: a + b * s, "res = vec1 + vec2 scl"),
    "mju_addToScl3": ("=res:3 vec:3 scl", lambda r, a, s: r + a * s, "res = res + vec scl"),
    "mju_addToScl": ("=res:n vec:n scl", lambda r, a, s: r + a * s, "res = res + vec scl"),
    "mju_dot3": ("vec1:3 vec2:3 ->", lambda a, b: float(a @ b), "the scalar product"),
    "mju_dot": ("vec1:n vec2:n ->", lambda a, b: float(a @ b), "the scalar product"),
    "mju_cross": (">res:3 a:3 b:3", _cross, "res = a x b"),
    "mju_dist3": ("pos1:3 pos2:3 ->", lambda a, b: float(np.linalg.norm(a - b)), "the distance of two points"),
    "mju_norm3": ("vec:3 ->", lambda a: float(np.linalg.norm(a)), "the length"),
    "mju_norm": ("res:n ->", lambda a: float(np.linalg.norm(a)), "the length"),
    "mju_normalize3": ("=vec:3 ->", _normalize, "to unit length (x axis if there is none); gives the length before"),
    "mju_normalize4": ("=vec:4 ->", _normalize_quat, "a quaternion to unit length; gives the length before"),
    "mju_normalize": ("=res:n ->", _normalize, "to unit length (first axis if there is none); gives the length before"),
    "mju_L1": ("vec:n ->", lambda a: float(np.abs(a).sum()), "the sum of absolute values"),
    "mju_sum": ("vec:n ->", lambda a: float(a.sum()), "the sum"),
    "mju_isZero": ("vec:n ->", lambda a: int(not a.any()), "1 if all numbers are 0"),
    "mju_insertionSort": ("=list:n", np.sort, "numbers in increasing order"),
    "mju_insertionSortInt": ("=list:n:int32", np.sort, "integers in increasing order"),
    # rotations and poses
    "mju_unit4": (">res:4", lambda: _I4, "the quaternion of no rotation"),
    "mju_mulQuat": (">res:4 quat1:4 quat2:4", _mul_quat, "product of quaternions"),
    "mju_mulQuatAxis": (">res:4 quat:4 axis:3", lambda q, a: _mul_quat(q, np.concatenate(([0.0], a))),
                        "product of a quaternion and (0, axis)"),
    "mju_negQuat": (">res:4 quat:4", _neg_quat, "the opposite rotation"),
    "mju_quat2Mat": (">res:9 quat:4", _quat_to_mat, "rotation matrix of a quaternion"),
    "mju_mat2Quat": (">quat:4 mat:9", _mat_to_quat, "quaternion of a rotation matrix"),
    "mju_mat2Rot": ("=quat:4 mat:9 ->", _mat_to_rot,
                    "the rotation nearest to a matrix, starting from quat; gives the number of iterations"),
    "mju_rotVecQuat": (">res:3 vec:3 quat:4", _rotate, "a vector turned by a quaternion"),
    "mju_axisAngle2Quat": (">res:4 axis:3 angle", _axis_angle, "quaternion of a turn about a unit axis [rad]"),
    "mju_quat2Vel": (">res:3 quat:4 dt", _quat_to_vel, "the angular velocity that turns by a quaternion in time dt"),
    "mju_subQuat": (">res:3 qa:4 qb:4", lambda a, b: _quat_to_vel(_mul_quat(_neg_quat(b), a), 1.0),
                    "the rotation vector that leads from qb to qa"),
    "mju_derivQuat": (">res:4 quat:4 vel:3", _deriv_quat, "time derivative of a quaternion; vel in the world's axes"),
    "mju_quatIntegrate": ("=quat:4 vel:3 scale", _quat_integrate,
                          "turns a quaternion by the velocity vel for a time scale"),
    "mju_quatZ2Vec": (">quat:4 vec:3", _quat_z_to_vec, "the turn from the z axis to a vector"),
    "mju_euler2Quat": (">quat:4 euler:3 seq:s", _euler_to_quat,
                       "quaternion of three turns [rad]; seq names the axes: xyz move with the frame, XYZ stay"),
    "mju_mulPose": (">posres:3 >quatres:4 pos1:3 quat1:4 pos2:3 quat2:4", _mul_pose, "a pose within a pose"),
    "mju_negPose": (">posres:3 >quatres:4 pos:3 quat:4", _neg_pose, "the opposite pose"),
    "mju_trnVecPose": (">res:3 pos:3 quat:4 vec:3", lambda p, q, v: p + _rotate(v, q),
                       "a point given in a pose, outside of it"),
    "mju_transformSpatial": (">res:6 vec:6 flg_force:i newpos:3 oldpos:3 rotnew2old:9", _transform_spatial,
                             "motion or force [angular, linear] about another point, in other axes"),
    # matrices
    "mju_mulMatVec3": (">res:3 mat:9 vec:3", lambda m, v: m.reshape(3, 3) @ v, "res = mat vec"),
    "mju_mulMatTVec3": (">res:3 mat:9 vec:3", lambda m, v: m.reshape(3, 3).T @ v, "res = mat' vec"),
    "mju_mulMatVec": (">res:n mat:n,m vec:m", lambda m, v: m @ v, "res = mat vec"),
    "mju_mulMatTVec": (">res:m mat:n,m vec:n", lambda m, v: m.T @ v, "res = mat' vec"),
    "mju_mulVecMatVec": ("vec1:n mat:n,n vec2:n ->", lambda a, m, b: float(a @ m @ b), "vec1' mat vec2"),
    "mju_mulMatMat": (">res:n,k mat1:n,m mat2:m,k", lambda a, b: a @ b, "res = mat1 mat2"),
    "mju_mulMatMatT": (">res:n,k mat1:n,m mat2:k,m", lambda a, b: a @ b.T, "res = mat1 mat2'"),
    "mju_mulMatTMat": (">res:m,k mat1:n,m mat2:n,k", lambda a, b: a.T @ b, "res = mat1' mat2"),
    "mju_sqrMatTD": (">res:m,m mat:n,m diag:n?", lambda m, d: m.T @ (m if d is None else d[:, None] * m),
                     "res = mat' diag mat; None for diag: mat' mat"),
    "mju_transpose": (">res:m,n mat:n,m", lambda m: m.T, "res = mat'"),
    "mju_symmetrize": (">res:n,n mat:n,n", lambda m: (m + m.T) / 2, "res = (mat + mat') / 2"),
    "mju_eye": (">mat:n,n", None, "the unit matrix"),
    "mju_eig3": (">eigval:3 >eigvec:9 >quat:4 mat:9 ->", _eig3,
                 "eigenvalues, largest first, and vectors of a symmetric matrix"),
    "mju_cholFactor": ("=mat:n,n mindiag ->", _chol_factor, "L of mat = L L' into the lower triangle; gives the rank"),
    "mju_cholSolve": (">res:n mat:n,n vec:n", _chol_solve, "solves (mat mat') res = vec, mat from mju_cholFactor"),
    "mju_cholUpdate": ("=mat:n,n =x:n flg_plus:i ->", _chol_update,
                       "L of L L' + x x' (or -); x is used up; gives the rank"),
    "mju_dense2sparse": None,
    "mju_sparse2dense": None,
    "mju_sym2dense": None,
    "mju_bandDiag": ("i:i ntotal:i nband:i ndense:i ->", _band_diag,
                     "place of diagonal element i of a band-dense matrix"),
    "mju_band2Dense": (">res:n,n mat:k ntotal:i nband:i ndense:i flg_sym:i", _band_to_dense,
                       "a band-dense matrix as a dense one"),
    "mju_dense2Band": (">res:k mat:n,n ntotal:i nband:i ndense:i", _dense_to_band,
                       "a dense matrix as a band-dense one"),
    "mju_bandMulMatVec": (">res:k mat:q vec:l,p ntotal:i nband:i ndense:i nvec:i flg_sym:i", _band_mul,
                          "product of a band-dense matrix with several vectors"),
    "mju_cholFactorBand": ("=mat:n ntotal:i nband:i ndense:i diagadd diagmul ->", _band_factor,
                           "L of a band-dense matrix, diagonals raised before; gives its least diagonal, 0 if there is "
                           "no L"),
    "mju_cholSolveBand": (">res:n mat:k vec:n ntotal:i nband:i ndense:i", _band_solve,
                          "solves (mat mat') res = vec, mat from mju_cholFactorBand"),
    # contacts and muscles
    "mju_encodePyramid": ("=pyramid:k force:l mu:n", _encode_pyramid,
                          "forces of a pyramid's edges from normal and tangents"),
    "mju_decodePyramid": ("=force:l pyramid:k mu:n", _decode_pyramid,
                          "normal and tangents from forces of a pyramid's edges"),
    "mju_muscleGain": ("len vel lengthrange:2 acc0 prm:9 ->", _muscle_gain, "active force of a muscle"),
    "mju_muscleBias": ("len lengthrange:2 acc0 prm:9 ->", _muscle_bias, "passive force of a muscle"),
    "mju_muscleDynamics": ("ctrl act prm:3 ->", _muscle_dynamics, "rate of a muscle's activation"),
}  # fmt: skip
TABLE = {name: line for name, line in TABLE.items() if line}


# ---- from lines to functions ---------------------------------------------------------------------


class _Argument:
    """One word of a line."""

    def __init__(self, word):
        self.written, self.read = word[0] in ">=", word[0] != ">"
        name, *rest = word.lstrip(">=").split(":")
        self.name, self.optional = name, bool(rest) and rest[0].endswith("?")
        size = rest[0].rstrip("?") if rest else "f"
        self.kind = size if size in ("f", "i", "s", "") else "array"
        self.sizes = size.split(",") if self.kind == "array" else []
        self.dtype = np.dtype(rest[1] if len(rest) > 1 else "float64")

    def wanted(self, sizes):
        numbers = [size if size.isdigit() else str(sizes.get(size, size)) for size in self.sizes]
        return f"({', '.join(numbers)}{',' if len(numbers) == 1 else ''})"

    def check(self, function, array, sizes):
        """Learns sizes that are letters; raises when they differ."""
        shape = (array.size,) if len(self.sizes) == 1 else array.shape
        for size, have in zip(self.sizes, shape):
            if (int(size) if size.isdigit() else sizes.setdefault(size, have)) != have:
                break
        else:
            if len(shape) == len(self.sizes):
                return
        raise TypeError(f"{function}(): {self.name} should be of shape {self.wanted(sizes)}, but it is {array.shape}")

    def take(self, function, value, sizes):
        """The value as the line's function wants it."""
        if self.kind == "f":
            return float(value)
        if self.kind == "i":
            return int(value)
        if self.kind == "s":
            return value.decode() if isinstance(value, bytes) else value
        if self.kind == "" or (value is None and self.optional):
            return value
        if self.written:
            if not isinstance(value, np.ndarray) or value.dtype != self.dtype or not value.flags.writeable:
                found = f"{value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
                raise TypeError(f"{function}(): {self.name} should be a writeable array of {self.dtype}, not {found}")
            array = value
        else:
            array = np.asarray(value, self.dtype)
        self.check(function, array, sizes)
        return array.reshape(-1) if len(self.sizes) == 1 and array.ndim != 1 else array


def _memory(array):
    """The array as NumPy's own: subclasses of programs may do more than write when they are assigned to."""
    return array if type(array) is np.ndarray else array.view(np.ndarray)


def _make(name, line):
    words, compute, meaning = line
    returns = words.endswith("->")
    arguments = [_Argument(word) for word in words.removesuffix("->").split()]
    names = [argument.name for argument in arguments]
    outputs = [i for i, argument in enumerate(arguments) if argument.written]
    inputs = [i for i, argument in enumerate(arguments) if argument.read]

    def function(*args, **kwargs):
        if kwargs or len(args) != len(names):
            args = _bind(name, names, args, kwargs)
        sizes = {}
        values = [a.take(name, value, sizes) for a, value in zip(arguments, args)]
        results = compute(*[values[i] for i in inputs])
        if not outputs:
            return results
        if len(outputs) == 1 and not returns:
            results = (results,)
        for i, result in zip(outputs, results):
            target = args[i]
            if np.size(result) not in (1, target.size):
                raise TypeError(
                    f"{name}(): {names[i]} should have {np.size(result)} numbers, but its shape is {target.shape}"
                )
            if target.ndim == 1 or np.ndim(result) == target.ndim:
                _memory(target)[...] = result
            else:
                target.flat[:] = result
        return results[-1] if returns else None

    function.__name__ = function.__qualname__ = name
    function.__module__ = "pliant.mujoco"
    function.__doc__ = f"{name}({', '.join(names)})\n\n{meaning[0].upper()}{meaning[1:]}."
    function.words = words
    return function


def _bind(name, names, args, kwargs):
    values = dict(zip(names, args))
    unknown = [key for key in kwargs if key not in names or key in values]
    values |= kwargs
    missing = [key for key in names if key not in values]
    if len(args) > len(names) or unknown or missing:
        raise TypeError(f"{name}(): arguments are ({', '.join(names)}); given were {len(args)} and {sorted(kwargs)}")
    return [values[key] for key in names]


TABLE["mju_eye"] = ("=mat:n,n", lambda mat: np.eye(len(mat)), TABLE["mju_eye"][2])
FUNCTIONS = {name: _make(name, line) for name, line in TABLE.items()}


# ---- sparse matrices: the shape comes from the dense one -----------------------------------------


def _int32(function, **arrays):
    """Arrays that are written."""
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype != np.int32:
            raise TypeError(f"{function}(): {name} should be an array of int32")


def _integers(function, **arrays):
    """Arrays that are read: any whole numbers."""
    for name, array in arrays.items():
        array = np.asarray(array)
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"{function}(): {name} should hold whole numbers, not {array.dtype}")
        yield array.ravel()


def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    """A matrix compressed by rows as a dense one."""
    rownnz, rowadr, colind = _integers("mju_sparse2dense", rownnz=rownnz, rowadr=rowadr, colind=colind)
    _memory(res)[...] = _sparse_to_dense(res.shape, mat, rownnz, rowadr, colind)


def mju_sym2dense(res, mat, rownnz, rowadr, colind):
    """The lower triangle of a symmetric matrix, compressed by rows, as a dense matrix."""
    rownnz, rowadr, colind = _integers("mju_sym2dense", rownnz=rownnz, rowadr=rowadr, colind=colind)
    _memory(res)[...] = _sym_to_dense(res.shape, mat, rownnz, rowadr, colind)


def mju_dense2sparse(res, mat, rownnz, rowadr, colind):
    """A dense matrix compressed by rows; 1 if there is no room for all numbers, else 0."""
    _int32("mju_dense2sparse", rownnz=rownnz, rowadr=rowadr, colind=colind)
    at = 0
    for i, row in enumerate(mat):
        columns = np.flatnonzero(row)
        if at + len(columns) > len(res):
            return 1
        rowadr[i], rownnz[i] = at, len(columns)
        res[at : at + len(columns)], colind[at : at + len(columns)] = row[columns], columns
        at += len(columns)
    return 0


FUNCTIONS |= {f.__name__: f for f in (mju_sparse2dense, mju_sym2dense, mju_dense2sparse)}


# ---- names of kinds ------------------------------------------------------------------------------

# as documents write them; the others have no name
_TYPE_NAMES = """
    body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude equality tendon
    actuator sensor numeric text tuple key plugin
""".split()


def mju_str2Type(str):
    """Number (mjtObj) of a kind of objects, given by name; 0 if there is none."""
    if isinstance(str, (bytes, bytearray)):
        str = bytes(str).decode()
    if not hasattr(str, "encode"):
        raise TypeError(f"mju_str2Type(): str should be a text, not {type(str).__name__}")
    return 1 + _TYPE_NAMES.index(str) if str in _TYPE_NAMES else (_enums.mjtObj.mjOBJ_FRAME if str == "frame" else 0)


def mju_type2Str(type):
    """Name of a kind of objects (mjtObj); None if it has none."""
    index = int(type) - 1
    return (
        _TYPE_NAMES[index]
        if 0 <= index < len(_TYPE_NAMES)
        else ("frame" if int(type) == _enums.mjtObj.mjOBJ_FRAME else None)
    )


FUNCTIONS |= {f.__name__: f for f in (mju_str2Type, mju_type2Str)}


# ---- derivatives of quaternion functions ---------------------------------------------------------


def mjd_subQuat(qa, qb, Da, Db):
    """Derivatives of mju_subQuat by small turns of qa and of qb: 9 numbers each; None: not wanted.

    With v = mju_subQuat(qa, qb) = θ u they are the inverse right and the negative inverse left Jacobian of the rotation
    group.
    """
    v = np.zeros(3)
    FUNCTIONS["mju_subQuat"](v, qa, qb)
    angle = float(np.linalg.norm(v))
    half = angle / 2
    skew = np.array(((0, -v[2], v[1]), (v[2], 0, -v[0]), (-v[1], v[0], 0)))
    # (1 - (θ/2) cot(θ/2)) / θ², by its series where that cancels
    coefficient = (1 - half / math.tan(half)) / angle**2 if angle > 6e-4 else 1 / 12 + angle**2 / 720
    right = np.eye(3) + skew / 2 + coefficient * skew @ skew
    for target, value in ((Da, right), (Db, -right.T)):
        if target is not None:
            target.flat[:] = value


def mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale):
    """Derivatives of mju_quatIntegrate by a small turn of the quaternion, by vel scale and by scale; None: not
    wanted."""
    v = np.asarray(vel, float).ravel() * scale
    angle = float(np.linalg.norm(v))
    skew = np.array(((0, -v[2], v[1]), (v[2], 0, -v[0]), (-v[1], v[0], 0)))
    if angle > 1e-4:
        a, b = math.sin(angle) / angle, (1 - math.cos(angle)) / angle**2
        c = (angle - math.sin(angle)) / angle**3
    else:
        a, b, c = 1 - angle**2 / 6, 0.5 - angle**2 / 24, 1 / 6 - angle**2 / 120
    turn_back = np.eye(3) - a * skew + b * skew @ skew
    right = np.eye(3) - b * skew + c * skew @ skew
    for target, value in ((Dquat, turn_back), (Dvel, right), (Dscale, right @ np.asarray(vel, float).ravel())):
        if target is not None:
            target.flat[:] = value


FUNCTIONS |= {f.__name__: f for f in (mjd_subQuat, mjd_quatIntegrate)}
