"""Shapes of a model as triangles, their colours and textures: what a page or a viewer draws.

Shapes that differ in size only share a mesh: a sphere is the unit sphere with a scale. `Solid` says which mesh, which
scale and which colour a geom or site has; a drawing program groups solids by mesh.
"""

import dataclasses
import functools
import math
import struct
import zlib

import numpy as np

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
_SEGMENTS = 24  # of a circle
_RGB_ROLES = (1, 8)  # of mat_texid: rgb, rgba
_TEXTURE_2D = 0


@dataclasses.dataclass(frozen=True)
class Mesh:
    """Triangles. `normals` and `uv` belong to vertices; a mesh without normals is drawn flat. The second of `uv` counts
    from the upper edge of an image."""

    vertices: np.ndarray  # (n, 3) float32
    faces: np.ndarray  # (m, 3) int32
    normals: np.ndarray | None = None
    uv: np.ndarray | None = None


@dataclasses.dataclass
class Solid:
    """A geom or site as it is drawn, in the frame of its body."""

    kind: str  # "geom" or "site"
    id: int
    name: str
    body: int
    mesh: tuple  # key: the same key, the same mesh
    scale: np.ndarray  # (3,)
    pos: np.ndarray
    quat: np.ndarray
    rgba: np.ndarray  # (4,)
    group: int
    texture: int = -1  # or none: -1. Those around cubes belong to meshes with the key ("cube", …)
    repeat: tuple = (1.0, 1.0)  # of texture coordinates, or (without coordinates) periods per length
    shininess: float = 0.5
    specular: float = 0.5
    emission: float = 0.0
    endless: bool = False  # a plane without size


# ---- meshes ----------------------------------------------------------------------------------------


def _profile(points, normals):
    """The surface that a profile (radius, height) sweeps about z; normals likewise."""
    points, normals = np.asarray(points, float), np.asarray(normals, float)
    angle = np.linspace(0, 2 * np.pi, _SEGMENTS, endpoint=False)
    turn = np.stack([np.cos(angle), np.sin(angle)], 1)

    def sweep(values):
        out = np.empty((len(values), _SEGMENTS, 3))
        out[:, :, :2] = values[:, None, :1] * turn[None]
        out[:, :, 2] = values[:, None, 1]
        return out.reshape(-1, 3).astype(np.float32)

    i, k = np.meshgrid(np.arange(len(points) - 1), np.arange(_SEGMENTS), indexing="ij")
    after = (k + 1) % _SEGMENTS
    a, b, c, d = (x.ravel() for x in (i * _SEGMENTS + k, i * _SEGMENTS + after, (i + 1) * _SEGMENTS + after,
                                      (i + 1) * _SEGMENTS + k))  # fmt: skip
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)
    vertices = sweep(points)
    corners = vertices[faces]
    full = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) > 1e-12
    return Mesh(vertices, faces[full], sweep(normals))


def _arc(start, end, count):
    angle = np.linspace(start, end, count)
    return np.stack([np.cos(angle), np.sin(angle)], 1)


@functools.cache
def unit_sphere():
    arc = _arc(-np.pi / 2, np.pi / 2, 17)
    return _profile(arc, arc)


def capsule(ratio):
    """Radius 1; `ratio`: half length of the straight part over the radius."""
    low, high = _arc(-np.pi / 2, 0, 9), _arc(0, np.pi / 2, 9)
    return _profile(np.concatenate([low - [0, ratio], high + [0, ratio]]), np.concatenate([low, high]))


@functools.cache
def unit_cylinder():
    points = [(0, -1), (1, -1), (1, -1), (1, 1), (1, 1), (0, 1)]
    normals = [(0, -1), (0, -1), (1, 0), (1, 0), (0, 1), (0, 1)]
    return _profile(points, normals)


@functools.cache
def unit_box():
    vertices, normals, faces = [], [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = np.roll(np.eye(3), 1, 0)[axis], np.roll(np.eye(3), 2, 0)[axis]
            n = np.eye(3)[axis] * side
            if np.dot(np.cross(u, v), n) < 0:
                u, v = v, u
            first = len(vertices)
            vertices += [n - u - v, n + u - v, n + u + v, n - u + v]
            normals += [n] * 4
            faces += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    return Mesh(np.array(vertices, np.float32), np.array(faces, np.int32), np.array(normals, np.float32))


@functools.cache
def unit_plane():
    vertices = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
    return Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.array([[0, 0, 1]] * 4, np.float32))


@functools.cache
def unit_arrow():
    """Along z from 0 to 1; half of its widest part is 1 across, so that a scale sets length and width."""
    points = [(0, 0), (0.5, 0), (0.5, 0), (0.5, 0.75), (0.5, 0.75), (1, 0.75), (1, 0.75), (0, 1)]
    normals = [(0, -1), (0, -1), (1, 0), (1, 0), (0, -1), (0, -1), (0.7, 0.7), (0.7, 0.7)]
    return _profile(points, normals)


def model_mesh(model, number):
    """A mesh of the model; corners that differ in normal or texture coordinate become vertices of their own."""
    v0, vn = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    f0, fn = int(model.mesh_faceadr[number]), int(model.mesh_facenum[number])
    n0, t0 = int(model.mesh_normaladr[number]), int(model.mesh_texcoordadr[number])
    vertices = np.asarray(model.mesh_vert[v0 : v0 + vn])
    corners = np.asarray(model.mesh_face[f0 : f0 + fn]).ravel().astype(np.int64)
    key = corners.copy()
    normal_of = np.asarray(model.mesh_facenormal[f0 : f0 + fn]).ravel().astype(np.int64)
    key = key * (int(model.mesh_normalnum[number]) + 1) + normal_of
    texture_of = None
    if t0 >= 0:
        texture_of = np.asarray(model.mesh_facetexcoord[f0 : f0 + fn]).ravel().astype(np.int64)
        key = key * (int(model.mesh_texcoordnum[number]) + 1) + texture_of
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return Mesh(
        np.ascontiguousarray(vertices[corners[first]], np.float32),
        place.reshape(-1, 3).astype(np.int32),
        np.ascontiguousarray(model.mesh_normal[n0 + normal_of[first]], np.float32),
        np.ascontiguousarray(model.mesh_texcoord[t0 + texture_of[first]], np.float32) if t0 >= 0 else None,
    )


def hull(model, number):
    """The convex hull that a mesh collides with; None if it has none."""
    start = int(model.mesh_graphadr[number])
    if start < 0:
        return None
    v0, vn = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    corners, faces = (int(x) for x in model.mesh_graph[start : start + 2])
    at = start + 2 + 2 * corners + corners + 3 * faces
    face = np.asarray(model.mesh_graph[at : at + 3 * faces], np.int32).reshape(-1, 3)
    return Mesh(np.ascontiguousarray(model.mesh_vert[v0 : v0 + vn], np.float32), face)


def height_field(model, number):
    """Top surface and the walls down to its base."""
    rows, cols, start = (int(a[number]) for a in (model.hfield_nrow, model.hfield_ncol, model.hfield_adr))
    half_x, half_y, top, base = (float(x) for x in model.hfield_size[number])
    x, y = np.meshgrid(np.linspace(-half_x, half_x, cols), np.linspace(-half_y, half_y, rows))
    z = top * np.asarray(model.hfield_data[start : start + rows * cols], float).reshape(rows, cols)
    vertices = [np.stack([x, y, z], -1).reshape(-1, 3)]
    grid = np.arange(rows * cols).reshape(rows, cols)
    a, b, c, d = grid[:-1, :-1].ravel(), grid[:-1, 1:].ravel(), grid[1:, 1:].ravel(), grid[1:, :-1].ravel()
    faces = [np.stack([a, b, c], 1), np.stack([a, c, d], 1)]
    slope_y, slope_x = np.gradient(z, 2 * half_y / max(rows - 1, 1), 2 * half_x / max(cols - 1, 1))
    normal = np.stack([-slope_x, -slope_y, np.ones_like(z)], -1).reshape(-1, 3)
    normals = [normal / np.linalg.norm(normal, axis=1, keepdims=True)]
    count = rows * cols
    for edge, outward in ((grid[0], (0, -1, 0)), (grid[:, -1], (1, 0, 0)), (grid[-1, ::-1], (0, 1, 0)),
                          (grid[::-1, 0], (-1, 0, 0))):  # fmt: skip
        upper = vertices[0][edge]
        lower = upper * [1, 1, 0] - [0, 0, base]
        n = len(edge)
        vertices += [upper, lower]
        normals.append(np.tile(np.array(outward, float), (2 * n, 1)))
        i = count + np.arange(n - 1)
        faces += [np.stack([i + n, i + n + 1, i + 1], 1), np.stack([i + n, i + 1, i], 1)]
        count += 2 * n
    return Mesh(np.concatenate(vertices).astype(np.float32), np.concatenate(faces).astype(np.int32),
                np.concatenate(normals).astype(np.float32))  # fmt: skip


def _unit_directions(key, vertices):
    """Where the middle of a shape sees its vertices when every shape is one of size 1, as textures around cubes have
    it; a capsule's caps are moved onto the ends of its cylinder."""
    out = np.array(vertices, float)
    if key[0] == "capsule":
        z, half = out[:, 2].copy(), max(key[1], 1e-9)
        side = np.sign(z)
        out[:, 2] = np.where(np.abs(z) > half, side + z - side * half, z / half)
    return out


def cubed(mesh, directions, faces, width):
    """A mesh with coordinates on a texture around a cube, whose `faces` (one for all sides, or +x −x +y −y +z −z) stand
    one below the other, each `width` pixels wide. A triangle takes the side that its middle looks through; what it has
    beyond that side's edge is the edge."""
    corners = directions[mesh.faces]
    middle = corners.mean(1)
    axis = np.abs(middle).argmax(1)
    front = np.take_along_axis(middle, axis[:, None], 1)[:, 0] >= 0
    depth = np.abs(np.take_along_axis(corners, axis[:, None, None], 2)[..., 0])
    x, y, z = np.moveaxis(corners, 2, 0)
    sign = np.where(front, 1.0, -1.0)[:, None]
    # as OpenGL has cube maps
    s = np.choose(axis[:, None], [-sign * z, x, sign * x]) / np.maximum(depth, 1e-9)
    t = np.choose(axis[:, None], [-y, sign * z, -y]) / np.maximum(depth, 1e-9)
    edge = 1 - 1 / width  # half a pixel inside: neighbours do not shine through
    side = (2 * axis + ~front if faces == 6 else 0 * axis)[:, None]
    uv = np.stack([0.5 * (1 + np.clip(s, -edge, edge)), (side + 0.5 * (1 + np.clip(t, -edge, edge))) / faces], -1)
    own = mesh.faces.ravel()
    return Mesh(mesh.vertices[own], np.arange(len(own), dtype=np.int32).reshape(-1, 3),
                None if mesh.normals is None else mesh.normals[own], uv.reshape(-1, 2).astype(np.float32))  # fmt: skip


def make_mesh(model, key):
    """The mesh that a solid's key names."""
    kind, *rest = key
    if kind == "cube":
        inner, texture, scale = rest
        mesh = make_mesh(model, inner)
        width = int(model.tex_width[texture])
        faces = 6 if int(model.tex_height[texture]) == 6 * width else 1
        directions = _unit_directions(inner, mesh.vertices)
        return cubed(mesh, directions if scale is None else directions * scale, faces, width)
    makers = {
        "sphere": unit_sphere,
        "box": unit_box,
        "cylinder": unit_cylinder,
        "plane": unit_plane,
        "capsule": capsule,
        "mesh": lambda number: model_mesh(model, number),
        "hfield": lambda number: height_field(model, number),
    }
    return makers[kind](*rest)


# ---- solids ----------------------------------------------------------------------------------------


def _mesh_key(model, kind, size, data):
    """Key of the mesh and scale of a shape."""
    if kind == SPHERE:
        return ("sphere",), np.full(3, size[0])
    if kind == CAPSULE:
        radius = max(size[0], 1e-9)
        return ("capsule", round(size[1] / radius, 4)), np.full(3, radius)
    if kind == ELLIPSOID:
        return ("sphere",), np.array(size)
    if kind == CYLINDER:
        return ("cylinder",), np.array([size[0], size[0], size[1]])
    if kind == BOX:
        return ("box",), np.array(size)
    if kind == PLANE:
        reach = endless_reach(model)
        return ("plane",), np.array([size[0] or reach, size[1] or reach, 1.0])
    return ("mesh" if kind == MESH else "hfield", int(data)), np.ones(3)


def endless_reach(model):
    """Half size that a plane without size is drawn with."""
    return 20.0 * max(float(model.stat.extent), 1.0)


def _material(model, matid, rgba):
    """Colour, texture and shine."""
    look = {"rgba": np.array(rgba, float)}
    if matid < 0:
        return look
    colour = np.array(model.mat_rgba[matid], float)
    # as the reference: a colour of the object's own wins over the material's
    if np.allclose(rgba, (0.5, 0.5, 0.5, 1)):
        look["rgba"] = colour
    texture = next((int(t) for t in model.mat_texid[matid][list(_RGB_ROLES)] if t >= 0), -1)
    if texture >= 0:
        look["texture"] = texture
    look["shininess"], look["specular"] = float(model.mat_shininess[matid]), float(model.mat_specular[matid])
    look["emission"] = float(model.mat_emission[matid])
    return look


def grid_size(model):
    """Squares that a plane without texture is drawn with."""
    return 10 ** math.floor(math.log10(max(float(model.stat.extent), 1e-6))) / 2


def checker():
    """A texture of two squares by two, nearly alike."""
    square = np.full((2, 2, 3), 255, np.uint8)
    square[0, 1] = square[1, 0] = 232
    return square.repeat(16, 0).repeat(16, 1)


def mean_colour(model, texture):
    pixels = texture_pixels(model, texture)[..., :3]
    return pixels.reshape(-1, pixels.shape[-1]).mean(0) / 255


def _texture_repeat(model, matid, key, scale):
    """Texture coordinates of a mesh are multiplied; other shapes have so many periods per unit of their mesh."""
    repeat = np.array(model.mat_texrepeat[matid], float)
    if key[0] == "mesh":
        return tuple(repeat)
    if model.mat_texuniform[matid]:
        return tuple(0.5 * repeat * scale[:2])
    return tuple(0.5 * repeat)


def _solid(model, kind, number, data):
    m, prefix = model, kind + "_"
    shape = int(getattr(m, prefix + "type")[number])
    size = [float(x) for x in getattr(m, prefix + "size")[number]]
    key, scale = _mesh_key(m, shape, size, data)
    matid = int(getattr(m, prefix + "matid")[number])
    look = _material(m, matid, getattr(m, prefix + "rgba")[number])
    texture = look.get("texture", -1)
    if texture >= 0 and int(m.tex_type[texture]) != _TEXTURE_2D:
        if key[0] in ("plane", "hfield"):  # flat: no direction is theirs
            look["rgba"][:3] *= mean_colour(m, texture)
            look["texture"] = -1
        elif key[0] != "mesh" or m.mesh_texcoordadr[key[1]] < 0:
            sides = (size[0], size[0], size[1]) if key[0] == "capsule" else tuple(float(x) for x in scale)
            key = ("cube", key, texture, sides if m.mat_texuniform[matid] and key[0] != "mesh" else None)
    elif texture >= 0:
        look["repeat"] = _texture_repeat(m, matid, key, scale)
        if shape == PLANE and size[0] == 0 and not m.mat_texuniform[matid]:
            look["repeat"] = tuple(0.5 * np.array(m.mat_texrepeat[matid], float) * scale[:2])
    return Solid(
        kind,
        number,
        object_name(m, kind, number),
        int(getattr(m, prefix + "bodyid")[number]),
        key,
        scale,
        np.array(getattr(m, prefix + "pos")[number]),
        np.array(getattr(m, prefix + "quat")[number]),
        group=int(getattr(m, prefix + "group")[number]),
        endless=shape == PLANE and 0 in size[:2],
        **look,
    )


def without_cube(model, solid):
    """A solid that has the mean colour of its texture, where that is around a cube."""
    if solid.mesh[0] != "cube":
        return solid
    rgba = solid.rgba * [*mean_colour(model, solid.texture), 1]
    return dataclasses.replace(solid, mesh=solid.mesh[1], rgba=rgba, texture=-1)


def object_name(model, kind, number):
    """Its name; of a geom or site without one, that of its body."""
    name = model.name(kind, number)
    if name:
        return name
    if kind not in ("geom", "site"):
        return "world" if (kind, number) == ("body", 0) else f"{kind} {number}"
    body = int((model.geom_bodyid if kind == "geom" else model.site_bodyid)[number])
    return f"{object_name(model, 'body', body)} ({kind} {number})"


def solids(model):
    """All geoms and sites, in the order of the model."""
    geoms = [_solid(model, "geom", g, model.geom_dataid[g]) for g in range(model.ngeom)]
    return geoms + [_solid(model, "site", s, model.site_dataid[s]) for s in range(model.nsite)]


# ---- textures --------------------------------------------------------------------------------------


def texture_pixels(model, texture):
    """(height, width, channels) bytes."""
    height, width, channels = (int(a[texture]) for a in (model.tex_height, model.tex_width, model.tex_nchannel))
    start = int(model.tex_adr[texture])
    return np.asarray(model.tex_data[start : start + height * width * channels]).reshape(height, width, channels)


def png(pixels):
    """An image file of (height, width, 1, 3 or 4) bytes."""
    height, width, channels = pixels.shape
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = np.zeros((height, 1 + width * channels), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
        + chunk(b"IEND", b"")
    )


def sky_colours(model):
    """(top, horizon) of the skybox, 0 … 1; None without one."""
    for texture in range(model.ntex):
        if int(model.tex_type[texture]) == 2:  # skybox
            pixels = texture_pixels(model, texture)[..., :3] / 255
            side = pixels.shape[1]
            if pixels.shape[0] < 6 * side:  # one square for all sides
                return pixels[0].mean(0), pixels[-1].mean(0)
            up, front = pixels[2 * side : 3 * side], pixels[4 * side : 5 * side]
            return up.reshape(-1, pixels.shape[-1]).mean(0), front[-side // 8 :].reshape(-1, pixels.shape[-1]).mean(0)
    return None
