#!/usr/bin/env python3
"""Instructions of a step under Newton, CG, PGS and auto, and auto's over those of the best, as a table in Markdown.

    bench/solver_choice.py                       twenty-one scenes, as far as they are there
    bench/solver_choice.py humanoid franka       some of them

Counted with callgrind over the steps after a start that does not count (--first); random controls where there are
actuators. Behind each number the share of the steps whose answer is proven to be within the tolerance. A solver whose
answers are proven less often than Newton's is not "the best", however fast it is; beside auto stands what it took.
"""

import argparse
import collections
import pathlib
import shutil
import sys
import tempfile

import numpy as np

import instructions
import models
from pliant import StepError, mujoco

SCENES = ("humanoid", "franka", "shadow_hand", "allegro", "barkour", "cassie", "h1", "robotiq", "cheetah", "ant",
          "22_humanoids", "cube_3x3x3", "stonehenge", "dominos", "bowl", "quadruped", "gripper", "mimic_gripper",
          "drop", "stack_of_boxes", "bin_of_boxes")  # fmt: skip
SOLVERS = {"Newton": 2, "CG": 1, "PGS": 0, "auto": 4}
LESS = 0.02  # of the steps: proven so much less often than Newton is not as good


def proven(model, first, steps):
    """(share of the steps whose answer is proven, {what auto took: how often})."""
    data = mujoco.MjData(model)
    rng, count, took = np.random.default_rng(1), 0, collections.Counter()
    for i in range(first + steps):
        data.ctrl[:] = 0.3 * rng.normal(size=model.nu)
        try:
            mujoco.mj_step(model, data)
        except StepError:  # what a solver leaves open can blow up
            return 0.0, took
        if i < first:
            continue
        reports = data.solver_reports if data.nefc else []
        count += all(report["converged"] for report in reports)
        took.update(report["choice"].split(":")[0] for report in reports)
    return count / steps, took


def line_of(name, path, first, steps):
    """The scene's line of the table, and auto's instructions over those of the best."""
    counts, shares, took = {}, {}, None
    with tempfile.TemporaryDirectory() as folder:
        for solver, number in SOLVERS.items():
            model = mujoco.MjModel.from_xml_path(str(path))
            model.opt.solver = number
            file = pathlib.Path(folder) / f"{solver}.plm"
            mujoco.mj_saveModel(model, str(file))
            counts[solver] = instructions.per_step(instructions.ROOT / "build" / "pliant", file, first, steps)
            shares[solver], took = proven(model, first, steps)
    good = {k: n for k, n in counts.items() if k != "auto" and shares[k] >= shares["Newton"] - LESS}
    best = min(good, key=good.get)
    ratio = counts["auto"] / good[best]
    cells = " | ".join(f"{counts[k] / 1000:.1f} ({shares[k]:.0%})" for k in SOLVERS)
    words = ", ".join(f"{word} {n / sum(took.values()):.0%}" for word, n in took.most_common())
    return f"| {name} | {cells} | {best} | {ratio:.2f} | {words} |", ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=200, help="steps that do not count")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        print("solver_choice: skipped, there is no valgrind to count instructions with")
        return 0
    print("| scene | " + " | ".join(SOLVERS) + " | best | auto / best | auto takes |")
    print("|---|" + "---:|" * len(SOLVERS) + "---|---:|---|")
    worst = 0
    for name, path in models.find(*args.scenes).items():
        line, ratio = line_of(name, path, args.first, args.steps)
        worst = max(worst, ratio)
        print(line, flush=True)
    print(f"\nworst: {worst:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
