"""Pages that play: one HTML file with the shapes of a model, its motion, contacts and plots, and the code that draws
them (page.js, WebGL). It needs no server, no network and no other file."""

import base64
import html
import json
import math
import pathlib
import re
import zlib

import numpy as np

from .. import _pliant
from . import marks, shapes
from .camera import default_angles
from .recording import recording_of
from .series import all_series

_HERE = pathlib.Path(__file__).resolve().parent
_MOST_COLUMNS = 48  # of one plot


class _Blob:
    """Arrays one after another; an array is named by [offset, length, type]."""

    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, array, dtype):
        array = np.ascontiguousarray(array, dtype)
        content = array.tobytes()
        at = self.size
        padded = content + b"\0" * (-len(content) % 4)
        self.parts.append(padded)
        self.size += len(padded)
        return [at, array.size, {"f4": "f", "i2": "h", "u2": "H", "u4": "I", "i1": "b", "i4": "i"}[dtype]]

    def text(self):
        return base64.b64encode(zlib.compress(b"".join(self.parts), 9)).decode()


def _mesh(blob, mesh):
    """Vertices in 16 bits of their bounding box, normals in 8."""
    low, high = mesh.vertices.min(0), mesh.vertices.max(0)
    span = np.maximum(high - low, 1e-12)
    packed = np.round((mesh.vertices - low) / span * 65535)
    out = {
        "v": blob.add(packed, "u2"),
        "f": blob.add(mesh.faces, "u2" if len(mesh.vertices) <= 65535 else "u4"),
        "low": low.tolist(),
        "span": span.tolist(),
    }
    if mesh.normals is not None:
        out["n"] = blob.add(np.round(np.clip(mesh.normals, -1, 1) * 127), "i1")
    if mesh.uv is not None:
        out["t"] = blob.add(mesh.uv, "f4")
    return out


def _solids(model, blob):
    """Meshes, their places by key, solids that use them, and images of textures."""
    meshes, places, drawn, images = [], {}, [], {}
    # what contacts, tendons and other marks are drawn with
    for key, mesh in ((("sphere",), shapes.unit_sphere()), (("cylinder",), shapes.unit_cylinder()),
                      (("box",), shapes.unit_box()), (("plane",), shapes.unit_plane()),
                      (("arrow",), shapes.unit_arrow())):  # fmt: skip
        places[key] = len(meshes)
        meshes.append(_mesh(blob, mesh))
    for solid in shapes.solids(model):
        if solid.mesh not in places:
            places[solid.mesh] = len(meshes)
            meshes.append(_mesh(blob, shapes.make_mesh(model, solid.mesh)))
        if solid.texture >= 0 and solid.texture not in images:
            image = base64.b64encode(shapes.png(shapes.texture_pixels(model, solid.texture))).decode()
            images[solid.texture] = "data:image/png;base64," + image
        drawn.append({
            "kind": solid.kind, "id": solid.id, "name": solid.name, "body": solid.body, "mesh": places[solid.mesh],
            "scale": _short(solid.scale), "pos": _short(solid.pos), "quat": _short(solid.quat),
            "rgba": _short(solid.rgba), "group": solid.group, "texture": solid.texture, "repeat": _short(solid.repeat),
            "shine": [round(float(solid.specular), 3), round(float(solid.shininess), 3), round(solid.emission, 3)],
            "endless": solid.endless,
        })  # fmt: skip
    return meshes, {key[0]: places[key] for key in places if len(key) == 1}, drawn, images


def _skins(model, blob):
    """Skins follow bones: the page moves the vertices."""
    out = []
    for s in range(model.nskin):
        v0, vn = int(model.skin_vertadr[s]), int(model.skin_vertnum[s])
        f0, fn = int(model.skin_faceadr[s]), int(model.skin_facenum[s])
        b0, bn = int(model.skin_boneadr[s]), int(model.skin_bonenum[s])
        bones = []
        for b in range(b0, b0 + bn):
            at, n = int(model.skin_bonevertadr[b]), int(model.skin_bonevertnum[b])
            bones.append({
                "body": int(model.skin_bonebodyid[b]), "pos": _short(model.skin_bonebindpos[b]),
                "quat": _short(model.skin_bonebindquat[b]),
                "vertices": blob.add(model.skin_bonevertid[at : at + n], "u4"),
                "weights": blob.add(model.skin_bonevertweight[at : at + n], "f4"),
            })  # fmt: skip
        look = shapes._material(model, int(model.skin_matid[s]), model.skin_rgba[s])
        out.append({"v": blob.add(model.skin_vert[v0 : v0 + vn], "f4"), "f": blob.add(model.skin_face[f0 : f0 + fn],
                    "u4"), "bones": bones, "rgba": _short(look["rgba"])})  # fmt: skip
    return out


def _short(numbers):
    """Numbers for JSON: seven digits are enough to draw."""
    return [float(f"{float(x):.7g}") for x in numbers]


class _Film:
    """What moves, frame by frame."""

    def __init__(self, model):
        self.model = model
        self.pos, self.quat, self.cam_pos, self.cam_mat = [], [], [], []
        self.contact_count, self.contact = [], []
        self.path_start, self.path_owner, self.path_points = [0], [], []
        self.frame_paths = [0]
        self.series = all_series(model)
        for series in self.series:
            if len(series.columns) > _MOST_COLUMNS:
                series.title += f" (first {_MOST_COLUMNS} of {len(series.columns)})"
                series.columns = series.columns[:_MOST_COLUMNS]
        self.numbers = [[] for _ in self.series]

    def add(self, world):
        m, d = self.model, world.data
        self.pos.append(d.xpos.copy())
        self.quat.append(d.xquat.copy())
        self.cam_pos.append(d.cam_xpos.copy())
        self.cam_mat.append(d.cam_xmat.copy())
        contacts, force = marks.contacts(d), marks.contact_forces(m, d)
        self.contact_count.append(len(contacts))
        if len(contacts):
            self.contact.append(np.concatenate([contacts["pos"], force, contacts["frame"][:, :3],
                                                contacts["dist"][:, None], contacts["geom"]], 1))  # fmt: skip
        for tendon, points in marks.tendon_paths(m, d):
            self.path_owner.append(tendon)
            self.path_points.append(points)
            self.path_start.append(self.path_start[-1] + len(points))
        self.frame_paths.append(len(self.path_owner))
        for series, numbers in zip(self.series, self.numbers):
            row = np.asarray(series.read(world), float).ravel()[: len(series.columns)]
            numbers.append(row.copy())

    def packed(self, blob):
        columns = 12
        contact = np.concatenate(self.contact) if self.contact else np.zeros((0, columns))
        points = np.concatenate(self.path_points) if self.path_points else np.zeros((0, 3))
        quat = np.array(self.quat)
        # a turn and its negative are the same: neighbours in time get the same sign
        for i in range(1, len(quat)):
            quat[i] *= np.where((quat[i] * quat[i - 1]).sum(1, keepdims=True) < 0, -1, 1)
        return {
            "pos": blob.add(np.array(self.pos), "f4"), "quat": blob.add(np.round(quat * 32767), "i2"),
            "camPos": blob.add(np.array(self.cam_pos), "f4"), "camMat": blob.add(np.array(self.cam_mat), "f4"),
            "contactStart": blob.add(np.concatenate([[0], np.cumsum(self.contact_count)]), "u4"),
            "contact": blob.add(contact, "f4"),
            "pathStart": blob.add(self.path_start, "u4"), "pathOwner": blob.add(self.path_owner, "u4"),
            "pathPoints": blob.add(points, "f4"), "framePaths": blob.add(self.frame_paths, "u4"),
            "series": [{"title": s.title, "unit": s.unit, "columns": s.columns, "rows": blob.add(np.array(rows), "f4")}
                       for s, rows in zip(self.series, self.numbers) if s.columns],
        }  # fmt: skip


def _middle(model, film):
    """Point to look at and size to show: what moves, over the whole film, unless that is far."""
    center, extent = np.array(model.stat.center, float), float(model.stat.extent)
    moves = np.flatnonzero(np.asarray(model.body_weldid) != 0)
    if not len(moves):
        return center, extent
    radius = np.zeros(model.nbody)  # of a ball about the body's frame that holds its geoms
    np.maximum.at(radius, model.geom_bodyid, np.linalg.norm(model.geom_pos, axis=1) + model.geom_rbound)
    places, radius = np.array(film.pos)[:, moves], radius[moves][:, None]
    low, high = (places - radius).min((0, 1)), (places + radius).max((0, 1))
    size = 0.8 * float(np.linalg.norm(high - low))
    return ((low + high) / 2, max(size, 0.5 * extent)) if size <= 2 * extent else (center, extent)


def _sight(model, film):
    """Colours of the sky and the light, and where to look from."""
    center, size = _middle(model, film)
    sky = shapes.sky_colours(model)
    azimuth, elevation = default_angles(model)
    return {
        "sky": [_short(c) for c in sky] if sky else None,
        "center": _short(center), "extent": float(model.stat.extent), "shown": size,
        "azimuth": azimuth, "elevation": elevation, "fovy": float(model.vis.global_.fovy),
        "forceScale": marks.force_scale(model), "size": float(model.stat.meansize),
        "headlight": _short(model.vis.headlight.diffuse) if model.vis.headlight.active else [0, 0, 0],
        "ambient": _short(model.vis.headlight.ambient),
        "lights": [{"dir": _short(model.light_dir[i]), "pos": _short(model.light_pos[i]),
                    "diffuse": _short(model.light_diffuse[i])}
                   for i in range(model.nlight) if model.light_active[i] and model.light_bodyid[i] == 0],
    }  # fmt: skip


def page_text(model, source, *, fps=60, title=None, camera=None, story="", table=None, speed=1.0, links=(),
              progress=None):  # fmt: skip
    """The page that `save_html` writes, as text."""
    if not (math.isfinite(fps) and fps > 0):
        raise ValueError(f"fps must be positive; it is {fps}")
    if not (math.isfinite(speed) and speed > 0):
        raise ValueError(f"speed must be positive; it is {speed}")
    recording = recording_of(model, source)
    world, film, blob = _pliant.World(model), _Film(model), _Blob()
    rows = recording.rows_at(fps)
    for done, row in enumerate(rows, 1):
        recording.put(row, world.state)
        _pliant.forward(model, world.state, world.data)
        film.add(world)
        if progress is not None:
            progress(done, len(rows))
    meshes, tools, drawn, images = _solids(model, blob)
    cameras = [model.name("camera", i) or f"camera {i}" for i in range(model.ncam)]
    if camera is not None and camera not in cameras:
        raise ValueError(f"there is no camera '{camera}'; " + (
            f"the model has {', '.join(cameras)}" if cameras else "the model has none"))  # fmt: skip
    content = {
        "title": title or model.model_name, "story": story, "table": table, "speed": speed, "links": list(links),
        "time": blob.add(recording.time[rows] - recording.time[rows[0]], "f4"), "start": float(recording.time[rows[0]]),
        "bodies": [model.name("body", b) or ("world" if b == 0 else f"body {b}") for b in range(model.nbody)],
        "moves": [int(x) for x in np.asarray(model.body_weldid) != 0],
        "mass": _short(model.body_mass), "ipos": [_short(p) for p in model.body_ipos],
        "iquat": [_short(q) for q in model.body_iquat], "ibox": [_short(b) for b in marks.inertia_boxes(model)],
        "meshes": meshes, "tools": tools, "solids": drawn, "images": images, "skins": _skins(model, blob),
        "reach": shapes.endless_reach(model), "grid": shapes.grid_size(model),
        "tendons": [{"name": model.name("tendon", t) or f"tendon {t}", "rgba": _short(model.tendon_rgba[t]),
                     "width": float(model.tendon_width[t])} for t in range(model.ntendon)],
        "cameras": cameras, "camera": camera, "fovy": _short(model.cam_fovy), "film": film.packed(blob),
        "sight": _sight(model, film),
    }  # fmt: skip
    parts = {
        "TITLE": html.escape(content["title"]),
        # `</` or `<!--` would end or spoil the script element
        "DATA": json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "BLOB": blob.text(),
        "CODE": (_HERE / "page.js").read_text(encoding="utf-8"),
    }
    page = (_HERE / "page.html").read_text(encoding="utf-8")
    return re.sub("@(TITLE|DATA|BLOB|CODE)@", lambda found: parts[found[1]], page)


def save_html(model, recording, path, **options):
    """Writes a page that plays a recording: one file that needs no network and no other file.

    `recording` is a file of `pliant run --record` (*.plr, *.npz, *.csv), a dict of arrays (time, qpos, qvel …), rows of
    states ((n, nq) or as rollouts give them) or a list of State or MjData. Options: `fps` (60 frames a second at most),
    `title`, `camera` (a camera of the model to start with), `speed`, `story` (a sentence or two), `table` (rows of
    text, the first is the head), `links` ([(text, address)]), `progress` (a function of frames done and all frames).
    Forces and solver numbers are those of a forward pass at each frame.
    """
    return write_whole(path, page_text(model, recording, **options))


def write_whole(path, text):
    """Writes a file whole or not at all."""
    target = pathlib.Path(path)
    temporary = target.with_name(f".{target.name}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except OSError as problem:
        if temporary.exists():
            temporary.unlink()
        raise OSError(f"{target} cannot be written: {problem.strerror}") from None
    return target
