#!/usr/bin/env python3
"""Benchmark beside the reference: loading time and size of the compiled model.

Both libraries load the same file in the same process, in turn, so that whatever slows the machine
slows both; what counts is the ratio of the two medians. Models come from
$PLIANT_MODELS/mujoco/humanoid, or, when that is not there, from models/. Prints a table and writes
out/bench.json.
"""

import gc
import json
import os
import pathlib
import platform
import statistics
import sys
import time

import mujoco

import pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "bench.json"

# A ratio of 1 is the goal; more than the limit is over target.
TARGET, LIMIT = 1.0, 1.5
# Repetitions: as many as fit into the time, but at least and at most so many.
SECONDS, FEWEST, MOST = 6.0, 20, 200
# For files that take longer than this to load, fewer will do.
LONG, FEWEST_LONG = 1.0, 7


def models():
    """(path, name to print)."""
    folder = os.environ.get("PLIANT_MODELS")
    found = []
    if folder:
        for name in ("humanoid.xml", "100_humanoids.xml"):
            path = pathlib.Path(folder) / "mujoco" / "humanoid" / name
            if path.exists():
                found.append((path, name))
            else:
                print(f"bench: skipped {name}: {path} is not there")
    else:
        print("bench: skipped the humanoids: PLIANT_MODELS is not set")
    if not found:
        print("bench: using the scenes in models/ instead")
        found = [(path, path.name) for path in sorted((ROOT / "models").glob("*.xml"))]
    return found


def seconds(load, path):
    start = time.perf_counter()
    model = load(path)
    elapsed = time.perf_counter() - start
    del model
    return elapsed


def measure(path):
    """Interleaved times of both libraries, in seconds."""
    path = str(path)
    loads = {"pliant": pliant.load, "reference": mujoco.MjModel.from_xml_path}
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
                times[name].append(seconds(loads[name], path))
    finally:
        gc.enable()
    return times


def row(path, name):
    times = measure(path)
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
        "verdict": "on target"
        if ratio <= TARGET
        else "within limit"
        if ratio <= LIMIT
        else "over target",
    }


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
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:-1])]
        print("  ".join([*cells, line[-1]]).rstrip())


def main():
    rows = [row(path, name) for path, name in models()]
    print(f"Loading a file, medians; target ratio {TARGET}, at most {LIMIT}.\n")
    table(rows)
    pending = max(r["pliant_pending_fields"] for r in rows)
    if pending:
        print(f"\nThe reference fills up to {pending} fields that Pliant leaves to later stages.")
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(
        json.dumps(
            {
                "pliant": pliant.__version__,
                "reference": mujoco.__version__,
                "machine": platform.processor() or platform.machine(),
                "python": platform.python_version(),
                "target": TARGET,
                "limit": LIMIT,
                "loading": rows,
            },
            indent=2,
        )
        + "\n"
    )
    print(f"\nwritten to {OUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
