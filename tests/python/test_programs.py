"""Habits of programs written for MuJoCo's package: arrays and views that are kept, bytes, structs that are compared and
copied, callbacks, timers, resets, files.
"""

import copy
import ctypes
import gc
import pickle
import weakref

import mujoco as reference
import numpy as np
import pytest
from mujoco import rollout as reference_rollout

import pliant.mujoco as mujoco

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .099"><freejoint name="free"/><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos="1 0 .099"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="arm" pos="0 2 1"><joint name="hinge" range="-1 1"/><geom size=".05" pos=".3 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/><muscle name="muscle" joint="hinge"/></actuator>
</mujoco>
"""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model):
    return mujoco.MjData(model)


# ---- arrays and views ----------------------------------------------------------------------------


def test_arrays_are_kept(model, data):
    assert model.body_mass is model.body_mass and model.names is model.names
    assert model.jnt_type is model.jnt_type  # one that is checked when it is written
    assert data.qpos is data.qpos
    proxy = weakref.proxy(model.geom_size)
    gc.collect()
    assert proxy.shape == (4, 3)


def test_arrays_outlive_their_model_and_keep_nothing_else():
    model = mujoco.MjModel.from_xml_string(XML)
    mass, types, gone = model.body_mass, model.geom_type, weakref.ref(model)
    data = mujoco.MjData(model)
    gone_data, ball = weakref.ref(data), data.body("ball").xpos
    del model, data
    assert gone() is None and gone_data() is None  # without the garbage collector
    mass[:] = 7
    assert np.all(mass == 7) and ball.shape == (3,)
    with pytest.raises(ReferenceError, match="geom_type can be written while its model exists"):
        types[0] = 2


def test_writing_to_kept_arrays(model):
    mass, types = model.body_mass, model.geom_type
    model.body_mass = 2
    assert np.all(mass == 2)
    with pytest.raises(ValueError, match="nothing was changed"):
        types[0] = 99
    model.geom_type[3] = mujoco.mjtGeom.mjGEOM_SPHERE
    assert types[3] == mujoco.mjtGeom.mjGEOM_SPHERE


def test_named_views_are_kept(model, data):
    for owner in (model, data):
        view = owner.geom("ball")
        assert owner.geom(2) is view and owner.geom(b"ball") is view
    assert data.joint("free").qpos is data.joint(0).qpos
    data.joint("hinge").qpos = 0.3
    assert data.qpos[14] == 0.3
    assert not data.actuator("motor").moment.flags.writeable


def test_addresses(model, data):
    assert len({model._address, data._address, copy.copy(model)._address}) == 3


# ---- structs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, attribute", [
    ("MjOption", "tolerance"), ("MjWarningStat", "number"), ("MjTimerStat", "number"), ("MjSolverStat", "neval"),
    ("MjContact", "dist"), ("MjStatistic", "extent"), ("MjLROpt", "maxforce"), ("MjvPerturb", "select"),
    ("MjvCamera", "fixedcamid"),
])  # fmt: skip
def test_structs_are_compared_by_value(name, attribute):
    one, other = getattr(mujoco, name)(), getattr(mujoco, name)()
    assert one == other
    setattr(one, attribute, 1)
    assert one != other and one != 3
    assert f"{attribute}: 1" in repr(one) and repr(one).startswith(f"<{name}")
    with pytest.raises(TypeError):
        hash(one)


def test_parts_of_a_model_are_assigned(model):
    gravity, fog = model.opt.gravity, model.vis.rgba.fog
    option = mujoco.MjOption()
    option.gravity = 0, 0, -1
    model.opt = option
    option.gravity = 5
    assert gravity.tolist() == [0, 0, -1]
    vis = copy.copy(model.vis)
    vis.rgba.fog, vis.global_.fovy = 0.25, 70
    assert not np.any(fog == 0.25)
    model.vis = vis
    assert np.all(fog == 0.25) and model.vis == vis and model.vis.global_.fovy == 70
    model.vis.headlight = copy.copy(vis.headlight)
    model.stat = mujoco.MjStatistic()


def test_contacts_in_slices(model, data):
    mujoco.mj_forward(model, data)
    contacts = data.contact
    assert len(contacts) == 5 and len(contacts[:4]) == 4
    assert contacts[1:3].dist.shape == (2,) and contacts[:2].geom.tolist() == contacts.geom[:2].tolist()
    assert contacts[contacts.geom2 == 2].geom2.tolist() == [2]
    kept = copy.copy(contacts[0])
    contacts[0].dist = -3
    assert contacts.dist[0] == -3 and kept.dist != -3
    assert pickle.loads(pickle.dumps(kept)) == kept
    with pytest.raises(AttributeError, match="Pliant has no flexes"):
        contacts[0].elem = 0
    assert not contacts.H.any()
    contacts[1].H = np.arange(36)
    assert data.contact.H.shape == (5, 36) and data.contact[:2].H[1].tolist() == list(range(36))
    own = mujoco.MjContact()
    own.H[3] = 1
    assert own != mujoco.MjContact()


# ---- callbacks and timers ------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def as_at_the_start():
    yield
    mujoco.mj_resetCallbacks()
    mujoco.set_on_fault("raise")
    mujoco.set_mju_user_warning(None)


@pytest.mark.parametrize("integrator", [0, 1, 3])
def test_contactfilter(model, data, integrator):
    model.opt.integrator = integrator
    asked = []

    def refuse_ball(m, d, geom1, geom2):
        assert m is model and d is data
        asked.append((geom1, geom2))
        return geom2 == 2

    mujoco.set_mjcb_contactfilter(refuse_ball)
    mujoco.mj_step(model, data)
    assert set(asked) == {(0, 1), (0, 2)} and set(data.contact.geom2.tolist()) == {1}
    for _ in range(200):
        mujoco.mj_step(model, data)
    assert data.body("ball").xpos[2] < 0 < data.body("box").xpos[2]


def test_what_a_contactfilter_raises_leaves_the_step(model, data):
    def fail(m, d, geom1, geom2):
        raise LookupError("filter")

    mujoco.set_mjcb_contactfilter(fail)
    with pytest.raises(LookupError, match="filter"):
        mujoco.mj_step(model, data)
    mujoco.set_mjcb_contactfilter(None)
    mujoco.mj_step(model, data)
    with pytest.raises(ValueError, match="mjcb_contactfilter"):
        mujoco.set_mjcb_contactfilter(fail)
        mujoco.rollout.rollout(
            model, data, np.zeros((1, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
        )


def test_timers(model, data):
    step = mujoco.mjtTimer.mjTIMER_STEP
    mujoco.mj_step(model, data, 5)
    assert data.timer[step].number == 5 and data.timer[step].duration > 0
    mujoco.mj_resetData(model, data)
    assert data.timer[step].number == 0
    ticks = iter(range(100))
    mujoco.set_mjcb_time(lambda: next(ticks))
    mujoco.mj_step(model, data, 3)
    assert data.timer[step].number == 3 and data.timer[step].duration == 3
    mujoco.set_mjcb_time(lambda: "late")
    with pytest.raises(TypeError, match="mjcb_time callback did not return a number"):
        mujoco.mj_forward(model, data)


def test_checks_follow_on_fault(model, data):
    warnings = data.warning
    data.qpos[1] = np.nan
    with pytest.raises(mujoco.StepError, match=r"mjWARN_BADQPOS: qpos\[1\] is nan"):
        mujoco.mj_checkPos(model, data)
    mujoco.set_on_fault("reset")
    told = []
    mujoco.set_mju_user_warning(told.append)
    mujoco.mj_checkPos(model, data)
    line = warnings[mujoco.mjtWarning.mjWARN_BADQPOS]
    assert (line.number, line.lastinfo) == (1, 1) and "qpos[1]" in told[0] and data.qpos[1] == 0
    data.qpos[1] = np.nan
    mujoco.mj_step(model, data)
    assert line.number == 2
    line.number = 0
    assert data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number == 0
    # dm_control gives a function of ctypes, which takes bytes
    mujoco.set_mju_user_warning(ctypes.CFUNCTYPE(None, ctypes.c_char_p)(told.append))
    data.qpos[1] = np.nan
    mujoco.mj_step(model, data)
    assert line.number == 1 and b"qpos[1]" in told[-1]


def test_bodies_may_be_called_no_longer_simple(model, data):
    """dm_control writes body_simple and body_sameframe when an inertial frame is moved."""
    body = model.body("box")
    assert body.simple == 1 and data.qvel.size == 13
    body.ipos, body.simple, body.sameframe = (0, 0, 0.01), 0, 0
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(data.body("box").xipos, data.body("box").xpos + [0, 0, 0.01], atol=1e-15)
    with pytest.raises(ValueError, match="dof_simplenum"):
        model.body("arm").simple = 1


# ---- files and ranges ----------------------------------------------------------------------------


def test_last_model_as_xml(model, data, tmp_path):
    path = tmp_path / "last.xml"
    mujoco.mj_saveLastXML(str(path), model)
    assert mujoco.MjModel.from_xml_path(str(path)).body_mass.tolist() == model.body_mass.tolist()
    model = mujoco.MjModel.from_xml_string(XML)
    model.body_pos[3], model.geom_rgba[1] = (0, 3, 1), (1, 0, 0, 1)  # robosuite saves models that it has changed
    mujoco.mj_saveLastXML(str(path), model)
    saved = mujoco.MjModel.from_xml_path(str(path))
    assert saved.body_pos.tolist() == model.body_pos.tolist() and saved.geom_rgba.tolist() == model.geom_rgba.tolist()
    model.body_inertia[2] = (1, 1, 100)  # which no body can have
    with pytest.raises(mujoco.FatalError, match="body_inertia.* differ from what was loaded"):
        mujoco.mj_saveLastXML(str(path), model)
    model = mujoco.MjModel.from_xml_string(XML)
    with pytest.raises(mujoco.FatalError, match="not the one that was loaded last"):
        mujoco.mj_saveLastXML(str(path), mujoco.MjSpec().compile())


def test_length_ranges_are_those_of_the_compiler(model, data):
    compiled = model.actuator_lengthrange[1].copy()
    assert compiled[0] < compiled[1]
    options = mujoco.MjLROpt()
    options.useexisting = 0
    model.actuator_lengthrange[1] = 0
    mujoco.mj_setLengthRange(model, data, 1, options)
    np.testing.assert_allclose(model.actuator_lengthrange[1], compiled, rtol=1e-12)
    model.jnt_limited[2] = False
    with pytest.raises(mujoco.FatalError, match="'muscle' has no length range"):
        mujoco.mj_setLengthRange(model, data, 1, options)
    mujoco.mj_setLengthRange(model, data, 0, options)  # no muscle: left alone
    assert not np.any(model.actuator_lengthrange[0])


def test_files_in_memory_are_given_once():
    with pytest.raises(ValueError, match="Repeated"):
        mujoco.MjModel.from_xml_string("<mujoco/>", {"a.xml": b"", "folder/a.xml": b""})
    with pytest.raises(ValueError, match="not both"):
        mujoco.MjModel.from_xml_string("<mujoco/>", {"a.xml": b""}, vfs=mujoco.MjVfs())


# ---- rollout -------------------------------------------------------------------------------------


def test_rollout_checks_what_it_is_given(model, data):
    rollout = mujoco.rollout.rollout
    states = np.zeros((4, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    mujoco.mj_getState(model, data, states[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states[:] = states[0]
    assert rollout(model, data, states, nstep=0)[0].shape == (4, 0, states.shape[1])
    for wrong in ({"nstep": -1}, {"nstep": 1.5}, {"nstep": False}, {"chunk_size": 0}, {"chunk_size": True}):
        with pytest.raises(ValueError, match="must be"):
            rollout(model, data, states, **wrong)
    with pytest.raises(ValueError, match="list of data instances is empty"):
        rollout(model, [], states)
    with mujoco.rollout.Rollout(nthread=2) as engine, pytest.raises(ValueError, match="Length of data: 1"):
        engine.rollout(model, data, states)
    more = [model] * 9
    assert len(rollout(more, data, states, nstep=2, skip_checks=True)[0]) == 4


# ---- before 4.0 ----------------------------------------------------------------------------------


def test_mass_matrix_along_branches(model, data):
    mujoco.mj_forward(model, data)
    full, earlier = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    mujoco.mj_fullM(model, earlier, data.qM)
    np.testing.assert_array_equal(full, earlier)
    assert data.qM[0] == full[0, 0] and data.qM[2] == full[1, 0]  # a dof, then its parent
    with pytest.raises(TypeError, match="M should have"):
        mujoco.mj_fullM(model, earlier, np.zeros(3))


def test_errors_name_the_line_as_programs_look_for_it():
    with pytest.raises(ValueError, match=r"<string>:3:7: error[^$]*\nThe first error is in line 3\.$"):
        mujoco.MjModel.from_xml_string("<mujoco>\n<worldbody>\n<geom sze='1'/></worldbody></mujoco>")
    with pytest.raises(ValueError) as caught:
        mujoco.MjModel.from_xml_path("there is no such file.xml")
    assert "in line" not in str(caught.value)


def test_outputs_are_written_past_what_subclasses_do():
    """dm_control's arrays forward the model when they are assigned to, and views of them cannot."""

    class Array(np.ndarray):
        def __setitem__(self, key, value):
            raise AssertionError("assigned to")

    out = np.zeros(3).view(Array)
    mujoco.mju_rotVecQuat(out, np.array([1.0, 0, 0]), np.array([0.0, 0, 0, 1]))
    assert out.tolist() == [-1, 0, 0]
    dense = np.zeros((1, 2)).view(Array)
    sparse = np.array([3.0]), np.array([1], np.int32), np.array([0], np.int32), np.array([1], np.int32)
    mujoco.mju_sparse2dense(dense, *sparse)
    assert dense.tolist() == [[0, 3]]


# ---- files and rollouts --------------------------------------------------------------------------


def test_views_are_not_copied_without_what_they_belong_to(model, data):
    for view in (model.body("box"), data.joint("free")):
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot pickle '_Mj(Model|Data)"):
                way(view)
    assert data.signature == model.signature == mujoco.MjData(model).signature


def test_equal_models_are_saved_as_equal_bytes(model, tmp_path):
    """Wherever their elements stand in files; what is read back is the model, and pickles keep the places."""
    text = "<mujoco><worldbody>\n\n\n<body name='b'><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>"
    (tmp_path / "one.xml").write_text(text)
    (tmp_path / "other.xml").write_text("<!-- -->\n" + text.replace("\n\n", " "))
    saved = []
    for name in ("one", "other"):
        loaded = mujoco.MjModel.from_xml_path(str(tmp_path / f"{name}.xml"))
        mujoco.mj_saveModel(loaded, str(tmp_path / f"{name}.mjb"))
        buffer = np.zeros(mujoco.mj_sizeModel(loaded), np.uint8)
        mujoco.mj_saveModel(loaded, None, buffer)
        saved += [(tmp_path / f"{name}.mjb").read_bytes(), buffer.tobytes()]
    assert len(set(saved)) == 1
    back = mujoco.MjModel.from_binary_path(str(tmp_path / "one.mjb"))
    assert back.origin("joint", 0) == "" and back.joint("j").id == 0 and back.nv == 1
    assert pickle.loads(pickle.dumps(loaded)).origin("joint", 0) == loaded.origin("joint", 0) != ""
    data = mujoco.MjData(back)
    data.qpos[0] = np.nan
    with pytest.raises(mujoco.StepError, match=r"qpos\[0\] \(joint 'j'\) is nan"):
        mujoco.mj_step(back, data)
    loaded.body_mass[1] *= 2
    mujoco.mj_saveModel(loaded, str(tmp_path / "heavy.mjb"))
    assert (tmp_path / "heavy.mjb").read_bytes() != saved[0]


def test_rollouts_without_controls_have_those_of_the_data():
    ends = []
    for module, rollout in ((mujoco, mujoco.rollout), (reference, reference_rollout)):
        own = module.MjModel.from_xml_string(STEERED)
        data = module.MjData(own)
        data.ctrl[:], data.qfrc_applied[:], data.mocap_pos[:] = 0.7, 0.3, 5
        start = np.zeros(module.mj_stateSize(own, module.mjtState.mjSTATE_FULLPHYSICS))
        first = rollout.rollout(own, data, start, nstep=5)[0]
        data.ctrl[:], data.qfrc_applied[:] = 0.7, 0.3
        spec = int(module.mjtState.mjSTATE_QFRC_APPLIED)
        second = rollout.rollout(own, data, start, control_spec=spec, nstep=4)[0]
        out = np.zeros((2, 6, len(start)))
        data.ctrl[:] = 0.7
        rollout.rollout(own, data, np.array([start, start]), state=out)
        ends.append(np.concatenate([first.ravel(), second.ravel(), out.ravel()]))
    np.testing.assert_allclose(*ends, rtol=1e-9, atol=1e-12)
    assert np.abs(ends[0]).max() > 0


STEERED = """<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".3 0 0"/></body>
  <body mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>
  <actuator><motor joint="j"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    "x", [2.5, -2.5, 0.5, -0.5, 0.49999999999999994, -3.5, 3.4999, 1e20, -1e20, np.nan, 2.0**31 - 0.5, -(2.0**31)]
)
def test_round_is_that_of_the_reference(x):
    """Halves away from zero, and what fits into an int, NaN included: programs use it as an index."""
    assert mujoco.mju_round(x) == reference.mju_round(x)


@pytest.mark.parametrize("module", [mujoco, reference], ids=["pliant", "reference"])
def test_calls_with_arguments_of_other_kinds(module, tmp_path):
    """Programs catch ValueError around models that cannot be loaded, and TypeError around arguments of another kind."""
    model = module.MjModel.from_xml_string(bytearray(XML.encode()))
    assert module.mj_name2id(model, module.mjtObj.mjOBJ_BODY, "box") == 1
    for path in (tmp_path / "missing.mjb", tmp_path):
        with pytest.raises(ValueError):
            module.MjModel.from_binary_path(str(path))
    for call in (
        lambda: module.MjModel.from_xml_string(None),
        lambda: module.MjModel.from_xml_string(5),
        lambda: module.mj_name2id(model, "body", "box"),
        lambda: module.mj_name2id(model, 1.0, "box"),
        lambda: module.mj_id2name(model, "body", 1),
        lambda: module.mj_id2name(model, 1, 1.0),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_binary_model_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(mujoco.LoadError, match="No such file") as error:
        mujoco.MjModel.from_binary_path(str(tmp_path / "missing.mjb"))
    assert error.value.diagnostics == []
    (tmp_path / "other.mjb").write_bytes(b"of another program")
    with pytest.raises(mujoco.LoadError, match=r"other\.mjb: error\[E102\]") as error:
        mujoco.MjModel.from_binary_path(str(tmp_path / "other.mjb"))
    assert len(error.value.diagnostics) == 1


def test_rollouts_do_not_touch_the_data_and_the_reference_does():
    """As docs/compatibility.md says: who goes on from the data has to set the last state of the result."""
    for module, rollout, touched in ((mujoco, mujoco.rollout, False), (reference, reference_rollout, True)):
        own = module.MjModel.from_xml_string(STEERED)
        data = module.MjData(own)
        start = np.zeros(module.mj_stateSize(own, module.mjtState.mjSTATE_FULLPHYSICS))
        module.mj_getState(own, data, start, module.mjtState.mjSTATE_FULLPHYSICS)
        states, _ = rollout.rollout(own, data, start, nstep=3)
        assert data.time == (states[0, -1, 0] if touched else 0)


def test_finite_differences_of_runge_kutta_steps():
    """The reference refuses them."""
    model = mujoco.MjModel.from_xml_string(XML.replace("<worldbody>", "<option integrator='RK4'/><worldbody>", 1))
    data = mujoco.MjData(model)
    size = 2 * model.nv + model.na
    moved = np.zeros((size, size))
    mujoco.mjd_transitionFD(model, data, 1e-6, True, moved, None, None, None)
    assert np.isfinite(moved).all() and np.allclose(np.diag(moved)[: model.nv], 1, atol=0.2)


def test_contacts_are_compared_by_their_numbers():
    """Bytes of a contact that nobody writes once made equal contacts unequal, now and then."""
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    contact = data.contact[0]
    other = np.frombuffer(bytearray(b"\xff" * contact._row.dtype.itemsize), contact._row.dtype)[0]
    for name in other.dtype.names:
        other[name] = contact._row[name]
    assert other.tobytes() != contact._row.tobytes()
    assert mujoco.MjContact(other) == contact == pickle.loads(pickle.dumps(contact))
    assert pickle.loads(pickle.dumps(data)).contact == data.contact
    other["dist"] += 1
    assert mujoco.MjContact(other) != contact
