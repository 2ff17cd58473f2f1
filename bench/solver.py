#!/usr/bin/env python3
"""Benchmark of the solvers alone: problems of the reference, both sides on the same numbers, warm start and settings.

Time of the reference is mj_fwdConstraint without islands; ours is the solver's. Prints a table.
"""

import argparse
import os
import pathlib
import sys
import time

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "parity"))
import solver as parity

MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "franka": "menagerie/franka_emika_panda/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
    "cube_3x3x3": "mujoco/cube/cube_3x3x3.xml",
    "22_humanoids": "mujoco/humanoid/22_humanoids.xml",
}


def bin_of_boxes(count=5, size=0.05):
    """count^3 boxes that fall into a bin."""
    rng = np.random.default_rng(1)
    bodies = []
    for i in range(count**3):
        x, y, z = i % count, i // count % count, i // count**2
        angles = rng.uniform(-40, 40, 3)
        place = [(x - count / 2) * 2.3 * size, (y - count / 2) * 2.3 * size, 0.1 + z * 3 * size]
        bodies.append(
            f'<body pos="{place[0]} {place[1]} {place[2]}" euler="{angles[0]} {angles[1]} {angles[2]}"><freejoint/>'
            f'<geom type="box" size="{size} {size * 0.8} {size * 0.6}"/></body>'
        )
    wide = count * 1.3 * size
    walls = "".join(
        f'<geom type="plane" pos="{a * wide} {b * wide} 0" zaxis="{-a} {-b} 0" size="1 1 .1"/>'
        for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    floor = '<geom type="plane" size="1 1 .1"/>'
    return f"<mujoco><worldbody>{floor}{walls}{''.join(bodies)}</worldbody></mujoco>"


def measure(name, m, cone, count, between):
    parity.set_options(m, cone)
    reference = mujoco.MjModel.__copy__(m)
    reference.opt.jacobian = mujoco.mjtJacobian.mjJAC_AUTO
    ratios, ours_us, theirs_us, iterations, rows = [], [], [], [], []
    for _, d in parity.states(m, count, between=between):
        mujoco.mj_forward(m, d)
        if d.nefc == 0:
            continue
        problem = parity.problem_of(m, d)
        repeat = 3 if m.nv > 300 else 40
        ours = parity.solve(problem, repeat=repeat)
        other = mujoco.MjData(reference)
        other.qpos[:], other.qvel[:], other.ctrl[:], other.act[:] = d.qpos, d.qvel, d.ctrl, d.act
        other.qacc_warmstart[:] = d.qacc_warmstart
        mujoco.mj_forward(reference, other)
        best = np.inf
        for _ in range(repeat):
            start = time.perf_counter()
            mujoco.mj_fwdConstraint(reference, other)
            best = min(best, time.perf_counter() - start)
        theirs = best * 1e6
        ratios.append(theirs / ours["microseconds"])
        ours_us.append(ours["microseconds"])
        theirs_us.append(theirs)
        iterations.append((ours["iterations"], int(other.solver_niter[0])))
        rows.append(d.nefc)
    if ratios:
        print(
            f"{name:>14} {cone or '':>10} nv {m.nv:3d} rows {np.mean(rows):6.1f} us {np.mean(ours_us):9.2f} "
            f"reference {np.mean(theirs_us):9.2f} ratio {np.median(ratios):5.2f} "
            f"iterations {np.mean([i[0] for i in iterations]):.1f}/{np.mean([i[1] for i in iterations]):.1f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only")
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--cone", action="append")
    args = parser.parse_args()
    folder = pathlib.Path(os.environ.get("PLIANT_MODELS", "."))
    for name, place in MODELS.items():
        if (args.only and args.only != name) or not (folder / place).exists():
            continue
        for cone in args.cone or ("pyramidal", "elliptic"):
            measure(name, mujoco.MjModel.from_xml_path(str(folder / place)), cone, args.states, 60)
    if not args.only or args.only == "bin":
        for cone in args.cone or ("pyramidal", "elliptic"):
            measure("bin", mujoco.MjModel.from_xml_string(bin_of_boxes()), cone, 2, 200)


if __name__ == "__main__":
    main()
