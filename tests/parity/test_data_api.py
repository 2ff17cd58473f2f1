"""MjData and the functions of pliant.mujoco against the package whose names they carry.

Stages themselves are compared in test_dynamics.py. Here every function of both packages starts from the same
numbers, so that a difference is a difference of the function.
"""

import copy
import gc
import inspect
import itertools
import pathlib
import pickle
import re
import sys
import threading
import time

import mujoco as reference_module
import numpy as np
import pytest

import pliant
import pliant.mujoco as ours_module

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(__file__).resolve().parent / "cases"
MODELS = [CASES / "named_objects.xml", ROOT / "models" / "quadruped.xml"]

# Fields whose numbers mean nothing until the reference computes them, or that Pliant has otherwise.
LAYOUT_ONLY = {"narena", "nbuffer", "signature", "solver", "warning", "timer", "contact", "maxuse_stack",
               "maxuse_arena", "pstack", "parena", "pbase"}  # fmt: skip
ACCESSORS = "actuator body cam camera geom jnt joint light sensor site tendon ten".split()


class Pair:
    """The same file in both, in the same random state."""

    def __init__(self, path, seed=0):
        self.m, self.n = reference_module.MjModel.from_xml_path(str(path)), ours_module.MjModel.from_xml_path(path)
        for model in (self.m, self.n):
            model.opt.disableflags |= int(reference_module.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.d, self.e = reference_module.MjData(self.m), ours_module.MjData(self.n)
        rng = np.random.default_rng(seed)
        self.d.qvel[:] = rng.normal(size=self.m.nv)
        reference_module.mj_integratePos(self.m, self.d.qpos, rng.normal(size=self.m.nv), 0.3)
        self.d.ctrl[:] = rng.normal(size=self.m.nu)
        self.d.act[:] = rng.normal(size=self.m.na)
        self.d.userdata[:] = rng.normal(size=self.m.nuserdata)
        self.d.mocap_pos[:] += rng.normal(size=self.d.mocap_pos.shape)
        self.d.qacc_warmstart[:] = rng.normal(size=self.m.nv)
        self.d.qfrc_applied[:] = rng.normal(size=self.m.nv)
        self.d.xfrc_applied[:] = rng.normal(size=self.d.xfrc_applied.shape)
        self.d.time = 1.25
        reference_module.mj_forward(self.m, self.d)
        self.take()

    def take(self):
        """All numbers of the reference into ours."""
        self.e.time = self.d.time
        for row in (*pliant.state_fields(), *pliant.data_fields()):
            value = getattr(self.d, row["name"], None)
            if isinstance(value, np.ndarray):
                getattr(self.e, row["name"])[...] = value


@pytest.fixture(params=MODELS, ids=lambda path: path.stem)
def pair(request):
    return Pair(request.param)


@pytest.fixture
def model():
    return ours_module.MjModel.from_xml_path(CASES / "named_objects.xml")


def close(a, b, limit=1e-10):
    scale = max(np.max(np.abs(a), initial=0), 1e-3)
    return np.shape(a) == np.shape(b) and bool(np.all(np.abs(np.asarray(a) - b) <= limit * scale))


# ---- fields --------------------------------------------------------------------------------------


def test_fields_look_alike(pair):
    d, e = reference_module.MjData(pair.m), ours_module.MjData(pair.n)
    names = [name for name in dir(d) if not name.startswith("_") and not callable(getattr(d, name))]
    assert len(names) > 150
    for name in names:
        theirs, mine = getattr(d, name), getattr(e, name)
        if name == "model":
            assert mine is pair.n
        elif isinstance(theirs, np.ndarray):
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), name
            assert mine.flags.writeable and mine.flags.c_contiguous, name
        elif name not in LAYOUT_ONLY:
            assert (type(mine), mine) == (type(theirs), theirs), name
    for name in ("contact", "solver", "warning", "timer"):
        theirs, mine = getattr(d, name), getattr(e, name)
        assert len(theirs) == len(mine) and type(theirs).__name__ == type(mine).__name__
        for column in (column for column in dir(theirs) if not column.startswith("_")):
            a, b = getattr(theirs, column), getattr(mine, column)
            assert (a.shape, a.dtype) == (b.shape, b.dtype), f"{name}.{column}"


def test_callables_exist(pair):
    """Every method of the reference's MjData but bind."""
    for name in dir(pair.d):
        if not name.startswith("_") and callable(getattr(pair.d, name)) and not name.startswith("bind"):
            assert callable(getattr(pair.e, name)), name


def test_start(pair):
    d, e = reference_module.MjData(pair.m), ours_module.MjData(pair.n)
    for row in pliant.state_fields():
        assert np.array_equal(getattr(d, row["name"]), getattr(e, row["name"])), row["name"]


def test_views(model):
    data = ours_module.MjData(model)
    assert data.qpos is data.qpos
    data.qpos[0] = 7
    assert data.state.qpos[0] == 7 and data.joint("floating").qpos[0] == 7
    data.data.xpos[1] = 3
    assert data.body("base").xpos.tolist() == [3, 3, 3]
    data.time = 3
    assert data.time == 3 and data.state.time[0] == 3 and isinstance(data.time, float)


def test_assignment_copies(model):
    data = ours_module.MjData(model)
    view, numbers = data.ctrl, np.arange(model.nu, dtype=np.float32)
    data.ctrl = numbers
    assert data.ctrl is view and view.tolist() == numbers.tolist()
    data.ctrl = 0.5
    assert set(view) == {0.5}
    data.ctrl = [1] * model.nu
    data.body("base").xfrc_applied = [1, 2, 3, 4, 5, 6]
    assert data.xfrc_applied[1].tolist() == [1, 2, 3, 4, 5, 6]
    data.eq_active = 1
    assert data.eq_active.all() and data.eq_active.dtype == np.bool_


def test_bad_assignment(model):
    data = ours_module.MjData(model)
    with pytest.raises(ValueError, match=r"qpos has shape \(13,\) and cannot take an array of shape \(3,\)"):
        data.qpos = np.zeros(3)
    with pytest.raises(ValueError, match="qpos holds numbers"):
        data.qpos = ["a"] * model.nq
    with pytest.raises(ValueError, match="qpos holds numbers"):
        data.qpos = np.zeros(model.nq, complex)
    with pytest.raises(TypeError, match="ten_wrapadr holds int32 and cannot take float64"):
        data.ten_wrapadr = 1.5
    with pytest.raises(ValueError, match="xpos has shape"):
        data.xpos = np.zeros((2, 3))
    with pytest.raises(AttributeError, match="Did you mean 'qpos'"):
        data.qpo = 1
    with pytest.raises(AttributeError, match="Did you mean 'qpos'"):
        _ = data.qpo
    with pytest.raises(AttributeError):
        data.ncon = 3
    with pytest.raises(TypeError):
        data.time = "now"
    with pytest.raises(TypeError, match="MjModel"):
        ours_module.MjData(3)


def test_named_access(pair):
    seen = 0
    for accessor in ACCESSORS:
        for index in itertools.count():
            try:
                a = getattr(pair.d, accessor)(index)
            except IndexError:
                with pytest.raises(IndexError):
                    getattr(pair.e, accessor)(index)
                break
            b = getattr(pair.e, accessor)(a.name or index)
            assert (a.id, a.name) == (b.id, b.name)
            assert type(a).__name__ == type(b).__name__
            for attribute in (name for name in dir(a) if not name.startswith("_")):
                if attribute in ("id", "name"):
                    continue
                x, y = getattr(a, attribute), getattr(b, attribute)
                # the reference takes rows of these as if they were vectors: numbers of other dofs
                if attribute not in ("moment", "cdof", "cdof_dot"):
                    assert x.shape == y.shape and np.array_equal(x, y), f"{accessor}({b.name!r}).{attribute}"
                assert y.dtype == x.dtype
                seen += 1
    assert seen > 50
    with pytest.raises(KeyError, match="Invalid name 'no'. Valid names"):
        pair.e.body("no")


def test_actuator_moment_is_dense(pair):
    """length' = moment · qvel."""
    for index in range(pair.n.nactuator):
        actuator = pair.e.actuator(index)
        assert close(actuator.velocity, np.atleast_1d(actuator.moment @ pair.e.qvel))


def test_views_outlive_the_data(model):
    data = ours_module.MjData(model)
    qpos, xpos = data.qpos, data.body("base").xpos
    qpos[:] = 3
    count = sys.getrefcount(model)
    del data
    assert gc.collect() >= 0 and sys.getrefcount(model) < count  # freed at once: there is no cycle
    for _ in range(5):
        ours_module.MjData(model)
    assert set(qpos) == {3} and xpos.shape == (3,)


# ---- copies --------------------------------------------------------------------------------------


def test_copies(pair):
    for other in (copy.copy(pair.e), copy.deepcopy(pair.e), pickle.loads(pickle.dumps(pair.e))):
        assert other.time == pair.e.time
        for row in (*pliant.state_fields(), *pliant.data_fields()):
            if hasattr(pair.e, row["name"]):
                assert np.array_equal(getattr(other, row["name"]), getattr(pair.e, row["name"])), row["name"]
        other.qpos[0] += 1
        assert other.qpos[0] != pair.e.qpos[0]
    assert copy.copy(pair.e).model is pair.n
    assert copy.deepcopy(pair.e).model is not pair.n
    other = ours_module.MjData(pair.n)
    ours_module.mj_copyData(other, pair.n, pair.e)
    assert other.state.hash() == pair.e.state.hash()


def test_model_pickle(model):
    other = pickle.loads(pickle.dumps(model))
    assert type(other) is type(model) and other.names == model.names
    for row in pliant.model_fields():
        a, b = getattr(model, row["name"]), getattr(other, row["name"])
        assert a == b if isinstance(a, bytes) else np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    with pytest.raises(pliant.LoadError):
        type(model).__new__(type(model)).__setstate__(b"nonsense")


def test_data_of_another_model(model):
    small = ours_module.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="mj_step: the data belong to a model of other sizes"):
        ours_module.mj_step(small, ours_module.MjData(model))


# ---- state vectors -------------------------------------------------------------------------------

PARTS = [1 << bit for bit in range(14)]
SIGNATURES = [*PARTS, 0, 30, 8223, 8128, 16383, *range(3, 16384, 1237)]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_state_vectors(signature):
    pair = Pair(CASES / "named_objects.xml")
    n = reference_module.mj_stateSize(pair.m, signature)
    assert ours_module.mj_stateSize(pair.n, signature) == n
    a, b = np.zeros(n), np.zeros(n)
    reference_module.mj_getState(pair.m, pair.d, a, signature)
    ours_module.mj_getState(pair.n, pair.e, b, signature)
    assert np.array_equal(a, b)
    fresh = ours_module.MjData(pair.n)
    ours_module.mj_setState(pair.n, fresh, a, signature)
    c = np.zeros(n)
    ours_module.mj_getState(pair.n, fresh, c, signature)
    assert np.array_equal(a, c)
    other = ours_module.MjData(pair.n)
    ours_module.mj_copyState(pair.n, fresh, other, signature)
    assert other.state.hash() == fresh.state.hash()
    # a part of it: every second bit
    part = signature & 0b10101010101010
    x, y = (np.zeros(reference_module.mj_stateSize(pair.m, part)) for _ in range(2))
    reference_module.mj_extractState(pair.m, a, signature, x, part)
    ours_module.mj_extractState(pair.n, a, signature, y, part)
    assert np.array_equal(x, y)


def test_bad_state_vectors(model):
    data = ours_module.MjData(model)
    with pytest.raises(TypeError, match=r"state size should equal mj_stateSize"):
        ours_module.mj_getState(model, data, np.zeros(3), 2)
    with pytest.raises(TypeError, match="state size"):
        ours_module.mj_setState(model, data, np.zeros(3), 2)
    for signature in (1 << 15, -1):
        with pytest.raises(ours_module.FatalError, match="invalid state signature"):
            ours_module.mj_stateSize(model, signature)
    with pytest.raises(ours_module.FatalError):
        ours_module.mj_extractState(model, np.zeros(13), 2, np.zeros(11), 4)


# ---- functions -----------------------------------------------------------------------------------


def test_jacobians(pair):
    m, d, n, e, nv = pair.m, pair.d, pair.n, pair.e, pair.m.nv
    point = np.array([0.1, -0.2, 0.3])

    def both(name, *arguments, columns=slice(None)):
        a, b = np.zeros((2, 3, nv)), np.zeros((2, 3, nv))
        getattr(reference_module, name)(m, d, *a, *arguments)
        getattr(ours_module, name)(n, e, *b, *arguments)
        assert close(a[..., columns], b[..., columns]), name

    # a ball that slide joints of the same body follow: ours is the derivative (JacobiansOfABody), the reference's is
    # not
    ball = m.jnt_type[m.dof_jntid] == reference_module.mjtJoint.mjJNT_BALL
    last_joint = m.body_jntadr[m.dof_bodyid] + m.body_jntnum[m.dof_bodyid] - 1
    differentiable = ~(ball & (m.dof_jntid < last_joint))
    for body in range(m.nbody):
        both("mj_jac", point, body)
        both("mj_jacDot", point, body, columns=differentiable)
        both("mj_jacBody", body)
        both("mj_jacBodyCom", body)
        both("mj_jacPointAxis", point, np.array([0.6, 0, 0.8]), body)
        for name in ("mj_jacSubtreeCom", "mj_angmomMat"):
            a, b = np.zeros((3, nv)), np.zeros((3, nv))
            getattr(reference_module, name)(m, d, a, body)
            getattr(ours_module, name)(n, e, b, body)
            # the reference divides by the mass of the subtree, even if it is zero
            assert close(a, b) or np.isnan(a).all(), name
    for geom in range(m.ngeom):
        both("mj_jacGeom", geom)
    for site in range(m.nsite):
        both("mj_jacSite", site)
    ours_module.mj_jacBody(n, e, None, None, 1)  # nothing wanted


def test_mass_matrix(pair):
    m, d, n, e, nv = pair.m, pair.d, pair.n, pair.e, pair.m.nv
    rng = np.random.default_rng(1)
    a, b = np.zeros((nv, nv)), np.zeros((nv, nv))
    reference_module.mj_fullM(m, d, a)
    ours_module.mj_fullM(n, e, b)
    assert close(a, b)
    x = rng.normal(size=nv)
    for name in ("mj_mulM", "mj_mulM2"):
        y, z = np.zeros(nv), np.zeros(nv)
        getattr(reference_module, name)(m, d, y, x)
        getattr(ours_module, name)(n, e, z, x.tolist())
        assert close(y, z), name
    X = rng.normal(size=(3, nv))
    Y, Z = np.zeros((3, nv)), np.zeros((3, nv))
    reference_module.mj_solveM(m, d, Y, X)
    ours_module.mj_solveM(n, e, Z, X)
    assert close(Y, Z)
    ours_module.mj_solveM(n, e, z, x)
    assert close(np.linalg.solve(b, x), z, 1e-8)
    scale = np.sqrt(d.qLDiagInv)
    reference_module.mj_solveM2(m, d, Y, X, scale.reshape(1, -1))
    ours_module.mj_solveM2(n, e, Z, X, scale)
    assert close(Y, Z)
    e.qLD[:] = 0
    ours_module.mj_factorM(n, e)
    assert close(d.qLD, e.qLD)
    for with_acceleration in (0, 1):
        reference_module.mj_rne(m, d, with_acceleration, y)
        ours_module.mj_rne(n, e, with_acceleration, z)
        assert close(y, z)


def test_coordinates(pair):
    m, n = pair.m, pair.n
    rng = np.random.default_rng(2)
    a, v = rng.normal(size=m.nq), rng.normal(size=m.nv)
    b = a.copy()
    reference_module.mj_normalizeQuat(m, a)
    ours_module.mj_normalizeQuat(n, b)
    assert close(a, b)
    reference_module.mj_integratePos(m, a, v, 0.1)
    ours_module.mj_integratePos(n, b, v, 0.1)
    assert close(a, b)
    x, y = np.zeros(m.nv), np.zeros(m.nv)
    reference_module.mj_differentiatePos(m, x, 0.1, m.qpos0, a)
    ours_module.mj_differentiatePos(n, y, 0.1, n.qpos0, b)
    assert close(x, y)


def test_objects(pair):
    m, d, n, e = pair.m, pair.d, pair.n, pair.e
    for name in ("mj_subtreeVel", "mj_rnePostConstraint", "mj_energyPos", "mj_energyVel"):
        getattr(reference_module, name)(m, d)
        getattr(ours_module, name)(n, e)
    for field in "subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext energy".split():
        assert close(getattr(d, field), getattr(e, field), 1e-9), field
    counts = {"BODY": m.nbody, "XBODY": m.nbody, "GEOM": m.ngeom, "SITE": m.nsite, "CAMERA": m.ncam}
    for kind, count in counts.items():
        kind = int(getattr(reference_module.mjtObj, f"mjOBJ_{kind}"))
        for index in range(count):
            for local in (0, 1):
                for name in ("mj_objectVelocity", "mj_objectAcceleration"):
                    a, b = np.zeros(6), np.zeros(6)
                    getattr(reference_module, name)(m, d, kind, index, a, local)
                    getattr(ours_module, name)(n, e, kind, index, b, local)
                    assert close(a, b, 1e-9), (name, kind, index, local)
    a, b = np.ones(m.nv), np.ones(m.nv)
    f, t, p = np.array([1.0, 2, 3]), np.array([-1, 0.5, 2]), np.array([0.3, 0.1, 0.2])
    for body in range(m.nbody):
        reference_module.mj_applyFT(m, d, f, t, p, body, a)
        ours_module.mj_applyFT(n, e, f, t, p, body, b)
    assert close(a, b)


STAGES = {
    "mj_kinematics": "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat",
    "mj_comPos": "subtree_com cdof cinert",
    "mj_camlight": "cam_xpos cam_xmat light_xpos light_xdir",
    "mj_tendon": "ten_length ten_J",
    "mj_makeM": "crb M",
    "mj_crb": "crb M",
    "mj_transmission": "actuator_length actuator_moment",
    "mj_fwdPosition": "xpos subtree_com cdof M qLD ten_length",
    "mj_fwdVelocity": "cvel cdof_dot qfrc_bias ten_velocity qfrc_passive",
}


@pytest.mark.parametrize("name", STAGES)
def test_stage_functions(pair, name):
    fields = STAGES[name].split()
    for field in fields:
        getattr(pair.e, field)[...] = 0
    getattr(ours_module, name)(pair.n, pair.e)
    for field in fields:
        assert close(getattr(pair.d, field), getattr(pair.e, field)), field


def test_forward_skip(pair):
    n, e = pair.n, pair.e
    ours_module.mj_forward(n, e)
    whole = {name: getattr(e, name).copy() for name in ("xpos", "cvel", "qacc", "sensordata")}
    for skip in range(3):
        for sensors in (0, 1):
            ours_module.mj_forwardSkip(n, e, skip, sensors)
            for name, value in whole.items():
                assert np.array_equal(getattr(e, name), value), (skip, sensors, name)
    e.xpos[1] = 77
    ours_module.mj_forwardSkip(n, e, 1, 1)
    assert e.xpos[1, 0] == 77
    ours_module.mj_forwardSkip(n, e, 0, 1)
    assert np.array_equal(e.xpos, whole["xpos"])


def test_resets(model):
    data = ours_module.MjData(model)
    start = data.state.hash()
    ours_module.mj_step(model, data, nstep=5)
    assert data.time == pytest.approx(5 * model.opt.timestep) and data.state.hash() != start
    ours_module.mj_resetData(model, data)
    assert data.state.hash() == start and not data.xpos.any()
    for key in range(model.nkey):
        ours_module.mj_resetDataKeyframe(model, data, key)
        assert np.array_equal(data.qpos, model.key_qpos[key]) and data.time == model.key_time[key]
    with pytest.raises(ours_module.FatalError, match=f"no keyframe {model.nkey}; the model has {model.nkey}"):
        ours_module.mj_resetDataKeyframe(model, data, model.nkey)
    data.qvel[0] = 0.125
    ours_module.mj_setKeyframe(model, data, 0)
    assert model.key_qvel[0, 0] == 0.125


def test_model_functions(pair):
    for name in ("mj_isSparse", "mj_isDual", "mj_isPyramidal", "mj_getTotalmass"):
        a, b = getattr(reference_module, name)(pair.m), getattr(ours_module, name)(pair.n)
        assert b == pytest.approx(a), name
    reference_module.mj_setTotalmass(pair.m, 3)
    ours_module.mj_setTotalmass(pair.n, 3)
    assert close(pair.m.body_mass, pair.n.body_mass) and close(pair.m.body_inertia, pair.n.body_inertia)
    reference_module.mj_setConst(pair.m, pair.d)
    ours_module.mj_setConst(pair.n, pair.e)
    assert close(pair.m.body_invweight0, pair.n.body_invweight0)


def test_signatures_match():
    """Argument names are the reference's: they may be given by keyword."""
    checked = 0
    for name in dir(ours_module):
        if not name.startswith("mj_") or not hasattr(reference_module, name):
            continue
        theirs, mine = getattr(reference_module, name), getattr(ours_module, name)
        expected = re.findall(r"(\w+): ", theirs.__doc__.splitlines()[0].split(" -> ")[0])
        if inspect.isfunction(mine):
            actual = list(inspect.signature(mine).parameters)
        else:
            arguments = re.search(r"\((.*)\)", mine.__doc__.splitlines()[0])[1]
            actual = [re.match(r"\w+", argument)[0] for argument in arguments.split(", ") if argument]
        assert actual == expected, name
        checked += 1
    assert checked > 60


# ---- wrong arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda u, m, d: u.mj_jac(m, d, np.zeros((2, 3)), None, np.zeros(3), 1), TypeError, r"jacp should be of shape"),
        (lambda u, m, d: u.mj_jac(m, d, np.zeros((3, m.nv), np.float32), None, np.zeros(3), 1), TypeError, "float64"),
        (lambda u, m, d: u.mj_jac(m, d, None, None, np.zeros(2), 1), TypeError, "point should have 3 numbers"),
        (lambda u, m, d: u.mj_jac(m, d, None, None, ["x"] * 3, 1), TypeError, "point should be an array of 3"),
        (lambda u, m, d: u.mj_jacBody(m, d, None, None, 99), RuntimeError, "no body 99; the model has 5"),
        (lambda u, m, d: u.mj_jacSite(m, d, None, None, -1), RuntimeError, "no site -1"),
        (lambda u, m, d: u.mj_mulM(m, d, np.zeros(m.nv), np.zeros(1)), TypeError, "vec should have 11 numbers"),
        (lambda u, m, d: u.mj_mulM(m, d, np.zeros(2 * m.nv)[::2], np.zeros(m.nv)), TypeError, "contiguous"),
        (lambda u, m, d: u.mj_fullM(m, d, np.zeros((2, 2))), TypeError, r"dst should be of shape \(11, 11\)"),
        (lambda u, m, d: u.mj_integratePos(m, np.zeros(2), d.qvel, 0.1), TypeError, "qpos should be of shape 13"),
        (lambda u, m, d: u.mj_objectVelocity(m, d, 1, 999, np.zeros(6), 0), RuntimeError, "999"),
        (lambda u, m, d: u.mj_objectVelocity(m, d, 3, 0, np.zeros(6), 0), RuntimeError, "type 3"),
        (lambda u, m, d: u.mj_objectVelocity(m, d, 1, 1, np.zeros(5), 0), TypeError, "res should be of shape 6"),
        (lambda u, m, d: u.mj_solveM(m, d, np.zeros((1, 3)), np.zeros((1, 4))), TypeError, "last dimension of x"),
        (lambda u, m, d: u.mj_step(3, d), TypeError, "mj_step"),
        (lambda u, m, d: u.mj_step(m, d, nstep="a"), TypeError, "mj_step"),
        (lambda u, m, d: u.mj_RungeKutta(m, d, 3), RuntimeError, "order 3"),
    ],
)
def test_wrong_arguments(model, call, error, message):
    with pytest.raises(error, match=message):
        call(ours_module, model, ours_module.MjData(model))


def test_read_only_output(model):
    out = np.zeros(model.nv)
    out.flags.writeable = False
    with pytest.raises(TypeError, match="writeable"):
        ours_module.mj_mulM(model, ours_module.MjData(model), out, np.zeros(model.nv))


# ---- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "index", "value", "words"),
    [
        (
            "ctrl",
            1,
            np.nan,
            r"ctrl\[1\] \(actuator 'servo' at .*named_objects.xml:\d+:\d+\) is nan at t = 0; the state",
        ),
        ("qpos", 11, np.inf, r"qpos\[11\] \(joint 'rail' at .* is inf at"),
        ("qvel", 10, 2e10, r"qvel\[10\] \(joint 'hinge' at .* is 2e\+10, beyond 1e10, at"),
        ("qfrc_applied", 6, -np.inf, r"qfrc_applied\[6\] \(joint 'socket'"),
        ("act", 0, np.nan, r"act\[0\] \(actuator 'integrator'"),
        ("xfrc_applied", (2, 1), np.nan, r"xfrc_applied\[13\] \(body 'link'"),
        ("mocap_pos", (0, 2), np.nan, r"mocap_pos\[2\] \(body 'target'"),
    ],
)
def test_bad_numbers_are_refused_and_named(model, field, index, value, words):
    data = ours_module.MjData(model)
    getattr(data, field)[index] = value
    before = data.state.hash()
    with pytest.raises(pliant.StepError, match=words) as caught:
        ours_module.mj_step(model, data)
    assert caught.value.faults and isinstance(caught.value, ours_module.FatalError)
    assert data.state.hash() == before
    assert "was" in data.describe_faults()
    with pytest.raises(pliant.StepError):
        ours_module.mj_step(model, data)
    assert "1 more since" in data.describe_faults()


def test_warnings_count_faults(model):
    data = ours_module.MjData(model)
    data.ctrl[2] = np.nan
    for _ in range(3):
        with pytest.raises(pliant.StepError):
            ours_module.mj_step(model, data)
    bad = data.warning[ours_module.mjtWarning.mjWARN_BADCTRL]
    assert (bad.number, bad.lastinfo) == (3, 2)
    ours_module.mj_resetData(model, data)
    assert not data.warning.number.any()


def test_null_quaternion_is_no_rotation_and_counted(model):
    data = ours_module.MjData(model)
    data.qpos[3:7] = 0
    ours_module.mj_step(model, data)
    assert data.body("base").xquat.tolist() == [1, 0, 0, 0]
    assert "qpos[3] (joint 'floating'" in data.describe_faults() and "length zero" in data.describe_faults()


def test_native_functions():
    model = pliant.load(CASES / "named_objects.xml")
    state, data = pliant.State(model), pliant.Data(model)
    assert pliant.step(model, state, data, nstep=3) == 0
    assert state.time[0] == pytest.approx(3 * model.opt.timestep)
    assert pliant.forward(model, state, data) == 0 and pliant.describe_faults(model, data) == ""
    state.ctrl[0] = np.nan
    assert pliant.step(model, state, data) != 0
    assert "actuator 'integrator'" in pliant.describe_faults(model, data)
    with pytest.raises(ValueError, match="qpos: could not broadcast"):
        state.qpos = [1, 2]
    with pytest.raises(AttributeError, match="Did you mean 'qpos'"):
        _ = state.qpo
    for name in ("State", "Data", "step", "forward", "describe_faults"):
        assert getattr(pliant, name).__doc__


def test_stubs_name_everything():
    """_pliant.pyi has every public name of the compiled module."""
    import ast

    from pliant import _pliant

    tree = ast.parse((ROOT / "python" / "pliant" / "_pliant.pyi").read_text())
    named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    stubs = {name for name in named if not name.startswith("_")}
    public = {name for name in vars(_pliant) if not name.startswith("_")}
    assert public - stubs == set()
    assert stubs - public == set()


# ---- speed ---------------------------------------------------------------------------------------


@pytest.mark.alone
def test_stepping_releases_the_interpreter(model):
    """While one thread steps, another one runs."""
    data = ours_module.MjData(model)
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    steps = 2000
    while time.perf_counter() - begin < 0.3:
        ticks.clear()
        try:
            ours_module.mj_step(model, data, nstep=steps)
        except pliant.StepError:
            ours_module.mj_resetData(model, data)
        steps *= 2
    done.set()
    thread.join()
    assert len(ticks) > 3
