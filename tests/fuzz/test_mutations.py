"""Random mutations of real models: no crash, no exit, no hang, no Model with NaN (mutations.py)."""

import os

import pytest

import mutations

COUNT = int(os.environ.get("PLIANT_MUTATIONS", "100000"))


def folders(which):
    if which == "own":
        return mutations.OWN
    if not mutations.seeds.models_of_others():
        pytest.skip("PLIANT_MODELS is not set")
    return [mutations.seeds.models_of_others()]


def check(count, which):
    run = mutations.Run()
    jobs = mutations.plan(count, folders(which))
    run.all(jobs, workers=2)
    assert not run.findings, "\n".join(run.findings[:20])
    assert sum(run.outcomes.values()) == len(jobs)
    assert run.outcomes["loaded"] > 0 and run.outcomes["refused"] > 0


both = pytest.mark.parametrize("which", ["own", "others"])


@pytest.mark.alone
@both
def test_mutated_models(which):
    check(2000, which)


@pytest.mark.alone
@pytest.mark.slow
@both
def test_very_many_mutated_models(which):
    check(COUNT // 2, which)


def test_a_mutation_can_be_made_again():
    path = mutations.ROOT / "models" / "quadruped.xml"
    assert mutations.mutated(path, 7) == mutations.mutated(path, 7)
    assert mutations.mutated(path, 7) != mutations.mutated(path, 8)
