"""Compares constraint rows with the reference, one to one, and what the solver makes of them.

States lie along trajectories of the reference and at random places. The reference's results of earlier stages and
its contacts are copied into Pliant's Data, so that only the rows are judged. From the command line:

    rows.py FILE… [--states N] [--cone 0|1] [--jacobian 0|1|2] [--solution]
"""

import argparse
import itertools
import sys

import mujoco
import numpy as np

import dynamics
from dynamics import Difference
from pliant import _pliant

# Integers must be equal. The error of a number is measured against the largest of its row (J, KBIP), itself (D, R,
# diagA: they span many orders of magnitude), or what it is made of (pos, vel, aref), see `scales`.
EXACT = {"type": "row_type", "id": "row_id", "island": "row_island"}
REALS = "J pos margin frictionloss KBIP diagA R D vel aref".split()
mujoco.set_mju_user_warning(lambda message: None)  # mixed references are part of the tests
LIMIT = 1e-9
EPSILON = np.finfo(float).eps
DISCRETE = int(mujoco.mjtIntegrator.mjINT_DISCRETE)
SMALL_LENGTH = 1e-3  # residuals are differences of positions of the size of a model [m|rad]
SMALL_SPEED = 1e-3
BLOWN_UP = 1e3  # [m/s|rad/s]


def reference_jacobian(model, data):
    if not mujoco.mj_isSparse(model):
        # (behind the rows is room of rows of zeros, which were counted and left out)
        return data.efc_J[: data.nefc * model.nv].reshape(data.nefc, model.nv)
    dense = np.zeros((data.nefc, model.nv))
    for i, (adr, count) in enumerate(zip(data.efc_J_rowadr, data.efc_J_rownnz)):
        # a joint that a tendon names twice has two columns
        np.add.at(dense[i], data.efc_J_colind[adr : adr + count], data.efc_J[adr : adr + count])
    return dense


def scales(model, data, name, expected):
    """What an error of each number is measured against."""
    if name == "J":
        # differences of lever arms, each rounded: of what two bodies share, that is all that is left
        arms = 4 * EPSILON * (1 + np.max(np.abs(data.xpos), initial=0)) / LIMIT
        return np.maximum(np.max(np.abs(expected), axis=1, keepdims=True, initial=0), max(1e-6, arms))
    if name in ("pos", "margin"):
        return np.maximum(np.abs(expected), SMALL_LENGTH)
    kbip = data.efc_KBIP.reshape(-1, 4)
    speed = np.max(np.abs(reference_jacobian(model, data)) * np.abs(data.qvel), axis=1, initial=0) + SMALL_SPEED
    if name == "vel":
        return np.maximum(np.abs(expected), speed)
    if name == "aref":
        length = np.maximum(np.abs(data.efc_pos), SMALL_LENGTH)
        return np.abs(kbip[:, 1]) * speed + np.abs(kbip[:, 0] * kbip[:, 2]) * length + np.abs(expected) + 1
    if name == "KBIP":
        # a slope of d is of the size of d / width
        floor = np.array([0, 0, 0, 1])
        return np.maximum(np.abs(expected), floor) + 1e-300
    return np.abs(expected) + 1e-300


class Contacts:
    """The reference's contacts without those of a geom with itself, which have no rows; Pliant does not make them."""

    def __init__(self, contacts):
        self.contacts = contacts
        self.kept = np.array([geom1 != geom2 for geom1, geom2 in contacts.geom], dtype=bool)

    def __len__(self):
        return int(np.sum(self.kept))

    def __getattr__(self, name):
        return getattr(self.contacts, name)[self.kept]

    def ids(self, types, ids):
        """Of rows, as they are numbered here."""
        out, place = ids.copy(), np.cumsum(self.kept) - 1
        of_contacts = types >= int(mujoco.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)
        out[of_contacts] = place[ids[of_contacts]]
        return out


def compare_state(model, reference, pliant_model, state, data):
    """The worst Difference of each field of the rows of one state; ints first."""
    contacts = Contacts(reference.contact)
    dynamics.copy_state(reference, state)
    dynamics.copy_data(reference, data)
    _pliant.set_contacts(data, contacts)
    for stage in ("constraint", "passive", "bias", "reference", "metric"):
        _pliant.run_stage(pliant_model, state, data, stage)
    found = {}
    counts = _pliant.row_counts(data)
    for name in ("nefc", "ne", "nf", "nl", "nisland"):
        mine, expected = counts[name], getattr(reference, name)
        if mine != expected:
            found[name] = Difference("rows", name, np.inf, (), expected, mine)
    if found:
        return found
    found["qfrc_adhesion"] = dynamics.worst("passive", "qfrc_adhesion", reference.qfrc_adhesion, data.qfrc_adhesion)
    found = {name: difference for name, difference in found.items() if difference}
    n = reference.nefc
    for name, own in EXACT.items():
        expected, mine = getattr(reference, f"efc_{name}")[:n], _pliant.row_array(data, own)
        if name == "island" and reference.nisland == 0:
            continue
        if name == "id":
            expected = contacts.ids(reference.efc_type[:n], expected)
        if not np.array_equal(expected, mine):
            at = int(np.argmax(expected != mine))
            found[name] = Difference("rows", name, np.inf, (at,), expected[at], mine[at])
    for name in REALS:
        if name == "J":
            expected, mine = reference_jacobian(model, reference), _pliant.row_jacobian(pliant_model, data)
        else:
            expected = getattr(reference, f"efc_{name}")[:n].copy()
            mine = _pliant.row_array(data, f"row_{name}")
            if name == "KBIP":
                expected, mine = expected.reshape(-1, 4), mine.reshape(-1, 4)
        if expected.size == 0:
            continue
        error = np.abs(mine - expected) / scales(model, reference, name, expected)
        error[np.isnan(error)] = np.inf
        at = np.unravel_index(np.argmax(error), error.shape)
        found[name] = Difference("rows", name, float(error[at]), at, float(expected[at]), float(mine[at]))
    return found


# Settings at which the reference's solution is the minimum to about ten digits.
CONVERGED = {"solver": 2, "tolerance": 1e-15, "iterations": 200, "ls_iterations": 100, "noslip_iterations": 0}
SOLUTION_LIMIT = 1e-7
SMALL_ACCELERATION = 1.0  # a tenth of gravity: what is below counts as zero


# R at its floor of 1e-15: a row that no mass answers to. It may cost 1e20 and more, whatever moves.
NO_MASS_BEHIND = 1e12
COST_ROUNDING = 4e-15


def metric(model, reference):
    """The matrix that forces accelerate in the reference: M, or that of the integrator discrete."""
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, reference, mass)
    if model.opt.integrator != DISCRETE:
        return mass

    def add(scale, columns, values):
        row = np.zeros(model.nv)
        np.add.at(row, columns, values)
        return scale * np.outer(row, row)

    if reference.efm_diag is not None and np.size(reference.efm_diag):
        mass += np.diag(reference.efm_diag)
    if reference.efm_fluid is not None and np.size(reference.efm_fluid):
        for i, (adr, count) in enumerate(zip(model.M_rowadr, model.M_rownnz)):
            for k in range(adr, adr + count):
                column = model.M_colind[k]
                mass[i, column] += reference.efm_fluid[k]
                if column != i:
                    mass[column, i] += reference.efm_fluid[k]
    for k in range(reference.nefmT):
        tendon = reference.efm_tid[k]
        at = slice(model.ten_J_rowadr[tendon], model.ten_J_rowadr[tendon] + model.ten_J_rownnz[tendon])
        mass += add(reference.efm_ts[k], model.ten_J_colind[at], reference.ten_J.ravel()[at])
    for k in range(reference.nefmA):
        actuator = reference.efm_aid[k]
        first = model.actuator_outadr[actuator]
        for out in range(first, first + model.actuator_outnum[actuator]):
            at = slice(reference.moment_rowadr[out], reference.moment_rowadr[out] + reference.moment_rownnz[out])
            mass += add(reference.efm_as[k], reference.moment_colind[at], reference.actuator_moment[at])
    return mass


def cost(model, reference, qacc):
    """What the reference's problem costs at an acceleration."""
    scratch = mujoco.MjData(model)
    mujoco.mj_copyData(scratch, model, reference)
    mass = metric(model, reference)
    rows_cost, away = np.zeros(1), qacc - reference.qacc_smooth
    residual = reference_jacobian(model, reference) @ qacc - reference.efc_aref
    mujoco.mj_constraintUpdate(model, scratch, residual, rows_cost, 0)
    return 0.5 * away @ mass @ away + rows_cost[0]


def has_no_digits(model, reference, qacc):
    """Whether rows without mass behind them cost so much that both accelerations are minima up to rounding of the
    cost."""
    if not np.max(reference.efc_D, initial=0) > NO_MASS_BEHIND:
        return False
    theirs, ours = cost(model, reference, reference.qacc), cost(model, reference, np.array(qacc))
    return abs(theirs - ours) <= COST_ROUNDING * abs(theirs)


def force_rounding(model, reference):
    """What one rounding of J a - aref makes of the force of each row, D (J a - aref), and of each dof."""
    J = np.abs(reference_jacobian(model, reference))
    rounding = EPSILON * reference.efc_D * (J @ np.abs(reference.qacc) + np.abs(reference.efc_aref))
    return rounding, J.T @ rounding


def compare_solution(model, reference, pliant_model, state, data):
    """Worst Difference of accelerations and forces; both engines at tolerance 1e-15."""
    dynamics.copy_state(reference, state)
    dynamics.copy_data(reference, data)
    _pliant.set_contacts(data, Contacts(reference.contact))
    # (the smooth acceleration is the reference's, but for what the solver needs beside it under discrete)
    discrete = ("metric", "acceleration") if model.opt.integrator == DISCRETE else ()
    for stage in ("constraint", "bias", "reference", *discrete, "solver"):
        _pliant.run_stage(pliant_model, state, data, stage)
    weight = np.sum(model.body_mass) * np.linalg.norm(model.opt.gravity)
    force = _pliant.row_array(data, "row_force")
    of_rows, of_dofs = force_rounding(model, reference)
    pairs = {
        "qacc": (reference.qacc, data.qacc, SMALL_ACCELERATION, 0),
        "qfrc_constraint": (reference.qfrc_constraint, data.qfrc_constraint, weight, of_dofs),
        "efc_force": (reference.efc_force[: reference.nefc], force, weight, of_rows),
    }
    found = {}
    for name, (expected, mine, floor, rounding) in pairs.items():
        if expected.shape != mine.shape:
            found[name] = Difference("solver", name, np.inf, (), expected.size, mine.size)
            continue
        difference = dynamics.worst("solver", name, expected, mine, floor, rounding)
        if difference:
            found[name] = difference
    if any(d.error > LIMIT for d in found.values()) and has_no_digits(model, reference, data.qacc):
        return {}
    return found


def compare_body_forces(model, reference, pliant_model, state, data):
    """Worst Difference of accelerations of bodies and forces on them, from the reference's contacts and row forces."""
    mujoco.mj_rnePostConstraint(model, reference)
    dynamics.copy_state(reference, state)
    dynamics.copy_data(reference, data)
    _pliant.set_contacts(data, Contacts(reference.contact))
    _pliant.run_stage(pliant_model, state, data, "constraint")
    if reference.nefc != _pliant.row_counts(data)["nefc"]:
        return {"nefc": Difference("body forces", "nefc", np.inf, (), reference.nefc, 0)}
    _pliant.set_row_array(data, "row_force", reference.efc_force[: reference.nefc])
    _pliant.body_forces(pliant_model, state, data)
    found = {}
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        found[name] = dynamics.worst("body forces", name, getattr(reference, name), getattr(data, name))
    return found


def compare_inverse(model, reference, pliant_model, state, data):
    """Worst Difference of the force that given accelerations need; contacts are Pliant's own."""
    rng = np.random.default_rng(reference.nefc)
    reference.qacc[:] += rng.normal(size=model.nv)
    dynamics.copy_state(reference, state)
    data.qacc[...] = reference.qacc
    mujoco.mj_inverse(model, reference)
    _pliant.inverse(pliant_model, state, data)
    found = {}
    for name in ("qfrc_constraint", "qfrc_inverse"):
        found[name] = dynamics.worst("inverse", name, getattr(reference, name), getattr(data, name))
    return found


def compare_forward(model, reference, pliant_model, state, data):
    """Worst Difference of the acceleration, everything Pliant's own; both engines at tolerance 1e-15."""
    dynamics.copy_state(reference, state)
    _pliant.forward(pliant_model, state, data)
    return {"qacc": dynamics.worst("forward", "qacc", reference.qacc, data.qacc, SMALL_ACCELERATION)}


def states(model, data, count, seed=0, every=7):
    """States along trajectories with random controls, and at random places; `data` holds each in turn."""
    rng = np.random.default_rng(seed)
    walker = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, walker, 0)
    for i in range(count):
        if i % 2 == 1:
            dynamics.random_state(model, data, rng)
        else:
            for _ in range(every):
                walker.ctrl[:] = rng.normal(size=model.nu) * 0.3
                mujoco.mj_step(model, walker)
            mujoco.mj_copyData(data, model, walker)
            # a simulation that blows up starts anew: numbers beyond any motion have no digits left to compare
            if not np.max(np.abs(walker.qvel), initial=0) < BLOWN_UP:
                mujoco.mj_resetData(model, walker)
                continue
        mujoco.mj_forward(model, data)
        if np.all(np.isfinite(data.qacc)):
            yield data


def compare_rows(model, pliant_model, count=6, seed=0, compare=compare_state):
    """The worst Difference of each field, and how many rows were compared."""
    data = mujoco.MjData(model)
    state, mine = _pliant.State(pliant_model), _pliant.Data(pliant_model)
    found, rows = {}, 0
    for reference in states(model, data, count, seed):
        rows += reference.nefc
        for name, difference in compare(model, reference, pliant_model, state, mine).items():
            if name not in found or difference.error > found[name].error:
                found[name] = difference
    return found, rows


METRIC_FIELDS = "efm_ck efm_diag efm_sdiag efm_c efm_ca".split()


def compare_metric(model, reference, pliant_model, state, data):
    """Worst Difference of what the metric is made of, and of the smooth acceleration."""
    dynamics.copy_state(reference, state)
    dynamics.copy_data(reference, data)
    _pliant.set_contacts(data, Contacts(reference.contact))
    for stage in ("constraint", "passive", "bias", "reference", "metric", "acceleration"):
        _pliant.run_stage(pliant_model, state, data, stage)
    found = {}
    for name in METRIC_FIELDS:
        theirs = getattr(reference, name)
        theirs = np.zeros(model.nv) if theirs is None or np.size(theirs) == 0 else np.asarray(theirs)
        scale = np.max(np.abs(reference.qfrc_smooth), initial=0) if name in ("efm_c", "efm_ca") else 0
        found[name] = dynamics.worst("metric", name, theirs, getattr(data, name), scale)
    found["qacc_smooth"] = dynamics.worst(
        "metric", "qacc_smooth", reference.qacc_smooth, data.qacc_smooth, SMALL_ACCELERATION
    )
    return {name: difference for name, difference in found.items() if difference}


# Every solver on the reference's rows. Newton and CG go on until the reference's own answer has ten digits: a cost that
# is right to 1e-20 leaves 1e-10 in accelerations. Sweeps of PGS are compared one by one, from zero forces: they take
# thousands to converge. With elliptic cones its sweeps are other ones (docs/differences.md), so that only rows and
# metric are compared.
NEWTON, CG, PGS = 2, 1, 0
SWEEPS = 5
EVERY_SOLVER = {
    NEWTON: {"tolerance": 1e-15, "iterations": 200},
    CG: {"tolerance": 1e-20, "iterations": 2000},
    PGS: {"tolerance": 0, "iterations": SWEEPS},
}
# For CG where the settings above have not led both engines to the same end.
PATIENT_CG = {"tolerance": 1e-30, "iterations": 20000}
MEMORY = 1 << 28  # the dual problem is dense
SPARSE = int(mujoco.mjtJacobian.mjJAC_SPARSE)
WARMSTART = int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)


def has_rounded_rows(pliant_model, data):
    """Whether a row moves nothing but by rounding: a dense Jacobian has no rows of zeros, a sparse one has all."""
    return bool(np.any(np.max(np.abs(_pliant.row_jacobian(pliant_model, data)), axis=1) < 1e-15))


class Certificate:
    """How far accelerations are from the minimum of the reference's problem, proven.

    The cost grows at least as ½ x'Mx around its minimum, so a point with the gradient g is at most |g| = √(g'M⁻¹g) from
    it in the norm √(x'Mx), and ½|g|² is its gap. Gradients are computed here, apart from both engines.
    """

    def __init__(self, model, reference):
        self.model, self.reference, self.mass = model, reference, metric(model, reference)
        self.jacobian = reference_jacobian(model, reference)

    def distance(self, a, b):
        return np.sqrt((a - b) @ self.mass @ (a - b))

    def gradient(self, qacc):
        """|g|."""
        scratch = mujoco.MjData(self.model)
        mujoco.mj_copyData(scratch, self.model, self.reference)
        residual = self.jacobian @ qacc - self.reference.efc_aref
        mujoco.mj_constraintUpdate(self.model, scratch, residual, np.zeros(1), 0)
        away = qacc - self.reference.qacc_smooth
        g = self.mass @ away - self.jacobian.T @ scratch.efc_force[: self.reference.nefc]
        return np.sqrt(max(0, g @ np.linalg.solve(self.mass, g)))


def ends_like_cg(model, reference, minimum, qacc, reports):
    """Whether an answer of CG that is not the reference's to 1e-9 is proven to be as good nevertheless.

    It is no farther from Newton's answer than the certificates of both allow: ours is what our solver says of its
    islands. And its gradient is no more than twice the larger one of the reference's two answers: Newton's shows what
    rounding leaves of a gradient, and CG's where conjugate gradients end; or both engines were stopped on the way, by
    the number of iterations, where there is no end to compare.
    """
    certificate = Certificate(model, reference)
    ours, theirs, least = (certificate.gradient(a) for a in (qacc, reference.qacc, minimum))
    # a gap is scaled by the trace of an island, which is no more than that of all
    claimed = np.sqrt(2 * np.trace(certificate.mass) * sum(report["gap"] for report in reports))
    limit = model.opt.iterations
    stopped = max(reference.solver_niter) >= limit and max(report["iterations"] for report in reports) >= limit
    return certificate.distance(qacc, minimum) <= claimed + least and (stopped or ours <= 2 * max(theirs, least))


def compare_everywhere(model, pliant_model, count):
    """Rows, metric, accelerations and forces in `count` states: both cones, every solver, discrete and the others.

    The worst Difference of each (cone, integrator, solver, field), and how many rows were compared. Rows and
    accelerations do not depend on which of Euler, RK4, implicit and implicitfast it is, so they take turns.
    """
    own = {name: getattr(model.opt, name) for name in ("cone", "integrator", "jacobian", "disableflags", *CONVERGED)}
    walker, data = mujoco.MjData(model), mujoco.MjData(model)
    state, mine = _pliant.State(pliant_model), _pliant.Data(pliant_model)
    found, rows = {}, 0

    def equal(differences):
        return all(d.error <= LIMIT for d in differences.values())

    def add(place, differences):
        for name, difference in differences.items():
            key = (*place, name)
            if key not in found or not difference.error <= found[key].error:
                found[key] = difference

    for i, _ in enumerate(states(model, walker, count)):
        jacobian = own["jacobian"]
        for cone, integrator, solver in itertools.product((0, 1), (i % 4, DISCRETE), EVERY_SOLVER):
            place = (("pyramidal", "elliptic")[cone], dynamics.INTEGRATORS[integrator], solver)
            options = {**own, "cone": cone, "integrator": integrator, "solver": solver, **EVERY_SOLVER[solver]}
            options.update(jacobian=jacobian, ls_iterations=100, noslip_iterations=0)
            if solver == PGS:
                options["disableflags"] |= WARMSTART
            set_options(options, model, pliant_model)
            mujoco.mj_copyData(data, model, walker)
            mujoco.mj_forward(model, data)
            if not np.all(np.isfinite(data.qacc)):
                continue
            rows += data.nefc
            if solver != CG:  # the rows are those of Newton
                differences = compare_state(model, data, pliant_model, state, mine)
                if "nefc" in differences and has_rounded_rows(pliant_model, mine):
                    jacobian = SPARSE
                    set_options({"jacobian": jacobian}, model, pliant_model)
                    mujoco.mj_forward(model, data)
                    differences = compare_state(model, data, pliant_model, state, mine)
                add(place, differences)
                if integrator == DISCRETE:
                    add(place, compare_metric(model, data, pliant_model, state, mine))
            if solver == PGS and cone == 1:
                continue
            differences = compare_solution(model, data, pliant_model, state, mine)
            if solver == NEWTON:
                minimum = data.qacc.copy()
            if solver == CG and not equal(differences):
                set_options(PATIENT_CG, model, pliant_model)
                mujoco.mj_copyData(data, model, walker)
                mujoco.mj_forward(model, data)
                differences = compare_solution(model, data, pliant_model, state, mine)
                reports = _pliant.solver_reports(mine)
                if not equal(differences) and ends_like_cg(model, data, minimum, np.array(mine.qacc), reports):
                    continue
            add(place, differences)
        set_options(own, model, pliant_model)
    return found, rows


def has_same_rows(model, reference, pliant_model, data):
    """Whether both engines have found the same contacts, by places and directions of all rows.

    Contacts in a gap have no rows, but adhesion acts at them.
    """
    if _pliant.row_counts(data)["nefc"] != reference.nefc:
        return False
    adhesion = model.actuator_trntype == int(mujoco.mjtTrn.mjTRN_BODY)
    if np.any(adhesion) and np.max(np.abs(data.qfrc_actuator - reference.qfrc_actuator)) > 1e-11:
        return False
    places = _pliant.row_array(data, "row_pos") - reference.efc_pos
    directions = _pliant.row_jacobian(pliant_model, data) - reference_jacobian(model, reference)
    return max(np.max(np.abs(places), initial=0), np.max(np.abs(directions), initial=0)) <= 1e-10


def compare_steps(model, pliant_model, count):
    """The state after a step of every integrator, each engine by itself: worst Difference, steps, and steps left out.

    From states where both find the same contacts. A step that differs is left out where a row has no mass behind it, or
    the reference's own result changes by as much when velocities, positions or margins change by 1e-12: a touch within
    a stage of Runge-Kutta.
    """
    own = {name: getattr(model.opt, name) for name in ("integrator", *CONVERGED)}
    walker, data, nudged = (mujoco.MjData(model) for _ in range(3))
    state, mine = _pliant.State(pliant_model), _pliant.Data(pliant_model)
    found, steps, left_out = {}, 0, 0
    for _ in states(model, walker, count):
        for integrator, name in enumerate(dynamics.INTEGRATORS):
            set_options({"integrator": integrator, **CONVERGED}, model, pliant_model)
            mujoco.mj_copyData(data, model, walker)
            dynamics.copy_state(data, state)
            mujoco.mj_forward(model, data)
            _pliant.forward(pliant_model, state, mine)
            no_digits = np.max(data.efc_D, initial=0) > NO_MASS_BEHIND
            if not has_same_rows(model, data, pliant_model, mine):
                left_out += 1  # other contacts are a matter of test_contacts.py
                continue
            mujoco.mj_copyData(data, model, walker)
            dynamics.copy_state(data, state)
            mujoco.mj_step(model, data)
            faults = _pliant.step(pliant_model, state, mine)
            if faults or data.time <= walker.time or not np.max(np.abs(data.qvel), initial=0) < BLOWN_UP:
                continue  # blown up: the reference resets or goes on, Pliant refuses
            steps += 1
            for field in ("qpos", "qvel", "act"):
                difference = dynamics.worst(f"step {name}", field, getattr(data, field), getattr(state, field), 1.0)
                if difference is None:
                    continue
                error = difference.error
                if not error <= LIMIT and (no_digits or is_touchy(model, walker, data, nudged, field, error)):
                    left_out += 1
                elif (name, field) not in found or not difference.error <= found[name, field].error:
                    found[name, field] = difference
        set_options(own, model, pliant_model)
    return found, steps, left_out


def is_touchy(model, before, after, nudged, field, error):
    """Whether the reference's own step differs by as much when all velocities, positions or margins change by 1e-12.

    Margins: of geoms that touch exactly, rounding decides whether there is a contact.
    """
    value, most = getattr(after, field), 0.0
    scale = max(1.0, np.max(np.abs(value), initial=0))
    margins = model.geom_margin.copy()
    for nudge in dynamics.NUDGES:
        for what in ("velocities", "positions", "margins"):
            mujoco.mj_copyData(nudged, model, before)
            if what == "velocities":
                nudged.qvel[:] += nudge
            elif what == "positions":
                mujoco.mj_integratePos(model, nudged.qpos, np.full(model.nv, nudge), 1)
            else:
                model.geom_margin[:] = margins + nudge
            mujoco.mj_step(model, nudged)
            model.geom_margin[:] = margins
            most = max(most, np.max(np.abs(getattr(nudged, field) - value), initial=0) / scale)
    return most >= 0.1 * error


def set_options(options, *models):
    for model in models:
        for name, value in options.items():
            setattr(model.opt, name, value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--cone", type=int)
    parser.add_argument("--jacobian", type=int)
    parser.add_argument("--solution", action="store_true", help="compare accelerations and forces instead")
    parser.add_argument("--limit", type=float)
    arguments = parser.parse_args()
    limit = arguments.limit or (SOLUTION_LIMIT if arguments.solution else LIMIT)
    bad = 0
    for path in arguments.files:
        try:
            model, pliant_model = dynamics.load_pair(path, constraints=True)
        except (ValueError, _pliant.LoadError):
            continue
        dynamics.fill_constants(model, pliant_model)
        given = {name: getattr(arguments, name) for name in ("cone", "jacobian")}
        set_options({name: value for name, value in given.items() if value is not None}, model, pliant_model)
        if arguments.solution:
            set_options(CONVERGED, model, pliant_model)
        compare = compare_solution if arguments.solution else compare_state
        found, rows = compare_rows(model, pliant_model, arguments.states, compare=compare)
        wrong = sorted((d for d in found.values() if not d.error <= limit), key=lambda d: -d.error)
        worst = max(found.values(), key=lambda d: d.error, default=None)
        verdict = f"{rows} rows equal, worst {worst.error:.1e} ({worst.field})" if worst and not wrong else ""
        print(f"{path}: {verdict or f'{rows} rows'}", flush=True)
        for difference in wrong[:12]:
            print("    ", difference)
        bad += bool(wrong)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
