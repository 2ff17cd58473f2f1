"""Time of `env.step` of Gymnasium's MuJoCo environments on pliant.mujoco beside the reference.

    .venv/bin/python bench/env_step.py [NAME...] [--rounds 40] [--steps 50] [--keep]

Each module has a process of its own with the same environment and the same random actions. They take turns of `steps`
steps, and each turn is timed by its own processor time; the ratio of a round is that of two turns that follow each
other, and the median of all rounds is printed, with the quartiles. Environments are as gymnasium.make makes them, with
the checks that it wraps them in. --keep writes the table to tests/compat/env_step.json, from which
scripts/make-compatibility-page takes it.
"""

import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import time

KEPT = pathlib.Path(__file__).resolve().parent.parent / "tests/compat/env_step.json"
NAMES = """
    Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedDoublePendulum InvertedPendulum Pusher Reacher Swimmer
    Walker2d
""".split()


def worker(module):
    """Reads lines [name, steps]; moves that environment and prints seconds."""
    if module == "pliant":
        import pliant.mujoco

        sys.modules["mujoco"] = pliant.mujoco
    import gymnasium

    environments = {}
    for line in sys.stdin:
        name, steps = json.loads(line)
        if name not in environments:
            environment = gymnasium.make(f"{name}-v5")
            environment.action_space.seed(0)
            environment.reset(seed=0)
            environments = {name: environment}
        environment = environments[name]
        actions = [environment.action_space.sample() for _ in range(steps)]
        seconds = 0.0
        for action in actions:
            start = time.process_time()
            _, _, terminated, truncated, _ = environment.step(action)
            seconds += time.process_time() - start
            if terminated or truncated:
                environment.reset()
        print(seconds, flush=True)


class Side:
    def __init__(self, module):
        command = [sys.executable, "-W", "ignore", __file__, "--worker", module]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, name, steps):
        self.process.stdin.write(json.dumps([name, steps]) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    sides = [Side("pliant"), Side("reference")]
    print(f"{'':24}{'Pliant':>10}{'reference':>11}   ratio (quartiles)", flush=True)
    for name in arguments.names:
        for side in sides:
            side.seconds(name, arguments.steps)  # warm
        ours, theirs = [], []
        for _ in range(arguments.rounds):
            ours.append(sides[0].seconds(name, arguments.steps) / arguments.steps)
            theirs.append(sides[1].seconds(name, arguments.steps) / arguments.steps)
        low, middle, high = statistics.quantiles([b / a for a, b in zip(ours, theirs)], n=4)
        print(
            f"{name:24}{1e6 * statistics.median(ours):7.0f} µs{1e6 * statistics.median(theirs):8.0f} µs"
            f"   {middle:.2f} ({low:.2f}–{high:.2f})",
            flush=True,
        )
        kept[name] = {
            "microseconds": round(1e6 * statistics.median(ours), 1), "ratio": round(middle, 2),
            "date": datetime.date.today().isoformat(),
        }  # fmt: skip
        if arguments.keep:
            KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")
    for side in sides:
        side.process.stdin.close()
        side.process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2])
    else:
        main()
