"""Instructions per step stay within 2 % of the committed counts, which a commit that changes them renews and explains.

After an intended change: PLIANT_WRITE_INSTRUCTIONS=1 .venv/bin/python -m pytest tests/determinism/test_instructions.py
(with PLIANT_MODELS, so that scenes of others are counted, too). Counts belong to a compiler, an instruction set and a
C library; with another one, or without valgrind, the tests are skipped and say so.
"""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import instructions  # noqa: E402
import models  # noqa: E402

COUNTS = ROOT / "tests" / "determinism" / "instructions.txt"
OWN = ("quadruped", "gripper", "mimic_hand", "tendon_finger", "stack_of_boxes", "bin_of_boxes")
OTHERS = ("humanoid", "franka", "shadow_hand", "barkour")
DRIFT = 0.02
HEAD = """# Instructions per step (bench/instructions.py): scene, count, of one compiler, instruction set and C library.
# After an intended change: see test_instructions.py.
"""


def toolchain():
    """What built build/pliant, as CMake wrote it down, and the library whose functions it calls."""
    cache = (ROOT / "build" / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    arch = re.search(r"^PLIANT_ARCH:\w+=(.*)$", cache, re.M)[1]
    kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.M)[1]
    clang = "clang" in pathlib.Path(os.path.realpath(compiler)).name
    version = subprocess.run([compiler, "-dumpversion" if clang else "-dumpfullversion"], capture_output=True,
                             text=True, check=True).stdout.strip()  # fmt: skip
    return f"{'clang' if clang else 'g++'} {version}, {arch}, {kind}, {' '.join(platform.libc_ver())}"


def committed():
    lines = COUNTS.read_text().splitlines() if COUNTS.exists() else []
    belongs = next((line.removeprefix("# toolchain: ") for line in lines if line.startswith("# toolchain: ")), "")
    return belongs, {line.split()[0]: float(line.split()[1]) for line in lines if line and not line.startswith("#")}


def write(name, count):
    _, counts = committed()
    counts[name] = count
    rows = [f"{scene} {counts[scene]:.0f}" for scene in (*OWN, *OTHERS) if scene in counts]
    COUNTS.write_text(HEAD + f"# toolchain: {toolchain()}\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("name", [*OWN, *OTHERS])
def test_instructions_per_step(name):
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind to count instructions with")
    path = models.find(name).get(name)
    if path is None:
        pytest.skip(f"PLIANT_MODELS has no {name}")
    if os.environ.get("PLIANT_WRITE_INSTRUCTIONS"):
        return write(name, instructions.per_step(ROOT / "build" / "pliant", path, 20, 30))
    belongs, counts = committed()
    if belongs != toolchain():
        pytest.skip(f"the counts belong to {belongs or 'nothing'}, this is {toolchain()}")
    if name not in counts:
        pytest.skip(f"{COUNTS.name} has no count of {name}")
    found = instructions.per_step(ROOT / "build" / "pliant", path, 20, 30)
    drift = found / counts[name] - 1
    assert abs(drift) <= DRIFT, f"{name}: {found:,.0f} instructions per step, {drift:+.1%} beside the committed count"
