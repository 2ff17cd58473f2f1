"""solver="auto" beside the best of the others (callgrind): instructions of a step."""

import pathlib
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import solver_choice  # noqa: E402

MOST = 1.10


@pytest.mark.parametrize("scene", ["stack_of_boxes", "drop", "gripper", "quadruped", "mimic_gripper"])
def test_auto_costs_what_the_best_does(scene):
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind to count instructions with")
    line, ratio = solver_choice.line_of(scene, ROOT / "models" / f"{scene}.xml", 200, 40)
    print(line)
    assert ratio <= MOST
