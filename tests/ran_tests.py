"""Plugin of pytest for scripts/run-tests: which tests ran, and a run of those that did not run before.

    pytest -p ran_tests --ran FILE       writes the names of tests that ran; skipped ones did not
    pytest -p ran_tests --not-in FILE    leaves out the tests on such a list

So the tests that PLIANT_MODELS adds need no mark: they are those that a run without it skips or does not have. That
holds as long as a test of one name does the same with and without it.
"""

import json
import pathlib
import pickle
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "parity"))
from parity_tally import Tally, summarise


def pytest_addoption(parser):
    parser.addoption("--ran", metavar="FILE", help="write the names of tests that ran")
    parser.addoption("--not-in", metavar="FILE", help="leave out the tests on this list")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # where results arrive: not in a worker of xdist
        config.pluginmanager.register(Gathered(config.getoption("--ran")))


def pytest_collection_modifyitems(config, items):
    if config.getoption("--not-in"):
        known = set(json.loads(pathlib.Path(config.getoption("--not-in")).read_text()))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in known])
        items[:] = [item for item in items if item.nodeid not in known]


class Gathered:
    def __init__(self, path):
        self.path, self.ran, self.tally = path, set(), Tally()

    def pytest_runtest_logreport(self, report):
        if (report.when == "call" and not report.skipped) or report.failed:
            self.ran.add(report.nodeid)
        if report.failed and report.when == "call":
            # a run may go on for an hour after this
            print(f"\nFAILED {report.nodeid}", file=sys.__stderr__, flush=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        if "parity" in getattr(node, "workeroutput", {}):
            self.tally.add(pickle.loads(node.workeroutput["parity"]))

    def pytest_terminal_summary(self, terminalreporter):
        summarise(self.tally, terminalreporter)

    def pytest_sessionfinish(self):
        if self.path:
            pathlib.Path(self.path).write_text(json.dumps(sorted(self.ran)))
