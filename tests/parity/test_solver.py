"""Newton, CG and PGS give the reference's accelerations and forces on its own rows, both cones.

The reference is converged (tolerance 1e-15); at default settings the counts of iterations are compared as well.
"""

import os
import pathlib

import mujoco
import numpy as np
import pytest

import conftest
import solver

LIMIT = 1e-7  # of the largest acceleration or force
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = [
    "mujoco/humanoid/humanoid.xml",
    "menagerie/shadow_hand/scene_right.xml",
    "menagerie/agility_cassie/scene.xml",
    "menagerie/google_barkour_vb/scene.xml",
    "mujoco/cube/cube_3x3x3.xml",
]


def files():
    found = conftest.own_models()
    folder = os.environ.get("PLIANT_MODELS")
    return found + [pathlib.Path(folder) / name for name in MODELS if folder and (pathlib.Path(folder) / name).exists()]


@pytest.fixture(params=files(), ids=lambda path: path.parent.name + "-" + path.stem)
def path(request):
    return request.param


@pytest.fixture(params=["pyramidal", "elliptic"])
def cone(request):
    return request.param


def load(path, cone):
    # dense rows and matrices need more memory than the model asks for
    spec = mujoco.MjSpec.from_file(str(path))
    spec.memory = 1 << 28
    m = spec.compile()
    solver.set_options(m, cone)
    return m


def check(path, cone, count):
    m = load(path, cone)
    compared, equal = 0, 0
    for row in solver.compare(m, count):
        compared += 1
        assert row["qacc"] < LIMIT and row["force"] < LIMIT, row["state"]
        ours, theirs = row["iterations"]
        assert abs(ours - theirs) <= 1
        equal += ours == theirs
        # the certificate: never "converged" above the tolerance
        assert not row["ours"]["converged"] or row["ours"]["gap"] < m.opt.tolerance
    assert equal >= 0.9 * compared


def test_newton(path, cone):
    check(path, cone, 3)


@pytest.mark.slow
def test_newton_long(path, cone):
    check(path, cone, 20)


def test_other_solvers(path, cone):
    """CG and PGS end where Newton does, within what their certificates allow."""
    m = load(path, cone)
    for _, d in solver.states(m, 2):
        solver.exact(m, d)
        if d.nefc == 0:
            continue
        problem = solver.problem_of(m, d)
        full = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, full)
        for name, iterations in (("CG", 2000), ("PGS", 1000)):
            ours = solver.solve(problem, name, tolerance=1e-15, iterations=iterations)
            error = np.asarray(ours["qacc"]) - d.qacc
            assert 0.5 * error @ full @ error <= ours["gap"] / problem.options["scale"] * 1.001 + 1e-9 * max(
                1, d.qacc @ full @ d.qacc
            )


@pytest.mark.parametrize("sweeps", [1, 2, 5, 20])
def test_sweeps_of_pgs(path, sweeps):
    """With pyramids every sweep is the reference's: the same order of rows, the same momentum."""
    m = load(path, "pyramidal")
    for error in solver.compare_sweeps(m, 2, sweeps):
        assert error < 1e-9


@pytest.mark.parametrize("sweeps", [1, 2, 5])
def test_noslip(path, cone, sweeps):
    m = load(path, cone)
    for force, qacc in solver.compare_noslip(m, 2, sweeps):
        assert force < LIMIT and qacc < LIMIT


def test_pgs_leaves_the_apex():
    """A contact that opens slowly and slides fast: the reference's sweeps leave it without force, Newton and ours do
    not."""
    xml = """<mujoco><option cone="elliptic" timestep="0.002" gravity="0 0 0"/><worldbody>
      <geom type="plane" size="1 1 1"/>
      <body pos="0 0 .099"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
        <joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size=".1" mass="1" friction="1"/></body></worldbody></mujoco>"""
    m = mujoco.MjModel.from_xml_string(xml)
    solver.set_options(m)
    d = mujoco.MjData(m)
    d.qvel[:] = [8, 0, 1]
    solver.exact(m, d)
    newton = d.efc_force.copy()
    problem = solver.problem_of(m, d)
    ours = solver.solve(problem, "PGS", tolerance=0, iterations=1000)
    assert newton[0] > 1
    assert solver.relative(ours["force"], newton, 1.0) < 1e-9
    m.opt.solver, m.opt.iterations, m.opt.tolerance = solver.SOLVERS["PGS"], 1000, 0
    d.qacc_warmstart[:] = d.qacc_smooth
    mujoco.mj_forward(m, d)
    assert d.efc_force[0] == 0
