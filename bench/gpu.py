#!/usr/bin/env python3
"""Worlds that touch, on a GPU or on the CPU: world-steps/s, time per stage, contacts, rows, memory, as a table.

    bench/gpu.py models/quadruped.xml humanoid.plm --worlds 1024 8192 65536
    bench/gpu.py models/quadruped.xml --device cpu --worlds 1024

Every world has new random controls in every step, and starts again after `--episode` seconds, each at a moment of its
own, so that the worlds at any time are spread over all ages and do not come to rest. Measuring begins when all of them
have started again once. Two figures are given: `with controls` is all of a loop of steps from Python, with controls,
resets and the look after worlds that lack memory, by the clock; `step` is a step alone, as the GPU times it. Contacts,
rows, iterations and how many worlds converged are means over moments of the same loop.

Controls and masks are made on the GPU where torch or CuPy is there; otherwise they are made by NumPy and copied. Writes
out/bench_gpu.json.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import numpy as np

import pliant

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOOKS = 10  # moments at which worlds are looked at
TOLERANCE = {"float32": 1e-6, "float64": 1e-8}


class NumpyDriver:
    """Controls and masks from the host."""

    def __init__(self, batch, low, high, keyframe):
        self.batch, self.low, self.high, self.keyframe = batch, low, high, keyframe
        self.random = np.random.default_rng(0)
        self.numbers = np.arange(batch.nworld)

    def controls(self):
        self.batch.write("ctrl", self.random.uniform(self.low, self.high, (self.batch.nworld, self.low.size)))

    def reset(self, step, episode):
        mask = (self.numbers + step) % episode == 0
        if mask.any():
            self.batch.reset(mask, self.keyframe)

    def wait(self):
        self.batch.wait()


class TorchDriver:
    """The same on the GPU."""

    def __init__(self, batch, low, high, keyframe, torch):
        self.batch, self.torch, self.keyframe = batch, torch, keyframe
        batch.stream = torch.cuda.current_stream()
        torch.manual_seed(0)
        single = torch.float32 if batch.precision == "float32" else torch.float64
        self.ctrl = torch.from_dlpack(batch.worlds_last("ctrl"))  # (nu, worlds and some more)
        self.low = torch.tensor(low, dtype=single, device="cuda")[:, None]
        self.width = torch.tensor(high - low, dtype=single, device="cuda")[:, None]
        self.random = torch.empty(self.ctrl.shape, dtype=single, device="cuda")
        self.numbers = torch.arange(batch.nworld, device="cuda")

    def controls(self):
        self.random.uniform_()
        self.torch.addcmul(self.low, self.width, self.random, out=self.ctrl)

    def reset(self, step, episode):
        self.batch.reset((self.numbers + step) % episode == 0, self.keyframe)

    def wait(self):
        self.torch.cuda.synchronize()


class CupyDriver:
    def __init__(self, batch, low, high, keyframe, cupy):
        self.batch, self.cupy, self.keyframe = batch, cupy, keyframe
        batch.stream = cupy.cuda.get_current_stream()
        self.random = cupy.random.default_rng(0)
        self.ctrl = cupy.from_dlpack(batch.worlds_last("ctrl"))
        self.low, self.width = cupy.asarray(low)[:, None], cupy.asarray(high - low)[:, None]
        self.numbers = cupy.arange(batch.nworld)

    def controls(self):
        self.ctrl[...] = self.low + self.width * self.random.random(self.ctrl.shape)

    def reset(self, step, episode):
        self.batch.reset((self.numbers + step) % episode == 0, self.keyframe)

    def wait(self):
        self.cupy.cuda.get_current_stream().synchronize()


def make_driver(batch, model, keyframe):
    limited = model.actuator_ctrllimited.astype(bool)
    low, high = -np.ones(model.nu), np.ones(model.nu)
    low[limited], high[limited] = model.actuator_ctrlrange[limited].T
    if batch.device == "cuda" and model.nu:
        for name, make in (("torch", TorchDriver), ("cupy", CupyDriver)):
            try:
                package = __import__(name)
            except ImportError:
                continue
            return make(batch, low, high, keyframe, package)
    return NumpyDriver(batch, low, high, keyframe)


def measure(model, nworld, options, tolerance, keyframe):
    """One row of the table."""
    model = pliant.Model(model)
    model.opt.tolerance = tolerance
    start = time.perf_counter()
    batch = pliant.Batch(model, nworld, **options)
    batch.reset(keyframe=keyframe)
    batch.step()
    batch.wait()
    first = time.perf_counter() - start
    driver = make_driver(batch, model, keyframe)
    episode = max(1, round(arguments.episode / model.opt.timestep))
    moment = 0

    def run(steps):
        nonlocal moment
        for _ in range(steps):
            driver.reset(moment, episode)
            driver.controls()
            batch.step(warn=False)
            moment += 1
        driver.wait()

    run(arguments.warmup or episode)
    pieces = []
    piece = max(1, arguments.steps // arguments.pieces)
    for _ in range(arguments.pieces):
        start = time.perf_counter()
        run(piece)
        pieces.append((time.perf_counter() - start) / piece)
    looks, faulty = [], 0
    for _ in range(LOOKS):
        run(max(1, episode // LOOKS))
        looks.append(batch.statistics())
        faulty = max(faulty, int((batch.read("faults") != 0).sum()))
    seconds = statistics.median(pieces)
    row = {
        "worlds": nworld, "seconds": seconds, "world_steps_per_second": nworld / seconds,
        "faults": faulty, "bytes_per_world": batch.bytes_per_world, "first_step_seconds": first,
        "driver": type(driver).__name__.removesuffix("Driver").lower(),
        **{name: float(np.mean([look[name].mean() for look in looks]))
           for name in ("contacts", "rows", "iterations", "evaluations", "converged")},
    }  # fmt: skip
    if batch.device == "cuda":
        row["stages"] = batch.time_stages(20)
        row["step_seconds"] = row["stages"].pop("step")
    return row


def show(name, model, rows, options):
    kind = f"{options['device']}, {options.get('precision') or 'float64'}"
    print(f"\n### {name}: {model.nbody} bodies, {model.nv} dofs, {model.ngeom} geoms, {model.nu} actuators ({kind})\n")
    print("| worlds | with controls, M/s | step, M/s | ns per world-step | contacts | rows | iterations | evaluations "
          "| converged | faults | bytes per world | first step, s |")  # fmt: skip
    print("|---" * 12 + "|")
    for row in rows:
        step = row.get("step_seconds", row["seconds"])
        print(f"| {row['worlds']} | {row['world_steps_per_second'] / 1e6:.3f} | {row['worlds'] / step / 1e6:.3f} "
              f"| {1e9 * step / row['worlds']:.1f} | {row['contacts']:.2f} | {row['rows']:.1f} "
              f"| {row['iterations']:.2f} | {row['evaluations']:.1f} | {100 * row['converged']:.2f} % "
              f"| {row['faults']} | {row['bytes_per_world']} | {row['first_step_seconds']:.2f} |")  # fmt: skip
    staged = [row for row in rows if "stages" in row]
    if not staged:
        return
    names = list(staged[0]["stages"])
    print(f"\nns per world and stage\n\n| worlds | {' | '.join(names)} |\n{'|---' * (len(names) + 1)}|")
    for row in staged:
        times = (f"{1e9 * row['stages'].get(stage, 0) / row['worlds']:.2f}" for stage in names)
        print(f"| {row['worlds']} | {' | '.join(times)} |")


def main():
    options = {"device": arguments.device}
    if arguments.device == "cuda":
        options["precision"] = arguments.precision
        if why := pliant.cuda_unavailable():
            print(f"bench/gpu.py: {why}; --device cpu works everywhere", file=sys.stderr)
            return 2
    else:
        options["threads"] = arguments.threads
    tolerance = arguments.tolerance or TOLERANCE[options.get("precision", "float64")]
    results = {}
    for path in arguments.models:
        name = pathlib.Path(path).stem
        start = time.perf_counter()
        model = pliant.load(path)
        loaded = time.perf_counter() - start
        for option in arguments.option:
            key, value = option.split("=", 1)
            setattr(model.opt, key, type(getattr(model.opt, key))(float(value)))
        keyframe = arguments.keyframe if arguments.keyframe < model.nkey else -1
        rows = []
        for nworld in arguments.worlds:
            try:
                rows.append(measure(model, nworld, options, tolerance, keyframe))
            except (RuntimeError, ValueError) as error:
                print(f"{name}, {nworld} worlds: {error}", flush=True)
        results[name] = {"load_seconds": loaded, "tolerance": tolerance, "keyframe": keyframe, **options, "rows": rows}
        if rows:
            show(name, model, rows, options)
            sys.stdout.flush()
    write_text(arguments.json, json.dumps(results, indent=1))
    return 0 if all(result["rows"] for result in results.values()) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", help="MJCF, URDF or compiled models (.plm)")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1024, 8192, 65536])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--precision", choices=("float32", "float64"), default="float32", help="on a GPU")
    parser.add_argument("--threads", type=int, default=0, help="on the CPU; 0: one per core")
    parser.add_argument(
        "--steps", type=int, default=400, help="steps that are timed, in --pieces, of which the median counts"
    )
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--episode", type=float, default=1.0, help="simulated seconds after which a world starts again")
    parser.add_argument("--keyframe", type=int, default=0, help="to start from, where there is such; -1: the start")
    parser.add_argument("--warmup", type=int, default=0, help="steps before; 0: an episode")
    parser.add_argument("--tolerance", type=float, default=0, help="of the solver; 0: 1e-6 in float32, 1e-8 in float64")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=NUMBER", help="of model.opt, e.g. integrator=0"
    )
    parser.add_argument("--json", default=str(ROOT / "out" / "bench_gpu.json"))
    arguments = parser.parse_args()
    sys.exit(main())
