"""Replay bit for bit: 20 scenes, every integrator, every solver, from chunks at random and from the row before the
last."""

import pathlib

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOOR = '<geom type="plane" size="2 2 1"/>'
SCENES = {
    "mocap": f'<worldbody>{FLOOR}<body name="hand" mocap="true" pos="0 0 .5"><geom size=".05"/></body>'
    '<body name="load" pos="0 0 .4"><freejoint/><geom size=".05"/></body></worldbody>'
    '<equality><weld body1="hand" body2="load"/></equality>',
    "delays": '<worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>'
    '<actuator><general joint="j" delay=".01" nsample="8" gainprm="2"/></actuator>'
    '<sensor><jointpos joint="j" delay=".006" nsample="4"/></sensor>',
    "activations": '<worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>'
    '<actuator><general joint="j" dyntype="filter" dynprm=".05" gainprm="3"/></actuator>',
    "tendon": '<worldbody><body><joint name="a" type="slide"/><geom size=".1"/></body><body pos="0 0 1">'
    '<joint name="b" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>'
    '<tendon><fixed limited="true" range="-.01 .01"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed>'
    "</tendon>",
    "limits": '<worldbody><body><joint type="ball" range="0 .3" limited="true"/><geom size=".1" pos="0 0 .3"/>'
    '<body pos="0 0 .5"><joint frictionloss=".1" range="-10 10" limited="true"/><geom size=".05" pos="0 .2 0"/>'
    "</body></body></worldbody>",
    "fluid": '<option density="1.2" viscosity=".01" wind="1 0 0"/><worldbody><body pos="0 0 1"><freejoint/>'
    '<geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid"/></body></worldbody>',
    "springs": '<worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/><body pos=".3 0 0">'
    '<joint stiffness="30" damping=".3" armature=".01"/><geom type="capsule" size=".04 .1"/></body></body></worldbody>',
}
FILES = sorted((ROOT / "models").glob("*.xml"))
INTEGRATORS = range(5)
SOLVERS = range(4)  # TGS is the last
HEAVY = {"bin_of_boxes", "stack_of_boxes", "beads", "rubber_balls", "cushion"}


def load(name):
    return pliant.load_string(f"<mujoco>{SCENES[name]}</mujoco>") if name in SCENES else pliant.load(
        str(ROOT / "models" / f"{name}.xml"))  # fmt: skip


def replayed(model, path, steps, seed):
    """Records with inputs of all kinds, in chunks of random lengths; then from three of them, and near the end."""
    state, data = pliant.State(model), pliant.Data(model)
    rng = np.random.default_rng(seed)
    chunks = [0]
    with pliant.Recorder(model, path) as recorder:
        for _ in range(steps):
            state.ctrl[:] = 0.2 * rng.normal(size=model.nu)
            state.qfrc_applied[:] = 0.01 * rng.normal(size=model.nv)
            state.xfrc_applied[1:] = 0.01 * rng.normal(size=(model.nbody - 1, 6))
            state.mocap_pos[:] += 0.001
            recorder.record(state)
            if rng.random() < 0.3:
                recorder.flush()
                chunks.append(recorder.rows)
            if pliant.step(model, state, data):
                break
    rows = recorder.rows
    chunks = [row for row in chunks if row < rows - 1]
    for row in {*rng.choice(chunks, 3).tolist(), rows - 2}:
        report = pliant.replay(path, start=row * model.opt.timestep)
        assert report.first_row == row
        assert report.same and report.same_rows == rows - 1 - row > 0, f"from row {row}\n{report}"


def every_way(name, path, steps):
    model = load(name)
    for integrator in INTEGRATORS:
        for solver in SOLVERS:
            model.opt.integrator, model.opt.solver = integrator, solver
            replayed(model, path, steps, seed=10 * integrator + solver)


ALL = [*(path.stem for path in FILES), *SCENES]


def test_there_are_enough_scenes():
    assert len(ALL) >= 20


@pytest.mark.parametrize("name", ALL)
def test_every_integrator_and_solver(name, tmp_path):
    every_way(name, tmp_path / "r.plr", 4 if name in HEAVY else 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_longer(name, tmp_path):
    every_way(name, tmp_path / "r.plr", 60 if name in HEAVY else 300)
