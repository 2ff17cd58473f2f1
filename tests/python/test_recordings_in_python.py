"""Recordings from Python: one world, batches, rollouts, the flight recorder, damaged files."""

import os
import pathlib
import warnings

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco
import pliant.viewer

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRIPPER = str(ROOT / "models" / "gripper.xml")


def simulate(model, path, steps=60, **options):
    state, data = pliant.State(model), pliant.Data(model)
    states = []
    with pliant.Recorder(model, path, **options) as recorder:
        for i in range(steps):
            state.ctrl[:] = 0.1 * np.sin(0.2 * i)
            if options.get("fields"):
                pliant.forward(model, state, data)
            states.append(state.qpos.copy())
            recorder.record(state, data)
            pliant.step(model, state, data)
    assert recorder.rows == steps
    return np.array(states)


def test_recorder(tmp_path):
    model = pliant.load(GRIPPER)
    states = simulate(model, tmp_path / "r.plr", fields=["xpos", "sensordata"])
    run = pliant.read_recording(tmp_path / "r.plr")
    assert len(run) == 60 and run.end == "finished" and not run.note and run.worlds == 1
    assert np.array_equal(run.fields["qpos"], states) and np.array_equal(run.steps, np.arange(60))
    assert run.fields["xpos"].shape == (60, model.nbody, 3) and run.fields["eq_active"].dtype == bool
    assert run.model().nq == model.nq and run.model_file == GRIPPER
    report = pliant.replay(tmp_path / "r.plr")
    assert report.same and report.steps == 59 and "the same bits" in str(report)
    assert pliant.replay(tmp_path / "r.plr", start=0.05, stop=0.1).steps == 25
    pliant.convert_recording(tmp_path / "r.plr", tmp_path / "r.npz", ["qpos"])
    assert np.array_equal(np.load(tmp_path / "r.npz")["qpos"], states)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.npz", "r.plr"]


def test_mjdata_and_other_formats(tmp_path):
    model = mujoco.MjModel.from_xml_path(GRIPPER)
    data = mujoco.MjData(model)
    for name in ("r.plr", "r.npz", "r.csv"):
        mujoco.mj_resetData(model, data)
        with pliant.Recorder(model, tmp_path / name) as recorder:
            for _ in range(10):
                recorder.record(data)
                mujoco.mj_step(model, data)
        assert pliant.read_recording(tmp_path / name).fields["qpos"].shape == (10, model.nq)
    assert pliant.replay(tmp_path / "r.plr").same


def test_without_the_model(tmp_path):
    model = pliant.load(GRIPPER)
    simulate(model, tmp_path / "r.plr", embed_model=False)
    assert pliant.read_recording(tmp_path / "r.plr").model() is None
    with pytest.raises(pliant.RecordingError, match="no model inside"):
        pliant.replay(tmp_path / "r.plr")
    assert pliant.replay(tmp_path / "r.plr", model).same


def test_an_exception_ends_a_recording(tmp_path):
    model = pliant.load(GRIPPER)
    state = pliant.State(model)
    with pytest.raises(ZeroDivisionError), pliant.Recorder(model, tmp_path / "r.plr") as recorder:
        recorder.record(state)
        raise ZeroDivisionError("why")
    run = pliant.read_recording(tmp_path / "r.plr")
    assert run.end == "fault" and run.events[-1].text == "ZeroDivisionError: why" and run.events[-1].row == 1


def test_resets_are_told(tmp_path):
    model = pliant.load(GRIPPER)
    state, data = pliant.State(model), pliant.Data(model)
    with pliant.Recorder(model, tmp_path / "r.plr") as recorder:
        for _ in range(3):
            for _ in range(20):
                recorder.record(state)
                pliant.step(model, state, data)
            state.reset(model)
            recorder.event("reset")
    report = pliant.replay(tmp_path / "r.plr")
    assert report.same and report.restarts == 2


def test_batch(tmp_path):
    model = pliant.load(GRIPPER)
    batch = pliant.Batch(model, 5, outputs=["xpos"])
    rng = np.random.default_rng(1)
    seen = []
    with pliant.Recorder(batch, tmp_path / "b.plr", fields=["xpos"]) as recorder:
        for _ in range(30):
            batch.ctrl[...] = rng.normal(size=(5, model.nu)) * 0.1
            batch.forward()
            recorder.record()
            seen.append(np.array(batch.qpos))
            batch.step()
    run = pliant.read_recording(tmp_path / "b.plr")
    assert run.worlds == 5 and run.fields["qpos"].shape == (30, 5, model.nq)
    assert np.array_equal(run.fields["qpos"], seen)
    assert run.fields["xpos"].shape == (30, 5, model.nbody, 3)
    assert run.world(3).fields["qpos"].shape == (30, model.nq)
    for world in range(5):
        assert pliant.replay(tmp_path / "b.plr", world=world).same
        assert pliant.replay(tmp_path / "b.plr", world=world, start=0.02).same
    with pytest.raises(ValueError, match="as \\*.plr"):
        pliant.Recorder(batch, tmp_path / "b.npz")
    pliant.convert_recording(tmp_path / "b.plr", tmp_path / "b.npz", ["qpos"])
    assert np.load(tmp_path / "b.npz")["qpos"].shape == (30, 5, model.nq)
    with pytest.warns(RuntimeWarning, match="world 0 of 5"):
        pliant.viewer.save_html(model, tmp_path / "b.plr", tmp_path / "b.html")


def start_of(model):
    world = pliant._pliant.World(model)
    out = np.zeros(pliant._pliant.mj_stateSize(model, 15))
    pliant._pliant.mj_getState(model, world, out, 15)
    return out


def test_rollout(tmp_path):
    model = pliant.load(GRIPPER)
    start = np.tile(start_of(model), (4, 1))
    control = 0.1 * np.random.default_rng(2).normal(size=(4, 25, model.nu))
    result = pliant.rollout(model, start, control, record=tmp_path / "r.plr")
    plain = pliant.rollout(model, start, control)
    assert np.array_equal(result.state, plain.state)
    run = pliant.read_recording(tmp_path / "r.plr")
    assert run.worlds == 4 and len(run) == 26
    assert np.array_equal(run.fields["qpos"][1:], result.state[:, :, 1 : 1 + model.nq].swapaxes(0, 1))
    for world in range(4):
        assert pliant.replay(tmp_path / "r.plr", world=world).same
        assert pliant.replay(tmp_path / "r.plr", world=world, start=0.03).same
    pliant.rollout(model, start, control[:1, :1], nstep=5, record=tmp_path / "r.plr",
                   parameters={"body_mass": np.tile(model.body_mass, (4, 1))})  # fmt: skip
    run = pliant.read_recording(tmp_path / "r.plr")
    assert len(run) == 6 and "body_mass" in run.events[0].text
    with pytest.raises(ValueError, match="recorded as"):
        pliant.rollout(model, start, control, record=tmp_path / "r.npz")


def test_flight_recorder(tmp_path):
    model = pliant.load(GRIPPER)
    state, data = pliant.State(model), pliant.Data(model)
    flight = pliant.FlightRecorder(model, seconds=0.1)
    with pytest.raises(RuntimeError, match="ctrl"), flight.guard(tmp_path / "crash.plr"):
        for i in range(200):
            state.ctrl[:] = np.nan if i == 150 else 0.0
            flight.record(state)
            if pliant.step(model, state, data):
                raise RuntimeError(pliant.describe_faults(model, data))
    run = pliant.read_recording(tmp_path / "crash.plr")
    assert len(run) == flight.rows == flight.capacity == 51 and run.steps[-1] == 150
    assert run.end == "fault" and np.isnan(run.fields["ctrl"][-1]).all()
    report = pliant.replay(tmp_path / "crash.plr", until_fault=True)
    assert report.same and "ctrl[0]" in report.fault
    flight.write(tmp_path / "now.plr")
    assert len(pliant.read_recording(tmp_path / "now.plr")) == 51


def test_misuse(tmp_path):
    model, other = pliant.load(GRIPPER), pliant.load_string("<mujoco/>")
    recorder = pliant.Recorder(model, tmp_path / "r.plr", fields=["xpos"])
    with pytest.raises(ValueError, match="needs the Data"):
        recorder.record(pliant.State(model))
    with pytest.raises(ValueError, match="other sizes"):
        recorder.record(pliant.State(other), pliant.Data(other))
    with pytest.raises(TypeError, match="give the state"):
        recorder.record()
    with pytest.raises(ValueError, match="other sizes"):
        pliant.FlightRecorder(model).record(pliant.State(other))
    with pytest.raises(ValueError, match="positive"):
        pliant.FlightRecorder(model, seconds=-1)
    with pytest.raises(ValueError, match="no field 'nonsense'"):
        pliant.Recorder(model, tmp_path / "x.plr", fields=["nonsense"])
    with pytest.raises(RuntimeError, match="cannot write"):
        pliant.Recorder(model, tmp_path / "no" / "x.plr")
    with pytest.raises(pliant.RecordingError, match="cannot read"):
        pliant.read_recording(tmp_path / "nothing.plr")
    with pytest.raises(pliant.RecordingError, match="recordings are"):
        pliant.read_recording(GRIPPER)


def test_damaged_files(tmp_path):
    model = pliant.load(GRIPPER)
    states = simulate(model, tmp_path / "r.plr", steps=1500, embed_model=False)  # some chunks
    good = (tmp_path / "r.plr").read_bytes()
    rng = np.random.default_rng(3)
    read = 0
    for damage in range(100):
        data = bytearray(good)
        if damage % 2:
            data = data[: rng.integers(len(data))]
        else:
            data[rng.integers(len(data))] ^= 1 << rng.integers(8)
        (tmp_path / "bad.plr").write_bytes(data)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                run = pliant.read_recording(tmp_path / "bad.plr")
            except pliant.RecordingError as problem:
                assert os.fspath(tmp_path / "bad.plr") in str(problem)
                continue
            assert "rows are read, up to t = " in str(said[0].message)
            assert np.array_equal(run.fields["qpos"], states[: len(run)]) and run.note
            read += 1
    assert 20 < read < 100
