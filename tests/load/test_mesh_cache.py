"""The mesh cache: the same model bit for bit with and without it, whatever becomes of its entries."""

import concurrent.futures
import math
import os
import struct
import subprocess
import sys

import pytest

import pliant


def stl(size, steps=6):
    """A bumpy closed surface as a binary STL file: big enough to have a hull, polygons and a tree."""

    def point(i, j):
        a, b = math.pi * i / steps, 2 * math.pi * (j % (2 * steps)) / (2 * steps)
        r = size * (1 + 0.1 * math.cos(3 * a) * math.cos(2 * b)) if 0 < i < steps else size
        return (r * math.sin(a) * math.cos(b), r * math.sin(a) * math.sin(b), r * math.cos(a))

    triangles = []
    for i in range(steps):
        for j in range(2 * steps):
            p, q, r, s = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            triangles += [t for t in ((p, q, r), (p, r, s)) if len({tuple(v) for v in t}) == 3]
    data = bytes(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *v) for v in triangle) + b"\0\0"
    return data


MODEL = """<mujoco><asset>
  <mesh name="a" file="a.stl" {attributes}/><mesh name="b" file="b.stl"/>
    <mesh name="inline" builtin="cone" params="5 0"/>
</asset><worldbody><body><freejoint/><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b" pos="3 0 0" {geom}/>
  <geom type="mesh" mesh="inline"/></body></worldbody></mujoco>"""


@pytest.fixture
def model(tmp_path):
    """Writes a model; returns its path."""

    def write(attributes="", geom="", size=1.0):
        (tmp_path / "a.stl").write_bytes(stl(size))
        (tmp_path / "b.stl").write_bytes(stl(2.0, 5))
        path = tmp_path / "model.xml"
        path.write_text(MODEL.format(attributes=attributes, geom=geom))
        return path

    return write


def content(model):
    """Every array of a model, as bytes."""
    return {
        field["name"]: value if isinstance(value, bytes) else value.tobytes()
        for field in pliant.model_fields()
        for value in [getattr(model, field["name"])]
    }


def entries(folder):
    return sorted(folder.glob("*.mesh")) if folder.exists() else []


def test_same_model_and_entries_are_reused(model, tmp_path):
    path, cache = model(), tmp_path / "cache" / "deeper"
    plain = content(pliant.load(path))
    first = pliant.load(path, cache_dir=cache)
    made = {entry: entry.stat().st_mtime_ns for entry in entries(cache)}
    assert len(made) == 2  # what is not from a file is not kept
    second = pliant.load(path, cache_dir=cache)
    assert content(first) == plain and content(second) == plain
    assert not first.diagnostics and not second.diagnostics
    assert {entry: entry.stat().st_mtime_ns for entry in entries(cache)} == made
    assert len(os.listdir(cache)) == 2  # no drafts are left


CHANGES = [
    {"attributes": 'scale="1 1 2"'},
    {"attributes": 'scale="1 1 -1"'},
    {"attributes": 'refpos="1 0 0"'},
    {"attributes": 'refquat="1 1 0 0"'},
    {"attributes": 'inertia="exact"'},
    {"attributes": 'inertia="shell"'},
    {"attributes": 'inertia="convex"'},
    {"attributes": 'maxhullvert="8"'},
    {"attributes": 'smoothnormal="true"'},
    {"geom": 'contype="0" conaffinity="0"'},
    {"size": 1.5},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_whatever_affects_a_mesh_is_in_the_key(model, tmp_path, change):
    cache = tmp_path / "cache"
    pliant.load(model(), cache_dir=cache)
    path = model(**change)
    assert content(pliant.load(path, cache_dir=cache)) == content(pliant.load(path))


def damage(data, how):
    if how == "empty":
        return b""
    if how == "cut":
        return data[: len(data) // 2]
    if how == "longer":
        return data + b"\0"
    if how == "garbage":
        return b"garbage" * 100
    changed = bytearray(data)
    changed[int(how * (len(data) - 1))] ^= 1
    return bytes(changed)


@pytest.mark.parametrize("how", ["empty", "cut", "longer", "garbage", 0.0, 0.01, 0.3, 0.7, 1.0])
def test_damaged_entries_are_reported_and_replaced(model, tmp_path, how):
    path, cache = model(), tmp_path / "cache"
    plain = content(pliant.load(path, cache_dir=cache))
    whole = {entry: entry.read_bytes() for entry in entries(cache)}
    for entry, data in whole.items():
        entry.write_bytes(damage(data, how))
    loaded = pliant.load(path, cache_dir=cache)
    assert content(loaded) == plain
    assert [finding.code for finding in loaded.diagnostics] == ["W613"] * len(whole)
    assert {entry: entry.read_bytes() for entry in entries(cache)} == whole
    assert not pliant.load(path, cache_dir=cache).diagnostics


def test_entry_of_another_mesh_is_not_believed(model, tmp_path):
    path, cache = model(), tmp_path / "cache"
    plain = content(pliant.load(path, cache_dir=cache))
    a, b = entries(cache)
    a.write_bytes(b.read_bytes())
    loaded = pliant.load(path, cache_dir=cache)
    assert content(loaded) == plain
    assert [finding.code for finding in loaded.diagnostics] == ["W613"]


def test_folder_that_cannot_be_written(model, tmp_path):
    path = model()
    (tmp_path / "file").write_text("not a folder")
    loaded = pliant.load(path, cache_dir=tmp_path / "file" / "cache")
    assert content(loaded) == content(pliant.load(path))
    assert [finding.code for finding in loaded.diagnostics] == ["W613"]  # once, not per mesh


def test_errors_are_the_same(model, tmp_path):
    path, cache = model(), tmp_path / "cache"
    pliant.load(path, cache_dir=cache)
    (tmp_path / "a.stl").write_bytes(b"broken")
    texts = []
    for options in ({}, {"cache_dir": cache}):
        with pytest.raises(pliant.LoadError) as error:
            pliant.load(path, **options)
        texts.append(str(error.value))
    assert texts[0] == texts[1]


def test_many_at_once(model, tmp_path):
    """Threads and processes that share an empty cache all get the same model."""
    path, cache = model(), tmp_path / "cache"
    plain = content(pliant.load(path))
    program = f"import pliant; m = pliant.load({str(path)!r}, cache_dir={str(cache)!r}); assert not m.diagnostics"
    children = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: pliant.load(path, cache_dir=cache), range(40)))
    assert all(child.wait() == 0 for child in children)
    assert all(content(m) == plain and not m.diagnostics for m in loaded)
    assert len(os.listdir(cache)) == 2  # no drafts are left


def test_threads_do_not_matter(model, tmp_path):
    """Meshes are made by several threads; with one the model is the same."""
    path = model()
    many = content(pliant.load(path))
    path.write_text(path.read_text().replace("<mujoco>", '<mujoco><compiler usethread="false"/>'))
    assert content(pliant.load(path)) == many
