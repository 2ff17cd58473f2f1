#!/usr/bin/env python3
"""Cost of a step of the integrator discrete over one of implicitfast, from the same states.

States are recorded along a motion with random controls, half of it under either integrator. From each of them both
integrators run the same few steps in turn, in one thread of one process, and the one that goes first changes; that is
repeated in many rounds. Processor time is measured, and of each state and integrator the median of its rounds is taken,
so that what disturbs some of them does not count; the ratio is that of the sums over all states. The ratios of single
rounds, of which the middle half is printed, say how much the machine disturbs. --check fails above 1.05. With
--instructions (valgrind) the instructions of one round are counted instead, which no load of the machine changes.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import models
from pliant import _pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ("humanoid", "franka", "shadow_hand", "22_humanoids")
IMPLICITFAST, DISCRETE = 3, 4
MOST = 1.05
STATES, SPACING, WARM_UP = 12, 0.15, 0.5  # recorded states, seconds between them, before the first
STEPS, ROUNDS = 10, 60
COUNTED_STATES = 4
KEPT = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")


def controls(model, rng):
    return rng.normal(size=model.nu) * 0.1


def record(model, count):
    """States along motions of both integrators."""
    found = []
    for integrator in (IMPLICITFAST, DISCRETE):
        model.opt.integrator = integrator
        rng = np.random.default_rng(1)
        state, data = _pliant.State(model), _pliant.Data(model)
        if model.nkey:
            for name in ("qpos", "qvel", "act", "ctrl"):
                getattr(state, name)[...] = np.reshape(getattr(model, f"key_{name}"), (model.nkey, -1))[0]
        state.ctrl[...] += controls(model, rng)
        steps = max(1, round(WARM_UP / model.opt.timestep))
        for _ in range(count // 2):
            status = _pliant.step(model, state, data, steps)
            assert status == 0, f"fault {status}"
            kept = _pliant.State(model)
            kept.assign(state)
            found.append(kept)
            state.ctrl[...] += controls(model, rng)
            steps = max(1, round(SPACING / model.opt.timestep))
    return found


class Runner:
    """Runs the same steps from a recorded state with either integrator."""

    def __init__(self, path):
        self.models = {}
        for integrator in (IMPLICITFAST, DISCRETE):
            model = _pliant.Model(str(path))
            model.opt.integrator = integrator
            self.models[integrator] = (model, _pliant.State(model), _pliant.Data(model))
        self.states = record(_pliant.Model(str(path)), STATES)

    def run(self, integrator, start, steps):
        model, state, data = self.models[integrator]
        state.assign(start)
        begin = time.thread_time()
        status = _pliant.step(model, state, data, steps)
        elapsed = time.thread_time() - begin
        assert status == 0, f"fault {status}"
        return elapsed

    def round(self, steps, order):
        """Seconds of each integrator, state by state."""
        seconds = {IMPLICITFAST: [], DISCRETE: []}
        for i, start in enumerate(self.states):
            pair = (IMPLICITFAST, DISCRETE) if (i + order) % 2 else (DISCRETE, IMPLICITFAST)
            for integrator in pair:
                seconds[integrator].append(self.run(integrator, start, steps))
        return seconds


def measure(path, rounds):
    runner = Runner(path)
    runner.round(STEPS, 0)
    seen = [runner.round(STEPS, k) for k in range(rounds)]
    ratios = sorted(sum(one[DISCRETE]) / sum(one[IMPLICITFAST]) for one in seen)
    per_step = 1e6 / (STEPS * len(runner.states))
    times = [np.sum(np.median([one[i] for one in seen], axis=0)) * per_step for i in (IMPLICITFAST, DISCRETE)]
    return times[1] / times[0], ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4], times


def count_instructions(path):
    """Instructions of the steps of one round, implicitfast and discrete: `steps_alone` under callgrind."""
    model, counts = _pliant.Model(str(path)), []
    states = {name: np.array([getattr(s, name) for s in record(model, COUNTED_STATES)]) for name in KEPT}
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/states.npz", **states)
        for integrator in (IMPLICITFAST, DISCRETE):
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                       "--toggle-collect=pliant::step(*", sys.executable, __file__, str(path), "--alone",
                       f"{folder}/states.npz", str(integrator)]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True)
            counted = re.search(r"Collected : (\d+)", done.stderr)
            if done.returncode or not counted or int(counted[1]) == 0:
                raise RuntimeError(done.stderr[-2000:])
            counts.append(int(counted[1]))
    return counts


def steps_alone(path, file, integrator):
    states, model = np.load(file), _pliant.Model(str(path))
    model.opt.integrator = integrator
    state, data = _pliant.State(model), _pliant.Data(model)
    for i in range(COUNTED_STATES):
        for name in KEPT:
            getattr(state, name)[...] = states[name][i]
        assert _pliant.step(model, state, data, STEPS) == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS, help=f"names of models.py; {', '.join(MODELS)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--instructions", action="store_true", help="count with callgrind in place of measuring")
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="exit with 1 where the limit is passed")
    args = parser.parse_args()
    if args.alone:
        return steps_alone(args.models[0], args.alone[0], int(args.alone[1]))
    over = []
    if args.instructions:
        for name, path in models.find(*args.models).items():
            counts = count_instructions(path)
            per_step = [count / (STEPS * COUNTED_STATES) for count in counts]
            print(f"{name:16}{per_step[0]:14.0f}{per_step[1]:12.0f}{counts[1] / counts[0]:9.3f}   instructions a step")
        return 0
    print(f"{'model':16}{'implicitfast':>14}{'discrete':>12}{'ratio':>9}   middle half   (microseconds a step)")
    for name, path in models.find(*args.models).items():
        ratio, low, high, times = measure(path, args.rounds)
        print(f"{name:16}{times[0]:14.1f}{times[1]:12.1f}{ratio:9.3f}   {low:.3f} to {high:.3f}", flush=True)
        if ratio > MOST:
            over.append(name)
    for name in over:
        print(f"over {MOST}: {name}")
    return 1 if args.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
