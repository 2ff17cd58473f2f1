"""Callbacks in the middle of a step: when they are called, with which state, and what they change; beside the reference
and against closed forms, with every integrator.
"""

import ctypes

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as ours

INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast", "discrete"]
XML = """
<mujoco>
  <option integrator="{integrator}" timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/><geom size=".05" pos=".3 0 0"/>
      <body pos=".3 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".04" pos=".2 0 0"/></body>
    </body>
    <body name="ball" pos="1 0 .3"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="hinge"/>
    <general name="law" joint="elbow" dyntype="user" gaintype="user" biastype="user" actdim="1" gainprm="2"
      forcerange="-3 3"/>
    <general name="gain" joint="hinge" gaintype="user" biastype="affine" biasprm=".1 -.5 -.2"/>
    <general name="early" joint="elbow" dyntype="user" actdim="1" actearly="true" gainprm="1.5" actlimited="true"
      actrange="-1 1"/>
  </actuator>
  <sensor>
    <user name="first" dim="2" needstage="pos"/><jointpos joint="hinge"/><user name="second" dim="1" needstage="vel"/>
    <user name="third" dim="1" needstage="acc"/>
  </sensor>
</mujoco>
"""


def steer(m, d):
    d.ctrl[:] = np.sin(3 * d.time + d.qpos[0]) - 0.3 * d.qvel[1], 0.4, 0.3 * d.qpos[1], np.cos(d.time)


def push(m, d):
    d.qfrc_passive[:] -= 0.2 * d.qvel + 0.1 * np.sin(d.time)


def sense(m, d, stage):
    if stage == 1:
        d.sensordata[:2] = d.qpos[:2] * 2
    elif stage == 2:
        d.sensordata[3] = d.qvel[0] + d.sensordata[2]
    else:
        d.sensordata[4] = d.qacc[1]


def rate(m, d, i):
    return 5 * (d.ctrl[i] - d.act[m.actuator_actadr[i]])


def gain(m, d, i):
    return m.actuator_gainprm[i, 0] * (1 + 0.5 * np.cos(d.qpos[0]))


def bias(m, d, i):
    return -0.7 * d.qpos[1] - 0.05 * d.qvel[1]


SETS = {
    "control": {"control": steer},
    "passive": {"passive": push},
    "sensor": {"sensor": sense},
    "laws": {"act_dyn": rate, "act_gain": gain, "act_bias": bias},
    "all": {"control": steer, "passive": push, "sensor": sense, "act_dyn": rate, "act_gain": gain, "act_bias": bias},
}


@pytest.fixture(autouse=True)
def none_left():
    yield
    ours.mj_resetCallbacks()
    for name in IN_STEP:  # after mj_resetCallbacks the reference calls none, but still names the last ones
        getattr(reference, f"set_mjcb_{name}")(None)


def run(module, xml, callbacks, steps, advance):
    model = module.MjModel.from_xml_string(xml)
    data = module.MjData(model)
    data.qvel[:2] = 1, -2
    data.ctrl[:] = 0.2, -0.3, 0.1, 0.5
    for name, callback in callbacks.items():
        getattr(module, f"set_mjcb_{name}")(callback)
    rows = []
    for _ in range(steps):
        advance(module, model, data)
        rows.append([*data.qpos, *data.qvel, *data.act, *data.ctrl, *data.sensordata, *data.actuator_force,
                     *data.act_dot, data.time])  # fmt: skip
    for name in callbacks:
        getattr(module, f"set_mjcb_{name}")(None)
    return np.array(rows)


def step(module, model, data):
    module.mj_step(model, data)


def halves(module, model, data):
    module.mj_step1(model, data)
    module.mj_step2(model, data)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("chosen", SETS)
def test_steps_with_callbacks_are_those_of_the_reference(integrator, chosen):
    xml = XML.format(integrator=integrator)
    a = run(ours, xml, SETS[chosen], 40, step)
    b = run(reference, xml, SETS[chosen], 40, step)
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("chosen", ["control", "laws", "all"])
def test_halves_of_steps(chosen):
    xml = XML.format(integrator="Euler")
    a, b = run(ours, xml, SETS[chosen], 40, halves), run(reference, xml, SETS[chosen], 40, halves)
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_a_law_of_a_program_is_the_law_of_the_engine():
    """A servo written as callbacks moves bit for bit as the engine's own."""
    body = (
        '<worldbody><body><joint name="j" axis="0 1 0" damping=".2"/><geom size=".1" pos=".2 0 0"/></body></worldbody>'
    )
    own = f"""<mujoco>{body}<actuator><general joint="j" gainprm="3" biastype="affine" biasprm="0 -3 -.4"
      forcerange="-1 1"/></actuator></mujoco>"""
    user = f"""<mujoco>{body}<actuator><general joint="j" gaintype="user" biastype="user" gainprm="3" biasprm="0 -3 -.4"
      forcerange="-1 1"/></actuator></mujoco>"""
    states = []
    for xml in (own, user):
        model = ours.MjModel.from_xml_string(xml)
        data = ours.MjData(model)
        data.ctrl[0] = 0.7
        if xml is user:
            ours.set_mjcb_act_gain(lambda m, d, i: m.actuator_gainprm[i, 0])
            ours.set_mjcb_act_bias(
                lambda m, d, i: (
                    m.actuator_biasprm[i, 0]
                    + m.actuator_biasprm[i, 1] * d.actuator_length[i]
                    + m.actuator_biasprm[i, 2] * d.actuator_velocity[i]
                )
            )
        for _ in range(200):
            ours.mj_step(model, data)
        states.append([*data.qpos, *data.qvel, *data.qfrc_actuator])
    assert states[0] == states[1] and states[0][0] != 0


def test_runge_kutta_asks_at_the_states_of_its_stages():
    """ẋ = u with u = cos t from a callback: of fourth order only if the callback is asked at t, t + h/2 and t + h."""
    xml = """<mujoco><option integrator="RK4" timestep="0.1" gravity="0 0 0"/><worldbody><body>
      <joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody>
      <actuator><motor joint="j"/></actuator></mujoco>"""
    model = ours.MjModel.from_xml_string(xml)
    errors = []
    for h in (0.1, 0.05):
        model.opt.timestep = h
        data, asked = ours.MjData(model), []

        def force(m, d, asked=asked):
            asked.append(d.time)
            d.ctrl[0] = np.cos(d.time)

        ours.set_mjcb_control(force)
        for _ in range(round(1 / h)):
            ours.mj_step(model, data)
        np.testing.assert_allclose(asked[:4], [0, h / 2, h / 2, h], atol=1e-15)
        errors.append(abs(data.qpos[0] - (1 - np.cos(1.0))))
        assert data.ctrl[0] == np.cos(asked[-1])  # as in the reference, what was set last stays
    assert errors[0] / errors[1] > 14  # 16 for fourth order
    assert errors[0] < 1e-6


def test_state_is_put_back_when_a_callback_raises():
    model = ours.MjModel.from_xml_string(XML.format(integrator="RK4"))
    data = ours.MjData(model)
    ours.mj_step(model, data, 10)
    before, calls = data.qpos.copy(), []

    def fail(m, d):
        calls.append(d.time)
        if len(calls) == 3:
            raise LookupError("third stage")
        d.ctrl[0] = 5

    ours.set_mjcb_control(fail)
    with pytest.raises(LookupError, match="third stage"):
        ours.mj_step(model, data)
    assert len(calls) == 3 and np.array_equal(data.qpos, before) and data.ctrl[0] == 0
    ours.set_mjcb_control(None)
    ours.mj_step(model, data)


def test_callbacks_may_compute_with_the_same_data():
    """A callback that calls mj_forward: its callbacks are called inside, and the step goes on."""
    model = ours.MjModel.from_xml_string(XML.format(integrator="implicitfast"))
    data, depth = ours.MjData(model), []

    def again(m, d):
        if len(depth) == 0:
            depth.append(1)
            ours.mj_forward(m, d)
            depth.append(2)
        d.ctrl[0] = 1

    ours.set_mjcb_control(again)
    ours.mj_step(model, data)
    assert depth == [1, 2] and data.actuator_force[0] == 1 and data.time > 0


def test_what_is_no_law_is_refused():
    model = ours.MjModel.from_xml_string(XML.format(integrator="Euler"))
    data = ours.MjData(model)
    ours.set_mjcb_act_gain(lambda m, d, i: "much")
    with pytest.raises(TypeError, match="mjcb_act_gain callback did not return a number"):
        ours.mj_step(model, data)
    ours.set_mjcb_act_gain(lambda m, d, i: np.nan)
    with pytest.raises(ours.StepError):
        ours.mj_step(model, data)
    assert data.time == 0
    with pytest.raises(ValueError, match="mjcb_act_gain"):
        ours.rollout.rollout(model, data, np.zeros((1, ours.mj_stateSize(model, ours.mjtState.mjSTATE_FULLPHYSICS))))
    ours.mj_resetCallbacks()
    with pytest.raises(TypeError, match="Optional"):
        ours.set_mjcb_act_dyn(3)


IN_STEP = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter")
OBJECTS = (ctypes.c_void_p, ctypes.c_void_p)


def test_machine_code_is_refused_unless_it_is_a_clock():
    given = ctypes.CFUNCTYPE(None, *OBJECTS)(lambda m, d: None)
    address = ctypes.cast(given, ctypes.c_void_p).value
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    class Data(ctypes.Structure):
        _fields_ = [("time", ctypes.c_double)]

    refused = [new_capsule(address, None, None), ctypes.CFUNCTYPE(None, *OBJECTS)(address),
               ctypes.pythonapi.Py_IsInitialized,
               ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Data))(lambda m, d: None)]  # fmt: skip
    for name in IN_STEP:
        for function in refused:
            with pytest.raises(NotImplementedError, match="give a Python function"):
                getattr(ours, f"set_mjcb_{name}")(function)
        assert getattr(ours, f"get_mjcb_{name}")() is None
    ours.set_mjcb_time(ctypes.CFUNCTYPE(ctypes.c_double)(lambda: 3.0))
    assert ours.get_mjcb_time()() == 3.0


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_python_functions_in_the_form_of_c_functions(integrator):
    """Called as often as in the reference, with addresses that tell data apart, and what they give counts."""
    rows, calls = [], []
    for module in (ours, reference):
        model = module.MjModel.from_xml_string(XML.format(integrator=integrator))
        data, other = module.MjData(model), module.MjData(model)
        seen = []
        control = ctypes.CFUNCTYPE(None, *OBJECTS)(lambda m, d, seen=seen: seen.append((m, d)))
        sensor = ctypes.CFUNCTYPE(None, *OBJECTS, ctypes.c_int)(lambda m, d, stage, seen=seen: seen.append(stage))
        gain = ctypes.CFUNCTYPE(ctypes.c_double, *OBJECTS, ctypes.c_int)(lambda m, d, i: 0.5 + i)
        for name, function in (("control", control), ("sensor", sensor), ("act_gain", gain)):
            getattr(module, f"set_mjcb_{name}")(function)
            assert getattr(module, f"get_mjcb_{name}")() is function
        for one in (data, data, other):
            one.ctrl[:] = 0.3
            module.mj_step(model, one)
        module.mj_resetCallbacks()
        places = [pair for pair in seen if isinstance(pair, tuple)]
        assert places[0] == places[1] and places[0][0] == places[-1][0] and places[0][1] != places[-1][1]
        rows.append([*data.qpos, *data.qvel, *data.actuator_force])
        calls.append([what if isinstance(what, int) else "control" for what in seen])
    assert calls[0] == calls[1]
    np.testing.assert_allclose(*rows, rtol=1e-9, atol=1e-9)


def test_threads_of_a_batch_call_them():
    model = ours.MjModel.from_xml_string(XML.format(integrator="Euler"))
    batch, seen = ours.batch.Batch(model, 6, 3), {"control": [], "passive": []}
    for name, calls in seen.items():
        getattr(ours, f"set_mjcb_{name}")(ctypes.CFUNCTYPE(None, *OBJECTS)(lambda m, d, calls=calls: calls.append(m)))
    batch.step(nstep=2)
    batch.forward([1, 4])
    assert [len(calls) for calls in seen.values()] == [14, 14] and len(set(seen["control"])) == 1
    states = batch.state.copy()
    ours.mj_resetCallbacks()
    batch.step()
    assert len(seen["control"]) == 14  # forgotten with the callback
    again = ours.batch.Batch(model, 6, 1)
    again.step(nstep=2)
    np.testing.assert_array_equal(again.state, states)
    model.opt.disableflags = ours.mjtDisableBit.mjDSBL_ACTUATION
    ours.set_mjcb_control(ctypes.CFUNCTYPE(None, *OBJECTS)(lambda m, d: seen["control"].append(m)))
    ours.batch.Batch(model, 2, 1).step()
    assert len(seen["control"]) == 14
    ours.set_mjcb_sensor(ctypes.CFUNCTYPE(None, *OBJECTS, ctypes.c_int)(lambda m, d, stage: None))
    with pytest.raises(ValueError, match="remove mjcb_sensor"):  # what it writes would be missing
        batch.step()


FUNCTIONS = """mj_inverse mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_passive mj_sensorPos mj_sensorVel
    mj_sensorAcc mj_collision mj_Euler mj_forward mj_step1 mj_step2""".split()


def test_every_part_of_a_step_calls_what_belongs_to_it():
    """mj_inverse and the functions of single stages once called nothing."""
    rows = []
    for module in (ours, reference):
        model = module.MjModel.from_xml_string(XML.format(integrator="Euler"))
        data, asked, found = module.MjData(model), [], []
        data.qvel[:2], data.ctrl[:], data.qpos[4] = (1, -2), (0.2, -0.3, 0.1, 0.5), 0.09
        module.mj_forward(model, data)

        def note(name, function, asked=asked):
            return lambda m, d, *more: asked.append((name, *more)) or function(m, d, *more)

        for name, function in SETS["all"].items():
            getattr(module, f"set_mjcb_{name}")(note(name, function))
        calls = [*[(name, ()) for name in FUNCTIONS], ("mj_forwardSkip", (0, 0)), ("mj_forwardSkip", (1, 1)),
                 ("mj_forwardSkip", (2, 0)), ("mj_inverseSkip", (0, 0)), ("mj_RungeKutta", (4,))]  # fmt: skip
        for name, more in calls:
            getattr(module, name)(model, data, *more)
            found.append([name, len(asked), *data.qfrc_passive, *data.sensordata, *data.actuator_force])
            if name != "mj_RungeKutta":  # after it Pliant's accelerations are those of the last of its passes
                found[-1] += data.qacc.tolist()
        model.opt.disableflags = module.mjtDisableBit.mjDSBL_SPRING | module.mjtDisableBit.mjDSBL_DAMPER
        before = len(asked)
        module.mj_passive(model, data)
        assert len(asked) == before  # nothing is passive then
        module.mj_resetCallbacks()
        rows.append(found)
    for a, b in zip(*rows, strict=True):
        assert a[:2] == b[:2]
        np.testing.assert_allclose(a[2:], b[2:], rtol=1e-9, atol=1e-9, err_msg=a[0])


def test_passive_forces_of_a_callback_are_subtracted_by_inverse_dynamics():
    """Of what holds an acceleration, a damper of c v gives c v less."""
    model = ours.MjModel.from_xml_string(XML.format(integrator="Euler"))
    data = ours.MjData(model)
    data.qvel[:2] = 1, -2
    ours.mj_inverse(model, data)
    without = data.qfrc_inverse.copy()
    ours.set_mjcb_passive(lambda m, d: np.subtract(d.qfrc_passive, 0.7 * d.qvel, out=d.qfrc_passive))
    ours.mj_inverse(model, data)
    np.testing.assert_allclose(data.qfrc_inverse - without, 0.7 * data.qvel, atol=1e-12)


def test_derivatives_by_differences_call_no_python_and_say_so():
    model = ours.MjModel.from_xml_string(XML.format(integrator="Euler"))
    n = 2 * model.nv + model.na
    ours.set_mjcb_passive(push)
    with pytest.raises(ValueError, match="mjd_transitionFD calls no Python: remove mjcb_passive"):
        ours.mjd_transitionFD(model, ours.MjData(model), 1e-6, True, np.zeros((n, n)), None, None, None)
    with pytest.raises(ValueError, match="mjd_inverseFD calls no Python"):
        ours.mjd_inverseFD(model, ours.MjData(model), 1e-6, True, None, None, None, None, None, None, None)


def test_disabled_actuation_asks_nobody():
    model = ours.MjModel.from_xml_string(XML.format(integrator="Euler"))
    model.opt.disableflags = ours.mjtDisableBit.mjDSBL_ACTUATION
    data, asked = ours.MjData(model), []
    ours.set_mjcb_control(lambda m, d: asked.append("control"))
    ours.set_mjcb_act_gain(lambda m, d, i: asked.append("gain") or 1.0)
    ours.mj_step(model, data)
    ours.mj_step1(model, data)
    assert asked == []
    model.opt.disableflags = 0
    ours.mj_step(model, data)
    assert asked[0] == "control" and "gain" in asked
