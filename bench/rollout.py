#!/usr/bin/env python3
"""Benchmark beside the reference: rollouts on one and two threads, and what a call of mj_step costs in Python.

Both run the same worlds from the same states under the same controls, in turn, in small pieces; the ratio of each
pair of pieces counts, and of those the median, so that other work on the machine matters little. One thread is measured
in processor time, two in wall time. Scaling is the wall time of one thread over that of two, the same for both. Writes
out/bench_rollout.json.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import mujoco
import mujoco.rollout
import numpy as np

import models
import pliant
import pliant.mujoco

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

OUT = pathlib.Path(__file__).resolve().parent.parent / "out"
MODELS = ("humanoid", "franka", "barkour", "cheetah")
TARGET = 1.5
NBATCH, PIECE_SECONDS, PIECES = 16, 0.04, 40
SETTLE_SECONDS = 0.5
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS.value


def prepare(path):
    """Both models, states after half a second of random controls, and a way to make controls."""
    reference = mujoco.MjModel.from_xml_path(str(path))
    model = pliant.mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(0)
    states = np.zeros((NBATCH, mujoco.mj_stateSize(reference, FULL)))
    data = mujoco.MjData(reference)
    low, high = -np.ones(reference.nu), np.ones(reference.nu)
    limited = reference.actuator_ctrllimited.astype(bool)
    low[limited], high[limited] = reference.actuator_ctrlrange[limited].T
    for world in range(NBATCH):
        mujoco.mj_resetData(reference, data)
        if reference.nkey:
            mujoco.mj_resetDataKeyframe(reference, data, 0)
        data.qvel[:] = rng.normal(size=reference.nv) * 0.05
        for _ in range(int(SETTLE_SECONDS / reference.opt.timestep)):
            data.ctrl[:] = rng.uniform(low, high)
            mujoco.mj_step(reference, data)
        mujoco.mj_getState(reference, data, states[world], FULL)
    return reference, model, states, lambda nstep: rng.uniform(low, high, (NBATCH, nstep, reference.nu))


def compare(path, pieces):
    reference, model, states, make_controls = prepare(path)
    datas = [mujoco.MjData(reference) for _ in range(2)]
    engines = {1: mujoco.rollout.Rollout(nthread=0), 2: mujoco.rollout.Rollout(nthread=2)}

    def run_reference(threads, controls):
        return engines[threads].rollout(reference, datas[:threads], states, controls)

    def run_pliant(threads, controls):
        return pliant.rollout(model, states, controls, nthread=threads)

    def timed(run, threads, controls):
        """Processor time and wall time [s]."""
        start = time.process_time(), time.perf_counter()
        run(threads, controls)
        return time.process_time() - start[0], time.perf_counter() - start[1]

    steps = max(2, int(PIECE_SECONDS * 10 / timed(run_reference, 1, make_controls(10))[0]))
    controls = make_controls(steps)
    expected, actual = run_reference(1, controls), run_pliant(1, controls)
    first = float(np.abs(expected[0][:, 0] - actual[0][:, 0]).max())
    times = {(who, threads): [] for who in ("reference", "pliant") for threads in (1, 2)}
    for _ in range(pieces):
        for threads in (1, 2):
            times["reference", threads].append(timed(run_reference, threads, controls))
            times["pliant", threads].append(timed(run_pliant, threads, controls))

    def faster(threads):
        clock = threads - 1  # processor time of one, wall time of two
        pairs = zip(times["reference", threads], times["pliant", threads])
        return statistics.median(a[clock] / b[clock] for a, b in pairs)

    def scaling(who):
        return statistics.median(one[1] / two[1] for one, two in zip(times[who, 1], times[who, 2]))

    def processor_time(who):
        return statistics.median(time for time, _ in times[who, 1])

    per_step = 1e6 / (NBATCH * steps)
    return {
        "reference_us": processor_time("reference") * per_step,
        "pliant_us": processor_time("pliant") * per_step,
        "faster_1": faster(1), "faster_2": faster(2),
        "scaling_reference": scaling("reference"), "scaling_pliant": scaling("pliant"),
        "steps": steps, "difference_after_a_step": first,
    }  # fmt: skip


EMPTY = "<mujoco><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>"


def call_overhead(pieces, calls=2000):
    """Time of a call of mj_step beyond that of the steps themselves [ns]: one step per call against many."""
    results = {}
    for name, module in (("reference", mujoco), ("pliant", pliant.mujoco)):
        model = module.MjModel.from_xml_string(EMPTY)
        data = module.MjData(model)
        overheads = []
        for _ in range(pieces):
            start = time.thread_time()
            for _ in range(calls):
                module.mj_step(model, data)
            middle = time.thread_time()
            module.mj_step(model, data, calls)
            overheads.append((middle - start) - (time.thread_time() - middle))
        results[name] = statistics.median(overheads) / calls * 1e9
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pieces", type=int, default=PIECES)
    parser.add_argument("--only", action="append", help="name of a model")
    arguments = parser.parse_args()
    results = {"models": {}}
    print(f"{'rollout':12} {'reference':>10} {'pliant':>10} {'1 thread':>9} {'2 threads':>9}   scaling (reference)")
    for name, path in models.find(*MODELS).items():
        if arguments.only and name not in arguments.only:
            continue
        row = results["models"][name] = compare(path, arguments.pieces)
        mark = "" if min(row["faster_1"], row["faster_2"]) >= TARGET else "  below target"
        print(f"{name:12} {row['reference_us']:8.2f}us {row['pliant_us']:8.2f}us {row['faster_1']:8.2f}x "
              f"{row['faster_2']:8.2f}x"
              f"   {row['scaling_pliant']:.2f} ({row['scaling_reference']:.2f}){mark}", flush=True)  # fmt: skip
    overhead = results["call_overhead_ns"] = call_overhead(arguments.pieces)
    print(f"a call of mj_step costs {overhead['pliant']:.0f} ns, of the reference {overhead['reference']:.0f} ns")
    OUT.mkdir(exist_ok=True)
    write_text(OUT / "bench_rollout.json", json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
