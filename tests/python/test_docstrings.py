"""Everything public says what it is, and the examples in docstrings run."""

import doctest
import inspect
import pathlib

import numpy
import pytest

import pliant
import pliant.scale

ROOT = pathlib.Path(__file__).parents[2]
# where a reader looks first: these must have examples
WITH_EXAMPLES = ["Batch", "Data", "Model", "State", "design", "explain", "load_string", "rollout", "scale.sweep"]
PUBLIC = [*pliant.__all__, *(f"scale.{name}" for name in pliant.scale.__all__)]


def find(name):
    owner = pliant
    for word in name.split("."):
        owner = getattr(owner, word)
    return owner


def examples(name):
    finder = doctest.DocTestFinder(recurse=False)
    return [test for test in finder.find(find(name), name, module=False, globs={"pliant": pliant, "numpy": numpy})
            if test.examples]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in PUBLIC if not name.startswith("__")])
def test_it_says_what_it_is(name):
    thing = find(name)
    assert inspect.getdoc(thing), f"{name} has no docstring"


@pytest.mark.parametrize("name", [name for name in PUBLIC if callable(find(name)) and examples(name)])
def test_examples_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    runner, words = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), []
    for test in examples(name):
        runner.run(test, out=words.append)
    assert runner.tries > 0 and runner.failures == 0, "".join(words)


def test_what_is_looked_at_first_has_examples():
    assert [name for name in WITH_EXAMPLES if not examples(name)] == []
