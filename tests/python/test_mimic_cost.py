"""Soft and exact mimics cost no more instructions than joint equalities; counted with valgrind."""

import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import mimic_cost

needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind to count instructions with")


def check(integrator, cone, solver, steps):
    _, found = mimic_cost.ratios(integrator, cone, solver, steps, tuple(mimic_cost.MOST))
    for form, most in mimic_cost.MOST.items():
        assert found[form] <= most, (form, found)


@needs_valgrind
def test_of_the_default_options():
    check("Euler", "pyramidal", "Newton", 60)


@needs_valgrind
@pytest.mark.slow
@pytest.mark.parametrize("solver", mimic_cost.SOLVERS)
@pytest.mark.parametrize("cone", mimic_cost.CONES)
@pytest.mark.parametrize("integrator", mimic_cost.INTEGRATORS)
def test_of_all_options(integrator, cone, solver):
    check(integrator, cone, solver, 200)
