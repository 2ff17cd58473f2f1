"""Pictures: Renderer, scenes and their parts, and the functions mjv_* and mjr_* of MuJoCo's package.

Rays on the CPU draw what the reference's OpenGL draws, without a display, a graphics driver or a GPU. docs/rendering.md
says what is drawn.
"""

import contextlib
import os
import warnings

import numpy as np

from . import _enums, _pliant
from ._attributes import (
    assign_numbers,
    describe,
    did_you_mean,
    equal,
    explain_attributes,
    no_attribute,
    plain_number,
)
from ._pliant import MjvCamera, MjvGeom, MjvGLCamera, MjvLight, MjvOption

_RND = _enums.mjtRndFlag
_CAMERA = _enums.mjtCamera
_ALL = int(_enums.mjtCatBit.mjCAT_ALL)

for _part in (MjvCamera, MjvGLCamera, MjvOption, MjvGeom, MjvLight):
    explain_attributes(_part)


class MjvScene(_pliant._Scene):
    """What is to be seen: geoms, lights, a camera, and flags of the renderer.

    Numbers are in double precision where the reference has float32. Flexes do not exist; stereo pictures, transformed
    models and frames around pictures are refused by the renderer.
    """

    def __init__(self, model=None, maxgeom=0):
        super().__init__(int(maxgeom))  # its memory stays where it is: users hold geoms of it
        self.stereo = self.enabletransform = self.framewidth = self.nflex = 0
        self.translate, self.rotate, self.scale = np.zeros(3, "f"), np.array([1, 0, 0, 0], "f"), 1.0
        self.framergb = np.zeros(3, "f")
        self.nskin = 0 if model is None else model.nskin

    @property
    def status(self):
        """1 when geoms did not fit"""
        return int(self._left_out > 0)

    __repr__ = describe


class MjvPerturb:
    """What a mouse pulls at; nothing of it is drawn."""

    def __init__(self):
        self.__dict__.update(
            select=0, flexselect=-1, skinselect=-1, active=0, active2=0, refpos=np.zeros(3),
            refquat=np.array([1.0, 0, 0, 0]), refselpos=np.zeros(3), localpos=np.zeros(3), localmass=0.0, scale=1.0,
        )  # fmt: skip

    def __setattr__(self, name, value):
        if name not in self.__dict__:
            raise no_attribute(self, name)
        usual = self.__dict__[name]
        if isinstance(usual, np.ndarray):
            assign_numbers(name, usual, value)
        else:
            self.__dict__[name] = plain_number(name, value, usual)

    __repr__ = describe
    __eq__ = equal
    __hash__ = None


class MjrRect:
    """A rectangle of pixels, from the lower left."""

    def __init__(self, left, bottom, width, height):
        self.left, self.bottom, self.width, self.height = left, bottom, width, height

    __repr__ = describe


class GLContext:
    """Stands where programs make an OpenGL context; there is none, and none is needed."""

    def __init__(self, max_width, max_height):
        self.max_width, self.max_height = max_width, max_height

    def make_current(self):
        """Does nothing."""

    @contextlib.contextmanager
    def as_current(self):
        yield self

    def free(self):
        """Does nothing."""


class MjrContext:
    """Keeps what pictures of a model share, and the last picture."""

    def __init__(self, model=None, fontscale=_enums.mjtFontScale.mjFONTSCALE_150):
        self._renderer = None if model is None else _pliant._Renderer(model)
        if self._renderer is not None:
            self._renderer.set_text_scale(_text_scale(fontscale))
        self._view, self._overlays = None, []
        self._model = model
        self.fontScale = int(fontscale)
        self.offWidth = 640 if model is None else model.vis.global_.offwidth
        self.offHeight = 480 if model is None else model.vis.global_.offheight
        self.offSamples = 4 if model is None else model.vis.quality.offsamples
        self.currentBuffer = int(_enums.mjtFramebuffer.mjFB_WINDOW)
        self.readDepthMap = int(_enums.mjtDepthMap.mjDEPTH_ZERONEAR)
        self.windowAvailable, self.windowSamples, self.windowStereo, self.windowDoublebuffer = 0, 0, 0, 0

    def free(self):
        """Gives memory and threads back."""
        self._renderer = self._view = None
        self._overlays = []


def _text_scale(fontscale):
    """How many times as large as they are stored letters are drawn: whole times, 2 for the usual 150 %."""
    return min(max(1, round(int(fontscale) / 75)), 16)


def _check_supported(scene):
    for name, what in (("stereo", "stereo pictures"), ("enabletransform", "transformed models"),
                       ("framewidth", "frames around pictures")):  # fmt: skip
        if getattr(scene, name, 0):
            raise _pliant.FatalError(f"Pliant does not draw {what}; set scene.{name} to 0")
    if scene.flags[int(_RND.mjRND_ADDITIVE)]:
        raise _pliant.FatalError("Pliant does not draw additive transparency; set scene.flags[mjRND_ADDITIVE] to 0")


# ---- scenes ------------------------------------------------------------------------------------------


def mjv_defaultCamera(cam):
    """A free camera two metres from the origin."""
    _assign(cam, MjvCamera())


def mjv_defaultFreeCamera(m, cam):
    """A free camera that sees the whole model."""
    _assign(cam, _pliant._default_free_camera(m))


def mjv_defaultOption(opt):
    """What is shown unless asked otherwise."""
    _assign(opt, MjvOption())


def mjv_defaultPerturb(pert):
    """Nothing is pulled."""
    pert.__init__()


def _assign(target, fresh):
    for name in dir(fresh):
        if not name.startswith("_"):
            setattr(target, name, getattr(fresh, name))


def mjv_initGeom(geom, type, size=None, pos=None, mat=None, rgba=None):
    """Shape, pose and colour of a geom; the rest gets its default."""
    _pliant._init_geom(geom, int(type), size, pos, mat, rgba)


def mjv_connector(geom, type, width, from_, to):
    """Makes a capsule, cylinder, arrow or line between two points."""
    _pliant._connect_geom(geom, int(type), width, from_, to)


def _parts(data, state=None):
    """State and Data of an MjData, or of the two given."""
    if isinstance(data, _pliant.World):
        return data.state, data.data
    if isinstance(data, _pliant.Data):
        return state, data
    raise TypeError(f"a scene is made from MjData or pliant.Data, not {type(data).__name__}")


def mjv_updateCamera(m, d, cam, scn):
    """Where the camera is now."""
    _pliant._update_camera(m, _parts(d)[1], cam, scn)


_BOXES = [int(_enums.mjtVisFlag.mjVIS_BODYBVH), int(_enums.mjtVisFlag.mjVIS_MESHBVH)]


def _warn_of_boxes(option):
    if option.flags[_BOXES].any():
        text = "boxes of bounding volumes (mjVIS_BODYBVH, mjVIS_MESHBVH) are not drawn"
        warnings.warn(text, RuntimeWarning, stacklevel=3)


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
    """Geoms, lights and camera of a state. `pert` may be None; nothing of it is drawn."""
    state, data = _parts(d)
    _warn_of_boxes(opt)
    _pliant._update_scene(m, state, data, opt, cam, int(catmask), scn)
    if scn._left_out:
        text = f"the scene has room for {scn.maxgeom} geoms; {scn._left_out} more are not drawn. Give a larger maxgeom."
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def mjv_averageCamera(cam1, cam2):
    """The camera between two."""
    out = copy_camera(cam1)
    out.pos = 0.5 * (cam1.pos + cam2.pos)
    out.forward = 0.5 * (cam1.forward + cam2.forward)
    out.up = 0.5 * (cam1.up + cam2.up)
    return out


def copy_camera(camera):
    out = MjvGLCamera()
    _assign(out, camera)
    return out


def mjv_select(m, d, vopt, aspectratio, relx, rely, scn, selpnt, geomid, flexid, skinid):
    """What is seen at a place of the picture, from (0, 0), lower left, to (1, 1): its body, or -1.

    Writes the place in space, the number of the geom, and -1 for flexes and skins, which are looked through. The scene
    gives the camera, `vopt` the groups of geoms and whether those of the world count.
    """
    _check_supported(scn)
    camera = mjv_averageCamera(scn.camera[0], scn.camera[1])
    forward, up = camera.forward / np.linalg.norm(camera.forward), camera.up / np.linalg.norm(camera.up)
    right = np.cross(forward, up)
    height = camera.frustum_top - camera.frustum_bottom
    side = (2 * float(relx) - 1) * 0.5 * float(aspectratio) * height
    lift = camera.frustum_bottom + float(rely) * height
    if camera.orthographic:
        start, ray = camera.pos + side * right + lift * up, forward
    else:
        start, ray = camera.pos, camera.frustum_near * forward + side * right + lift * up
        ray = ray / np.linalg.norm(ray)
    hit = np.full(1, -1, np.int32)
    static = bool(vopt.flags[int(_enums.mjtVisFlag.mjVIS_STATIC)])
    distance = _pliant.mj_ray(m, d, start, ray, np.asarray(vopt.geomgroup), static, -1, hit)
    np.asarray(geomid).reshape(-1)[0] = hit[0]
    for other in (flexid, skinid):
        np.asarray(other).reshape(-1)[0] = -1
    if hit[0] < 0:
        return -1
    np.asarray(selpnt).reshape(-1)[:] = start + distance * ray
    return int(m.geom_bodyid[hit[0]])


# ---- pictures ----------------------------------------------------------------------------------------


def mjr_setBuffer(framebuffer, con):
    """Which buffer is drawn into; all are memory."""
    con.currentBuffer = int(framebuffer)


def mjr_maxViewport(con):
    """The largest picture."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_resizeOffscreen(width, height, con):
    """Sets the size that mjr_maxViewport gives; pictures may have any."""
    con.offWidth, con.offHeight = int(width), int(height)


def mjr_render(viewport, scn, con):
    """Takes the scene as it is now; the picture is drawn when it is read."""
    if con._renderer is None:
        raise _pliant.FatalError("mjr_render: the context was made without a model, or freed")
    _check_supported(scn)
    con._view = viewport.width, viewport.height, scn._snapshot()
    con._overlays = []


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """Writes lines of text over the last picture, in two columns on a dark ground, at a corner or side of it."""
    if con._view is None:
        raise _pliant.FatalError("mjr_overlay: nothing was rendered; call mjr_render first")
    texts = [text.decode() if isinstance(text, bytes) else text or "" for text in (overlay, overlay2)]
    if (viewport.width, viewport.height) != con._view[:2]:
        raise _pliant.FatalError("mjr_overlay: the viewport must be that of the picture")
    con._overlays.append((_enums.mjtGridPos(int(gridpos)), *texts))


def _write_overlay(picture, place, left, right, scale):
    """`picture`: rows from the top, bytes."""
    columns = [text.rstrip("\n").split("\n") if text else [] for text in (left, right)]
    if not any(columns):
        return
    line = _pliant._text_size("", scale)[1] + scale
    widths = [max((_pliant._text_size(text, scale)[0] for text in column), default=0) for column in columns]
    gap = 4 * scale
    width = sum(widths) + gap * (2 + (widths[1] > 0))
    height = line * max(map(len, columns)) + gap
    grid = _enums.mjtGridPos
    right_side = place in (grid.mjGRID_TOPRIGHT, grid.mjGRID_BOTTOMRIGHT, grid.mjGRID_RIGHT)
    left_side = place in (grid.mjGRID_TOPLEFT, grid.mjGRID_BOTTOMLEFT, grid.mjGRID_LEFT)
    above = place in (grid.mjGRID_TOPLEFT, grid.mjGRID_TOPRIGHT, grid.mjGRID_TOP)
    below = place in (grid.mjGRID_BOTTOMLEFT, grid.mjGRID_BOTTOMRIGHT, grid.mjGRID_BOTTOM)
    x = 0 if left_side else picture.shape[1] - width if right_side else (picture.shape[1] - width) // 2
    y = 0 if above else picture.shape[0] - height if below else (picture.shape[0] - height) // 2
    ground = picture[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)]
    ground //= 2
    for column, start in zip(columns, (x + gap, x + 2 * gap + widths[0])):
        for row, text in enumerate(column):
            _pliant._write_text(picture, start, y + (row + 1) * line - 2 * scale, text, scale)


def _colors_of_segments(segments, numbers):
    """Numbers of geoms as colours: exact, or such that neighbours differ."""
    if numbers:
        codes = (segments + 1).astype(np.uint32)
        return np.stack([codes & 255, codes >> 8 & 255, codes >> 16 & 255], axis=-1).astype(np.uint8)
    palette = np.random.default_rng(0).integers(25, 230, (segments.max() + 2, 3), dtype=np.uint8)
    palette[0] = 0
    return palette[segments + 1]


def mjr_readPixels(rgb, depth, viewport, con):
    """Copies the last picture into arrays, the lowest row first; depth as OpenGL's buffers have it, 0 … 1."""
    if con._view is None:
        raise _pliant.FatalError("mjr_readPixels: nothing was rendered; call mjr_render first")
    width, height, scene = con._view
    if (viewport.width, viewport.height) != (width, height):
        raise _pliant.FatalError(
            f"mjr_readPixels: the picture is {width} x {height} pixels, "
            f"the viewport {viewport.width} x {viewport.height}"
        )
    if rgb is not None:
        if scene.flags[int(_RND.mjRND_SEGMENT)]:
            segments = con._renderer.segid(scene, width, height)
            picture = _colors_of_segments(segments, scene.flags[int(_RND.mjRND_IDCOLOR)])
        else:
            picture = con._renderer.rgb(scene, width, height)
        for words in con._overlays:
            _write_overlay(picture, *words, _text_scale(con.fontScale))
        _fill("rgb", rgb, picture[::-1])
    if depth is not None:
        meters = con._renderer.depth(scene, width, height)[::-1]
        camera = scene.camera[0]
        near, far = camera.frustum_near, camera.frustum_far
        if camera.orthographic:
            share = (far - meters) / (far - near)
        else:
            share = (1 / meters - 1 / far) / (1 / near - 1 / far)
        zero_far = con.readDepthMap == _enums.mjtDepthMap.mjDEPTH_ZEROFAR
        _fill("depth", depth, share if zero_far else 1 - share)


def _fill(name, array, values):
    if array.size != values.size:
        raise ValueError(f"mjr_readPixels: {name} has {array.size} numbers, the picture {values.size}")
    array.reshape(values.shape)[...] = values


def mjr_uploadTexture(m, con, texid):
    """Reads changed pixels of textures."""
    con._renderer.reload()


def mjr_uploadMesh(m, con, meshid):
    """Reads changed vertices of meshes."""
    con._renderer.reload()


def mjr_uploadHField(m, con, hfieldid):
    """Does nothing: heights are read from the model."""


def mjr_finish():
    """Does nothing: pictures are finished when a function returns."""


def mjr_getError():
    """Always 0: errors are exceptions."""
    return 0


class Renderer:
    """Draws states of a model: colours, depth or segmentation, as arrays.

        with pliant.Renderer(model, height=480, width=640) as renderer:
            renderer.update_scene(data, camera="side")
            pixels = renderer.render()

    `max_geom` bounds the geoms of a scene; None for as many as there are. `font_scale` is the size of labels [%], in
    steps of 75. `threads`: 0 for all cores; pixels are the same for any number.
    """

    def __init__(self, model, height=240, width=320, max_geom=10000,
                 font_scale=_enums.mjtFontScale.mjFONTSCALE_150, *, threads=0):  # fmt: skip
        self._renderer = None
        for side, size, most in (
            ("width", width, model.vis.global_.offwidth),
            ("height", height, model.vis.global_.offheight),
        ):
            if size > most:
                raise ValueError(
                    f"Image {side} {size} > framebuffer {side} {most}. Either reduce the image {side} or specify a "
                    f'larger offscreen framebuffer in the model: <visual><global off{side}="{size}"/></visual>, or '
                    f"model.vis.global_.off{side} = {size}."
                )
            if size < 1:
                raise ValueError(f"Image {side} {size}: a picture has at least one pixel.")
        self._model, self._width, self._height = model, int(width), int(height)
        self._scene = MjvScene(model, max_geom if max_geom is not None else 10 * (model.ngeom + model.nsite) + 10000)
        self._option = MjvOption()
        self._renderer = _pliant._Renderer(model, threads)
        self._renderer.set_text_scale(_text_scale(font_scale))
        self._depth = self._segmentation = self._ready = False

    model = property(lambda self: self._model)
    scene = property(lambda self: self._scene)
    height = property(lambda self: self._height)
    width = property(lambda self: self._width)

    def enable_depth_rendering(self):
        """render() gives distances along the camera's axis [m], float32."""
        self._depth, self._segmentation = True, False

    def disable_depth_rendering(self):
        self._depth = False

    def enable_segmentation_rendering(self):
        """render() gives pairs (id, mjtObj) of what each pixel shows; -1, -1 for the background."""
        self._depth, self._segmentation = False, True

    def disable_segmentation_rendering(self):
        self._segmentation = False

    def update_scene(self, data, camera=-1, scene_option=None, *, state=None):
        """What is to be seen and from where.

        `camera`: a number or name of the model's cameras, -1 for a free camera that sees the whole model, or an
        MjvCamera. `state` belongs to a pliant.Data; with MjData it is not needed.
        """
        if not isinstance(camera, MjvCamera):
            camera = self._camera(camera)
        found, data = _parts(data, state)
        option = scene_option if scene_option is not None else self._option
        state = found if found is not None else _pliant.State(self._model)
        _warn_of_boxes(option)
        _pliant._update_scene(self._model, state, data, option, camera, _ALL, self._scene)
        if self._scene._left_out:
            text = f"the scene has room for {self._scene.maxgeom} geoms; {self._scene._left_out} more are not drawn. "
            warnings.warn(text + "Give Renderer a larger max_geom.", RuntimeWarning, stacklevel=2)
        self._ready = True

    def _camera(self, which):
        names = [self._model.name("camera", i) for i in range(self._model.ncam)]
        if isinstance(which, str):
            if which not in names:
                known = did_you_mean(which, names) or f" The model has: {', '.join(n for n in names if n) or 'none'}."
                raise ValueError(f'The camera "{which}" does not exist.{known}')
            which = names.index(which)
        which = int(which)
        if not -1 <= which < self._model.ncam:
            raise ValueError(f"The camera id {which} is out of range [-1, {self._model.ncam}).")
        if which == -1:
            return _pliant._default_free_camera(self._model)
        camera = MjvCamera()
        camera.type, camera.fixedcamid = int(_CAMERA.mjCAMERA_FIXED), which
        return camera

    def render(self, *, out=None):
        """The picture: (height, width, 3) bytes; depth (height, width); segmentation (height, width, 2)."""
        if self._renderer is None:
            raise RuntimeError("render cannot be called after close.")
        if not self._ready:
            raise RuntimeError("render: there is no scene yet; call update_scene first.")
        _check_supported(self._scene)
        size = self._width, self._height
        if self._depth:
            picture = self._renderer.depth(self._scene, *size).astype(np.float32)
        elif self._segmentation:
            picture = self._renderer.objects(self._scene, *size)
        elif self._scene.flags[int(_RND.mjRND_SEGMENT)]:
            picture = _colors_of_segments(
                self._renderer.segid(self._scene, *size), self._scene.flags[int(_RND.mjRND_IDCOLOR)]
            )
        else:
            picture = self._renderer.rgb(self._scene, *size)
        if out is None:
            return picture
        if out.shape != picture.shape:
            raise ValueError(f"Expected `out.shape == {picture.shape}`. Got `out.shape={out.shape}` instead.")
        np.copyto(out, picture, casting="unsafe")
        return out

    def close(self):
        """Gives memory and threads back."""
        self._renderer = None

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()


def render_batch(model, states, camera=-1, *, height=240, width=320, kind="rgb", scene_option=None, threads=0):
    """Pictures of many worlds of one model: an array with one picture per world.

    `states` is a pliant.Batch, or an array with a qpos per row. `kind`: "rgb" (bytes), "depth" (float32, metres along
    the camera's axis) or "segmentation" (pairs of id and mjtObj). Worlds are drawn one after the other, each on all
    cores.
    """
    kinds = {"rgb": ((3,), np.uint8), "depth": ((), np.float32), "segmentation": ((2,), np.int32)}
    if kind not in kinds:
        raise ValueError(f"render_batch: kind is 'rgb', 'depth' or 'segmentation', not {kind!r}")
    batch = states if isinstance(states, _pliant.Batch) else None
    rows = np.asarray(states.qpos if batch is not None else states, float)
    if rows.ndim != 2 or rows.shape[1] != model.nq:
        raise ValueError(f"render_batch: states should have the shape (worlds, {model.nq}), not {rows.shape}")
    # what else moves things that are seen
    others = {
        name: np.asarray(getattr(batch, name), float) for name in ("mocap_pos", "mocap_quat") if batch is not None
    }
    tail, dtype = kinds[kind]
    out = np.empty((len(rows), height, width, *tail), dtype)
    state, data = _pliant.State(model), _pliant.Data(model)
    with Renderer(model, height, width, None, threads=threads) as renderer:
        if kind == "depth":
            renderer.enable_depth_rendering()
        elif kind == "segmentation":
            renderer.enable_segmentation_rendering()
        for world, qpos in enumerate(rows):
            state.qpos[:] = qpos
            for name, values in others.items():
                getattr(state, name)[...] = values[world].reshape(getattr(state, name).shape)
            if _pliant.forward(model, state, data):
                raise _pliant.StepError(f"render_batch: world {world}: {_pliant.describe_faults(model, data)}")
            renderer.update_scene(data, camera, scene_option, state=state)
            renderer.render(out=out[world])
    return out


def save_png(path, pixels):
    """Writes a picture as a PNG file: (height, width) or (height, width, 3 or 4) bytes."""
    pixels = np.asarray(pixels)
    # shares from 0 to 1, or metres, would become a black picture without a word
    if pixels.dtype.kind not in "bui" or (pixels.size and not 0 <= pixels.min() <= pixels.max() <= 255):
        raise ValueError(f"save_png: pixels should be whole numbers from 0 to 255; these are {pixels.dtype}")
    _pliant._write_png(os.fspath(path), np.ascontiguousarray(pixels, np.uint8))


FUNCTIONS = {name: value for name, value in globals().items() if name.startswith(("mjv_", "mjr_"))}
CLASSES = {
    cls.__name__: cls
    for cls in (GLContext, MjrContext, MjrRect, MjvCamera, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb,
                MjvScene, Renderer)
}  # fmt: skip
