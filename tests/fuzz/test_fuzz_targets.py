"""The fuzz targets on every seed, every input that once broke something, and some mutations.

libFuzzer does this for longer in `make test-full` (scripts/fuzz); here the same targets run in a
plain program, so that `make test` needs no clang. PLIANT_FUZZ_PROGRAM names another build of it.
"""

import os
import pathlib
import subprocess

import pytest

import seeds

PROGRAM = pathlib.Path(os.environ.get("PLIANT_FUZZ_PROGRAM", seeds.ROOT / "build" / "pliant_fuzz"))
SANITIZED = seeds.ROOT / "build" / "dev" / "pliant_fuzz"

# Mutations of the seeds: some seconds for all targets together.
RUNS = {
    "mjcf": 3000,
    "urdf": 3000,
    "mjz": 3000,
    "stl": 2000,
    "obj": 2000,
    "msh": 3000,
    "skn": 5000,
    "hfield": 5000,
    "png": 1000,
    "plm": 5000,
    "plr": 5000,
    # a process for each
    "dae": 1500,
    "gltf": 150,
    "glb": 100,
}
ALL = seeds.TARGETS + seeds.APART


def run(program, target, runs, folder, **which):
    paths = seeds.write_seeds(target, folder / target, **which)
    assert paths
    done = subprocess.run(
        [program, target, str(runs), *paths], capture_output=True, text=True, cwd=folder, timeout=1200
    )
    kept = folder / f"fuzz-{target}.input"
    assert done.returncode == 0, f"status {done.returncode}, input {kept}\n{done.stdout}{done.stderr}"
    assert f"{len(paths)} files, {runs} mutations" in done.stdout


@pytest.mark.parametrize("target", ALL)
def test_target(target, tmp_path):
    run(PROGRAM, target, RUNS[target], tmp_path, others=False)


@pytest.mark.parametrize("target", ALL)
def test_target_on_files_of_others(target, tmp_path):
    if not seeds.models_of_others():
        pytest.skip("PLIANT_MODELS is not set")
    if not seeds.seeds_of_others(target):
        pytest.skip(f"no small {target} file in PLIANT_MODELS")
    run(PROGRAM, target, RUNS[target], tmp_path, own=False)


@pytest.mark.slow
@pytest.mark.parametrize("target", seeds.APART)
def test_many_files_for_another_program(target, tmp_path):
    run(PROGRAM, target, 4000, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("target", ALL)
def test_target_with_sanitizers(target, tmp_path):
    run(SANITIZED, target, 10 * RUNS[target], tmp_path)


def test_every_target_has_seeds_of_its_own(tmp_path):
    listed = {folder.name for folder in (seeds.HERE / "regressions").iterdir()}
    assert listed <= set(ALL)
    total = sum(path.stat().st_size for target in ALL for path in seeds.regressions(target))
    assert total < 1_000_000, "regressions are to stay small"
