#!/usr/bin/env python3
"""Instructions per step of a hand with six mimic joints, beside the same coupling written as <equality><joint>.

Counts with callgrind (valgrind), so that the load of the machine does not matter, over two runs of the same controls:
fingers at rest, and fingers moved at random against a ball and one another. Prints ratios for every integrator, cone
and solver; --check fails where soft costs more than 1.02 or exact more than 1.00. soft has the rate and damping of the
equality's default solref.
"""

import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HAND = ROOT / "models" / "mimic_hand.xml"
FORMS = ("soft", "hard", "exact")
MOST = {"soft": 1.02, "exact": 1.00}
INTEGRATORS = ("Euler", "implicitfast", "implicit", "RK4")
CONES = ("pyramidal", "elliptic")
SOLVERS = ("Newton", "CG", "PGS", "TGS")
CONTROLS = ((), ("--ctrl", "noise:0.3,1"))


def hand(form, integrator, cone, solver):
    """The model with its mimics in one of the forms."""

    def written(match):
        name, follower, leader, gear = re.search(
            r'name="(\w+)" joint1="(\w+)" joint2="(\w+)" gear="(\S+)"', match[0]
        ).groups()
        if form == "joint":
            return f'<joint name="{name}" joint1="{follower}" joint2="{leader}" polycoef="0 {-float(gear)} 0 0 0"/>'
        more = ' naturalfreq="50" dampratio="1"' if form == "soft" else ""
        return match[0].replace("/>", f' mode="{form}"{more}/>')

    text = re.sub(r"<mimic [^>]*/>", written, HAND.read_text())
    option = f'<option timestep="0.002" integrator="{integrator}" cone="{cone}" solver="{solver}"/>'
    return text.replace('<option timestep="0.002"/>', option)


def instructions(xml, steps):
    """Of all calls of step, per step."""
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "hand.xml"
        model.write_text(xml)
        for control in CONTROLS:
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                       "--toggle-collect=pliant::step(*",
                       ROOT / "build" / "pliant", "run", model, "--steps", str(steps), *control]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True)
            counted = re.search(r"Collected : (\d+)", done.stderr)
            if done.returncode or not counted or int(counted[1]) == 0:
                raise RuntimeError(done.stderr)
            total += int(counted[1])
    return total / steps / len(CONTROLS)


def ratios(integrator, cone, solver, steps=200, forms=FORMS):
    """Instructions per step of the joint equalities, and of each form over it."""
    base = instructions(hand("joint", integrator, cone, solver), steps)
    return base, {form: instructions(hand(form, integrator, cone, solver), steps) / base for form in forms}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--solver", choices=SOLVERS, action="append")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a limit is passed")
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        print("mimic_cost: skipped, there is no valgrind to count instructions with")
        return 0
    passed = []
    print(f"{'solver':8}{'integrator':14}{'cone':11}{'joint equality':>15}" + "".join(f"{form:>8}" for form in FORMS))
    for solver, integrator, cone in itertools.product(args.solver or SOLVERS, INTEGRATORS, CONES):
        base, found = ratios(integrator, cone, solver, args.steps)
        print(
            f"{solver:8}{integrator:14}{cone:11}{base:15.0f}" + "".join(f"{found[form]:8.3f}" for form in FORMS),
            flush=True,
        )
        passed += [(solver, integrator, cone, form) for form, most in MOST.items() if found[form] > most]
    for place in passed:
        print("over its limit:", *place)
    return 1 if args.check and passed else 0


if __name__ == "__main__":
    sys.exit(main())
