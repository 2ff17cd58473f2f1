"""Collects the models to compare, and sums up the comparison at the end of a run, or hands it to scripts/run-tests."""

import importlib.util
import os
import pathlib
import pickle
import site
import sys

import pytest

from parity_tally import Tally, summarise

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(__file__).resolve().parent / "cases"
PACKAGES = ("gymnasium", "dm_control")


def package_folder(name):
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return pathlib.Path(next(iter(spec.submodule_search_locations)))


def sources():
    """(label, folder or None, why there is none)."""
    given = os.environ.get("PLIANT_MODELS")
    yield "$PLIANT_MODELS", pathlib.Path(given) if given else None, "PLIANT_MODELS is not set"
    for name in PACKAGES:
        yield name, package_folder(name), f"the package {name} is not installed"
    yield "models", ROOT / "models", ""
    yield "cases", CASES, ""


def is_known_to_reference(path):
    """Mimic joints are Pliant's own: the reference does not load files with them."""
    return "<mimic " not in path.read_text(errors="replace")


def own_models():
    return [path for path in sorted((ROOT / "models").glob("*.xml")) if is_known_to_reference(path)]


def model_files():
    """Parameters of the test over models: one per file, or one skip per missing source."""
    parameters = []
    for label, folder, missing in sources():
        if folder is None:
            skip = pytest.mark.skip(reason=missing)
            parameters.append(pytest.param(None, label, id=label, marks=skip))
            continue
        if not folder.is_dir():
            raise pytest.UsageError(f"{label}: {folder} is not a folder")
        for path in sorted(folder.rglob("*.xml")):
            if label == "cases" and path.parent.name == "parts":  # included by other cases
                continue
            if label == "models" and not is_known_to_reference(path):
                continue
            name = f"{label}/{path.relative_to(folder).as_posix()}"
            parameters.append(pytest.param(path, name, id=name))
    return parameters


def urdf_folders():
    """(label, folder) where URDFs of others are: the models of others, and the package example-robot-data."""
    if os.environ.get("PLIANT_MODELS"):
        yield "$PLIANT_MODELS", pathlib.Path(os.environ["PLIANT_MODELS"])
    for folder in [*site.getsitepackages(), *sys.path]:
        found = pathlib.Path(folder) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if found.is_dir():
            yield "example-robot-data", found
            return


def named_urdf_files():
    """(path, name) of every URDF at hand; a robot without links is none. Names do not depend on what else is there."""
    for label, folder in urdf_folders():
        for path in sorted(folder.rglob("*.urdf")):
            if "<link" in path.read_text(encoding="utf-8", errors="replace"):
                yield path, f"{label}/{path.relative_to(folder).as_posix()}"


def urdf_files():
    return [path for path, _ in named_urdf_files()]


def pytest_generate_tests(metafunc):
    if "model_path" in metafunc.fixturenames:
        metafunc.parametrize(("model_path", "model_name"), model_files())


TALLY = pytest.StashKey[Tally]()


def pytest_configure(config):
    config.stash[TALLY] = Tally()


@pytest.fixture
def tally(pytestconfig):
    return pytestconfig.stash[TALLY]


def pytest_sessionfinish(session):
    """A worker of xdist hands over what it saw (ran_tests.py)."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["parity"] = pickle.dumps(session.config.stash[TALLY])


def pytest_terminal_summary(terminalreporter, config):
    summarise(config.stash[TALLY], terminalreporter)
