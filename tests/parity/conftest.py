"""Collects the models to compare, and sums up the comparison at the end of the run."""

import importlib.util
import os
import pathlib
import site
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(__file__).resolve().parent / "cases"
MOST_ROWS = 25  # of the table of errors
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
    """Where URDFs of others are: the models of others, and the package example-robot-data."""
    if "PLIANT_MODELS" in os.environ:
        yield pathlib.Path(os.environ["PLIANT_MODELS"])
    for folder in [*site.getsitepackages(), *sys.path]:
        found = pathlib.Path(folder) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if found.is_dir():
            yield found
            return


def urdf_files():
    """Every URDF at hand; a robot without links is none."""
    found = [path for folder in urdf_folders() for path in sorted(folder.rglob("*.urdf"))]
    return [path for path in found if "<link" in path.read_text(encoding="utf-8", errors="replace")]


def pytest_generate_tests(metafunc):
    if "model_path" in metafunc.fixturenames:
        metafunc.parametrize(("model_path", "model_name"), model_files())


class Tally:
    """What happened to each model."""

    def __init__(self):
        self.compared = {}  # name: Comparison
        self.out_of_scope = {}  # name: reason
        self.refused = {}  # name: message of the reference
        self.stages = {}  # name: {(stage, field): Difference}
        self.trajectories = {}  # (name, integrator): (error, steps)


TALLY = pytest.StashKey[Tally]()


def pytest_configure(config):
    config.stash[TALLY] = Tally()


@pytest.fixture
def tally(pytestconfig):
    return pytestconfig.stash[TALLY]


def summarise_dynamics(tally, write):
    """One table, worst first."""
    worst = {}
    for name, found in tally.stages.items():
        for key, difference in found.items():
            if key not in worst or difference.error > worst[key][0].error:
                worst[key] = (difference, name)
    rows = sorted(worst.items(), key=lambda item: -item[1][0].error)
    write(f"{len(tally.stages)} models compared stage by stage; worst error of each field, worst first:")
    for (stage, field), (difference, name) in rows[:MOST_ROWS]:
        write(f"  {difference.error:8.1e}  {stage}: {field}  ({name})")
    by_integrator = {}
    for (name, integrator), (error, steps) in tally.trajectories.items():
        by_integrator.setdefault(integrator, []).append((error, steps, name))
    for integrator, runs in by_integrator.items():
        error, steps, name = max(runs)
        write(f"trajectories, {integrator}: {len(runs)}, worst error {error:.1e} over {steps} steps ({name})")


def pytest_terminal_summary(terminalreporter, config):
    tally = config.stash[TALLY]
    if tally.stages or tally.trajectories:
        terminalreporter.section("parity of dynamics")
        summarise_dynamics(tally, terminalreporter.write_line)
    if not (tally.compared or tally.out_of_scope or tally.refused):
        return
    write = terminalreporter.write_line
    terminalreporter.section("parity of models")
    results = tally.compared
    equal = [name for name, result in results.items() if not result.differences]
    write(f"{len(results)} models compared, {len(equal)} equal, "
          f"{sum(result.fields for result in results.values())} fields compared")  # fmt: skip
    if equal:
        worst = max(equal, key=lambda name: results[name].worst)
        result = results[worst]
        place = f" ({result.worst_field} in {worst})" if result.worst > 0 else ""
        write(f"worst relative error of the equal ones: {result.worst:.3g}{place}")
    pending = {}
    for result in results.values():
        for field in result.pending:
            pending[field] = pending.get(field, 0) + 1
    listed = ", ".join(f"{field} ({count})" for field, count in sorted(pending.items()))
    write("\n".join(textwrap.wrap(f"pending fields (in how many models): {listed or 'none'}", 118)))
    by_reason = {}
    for name, reason in tally.out_of_scope.items():
        by_reason.setdefault(reason, []).append(name)
    write(f"out of scope: {len(tally.out_of_scope)} models")
    for reason, names in sorted(by_reason.items()):
        write(f"  {reason}: {len(names)}")
        for line in textwrap.wrap(", ".join(names), 114):
            write(f"    {line}")
    write(f"refused by the reference: {len(tally.refused)} files")
    if terminalreporter.verbosity > 0:
        for name, message in tally.refused.items():
            write(f"  {name}: {message.splitlines()[0]}")
