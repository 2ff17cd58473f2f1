"""Everything a URDF says has a fate in the ledger."""

import collections
import xml.etree.ElementTree as ElementTree

LONGEST, LONGEST_TEXT = 80, 40  # the ledger cuts long values
SPACES = str.maketrans("\t\r\n", "   ")  # Python's parser does that to attributes


def expected(root):
    """Every attribute and text of the document; <mujoco> blocks are MJCF's business."""
    found = collections.Counter()

    def walk(element):
        if element.tag is ElementTree.Comment or element.tag == "mujoco":
            return
        tag = element.tag.split("}")[-1]
        for name, value in element.items():
            found[(tag, name.split("}")[-1], value[:LONGEST].translate(SPACES))] += 1
        text = (element.text or "").strip()
        if text:
            found[(tag, "text()", text[:LONGEST_TEXT])] += 1
        for child in element:
            walk(child)

    walk(root)
    return found


def assert_complete(root, ledger):
    entries = collections.Counter()
    for entry in ledger:
        assert entry.fate in ("kept", "ignored", "approximated")
        assert entry.fate == "kept" or entry.note
        tag, name = entry.element.split(":")[-1], entry.attribute.split(":")[-1]
        if entry.attribute == "text()":
            text = entry.value.strip()
            if text:
                entries[(tag, name, text[:LONGEST_TEXT])] += 1
        elif not entry.attribute.startswith("xmlns"):
            entries[(tag, name, entry.value[:LONGEST].translate(SPACES))] += 1
    missing = expected(root) - entries
    assert not missing, sorted(missing)[:5]
