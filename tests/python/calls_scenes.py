"""Example calls of scenes and pictures."""

import numpy as np

from calls_registry import example


@example("mjv_defaultCamera")
def _default_camera(function, module, model, data, rng):
    camera = module.MjvCamera()
    camera.distance, camera.azimuth = 7, 3
    function(camera)
    return [camera.distance, camera.azimuth, camera.elevation, camera.lookat, camera.type, camera.fixedcamid]


@example("mjv_defaultFreeCamera")
def _default_free_camera(function, module, model, data, rng):
    camera = module.MjvCamera()
    function(model, camera)
    return [camera.distance, camera.azimuth, camera.elevation, camera.lookat, camera.type, camera.fixedcamid]


@example("mjv_defaultOption")
def _default_option(function, module, model, data, rng):
    option = module.MjvOption()
    option.flags[:] = 1
    function(option)
    return [option.flags, option.geomgroup, option.sitegroup, option.skingroup, option.label, option.frame]


@example("mjv_defaultFigure")
def _default_figure(function, module, model, data, rng):
    figure = module.MjvFigure()
    figure.linewidth, figure.title = 7, "changed"
    figure.range[0] = 3, 4
    function(figure)
    return [
        figure.linewidth,
        figure.gridsize,
        figure.figurergba,
        figure.range,
        figure.linedata.shape,
        len(figure.title),
    ]


@example("mjv_defaultPerturb")
def _default_perturb(function, module, model, data, rng):
    perturb = module.MjvPerturb()
    perturb.select = 3
    function(perturb)
    return [perturb.select, perturb.refquat, perturb.scale]


@example("mjv_initGeom")
def _init_geom(function, module, model, data, rng):
    geom = module.MjvGeom()
    pos, mat = rng.normal(size=3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
    results = []
    for kind in (module.mjtGeom.mjGEOM_CAPSULE, module.mjtGeom.mjGEOM_BOX, module.mjtGeom.mjGEOM_SPHERE):
        function(geom, kind, [0.1, 0.2, 0.3], pos, mat.ravel(), np.float32([1, 0.5, 0.25, 1]))
        results += [geom.size, geom.pos, geom.mat, geom.rgba, geom.specular, geom.matid]
    return [np.array(result) for result in results]


@example("mjv_connector")
def _connector(function, module, model, data, rng):
    geom = module.MjvGeom()
    results = []
    for kind in (module.mjtGeom.mjGEOM_CAPSULE, module.mjtGeom.mjGEOM_ARROW, module.mjtGeom.mjGEOM_LINE):
        function(geom, kind, 0.02, rng.normal(size=3), rng.normal(size=3))
        results += [np.array(geom.size), np.array(geom.pos), np.array(geom.mat)]
    return results


def _scene(module, model, data, flags=()):
    scene, option, camera = module.MjvScene(model, 200), module.MjvOption(), module.MjvCamera()
    for flag in flags:
        option.flags[int(getattr(module.mjtVisFlag, flag))] = 1
    module.mjv_defaultFreeCamera(model, camera)
    module.mjv_updateScene(model, data, option, None, camera, int(module.mjtCatBit.mjCAT_ALL), scene)
    return scene, camera


@example("mjv_updateScene")
def _update_scene(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    results = [scene.ngeom, scene.nlight]
    for geom in scene.geoms[: scene.ngeom]:
        results += [geom.type, geom.objtype, geom.objid, geom.category, geom.segid, geom.pos, geom.mat, geom.rgba]
        if geom.type != int(module.mjtGeom.mjGEOM_MESH):  # the reference has half sizes of the mesh there
            results.append(geom.size)
    for light in scene.lights[: scene.nlight]:
        results += [light.type, light.pos, light.dir, light.diffuse, light.castshadow, light.cutoff]
    return [np.array(result) for result in results]


@example("mjv_updateCamera")
def _update_camera(function, module, model, data, rng):
    scene, camera = _scene(module, model, data)
    camera.type, camera.fixedcamid = int(module.mjtCamera.mjCAMERA_FIXED), 0
    function(model, data, camera, scene)
    eye = scene.camera[0]
    return [np.array(x) for x in (eye.pos, eye.forward, eye.up, eye.frustum_top, eye.frustum_near, eye.frustum_far)]


@example("mjv_averageCamera")
def _average_camera(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    eye = function(scene.camera[0], scene.camera[1])
    return [np.array(x) for x in (eye.pos, eye.forward, eye.up)]


@example("mjv_select")
def _select(function, module, model, data, rng):
    scene, _ = _scene(module, model, data)
    results = []
    for x, y in ((0.5, 0.5), (0.45, 0.4), (0.6, 0.55), (0.5, 0.2)):
        point, numbers = np.zeros((3, 1)), [np.zeros((1, 1), np.int32) for _ in range(3)]
        body = function(model, data, module.MjvOption(), 1.5, x, y, scene, point, *numbers)
        # the reference's cameras are float32, so its points are
        results += [np.array(body), *(n.copy() for n in numbers), np.round(point, 3)]
    return results


# mjr_*: the reference needs a graphics driver for these (tests/render compares pictures where there is one)


def _context(module, model, data):
    scene, _ = _scene(module, model, data)
    context, view = module.MjrContext(model, module.mjtFontScale.mjFONTSCALE_100), module.MjrRect(0, 0, 20, 10)
    module.mjr_setBuffer(module.mjtFramebuffer.mjFB_OFFSCREEN, context)
    module.mjr_render(view, scene, context)
    return context, view


@example("mjr_render", "mjr_readPixels", "mjr_setBuffer", "mjr_finish", "mjr_getError", "mjr_maxViewport",
         "mjr_resizeOffscreen", "mjr_uploadTexture", "mjr_uploadMesh", "mjr_uploadHField", "mjr_overlay")  # fmt: skip
def _pictures(function, module, model, data, rng):
    context, view = _context(module, model, data)
    rgb, depth = np.zeros((10, 20, 3), np.uint8), np.zeros((10, 20), np.float32)
    module.mjr_overlay(module.mjtFont.mjFONT_NORMAL, module.mjtGridPos.mjGRID_TOP, view, "a", "b", context)
    module.mjr_readPixels(rgb, depth, view, context)
    for upload in (module.mjr_uploadTexture, module.mjr_uploadMesh, module.mjr_uploadHField):
        upload(model, context, 0)
    module.mjr_resizeOffscreen(320, 200, context)
    assert module.mjr_maxViewport(context).width == 320 and module.mjr_getError() == 0 and not module.mjr_finish()
    assert rgb.std() > 1 and 0 <= depth.min() < depth.max() <= 1
    return [rgb, depth]
