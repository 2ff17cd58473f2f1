"""Example calls of every function of the drop-in module, to be run on both modules.

CALLS has, by name, a function (module, model, data, rng) → results. The helpers mju_* come from the words of their
table (pliant._math): arguments are drawn at random in the sizes these words ask for.
"""

import io
import typing

import numpy as np

from pliant import _math

XML = """
<mujoco model="compatibility">
  <option timestep=".004" cone="elliptic"/>
  <size nuserdata="2"/>
  <custom><numeric name="n" data="1 2"/><text name="t" data="abc"/><tuple name="tp">
    <element objtype="body" objname="trunk"/></tuple></custom>
  <asset><mesh name="tetra" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 0 1 0 1 0"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="hills" type="hfield" hfield="hills" pos="3 0 0"/>
    <camera name="eye" pos="0 -2 1"/><light name="lamp" pos="0 0 3"/>
    <body name="trunk" pos="0 0 .3"><freejoint name="root"/><geom name="box" type="box" size=".1 .08 .05" mass="2"/>
      <site name="tip" pos=".1 0 0"/>
      <body name="arm" pos=".1 0 0"><joint name="shoulder" axis="0 1 0" range="-1 1" limited="true" damping=".1"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
        <body name="hand" pos=".2 0 0"><joint name="wrist" type="ball"/>
          <geom name="palm" type="mesh" mesh="tetra"/></body></body></body>
    <body name="ball" pos=".5 0 .1"><freejoint/><geom name="sphere" size=".1"/></body>
    <body name="target" mocap="true" pos="1 1 1"><geom name="mark" size=".05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude name="ex" body1="trunk" body2="hand"/><pair name="pr" geom1="sphere" geom2="upper"/></contact>
  <equality><connect name="rope" body1="ball" body2="trunk" anchor="0 0 0" active="false"/></equality>
  <tendon><fixed name="cable"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <actuator><motor name="motor" joint="shoulder" ctrlrange="-1 1" ctrllimited="true"/>
    <general name="slow" joint="shoulder" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/><framepos name="place" objtype="site" objname="tip"/>
    <subtreelinvel name="momentum" body="trunk"/></sensor>
  <keyframe><key name="start" qpos="0 0 .3 1 0 0 0 .2 1 0 0 0 .5 0 .1 1 0 0 0" ctrl=".3 .1"/></keyframe>
</mujoco>
"""


def make(module):
    """A model and data after some steps: contacts, a bent arm, something in every array."""
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    module.mj_resetDataKeyframe(model, data, 0)
    for _ in range(60):
        module.mj_step(model, data)
    data.qfrc_applied[:] = 0.1
    module.mj_forward(model, data)
    return model, data


# ---- mju_*: arguments from the table ---------------------------------------------------------------

_SIZES = {"n": 4, "m": 3, "k": 5, "l": 2, "p": 6}
_BAND = {"ntotal": 6, "nband": 3, "ndense": 2, "nvec": 1, "flg_sym": 1}
# arguments that cannot be drawn at random
_SPECIAL = {
    "mju_Halton": {"index": 11, "base": 3}, "mju_bandDiag": {"i": 5} | _BAND, "mju_euler2Quat": {"seq": "xYz"},
    "mju_writeNumBytes": {"nbytes": 4096}, "mju_clip": {"x": 2.5, "min": -1, "max": 1}, "mju_round": {"x": 2.7},
    "mju_springDamper": {"Kp": 4.0, "Kv": 0.3, "dt": 0.5}, "mju_standardNormal": {"num2": None},
    "mju_muscleGain": {"len": 1.1, "vel": 0.2, "lengthrange": [0.8, 1.4], "acc0": 1.5,
                       "prm": [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]},
    "mju_muscleBias": {"len": 1.4, "lengthrange": [0.8, 1.4], "acc0": 1.5,
                       "prm": [0.75, 1.3, 30, 200, 0.5, 1.6, 1.5, 1.3, 1.2]},
    "mju_muscleDynamics": {"ctrl": 0.7, "act": 0.4, "prm": [0.01, 0.04, 0.2]},
    "mju_encodePyramid": {"pyramid": np.zeros(4), "force": [2, 0.1, 0.2], "mu": [0.5, 0.4]},
    "mju_decodePyramid": {"force": np.zeros(3), "pyramid": [1, 0.5, 0.2, 0.1], "mu": [0.5, 0.4]},
}  # fmt: skip
_UNIT = ("quat", "quat1", "quat2", "qa", "qb")


def _spd(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _banded(rng):
    n, nband, ndense = _BAND["ntotal"], _BAND["nband"], _BAND["ndense"]
    dense = _spd(rng, n)
    for i in range(n - ndense):
        dense[i, : max(0, i - nband + 1)] = 0
    dense = np.tril(dense)
    dense += np.tril(dense, -1).T + 10 * np.eye(n)
    band = np.zeros((n - ndense) * nband + ndense * n)
    _math.FUNCTIONS["mju_dense2Band"](band, dense, n, nband, ndense)
    return dense, band


def _draw(name, argument, rng):
    if argument.kind == "f":
        return float(rng.uniform(0.1, 0.9))
    if argument.kind == "i":
        return _BAND.get(argument.name, 1)
    shape = [int(size) if size.isdigit() else _SIZES[size] for size in argument.sizes]
    value = rng.normal(size=shape)
    if argument.dtype == np.int32:
        return rng.integers(-9, 9, shape).astype(np.int32)
    if argument.name in _UNIT and shape == [4]:
        return value / np.linalg.norm(value)
    if argument.name in ("mat", "rotnew2old") and shape == [9]:
        rotation = np.linalg.qr(value.reshape(3, 3))[0]
        rotation *= np.sign(np.linalg.det(rotation))
        return (rotation * [3, 2, 1] @ rotation.T if name == "mju_eig3" else rotation).ravel()
    if argument.name == "mat" and "chol" in name:
        return _spd(rng, shape[0]) if name == "mju_cholFactor" else np.linalg.cholesky(_spd(rng, shape[0]))
    return value.astype(argument.dtype)


def _arguments(name, rng):
    words = _math.TABLE[name][0]
    special = dict(_SPECIAL.get(name, {}))
    if "band" in name.lower() and name != "mju_bandDiag":
        dense, band = _banded(rng)
        n = _BAND["ntotal"]
        factor = np.zeros_like(band)
        _math.FUNCTIONS["mju_dense2Band"](factor, np.linalg.cholesky(dense), n, _BAND["nband"], _BAND["ndense"])
        special |= {
            "mju_band2Dense": {"res": np.zeros((n, n)), "mat": band},
            "mju_dense2Band": {"res": np.zeros_like(band), "mat": dense},
            "mju_bandMulMatVec": {"res": np.zeros(n), "mat": band.reshape(-1, 1), "vec": rng.normal(size=(n, 1))},
            "mju_cholFactorBand": {"mat": band},
            "mju_cholSolveBand": {"res": np.zeros(n), "mat": factor, "vec": rng.normal(size=n)},
        }[name]  # fmt: skip
    arguments = []
    for word in words.removesuffix("->").split():
        argument = _math._Argument(word)
        value = special.get(argument.name, None)
        if argument.name not in special:
            value = _draw(name, argument, rng)
        elif argument.kind == "array" and value is not None:
            value = np.array(value, argument.dtype)
        arguments.append(value)
    return arguments


def _call_mju(name):
    def call(module, model, data, rng):
        arguments = _arguments(name, rng)
        returned = getattr(module, name)(*arguments)
        if isinstance(returned, str):
            returned = [ord(letter) for letter in returned]
        return [returned, *[value for value in arguments if isinstance(value, np.ndarray)]]

    return call


CALLS = {name: _call_mju(name) for name in _math.TABLE}


# ---- the others ------------------------------------------------------------------------------------


def example(*names):
    """The decorated function calls these; it gets the module's function in place of its name."""

    def keep(function):
        for name in names:
            CALLS[name] = lambda module, model, data, rng, name=name: function(
                getattr(module, name), module, model, data, rng
            )
        return function

    return keep


FIELDS = (
    "qpos qvel act ctrl qacc xpos xquat cvel qfrc_bias qfrc_passive qfrc_constraint qfrc_inverse M energy sensordata"
).split()


def fields(data, names=FIELDS):
    return [np.array(getattr(data, name)) for name in names] + [data.time, data.ncon, data.nefc]


@example("mj_step", "mj_step1", "mj_step2", "mj_forward", "mj_inverse", "mj_kinematics", "mj_comPos", "mj_camlight",
         "mj_tendon",
         "mj_fwdKinematics", "mj_crb", "mj_makeM", "mj_factorM", "mj_transmission", "mj_fwdPosition", "mj_fwdVelocity",
         "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint", "mj_passive", "mj_comVel",
         "mj_referenceConstraint",
         "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc", "mj_energyPos", "mj_energyVel", "mj_subtreeVel",
         "mj_rnePostConstraint",
         "mj_collision", "mj_island", "mj_resetData", "mj_resetCtrl", "mj_checkPos", "mj_checkVel",
         "mj_checkAcc")  # fmt: skip
def _of_model_and_data(function, module, model, data, rng):
    function(model, data)
    return fields(data)


@example("mj_makeConstraint")
def _make_constraint(function, module, model, data, rng):
    function(model, data)
    return [data.nefc, data.efc_pos, data.efc_D]


@example("mj_compareFwdInv")
def _compare(function, module, model, data, rng):
    function(model, data)
    return [bool(np.all(data.solver_fwdinv < 1e-6))]


@example("mj_Euler", "mj_implicit")
def _integrators(function, module, model, data, rng):
    model.opt.integrator = module.mjtIntegrator.mjINT_IMPLICITFAST if "implicit" in function.__name__ else 0
    module.mj_forward(model, data)
    function(model, data)
    return fields(data, ["qpos", "qvel", "act"])


@example("mj_RungeKutta")
def _runge_kutta(function, module, model, data, rng):
    function(model, data, 4)
    return fields(data, ["qpos", "qvel", "act"])


@example("mj_forwardSkip", "mj_inverseSkip")
def _skip(function, module, model, data, rng):
    data.ctrl[0] = 0.5
    function(model, data, module.mjtStage.mjSTAGE_VEL, 0)
    return fields(data)


@example("mj_resetDataKeyframe", "mj_resetDataDebug")
def _reset_to(function, module, model, data, rng):
    function(model, data, 0)
    return fields(data, ["qpos", "qvel", "ctrl"])


@example("mj_setKeyframe")
def _set_keyframe(function, module, model, data, rng):
    function(model, data, 0)
    return [model.key_qpos, model.key_time]


@example("mj_setConst")
def _set_const(function, module, model, data, rng):
    model.body_mass[1] *= 2
    function(model, data)
    return [model.body_subtreemass, model.dof_invweight0, model.stat.meanmass]


@example("mj_copyData")
def _copy_data(function, module, model, data, rng):
    other = module.MjData(model)
    result = function(other, model, data)
    module.mj_step(model, other)
    return fields(other) + [result is other or result is None]


@example("mj_copyState")
def _copy_state(function, module, model, data, rng):
    other = module.MjData(model)
    function(model, data, other, int(module.mjtState.mjSTATE_FULLPHYSICS))
    return fields(other, ["qpos", "qvel", "act"])


@example("mj_stateSize")
def _state_size(function, module, model, data, rng):
    return [
        function(model, int(sig))
        for sig in (module.mjtState.mjSTATE_FULLPHYSICS, module.mjtState.mjSTATE_INTEGRATION, 0)
    ]


def _state(module, model, data):
    sig = int(module.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(module.mj_stateSize(model, sig))
    module.mj_getState(model, data, state, sig)
    return state, sig


@example("mj_getState")
def _get_state(function, module, model, data, rng):
    return [_state(module, model, data)[0]]


@example("mj_setState")
def _set_state(function, module, model, data, rng):
    state, sig = _state(module, model, data)
    other = module.MjData(model)
    function(model, other, state, sig)
    return fields(other, ["qpos", "qvel", "act", "ctrl"])


@example("mj_extractState")
def _extract_state(function, module, model, data, rng):
    state, sig = _state(module, model, data)
    part = int(module.mjtState.mjSTATE_QVEL)
    out = np.zeros(model.nv)
    function(model, state, sig, out, part)
    return [out]


@example("mj_jac", "mj_jacDot")
def _jac(function, module, model, data, rng):
    p, r = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    function(model, data, p, r, np.array([0.1, 0.2, 0.3]), 3)
    return [p, r]


@example("mj_jacBody", "mj_jacBodyCom", "mj_jacGeom")
def _jac_of(function, module, model, data, rng):
    p, r = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    function(model, data, p, r, 3)
    return [p, r]


@example("mj_jacSite")
def _jac_site(function, module, model, data, rng):
    p = np.zeros((3, model.nv))
    function(model, data, p, None, 0)
    return [p]


@example("mj_jacSubtreeCom", "mj_angmomMat")
def _jac_subtree(function, module, model, data, rng):
    p = np.zeros((3, model.nv))
    function(model, data, p, 1)
    return [p]


@example("mj_jacPointAxis")
def _jac_axis(function, module, model, data, rng):
    p, a = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    function(model, data, p, a, np.array([0.1, 0, 0.2]), np.array([0, 0, 1.0]), 3)
    return [p, a]


@example("mj_mulJacVec")
def _mul_jac(function, module, model, data, rng):
    res = np.zeros(data.nefc)
    function(model, data, res, rng.normal(size=model.nv))
    return [res]


@example("mj_mulJacTVec")
def _mul_jac_t(function, module, model, data, rng):
    res = np.zeros(model.nv)
    function(model, data, res, rng.normal(size=data.nefc))
    return [res]


@example("mj_objectVelocity", "mj_objectAcceleration")
def _object(function, module, model, data, rng):
    module.mj_rnePostConstraint(model, data)
    out = np.zeros(6)
    function(model, data, module.mjtObj.mjOBJ_BODY, 3, out, 1)
    return [out]


@example("mj_applyFT")
def _apply(function, module, model, data, rng):
    out = np.zeros(model.nv)
    function(model, data, np.array([1.0, 2, 3]), np.array([0.1, 0, 0]), np.array([0.1, 0.2, 0.3]), 3, out)
    return [out]


@example("mj_contactForce")
def _contact_force(function, module, model, data, rng):
    out = np.zeros(6)
    function(model, data, 0, out)
    return [out]


@example("mj_fullM")
def _full(function, module, model, data, rng):
    out = np.zeros((model.nv, model.nv))
    function(model, data, out)
    return [out]


@example("mj_mulM", "mj_mulM2", "mj_solveM")
def _mul_m(function, module, model, data, rng):
    out = np.zeros(model.nv) if "solve" not in function.__name__ else np.zeros((1, model.nv))
    function(model, data, out, rng.normal(size=out.shape))
    return [out]


@example("mj_solveM2")
def _solve_m2(function, module, model, data, rng):
    out = np.zeros((1, model.nv))
    function(model, data, out, rng.normal(size=out.shape), np.ones(model.nv))
    return [out]


@example("mj_addM")
def _add_m(function, module, model, data, rng):
    out = np.zeros(model.nM)
    columns = np.zeros(model.nM, np.int32)  # the reference wants this size
    columns[: model.nC] = model.M_colind
    function(model, data, out, model.M_rownnz.copy(), model.M_rowadr.copy(), columns)
    return [out]


@example("mj_rne")
def _rne(function, module, model, data, rng):
    out = np.zeros(model.nv)
    function(model, data, 1, out)
    return [out]


@example("mj_integratePos")
def _integrate(function, module, model, data, rng):
    q = data.qpos.copy()
    function(model, q, rng.normal(size=model.nv), 0.1)
    return [q]


@example("mj_differentiatePos")
def _differentiate(function, module, model, data, rng):
    out = np.zeros(model.nv)
    function(model, out, 0.1, model.qpos0, data.qpos)
    return [out]


@example("mj_normalizeQuat")
def _normalize(function, module, model, data, rng):
    q = data.qpos * 1.5
    function(model, q)
    return [q]


@example("mj_ray")
def _ray(function, module, model, data, rng):
    geom = np.zeros(1, np.int32)
    return [function(model, data, np.array([0.0, 0, 3]), np.array([0, 0, -1.0]), None, True, -1, geom), geom]


@example("mj_multiRay")
def _rays(function, module, model, data, rng):
    directions = np.array([[0, 0, -1.0], [0.2, 0, -1], [1, 0, 0]]).ravel()
    geom, distance = np.zeros(3, np.int32), np.zeros(3)
    function(model, data, np.array([0.0, 0, 3]), directions, None, True, -1, geom, distance, None, 3, 100.0)
    return [geom, distance]


@example("mj_rayHfield")
def _ray_hfield(function, module, model, data, rng):
    return [function(model, data, model.geom("hills").id, np.array([3.2, 0.1, 3]), np.array([0, 0, -1.0]))]


@example("mj_rayMesh")
def _ray_mesh(function, module, model, data, rng):
    place = data.geom("palm").xpos
    return [function(model, data, model.geom("palm").id, place + [0, 0, 1], np.array([0, 0, -1.0]))]


@example("mju_rayGeom")
def _ray_geom(function, module, model, data, rng):
    sphere = module.mjtGeom.mjGEOM_SPHERE
    return [
        function(
            np.zeros(3), np.eye(3).ravel(), np.ones(3) * 0.5, np.array([0.1, 0, 2]), np.array([0, 0, -1.0]), sphere
        )
    ]


@example("mj_geomDistance")
def _distance(function, module, model, data, rng):
    between = np.zeros(6)
    return [function(model, data, model.geom("box").id, model.geom("sphere").id, 5.0, between), between]


@example("mj_insideSite")
def _inside_site(function, module, model, data, rng):
    places = [data.site_xpos[0], data.site_xpos[0] + 10, *rng.uniform(-1, 1, (20, 3))]
    return [[function(model, data, site, place) for site in range(model.nsite) for place in places]]


@example("mj_loadTexture")
def _texture(function, module, model, data, rng):
    model = module.MjModel.from_xml_string(
        '<mujoco><asset><texture name="a" type="2d" builtin="checker" width="6" height="4" rgb1="1 .5 0"/>'
        '<texture name="b" type="cube" builtin="flat" width="4" height="4" colorspace="sRGB"/></asset></mujoco>'
    )
    return [value for texture in range(model.ntex) for value in function(model, texture)]


@example("mj_embedAssets")
def _embed(function, module, model, data, rng):
    other = function(model)
    assert other is not model
    return [other.body_mass, other.ntexdata]


@example("mj_readSensor")
def _read_sensor(function, module, model, data, rng):
    out = np.zeros(3)
    result = function(model, data, 1, data.time, out, 0)
    return [np.array(result).ravel() if result is not None else out]


@example("mj_local2Global")
def _local(function, module, model, data, rng):
    results = []
    for same in range(5):
        place, turn = np.zeros(3), np.zeros(9)
        function(data, place, turn, np.array([0.1, 0.2, 0.3]), np.array([0.8, 0.6, 0, 0]), 3, same)
        results += [place, turn]
    return results


@example("mj_name2id")
def _name2id(function, module, model, data, rng):
    return [function(model, module.mjtObj.mjOBJ_GEOM, "palm"), function(model, int(module.mjtObj.mjOBJ_BODY), "nobody")]


@example("mj_id2name")
def _id2name(function, module, model, data, rng):
    return [
        function(model, int(module.mjtObj.mjOBJ_GEOM), 2) == "box",
        function(model, module.mjtObj.mjOBJ_BODY, 99) is None,
    ]


@example("mj_getTotalmass", "mj_isPyramidal", "mj_isSparse", "mj_isDual")
def _of_model(function, module, model, data, rng):
    return [function(model)]


@example("mj_sizeModel")
def _size(function, module, model, data, rng):
    return [function(model) > 1000]


@example("mj_setTotalmass")
def _total_mass(function, module, model, data, rng):
    function(model, 7.0)
    return [model.body_mass, model.body_inertia]


@example("mj_version", "mj_versionString")
def _version(function, module, model, data, rng):
    value = function()
    return [value if isinstance(value, int) else value == "4.0.1"]


@example("mj_defaultOption")
def _default_option(function, module, model, data, rng):
    options = module.MjOption()
    options.timestep = 1
    function(options)
    return [options.timestep, options.gravity, options.iterations]


@example("mj_defaultVisual")
def _default_visual(function, module, model, data, rng):
    model.vis.global_.fovy = 11
    function(model.vis)
    return [model.vis.global_.fovy, model.vis.rgba.fog]


@example("mj_defaultSolRefImp")
def _default_soft(function, module, model, data, rng):
    ref, imp = np.zeros(2), np.zeros(5)
    function(ref, imp)
    return [ref, imp]


@example("mjd_transitionFD")
def _transition(function, module, model, data, rng):
    n = 2 * model.nv + model.na
    A, B, C = np.zeros((n, n)), np.zeros((n, model.nu)), np.zeros((model.nsensordata, n))
    model.opt.tolerance = 0
    function(model, data, 1e-6, True, A, B, C, None)
    return [np.round(A, 4), np.round(B, 4), np.round(C, 4)]


@example("mjd_inverseFD")
def _inverse_fd(function, module, model, data, rng):
    nv = model.nv
    module.mj_forward(model, data)
    out = [np.zeros((nv, nv)) for _ in range(3)]
    function(model, data, 1e-6, True, out[0], out[1], out[2], None, None, None, None)
    return [np.round(out[2], 3)]


@example("mjd_subQuat")
def _sub_quat(function, module, model, data, rng):
    a, b = rng.normal(size=(2, 4))
    Da, Db = np.zeros(9), np.zeros(9)
    function(a / np.linalg.norm(a), b / np.linalg.norm(b), Da, Db)
    return [Da, Db]


@example("mjd_quatIntegrate")
def _quat_integrate(function, module, model, data, rng):
    Dq, Dv, Ds = np.zeros(9), np.zeros(9), np.zeros(3)
    function(np.array([0.4, -0.7, 0.2]), 0.3, Dq, Dv, Ds)
    return [Dq, Dv, Ds]


@example("mju_str2Type")
def _str2type(function, module, model, data, rng):
    return [int(function(name)) for name in ("body", "tendon", "key", "nothing")]


@example("mju_type2Str")
def _type2str(function, module, model, data, rng):
    return [function(1) == "body", function(int(module.mjtObj.mjOBJ_KEY)) == "key"]


def _sparse(rng):
    dense = rng.normal(size=(3, 3)) * (rng.random((3, 3)) < 0.7)
    return dense, np.zeros(9), np.zeros(3, np.int32), np.zeros(3, np.int32), np.zeros(9, np.int32)


@example("mju_dense2sparse")
def _dense2sparse(function, module, model, data, rng):
    dense, values, nnz, adr, columns = _sparse(rng)
    returned = function(values, dense, nnz, adr, columns)
    return [returned, values, nnz, adr, columns]


@example("mju_sparse2dense", "mju_sym2dense")
def _sparse2dense(function, module, model, data, rng):
    dense, values, nnz, adr, columns = _sparse(rng)
    if "sym" in function.__name__:
        dense = np.tril(dense)
    module.mju_dense2sparse(values, dense, nnz, adr, columns)
    out = np.zeros((3, 3))
    function(out, values, nnz, adr, columns)
    return [out]


# ---- scenes and pictures -----------------------------------------------------------------------------


@example("mjv_defaultCamera")
def _default_camera(function, module, model, data, rng):
    camera = module.MjvCamera()
    camera.distance, camera.azimuth = 7, 3
    function(camera)
    return [camera.distance, camera.azimuth, camera.elevation, camera.lookat, camera.type, camera.fixedcamid]


@example("mjv_defaultFreeCamera")
def _default_free_camera(function, module, model, data, rng):
    camera = module.MjvCamera()
    function(model, camera)
    return [camera.distance, camera.azimuth, camera.elevation, camera.lookat, camera.type, camera.fixedcamid]


@example("mjv_defaultOption")
def _default_option(function, module, model, data, rng):
    option = module.MjvOption()
    option.flags[:] = 1
    function(option)
    return [option.flags, option.geomgroup, option.sitegroup, option.skingroup, option.label, option.frame]


@example("mjv_defaultPerturb")
def _default_perturb(function, module, model, data, rng):
    perturb = module.MjvPerturb()
    perturb.select = 3
    function(perturb)
    return [perturb.select, perturb.refquat, perturb.scale]


@example("mjv_initGeom")
def _init_geom(function, module, model, data, rng):
    geom = module.MjvGeom()
    pos, mat = rng.normal(size=3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
    results = []
    for kind in (module.mjtGeom.mjGEOM_CAPSULE, module.mjtGeom.mjGEOM_BOX, module.mjtGeom.mjGEOM_SPHERE):
        function(geom, kind, [0.1, 0.2, 0.3], pos, mat.ravel(), np.float32([1, 0.5, 0.25, 1]))
        results += [geom.size, geom.pos, geom.mat, geom.rgba, geom.specular, geom.matid]
    return [np.array(result) for result in results]


@example("mjv_connector")
def _connector(function, module, model, data, rng):
    geom = module.MjvGeom()
    results = []
    for kind in (module.mjtGeom.mjGEOM_CAPSULE, module.mjtGeom.mjGEOM_ARROW, module.mjtGeom.mjGEOM_LINE):
        function(geom, kind, 0.02, rng.normal(size=3), rng.normal(size=3))
        results += [np.array(geom.size), np.array(geom.pos), np.array(geom.mat)]
    return results


def _scene(module, model, data, flags=()):
    scene, option, camera = module.MjvScene(model, 200), module.MjvOption(), module.MjvCamera()
    for flag in flags:
        option.flags[int(getattr(module.mjtVisFlag, flag))] = 1
    module.mjv_defaultFreeCamera(model, camera)
    module.mjv_updateScene(model, data, option, None, camera, int(module.mjtCatBit.mjCAT_ALL), scene)
    return scene, camera


@example("mjv_updateScene")
def _update_scene(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    results = [scene.ngeom, scene.nlight]
    for geom in scene.geoms[: scene.ngeom]:
        results += [geom.type, geom.objtype, geom.objid, geom.category, geom.segid, geom.pos, geom.mat, geom.rgba]
        if geom.type != int(module.mjtGeom.mjGEOM_MESH):  # the reference has half sizes of the mesh there
            results.append(geom.size)
    for light in scene.lights[: scene.nlight]:
        results += [light.type, light.pos, light.dir, light.diffuse, light.castshadow, light.cutoff]
    return [np.array(result) for result in results]


@example("mjv_updateCamera")
def _update_camera(function, module, model, data, rng):
    scene, camera = _scene(module, model, data)
    camera.type, camera.fixedcamid = int(module.mjtCamera.mjCAMERA_FIXED), 0
    function(model, data, camera, scene)
    eye = scene.camera[0]
    return [np.array(x) for x in (eye.pos, eye.forward, eye.up, eye.frustum_top, eye.frustum_near, eye.frustum_far)]


@example("mjv_averageCamera")
def _average_camera(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    eye = function(scene.camera[0], scene.camera[1])
    return [np.array(x) for x in (eye.pos, eye.forward, eye.up)]


@example("mjv_select")
def _select(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    results = []
    for x, y in ((0.5, 0.5), (0.45, 0.4), (0.6, 0.55), (0.5, 0.2)):
        point, numbers = np.zeros((3, 1)), [np.zeros((1, 1), np.int32) for _ in range(3)]
        body = function(model, data, module.MjvOption(), 1.5, x, y, scene, point, *numbers)
        # the reference's cameras are float32, so its points are
        results += [np.array(body), *(n.copy() for n in numbers), np.round(point, 3)]
    return results


# mjr_*: the reference needs a graphics driver for these (tests/render compares pictures where there is one)


def _context(module, model, data):
    scene, _ = _scene(module, model, data)
    context, view = module.MjrContext(model, module.mjtFontScale.mjFONTSCALE_100), module.MjrRect(0, 0, 20, 10)
    module.mjr_setBuffer(module.mjtFramebuffer.mjFB_OFFSCREEN, context)
    module.mjr_render(view, scene, context)
    return context, view


@example("mjr_render", "mjr_readPixels", "mjr_setBuffer", "mjr_finish", "mjr_getError", "mjr_maxViewport",
         "mjr_resizeOffscreen", "mjr_uploadTexture", "mjr_uploadMesh", "mjr_uploadHField")  # fmt: skip
def _pictures(function, module, model, data, rng):
    context, view = _context(module, model, data)
    rgb, depth = np.zeros((10, 20, 3), np.uint8), np.zeros((10, 20), np.float32)
    module.mjr_readPixels(rgb, depth, view, context)
    for upload in (module.mjr_uploadTexture, module.mjr_uploadMesh, module.mjr_uploadHField):
        upload(model, context, 0)
    module.mjr_resizeOffscreen(320, 200, context)
    assert module.mjr_maxViewport(context).width == 320 and module.mjr_getError() == 0 and not module.mjr_finish()
    assert rgb.std() > 1 and 0 <= depth.min() < depth.max() <= 1
    return [rgb, depth]


@example("mju_boxQP")
def _box_qp(function, module, model, data, rng):
    half = rng.normal(size=(4, 4))
    res, index = np.zeros(4), np.zeros(4, np.int32)
    hessian = half @ half.T + np.eye(4)
    free = function(res, np.zeros((4, 11)), index, hessian, rng.normal(size=4) * 5, -np.ones(4), np.ones(4))
    return [free, res, index[:free]]


@example("mj_saveModel")
def _save_model(function, module, model, data, rng):
    buffer = np.zeros(module.mj_sizeModel(model), np.uint8)
    function(model, None, buffer)
    return [buffer.any()]


@example("mj_defaultLROpt")
def _default_lr_opt(function, module, model, data, rng):
    options = module.MjLROpt()
    options.accel = 3
    function(options)
    return [options.accel, options.timestep, options.tolrange, options.useexisting]


@example("mj_resetCallbacks")
def _reset_callbacks(function, module, model, data, rng):
    function()
    return [module.get_mjcb_passive() is None]


def _push(model, data):
    data.qfrc_passive[:] += 0.5


def _steer(model, data):
    data.ctrl[:] = 0.7


@example("set_mjcb_control", "get_mjcb_control", "set_mjcb_passive", "get_mjcb_passive")
def _callbacks_in_a_step(function, module, model, data, rng):
    name = function.__name__.rpartition("_")[2]
    callback = _steer if name == "control" else _push
    getattr(module, f"set_mjcb_{name}")(callback)
    try:
        assert getattr(module, f"get_mjcb_{name}")() is callback
        for _ in range(3):
            module.mj_step(model, data)
    finally:
        getattr(module, f"set_mjcb_{name}")(None)
    return [data.qpos, data.qvel]


@example(*(f"{what}_mjcb_{name}" for what in ("get", "set")
           for name in ("sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time")))  # fmt: skip
def _no_callback(function, module, model, data, rng):
    return [function(None) is None if function.__name__.startswith("set") else function() is None]


@example("set_mju_user_warning", "get_mju_user_warning")
def _user_warning(function, module, model, data, rng):
    module.set_mju_user_warning(None)
    return [module.get_mju_user_warning() is None]


@example("to_zip", "from_zip")
def _zip(function, module, model, data, rng):
    archive = io.BytesIO()
    module.to_zip(module.MjSpec.from_string(XML), archive)
    archive.seek(0)
    return [module.from_zip(archive).compile().nbody]


@example("MjStruct")
def _struct(function, module, model, data, rng):
    return [isinstance(module.MjSpec().worldbody, typing.get_args(module.MjStruct))]
