"""Pictures: depth and segmentation against rays of the reference, colours against stored pictures, bits that do not
depend on threads.

`python tests/render/test_pictures.py` writes the stored pictures anew; look at them before you keep them.
"""

import pathlib

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco as pm
from scenes import EVERYTHING, OWN, label, others

STORED = pathlib.Path(__file__).parent / "pictures.png"
WIDTH, HEIGHT, ACROSS = 80, 60, 5
RAYS = 40, 30  # pixels of pictures that are compared ray by ray


def world(path, module=pm):
    model = module.MjModel.from_xml_path(str(path))
    data = module.MjData(model)
    if model.nkey:
        module.mj_resetDataKeyframe(model, data, 0)
    module.mj_forward(model, data)
    return model, data


def geoms_only():
    option = pm.MjvOption()
    option.sitegroup[:] = 0
    for flag in (pm.mjtVisFlag.mjVIS_TENDON, pm.mjtVisFlag.mjVIS_SKIN, pm.mjtVisFlag.mjVIS_RANGEFINDER):
        option.flags[flag] = 0
    return option


def views(model):
    return [-1, *range(model.ncam)]


def pixel_rays(camera, width, height):
    """Starts and directions of rays through the middles of pixels, written down from the camera's definition; a
    direction advances by 1 along the axis."""
    near = camera.frustum_near
    up, forward = camera.up.astype(float), camera.forward.astype(float)
    right = np.cross(forward, up)
    half = camera.frustum_width or (camera.frustum_top - camera.frustum_bottom) / 2 * width / height
    x = camera.frustum_center + half * (2 * (np.arange(width) + 0.5) / width - 1)
    y = camera.frustum_top + (camera.frustum_bottom - camera.frustum_top) * (np.arange(height) + 0.5) / height
    plane = x[None, :, None] * right + y[:, None, None] * up
    if camera.orthographic:
        return camera.pos + plane, np.broadcast_to(forward, plane.shape)
    return np.broadcast_to(camera.pos, plane.shape), forward + plane / near


def ray_world(path):
    """Module, model and data that cast rays: the reference, or Pliant where the reference cannot read the model."""
    try:
        return mujoco, *world(path, mujoco)
    except ValueError as problem:
        assert "mimic" in str(problem), problem
        return pm, *world(path)


def view_by_rays(module, model, data, start, direction):
    """Depth and geom by mj_ray, from the near end of the view on."""
    extent = model.stat.extent
    near, far = model.vis.map.znear * extent, model.vis.map.zfar * extent
    geom = np.zeros(1, np.int32)
    groups = np.array([1, 1, 1, 0, 0, 0], np.uint8)
    length = np.linalg.norm(direction)
    x = module.mj_ray(model, data, start + near * direction, direction / length, groups, True, -1, geom)
    depth = near + x / length
    return (depth, geom[0]) if x >= 0 and depth < far else (far, -1)


@pytest.mark.parametrize("path", [*OWN, *others()], ids=label)
def test_depth_and_segmentation_are_those_of_rays(path):
    module, ref_model, ref_data = ray_world(path)
    model, data = world(path)
    renderer = pliant.Renderer(model, RAYS[1], RAYS[0])
    for camera in views(model)[:3]:
        renderer.update_scene(data, camera, geoms_only())
        renderer.scene.flags[pm.mjtRndFlag.mjRND_CULL_FACE] = 0  # rays see surfaces from inside, too
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.enable_segmentation_rendering()
        objects = renderer.render()
        eye = pm.mjv_averageCamera(*renderer.scene.camera)
        starts, directions = pixel_rays(eye, *RAYS)
        wrong = []
        for row in range(RAYS[1]):
            for column in range(RAYS[0]):
                want, geom = view_by_rays(module, ref_model, ref_data, starts[row, column], directions[row, column])
                got = objects[row, column]
                same = got[0] == geom and got[1] == (-1 if geom < 0 else int(pm.mjtObj.mjOBJ_GEOM))
                if not same or abs(depth[row, column] - want) > 1e-6 * max(1, want):
                    wrong.append((row, column, float(depth[row, column]), want, got.tolist(), int(geom)))
        assert not wrong, (camera, len(wrong), wrong[:5])


def picture(path, width=WIDTH, height=HEIGHT, camera=-1, threads=0):
    model, data = world(path)
    with pliant.Renderer(model, height, width, threads=threads) as renderer:
        renderer.update_scene(data, camera)
        return renderer.render()


def sheet():
    """All scenes, one beside the other."""
    pictures = [picture(path) for path in OWN]
    pictures += [np.zeros_like(pictures[0])] * (-len(pictures) % ACROSS)
    return np.vstack([np.hstack(pictures[i : i + ACROSS]) for i in range(0, len(pictures), ACROSS)])


@pytest.mark.parametrize("number", range(len(OWN)), ids=[label(path) for path in OWN])
def test_colours_are_those_of_the_stored_picture(number):
    image = pytest.importorskip("PIL.Image", reason="Pillow reads the stored pictures")
    row, column = divmod(number, ACROSS)
    stored = np.asarray(image.open(STORED).convert("RGB"))
    want = stored[row * HEIGHT : (row + 1) * HEIGHT, column * WIDTH : (column + 1) * WIDTH].astype(int)
    difference = np.abs(picture(OWN[number]).astype(int) - want).max(axis=-1)
    # bits are promised per binary: another compiler may move an edge
    assert difference.mean() < 0.5 and (difference > 16).mean() < 0.01, (difference.mean(), (difference > 16).mean())
    assert want.std() > 1  # there is something to see


@pytest.mark.parametrize("path", [EVERYTHING, OWN[5]], ids=label)
def test_pixels_do_not_depend_on_threads(path):
    one, again, three = (picture(path, 150, 110, threads=threads) for threads in (1, 1, 3))
    assert np.array_equal(one, again) and np.array_equal(one, three)


def test_every_part_of_the_model_is_seen():
    model, data = world(EVERYTHING)
    with pliant.Renderer(model, 480, 640) as renderer:
        renderer.enable_segmentation_rendering()
        seen = set()
        for camera in views(model):
            renderer.update_scene(data, camera)
            seen |= {tuple(pair) for pair in renderer.render().reshape(-1, 2).tolist()}
    kinds = pm.mjtObj
    for geom in range(model.ngeom):
        assert (geom, int(kinds.mjOBJ_GEOM)) in seen, model.geom(geom).name
    for kind in (kinds.mjOBJ_SITE, kinds.mjOBJ_TENDON, kinds.mjOBJ_SKIN):
        assert any(pair[1] == int(kind) for pair in seen), kind
    assert (-1, -1) in seen


def test_groups_flags_and_shadows_change_the_picture():
    model, data = world(EVERYTHING)
    with pliant.Renderer(model, 120, 160) as renderer:
        renderer.update_scene(data)
        usual = renderer.render()
        for flag in ("SHADOW", "REFLECTION", "SKYBOX"):
            renderer.scene.flags[pm.mjtRndFlag[f"mjRND_{flag}"]] = 0
            assert not np.array_equal(renderer.render(), usual), flag
            renderer.scene.flags[pm.mjtRndFlag[f"mjRND_{flag}"]] = 1
        assert np.array_equal(renderer.render(), usual)
        option = pm.MjvOption()
        for flag in ("TEXTURE", "TENDON", "SKIN", "STATIC"):
            option.flags[pm.mjtVisFlag[f"mjVIS_{flag}"]] = 0
            renderer.update_scene(data, scene_option=option)
            assert not np.array_equal(renderer.render(), usual), flag
            option.flags[pm.mjtVisFlag[f"mjVIS_{flag}"]] = 1
        for flag in ("JOINT", "COM", "INERTIA", "CAMERA", "LIGHT", "TRANSPARENT", "CONVEXHULL"):
            option.flags[pm.mjtVisFlag[f"mjVIS_{flag}"]] = 1
            renderer.update_scene(data, scene_option=option)
            changed = not np.array_equal(renderer.render(), usual)
            # some are out of sight here, or hide behind what they explain
            assert changed or flag in ("JOINT", "CAMERA", "LIGHT", "CONVEXHULL"), flag
            option.flags[pm.mjtVisFlag[f"mjVIS_{flag}"]] = 0


def test_a_ball_on_the_floor_by_hand():
    """Depth, shadow and colour at places that are known in closed form."""
    model = pliant.load_string("""<mujoco>
      <visual><headlight active="0"/></visual><statistic extent="2" center="0 0 0"/>
      <worldbody><light type="directional" dir="0 0 -1" diffuse="1 1 1" specular="0 0 0" ambient="0 0 0"/>
        <camera name="top" pos="0 0 5" fovy="30"/>
        <geom type="plane" size="3 3 .1" rgba=".5 .5 .5 1"/>
        <body pos="0 0 2"><freejoint/><geom size=".5" rgba="1 0 0 1"/></body></worldbody></mujoco>""")
    state, data = pliant.State(model), pliant.Data(model)
    pliant.forward(model, state, data)
    with pliant.Renderer(model, 101, 101) as renderer:
        renderer.update_scene(data, "top", state=state)
        colours = renderer.render()
        renderer.enable_depth_rendering()
        depth = renderer.render()
    assert depth[50, 50] == pytest.approx(2.5, abs=1e-6)  # the top of the ball
    assert depth[0, 0] == pytest.approx(5, abs=1e-6)  # along the axis, not along the ray
    assert colours[50, 50].tolist() == [255, 0, 0]
    # a ray at slope s meets the floor at 5 s; the shadow is a disc of radius 0.5, the ball's outline is wider
    slope = (np.arange(101) + 0.5 - 50.5) / 101 * 2 * np.tan(np.radians(15))
    edge = 0.5 / np.sqrt(3**2 - 0.5**2)
    pixel = slope[1] - slope[0]
    assert edge * 5 > 0.5 + 2 * pixel  # the ball hides its shadow
    assert np.all(colours[50, np.abs(slope) > edge + pixel] == 128)
    assert np.all(colours[50, np.abs(slope) < edge - pixel][:, 1:] == 0)
    # moved away from the axis of the light, it does not
    state.qpos[:] = [1.2, 0, 2, 1, 0, 0, 0]
    pliant.forward(model, state, data)
    with pliant.Renderer(model, 101, 101) as renderer:
        renderer.update_scene(data, "top", state=state)
        colours = renderer.render()
    # the shadow reaches from 0.7 to 1.7 m, the ball hides what is beyond 1.14 m
    floor = 5 * slope
    assert np.all(colours[50, (floor > 0.75) & (floor < 1.1)] == 0) and np.all(colours[50, floor < 0.65] == 128)


if __name__ == "__main__":
    pliant.save_png(STORED, sheet())
