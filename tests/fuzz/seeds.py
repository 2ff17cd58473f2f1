"""Seeds for the fuzz targets: valid inputs of every kind, small ones first choice.

They come from our own models and test cases, from files made here, and, where PLIANT_MODELS names a
folder, from the models of others. Inputs that once broke something are in regressions/TARGET.
"""

import base64
import io
import json
import os
import pathlib
import struct
import subprocess
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))

TARGETS = ("mjcf", "urdf", "mjz", "stl", "obj", "msh", "skn", "hfield", "png", "plm", "plr")
# Read by a program of its own, into which libFuzzer does not see.
APART = ("dae", "gltf", "glb")
# Small seeds make fast runs.
MAX_BYTES = 16384
MAX_PLM_BYTES = 32768
# A small image file can hold many pixels.
MAX_PNG_BYTES = 3000
PLM_HEADER_BYTES = 64

VERTICES = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4))


def models_of_others():
    given = os.environ.get("PLIANT_MODELS")
    return pathlib.Path(given) if given else None


def small_files(pattern, folders, limit=MAX_BYTES):
    for folder in folders:
        for path in sorted(folder.rglob(pattern)) if folder else ():
            if 0 < path.stat().st_size <= limit:
                yield path.read_bytes()


def stl():
    out = bytes(80) + struct.pack("<i", len(FACES))
    for face in FACES:
        corners = [x for corner in face for x in VERTICES[corner]]
        out += struct.pack("<12f", 0, 0, 0, *corners) + bytes(2)
    return out


def msh(normals, texcoords):
    n, t = len(VERTICES) * normals, len(VERTICES) * texcoords
    out = struct.pack("<4i", len(VERTICES), n, t, len(FACES))
    out += b"".join(struct.pack("<3f", *v) for v in VERTICES)
    out += struct.pack("<3f", 0, 0, 1) * n + struct.pack("<2f", 0.25, 0.75) * t
    return out + b"".join(struct.pack("<3i", *f) for f in FACES)


def skn():
    """Two bones, of the bodies the target has."""
    out = struct.pack("<4i", len(VERTICES), len(VERTICES), len(FACES), 2)
    out += b"".join(struct.pack("<3f", *v) for v in VERTICES)
    out += struct.pack("<2f", 0.25, 0.75) * len(VERTICES)
    out += b"".join(struct.pack("<3i", *f) for f in FACES)
    for body, ids in ((b"a", (0, 1, 2)), (b"b", (2, 3, 4))):
        out += body.ljust(40, b"\0") + struct.pack("<7f", 0, 0, 0, 1, 0, 0, 0)
        out += struct.pack("<i3i3f", 3, *ids, 1, 1, 1)
    return out


def obj():
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in VERTICES)
    faces = "".join(f"f {a + 1}/1/1 {b + 1}/2/1 {c + 1}/3/1\n" for a, b, c in FACES)
    extras = "vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\ng part\no shape\ns 1\n"
    return (vertices + extras + faces + "f 1 2 5 4\nf -1 -2 -3\n").encode()


def mesh_buffer():
    """Vertices, then faces, as a buffer of glTF has them."""
    return b"".join(struct.pack("<3f", *v) for v in VERTICES) + b"".join(struct.pack("<3H", *f) for f in FACES)


def gltf(uri=None, image=None):
    """The text of a glTF file; the buffer is in the file named `uri`, or in the text itself (None), or in a .glb
    ("")."""
    vertices, faces = 12 * len(VERTICES), 6 * len(FACES)
    buffer = {"byteLength": vertices + faces}
    if uri != "":
        buffer["uri"] = uri or "data:application/octet-stream;base64," + base64.b64encode(mesh_buffer()).decode()
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0.1, 0, 0], "children": [1]}, {"scale": [1, -1, 1], "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": len(VERTICES),
                "type": "VEC3",
                "min": [0, 0, 0],
                "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(FACES), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": vertices},
            {"buffer": 0, "byteOffset": vertices, "byteLength": faces},
        ],
        "buffers": [buffer],
    }
    if image:
        scene["images"] = [{"uri": image}]
    return json.dumps(scene)


def glb():
    text = gltf("").encode()
    text += b" " * (-len(text) % 4)
    data = mesh_buffer() + bytes(-len(mesh_buffer()) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def dae(unit=1):
    numbers = " ".join(str(x) for v in VERTICES for x in v)
    corners = " ".join(str(i) for face in FACES for i in face)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="unit" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p">
  <float_array id="a" count="{3 * len(VERTICES)}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(VERTICES)}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(FACES)}"><input semantic="VERTEX" source="#v" offset="0"/>
  <p>{corners}</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node id="n"><translate>0.1 0 0</translate>
<rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def png(color, depth, interlaced=0, width=4, height=4):
    """One image of each kind: color is PNG's colour type."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    row = (width * channels * depth + 7) // 8
    # rows of an interlaced image come in seven passes; too many bytes do no harm
    raw = b"".join(bytes([i % 5]) + bytes(range(row)) for i in range(height * (3 if interlaced else 1)))

    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    if color == 3:
        out += chunk(b"PLTE", bytes(range(3 << depth)))
    return out + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def hfield(rows, columns):
    heights = [(i * 7 % 5) / 4 for i in range(rows * columns)]
    return struct.pack(f"<2i{rows * columns}f", rows, columns, *heights)


def plm(work):
    """Payloads of small models, compiled here."""
    documents = sorted((ROOT / "models").glob("*.xml"))
    documents += sorted((ROOT / "tests" / "parity" / "cases").rglob("*.xml"))
    for document in documents:
        out = pathlib.Path(work) / "seed.plm"
        out.unlink(missing_ok=True)
        subprocess.run([PROGRAM, "compile", document, out], capture_output=True, check=False)
        if out.exists() and out.stat().st_size <= MAX_PLM_BYTES:
            yield out.read_bytes()[PLM_HEADER_BYTES:]


def mjz(method, folder=""):
    """An archive of a model, its mesh and a part that it includes."""
    model = (
        '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/>'
        '<include file="part.xml"/></worldbody></mujoco>'
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(f"{folder}model.xml", model)
        archive.writestr(f"{folder}m.obj", obj())
        archive.writestr(f"{folder}part.xml", '<mujocoinclude><geom size="1"/></mujocoinclude>')
    return buffer.getvalue()


def files(target, folders):
    """Small files of a target's kind."""
    pattern = {"mjcf": "*.xml", "hfield": "*.bin"}.get(target, f"*.{target}")
    if target not in ("plm", "plr"):  # are made from models
        yield from small_files(pattern, folders, MAX_PNG_BYTES if target == "png" else MAX_BYTES)


def seeds_of_others(target):
    return list(files(target, [models_of_others()]))


PLR_MODEL = """<mujoco><option solver="{}"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def plr(work):
    """Recordings of two solvers, one of which remembers rows; each also without the model inside."""
    for solver in ("Newton", "TGS"):
        (work / "seed.xml").write_text(PLR_MODEL.format(solver))
        subprocess.run([PROGRAM, "run", "seed.xml", "--steps", "6", "--record", "seed.plr", "--fields", "xpos"],
                       cwd=work, check=True, capture_output=True)  # fmt: skip
        data = (work / "seed.plr").read_bytes()
        yield data
        at, kept = 16, data[:16]
        while at < len(data):
            kind, length = struct.unpack_from("<4xI8xQ", data, at)
            kept += b"" if kind == 2 else data[at : at + 32 + length]
            at += 32 + length
        yield kept
        (work / "seed.xml").unlink()
        (work / "seed.plr").unlink()


def own_seeds(target, work):
    """Seeds of a target that are always there; `work` is a folder for files made on the way."""
    yield from files(target, [ROOT / "models", ROOT / "tests"])
    if target == "plm":
        yield from plm(work)
    if target == "plr":
        yield from plr(work)
    if target == "stl":
        yield stl()
    elif target == "mjz":
        yield from (mjz(zipfile.ZIP_STORED), mjz(zipfile.ZIP_DEFLATED), mjz(zipfile.ZIP_DEFLATED, "model/"))
    elif target == "obj":
        yield obj()
    elif target == "msh":
        yield from (msh(n, t) for n in (0, 1) for t in (0, 1))
    elif target == "skn":
        yield skn()
    elif target == "dae":
        yield dae().encode()
    elif target == "gltf":
        yield from (gltf().encode(), gltf("m.bin", "texture.png").encode())
    elif target == "glb":
        yield glb()
    elif target == "hfield":
        yield from (hfield(2, 2), hfield(5, 3), hfield(1, 1))
    elif target == "png":
        yield from (png(0, 1), png(0, 8, 0, 3, 4), png(0, 16), png(2, 8), png(3, 4), png(4, 8), png(6, 8, 1))


def regressions(target):
    folder = HERE / "regressions" / target
    return sorted(folder.iterdir()) if folder.exists() else []


def write_seeds(target, folder, own=True, others=True):
    """Writes every seed and regression into the folder; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = [*own_seeds(target, folder), *(path.read_bytes() for path in regressions(target))] if own else []
    contents += seeds_of_others(target) if others else []
    paths = []
    for i, data in enumerate(contents):
        paths.append(folder / f"seed-{i:04}")
        paths[-1].write_bytes(data)
    (folder / "seed.plm").unlink(missing_ok=True)
    return paths


def dictionary():
    """Words of MJCF for libFuzzer: elements, attributes and keywords of the schema, and odd numbers."""
    done = subprocess.run([PROGRAM, "schema", "--json"], capture_output=True, check=True, text=True)
    words = {"tiny.obj", "tiny.stl", "tiny.msh", "tiny.bin", "tiny.png", "part.xml", "child.xml"}
    words |= {"1e308", "1e-320", "nan", "2147483647", "-1", "0 0 0", "0.5", "true", "1 0 0 0"}
    for element in json.loads(done.stdout)["elements"]:
        words.add(f"<{element['tag']}")
        words.add(f"</{element['tag']}>")
        for attribute in element["attributes"]:
            words.add(f' {attribute["name"]}=\\"')
            words |= set(attribute["keywords"])
    return "".join(f'"{word}"\n' for word in sorted(words) if word)


URDF_WORDS = """
robot link joint inertial mass inertia origin visual collision geometry box sphere cylinder capsule mesh material color
texture parent child axis limit dynamics mimic calibration safety_controller transmission actuator mechanicalReduction
hardwareInterface mujoco compiler contact lateral_friction gazebo
"""
URDF_ATTRIBUTES = """
name type value xyz rpy quat_xyzw ixx iyy izz ixy ixz iyz size radius length filename scale rgba link lower upper effort
velocity damping friction joint multiplier offset fusestatic discardvisual balanceinertia
"""
URDF_VALUES = """
revolute continuous prismatic fixed floating planar spherical world tiny.obj tiny.stl package:// file:// 1e308 1e-320
nan -1 0
"""


def urdf_dictionary():
    """Words of URDF for libFuzzer."""
    words = [f"<{tag}" for tag in URDF_WORDS.split()] + [f"</{tag}>" for tag in URDF_WORDS.split()]
    words += [f' {name}=\\"' for name in URDF_ATTRIBUTES.split()] + URDF_VALUES.split() + ["0 0 0", "0 0 1"]
    return "".join(f'"{word}"\n' for word in words)
