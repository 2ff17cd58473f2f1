"""Files of meshes, textures and height fields that included files name are found where the reference finds them."""

import pathlib
import struct
import zlib

import mujoco
import numpy as np
import pytest

import pliant.mujoco

INCLUDE = '<include file="../models/r/r.xml"/>'
MAIN = f"<mujoco>{INCLUDE}</mujoco>"
MESH = '<mesh name="m" file="assets/m.stl"/>'
GEOM = '<worldbody><geom type="mesh" mesh="m"/></worldbody>'
PART = f"<mujoco><asset>{MESH}</asset>{GEOM}</mujoco>"
TEXTURE = '<mujoco><asset><texture name="m" type="2d" file="assets/m.png"/></asset></mujoco>'
CUBE = '<mujoco><asset><texture name="m" type="cube" fileup="assets/m.png"/></asset></mujoco>'
HFIELD = '<mujoco><asset><hfield name="m" size="1 1 1 1" file="assets/m.png"/></asset></mujoco>'


def with_settings(text, settings):
    return text.replace("<mujoco>", f"<mujoco><compiler {settings}/>", 1)


# name → (sizes of files, main file, included file, further files)
CASES = {
    "beside the main file": ({"scenes/assets/m.stl": 1, "models/r/assets/m.stl": 2}, MAIN, PART, {}),
    "beside the included file": ({"models/r/assets/m.stl": 2}, MAIN, PART, {}),
    "meshdir is not used there": ({"models/r/x/assets/m.stl": 2}, with_settings(MAIN, 'meshdir="x"'), PART, {}),
    "meshdir does not hinder": ({"models/r/assets/m.stl": 2}, with_settings(MAIN, 'meshdir="x"'), PART, {}),
    "meshdir of the included file": ({"models/r/x/assets/m.stl": 2}, MAIN, with_settings(PART, 'meshdir="x"'), {}),
    "meshdir below the main file": (
        {"models/r/assets/m.stl": 2, "scenes/x/assets/m.stl": 1}, MAIN, with_settings(PART, 'meshdir="x"'), {},
    ),
    "strippath": ({"models/r/m.stl": 2}, MAIN, with_settings(PART, 'strippath="true"'), {}),
    "not beside files between": (
        {"models/r/assets/m.stl": 2}, MAIN, '<mujoco><include file="../q/q.xml"/></mujoco>', {"models/q/q.xml": PART},
    ),
    "nested": (
        {"models/q/assets/m.stl": 2}, MAIN, '<mujoco><include file="../q/q.xml"/></mujoco>', {"models/q/q.xml": PART},
    ),
    "named by the main file": (
        {"models/r/assets/m.stl": 2},
        f"<mujoco><asset>{MESH}</asset>{INCLUDE}</mujoco>", f"<mujoco>{GEOM}</mujoco>", {},
    ),
    "inside a section": (
        {"models/r/assets/m.stl": 2},
        f"<mujoco><asset>{INCLUDE}</asset>{GEOM}</mujoco>", f"<mujocoinclude>{MESH}</mujocoinclude>", {},
    ),
    "included by an attached model": (
        {"models/q/assets/m.stl": 2},
        '<mujoco><asset><model name="a" file="../models/r/r.xml"/></asset>'
        '<worldbody><attach model="a" body="b" prefix="x"/></worldbody></mujoco>',
        '<mujoco><include file="../q/q.xml"/></mujoco>',
        {"models/q/q.xml": PART.replace("<geom", '<body name="b"><geom').replace("/></worldb", "/></body></worldb")},
    ),
    "texture": ({"models/r/assets/m.png": 8}, MAIN, TEXTURE, {}),
    "texture, both": ({"models/r/assets/m.png": 8, "scenes/assets/m.png": 4}, MAIN, TEXTURE, {}),
    "cube": ({"models/r/assets/m.png": 8}, MAIN, CUBE, {}),
    "height field": ({"models/r/assets/m.png": 8}, MAIN, HFIELD, {}),
    "height field, both": ({"models/r/assets/m.png": 8, "scenes/assets/m.png": 4}, MAIN, HFIELD, {}),
}  # fmt: skip


def write_tetrahedron(path, size):
    corners = size * np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    data = b"\0" * 80 + struct.pack("<I", 4)
    for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)):
        data += struct.pack("<12f2x", 0, 0, 0, *corners[list(face)].ravel())
    path.write_bytes(data)


def write_square(path, size):
    """A PNG of one shade."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes([size]) * 3 * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def found(module, folder):
    try:
        model = module.MjModel.from_xml_path(str(folder / "scenes/s.xml"))
    except ValueError:
        return None
    return (
        model.nmesh and np.ptp(model.mesh_vert, axis=0).tolist(),
        model.tex_width.tolist(),
        model.hfield_ncol.tolist(),
    )


@pytest.mark.parametrize("name", CASES)
def test_files_of_included_files(name, tmp_path: pathlib.Path):
    files, main, part, more = CASES[name]
    for file, text in {"scenes/s.xml": main, "models/r/r.xml": part, **more}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    for file, size in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(".png"):
            write_square(tmp_path / file, size)
        else:
            write_tetrahedron(tmp_path / file, size)
    assert found(pliant.mujoco, tmp_path) == found(mujoco, tmp_path)


def test_written_models_find_them_again(tmp_path):
    """A Spec with files beside included files is written with paths that are found from elsewhere."""
    test_files_of_included_files("beside the included file", tmp_path)
    spec = pliant.mujoco.MjSpec.from_file(str(tmp_path / "scenes/s.xml"))
    assert spec.compile().nmesh == 1
    (tmp_path / "elsewhere").mkdir()
    spec.to_file(str(tmp_path / "elsewhere/s.xml"))
    assert pliant.mujoco.MjModel.from_xml_path(str(tmp_path / "elsewhere/s.xml")).nmesh == 1
