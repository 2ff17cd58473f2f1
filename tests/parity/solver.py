"""Solvers alone against the reference: its own mass matrix, rows and vectors go in, accelerations and forces come out.

Used by the tests and from the command line:

    solver.py FILE [--states N] [--cone elliptic]
"""

import argparse
import dataclasses

import mujoco
import numpy as np

from pliant import _pliant

SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}


@dataclasses.dataclass
class Problem:
    """What the reference hands to its solver, as arrays."""

    model: dict
    rows: dict
    vectors: dict
    options: dict


def set_options(m, cone=None, solver="Newton"):
    """One problem without islands, dense rows."""
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    m.opt.solver = SOLVERS[solver]
    m.opt.noslip_iterations = 0
    if cone is not None:
        m.opt.cone = {"pyramidal": 0, "elliptic": 1}[cone]


def problem_of(m, d):
    """The problem of a state after mj_forward; the warm start is qacc_warmstart or qacc_smooth, whichever is better."""
    n = d.nefc
    contacts = d.ncon
    model = {
        "rownnz": m.M_rownnz.astype(np.int32),
        "rowadr": m.M_rowadr.astype(np.int32),
        "colind": m.M_colind.astype(np.int32),
        "parent": m.dof_parentid.astype(np.int32),
        "M": d.M.copy(),
    }
    rows = {
        "type": d.efc_type.astype(np.int32),
        "id": d.efc_id.astype(np.int32),
        "J": d.efc_J.reshape(n, m.nv).copy(),
        "aref": d.efc_aref.copy(),
        "D": d.efc_D.copy(),
        "R": d.efc_R.copy(),
        "frictionloss": d.efc_frictionloss.copy(),
        "dim": np.array([d.contact[i].dim for i in range(contacts)], dtype=np.int32),
        "mu": np.array([d.contact[i].mu for i in range(contacts)], dtype=float),
        "friction": np.array([d.contact[i].friction for i in range(contacts)], dtype=float).reshape(contacts, 5),
    }
    vectors = {
        "qacc_smooth": d.qacc_smooth.copy(),
        "qfrc_smooth": d.qfrc_smooth.copy(),
        "qacc": warm_start(m, d, model, rows),
        "force": np.zeros(n),
    }
    options = {
        "iterations": m.opt.iterations,
        "tolerance": m.opt.tolerance,
        "ls_iterations": m.opt.ls_iterations,
        "ls_tolerance": m.opt.ls_tolerance,
        "scale": 1 / (m.stat.meaninertia * max(1, m.nv)),
        "noslip_iterations": 0,
        "noslip_tolerance": m.opt.noslip_tolerance,
    }
    return Problem(model, rows, vectors, options)


def warm_start(m, d, model, rows):
    """The cheaper of qacc_warmstart and qacc_smooth, by the reference's own update of the constraints."""

    def cost(qacc):
        result = np.zeros(1)
        mujoco.mj_constraintUpdate(m, d, rows["J"] @ qacc - rows["aref"], result, 0)
        full = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, full)
        return result[0] + 0.5 * (full @ qacc - d.qfrc_smooth) @ (qacc - d.qacc_smooth)

    force, state, constraint = d.efc_force.copy(), d.efc_state.copy(), d.qfrc_constraint.copy()
    better = d.qacc_warmstart if cost(d.qacc_warmstart) <= cost(d.qacc_smooth) else d.qacc_smooth
    d.efc_force[:], d.efc_state[:], d.qfrc_constraint[:] = force, state, constraint
    return better.copy()


def solve(problem, solver="Newton", repeat=1, **options):
    return _pliant.solve(
        SOLVERS[solver], problem.model, problem.rows, problem.vectors, {**problem.options, **options}, repeat
    )


def states(m, count, seed=0, between=40):
    """States along a trajectory with random controls, constraints on."""
    rng = np.random.default_rng(seed)
    d = mujoco.MjData(m)
    if m.nkey > 0:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    for k in range(count):
        for _ in range(between):
            limited = m.actuator_ctrllimited.astype(bool)
            d.ctrl[:] = np.where(
                limited, rng.uniform(m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]), rng.normal(size=m.nu)
            )
            mujoco.mj_step(m, d)
        if not np.all(np.isfinite(d.qacc)):
            return
        yield k, d


def exact(m, d):
    """The reference's answer at the tightest tolerance that ends."""
    before = m.opt.tolerance, m.opt.iterations, m.opt.solver
    m.opt.tolerance, m.opt.iterations, m.opt.solver = 1e-15, 200, SOLVERS["Newton"]
    mujoco.mj_forward(m, d)
    m.opt.tolerance, m.opt.iterations, m.opt.solver = before


def relative(a, b, floor):
    return np.max(np.abs(np.asarray(a) - b), initial=0) / max(floor, np.max(np.abs(b), initial=0))


def compare(m, count, seed=0, between=40):
    """Yields per state: rows, errors of accelerations and forces, iterations of both at default settings."""
    for k, d in states(m, count, seed, between):
        mujoco.mj_forward(m, d)
        if d.nefc == 0:
            continue
        default = int(d.solver_niter[0])
        problem = problem_of(m, d)
        ours = solve(problem)
        exact(m, d)
        tight = solve(problem, tolerance=1e-15, iterations=200)
        yield {
            "state": k,
            "rows": d.nefc,
            "contacts": d.ncon,
            "qacc": relative(tight["qacc"], d.qacc, 1.0),
            "force": relative(tight["force"], d.efc_force, 1.0),
            "iterations": (ours["iterations"], default),
            "gap": tight["gap"],
            "converged": ours["converged"],
            "problem": problem,
            "ours": ours,
        }


def compare_sweeps(m, count, sweeps, between=40):
    """PGS from zero forces, stopped after so many sweeps: yields the error of the forces per state."""
    m.opt.solver, m.opt.iterations, m.opt.tolerance = SOLVERS["PGS"], sweeps, 0
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)
    for _, d in states(m, count, between=between):
        mujoco.mj_forward(m, d)
        if d.nefc == 0:
            continue
        ours = solve(problem_of(m, d), "PGS", iterations=sweeps, tolerance=0)
        yield relative(ours["force"], d.efc_force, 1.0)


def compare_noslip(m, count, sweeps, between=40):
    """No-slip sweeps after a converged Newton: yields errors of forces and accelerations per state."""
    m.opt.noslip_tolerance = 0
    for _, d in states(m, count, between=between):
        m.opt.noslip_iterations = 0
        exact(m, d)
        if d.nefc == 0:
            continue
        problem = problem_of(m, d)
        m.opt.noslip_iterations = sweeps
        exact(m, d)
        m.opt.noslip_iterations = 0
        ours = solve(problem, tolerance=1e-15, iterations=200, noslip_iterations=sweeps, noslip_tolerance=0)
        yield relative(ours["force"], d.efc_force, 1.0), relative(ours["qacc"], d.qacc, 1.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--between", type=int, default=40)
    parser.add_argument("--cone")
    args = parser.parse_args()
    for file in args.files:
        m = mujoco.MjModel.from_xml_path(file)
        set_options(m, args.cone)
        for row in compare(m, args.states, between=args.between):
            line = (
                f"{file.split('/')[-2]:>20} state {row['state']:3d} nv {m.nv:3d} rows {row['rows']:4d} "
                f"qacc {row['qacc']:.1e} force {row['force']:.1e} "
                f"iterations {row['iterations'][0]}/{row['iterations'][1]} "
                f"gap {row['gap']:.1e} {row['converged']}"
            )
            print(line)


if __name__ == "__main__":
    main()
