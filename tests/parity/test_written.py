"""Models written as MJCF come back the same, and the reference reads what is written for it."""

import os
import pathlib
import subprocess
import sys

import pytest

import children
import conftest
import random_models

HERE = pathlib.Path(__file__).resolve().parent
OWN = ("models/", "cases/")
FAST_SEEDS, SLOW_SEEDS = range(40), range(1000, 2500)
# Files that are no models of the reference, or that it does not read: only the round trip is checked.
ROUND_TRIP_ONLY = ("refused: ",)


def check_apart(paths, folder):
    """{path: result} for all; the reference may crash, so it runs in a process of its own."""
    results, left = {}, [str(path) for path in paths]
    while left:
        command = [sys.executable, str(HERE / "written_check.py"), *left]
        entries, begun, child = children.entries_of(command, folder)
        results |= {entry["path"]: entry["result"] for entry in entries}
        left = [path for path in left if path not in results]
        if child.returncode != 0 and begun in left:
            results[begun] = {"crash": child.stderr[-2000:]}
            left.remove(begun)
        assert begun is not None, child.stderr
    return results


def problems_of(results, accepts, engine=True):
    """Texts of what is wrong; `accepts` says whether the reference takes the original, `engine` whether differences
    count that it computes from the original as well, or that the writer has named."""
    problems = []
    for path, result in results.items():
        if result is None:
            continue
        if "crash" in result:
            problems.append(f"{path}: crash\n{result['crash']}")
            continue
        if result["pliant"] and (engine or not result["named"]):
            problems.append(f"{path}: differs after writing: {result['pliant'][:5]}")
        theirs = result["mujoco"] if engine or not result.get("engine") else []
        if theirs and not (theirs[0].startswith(ROUND_TRIP_ONLY) and not accepts(path)):
            problems.append(f"{path}: the reference: {theirs[:5]}")
    return problems


def reference_accepts(path):
    if path.endswith(".urdf"):  # it must read what is written from them, whatever it makes of the original
        return True
    code = "import mujoco, sys; mujoco.MjModel.from_xml_path(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, path], capture_output=True).returncode == 0


def check_all(paths, folder, least, engine=True):
    results = check_apart(paths, folder)
    written = [result for result in results.values() if result]
    worst = [max((r["worst"][i] for r in written if "worst" in r and r["worst"][i] < 1), default=0) for i in (0, 1)]
    skipped = sum(result.get("mujoco", []) is None for result in written)
    print(
        f"{len(written)} models written, {skipped} too large for the reference; worst difference {worst[0]:.1e} in "
        f"Pliant, "
        f"{worst[1]:.1e} in the reference"
    )
    assert len(written) >= least
    problems = problems_of(results, reference_accepts, engine)
    assert not problems, "\n".join(problems[:10])


def model_paths(own):
    for parameter in conftest.model_files():
        path, name = parameter.values
        if path is not None and name.startswith(OWN) == own:
            yield path


def random_paths(seeds, folder):
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        yield random_models.document(seed).write(place)


def test_own_models_come_back(tmp_path):
    check_all(list(model_paths(own=True)), tmp_path, 150)


def test_random_documents_come_back(tmp_path):
    check_all(list(random_paths(FAST_SEEDS, tmp_path)), tmp_path, len(FAST_SEEDS) // 2, engine=False)


@pytest.mark.slow
def test_many_random_documents_come_back(tmp_path):
    check_all(list(random_paths(SLOW_SEEDS, tmp_path)), tmp_path, len(SLOW_SEEDS) // 2, engine=False)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PLIANT_MODELS"), reason="PLIANT_MODELS is not set")
def test_all_models_come_back(tmp_path):
    check_all(list(model_paths(own=False)), tmp_path, 100)


QUICK_URDF = ("panda", "inspire_hand_left", "schunk_svh_hand_left_glb", "solo12", "double_pendulum")


@pytest.mark.skipif(not os.environ.get("PLIANT_MODELS"), reason="PLIANT_MODELS is not set")
def test_quick_urdf_comes_back(tmp_path):
    check_all([path for path in conftest.urdf_files() if path.stem in QUICK_URDF], tmp_path, len(QUICK_URDF))


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PLIANT_MODELS"), reason="PLIANT_MODELS is not set")
def test_urdf_comes_back(tmp_path):
    check_all(conftest.urdf_files(), tmp_path, 80)
