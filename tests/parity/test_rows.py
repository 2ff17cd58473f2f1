"""Constraint rows equal the reference's one to one, and so do accelerations and forces at tolerance 1e-15.

The reference's contacts are written into Data, so that only rows and solver are judged. `make test` takes a dozen
models, `make test-full` all of them.
"""

import mujoco
import numpy as np
import pytest

import compare
import conftest
import dynamics
import pliant.mujoco
import rows
from pliant import _pliant

OPTIONS = {
    "as it is": {},
    "other cone": {"cone": None},
    "other Jacobian": {"jacobian": None},
    "diagexact": {"enableflags": int(mujoco.mjtEnableBit.mjENBL_DIAGEXACT)},
    "override": {"enableflags": int(mujoco.mjtEnableBit.mjENBL_OVERRIDE)},
    "no refsafe": {"disableflags": int(mujoco.mjtDisableBit.mjDSBL_REFSAFE)},
    "no islands": {"disableflags": int(mujoco.mjtDisableBit.mjDSBL_ISLAND)},
    "discrete": {"integrator": rows.DISCRETE},
    "discrete, other cone": {"integrator": rows.DISCRETE, "cone": None},
    "discrete, other Jacobian": {"integrator": rows.DISCRETE, "jacobian": None},
    "discrete, no islands": {
        "integrator": rows.DISCRETE,
        "disableflags": int(mujoco.mjtDisableBit.mjDSBL_ISLAND),
    },
    "discrete, diagexact": {
        "integrator": rows.DISCRETE,
        "enableflags": int(mujoco.mjtEnableBit.mjENBL_DIAGEXACT),
    },
    "discrete, no refsafe": {
        "integrator": rows.DISCRETE,
        "disableflags": int(mujoco.mjtDisableBit.mjDSBL_REFSAFE),
    },
}
CASES = sorted(conftest.CASES.glob("rows_*.xml")) + [conftest.CASES / "equality.xml"]
# A weld about a direction in which nothing turns has R = 1e-15: the reference's own accelerations jump by 0.6 when its
# positions change by 1e-15, so that only rows and the solution of the same rows can be compared.
HARD = {"equality"}
FAST = CASES + conftest.own_models()


def load(path, memory=None):
    reference, message = compare.load_reference(path)
    if reference is None:
        pytest.skip(f"the reference refuses it: {message}")
    reason = compare.out_of_scope(reference)
    if reason:
        pytest.skip(f"out of scope: {reason}")
    reference, model = dynamics.load_pair(path, constraints=True, memory=memory)
    dynamics.fill_constants(reference, model)
    return reference, model


def apply(options, reference, model):
    """Flags are added, None stands for the other value."""
    for name, value in options.items():
        if name == "cone":
            value = 1 - reference.opt.cone
        elif name == "jacobian":
            value = 0 if mujoco.mj_isSparse(reference) else 1
        elif name == "integrator":
            # the reference solves with the metric by iterations, to this tolerance
            rows.set_options({"tolerance": 1e-15, "iterations": 500}, reference)
        else:
            value |= getattr(reference.opt, name)
        rows.set_options({name: value}, reference, model)


def check(path, name, states, options=None, compare=rows.compare_state, limit=rows.LIMIT):
    reference, model = load(path)
    apply(options or {}, reference, model)
    if limit >= rows.SOLUTION_LIMIT:
        rows.set_options(rows.CONVERGED, reference, model)
    found, _ = rows.compare_rows(reference, model, states, compare=compare)
    bad = [str(d) for d in sorted(found.values(), key=lambda d: -d.error) if not d.error <= limit]
    if bad:
        pytest.fail(f"{name}: {len(bad)} fields differ\n" + "\n".join(bad[:20]), pytrace=False)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_rows_equal_reference(path, options):
    check(path, path.stem, 8, OPTIONS[options])


@pytest.mark.parametrize(
    "options", ["as it is", "other cone", "no islands", "discrete", "discrete, other cone", "discrete, no islands"]
)
@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_solution_equals_reference(path, options):
    check(path, path.stem, 8, OPTIONS[options], rows.compare_solution, rows.SOLUTION_LIMIT)


def report(name, found):
    bad = [(key, d) for key, d in sorted(found.items(), key=lambda item: -item[1].error) if not d.error <= rows.LIMIT]
    if bad:
        lines = "\n".join(f"{key}: {difference}" for key, difference in bad[:20])
        pytest.fail(f"{name}: {len(bad)} fields differ\n{lines}", pytrace=False)


def check_everywhere(path, name, states):
    reference, model = load(path, rows.MEMORY)
    # some models never have a row; their accelerations are compared all the same
    report(name, rows.compare_everywhere(reference, model, states)[0])


@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_every_solver_and_integrator(path):
    """Rows, metric, forces and accelerations to 1e-9: both cones, Newton, CG and PGS, discrete and the others."""
    check_everywhere(path, path.stem, 4)


def test_a_spoiled_answer_of_cg_is_no_minimum():
    """The exception for answers of CG takes the solver's own, and none beside it."""
    reference, model = load(next(path for path in FAST if path.stem == "rows_contacts"), rows.MEMORY)
    options = {"solver": rows.NEWTON, "cone": 0, **rows.EVERY_SOLVER[rows.NEWTON], "ls_iterations": 100}
    rows.set_options(options, reference, model)
    state, mine, checked = _pliant.State(model), _pliant.Data(model), 0
    for data in rows.states(reference, mujoco.MjData(reference), 4):
        if data.nefc == 0:
            continue
        minimum = data.qacc.copy()
        rows.set_options({"solver": rows.CG, **rows.EVERY_SOLVER[rows.CG]}, reference, model)
        mujoco.mj_forward(reference, data)
        rows.compare_solution(reference, data, model, state, mine)
        rows.set_options(options, reference, model)
        qacc, reports = np.array(mine.qacc), _pliant.solver_reports(mine)
        assert rows.ends_like_cg(reference, data, minimum, qacc, reports)
        certificate = rows.Certificate(reference, data)
        far = 10 * (sum(map(certificate.gradient, (minimum, data.qacc, qacc))) + 1e-12)
        away = np.ones(reference.nv)
        away *= far / certificate.distance(away, 0 * away)
        assert not rows.ends_like_cg(reference, data, minimum, qacc + away, reports)
        checked += 1
    assert checked


@pytest.mark.slow
def test_every_solver_and_integrator_in_many_states(model_path, model_name):
    check_everywhere(model_path, model_name, 20)


def check_steps(path, name, states):
    reference, model = load(path)
    found, steps, _ = rows.compare_steps(reference, model, states)
    report(name, found)
    return steps


@pytest.mark.parametrize("path", [path for path in FAST if path.stem not in HARD], ids=lambda path: path.stem)
def test_steps_equal_reference(path):
    """Steps of all integrators, Runge-Kutta among them, with contacts, limits and equalities."""
    assert check_steps(path, path.stem, 4) >= 2 * len(dynamics.INTEGRATORS)  # of two of four states at least


@pytest.mark.slow
def test_steps_equal_reference_of_every_model(model_path, model_name):
    check_steps(model_path, model_name, 4)


JOINTS = """<mujoco><option timestep=".004" gravity="0 0 -9.81"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .25"><freejoint/><geom type="box" size=".1 .15 .2" mass="2"/>
    <body pos=".15 0 0"><joint type="ball" damping=".1" stiffness="1" range="0 40" limited="true"/>
      <geom type="capsule" size=".04 .1" pos="0 0 .1" mass=".7"/>
      <body pos="0 0 .25"><joint type="slide" axis="0 1 1" range="-.02 .02" limited="true" frictionloss=".5"/>
        <geom size=".05" mass=".3"/><site name="a"/></body></body>
    <body pos="-.15 0 0"><joint name="h" axis="0 1 0" range="-20 20" limited="true" armature=".01"/>
      <geom type="cylinder" size=".03 .1" pos="0 0 -.1" mass=".4"/><site name="b" pos="0 0 -.2"/></body></body>
  <body pos=".6 0 .12"><joint type="ball"/><geom type="ellipsoid" size=".1 .06 .12" mass="1"/></body>
</worldbody>
<tendon><spatial limited="true" range="0 .6" stiffness="20"><site site="a"/><site site="b"/></spatial></tendon>
<actuator><position joint="h" kp="20" kv="1"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", dynamics.INTEGRATORS)
@pytest.mark.parametrize("cone", [0, 1])
def test_steps_of_all_joints(integrator, cone):
    """Free, ball, slide and hinge joints that turn fast, touch, and reach their limits; one step and twenty."""
    m, n = mujoco.MjModel.from_xml_string(JOINTS), pliant.mujoco.MjModel.from_xml_string(JOINTS)
    number = dynamics.INTEGRATORS.index(integrator)
    rows.set_options({**rows.CONVERGED, "integrator": number, "cone": cone}, m, n)
    rng, met = np.random.default_rng(2), 0
    for _ in range(6):
        d, e = mujoco.MjData(m), pliant.mujoco.MjData(n)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * 0.2, 1)
        d.qpos[2] = 0.2
        d.qvel[:] = rng.normal(size=m.nv) * 3
        d.ctrl[:] = rng.normal(size=m.nu)
        for name in ("qpos", "qvel", "ctrl"):
            getattr(e, name)[:] = getattr(d, name)
        for step in range(20):
            mujoco.mj_step(m, d)
            pliant.mujoco.mj_step(n, e)
            met += d.nefc > 0
            limit = 1e-9 if step == 0 else 1e-6
            for name in ("qpos", "qvel"):
                theirs = getattr(d, name)
                error = np.max(np.abs(getattr(e, name) - theirs))
                assert error <= limit * max(1, np.max(np.abs(theirs))), (step, name)
    assert met > 30


@pytest.mark.parametrize("options", ["as it is", "other cone", "discrete", "discrete, other cone"])
@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_body_forces_equal_reference(path, options):
    check(path, path.stem, 6, OPTIONS[options], rows.compare_body_forces)


@pytest.mark.parametrize("options", ["as it is", "other cone", "discrete", "discrete, other cone"])
@pytest.mark.parametrize("path", [path for path in CASES if path.stem not in HARD], ids=lambda path: path.stem)
def test_inverse_equals_reference(path, options):
    check(path, path.stem, 8, OPTIONS[options], rows.compare_inverse)


@pytest.mark.parametrize("options", ["as it is", "other cone", "discrete", "discrete, other cone"])
@pytest.mark.parametrize("path", [path for path in FAST if path.stem not in HARD], ids=lambda path: path.stem)
def test_forward_equals_reference(path, options):
    """With Pliant's own contacts."""
    check(path, path.stem, 8, OPTIONS[options], rows.compare_forward, 1e-6)


SAME_NAMES = """
    nefc ne nf nl nJ nisland nidof efc_type efc_id efc_J efc_J_rownnz efc_J_rowadr efc_J_colind efc_J_rowsuper efc_pos
    efc_margin efc_frictionloss efc_diagA efc_KBIP efc_D efc_R efc_vel efc_aref efc_b efc_force efc_island
    dof_island tree_island island_nv island_idofadr island_dofadr island_nefc island_iefcadr island_ntree
    island_itreeadr island_ne island_nf map_dof2idof map_idof2dof map_efc2iefc map_iefc2efc map_itree2tree iacc
    iacc_smooth ifrc_smooth ifrc_constraint iefc_type iefc_id iefc_D iefc_R iefc_aref iefc_force iefc_state
    iefc_frictionloss
""".split()


@pytest.mark.parametrize("jacobian", [0, 1])
def test_names_of_the_reference(jacobian):
    """Rows and islands under MuJoCo's names: shapes, types and numbers."""
    path = str(conftest.CASES / "rows_contacts.xml")
    m, n = mujoco.MjModel.from_xml_path(path), pliant.mujoco.MjModel.from_xml_path(path)
    rows.set_options({**rows.CONVERGED, "jacobian": jacobian}, m, n)
    d, e = mujoco.MjData(m), pliant.mujoco.MjData(n)
    mujoco.mj_forward(m, d)
    pliant.mujoco.mj_forward(n, e)
    for name in SAME_NAMES:
        theirs, mine = np.asarray(getattr(d, name)), np.asarray(getattr(e, name))
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), name
        if jacobian == 0 and name.startswith("efc_J_"):
            continue  # the reference leaves them as they were
        if theirs.dtype == np.int32:
            assert np.array_equal(mine, theirs), name
        else:
            assert np.max(np.abs(mine - theirs), initial=0) <= 1e-7 * max(1, np.max(np.abs(theirs), initial=0)), name
    # (efc_state of the reference is that of the warm start where islands are solved; iefc_state is right)
    assert np.array_equal(e.efc_state[e.map_iefc2efc], d.iefc_state)
    assert np.allclose(e.contact.mu, d.contact.mu, rtol=1e-12)
    assert np.array_equal(e.contact.efc_address, d.contact.efc_address)
    assert np.array_equal(e.contact.exclude, d.contact.exclude)
    assert e.solver.converged and e.solver.gap < 1e-8 and e.solver.iterations == max(e.solver_niter)


def test_a_changed_number_is_noticed():
    """The comparison itself: a wrong solref is seen in the rows."""
    reference, model = load(CASES[0])
    model.opt.impratio = 1.0001 * reference.opt.impratio
    found, _ = rows.compare_rows(reference, model, 2)
    assert found["R"].error > 1e-6
