#!/usr/bin/env python3
"""Benchmark beside the reference: time of a whole step, and with --smooth of a step without constraints.

Both libraries run short chunks of steps from the same state in turn, in one thread of one process; processor
time is measured, so that other work on the machine counts little, and what matters is the ratio of the two
medians. Whole steps use each model's own settings and start after a second of simulation with random controls, so that
there are contacts; iterations and contacts of the last step of both are printed. Writes out/bench_step.json (with
--smooth out/bench_smooth.json).
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
from pliant import _pliant

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
TARGET = 1.3  # times faster than the reference: every model without constraints, the median of whole steps
SETTLE_SECONDS = 1.0
CHUNK_SECONDS, CHUNKS = 0.003, 400

MODELS = ("humanoid", "franka", "shadow_hand", "barkour", "cassie", "22_humanoids", "cube_3x3x3", "bin_of_boxes")


def prepare(path, smooth):
    """Both models and a state to start from: moved a little, with random controls; with constraints after a second."""
    reference = mujoco.MjModel.from_xml_path(str(path))
    model = _pliant.Model(str(path))
    data = mujoco.MjData(reference)
    rng = np.random.default_rng(0)
    if smooth:
        for m in (reference, model):
            m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        mujoco.mj_integratePos(reference, data.qpos, rng.normal(size=reference.nv) * 0.05, 1)
        data.qvel[:] = rng.normal(size=reference.nv) * 0.05
        data.ctrl[:] = rng.normal(size=reference.nu) * 0.1
    else:
        if reference.nkey:
            mujoco.mj_resetDataKeyframe(reference, data, 0)
        data.ctrl[:] += rng.normal(size=reference.nu) * 0.1
        for _ in range(int(SETTLE_SECONDS / reference.opt.timestep)):
            mujoco.mj_step(reference, data)
    start = mujoco.MjData(reference)
    mujoco.mj_copyData(start, reference, data)
    state, scratch = _pliant.State(model), _pliant.Data(model)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat", "eq_active"):
        getattr(state, name)[...] = np.asarray(getattr(data, name)).reshape(getattr(state, name).shape)
    state.time[0] = data.time
    return reference, data, start, model, state, scratch


def measure(path, chunks, smooth):
    reference, data, start, model, state, scratch = prepare(path, smooth)
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
        "contacts": [int(data.ncon), int(scratch.ncon)],
        "rows": [int(data.nefc), int(_pliant.row_counts(scratch)["nefc"])],
        "iterations": [
            int(np.max(data.solver_niter, initial=0)),
            max((r["iterations"] for r in _pliant.solver_reports(scratch)), default=0),
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=CHUNKS)
    parser.add_argument("--only", action="append", help="name of a model")
    parser.add_argument("--smooth", action="store_true", help="without constraints")
    parser.add_argument("--stages", action="store_true", help="print the time of every stage")
    arguments = parser.parse_args()
    results = {}
    what = "without constraints" if arguments.smooth else "whole steps, settings of each model"
    print(f"{what}\n{'model':14} {'reference':>10} {'pliant':>10} {'faster':>8}   data bytes (reference)"
          + ("" if arguments.smooth else "   contacts, rows, iterations (reference)"))  # fmt: skip
    for name, path in models.find(*MODELS).items():
        if arguments.only and name not in arguments.only:
            continue
        row = measure(path, arguments.chunks, arguments.smooth)
        row["faster"] = row["reference_us"] / row["pliant_us"]
        results[name] = row
        mark = "" if row["faster"] >= (TARGET if arguments.smooth else 1) else "  below target"
        counts = "".join(f"   {row[key][1]} ({row[key][0]})" for key in ("contacts", "rows", "iterations"))
        print(f"{name:14} {row['reference_us']:8.2f}us {row['pliant_us']:8.2f}us {row['faster']:7.2f}x   "
              f"{row['data_bytes']} ({row['reference_data_bytes']}){'' if arguments.smooth else counts}{mark}",
              flush=True)  # fmt: skip
        if arguments.stages:
            total = sum(row["stages_us"].values())
            for stage, us in row["stages_us"].items():
                print(f"    {stage:22} {us:8.3f}us {100 * us / total:5.1f} %")
    if results and not arguments.smooth:
        median = statistics.median(row["faster"] for row in results.values())
        print(f"median {median:.2f}x" + ("" if median >= TARGET else "  below target"))
    OUT.mkdir(exist_ok=True)
    name = "bench_smooth.json" if arguments.smooth else "bench_step.json"
    write_text(OUT / name, json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
