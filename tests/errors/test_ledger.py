"""Nothing is dropped: an attribute is either in the ledger or in an error that names it."""

import collections
import functools
import xml.etree.ElementTree as ElementTree

import hypothesis
import pytest
from hypothesis import strategies as st

import pliant
from documents import attributes_by_tag, start_tags, valid_documents

# The ledger cuts long values.
LONGEST = 80


@functools.cache
def content(path):
    data = path.read_bytes()
    return data, start_tags(data)


def has_parts(path):
    """Whether other files belong to the document."""
    tags = {start.tag for start in content(path)[1]}
    return bool(tags & {"include", "model"})


def expanded(path):
    """Every (tag, attribute, value) of a document and the files it includes; <include> itself is
    replaced by its content and has no entry."""
    found = []

    def walk(element, folder):
        if element.tag == "include":
            part = folder / element.get("file")
            found_in = part if part.exists() else path.parent / element.get("file")
            for child in ElementTree.parse(found_in).getroot():
                walk(child, found_in.parent)
            return
        found.extend((element.tag, name, value[:LONGEST]) for name, value in element.items())
        for child in element:
            walk(child, folder)
        if element.tag == "model" and element.get("file"):
            walk(ElementTree.parse(folder / element.get("file")).getroot(), folder)

    walk(ElementTree.parse(path).getroot(), path.parent)
    return collections.Counter(found)


@pytest.mark.parametrize("path", valid_documents(), ids=lambda path: path.stem)
def test_every_attribute_is_in_the_ledger_once(path):
    ledger = pliant.load(path).ledger
    entries = collections.Counter(
        (entry.element, entry.attribute, entry.value.encode()[:LONGEST].decode(errors="ignore")) for entry in ledger
    )
    assert entries == expanded(path)
    if not has_parts(path):
        places = collections.Counter((entry.line, entry.column) for entry in ledger)
        assert max(places.values(), default=1) == 1


@pytest.mark.parametrize("path", valid_documents(), ids=lambda path: path.stem)
def test_ledger_points_at_values(path):
    if has_parts(path):
        pytest.skip("the document has several files")
    lines = path.read_text(encoding="utf-8").splitlines()
    for entry in pliant.load(path).ledger:
        rest = lines[entry.line - 1][entry.column - 1 :]
        first = entry.value.split()[:1]
        assert not first or rest.lstrip().startswith(first[0][:20]) or "&" in rest, entry


names = st.one_of(
    st.sampled_from(["wobble", "plugin", "fitaab", "Name", "x", "flexmode", "_"]),
    st.deferred(lambda: st.sampled_from(sorted(set().union(*attributes_by_tag().values())))),
    st.from_regex(r"[a-z_][a-z0-9_.-]{0,20}", fullmatch=True),
)


@hypothesis.given(st.data())
@hypothesis.settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_unknown_attribute_is_always_reported(data):
    path = data.draw(st.sampled_from(valid_documents()))
    text, starts = content(path)
    start = starts[data.draw(st.integers(0, len(starts) - 1))]
    name = data.draw(names)
    hypothesis.assume(name not in attributes_by_tag().get(start.tag, ()))
    hypothesis.assume(not (start.tag == "include" and name == "file"))

    cut = start.offset + 1 + len(start.tag)
    spoilt = text[:cut] + f' {name}="1"'.encode() + text[cut:]
    with pytest.raises(pliant.LoadError) as error:
        pliant.load(path, {str(path): spoilt})
    column = start.column + len(start.tag) + 2
    places = {
        (finding.code, finding.line, finding.column)
        for finding in error.value.diagnostics
        if f"'{name}'" in finding.message and finding.element == start.tag
    }
    assert ("E202", start.line, column) in places, error.value.diagnostics


@hypothesis.given(st.data())
@hypothesis.settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_element_out_of_scope_is_always_reported(data):
    path = data.draw(st.sampled_from(valid_documents()))
    text, starts = content(path)
    bodies = [
        start
        for start in starts
        if start.tag in ("worldbody", "body") and text[: text.index(b">", start.offset)][-1:] != b"/"
    ]
    hypothesis.assume(bodies)
    start = bodies[data.draw(st.integers(0, len(bodies) - 1))]
    tag = data.draw(st.sampled_from(["composite", "flexcomp", "plugin"]))
    cut = text.index(b">", start.offset) + 1
    line = text[:cut].count(b"\n") + 1
    spoilt = text[:cut] + f'<{tag} type="cable"/>'.encode() + text[cut:]
    with pytest.raises(pliant.LoadError) as error:
        pliant.load(path, {str(path): spoilt})
    assert ("E501", tag, line) in {(f.code, f.element, f.line) for f in error.value.diagnostics}
