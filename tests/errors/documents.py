"""Valid documents to spoil, and the schema, for the tests in this folder."""

import functools
import json
import os
import pathlib
import subprocess
import xml.parsers.expat

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))


@functools.cache
def schema():
    """{id: element} of `pliant schema --json`."""
    done = subprocess.run([PROGRAM, "schema", "--json"], capture_output=True, check=True, text=True)
    return {element["id"]: element for element in json.loads(done.stdout)["elements"]}


@functools.cache
def attributes_by_tag():
    """{tag: names of all attributes that some element of this tag has}."""
    known = {}
    for element in schema().values():
        names = known.setdefault(element["tag"], set())
        names.update(attribute["name"] for attribute in element["attributes"])
    return known


@functools.cache
def valid_documents():
    """Paths of our own models and of the parity cases that are documents and load."""
    paths = sorted((ROOT / "models").glob("*.xml"))
    paths += sorted((ROOT / "tests" / "parity" / "cases").rglob("*.xml"))
    valid = []
    for path in paths:
        try:
            pliant.load(path)
        except pliant.LoadError:
            continue
        valid.append(path)
    return valid


class Start:
    """A start tag: where it stands, in bytes and in line and column, and its attributes."""

    def __init__(self, tag, attributes, offset, line, column, ancestors):
        self.tag, self.attributes, self.offset = tag, attributes, offset
        self.line, self.column, self.ancestors = line, column, ancestors


def start_tags(data):
    """Every start tag of a document, in order."""
    found, open_tags = [], []
    parser = xml.parsers.expat.ParserCreate()

    def start(tag, attributes):
        found.append(
            Start(
                tag,
                attributes,
                parser.CurrentByteIndex,
                parser.CurrentLineNumber,
                parser.CurrentColumnNumber + 1,
                tuple(open_tags),
            )
        )
        open_tags.append(tag)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_tags.pop()
    parser.Parse(data, True)
    return found
