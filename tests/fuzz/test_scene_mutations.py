"""COLLADA and glTF with damage that leaves them XML and JSON, so that it reaches the program that reads them: values,
elements, keys.

Damage to bytes is for pliant_fuzz (test_fuzz_targets.py). Whatever the file: a model without NaN, or an error that
names the file, and neither takes long.
"""

import copy
import json
import random
import struct
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import pliant
import seeds

LONGEST = 10  # seconds, on a machine that others use as well
WORDS = [
    "-1",
    "0",
    "1",
    "7",
    "65536",
    "2147483647",
    "4294967295",
    "99999999999",
    "1e308",
    "1e-320",
    "nan",
    "inf",
    "",
    "P",
    "#p",
    "#a",
    "#v",
]
WORDS += [
    "0 1 2",
    "POSITION",
    "VERTEX",
    "NORMAL",
    "VEC3",
    "SCALAR",
    "MAT4",
    "data:;base64,AAAA",
    "m.bin",
    "../x",
    "/etc/passwd",
    "ä",
]
VALUES = [
    -1,
    0,
    1,
    3,
    2**31 - 1,
    2**32,
    1e308,
    -0.5,
    None,
    True,
    [],
    {},
    [0, 0, 0],
    [1e38] * 16,
    "",
    "VEC4",
    5120,
    5123,
    5125,
    5126,
]


ElementTree.register_namespace("", "http://www.collada.org/2005/11/COLLADASchema")


def damaged_xml(rng, text):
    root = ElementTree.fromstring(text)
    for _ in range(rng.randint(1, 4)):
        elements = list(root.iter())
        element, kind = rng.choice(elements), rng.randrange(6)
        if kind == 0 and element.attrib:
            element.set(rng.choice(list(element.attrib)), rng.choice(WORDS))
        elif kind == 1 and (element.text or "").strip():
            words = element.text.split()
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            element.text = " ".join(words[: rng.choice([len(words), 1, 2])])
        elif kind == 2 and len(element):
            element.remove(rng.choice(list(element)))
        elif kind == 3:
            element.append(copy.deepcopy(rng.choice(elements)))
        elif kind == 4:
            element.tag = rng.choice(elements).tag
        else:
            element.text = rng.choice(WORDS)
    return ElementTree.tostring(root)


def places(value):
    """(container, key) of everything inside."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def damaged_json(rng, text):
    scene = json.loads(text)
    for _ in range(rng.randint(1, 4)):
        every = list(places(scene))
        if not every:
            break
        container, key = rng.choice(every)
        kind = rng.randrange(4)
        if kind == 0:
            container[key] = copy.deepcopy(rng.choice(VALUES))
        elif kind == 1:
            container[key] = rng.choice(WORDS)
        elif kind == 2:
            del container[key]
        else:
            other, name = rng.choice(every)
            container[key] = (
                copy.deepcopy(other[name]) if name in other or (isinstance(other, list) and name < len(other)) else 0
            )
    return json.dumps(scene).encode()


def damaged_glb(rng):
    text = damaged_json(rng, seeds.gltf(""))
    text += b" " * (-len(text) % 4)
    data = bytearray(seeds.mesh_buffer() + bytes(-len(seeds.mesh_buffer()) % 4))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, rng.choice([12 + len(chunks), 0, 2**32 - 1, 20])) + chunks


DAMAGE = {
    "dae": lambda rng: damaged_xml(rng, seeds.dae()),
    "gltf": lambda rng: damaged_json(rng, seeds.gltf("m.bin", "texture.png")),
    "glb": damaged_glb,
}


def check(kind, count, folder):
    rng, read, slowest, refusal = random.Random(kind), 0, 0.0, None
    for i in range(count):
        content = DAMAGE[kind](rng)
        (folder / f"last.{kind}").write_bytes(content)  # what is there after a crash of the host
        document = (
            f'<robot name="r"><link name="a"><collision><geometry><mesh filename="m.{kind}"/></geometry>'
            f"</collision></link></robot>"
        )
        start = time.monotonic()
        try:
            model = pliant.load_string(document, assets={f"m.{kind}": content, "m.bin": seeds.mesh_buffer()})
            assert model.nmeshface > 0 and np.all(np.isfinite(model.mesh_vert)) and np.all(np.isfinite(model.geom_aabb))
            read += 1
        except pliant.LoadError as error:
            refusal = error
            assert any(finding.severity == "error" and len(finding.message) > 10 for finding in error.diagnostics), i
        slowest = max(slowest, time.monotonic() - start)
        assert slowest < LONGEST, (i, refusal)
    print(f"{kind}: {count} damaged files, {read} still meshes, slowest {slowest:.1f} s")
    assert 0 < read < count


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_scenes(kind, tmp_path):
    check(kind, 100, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGE)
def test_many_damaged_scenes(kind, tmp_path):
    check(kind, 4000, tmp_path)
