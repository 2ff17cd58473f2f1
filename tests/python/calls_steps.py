"""Example calls of steps and their stages, state vectors, Jacobians and products with the mass matrix."""

import numpy as np

from calls_registry import example, fields


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
