"""pliant.mujoco.batch: one script on both modules gives equal arrays; a batch is a loop over MjData, to the bit."""

import copy
import gc

import mujoco as reference
import mujoco.batch as reference_batch
import numpy as np
import pytest

import pliant.mujoco as ours
import pliant.mujoco.batch as our_batch

XML = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast" tolerance="1e-14" iterations="200">
    <flag energy="enable"/>
  </option>
  <asset>
    <material name="red" rgba="1 0 0 1"/>
    <mesh name="tet" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
  </asset>
  <custom><numeric name="gains" data="1 2 3"/></custom>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" material="red"/>
    <camera name="eye" pos="0 -2 1"/>
    <light name="sun" pos="0 0 3"/>
    <body name="cart" pos="0 0 .3">
      <joint name="slide" type="slide" axis="1 0 0" damping=".2"/>
      <geom name="box" type="box" size=".1 .1 .05" mass="1" contype="0" conaffinity="0"/>
      <body name="pole" pos="0 0 .05">
        <joint name="hinge" axis="0 1 0" stiffness=".1"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1" contype="0" conaffinity="0"/>
        <site name="tip" pos="0 0 .5"/>
      </body>
    </body>
    <body name="ball" pos=".5 .5 .09">
      <freejoint name="free"/>
      <geom name="sphere" size=".1" mass=".5"/>
      <geom name="corner" type="mesh" mesh="tet" pos="0 0 .1" mass=".1" contype="0" conaffinity="0"/>
    </body>
    <body name="hand" mocap="true" pos="1 0 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair name="touch" geom1="floor" geom2="sphere" margin=".001"/></contact>
  <tendon><fixed name="string" stiffness="1" springyield=".05"><joint joint="slide" coef="2"/></fixed></tendon>
  <equality><connect name="hold" body1="hand" body2="ball" anchor="0 0 0" active="false"/></equality>
  <actuator>
    <motor name="push" joint="slide" gear="5"/>
    <general name="turn" joint="hinge" dyntype="filter" dynprm="0.02" gainprm="5" biastype="affine" biasprm="0 -5 0"/>
  </actuator>
  <sensor><jointpos joint="hinge"/><accelerometer name="acc" site="tip"/><touch site="tip"/></sensor>
  <keyframe>
    <key name="up" qpos="0.3 0.5  .5 .5 .2 1 0 0 0" ctrl="0.1 0.2" act="0.2"/>
    <key name="down" qpos="-0.3 -0.5  .5 .5 .3 1 .2 0 0" ctrl="0.2 0.1"/>
  </keyframe>
</mujoco>
"""
NSIM = 6
# every name of the class that is no dunder; test_script_covers_everything compares it with the reference
COVERED = set(
    """
    actuator bind body camera equality error expand expanded forward geom get_data get_model jac joint keyframe light
    material model models nsim nstate nthread numeric pair persistent ray reset rollout sensor set_const set_models site
    state status step tendon warning
    """.split()
)


def raised(call):
    """The kind of error a call raises, by its name."""
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "nothing"


def script(mj, batch, nthread, persistent):
    """(what, value) of everything a Batch does, in the same order for both modules."""
    model = mj.MjModel.from_xml_string(XML)
    state_bits, stages = mj.mjtState, mj.mjtStage
    b = batch.Batch(model, NSIM, nthread, persistent)
    rng = np.random.default_rng(1)
    yield "sizes", [b.nsim, b.nthread, b.nstate, b.persistent, b.model is model, b.models is None]
    yield "start", b.state.copy()
    yield "warning shape", list(b.warning.shape)
    # fields
    for name in (
        "qpos",
        "qvel",
        "act",
        "ctrl",
        "time",
        "plastic",
        "mocap_quat",
        "eq_active",
        "xfrc_applied",
        "history",
    ):
        yield f"bind {name}", b.bind(name).copy()
    for name in sorted(batch.DATA_FIELDS & reference_batch.DATA_FIELDS):
        if name != "plugin_data":
            yield f"shape of {name}", [*b.bind(name).shape, b.bind(name).dtype.str]
    fields = ("xpos xiquat geom_xquat site_xquat sensordata qacc energy ncon nefc cvel qfrc_spring ten_length "
              "actuator_force solver_fwdinv").split()  # fmt: skip
    views = {name: b.bind(name) for name in fields}
    b.qpos[:, 1] = np.linspace(-1, 1, NSIM)
    b.ctrl = rng.uniform(-1, 1, (NSIM, model.nu))
    b.joint("hinge").qvel = np.arange(NSIM).reshape(NSIM, 1)
    b.xfrc_applied[:, 3, 2] = np.linspace(0, 2, NSIM)

    def everything(what):
        for name, view in views.items():
            yield f"{what}: {name}", view.copy()
        yield f"{what}: state", b.state.copy()

    # calls
    b.forward()
    yield from everything("forward")
    b.step()
    yield from everything("step")
    b.step(nstep=3)
    yield from everything("three steps")
    b.step([1, 4], nstep=2)
    yield from everything("two of them")
    b.step(np.arange(NSIM) % 2 == 0, nstep=2, stage=stages.mjSTAGE_VEL)
    yield "fresh", b.xpos[::2].copy()
    b.forward(ids=[0, 5], stage=stages.mjSTAGE_POS)
    yield "positions", b.xpos[[0, 5]].copy()
    b.step([])
    b.eq_active[2] = 1
    b.mocap_pos[:, 0, 2] = 1.2
    b.step(nstep=2)
    yield from everything("held")
    b.reset([1, 2], keyframe=1)
    yield from everything("reset to a keyframe")
    b.reset([0, 3], keyframe=np.array([0, -1]), stage=stages.mjSTAGE_NONE)
    yield "reset", b.state.copy()
    b.reset()
    yield from everything("reset of all")
    yield "status", b.status.copy()
    yield "errors", [b.error(i) for i in range(NSIM)]
    # rollouts
    control = rng.uniform(-1, 1, (NSIM, 4, model.nu))
    full = state_bits.mjSTATE_FULLPHYSICS
    out = b.rollout(4, control, record=("qpos", "xpos", "ncon", "eq_active", full, "sensordata"))
    for item, array in out.items():
        yield f"rollout {item}", array
        yield f"type of {item}", array.dtype.str
    spec = int(state_bits.mjSTATE_CTRL | state_bits.mjSTATE_QFRC_APPLIED)
    force = rng.uniform(-1, 1, (2, 3, mj.mj_stateSize(model, spec)))
    mine = np.empty((2, 3, model.nq))
    out = b.rollout(3, force, spec, ("qpos",), ids=[1, 3], out={"qpos": mine})
    yield "rollout into", mine.copy()
    yield "its array", out["qpos"] is mine
    yield "rollout without control", b.rollout(2)["qpos"]
    yield "state after rollouts", b.state.copy()
    # Jacobians and rays
    pole = model.body("pole").id
    yield "jac", np.array(b.jac(pole, [0.1, 0.2, 0.3]))
    bodies = np.where(np.arange(NSIM) % 2, pole, model.body("ball").id)
    yield "jac of bodies", np.array(b.jac(bodies, rng.uniform(-1, 1, (NSIM, 3))))
    yield "jac of some", np.array(b.jac(pole, np.zeros((2, 3)), ids=[0, 4]))
    for kind, value in zip("dist geom normal".split(), b.ray([0.3, -1, 0.3], [0.02, 1, 0], normal=True)):
        yield f"ray {kind}", value
    group = np.array([1, 0, 0, 0, 0, 0])
    pnt = rng.uniform(-1, 1, (NSIM, 5, 3)) + [0, 0, 1]
    for kind, value in zip("dist geom".split(), b.ray(pnt, [0, 0, -1.0], group, False, pole)):
        yield f"rays {kind}", value
    # named views
    for kind, key, attribute in (
        ("joint", "free", "qpos"), ("joint", 1, "qacc"), ("body", "pole", "xpos"), ("body", "ball", "xiquat"),
        ("site", "tip", "xmat"), ("sensor", "acc", "data"), ("actuator", "turn", "force"), ("geom", "rod", "xpos"),
        ("camera", "eye", "xpos"), ("light", "sun", "xdir"), ("tendon", "string", "length"),
        ("body", "pole", "mass"), ("geom", "rod", "size"), ("joint", "hinge", "damping"), ("joint", "hinge", "qposadr"),
        ("equality", "hold", "solref"), ("pair", "touch", "margin"), ("material", "red", "rgba"),
        ("numeric", "gains", "data"), ("keyframe", "up", "qpos"), ("actuator", "push", "gear"),
    ):  # fmt: skip
        named = getattr(b, kind)(key)
        view = getattr(named, attribute)
        if attribute in ("xpos", "qacc", "xiquat", "xmat", "data", "force", "xdir", "length"):
            b.forward()
        yield f"{kind} {attribute}", view.copy()
        yield f"{kind} {attribute}: who", [named.id, named.name]
        yield f"{kind} {attribute}: written", view.flags.writeable
    yield "user", list(b.body("pole").user.shape)
    # parameters
    yield "not expanded", [b.expanded(name) is None for name in ("body_mass", "body_invweight0", "opt.gravity")]
    b.body("pole").mass = np.linspace(0.1, 1, NSIM).reshape(NSIM, 1)
    b.joint("hinge").damping = 0.3
    b.expand("opt.gravity")[:, 2] = -np.arange(NSIM)
    yield "iterations", b.expand("opt.iterations").copy()
    b.geom("sphere").size = np.linspace(0.05, 0.1, NSIM).reshape(NSIM, 1)
    b.set_const()
    for name in (
        "body_mass",
        "body_subtreemass",
        "body_invweight0",
        "dof_M0",
        "dof_damping",
        "opt.gravity",
        "geom_size",
        "geom_rbound",
        "geom_aabb",
    ):
        yield f"expanded {name}", b.expanded(name).copy()
        yield f"{name} is read-only", b.expanded(name).flags.writeable
    # what set_const leaves as it is in all simulations stays shared
    yield "shared", [b.expanded(name) is None for name in ("eq_data", "cam_mat0", "tree_sleep_policy", "geom_fluid")]
    b.step(nstep=4)
    yield from everything("with parameters")
    yield "model of 3", b.get_model(3).body_mass.copy()
    target = mj.MjModel.from_xml_string(XML)
    yield "into it", b.get_model(4, target) is target
    yield "its mass", target.body_mass.copy()
    data = b.get_data(2)
    yield "data of 2", [data.time, *data.qpos]
    mj.mj_forward(b.get_model(2), data)
    yield "forward of 2", data.qacc.copy()
    again = mj.MjData(model)
    yield "into these", b.get_data(5, again) is again
    yield "their qvel", again.qvel.copy()
    # models of the caller
    c = batch.Batch(model, NSIM, nthread, persistent)
    variants = []
    for i in range(NSIM):
        variant = copy.copy(model)
        variant.body_mass[pole] = 0.1 * (i + 1)
        mj.mj_setConst(variant, mj.MjData(variant))
        variants.append(variant)
    c.set_models(variants)
    c.ctrl[:, 0] = 0.5
    c.step(nstep=5)
    yield "with models", c.qpos.copy()
    yield "their masses", c.body("pole").mass.copy()
    yield "who they are", [c.models == tuple(variants)]
    yield "errors of models", [
        raised(lambda: c.expand("body_mass")), raised(c.set_const), raised(lambda: c.set_models(variants[:-1])),
        raised(lambda: setattr(c.body("pole"), "mass", 1)),
    ]  # fmt: skip
    c.set_models(variants[2])
    c.step()
    yield "with one model", c.qpos.copy()
    c.set_models(None)
    c.expand("body_mass")
    yield "models after expand", raised(lambda: c.set_models(variants))
    # errors
    yield "errors", {
        "bind": raised(lambda: b.bind("qpso")), "bind of a parameter": raised(lambda: b.bind("body_mass")),
        "bind of rows": raised(lambda: b.bind("efc_force")), "expand of data": raised(lambda: b.expand("xpos")),
        "expand of a mesh": raised(lambda: b.expand("mesh_vert")), "expanded": raised(lambda: b.expanded("nope")),
        "attribute": raised(lambda: b.nope), "output": raised(lambda: setattr(b, "xpos", 0)),
        "named output": raised(lambda: setattr(b.body("pole"), "xpos", 0)),
        "named": raised(lambda: b.body("nope")), "named attribute": raised(lambda: b.joint("hinge").nope),
        "structure": raised(lambda: setattr(b.joint("hinge"), "qposadr", 0)),
        "named id": raised(lambda: setattr(b.joint("hinge"), "id", 0)),
        "ids": [raised(lambda ids=ids: b.step(ids)) for ids in
                ([2**32], [0.9], [[0]], [NSIM], [-1], np.ones(NSIM + 1, bool), [3, 1], [2, 2])],
        "keyframe": [raised(lambda key=key: b.reset(keyframe=key)) for key in (2**32, 0.5, model.nkey, -2)],
        "body": [raised(lambda body=body: b.jac(body, np.zeros(3))) for body in (2**32, 0.9, model.nbody, -1)],
        "exclude": raised(lambda: b.ray(np.zeros(3), [0, 0, 1], bodyexclude=model.nbody)),
        "record": raised(lambda: b.rollout(3, record=("nope",))),
        "out": raised(lambda: b.rollout(3, out={"qpos": np.empty((NSIM, 2, model.nq))})),
        "status": raised(lambda: b.status.__setitem__(0, 1)), "xpos": raised(lambda: b.xpos.__setitem__(0, 1)),
        "get_data": raised(lambda: b.get_data(NSIM)),
    }  # fmt: skip
    # a simulation that fails keeps its state, the others run
    kinds = b.expand("eq_type")
    b.eq_active = 1
    kinds[[3, 5]] = 99
    before = b.time.copy()
    try:
        b.step()
        yield "failed", []
    except batch.SimulationError as error:
        yield "failed", error.ids
    yield "who failed", np.flatnonzero(b.status)
    yield "who moved", b.time > before
    yield "who has an error", [bool(b.error(i)) for i in range(NSIM)]


def same(expected, actual):
    if isinstance(expected, dict):
        return expected.keys() == actual.keys() and all(same(expected[key], actual[key]) for key in expected)
    expected, actual = np.asarray(expected), np.asarray(actual)
    if expected.dtype.kind not in "fiub":
        return np.array_equal(expected, actual)
    if expected.shape != actual.shape:
        return False
    if expected.dtype.kind != "f":
        return np.array_equal(expected, actual)
    scale = 1 + np.abs(expected).max(initial=0)
    return bool(np.abs(expected - actual).max(initial=0) <= 1e-9 * scale)


@pytest.mark.parametrize("nthread, persistent", [(1, False), (3, False), (2, True)])
def test_the_same_script(nthread, persistent):
    theirs = script(reference, reference_batch, nthread, persistent)
    mine = script(ours, our_batch, nthread, persistent)
    seen = 0
    for (what, expected), (also, actual) in zip(theirs, mine, strict=True):
        assert what == also
        assert same(expected, actual), f"{what}:\nreference {expected}\npliant {actual}"
        seen += 1
    assert seen > 300


def test_script_covers_everything():
    def public(cls):
        return {name for name in dir(cls) if not name.startswith("_")}

    attributes = {"model", "state", "status", "warning"}
    assert public(reference_batch.Batch) | attributes == COVERED
    assert public(our_batch.Batch) | attributes == COVERED
    assert our_batch.DATA_FIELDS >= reference_batch.DATA_FIELDS
    assert our_batch.MODEL_FIELDS >= reference_batch.MODEL_FIELDS


@pytest.mark.parametrize("nthread, persistent", [(1, False), (4, False), (3, True)])
def test_a_batch_is_a_loop(nthread, persistent):
    """No other engine: every bit is that of one MjData per simulation."""
    model = ours.MjModel.from_xml_string(XML)
    b = our_batch.Batch(model, NSIM, nthread, persistent)
    loop = [ours.MjData(model) for _ in range(NSIM)]
    rng = np.random.default_rng(3)
    b.qvel = rng.normal(size=(NSIM, model.nv))
    for i, data in enumerate(loop):
        data.qvel = b.qvel[i]
    sensordata, xpos, nefc = b.sensordata, b.xpos, b.nefc
    state = np.zeros(b.nstate)
    for call in range(20):
        b.ctrl = rng.uniform(-1, 1, (NSIM, model.nu))
        ids = None if call % 3 else np.flatnonzero(rng.uniform(size=NSIM) < 0.6)
        b.step(ids, nstep=3)
        for i in range(NSIM):
            loop[i].ctrl = b.ctrl[i]
            if ids is not None and i not in ids:
                continue
            ours.mj_step(model, loop[i], 3)
            ours.mj_getState(model, loop[i], state, int(ours.mjtState.mjSTATE_INTEGRATION))
            assert np.array_equal(b.state[i], state)
            assert np.array_equal(sensordata[i], loop[i].sensordata) and np.array_equal(xpos[i], loop[i].xpos)
            assert nefc[i] == loop[i].nefc
            if persistent:
                assert np.array_equal(b.get_data(i).qacc, loop[i].qacc)


def test_refused_steps():
    """Beyond the reference, which resets such a simulation."""
    model = ours.MjModel.from_xml_string(XML)
    b = our_batch.Batch(model, 4, 2)
    b.qvel[2, 0] = np.inf
    with pytest.raises(our_batch.SimulationError, match=r"1 of 4 simulations \(2\).*qvel\[0\].*slide.*inf") as caught:
        b.step(nstep=2)
    assert caught.value.ids.tolist() == [2] and b.time.tolist() == [0.01, 0.01, 0, 0.01]
    assert b.qvel[2, 0] == np.inf
    bad = int(ours.mjtWarning.mjWARN_BADQVEL)
    assert b.warning[:, bad, 1].tolist() == [0, 0, 1, 0]
    times = b.rollout(3, record=("time",))["time"]
    assert np.allclose(times[0], [0.015, 0.02, 0.025]) and times[2].tolist() == [0, 0, 0]
    assert b.warning[2, bad, 1] == 2
    b.reset([2])
    b.step()
    assert not b.status.any() and b.warning[2, bad, 1] == 0


def test_views_outlive_the_batch():
    b = our_batch.Batch(ours.MjModel.from_xml_string(XML), NSIM)
    qpos, xpos, mass = b.qpos, b.xpos, b.expand("body_mass")
    b.step()
    before = qpos.copy(), xpos.copy(), mass.copy()
    del b
    gc.collect()
    for _ in range(5):
        our_batch.Batch(ours.MjModel.from_xml_string(XML), NSIM).step()
    assert all(np.array_equal(a, c) for a, c in zip(before, (qpos, xpos, mass)))
    qpos[:] = 0
