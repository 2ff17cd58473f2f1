#!/usr/bin/env python3
"""A parameter sweep in one call: how far a quadruped slides when it is pushed, for 480 combinations of friction,
damping and timestep.

    python examples/sweep.py [--ray] [--steps N]

With --ray it runs on a Ray cluster (RAY_ADDRESS, or one on this machine); without, on the cores of this machine. The
numbers are the same, bit for bit. All of it is 2.4 million steps: 20 s on two cores, two minutes beside other work.
"""

import argparse
import pathlib

import numpy as np

import pliant
from pliant import scale

MODEL = pathlib.Path(__file__).resolve().parent.parent / "models" / "quadruped.xml"
STEPS = 5000


def slid(model, state, sensordata):
    """How far the trunk has gone [m], and how low it stands at the end [m]."""
    return {"slid": float(np.hypot(*(state[-1, 1:3] - state[0, 1:3]))), "height": float(state[-1, 3])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ray", action="store_true", help="on a Ray cluster")
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    model = pliant.load(MODEL)
    start = scale.start_state(model)
    start[1 + model.nq] = 1.5  # pushed: 1.5 m/s
    grid = {
        "geom_friction[*][0]": np.linspace(0.2, 1.3, 12),
        "dof_damping[*]": np.linspace(0.1, 1.0, 10),
        "opt.timestep": [0.001, 0.0015, 0.002, 0.0025],
    }
    swept = scale.sweep(model, grid, nstep=options.steps, initial_state=start, measure=slid, on_fault="ignore",
                        ray=True if options.ray else None, progress=True)  # fmt: skip
    point, least = swept.best("slid")
    print(f"{len(swept.points)} simulations; the shortest slide is {least:.4f} m at {point}")
    by_friction = swept.values["slid"].mean(axis=(1, 2))
    for friction, distance in zip(grid["geom_friction[*][0]"], by_friction):
        print(f"friction {friction:.1f}: {distance:.3f} m")
    if swept.report:
        report = swept.report
        print(f"{report.workers} workers, {report.chunks} chunks, {report.seconds:.1f} s, overhead "
              f"{100 * report.overhead:.1f} %, {report.moved} chunks moved")  # fmt: skip


if __name__ == "__main__":
    main()
