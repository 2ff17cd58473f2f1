"""Functions of MuJoCo's package that are short enough to be written in Python: models, checks, rows, coordinates."""

import copy
import operator
import warnings

import numpy as np

from . import _enums, _math, _pliant
from ._callbacks import refuse_callbacks
from ._pliant import FatalError
from ._wrappers import like_native


def mj_name2id(m, type, name):
    """Id of the object of this kind (mjtObj) and name; -1 when there is none."""
    return m.id(operator.index(type), bytes(name).decode() if isinstance(name, (bytes, bytearray)) else name)


def mj_id2name(m, type, id):
    """Name of the object of this kind (mjtObj) and id; None when it has none or does not exist."""
    return m.name(operator.index(type), operator.index(id)) or None


def mj_setKeyframe(m, d, k):
    """Keeps the state as keyframe k of the model."""
    if not 0 <= k < m.nkey:
        bound = f"smaller than {m.nkey} (keyframes allocated in model)" if k >= 0 else "non-negative"
        raise FatalError(f"mj_setKeyframe: index must be {bound}")
    m.key_time[k] = d.time
    m.key_qpos[k], m.key_qvel[k], m.key_act[k], m.key_ctrl[k] = d.qpos, d.qvel, d.act, d.ctrl
    m.key_plastic[k] = d.plastic
    m.key_mpos[k], m.key_mquat[k] = d.mocap_pos.ravel(), d.mocap_quat.ravel()


def _from_file(m, id):
    """A texture that stayed in its file, as the compiler reads it."""
    from . import _spec

    first = int(m.tex_pathadr[id])
    path = m.paths[first:].split(b"\0", 1)[0].decode() if first >= 0 else ""
    spec = _spec.MjSpec()
    spec.add_texture(name="texture", type=int(m.tex_type[id]), file=path, embed=_enums.mjtEmbed.mjEMBED_TRUE,
                     nchannel=int(m.tex_nchannel[id]))  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # (a texture without a file is a warning to the compiler)
            return spec.compile()
    except (ValueError, UserWarning) as error:
        raise ValueError(f"texture {id}: {path} cannot be read: {error}") from None


def mj_loadTexture(m, id):
    """Pixels of a texture, (height, width, channels) bytes, and its mjtColorSpace; of one that stayed in its file,
    those of the file."""
    if not 0 <= id < m.ntex:
        raise ValueError(f"mj_loadTexture: texture {id} is out of range: the model has {m.ntex}")
    if m.tex_adr[id] < 0:
        m, id = _from_file(m, id), 0
    shape = int(m.tex_height[id]), int(m.tex_width[id]), int(m.tex_nchannel[id])
    first = int(m.tex_adr[id])
    return m.tex_data[first : first + int(np.prod(shape))].reshape(shape).copy(), int(m.tex_colorspace[id])


def mj_embedAssets(m):
    """A copy of the model with all assets in it: textures that stayed in their files, too."""
    if not np.any(m.tex_adr < 0):
        return copy.copy(m)
    for id in np.flatnonzero(m.tex_adr < 0):
        _from_file(m, int(id))  # what cannot be read is said by its number
    source = m.__dict__.get("_source")
    if source is None:
        raise ValueError("mj_embedAssets: textures by reference can be embedded in models that were loaded from XML")
    from . import _spec

    assets = source.get("assets")
    spec = (_spec.MjSpec.from_file(source["path"], assets=assets) if "path" in source
            else _spec.MjSpec.from_string(source["xml"], assets=assets))  # fmt: skip
    spec.compiler.passthrough = _enums.mjtPassthrough.mjPASSTHROUGH_NONE
    for texture in spec.textures:
        texture.embed = _enums.mjtEmbed.mjEMBED_AUTO
    whole = spec.compile()
    # numbers that were changed since then
    for row in _pliant.model_fields():
        name = row["name"]
        values = getattr(m, name)
        if row["class"] == "structure" or name.startswith("tex_") or not isinstance(values, np.ndarray):
            continue
        getattr(whole, name)[...] = values
    for part in ("opt", "vis", "stat"):
        for name in dir(getattr(m, part)):
            value = getattr(getattr(m, part), name)
            if not name.startswith("_") and not callable(value) and isinstance(value, (int, float, np.ndarray)):
                setattr(getattr(whole, part), name, value)
    return whole


def mj_getTotalmass(m):
    """Sum of all masses [kg]."""
    return float(m.body_mass.sum())


def mj_setTotalmass(m, newmass):
    """Scales masses and inertias so that the masses add up to newmass; mj_setConst is left to the caller."""
    scale = max(_enums.mjMINVAL, float(newmass) / max(_enums.mjMINVAL, mj_getTotalmass(m)))
    m.body_mass *= scale
    m.body_inertia *= scale


def mj_isPyramidal(m):
    """Whether friction cones are pyramids."""
    return int(m.opt.cone == _enums.mjtCone.mjCONE_PYRAMIDAL)


def mj_isSparse(m):
    """Whether the reference would use sparse Jacobians; Pliant's have one form."""
    auto = m.opt.jacobian == _enums.mjtJacobian.mjJAC_AUTO and m.nv >= 60
    return int(auto or m.opt.jacobian == _enums.mjtJacobian.mjJAC_SPARSE)


def mj_isDual(m):
    """Whether the constraint solver works on forces."""
    return int(m.opt.solver == _enums.mjtSolver.mjSOL_PGS or m.opt.noslip_iterations > 0)


def mj_version():
    """Version of the reference whose names these are."""
    return _enums.mjVERSION_HEADER


def mj_versionString():
    """Version of the reference whose names these are, as text."""
    return "4.0.1"


def mj_sizeModel(m):
    """Bytes that mj_saveModel writes."""
    return len(m._without_places())


def mj_saveModel(m, filename=None, buffer=None):
    """Writes a compiled model as a .plm file, or into an array of bytes; MjModel.from_binary_path reads it. Equal
    models give equal bytes: where their elements stand in files is left out (pickles and `pliant compile` keep it)."""
    content = m._without_places()
    if filename is not None:
        with open(filename, "wb") as file:
            file.write(content)
    elif buffer is not None:
        if len(buffer) < len(content):
            raise TypeError(f"mj_saveModel(): buffer should have {len(content)} bytes, not {len(buffer)}")
        buffer[: len(content)] = np.frombuffer(content, np.uint8)


# ---- options -------------------------------------------------------------------------------------


def mj_defaultOption(opt):
    """Options to their defaults."""
    fresh = _pliant.MjOption()
    for name in dir(fresh):
        if not name.startswith("_"):
            setattr(opt, name, getattr(fresh, name))


def mj_defaultLROpt(opt):
    """Options of the computation of length ranges to their defaults."""
    fresh = _pliant.MjLROpt()
    for name in dir(fresh):
        if not name.startswith("_"):
            setattr(opt, name, getattr(fresh, name))


def mj_defaultVisual(vis):
    """Settings for viewers to their defaults."""
    fresh = _pliant.MjVisual()
    for part in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        for name in dir(getattr(fresh, part)):
            if not name.startswith("_"):
                setattr(getattr(vis, part), name, getattr(getattr(fresh, part), name))


def mj_defaultSolRefImp(solref, solimp):
    """Softness of constraints to its default."""
    given = [("solref", solref, (0.02, 1)), ("solimp", solimp, (0.9, 0.95, 0.001, 0.5, 2))]
    given = [(name, array, values) for name, array, values in given if array is not None]
    for name, array, values in given:
        if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.size != len(values):
            raise TypeError(f"mj_defaultSolRefImp(): {name} should be an array of {len(values)} float64")
    for _, array, values in given:
        array.flat[:] = values


# ---- resets and checks ---------------------------------------------------------------------------


def mj_resetCtrl(m, d):
    """Controls to zero; those that are quaternions to no rotation."""
    d.ctrl[:] = _pliant.State(m).ctrl


def mj_resetDataDebug(m, d, debug_value):
    """mj_resetData, then computed numbers to debug_value (0 … 255 in every byte)."""
    _pliant.mj_resetData(m, d)
    if debug_value:
        for row in _pliant.data_fields():
            getattr(d.data, row["name"]).view(np.uint8)[...] = debug_value


# ---- rows and matrices ---------------------------------------------------------------------------


def _product(function, matrix, res, vec):
    vec = np.asarray(vec, float).ravel()
    rows, columns = matrix.shape
    if vec.size != columns or res.size != rows:
        raise TypeError(f"{function}(): vec should be of shape ({columns},), but it is {vec.shape}; res of shape "
                        f"({rows},),"
                        f" but it is {res.shape}")  # fmt: skip
    res.flat[:] = matrix @ vec


def mj_mulJacVec(m, d, res, vec):
    """res = J vec: velocities of the constraint rows."""
    _product("mj_mulJacVec", _pliant.row_jacobian(m, d.data), res, vec)


def mj_mulJacTVec(m, d, res, vec):
    """res = J' vec: what forces of the constraint rows do to the dofs."""
    _product("mj_mulJacTVec", _pliant.row_jacobian(m, d.data).T, res, vec)


def mj_island(m, d):
    """Does nothing: mj_makeConstraint finds islands."""


def mj_addM(m, d, dst, rownnz=None, rowadr=None, colind=None):
    """Adds the mass matrix to dst: dense, or the lower triangle compressed by rows."""
    full = np.zeros((m.nv, m.nv))
    _pliant.mj_fullM(m, d, full)
    if rownnz is None or np.size(rownnz) == 0:
        dst.reshape(m.nv, m.nv)[...] += full
        return
    for row in range(m.nv):
        at = slice(rowadr[row], rowadr[row] + rownnz[row])
        columns = colind[at]
        dst[at] += np.where(columns <= row, full[row, columns], 0)


def mj_local2Global(d, xpos, xmat, pos, quat, body, sameframe):
    """A pose of a body's frame in the world; sameframe (mjtSameFrame) says which frame it is the same as."""
    same, kinds = int(sameframe), _enums.mjtSameFrame
    turn, place = d.xquat[body], d.xpos[body]
    inertial = same in (kinds.mjSAMEFRAME_INERTIA, kinds.mjSAMEFRAME_INERTIAROT)
    if same in (kinds.mjSAMEFRAME_BODY, kinds.mjSAMEFRAME_INERTIA):
        xpos.flat[:] = d.xipos[body] if inertial else place
    else:
        _math.FUNCTIONS["mju_trnVecPose"](xpos, place, turn, pos)
    if same == kinds.mjSAMEFRAME_NONE:
        product = np.zeros(4)
        _math.FUNCTIONS["mju_mulQuat"](product, turn, quat)
        _math.FUNCTIONS["mju_quat2Mat"](xmat, product)
    else:
        xmat.flat[:] = d.ximat[body] if inertial else d.xmat[body]


# ---- flags ---------------------------------------------------------------------------------------


def _with_flag(name, flag, at):
    """The compiled function, with a flag that may be a number as in C, too."""
    native = getattr(_pliant, name)

    def as_bool(value):
        if not isinstance(value, (bool, int, float, np.bool_, np.number)):
            raise TypeError(f"{name}(): {flag} should be a bool, not {type(value).__name__}")
        return bool(value)

    def call(*args, **kwargs):
        if name.startswith("mjd_"):  # differences of steps that call no Python
            refuse_callbacks(name)
        if flag in kwargs:
            kwargs[flag] = as_bool(kwargs[flag])
        elif len(args) > at:
            args = (*args[:at], as_bool(args[at]), *args[at + 1 :])
        return native(*args, **kwargs)

    return like_native(call, native, name)


mj_ray = _with_flag("mj_ray", "flg_static", 5)
mj_multiRay = _with_flag("mj_multiRay", "flg_static", 5)
mjd_inverseFD = _with_flag("mjd_inverseFD", "flg_actuation", 3)
mjd_transitionFD = _with_flag("mjd_transitionFD", "flg_centered", 3)


def mju_boxQP(res, R, index, H, g, lower=None, upper=None):
    """Minimises ½ xᵀHx + gᵀx in a box, from res, which becomes the answer. Returns how many numbers are off the bounds
    (their numbers are in index, the Cholesky factor of their part of H in R), or -1 when H is not positive definite."""
    n, target = np.size(res), res
    matrix, slope = np.asarray(H, float).reshape(n, n), np.asarray(g, float).reshape(n)
    low = np.full(n, -np.inf) if lower is None else np.asarray(lower, float).reshape(n)
    high = np.full(n, np.inf) if upper is None else np.asarray(upper, float).reshape(n)
    x = np.clip(np.asarray(res, float).reshape(n), low, high)
    free, factor = np.arange(n), None
    for _ in range(100):
        gradient = slope + matrix @ x
        free = np.flatnonzero(~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))))
        try:
            factor = np.linalg.cholesky(matrix[np.ix_(free, free)]) if len(free) else np.zeros((0, 0))
        except np.linalg.LinAlgError:
            return -1
        if np.linalg.norm(gradient[free]) < 1e-12 * (1 + np.linalg.norm(slope)):
            break
        step = np.zeros(n)
        step[free] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[free]))
        cost, length = x @ (0.5 * matrix @ x + slope), 1.0
        while length > 1e-12:  # the projected step may be too long for a sufficient decrease
            candidate = np.clip(x + length * step, low, high)
            change = candidate @ (0.5 * matrix @ candidate + slope) - cost
            if change <= 0.1 * gradient @ (candidate - x):
                break
            length /= 2
        if np.array_equal(candidate, x):
            break
        x = candidate
    target.reshape(-1)[:] = x
    if index is not None:
        index[: len(free)] = free
    if R is not None and factor is not None:
        R.flat[: factor.size] = factor.ravel()
    return len(free)


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid=None):
    """Distance along vec from pnt to a mesh of triangles, or -1; vertid[0] becomes the nearest vertex, or -1."""
    if nface < 0 or nvert < 0:
        raise ValueError(f"mju_raySkin(): nface and nvert cannot be negative: {nface}, {nvert}")
    face, vert = np.asarray(face), np.asarray(vert, float)
    for name, array, count in (("face", face, nface), ("vert", vert, nvert)):
        if array.size != 3 * count:
            raise TypeError(f"mju_raySkin(): {name} should be of shape ({count}, 3), but it is {array.shape}")
    face, vert = face.reshape(-1, 3), vert.reshape(-1, 3)
    if face.size and (face.min() < 0 or face.max() >= nvert):
        raise ValueError(f"mju_raySkin(): face names vertex {face.max() if face.min() >= 0 else face.min()} of {nvert}")
    start, along = np.asarray(pnt, float).ravel(), np.asarray(vec, float).ravel()
    if vertid is not None:
        vertid[0] = -1
    corners = vert[face]
    one, two, to = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], start - corners[:, 0]
    # x = distance, weights of corners 1 and 2, by Cramer's rule
    across = np.cross(along, two)
    volume = np.einsum("ij,ij->i", one, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.einsum("ij,ij->i", to, across) / volume
        turned = np.cross(to, one)
        second = turned @ along / volume
        distance = np.einsum("ij,ij->i", two, turned) / volume
        hit = (first >= 0) & (second >= 0) & (first + second <= 1) & (distance >= 0)
    if not np.any(hit):
        return -1.0
    best = np.flatnonzero(hit)[np.argmin(distance[hit])]
    if vertid is not None:
        point = start + distance[best] * along
        vertid[0] = face[best, np.argmin(np.linalg.norm(corners[best] - point, axis=1))]
    return float(distance[best])


FUNCTIONS = {name: value for name, value in list(globals().items()) if name.startswith(("mj_", "mjd_", "mju_"))}
