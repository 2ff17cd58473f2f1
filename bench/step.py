#!/usr/bin/env python3
"""Benchmark beside the reference: time of a step with constraints switched off.

Both libraries run short chunks of steps from the same state in turn, in one thread of one process; processor
time is measured, so that other work on the machine counts little, and what matters is the ratio of the two
medians. Prints a table, per-stage times of Pliant, and writes out/bench_step.json.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

import mujoco
import numpy as np

from pliant import _pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "bench_step.json"
TARGET = 1.3  # times faster than the reference
CHUNK_SECONDS, CHUNKS = 0.003, 400

MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "franka": "menagerie/franka_emika_panda/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "22_humanoids": "mujoco/humanoid/22_humanoids.xml",
}


def models():
    folder = os.environ.get("PLIANT_MODELS")
    if not folder:
        print("bench: PLIANT_MODELS is not set, using the scenes in models/ instead")
        return {path.stem: path for path in sorted((ROOT / "models").glob("*.xml"))}
    found = {}
    for name, place in MODELS.items():
        path = pathlib.Path(folder) / place
        if path.exists():
            found[name] = path
        else:
            print(f"bench: skipped {name}: {place} is not there")
    return found


def prepare(path):
    """Both models and a state to start from: at rest, moved a little, with random controls."""
    reference = mujoco.MjModel.from_xml_path(str(path))
    model = _pliant.Model(str(path))
    for m in (reference, model):
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data = mujoco.MjData(reference)
    rng = np.random.default_rng(0)
    mujoco.mj_integratePos(reference, data.qpos, rng.normal(size=reference.nv) * 0.05, 1)
    data.qvel[:] = rng.normal(size=reference.nv) * 0.05
    data.ctrl[:] = rng.normal(size=reference.nu) * 0.1
    start = mujoco.MjData(reference)
    mujoco.mj_copyData(start, reference, data)
    state, scratch = _pliant.State(model), _pliant.Data(model)
    for name in ("qpos", "qvel", "act", "ctrl"):
        getattr(state, name)[:] = getattr(data, name)
    return reference, data, start, model, state, scratch


def measure(path, chunks):
    reference, data, start, model, state, scratch = prepare(path)
    begin = _pliant.State(model)
    begin.assign(state)

    def run_reference(steps):
        mujoco.mj_copyData(data, reference, start)
        t = time.thread_time()
        mujoco.mj_step(reference, data, steps)
        return (time.thread_time() - t) / steps

    def run_pliant(steps):
        state.assign(begin)
        t = time.thread_time()
        status = _pliant.step(model, state, scratch, steps)
        elapsed = (time.thread_time() - t) / steps
        assert status == 0, f"{path}: fault {status}"
        return elapsed

    steps = max(1, int(CHUNK_SECONDS / max(run_reference(20), run_pliant(20))))
    times = {"pliant": [], "reference": []}
    for _ in range(chunks):
        times["reference"].append(run_reference(steps))
        times["pliant"].append(run_pliant(steps))
    stages = {}
    scratch.timing = True
    run_pliant(steps)
    for name, nanoseconds, calls in scratch.times():
        if calls:
            stages[name] = nanoseconds / calls / 1000
    error = float(np.max(np.abs(state.qpos - data.qpos), initial=0))
    return {
        "reference_us": statistics.median(times["reference"]) * 1e6,
        "pliant_us": statistics.median(times["pliant"]) * 1e6,
        "steps": steps,
        "stages_us": stages,
        "data_bytes": scratch.bytes,
        "reference_data_bytes": data.nbuffer,
        "difference_of_qpos": error,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=CHUNKS)
    parser.add_argument("--only", action="append", help="name of a model")
    parser.add_argument("--stages", action="store_true", help="print the time of every stage")
    arguments = parser.parse_args()
    results = {}
    print(f"{'model':14} {'reference':>10} {'pliant':>10} {'faster':>8}   data bytes (reference)")
    for name, path in models().items():
        if arguments.only and name not in arguments.only:
            continue
        row = measure(path, arguments.chunks)
        row["faster"] = row["reference_us"] / row["pliant_us"]
        results[name] = row
        mark = "" if row["faster"] >= TARGET else "  below target"
        print(f"{name:14} {row['reference_us']:8.2f}us {row['pliant_us']:8.2f}us {row['faster']:7.2f}x   "
              f"{row['data_bytes']} ({row['reference_data_bytes']}){mark}")  # fmt: skip
        if arguments.stages:
            total = sum(row["stages_us"].values())
            for stage, us in row["stages_us"].items():
                print(f"    {stage:22} {us:8.3f}us {100 * us / total:5.1f} %")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
