#!/usr/bin/env python3
"""Instructions of every stage of a step, beside those of the reference's mj_step, as a table in Markdown.

    bench/profile.py                  fifteen scenes, as far as they are there
    bench/profile.py humanoid franka  some of them
    bench/profile.py --page           writes the table into docs/performance.md

Counted with callgrind, which does not depend on what else the machine does. Both engines start from the model's first
keyframe, or as the model stands, and get the same random controls; the first steps, in which memory grows, do not
count. callgrind counts every byte that `rep stos` clears as an instruction: large arrays that are cleared look dearer
than they are, in both engines.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

import models

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- bench/profile.py: begin -->", "<!-- bench/profile.py: end -->"
SCENES = ("humanoid", "franka", "shadow_hand", "allegro", "barkour", "cassie", "h1", "robotiq", "cheetah", "ant",
          "22_humanoids", "cube_3x3x3", "quadruped", "gripper", "bin_of_boxes")  # fmt: skip
FIRST, STEPS = 20, 30

# Columns, and the functions of src/ that count for them.
COLUMNS = {
    "poses, com": "poses com cameras tendons",
    "inertia": "inertia",
    "contacts": "collision",
    "rows": "constraint reference",
    "forces": "transmission velocity passive bias actuation acceleration",
    "solver": "solver metric",
    "sensors": "position_sensors velocity_sensors acceleration_sensors potential_energy kinetic_energy",
}

REFERENCE = """
import sys
import mujoco, numpy
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
if model.nkey:
    mujoco.mj_resetDataKeyframe(model, data, 0)
for row in numpy.load(sys.argv[2]):
    data.ctrl[:] = row
    mujoco.mj_step(model, data)
"""


def counted(command, toggle):
    """(instructions inside of `toggle`, {function: instructions with what it calls})."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--toggle-collect={toggle}"]
        done = subprocess.run([*valgrind, *map(str, command)], capture_output=True, text=True)
        total = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not total or int(total[1]) == 0:
            sys.exit(f"profile: {' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
        table = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out], capture_output=True,
                               text=True, check=True).stdout  # fmt: skip
    found = {}
    for number, function in re.findall(r"^ *([\d,]+) \([^)]*\) +\S*?:pliant::run_(\w+)\(", table, re.M):
        found[function] = max(found.get(function, 0), int(number.replace(",", "")))
    return int(total[1]), found


def controls(model, steps):
    """Normal, a third of the range about its middle; the same for both engines."""
    low, high = model.actuator_ctrlrange.T if model.nu else (np.zeros(0), np.zeros(0))
    limited = model.actuator_ctrllimited.astype(bool)
    middle, half = np.where(limited, (low + high) / 2, 0), np.where(limited, (high - low) / 2, 1)
    return middle + 0.3 * half * np.random.default_rng(1).normal(size=(steps, model.nu))


def profile(path):
    """Instructions per step: (the reference's, Pliant's, {function: Pliant's})."""
    model = mujoco.MjModel.from_xml_path(str(path))
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for steps in (FIRST, FIRST + STEPS):
            numbers, text = pathlib.Path(folder) / "ctrl.npy", pathlib.Path(folder) / "ctrl.csv"
            rows = controls(model, steps)
            np.save(numbers, rows)
            np.savetxt(text, rows, delimiter=",", fmt="%.17g")
            ours = [ROOT / "build" / "pliant", "run", path, "--steps", steps, "--flight-seconds", 0]
            ours += ["--ctrl", text] if model.nu else []
            ours += ["--key", 0] if model.nkey else []
            results.append((
                counted([sys.executable, "-c", REFERENCE, path, numbers], "mj_step")[0],
                *counted(ours, "pliant::step(*"),
            ))  # fmt: skip
    (reference0, ours0, stages0), (reference1, ours1, stages1) = results
    stages = {name: (count - stages0.get(name, 0)) / STEPS for name, count in stages1.items()}
    return (reference1 - reference0) / STEPS, (ours1 - ours0) / STEPS, stages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("scenes", nargs="*", default=SCENES)
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("profile: skipped, there is no valgrind to count instructions with")
        return 0
    lines = [
        "| scene | " + " | ".join(COLUMNS) + " | integration, rest | all | reference | reference / all |",
        "|---|" + "---:|" * (len(COLUMNS) + 4),
    ]
    print("\n".join(lines), flush=True)
    for name, path in models.find(*arguments.scenes).items():
        reference, ours, stages = profile(path)
        columns = [sum(stages.get(stage, 0) for stage in names.split()) for names in COLUMNS.values()]
        numbers = [*columns, ours - sum(columns), ours, reference]
        lines.append(f"| {name} | " + " | ".join(f"{n / 1000:.1f}" for n in numbers) + f" | {reference / ours:.2f} |")
        print(lines[-1], flush=True)
    if arguments.page:
        text = PAGE.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)
        write_text(PAGE, head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
