#!/usr/bin/env python3
"""Benchmark beside the reference: rays per second.

Both libraries cast the same rays in turn from points around a model; the median of the ratios of processor times
counts. `one`: mj_ray, called once per ray (with the cost of a call from Python in both). `many`: mj_multiRay, a picture
of 64 x 48 rays from one point. Prints a table and writes out/bench_rays.json.
"""

import json
import os
import pathlib
import statistics
import sys
import time

import mujoco
import numpy as np

import pliant.mujoco as pm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "bench_rays.json"
MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "franka": "menagerie/franka_emika_panda/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "22_humanoids": "mujoco/humanoid/22_humanoids.xml",
}
VIEWS, COLUMNS, ROWS, SINGLE = 12, 64, 48, 400


def view(rng, centre, extent):
    """Where a camera stands, and the directions of its pixels."""
    way = rng.normal(size=3)
    way[2] = abs(way[2]) + 0.2
    way /= np.linalg.norm(way)
    side = np.cross(way, [0, 0, 1.0])
    up = np.cross(side, way)
    x, y = np.meshgrid(np.linspace(-0.6, 0.6, COLUMNS), np.linspace(-0.45, 0.45, ROWS))
    return centre + way * 2 * extent, (-way + x[..., None] * side + y[..., None] * up).reshape(-1, 3)


def cast_one(module, m, d, point, directions, out):
    geom = np.zeros(1, np.int32)
    start = time.process_time()
    for i, direction in enumerate(directions[:: len(directions) // SINGLE][:SINGLE]):
        out[i] = module.mj_ray(m, d, point, direction, None, True, -1, geom)
    return time.process_time() - start


def cast_many(module, m, d, point, directions, out):
    geom = np.zeros(len(directions), np.int32)
    flat = directions.ravel()
    start = time.process_time()
    module.mj_multiRay(m, d, point, flat, None, True, -1, geom, out, None, len(directions), 1e10)
    return time.process_time() - start


def measure(path):
    m, p = mujoco.MjModel.from_xml_path(str(path)), pm.MjModel.from_xml_path(str(path))
    d, q = mujoco.MjData(m), pm.MjData(p)
    mujoco.mj_forward(m, d)
    pm.mj_kinematics(p, q)
    rng = np.random.default_rng(0)
    row = {}
    for name, cast, rays in (("one", cast_one, SINGLE), ("many", cast_many, COLUMNS * ROWS)):
        ratios, times = [], []
        for _ in range(VIEWS):
            point, directions = view(rng, m.stat.center, m.stat.extent)
            outs = np.zeros((2, COLUMNS * ROWS))
            reference = cast(mujoco, m, d, point, directions, outs[0])
            mine = cast(pm, p, q, point, directions, outs[1])
            ratios.append(reference / mine)
            times.append(mine / rays)
        row[name] = statistics.median(ratios)
        row[name + "_rays_per_second"] = 1 / statistics.median(times)
    return row


def main():
    folder = os.environ.get("PLIANT_MODELS")
    places = {n: pathlib.Path(folder) / p for n, p in MODELS.items()} if folder else {
        path.stem: path for path in sorted((ROOT / "models").glob("*.xml"))
        if "<mimic " not in path.read_text()}  # fmt: skip
    rows = {}
    print(f"{'model':16s} {'one':>8s} {'rays/s':>10s} {'many':>8s} {'rays/s':>10s}   (times faster than MuJoCo)")
    for name, path in places.items():
        if not path.exists():
            print(f"bench: skipped {name}: {path.name} is not there")
            continue
        row = rows[name] = measure(path)
        print(f"{name:16s} {row['one']:7.2f}x {row['one_rays_per_second']:10.3g} {row['many']:7.2f}x "
              f"{row['many_rays_per_second']:10.3g}")  # fmt: skip
    OUT.parent.mkdir(exist_ok=True)
    write_text(OUT, json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
