"""Bodies of attached models that are fused, where their model has other settings of angles than the main one.

The reference reads their Euler angles once more, with the settings of the main model: geoms move because a body is
fused. Pliant leaves them where they are (docs/differences.md). A difference is shown to be that by
loading the same documents without fusing.
"""

import pathlib
import re
import shutil
import tempfile
import xml.etree.ElementTree

FUSE = re.compile(r"""\bfusestatic\s*=\s*(["'])\s*true\s*\1""")


def settings(file):
    """Sequence and unit of the angles in a file."""
    root = xml.etree.ElementTree.parse(file).getroot()
    found = {"eulerseq": "xyz", "angle": "degree"}
    for node in root.iter("compiler"):
        found |= {name: node.get(name).strip() for name in found if node.get(name)}
    return tuple(found.values())


def explain(path, differences):
    """Whether nothing differs once nothing is fused; `differences` compares the models of one path."""
    folder = pathlib.Path(path).parent
    files = list(folder.rglob("*.xml"))
    attaches = any("<attach" in file.read_text() for file in files)
    fuses = any(FUSE.search(file.read_text()) for file in files)
    if not (attaches and fuses and len(set(map(settings, files))) > 1):
        return False
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place) / "whole"
        shutil.copytree(folder, copy)
        for file in copy.rglob("*.xml"):
            file.write_text(FUSE.sub('fusestatic="false"', file.read_text()))
        return differences(copy / pathlib.Path(path).relative_to(folder)) == []
