"""State, Data and Batch as pickles: what comes back continues with the same bits."""

import copy
import pickle

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco

MODELS = ["models/gripper.xml", "models/mimic_hand.xml", "models/tendon_finger.xml", "models/quadruped.xml"]
SOLVERS = ["Newton", "PGS", "TGS"]


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def load(path, solver="Newton"):
    model = pliant.load(path)
    model.opt.solver = int(mujoco.mjtSolver[f"mjSOL_{solver.upper()}"]) if solver != "TGS" else tgs()
    return model


def tgs():
    text = '<mujoco><option solver="TGS"/><worldbody/></mujoco>'
    return pliant.load_string(text).opt.solver


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("path", MODELS)
def test_a_state_continues(path, solver):
    model = load(path, solver)
    state, data = pliant.State(model), pliant.Data(model)
    assert pliant.step(model, state, data, 200) == 0
    other = again(state)
    assert other.hash() == state.hash()
    assert pliant.step(model, state, data, 100) == 0
    fresh = pliant.Data(model)
    assert pliant.step(model, other, fresh, 100) == 0
    assert other.hash() == state.hash()  # TGS: with the forces that it remembers


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("path", MODELS)
def test_data_come_back_whole(path, solver):
    model = load(path, solver)
    state, data = pliant.State(model), pliant.Data(model)
    pliant.step(model, state, data, 200)
    other = again(data)
    for row in pliant.data_fields():
        assert getattr(other, row["name"]).tobytes() == getattr(data, row["name"]).tobytes(), row["name"]
    assert other.ncon == data.ncon and other.contact_memory().tobytes() == data.contact_memory().tobytes()
    for row in pliant._pliant.row_fields():
        one, two = (pliant._pliant.row_array(d, row["name"]) for d in (data, other))
        assert one.tobytes() == two.tobytes(), row["name"]
    assert pliant._pliant.solver_reports(data) == pliant._pliant.solver_reports(other)
    one, two = again(state), again(state)
    assert pliant.step(model, one, data, 50) == pliant.step(model, two, other, 50) == 0
    assert one.hash() == two.hash()


def test_faults_are_remembered_with_their_names():
    model = pliant.load(MODELS[0])
    state, data = pliant.State(model), pliant.Data(model)
    state.ctrl[0] = np.nan
    assert pliant.step(model, state, data) != 0
    words = pliant.describe_faults(model, data)
    assert "ctrl[0]" in words and pliant.describe_faults(model, again(data)) == words


@pytest.mark.parametrize("path", MODELS)
def test_copies_of_what_was_pickled_have_all_rows(path):
    """Rows that come out of a pickle have room behind them, as copying expects."""
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 300)
    other = copy.copy(again(data))
    for name in ("efc_J", "efc_pos", "efc_aref", "efc_force", "efc_type"):
        assert getattr(other, name).tobytes() == getattr(data, name).tobytes(), name


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_batch_continues(solver):
    model = load("models/gripper.xml", solver)
    batch = pliant.Batch(model, 5, outputs=["sensordata", "xpos"])
    batch.parameter("body_mass")[:] *= np.linspace(0.8, 1.2, 5)[:, None]
    rng = np.random.default_rng(0)
    batch.step(rng.uniform(-1, 1, (5, model.nu)), 150)
    other = again(batch)
    assert other.nworld == 5 and other.xpos.tobytes() == batch.xpos.tobytes()
    assert other.parameter("body_mass").tobytes() == batch.parameter("body_mass").tobytes()
    ctrl = rng.uniform(-1, 1, (5, 80, model.nu))
    for one, two in zip(batch.rollout(ctrl), other.rollout(ctrl)):
        assert one.tobytes() == two.tobytes()


def test_a_batch_goes_back_and_keeps_its_views():
    model = pliant.load("models/quadruped.xml")
    batch = pliant.Batch(model, 3)
    qpos = batch.qpos
    batch.step(nstep=20)
    saved, then = batch.save(), qpos.copy()
    batch.ctrl[1, 0] = np.nan
    with pytest.warns(RuntimeWarning):
        batch.step(nstep=20)
    batch.parameter("body_mass")[:] *= 2
    batch.restore(saved)
    assert np.array_equal(qpos, then) and not batch.status.any()
    assert np.array_equal(batch.parameter("body_mass")[2], model.body_mass)


def test_bytes_that_do_not_fit_change_nothing():
    model = pliant.load("models/quadruped.xml")
    batch = pliant.Batch(model, 3)
    batch.step(nstep=10)
    saved = batch.save()
    hashes = [batch.field(row["name"]).tobytes() for row in pliant.state_fields()]
    wrong = [b"", saved[:-1], saved[: len(saved) // 2], saved + b"x", pliant.Batch(model, 2).save()]
    for bad in wrong:
        with pytest.raises(ValueError, match="restore"):
            batch.restore(bad)
    assert [batch.field(row["name"]).tobytes() for row in pliant.state_fields()] == hashes


@pytest.mark.parametrize("kind", [pliant.State, pliant.Data])
def test_spoilt_bytes_are_refused(kind):
    """Cut, lengthened sizes, another version, another class: a ValueError, never a crash."""
    model = pliant.load("models/gripper.xml")
    state, data = pliant.State(model), pliant.Data(model)
    pliant.step(model, state, data, 100)
    thing = state if kind is pliant.State else data
    good, other = thing.__getstate__(), (data if kind is pliant.State else state).__getstate__()

    def unpickle(content):
        kind.__new__(kind).__setstate__(content)

    unpickle(good)
    for cut in (0, 10, 39, 100, len(good) // 2, len(good) - 1):
        with pytest.raises(ValueError, match="unpickling"):
            unpickle(good[:cut])
    with pytest.raises(ValueError, match="not the bytes of a"):
        unpickle(other)
    with pytest.raises(ValueError, match="version"):
        unpickle(b"9.9.9" + good[5:])
    heading = len(good) - len(good.lstrip(b"")) + 40
    for at in range(heading, heading + 320, 4):  # sizes of the model
        for number in (-1, 2**31 - 1):
            spoilt = good[:at] + number.to_bytes(4, "little", signed=True) + good[at + 4 :]
            try:
                unpickle(spoilt)  # sizes that no array of this class has may be anything
            except ValueError as error:
                assert "unpickling" in str(error)
