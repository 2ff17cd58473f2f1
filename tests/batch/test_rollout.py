"""pliant.rollout and Batch.rollout: the reference's shapes and numbers, bits that depend on nothing but the world,
faults, messages."""

import pathlib
import subprocess
import sys
import threading
import time

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import pliant
import pliant.mujoco
import pliant.mujoco.rollout

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
QUADRUPED = MODELS / "quadruped.xml"
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


@pytest.fixture(scope="module")
def pair():
    return mujoco.MjModel.from_xml_path(str(QUADRUPED)), pliant.mujoco.MjModel.from_xml_path(QUADRUPED)


def some_states(model, n, seed=0):
    rng = np.random.default_rng(seed)
    data = pliant.mujoco.MjData(model)
    states = np.zeros((n, pliant.mujoco.mj_stateSize(model, FULL)))
    for row in states:
        pliant.mujoco.mj_resetData(model, data)
        data.qvel[:] = rng.normal(size=model.nv) * 0.1
        pliant.mujoco.mj_step(model, data, 5)
        pliant.mujoco.mj_getState(model, data, row, FULL)
    return states, rng.uniform(-1, 1, (n, 20, model.nu))


def test_same_numbers_as_the_reference(pair):
    reference, model = pair
    states, controls = some_states(model, 5)
    for m in pair:
        m.opt.tolerance = 1e-14
    expected = mujoco.rollout.rollout(reference, mujoco.MjData(reference), states, controls)
    for result in (
        pliant.rollout(model, states, controls, nthread=1),
        pliant.mujoco.rollout.rollout(model, [pliant.mujoco.MjData(model)] * 2, states, controls),
    ):
        for a, b in zip(expected, result, strict=True):
            assert a.shape == b.shape
            assert np.abs(a - b)[:, :5].max(initial=0) < 1e-8
    for m in pair:
        m.opt.tolerance = 1e-8


def test_bits_do_not_depend_on_threads_places_or_chunks(pair):
    _, model = pair
    states, controls = some_states(model, 7)
    one = pliant.rollout(model, states, controls, nthread=1)
    for nthread in (2, 3, 8):
        other = pliant.rollout(model, states, controls, nthread=nthread)
        assert one.state.tobytes() == other.state.tobytes()
        assert one.sensordata.tobytes() == other.sensordata.tobytes()
    order = np.random.default_rng(1).permutation(7)
    shuffled = pliant.rollout(model, states[order], controls[order], nthread=2)
    assert shuffled.state.tobytes() == one.state[order].tobytes()
    # in two pieces: the second continues from the last states and the warm start
    first = pliant.rollout(model, states, controls[:, :8], nthread=2)
    second = pliant.rollout(model, first.state[:, -1], controls[:, 8:], nthread=2, initial_warmstart=first.warmstart)
    assert np.concatenate((first.state, second.state), 1).tobytes() == one.state.tobytes()


@pytest.mark.parametrize("nworld", [2, 4, 6])
def test_worlds_moved_together_have_the_bits_of_single_steps(pair, nworld):
    _, model = pair
    states, controls = some_states(model, nworld, seed=nworld)
    together = pliant.rollout(model, states, controls, nthread=1)
    data = pliant.mujoco.MjData(model)
    row = np.zeros(states.shape[1])
    for world in range(nworld):
        pliant.mujoco.mj_resetData(model, data)
        pliant.mujoco.mj_setState(model, data, states[world], FULL)
        for step, ctrl in enumerate(controls[world]):
            data.ctrl[:] = ctrl
            pliant.mujoco.mj_step(model, data)
            pliant.mujoco.mj_getState(model, data, row, FULL)
            assert row.tobytes() == together[0][world, step].tobytes(), (world, step)
            assert data.sensordata.tobytes() == together[1][world, step].tobytes(), (world, step)


def test_a_batch_continues_chunk_by_chunk(pair):
    _, model = pair
    rng = np.random.default_rng(0)
    controls = rng.uniform(-1, 1, (4, 12, model.nu))
    whole, parts = pliant.Batch(model, 4, threads=2), pliant.Batch(model, 4, threads=1)
    expected = whole.rollout(controls)
    chunks = [parts.rollout(controls[:, i : i + 3]) for i in range(0, 12, 3)]
    assert np.concatenate([state for state, _ in chunks], 1).tobytes() == expected[0].tobytes()
    assert whole.qpos.tobytes() == parts.qpos.tobytes()
    stepped = pliant.Batch(model, 4)
    for i in range(12):
        stepped.step(controls[:, i])
    assert stepped.qpos.tobytes() == whole.qpos.tobytes()


def test_a_batch_with_a_world_that_stops(pair):
    """It repeats its last rows, as in pliant.rollout, and keeps the outputs of its last step."""
    _, model = pair
    states, controls = some_states(model, 3)
    controls[1, 4:, 0] = np.nan
    expected = pliant.rollout(model, states, controls, on_fault="ignore")
    batch = pliant.Batch(model, 3, threads=1, outputs=["sensordata", "xpos"])
    for world, state in enumerate(states):
        data = pliant.mujoco.MjData(model)
        pliant.mujoco.mj_setState(model, data, state, FULL)
        batch.time[world], batch.qpos[world], batch.qvel[world] = data.time, data.qpos, data.qvel
    state, sensordata = batch.rollout(controls)
    assert state.tobytes() == expected.state.tobytes()
    assert sensordata.tobytes() == expected.sensordata.tobytes()
    assert np.array(batch.sensordata).tobytes() == expected.sensordata[:, -1].tobytes()
    assert list(np.array(batch.status) != 0) == [False, True, False]


def test_parameters_per_world(pair):
    _, model = pair
    states, controls = some_states(model, 3)
    mass = np.tile(model.body_mass, (3, 1)) * np.array([1, 1.2, 0.8])[:, None]
    together = pliant.rollout(model, states[0], controls[:1], parameters={"body_mass": mass}, set_const=True, nthread=2)
    assert together.state.shape[0] == 3
    for world in range(3):
        own = pliant.mujoco.MjModel.from_xml_path(QUADRUPED)
        own.body_mass[:] = mass[world]
        pliant.mujoco.mj_setConst(own, pliant.mujoco.MjData(own))
        alone = pliant.rollout(own, states[0], controls[:1])
        assert alone.state.tobytes() == together.state[world].tobytes()
    # the model itself is as it was
    assert np.array_equal(model.body_mass, pliant.mujoco.MjModel.from_xml_path(QUADRUPED).body_mass)


def test_parameters_that_no_such_model_has():
    """The centre of mass of a body that was compiled as simple is at its origin: that world makes no step."""
    model = pliant.mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    state = np.concatenate(([0], model.qpos0, np.zeros(model.nv)))
    places = np.zeros((3, model.nbody, 3))
    places[1, 1, 0] = 0.1
    with pytest.warns(RuntimeWarning, match="1 of 3 worlds stopped"):
        done = pliant.rollout(model, state, None, nstep=4, parameters={"body_ipos": places}, set_const=True, nthread=2)
    assert done.status.tolist() == [0, -1, 0] and done.steps.tolist() == [4, 0, 4]
    assert [world for world, _, _ in done.faults] == [1] and "simple" in done.faults[0][2]
    assert np.array_equal(done.state[1], np.tile(state, (4, 1)))
    assert np.array_equal(done.state[0], done.state[2]) and done.state[0, -1, 3] < 0


def test_models_per_world(pair):
    _, model = pair
    states, controls = some_states(model, 2)
    heavy = pliant.mujoco.MjModel.from_xml_path(QUADRUPED)
    heavy.opt.gravity[2] = -20
    both = pliant.rollout([model, heavy], states, controls)
    assert pliant.rollout(heavy, states[1], controls[1]).state.tobytes() == both.state[1].tobytes()
    with pytest.raises(ValueError, match="differ in their sizes"):
        other = pliant.load_string("<mujoco><worldbody/></mujoco>")
        pliant.rollout([model, other], states, controls)


def test_outputs_are_written_in_place(pair):
    _, model = pair
    states, controls = some_states(model, 2)
    state = np.full((2, 20, states.shape[1]), np.nan)
    result = pliant.rollout(model, states, controls, state=state)
    assert result.state is state and np.isfinite(state).all()


def test_a_world_with_nan_stops_alone_and_is_named(pair):
    _, model = pair
    states, controls = some_states(model, 3)
    good = pliant.rollout(model, states, controls)
    controls[1, 4, 0] = np.nan
    with pytest.warns(RuntimeWarning, match=r"1 of 3 worlds stopped; first: world 1, step 4: ctrl\[0\].* is nan"):
        result = pliant.rollout(model, states, controls)
    assert list(result.steps) == [20, 4, 20] and list(result.status != 0) == [False, True, False]
    assert result.state[[0, 2]].tobytes() == good.state[[0, 2]].tobytes()
    assert (result.state[1, 4:] == result.state[1, 3]).all()
    with pytest.raises(pliant.StepError, match=r"ctrl\[0\]"):
        pliant.rollout(model, states, controls, on_fault="raise")
    # sensors of a world that never moved are zero, whatever its thread did before
    controls[:, 0] = np.nan
    for nthread in (1, 2):
        assert not pliant.rollout(model, states, controls, nthread=nthread, on_fault="ignore").sensordata.any()


def test_messages_have_both_shapes(pair):
    _, model = pair
    states, controls = some_states(model, 3)
    nstate, nu = states.shape[1], model.nu
    cases = [
        (dict(initial_state=states[:, :-1], control=controls),
         f"trailing dimension of initial_state must be {nstate}, got {nstate - 1}"),
        (dict(initial_state=states, control=controls[:, :, :-1]),
         f"trailing dimension of control must be {nu}, got {nu - 1}"),
        (dict(initial_state=states, control=controls[:2]), "dimension 0 inferred as 3 but control has 2"),
        (dict(initial_state=states, control=controls, nstep=19), "dimension 1 inferred as 19 but control has 20"),
        (dict(initial_state=states, control=controls, state=np.zeros((3, 20, 2))),
         rf"\(3, 20, {nstate}\), but it is \(3, 20, 2\)"),
        (dict(initial_state=states, control=controls, state=np.zeros((3, 20, nstate), "f4")),
         "float64, not a float32 array"),
        (dict(initial_state=states.astype(str), control=controls), "must be a numpy array"),
        (dict(initial_state=states, control=controls, parameters={"body_mass": np.zeros((3, 2))}),
         r"body_mass should be of shape"),
        (dict(initial_state=states, control=controls, control_spec=1), "mjSTATE_USER"),
    ]  # fmt: skip
    for arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            pliant.rollout(model, **arguments)
    with pytest.raises(AttributeError, match="body_mss"):
        pliant.rollout(model, states, controls, parameters={"body_mss": 1})


@pytest.mark.alone
def test_the_gil_is_released(pair):
    _, model = pair
    states, _ = some_states(model, 4)
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    pliant.rollout(model, states, nstep=3000, nthread=1)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < tick < end for tick in ticks) >= 3


INTERRUPTED = f"""
import os, signal, sys, threading, time
import numpy as np
import pliant, pliant.mujoco
signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts tests in the background has it ignored
model = pliant.mujoco.MjModel.from_xml_path(sys.argv[1])
data = pliant.mujoco.MjData(model)
state = np.zeros(pliant.mujoco.mj_stateSize(model, {int(FULL)}))
pliant.mujoco.mj_getState(model, data, state, {int(FULL)})
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    if sys.argv[2] == "rollout":
        engine = pliant._pliant.Rollout(2)
        engine.run([model], 2, 100_000_000, 64, np.tile(state, (2, 1)), None, None, 1, None, None, None, None,
                   None, {{}}, False)
    else:
        pliant.mujoco.mj_step(model, data, 100_000_000)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.alone
@pytest.mark.parametrize("what", ["rollout", "step"])
def test_ctrl_c_ends_long_calls(what):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(QUADRUPED), what], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "interrupted", done.stderr


def test_rollouts_of_several_threads_of_python(pair):
    """8 threads, one model: everyone gets the same bits."""
    _, model = pair
    states, controls = some_states(model, 2)
    expected = pliant.rollout(model, states, controls, nthread=1).state.tobytes()
    results = [None] * 8

    def run(i):
        results[i] = pliant.rollout(model, states, controls, nthread=1 + i % 2).state.tobytes()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8
