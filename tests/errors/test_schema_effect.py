"""No attribute is read by nobody: setting it changes the compiled model.

For every row of the schema, a small document is compiled with and without the attribute. The two
models differ when the row is marked as kept or kept for viewing, and are equal when it is marked as
without effect. EXCEPTIONS lists the rows for which that cannot hold, each with its reason.
"""

import pytest

import pliant
from documents import schema
from schema_documents import ASSETS
from schema_samples import EXCEPTIONS, VERDICTS, document, sample

ROWS = [
    (element["id"], attribute["name"])
    for element in schema().values()
    if element["support"] != "unsupported"
    for attribute in element["attributes"]
    if attribute["support"] != "unsupported"
]


def parts(owner):
    return [name for name in dir(owner) if not name.startswith("_")]


def settings(owner):
    """Values of an options-like object, as bytes so that NaN equals NaN."""
    values = {}
    for name in parts(owner):
        value = getattr(owner, name)
        if isinstance(value, (int, float)):
            values[name] = repr(value)
        elif hasattr(value, "tobytes"):
            values[name] = value.tobytes()
    return values


def fingerprint(model):
    """Everything a compiled model says, by name."""
    content = {}
    for field in pliant.model_fields():
        value = getattr(model, field["name"])
        content[field["name"]] = value if isinstance(value, bytes) else value.tobytes()
    for name, _ in pliant.model_sizes():
        content[name] = getattr(model, name)
    content |= {f"opt.{name}": value for name, value in settings(model.opt).items()}
    content |= {f"stat.{name}": value for name, value in settings(model.stat).items()}
    for part in parts(model.vis):
        owner = getattr(model.vis, part)
        content |= {f"vis.{part}.{name}": value for name, value in settings(owner).items()}
    content["arena_bytes"] = model.arena_bytes
    content["pending"] = sorted(model.pending)
    return content


def load(xml):
    return fingerprint(pliant.load_string(xml, ASSETS))


def is_accepted(xml):
    try:
        pliant.load_string(xml, ASSETS)
    except pliant.LoadError:
        return False
    return True


def attribute_of(element, name):
    return next(a for a in schema()[element]["attributes"] if a["name"] == name)


@pytest.mark.parametrize("element, name", ROWS, ids=lambda value: value)
def test_effect(element, name):
    if (element, name) in EXCEPTIONS or (element, "*") in EXCEPTIONS:
        reason = EXCEPTIONS.get((element, name)) or EXCEPTIONS[(element, "*")]
        pytest.skip(reason)
    attribute = attribute_of(element, name)
    value = sample(element, attribute)
    if (element, name) in VERDICTS:
        assert is_accepted(document(element, name, None)) != is_accepted(document(element, name, value))
        return
    without = load(document(element, name, None))
    with_it = load(document(element, name, value))
    changed = {key for key in without if without[key] != with_it[key]}
    if attribute["support"] == "no_effect":
        assert not changed
    else:
        assert changed, f"{element}.{name}={value!r} changes nothing"


def test_exceptions_exist():
    """An exception for a row that is gone, or that needs none, is out of date."""
    known = {element for element, _ in ROWS}
    for element, name in EXCEPTIONS:
        assert element in known and (name == "*" or (element, name) in ROWS), (element, name)
