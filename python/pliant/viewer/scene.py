"""The model in viser's scene: shapes by batches, and marks of contacts, forces, tendons and more.

Shapes with the same mesh are one node of the scene with many instances, so that a frame of a hundred humanoids costs a
few messages. Positions come from a Data of the viewer's own that has been through kinematics only, so that looking at a
simulation never changes it; contacts and forces come from the Data of the last step.
"""

import dataclasses

import numpy as np

from .. import _pliant
from . import marks, shapes
from .server import log

_ISLAND_COLOURS = np.array([[37, 99, 196], [217, 72, 15], [43, 138, 62], [156, 54, 181], [201, 42, 42], [11, 114, 133],
                            [230, 119, 0], [95, 61, 196], [166, 30, 77], [73, 80, 87]], np.uint8)  # fmt: skip
_CHOSEN = np.array([255, 190, 50], np.uint8)


@dataclasses.dataclass
class Options:
    """What is shown."""

    contacts: bool = True
    forces: bool = True
    tendons: bool = True
    sites: bool = False
    skins: bool = True
    cameras: bool = False
    lights: bool = False
    joints: bool = False
    centres: bool = False
    inertias: bool = False
    hulls: bool = False
    transparent: bool = False
    islands: bool = False
    wireframe: bool = False
    textures: bool = True
    statics: bool = True  # what cannot move
    names: str = "none"  # "bodies", "geoms", "sites", "joints", "cameras", "lights"
    frames: str = "none"  # the same without joints and lights; "world"
    geom_groups: tuple = (True, True, True, False, False, False)
    site_groups: tuple = (True, True, True, False, False, False)


class _Batch:
    """Solids that share a mesh: one node of the scene."""

    def __init__(self, scene, name, mesh, solids, opacity, wireframe=False):
        self.solids, self.handle = solids, None
        self.of_geoms = np.array([s.kind == "geom" for s in solids])
        self.ids = np.array([s.id for s in solids])
        self.bodies = np.array([s.body for s in solids])
        self.colours = np.array([np.clip(s.rgba[:3] * 255, 0, 255) for s in solids], np.uint8)
        opacities = np.array([s.rgba[3] for s in solids], np.float32) * opacity
        self.handle = scene.add_batched_meshes_simple(
            name,
            mesh.vertices,
            mesh.faces,
            batched_wxyzs=np.tile([1.0, 0, 0, 0], (len(solids), 1)),
            batched_positions=np.zeros((len(solids), 3)),
            batched_scales=np.array([s.scale for s in solids], np.float32),
            batched_colors=self.colours,
            batched_opacities=None if np.all(opacities >= 1) else opacities,
            flat_shading=mesh.normals is None and not wireframe,
            wireframe=wireframe,
            lod="off",
            side="double" if solids[0].mesh[0] == "plane" else "front",
        )

    def move(self, data):
        pos = np.where(self.of_geoms[:, None], data.geom_xpos[np.where(self.of_geoms, self.ids, 0)], 0)
        quat = np.where(self.of_geoms[:, None], data.geom_xquat[np.where(self.of_geoms, self.ids, 0)], 0)
        if not self.of_geoms.all():
            sites = ~self.of_geoms
            pos[sites], quat[sites] = data.site_xpos[self.ids[sites]], data.site_xquat[self.ids[sites]]
        self.handle.batched_positions = pos.astype(np.float32)
        self.handle.batched_wxyzs = quat.astype(np.float32)


_MOST_CUBES = 100  # each is a node with an image of its own


class _Textured:
    """A solid with a texture: a node of its own."""

    def __init__(self, scene, name, model, solid):
        import trimesh
        from PIL import Image

        mesh = shapes.make_mesh(model, solid.mesh)
        if solid.texture < 0:  # a plane: squares show that one moves over it
            solid = dataclasses.replace(solid, repeat=tuple(solid.scale[:2] / (2 * shapes.grid_size(model))))
        if mesh.uv is not None:  # trimesh counts from the lower edge of an image
            uv = np.array([0, 1]) + mesh.uv * solid.repeat * [1, -1]
        else:
            uv = mesh.vertices[:, :2] * solid.repeat - 0.5
        pixels = shapes.texture_pixels(model, solid.texture) if solid.texture >= 0 else shapes.checker()
        image = Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels[..., :3])
        colour = np.clip(solid.rgba * 255, 0, 255).astype(np.uint8)
        material = trimesh.visual.material.PBRMaterial(
            baseColorTexture=image, baseColorFactor=colour, metallicFactor=0.0, roughnessFactor=0.8,
            alphaMode="BLEND" if solid.rgba[3] < 1 else "OPAQUE",
        )  # fmt: skip
        self.solids = [solid]
        self.handle = scene.add_mesh_trimesh(
            name,
            trimesh.Trimesh(
                mesh.vertices * solid.scale, mesh.faces, vertex_normals=mesh.normals, process=False,
                visual=trimesh.visual.TextureVisuals(uv=uv, material=material),
            ),
        )  # fmt: skip

    def move(self, data):
        solid = self.solids[0]
        at, turn = (data.geom_xpos, data.geom_xquat) if solid.kind == "geom" else (data.site_xpos, data.site_xquat)
        self.handle.position, self.handle.wxyz = at[solid.id], turn[solid.id]


class _Marks:
    """A changing number of arrows, discs or boxes: one node that grows; what is not used has no size."""

    def __init__(self, scene, name, mesh, colour, opacity=None, on_click=None):
        self.scene, self.name, self.mesh, self.colour, self.opacity = scene, name, mesh, colour, opacity
        self.on_click = on_click  # gets the number of the mark
        self.handle, self.room, self.used = None, 0, 0

    def show(self, positions, quats, scales, colours=None):
        n = len(positions)
        if n == 0 and self.used == 0:
            return
        if n > self.room:
            self.room = max(16, 2 * n)
            if self.handle:
                self.handle.remove()
            self.handle = self.scene.add_batched_meshes_simple(
                self.name, self.mesh.vertices, self.mesh.faces, np.tile([1.0, 0, 0, 0], (self.room, 1)),
                np.zeros((self.room, 3)), batched_scales=np.zeros((self.room, 3), np.float32),
                batched_colors=np.tile(np.array(self.colour, np.uint8), (self.room, 1)), opacity=self.opacity,
                lod="off", cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
            if self.on_click:

                async def clicked(event):
                    self.on_click(event.instance_index)

                self.handle.on_click(clicked)
        room = self.room

        def padded(values, width):
            out = np.zeros((room, width), np.float32)
            out[:n] = values
            return out

        wxyz = padded(quats, 4)
        wxyz[n:, 0] = 1
        self.handle.batched_scales = padded(scales, 3)
        self.handle.batched_positions = padded(positions, 3)
        self.handle.batched_wxyzs = wxyz
        if colours is not None:
            out = np.tile(np.array(self.colour, np.uint8), (room, 1))
            out[:n] = colours
            self.handle.batched_colors = out
        self.used = n

    def hide(self):
        self.show(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)))


class Scene:
    """Draws a model. `update` shows a state; `rebuild` follows changed options."""

    def __init__(self, server, model, on_click=None, on_contact=None, on_drag=None):
        self.api, self.model, self.on_click, self.on_drag = server.scene, model, on_click, on_drag
        self.options, self.chosen = Options(), None  # chosen: a geom
        groups = {int(g) for g in model.geom_group}
        if groups and min(groups) > 2:
            self.options.geom_groups = (True,) * 6
        self.view = _pliant.Data(model)
        self.solids = shapes.solids(model)
        cubes = sum(solid.mesh[0] == "cube" for solid in self.solids)
        if cubes > _MOST_CUBES:
            log.warning("%d shapes with textures around cubes are shown in the mean colours of these; the viewer has "
                        "room for %d", cubes, _MOST_CUBES)  # fmt: skip
            self.solids = [shapes.without_cube(model, solid) for solid in self.solids]
        self.meshes = {}
        self.moves = np.array([self._moves(b) for b in range(model.nbody)])
        self.size = float(model.stat.meansize)
        self.parts, self.labels, self.frustums, self.skins = [], [], [], []
        self.findings = {}  # body -> text, from doctor
        self.api.set_up_direction("+z")
        self._sky()
        self.discs = _Marks(self.api, "/marks/contacts", shapes.unit_cylinder(), (245, 140, 25), None, on_contact)
        self.arrows = _Marks(self.api, "/marks/forces", shapes.unit_arrow(), (215, 40, 40))
        self.axes = _Marks(self.api, "/marks/joints", shapes.unit_arrow(), (40, 120, 220))
        self.centres = _Marks(self.api, "/marks/centres", shapes.unit_sphere(), (30, 30, 30))
        self.boxes = _Marks(self.api, "/marks/inertias", shapes.unit_box(), (200, 80, 200), 0.4)
        self.pull = _Marks(self.api, "/marks/pull", shapes.unit_arrow(), (40, 160, 60))
        self.pull_force = None  # its label
        self.frame_axes = _Marks(self.api, "/marks/frames", shapes.unit_arrow(), (200, 60, 60))
        self.user, self.strangers = {}, set()
        self.tendons = None
        self.tendon_points = np.zeros((0, 2, 3))
        self.inertia_sizes = marks.inertia_boxes(model)
        self.force_scale = marks.force_scale(model)
        self.rebuild()

    def _moves(self, body):
        m = self.model
        return bool(m.body_weldid[body] != 0 or m.body_mocapid[m.body_rootid[body]] >= 0)

    def _sky(self):
        top, low = shapes.sky_colours(self.model) or (np.array([0.78, 0.86, 0.94]), np.array([0.97, 0.98, 1.0]))
        share = np.linspace(0, 1, 64)[:, None, None]
        # no fog, though planes without end would fade into it: viser's outline of a shape under the pointer cannot be
        # drawn in fog, and every frame would fail while somebody points at something
        self.api.set_background_image((255 * ((1 - share) * top + share * low)).astype(np.uint8).repeat(8, 1))

    def _mesh(self, key):
        if key not in self.meshes:
            self.meshes[key] = shapes.make_mesh(self.model, key)
        return self.meshes[key]

    def shown(self, solid):
        o = self.options
        if solid.rgba[3] <= 0:
            return False
        if not o.statics and not self.moves[solid.body]:
            return False
        groups = o.geom_groups if solid.kind == "geom" else o.site_groups
        return groups[min(max(solid.group, 0), 5)] and (solid.kind == "geom" or o.sites)

    # ---- nodes ------------------------------------------------------------------------------------

    def rebuild(self):
        """Nodes for what the options show. Shapes that moved or changed are looked up again."""
        for part in self.parts:
            part.handle.remove()
        for handle in [*self.frustums, *(skin for _, skin in self.skins)]:
            handle.remove()
        self.parts, self.frustums, self.skins = [], [], []
        groups, o = {}, self.options
        for solid in self.solids:
            if not self.shown(solid):
                continue
            plain = o.islands or o.wireframe or not o.textures
            if (solid.texture >= 0 and not plain) or (solid.mesh == ("plane",) and not o.wireframe):
                if plain:  # squares of its own instead of its texture
                    solid = dataclasses.replace(solid, texture=-1)
                name = f"/{solid.kind}s/{solid.kind}_{solid.id}"
                self.parts.append(_Textured(self.api, name, self.model, solid))
                continue
            key = solid.mesh
            if o.hulls and key[0] == "mesh":
                key = ("hull", key[1])
            moving = bool(self.moves[solid.body])
            groups.setdefault((key, moving, solid.rgba[3] < 1), []).append(solid)
        for number, ((key, moving, _), members) in enumerate(groups.items()):
            mesh = self._hull(key[1]) if key[0] == "hull" else self._mesh(key)
            opacity = 0.35 if o.transparent and moving else 1.0
            name = f"/shapes/{key[0]}_{number}"
            self.parts.append(_Batch(self.api, name, mesh, members, opacity, o.wireframe))
        for part in self.parts:
            self._listen(part)
        if self.options.skins:
            self._add_skins()
        self._add_labels()
        self._add_frustums()
        self.fresh = True

    def _hull(self, number):
        key = ("hull", number)
        if key not in self.meshes:
            self.meshes[key] = shapes.hull(self.model, number) or shapes.model_mesh(self.model, number)
        return self.meshes[key]

    def _listen(self, part):
        def solid_of(event):
            index = event.instance_index
            return part.solids[index if index is not None else 0]

        # asynchronous functions run in the order of events
        if self.on_click:

            async def clicked(event):
                self.on_click(solid_of(event))

            part.handle.on_click(clicked)
        if self.on_drag and any(self.moves[s.body] for s in part.solids):

            async def dragged(event):
                self.on_drag(solid_of(event), event.phase, np.array(event.start_position), np.array(event.end_position))

            part.handle.on_drag("left", modifier="cmd/ctrl")(dragged)

    def _add_skins(self):
        m = self.model
        for s in range(m.nskin):
            v0, vn = int(m.skin_vertadr[s]), int(m.skin_vertnum[s])
            f0, fn = int(m.skin_faceadr[s]), int(m.skin_facenum[s])
            b0, bn = int(m.skin_boneadr[s]), int(m.skin_bonenum[s])
            bones = [b for b in range(b0, b0 + bn)]
            weights = np.zeros((vn, max(bn, 4)), np.float32)  # viser keeps the four largest
            for k, b in enumerate(bones):
                at, n = int(m.skin_bonevertadr[b]), int(m.skin_bonevertnum[b])
                weights[m.skin_bonevertid[at : at + n], k] = m.skin_bonevertweight[at : at + n]
            filler = [b0] * (weights.shape[1] - bn)
            look = shapes._material(m, int(m.skin_matid[s]), m.skin_rgba[s])
            handle = self.api.add_mesh_skinned(
                f"/skins/{s}", np.array(m.skin_vert[v0 : v0 + vn]), np.array(m.skin_face[f0 : f0 + fn]),
                bone_wxyzs=np.array(m.skin_bonebindquat[bones + filler]),
                bone_positions=np.array(m.skin_bonebindpos[bones + filler]), skin_weights=weights,
                color=tuple(int(255 * x) for x in look["rgba"][:3]),
                opacity=float(look["rgba"][3]) if look["rgba"][3] < 1 else None, wireframe=self.options.wireframe,
            )  # fmt: skip
            self.skins.append(([int(m.skin_bonebodyid[b]) for b in bones], handle))

    def _add_labels(self):
        for _, handle in self.labels:
            handle.remove()
        self.labels, m = [], self.model
        kind = {"bodies": "body", "geoms": "geom", "sites": "site", "joints": "joint", "cameras": "camera",
                "lights": "light"}.get(self.options.names)  # fmt: skip
        for i in range(1 if kind == "body" else 0, m.count(kind) if kind else 0):
            name = shapes.object_name(m, kind, i)
            self.labels.append(((kind, i), self.api.add_label(f"/labels/{kind}_{i}", name)))
        for body, text in self.findings.items():
            label = self.api.add_label(f"/labels/finding_{body}", "⚠ " + text)
            self.labels.append((("body", body), label))
        self.label_cache = {}

    def _add_frustums(self):
        m = self.model
        if self.options.cameras:
            for c in range(m.ncam):
                fovy = np.radians(float(m.cam_fovy[c])) if not m.cam_projection[c] else 0.5
                self.frustums.append(self.api.add_camera_frustum(
                    f"/cameras/{c}", fov=fovy, aspect=1.33, scale=0.15 * float(m.stat.extent)))  # fmt: skip
        if self.options.lights:
            for i in range(m.nlight):
                self.frustums.append(
                    self.api.add_icosphere(f"/lights/{i}", radius=0.4 * self.size, color=(255, 220, 90))
                )

    # ---- a state ----------------------------------------------------------------------------------

    def update(self, state, data):
        """Shows a state; `data` is that of its last step."""
        m, d = self.model, self.view
        for stage in ("poses", "com", "tendons"):
            _pliant.run_stage(m, state, d, stage)
        for part in self.parts:
            if self.fresh or any(self.moves[s.body] for s in part.solids[:1]):
                part.move(d)
        self.fresh = False
        for bodies, handle in self.skins:
            for bone, body in zip(handle.bones, bodies):
                bone.position, bone.wxyz = d.xpos[body], d.xquat[body]
        self._colours(data)
        self._contacts(data)
        self._tendons(d)
        self._body_marks(d)
        self._labels(d)
        self._frustums(d)

    def _colours(self, data):
        """Islands and the chosen geom."""
        key = (self.options.islands, self.chosen)
        if not self.options.islands and key == getattr(self, "coloured", None):
            return
        self.coloured = key
        island_of_body = None
        if self.options.islands:
            tree = _pliant.island_array(self.model, data, "tree_island")
            trees = np.asarray(self.model.body_treeid)
            island_of_body = np.where(trees >= 0, tree[np.maximum(trees, 0)] if len(tree) else -1, -1)
        for part in self.parts:
            if not isinstance(part, _Batch):
                continue
            colours = part.colours.copy()
            if island_of_body is not None:
                island = island_of_body[part.bodies]
                colours[island >= 0] = _ISLAND_COLOURS[island[island >= 0] % len(_ISLAND_COLOURS)]
            if self.chosen is not None:
                colours[part.of_geoms & (part.ids == self.chosen)] = _CHOSEN
            part.handle.batched_colors = colours

    def _contacts(self, data):
        o, rows = self.options, marks.contacts(data)
        if not (o.contacts or o.forces) or not len(rows):
            self.discs.hide()
            self.arrows.hide()
            return
        n = len(rows)
        if o.contacts:
            scale = np.tile([0.12 * self.size, 0.12 * self.size, 0.03 * self.size], (n, 1))
            colours = None
            if o.islands and len(rows):
                island = _pliant.row_array(data, "row_island")
                at = rows["efc_address"]
                of = np.where(at >= 0, island[np.maximum(at, 0)] if len(island) else -1, -1)
                colours = np.where(of[:, None] >= 0, _ISLAND_COLOURS[of % len(_ISLAND_COLOURS)], 128).astype(np.uint8)
            elif self.discs.handle is not None:
                colours = np.tile(np.array(self.discs.colour, np.uint8), (n, 1))
            self.discs.show(rows["pos"], marks.quat_of_axis(rows["frame"][:, :3]), scale, colours)
        else:
            self.discs.hide()
        if o.forces:
            force = marks.contact_forces(self.model, data)
            length = np.linalg.norm(force, axis=1) * self.force_scale
            seen = length > 0.01 * self.size
            width = np.full(seen.sum(), 0.06 * self.size)
            self.arrows.show(rows["pos"][seen], marks.quat_of_axis(force[seen]),
                             np.stack([width, width, length[seen]], 1))  # fmt: skip
        else:
            self.arrows.hide()

    def _tendons(self, d):
        m = self.model
        if not m.ntendon:
            return
        segments, colours = [], []
        if self.options.tendons:
            for tendon, path in marks.tendon_paths(m, d):
                pieces = np.stack([path[:-1], path[1:]], 1)
                segments.append(pieces)
                colour = np.clip(255 * np.asarray(m.tendon_rgba[tendon][:3]), 0, 255).astype(np.uint8)
                colours.append(np.tile(colour, (len(pieces), 2, 1)))
        if not segments:
            if self.tendons is not None:
                self.tendons.remove()
                self.tendons = None
            return
        points, paint = np.concatenate(segments).astype(np.float32), np.concatenate(colours)
        if self.tendons is None or len(points) != len(self.tendon_points):
            self.tendons = self.api.add_line_segments(
                "/tendons", points, paint, thickness=2 * float(np.max(m.tendon_width)), thickness_units="world"
            )
        else:
            self.tendons.points = points
        self.tendon_points = points

    def _body_marks(self, d):
        m, o, size = self.model, self.options, self.size
        heavy = np.flatnonzero(np.asarray(m.body_mass) > 0)
        if o.centres:
            self.centres.show(d.xipos[heavy], np.tile([1.0, 0, 0, 0], (len(heavy), 1)),
                              np.full((len(heavy), 3), 0.12 * size))  # fmt: skip
        else:
            self.centres.hide()
        if o.inertias:
            self.boxes.show(d.xipos[heavy], d.xiquat[heavy], self.inertia_sizes[heavy])
        else:
            self.boxes.hide()
        if o.joints and m.njnt:
            chosen = np.flatnonzero(np.asarray(m.jnt_type) >= 2)
            scale = np.tile([0.05 * size, 0.05 * size, 1.2 * size], (len(chosen), 1))
            self.axes.show(d.xanchor[chosen], marks.quat_of_axis(d.xaxis[chosen]), scale)
        else:
            self.axes.hide()
        self._frames(d)

    def _frames(self, d):
        """Axes of things: x red, y green, z blue."""
        upright = np.eye(3).reshape(1, 9)
        places = {"bodies": (d.xpos[1:], d.xmat[1:]), "geoms": (d.geom_xpos, d.geom_xmat),
                  "sites": (d.site_xpos, d.site_xmat), "cameras": (d.cam_xpos, d.cam_xmat),
                  "world": (np.zeros((1, 3)), upright)}  # fmt: skip
        if self.options.frames not in places:
            self.frame_axes.hide()
            return
        at, turn = places[self.options.frames]
        vis = self.model.vis.scale
        width, length = float(vis.framewidth) * self.size, float(vis.framelength) * self.size
        axes = np.reshape(turn, (-1, 3, 3)).transpose(0, 2, 1).reshape(-1, 3)
        self.frame_axes.show(np.repeat(at, 3, 0), marks.quat_of_axis(axes),
                             np.tile([2 * width, 2 * width, length], (len(axes), 1)),
                             np.tile((230 * np.eye(3)).astype(np.uint8), (len(at), 1)))  # fmt: skip

    def _labels(self, d):
        places = {"body": d.xpos, "geom": d.geom_xpos, "site": d.site_xpos, "joint": d.xanchor, "camera": d.cam_xpos,
                  "light": d.light_xpos}  # fmt: skip
        for (kind, i), handle in self.labels:
            handle.position = places[kind][i]

    def _frustums(self, d):
        m, at = self.model, 0
        if self.options.cameras:
            for c in range(m.ncam):
                x, y, z = d.cam_xmat[c].reshape(3, 3).T  # ours looks along -z, viser's along +z with y down
                turn = np.stack([x, -y, -z], 1)
                self.frustums[at].position, self.frustums[at].wxyz = d.cam_xpos[c], marks.quat_of_matrix(turn)
                at += 1
        if self.options.lights:
            for i in range(m.nlight):
                self.frustums[at].position = d.light_xpos[i]
                at += 1

    def show_pull(self, start, end, force=None):
        """The spring that drags a body, as an arrow with its force [N]; None hides it."""
        if start is None:
            self.pull.hide()
            if self.pull_force is not None:
                self.pull_force.remove()
                self.pull_force = None
            return
        if force is not None:
            text = f"{float(np.linalg.norm(force)):.3g} N"
            if self.pull_force is None:
                self.pull_force = self.api.add_label("/marks/pull_force", text)
            self.pull_force.text, self.pull_force.position = text, np.asarray(end, float)
        along = np.asarray(end) - np.asarray(start)
        width = 0.08 * self.size
        self.pull.show([start], marks.quat_of_axis(along), [[width, width, float(np.linalg.norm(along))]])

    def show_markers(self, markers):
        """Shapes of the user's: [(type, size, pos, mat, rgba)], as user_scn has them."""
        kinds = {
            shapes.SPHERE: ("sphere", shapes.unit_sphere, lambda s: [s[0]] * 3),
            shapes.ELLIPSOID: ("ellipsoid", shapes.unit_sphere, lambda s: s),
            shapes.BOX: ("box", shapes.unit_box, lambda s: s),
            shapes.CYLINDER: ("cylinder", shapes.unit_cylinder, lambda s: [s[0], s[0], s[1]]),
            shapes.CAPSULE: ("capsule", shapes.unit_cylinder, lambda s: [s[0], s[0], s[1]]),
            **{arrow: ("arrow", shapes.unit_arrow, lambda s: [s[0], s[0], s[2]]) for arrow in (100, 101, 102)},
        }
        lists = {kind: [] for kind in kinds}
        for marker in markers:
            if marker[0] in kinds:
                lists[marker[0]].append(marker)
            elif marker[0] not in self.strangers:
                self.strangers.add(marker[0])
                log.warning("user_scn: shapes of type %d are not drawn; there are spheres, ellipsoids, boxes, "
                            "cylinders, capsules and arrows", marker[0])  # fmt: skip
        for kind, members in lists.items():
            if not members and kind not in self.user:
                continue
            name, mesh, scale = kinds[kind]
            if kind not in self.user:
                self.user[kind] = _Marks(self.api, f"/user/{name}_{kind}", mesh(), (200, 60, 60))
            node = self.user[kind]
            node.show(
                np.array([p for _, _, p, _, _ in members]).reshape(-1, 3),
                np.array([marks.quat_of_matrix(np.reshape(r, (3, 3))) for _, _, _, r, _ in members]).reshape(-1, 4),
                np.array([scale(list(s)) for _, s, _, _, _ in members]).reshape(-1, 3),
                np.array([np.clip(255 * np.asarray(c[:3]), 0, 255) for *_, c in members], np.uint8).reshape(-1, 3),
            )
