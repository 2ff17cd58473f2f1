"""solver="auto" from files to reports: it is read, kept, written back, and said where MuJoCo reads it."""

import numpy as np
import pytest

import pliant
from pliant import mujoco

BOXES = """<mujoco><option solver="auto"/><worldbody><geom type="plane" size="2 2 1"/>
<body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 1"><joint axis="0 1 0" range="-10 10" limited="true"/>
  <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/></body>
</worldbody></mujoco>"""


def run(model, steps):
    data = mujoco.MjData(model)
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return data


def test_its_number_and_what_is_none():
    model = mujoco.MjModel.from_xml_string(BOXES)
    assert model.opt.solver == 4
    model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.solver = 4
    with pytest.raises(ValueError, match="opt.solver is 5; it must be 0 to 4"):
        model.opt.solver = 5


def test_what_it_took_is_in_the_reports():
    model = mujoco.MjModel.from_xml_string(BOXES)
    data, seen = mujoco.MjData(model), set()
    for _ in range(1000):
        mujoco.mj_step(model, data)
        seen.update(report["choice"].split(":")[0] for report in data.solver_reports if data.nefc)
    assert seen == {"Newton", "CG", "nothing to do"}
    assert all(report["converged"] for report in data.solver_reports)
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
    assert {report["choice"] for report in run(model, 300).solver_reports} == {""}


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_it_moves_as_newton_does(cone):
    model = mujoco.MjModel.from_xml_string(BOXES)
    model.opt.cone = cone
    model.opt.tolerance = 1e-12
    auto = run(model, 500)
    model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    np.testing.assert_allclose(auto.qpos, run(model, 500).qpos, atol=1e-7)


def test_files_keep_it(tmp_path):
    (tmp_path / "boxes.xml").write_text(BOXES)
    model = pliant.load(tmp_path / "boxes.xml")
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(BOXES), str(tmp_path / "boxes.plm"))
    assert model.opt.solver == mujoco.MjModel.from_binary_path(str(tmp_path / "boxes.plm")).opt.solver == 4
    spec = pliant.Spec(tmp_path / "boxes.xml")
    assert 'solver="auto"' in spec.to_xml() and not spec.diagnostics
    # MuJoCo has none: Newton finds the same answer, and that is said
    assert "solver" not in spec.to_xml(for_mujoco=True)
    assert [d.message for d in spec.diagnostics if "solver auto; Newton stands in its place" in d.message]


def test_many_worlds_have_the_bits_of_one():
    model = pliant.load_string(BOXES)
    batch = pliant.Batch(model, 3)
    batch.step(nstep=200)
    state, data = pliant.State(model), pliant.Data(model)
    for _ in range(200):
        pliant.step(model, state, data)
    for world in range(3):
        assert (np.asarray(batch.qpos)[world] == state.qpos).all()
