#!/usr/bin/env python3
"""Instructions per step (callgrind), which do not depend on what else the machine does.

    bench/instructions.py                           humanoid, Barkour, Shadow hand, 22 humanoids, bin of boxes
    bench/instructions.py --against OTHER/pliant    beside another build of the command line: the ratio

Counts the calls of pliant::step of `pliant run MODEL --steps N`, with random controls where there are actuators, and
leaves out the first steps, in which memory grows, by counting two runs of different length.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import models

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENES = ("humanoid", "barkour", "shadow_hand", "22_humanoids", "bin_of_boxes")


def collected(program, model, steps, controls=("--ctrl", "noise:0.3,1")):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                   "--toggle-collect=pliant::step(*", program, "run", model, "--steps", str(steps),
                   *controls]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        if controls and "no actuators" in done.stderr:
            return collected(program, model, steps, ())
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not counted or int(counted[1]) == 0:
            sys.exit(f"instructions: {' '.join(map(str, command))}\n{done.stderr}")
        return int(counted[1])


def per_step(program, model, first, steps):
    return (collected(program, model, first + steps) - collected(program, model, first)) / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "pliant")
    parser.add_argument("--against", type=pathlib.Path, help="another build")
    parser.add_argument("--first", type=int, default=20, help="steps that do not count")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        print("instructions: skipped, there is no valgrind to count instructions with")
        return 0
    total = [0, 0]
    for name, path in models.find(*args.scenes).items():
        now = per_step(args.program, path, args.first, args.steps)
        line = f"{name:16}{now:14,.0f} instructions per step"
        if args.against:
            before = per_step(args.against, path, args.first, args.steps)
            total = [total[0] + now, total[1] + before]
            line += f"{before:14,.0f} before   {now / before:.4f}"
        print(line, flush=True)
    if total[1]:
        print(f"{'sum':16}{total[0]:14,.0f}                      {total[1]:14,.0f} before   {total[0] / total[1]:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
