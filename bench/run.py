#!/usr/bin/env python3
"""Benchmark beside the reference: loading time and size of the compiled model.

Both libraries load the same file in the same process, in turn, so that whatever slows the machine
slows both; what counts is the ratio of the two medians. Loads are cold: the reference keeps processed
meshes and images in memory for the next load, so its cache is emptied before each load (outside the
time measured). Files stay in the system's cache for both. A second table compares ways to load a model
again: the reference with its cache, Pliant with its mesh cache on disk, and Pliant's binary models.
Models come from $PLIANT_MODELS, or, when that is not set, from models/. Prints tables and writes
out/bench.json.
"""

import gc
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import mujoco

import pliant

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "bench.json"

# A ratio of 1 is the goal; more than the limit is over target.
TARGET, LIMIT = 1.0, 1.5
# A binary model loads at least so many times faster than its XML.
BINARY_TARGET = 20
# Repetitions: as many as fit into the time, but at least and at most so many.
SECONDS, FEWEST, MOST = 6.0, 20, 200
# For files that take longer than this to load, fewer will do.
LONG, FEWEST_LONG = 1.0, 7


# Below $PLIANT_MODELS: the humanoids have no files beside their XML, the robots have meshes.
MODELS = (
    "mujoco/humanoid/humanoid.xml",
    "mujoco/humanoid/100_humanoids.xml",
    "menagerie/franka_emika_panda/panda.xml",
    "menagerie/shadow_hand/right_hand.xml",
    "menagerie/unitree_h1/h1.xml",
)


def models():
    """(path, name to print)."""
    folder = os.environ.get("PLIANT_MODELS")
    found = []
    if folder:
        for name in MODELS:
            path = pathlib.Path(folder) / name
            if path.exists():
                found.append((path, "/".join(path.parts[-2:])))
            else:
                print(f"bench: skipped {name}: {path} is not there")
    else:
        print("bench: skipped the models of others: PLIANT_MODELS is not set")
    if not found:
        print("bench: using the scenes in models/ instead")
        known = [path for path in sorted((ROOT / "models").glob("*.xml")) if "<mimic " not in path.read_text()]
        found = [(path, path.name) for path in known]
    return found


def empty_reference_cache():
    mujoco.mj_clearCache(mujoco.mj_getCache())


def seconds(load, path):
    start = time.perf_counter()
    model = load(path)
    elapsed = time.perf_counter() - start
    del model
    return elapsed


def measure(loads, path, before=lambda: None):
    """Interleaved times of several ways to load a file, in seconds."""
    before()
    warm = {name: min(seconds(load, path) for _ in range(2)) for name, load in loads.items()}
    slowest = max(warm.values())
    fewest = FEWEST_LONG if slowest > LONG else FEWEST
    count = int(min(MOST, max(fewest, SECONDS / sum(warm.values()))))
    times = {name: [] for name in loads}
    gc.collect()
    gc.disable()
    try:
        for i in range(count):
            # the order alternates, so that neither always finds the other's caches
            for name in list(loads)[:: 1 if i % 2 else -1]:
                before()
                times[name].append(seconds(loads[name], path))
    finally:
        gc.enable()
    return times


def row(path, name):
    loads = {"pliant": pliant.load, "reference": mujoco.MjModel.from_xml_path}
    times = measure(loads, str(path), before=empty_reference_cache)
    ours, theirs = times["pliant"], times["reference"]
    ratio = statistics.median(ours) / statistics.median(theirs)
    model = pliant.load(path)
    return {
        "model": name,
        "repetitions": len(ours),
        "pliant_median_ms": 1e3 * statistics.median(ours),
        "pliant_min_ms": 1e3 * min(ours),
        "reference_median_ms": 1e3 * statistics.median(theirs),
        "reference_min_ms": 1e3 * min(theirs),
        "ratio_median": ratio,
        "ratio_min": min(ours) / min(theirs),
        "pliant_bytes": int(model.bytes),
        "pliant_pending_fields": len(model.pending),
        "reference_bytes": int(mujoco.MjModel.from_xml_path(str(path)).nbuffer),
        "verdict": "on target" if ratio <= TARGET else "within limit" if ratio <= LIMIT else "over target",
    }


def again(path, name):
    """Loading a model that has been loaded before."""
    with tempfile.TemporaryDirectory() as folder:
        cache, binary = pathlib.Path(folder, "cache"), pathlib.Path(folder, "model.plm")
        command = [str(ROOT / "build" / "pliant"), "compile", str(path), str(binary)]
        subprocess.run(command, check=True, capture_output=True)
        loads = {
            "reference": mujoco.MjModel.from_xml_path,
            "xml": pliant.load,
            "cached": lambda p: pliant.load(p, cache_dir=cache),
            "binary": lambda p: pliant.load(binary),
        }
        medians = {key: statistics.median(t) for key, t in measure(loads, str(path)).items()}
    result = {"model": name} | {f"{key}_median_ms": 1e3 * value for key, value in medians.items()}
    result["binary_speedup"] = medians["xml"] / medians["binary"]
    result["verdict"] = "on target" if result["binary_speedup"] >= BINARY_TARGET else "below target"
    return result


def print_table(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:-1])]
        print("  ".join([*cells, line[-1]]).rstrip())


def again_table(rows):
    lines = [["model", "reference, cached ms", "pliant ms", "mesh cache ms", "binary ms", "faster than XML", ""]]
    for r in rows:
        times = [f"{r[key]:.3f}" for key in
                 ("reference_median_ms", "xml_median_ms", "cached_median_ms", "binary_median_ms")]  # fmt: skip
        lines.append([r["model"], *times, f"{r['binary_speedup']:.0f}×", r["verdict"]])
    print_table(lines)


def table(rows):
    head = [
        "model",
        "times",
        "pliant ms",
        "reference ms",
        "ratio",
        "ratio of minima",
        "pliant bytes",
        "reference bytes",
        "",
    ]
    lines = [head]
    for r in rows:
        lines.append(
            [
                r["model"],
                str(r["repetitions"]),
                f"{r['pliant_median_ms']:.3f}",
                f"{r['reference_median_ms']:.3f}",
                f"{r['ratio_median']:.2f}",
                f"{r['ratio_min']:.2f}",
                str(r["pliant_bytes"]),
                str(r["reference_bytes"]),
                r["verdict"],
            ]
        )
    print_table(lines)


def main():
    found = models()
    rows = [row(path, name) for path, name in found]
    print(f"Loading a file cold, medians; target ratio {TARGET}, at most {LIMIT}.\n")
    table(rows)
    repeated = [again(path, name) for path, name in found]
    print(f"\nLoading it again, medians; binary models at least {BINARY_TARGET} times faster than XML.\n")
    again_table(repeated)
    pending = max(r["pliant_pending_fields"] for r in rows)
    if pending:
        print(f"\nThe reference fills up to {pending} fields that Pliant leaves to later stages.")
    OUT.parent.mkdir(parents=True, exist_ok=True)
    write_text(
        OUT,
        json.dumps(
            {
                "pliant": pliant.__version__,
                "reference": mujoco.__version__,
                "machine": platform.processor() or platform.machine(),
                "python": platform.python_version(),
                "target": TARGET,
                "limit": LIMIT,
                "loading": rows,
                "loading_again": repeated,
            },
            indent=2,
        )
        + "\n",
    )
    print(f"\nwritten to {OUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
