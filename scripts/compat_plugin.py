"""A pytest plugin for scripts/compat: puts pliant.mujoco in the place of mujoco and notes every test as it ends.

Test data stand beside the reference's modules, so resources of "mujoco" are looked for there. The subpackage sysid of
the reference is Python on top of its public names; its tests run that code, on Pliant's names.
"""

import importlib.machinery
import json
import os
import sys

WHEEL = importlib.machinery.PathFinder.find_spec("mujoco").submodule_search_locations[0]
REPORT = os.environ["PLIANT_COMPAT_REPORT"]
DONE = set(json.loads(os.environ["PLIANT_COMPAT_DONE"]))
# Packages of the wheel that are not part of what Pliant replaces.
BORROWED = ("mujoco.sysid", "mujoco.introspect")


class Borrow(importlib.machinery.PathFinder):
    """Finds the borrowed packages in the wheel and all other modules of mujoco in pliant.mujoco."""

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname in BORROWED:
            return super().find_spec(fullname, [WHEEL], target)
        return None


def note(event, test="", outcome="", cause=""):
    with open(REPORT, "a") as file:
        file.write(json.dumps({"event": event, "test": test, "outcome": outcome, "cause": cause}) + "\n")


if os.environ["PLIANT_COMPAT_MODULE"] == "pliant.mujoco":
    os.environ["PLIANT_ON_FAULT"] = "reset"  # what the reference does with a step that cannot be made
    import pliant.mujoco

    sys.modules["mujoco"] = pliant.mujoco
    sys.meta_path.insert(0, Borrow)

    from etils import epath

    original = epath.resource_path
    epath.resource_path = lambda package: (
        epath.Path(WHEEL) if package in ("mujoco", pliant.mujoco) else original(package)
    )


def test_name(item):
    return item.nodeid.rpartition(".py::")[2]


def pytest_collectreport(report):
    if report.failed:
        note("unreadable", cause=str(report.longrepr).strip().splitlines()[-1])


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if test_name(item) not in DONE]


def pytest_runtest_logstart(nodeid, location):
    note("started", nodeid.rpartition(".py::")[2])


OUTCOMES = {}


def pytest_runtest_logreport(report):
    test = report.nodeid.rpartition(".py::")[2]
    if report.outcome != "passed" or report.when == "call":
        cause = ""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
            cause = " / ".join(line.strip() for line in lines[:3])
        if OUTCOMES.get(test, ("passed",))[0] == "passed":
            OUTCOMES[test] = (report.outcome, cause)


def pytest_runtest_logfinish(nodeid, location):
    test = nodeid.rpartition(".py::")[2]
    note("finished", test, *OUTCOMES.get(test, ("failed", "no result")))


def pytest_sessionfinish(session, exitstatus):
    note("all")
