"""Random mutations of real models: no crash, no exit, no hang, no Model with NaN (mutations.py)."""

import os

import pytest

import mutations

COUNT = int(os.environ.get("PLIANT_MUTATIONS", "100000"))


def check(count):
    run = mutations.Run()
    jobs = mutations.plan(count)
    run.all(jobs, workers=2)
    assert not run.findings, "\n".join(run.findings[:20])
    assert sum(run.outcomes.values()) == len(jobs)
    assert run.outcomes["loaded"] > 0 and run.outcomes["refused"] > 0


def test_mutated_models():
    check(2000)


@pytest.mark.slow
def test_very_many_mutated_models():
    check(COUNT)


def test_a_mutation_can_be_made_again():
    path = mutations.ROOT / "models" / "quadruped.xml"
    assert mutations.mutated(path, 7) == mutations.mutated(path, 7)
    assert mutations.mutated(path, 7) != mutations.mutated(path, 8)
