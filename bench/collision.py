#!/usr/bin/env python3
"""Benchmark beside the reference: time of the collision stage.

Both libraries find the contacts of the same states, taken from a trajectory of the reference with random controls, in
turn, in one thread of one process; processor time is measured, and what matters is the ratio of the two medians. Both
are called from Python once per state, so both times contain such a call. Prints a table and writes
out/bench_collision.json.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import mujoco
import numpy as np

import models
import pliant.mujoco as ours

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "bench_collision.json"
TARGET = 1.5  # times faster than the reference
STATES, STEPS = 8, 240
CHUNK_SECONDS, CHUNKS = 0.004, 60

MODELS = (
    "shadow_hand",
    "allegro",
    "barkour",
    "humanoid",
    "cube_3x3x3",
    "22_humanoids",
    "bin_of_boxes",
    "stack_of_boxes",
)


def states_of(reference, model):
    """Pairs of data at the same positions, with poses computed."""
    data, pairs = mujoco.MjData(reference), []
    if reference.nkey:
        mujoco.mj_resetDataKeyframe(reference, data, 0)
    rng = np.random.default_rng(0)
    for step in range(STEPS):
        if step % 40 == 0:
            limited = reference.actuator_ctrllimited.astype(bool)[: reference.nu]
            low = np.where(limited, reference.actuator_ctrlrange[: reference.nu, 0], -1)
            high = np.where(limited, reference.actuator_ctrlrange[: reference.nu, 1], 1)
            data.ctrl[:] = rng.uniform(low, high)
        mujoco.mj_step(reference, data)
        if (step + 1) % (STEPS // STATES) == 0:
            theirs, mine = mujoco.MjData(reference), ours.MjData(model)
            for name in ("qpos", "mocap_pos", "mocap_quat"):
                getattr(theirs, name)[:] = getattr(data, name)
                getattr(mine, name)[:] = getattr(data, name)
            for module, m, d in ((mujoco, reference, theirs), (ours, model, mine)):
                module.mj_kinematics(m, d)
                module.mj_comPos(m, d)
            pairs.append((theirs, mine))
    return pairs


def measure(path, chunks):
    reference, model = mujoco.MjModel.from_xml_path(str(path)), ours.MjModel.from_xml_path(str(path))
    pairs = states_of(reference, model)

    def run(collide, m, datas, rounds):
        t = time.thread_time()
        for _ in range(rounds):
            for d in datas:
                collide(m, d)
        return (time.thread_time() - t) / rounds / len(datas)

    sides = {
        "reference": (mujoco.mj_collision, reference, [a for a, _ in pairs]),
        "pliant": (ours.mj_collision, model, [b for _, b in pairs]),
    }
    slowest = max(run(*side, 3) for side in sides.values())
    rounds = max(1, int(CHUNK_SECONDS / slowest / len(pairs)))
    times = {name: [] for name in sides}
    for _ in range(chunks):
        for name, side in sides.items():
            times[name].append(run(*side, rounds))
    tested = statistics.mean(b.data.npair_tested for _, b in pairs)
    row = {f"{name}_us": statistics.median(values) * 1e6 for name, values in times.items()}
    row["contacts"] = statistics.mean(b.ncon for _, b in pairs)
    row["reference_contacts"] = statistics.mean(a.ncon for a, _ in pairs)
    row["pairs_tested"] = tested
    row["pairs_per_second"] = tested / row["pliant_us"] * 1e6
    row["faster"] = row["reference_us"] / row["pliant_us"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=CHUNKS)
    parser.add_argument("--only", action="append", help="name of a model")
    arguments = parser.parse_args()
    results = {}
    print(
        f"{'collision':15} {'reference':>10} {'pliant':>10} {'faster':>8} {'contacts':>9} {'pairs tested':>13} "
        f"{'per second':>11}"
    )
    for name, path in models.find(*MODELS).items():
        if arguments.only and name not in arguments.only:
            continue
        row = results[name] = measure(path, arguments.chunks)
        mark = "" if row["faster"] >= TARGET else "  below target"
        print(f"{name:15} {row['reference_us']:8.2f}us {row['pliant_us']:8.2f}us {row['faster']:7.2f}x "
              f"{row['contacts']:9.1f} "
              f"{row['pairs_tested']:13.1f} {row['pairs_per_second'] / 1e6:10.2f}M{mark}", flush=True)  # fmt: skip
    OUT.parent.mkdir(exist_ok=True)
    write_text(OUT, json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
