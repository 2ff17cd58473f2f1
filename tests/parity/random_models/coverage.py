"""Which attributes of the schema random documents carry.

cd tests/parity && ../../.venv/bin/python -m random_models.coverage SEEDS     prints those that none carries
"""

import collections
import json
import re
import subprocess
import sys

import mujoco

from random_models.generator import document

# (element, attribute) that no document carries, and why.
DIRECTION = "the reference refuses a cutoff of directions and rotations"
EXCEPTIONS = {
    **{(tag, "cutoff"): DIRECTION for tag in ("framequat", "framexaxis", "frameyaxis", "framezaxis", "ballquat")},
    ("normal", "cutoff"): DIRECTION,
    ("sensor_contact", "cutoff"): DIRECTION + ", which are among its numbers",
    ("sensor_user", "cutoff"): "likewise of the kinds that a user's sensor may have",
}


def schema():
    """Elements of Pliant's table by id."""
    done = subprocess.run(
        [sys.executable, "-m", "pliant", "schema", "--json"], capture_output=True, text=True, check=True
    )
    return {element["id"]: element for element in json.loads(done.stdout)["elements"]}


def reference_attributes():
    """(tag, attribute) that the reference reads somewhere."""
    found, tag = set(), None
    for line in mujoco.mj_printSchema(False, False).splitlines():
        element = re.match(r"\s*(\w+) \(.\)\s*(.*)", line)
        if element:
            tag, line = element.groups()
        found |= {(tag, name) for name in line.split()}
    return found


class Seen:
    """How often every attribute of the table was met."""

    def __init__(self, elements):
        self.elements = elements
        self.count = collections.Counter()

    def child(self, parent, tag):
        for child in self.elements[parent]["children"]:
            if self.elements[child["id"]]["tag"] == tag:
                return child["id"]
        return None

    def walk(self, node, place):
        for name in node.attributes:
            self.count[place, name] += 1
        self.count[place, ""] += 1
        for child in node.children:
            below = self.child(place, child.tag) if place else None
            self.walk(child, below)

    def add(self, seed):
        for root in document(seed).files.values():
            if root.tag == "mujoco":  # parts that are included begin anywhere
                self.walk(root, "mujoco")


def never(seeds):
    """(element, attribute) of what both engines know and no document of these seeds carries, exceptions apart."""
    elements, theirs = schema(), reference_attributes()
    seen = Seen(elements)
    for seed in seeds:
        seen.add(seed)
    missing = []
    for element in elements.values():
        if element["support"] == "unsupported":
            continue
        for attribute in element["attributes"]:
            key = (element["id"], attribute["name"])
            known = (element["tag"], attribute["name"]) in theirs and attribute["support"] != "unsupported"
            if known and seen.count[key] == 0 and key not in EXCEPTIONS:
                missing.append(key)
    return missing


if __name__ == "__main__":
    for row in never(range(int(sys.argv[1]))):
        print(*row)
