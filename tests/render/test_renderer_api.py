"""Renderer and its friends under MuJoCo's names: signatures, errors, markers, cameras, many worlds."""

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco
from scenes import EVERYTHING, ROOT
from test_pictures import world


@pytest.fixture(scope="module")
def quadruped():
    return world(ROOT / "models/quadruped.xml")


def test_shapes_types_and_out(quadruped):
    model, data = quadruped
    renderer = mujoco.Renderer(model, 30, 40)
    assert (renderer.height, renderer.width, renderer.model) == (30, 40, model)
    with pytest.raises(RuntimeError, match="update_scene"):
        renderer.render()
    renderer.update_scene(data)
    assert renderer.render().shape == (30, 40, 3) and renderer.render().dtype == np.uint8
    out = np.zeros((30, 40, 3), np.float64)
    assert renderer.render(out=out) is out and np.array_equal(out, renderer.render())
    with pytest.raises(ValueError, match="out.shape"):
        renderer.render(out=np.zeros((40, 30, 3), np.uint8))
    renderer.enable_depth_rendering()
    assert renderer.render().shape == (30, 40) and renderer.render().dtype == np.float32
    renderer.enable_segmentation_rendering()
    assert renderer.render().shape == (30, 40, 2) and renderer.render().dtype == np.int32
    renderer.disable_segmentation_rendering()
    assert renderer.render().dtype == np.uint8
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_sizes_that_the_model_does_not_allow(quadruped):
    model, _ = quadruped
    with pytest.raises(ValueError, match=r"Image width 641 > framebuffer width 640[\s\S]*offwidth=\"641\""):
        mujoco.Renderer(model, 480, 641)
    with pytest.raises(ValueError, match="Image height 481 > framebuffer height 480"):
        mujoco.Renderer(model, 481, 640)
    with pytest.raises(ValueError, match="at least one pixel"):
        mujoco.Renderer(model, 0, 640)


def test_cameras_that_do_not_exist(quadruped):
    model, data = quadruped
    with mujoco.Renderer(model, 30, 40) as renderer:
        with pytest.raises(ValueError, match="The camera \"folow\" does not exist. Did you mean 'follow'?"):
            renderer.update_scene(data, "folow")
        with pytest.raises(ValueError, match=r"The camera id 9 is out of range \[-1, 1\)"):
            renderer.update_scene(data, 9)
        camera = mujoco.MjvCamera()
        camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1000
        with pytest.raises(ValueError, match="there is no body 1000"):
            renderer.update_scene(data, camera)
        with pytest.raises(TypeError, match="MjData"):
            renderer.update_scene(None)


def test_data_of_another_model(quadruped):
    model, _ = quadruped
    _, other = world(EVERYTHING)
    with mujoco.Renderer(model, 30, 40) as renderer, pytest.raises(ValueError, match="other sizes"):
        renderer.update_scene(other)


def test_tracking_camera_follows(quadruped):
    model, data = quadruped
    camera = mujoco.MjvCamera()
    camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
    with mujoco.Renderer(model, 30, 40) as renderer:
        renderer.update_scene(data, camera)
    assert np.allclose(camera.lookat, data.subtree_com[1])


def test_markers(quadruped):
    model, data = quadruped
    with mujoco.Renderer(model, 60, 80, max_geom=100) as renderer:
        renderer.update_scene(data)
        before, scene = renderer.render(), renderer.scene
        geom = scene.geoms[scene.ngeom]
        mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_SPHERE, [0.2, 0, 0], [0, 0, 0.6], np.eye(3), [0, 1, 0, 1])
        scene.ngeom += 1
        mujoco.mjv_connector(scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_ARROW, 0.05, [0, 0, 0], [0, 0.5, 0.5])
        scene.ngeom += 1
        after = renderer.render()
        assert (after[..., 1] > 200).sum() > (before[..., 1] > 200).sum()
        assert not np.array_equal(after, before)
        with pytest.raises(ValueError, match="room for 100 geoms"):
            scene.ngeom = 101
        with pytest.raises(IndexError):
            scene.geoms[100]
        with pytest.raises(ValueError, match="cannot connect"):
            mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_BOX, 0.1, [0, 0, 0], [1, 1, 1])


def test_a_full_scene_says_so(quadruped):
    model, data = quadruped
    with (
        mujoco.Renderer(model, 30, 40, max_geom=3) as renderer,
        pytest.warns(RuntimeWarning, match="more are not drawn"),
    ):
        renderer.update_scene(data)


def test_what_cannot_be_drawn_is_refused(quadruped):
    model, data = quadruped
    with mujoco.Renderer(model, 30, 40) as renderer:
        renderer.update_scene(data)
        renderer.scene.flags[mujoco.mjtRndFlag.mjRND_ADDITIVE] = 1
        with pytest.raises(mujoco.FatalError, match="additive transparency"):
            renderer.render()


def test_nonsense_in_a_scene_does_not_crash(quadruped):
    model, data = quadruped
    rng = np.random.default_rng(3)
    values = [np.nan, np.inf, -1, 0, 1e300, 1e-300]
    with mujoco.Renderer(model, 24, 32) as renderer:
        renderer.update_scene(data)
        for _ in range(60):
            geom = renderer.scene.geoms[rng.integers(renderer.scene.ngeom)]
            field = rng.choice(["pos", "size", "mat", "rgba", "type", "dataid", "texid", "matid", "shininess"])
            if field in ("pos", "size", "mat", "rgba"):
                getattr(geom, field).flat[rng.integers(3)] = rng.choice(values)
            else:
                setattr(geom, field, int(rng.integers(-2, 120)))
            assert renderer.render().shape == (24, 32, 3)


def test_contact_forces_are_arrows(quadruped):
    model, _ = quadruped
    data = mujoco.MjData(model)
    for _ in range(300):
        mujoco.mj_step(model, data)
    assert data.ncon
    option = mujoco.MjvOption()
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    scene, camera = mujoco.MjvScene(model, 1000), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    kinds = [geom.type for geom in scene.geoms[: scene.ngeom] if geom.category == mujoco.mjtCatBit.mjCAT_DECOR]
    assert kinds.count(mujoco.mjtGeom.mjGEOM_CYLINDER) == data.ncon
    assert kinds.count(mujoco.mjtGeom.mjGEOM_ARROW) + kinds.count(mujoco.mjtGeom.mjGEOM_ARROW2) == data.ncon


def test_many_worlds():
    model = pliant.load(ROOT / "models/tendon_finger.xml")
    batch = pliant.Batch(model, 3)
    batch.qpos[1] += 0.3
    pictures = pliant.render_batch(model, batch, height=48, width=64)
    assert pictures.shape == (3, 48, 64, 3)
    assert np.array_equal(pictures[0], pictures[2]) and not np.array_equal(pictures[0], pictures[1])
    rows = np.asarray(batch.qpos)
    assert np.array_equal(pliant.render_batch(model, rows, height=48, width=64), pictures)
    assert pliant.render_batch(model, rows, height=8, width=9, kind="depth").dtype == np.float32
    assert pliant.render_batch(model, rows, height=8, width=9, kind="segmentation").shape == (3, 8, 9, 2)
    with pytest.raises(ValueError, match=r"\(worlds, "):
        pliant.render_batch(model, rows[:, :1])
    with pytest.raises(ValueError, match="kind is"):
        pliant.render_batch(model, rows, kind="infrared")


PICKED = """<mujoco><statistic center="0 0 0.5" extent="2"/>
<visual><global orthographic="{flat}" fovy="{fovy}"/></visual>
<worldbody><geom name="floor" type="plane" size="3 3 .1"/>
  <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
  <body pos=".3 0 .5"><freejoint/><geom size=".3"/>
  <body pos="0 0 .4"><geom type="box" size=".1 .2 .1" group="1"/></body>
  </body><body pos="-.6 .2 .4"><geom type="capsule" size=".1 .3" euler="30 20 0"/>
  <geom type="cylinder" size=".2 .05" pos="0 0 .5" group="3"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("flat, fovy", [("false", 45), ("true", 2)])
@pytest.mark.parametrize("fixed", [False, True])
def test_what_is_picked_is_what_the_reference_picks(flat, fovy, fixed):
    reference = pytest.importorskip("mujoco")
    text, found = PICKED.format(flat=flat, fovy=fovy), []
    places = np.random.default_rng(3).random((200, 2))
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        module.mj_forward(model, data)
        scene, camera, option = module.MjvScene(model, 100), module.MjvCamera(), module.MjvOption()
        module.mjv_defaultFreeCamera(model, camera)
        if fixed:
            camera.type, camera.fixedcamid = module.mjtCamera.mjCAMERA_FIXED, 0
        module.mjv_updateScene(model, data, option, None, camera, module.mjtCatBit.mjCAT_ALL, scene)
        rows = []
        for static in (1, 0):
            option.flags[module.mjtVisFlag.mjVIS_STATIC] = static
            for x, y in places:
                point, numbers = np.zeros(3), [np.zeros((1, 1), np.int32) for _ in range(3)]
                body = module.mjv_select(model, data, option, 4 / 3, x, y, scene, point.reshape(3, 1), *numbers)
                rows.append([body, *(int(n[0, 0]) for n in numbers), *(point if body >= 0 else np.zeros(3))])
        found.append(np.array(rows))
    ours, theirs = found
    assert len(set(ours[:, 1])) >= 4 and np.array_equal(ours[:, :4], theirs[:, :4])
    assert np.allclose(ours[:, 4:], theirs[:, 4:], atol=1e-5)  # the reference's cameras are float32


@pytest.mark.parametrize("field", ["distance", "azimuth", "lookat"])
def test_a_camera_that_is_no_number_is_said_to_be_that(field):
    model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    data, camera = mujoco.MjData(model), mujoco.MjvCamera()
    if field == "lookat":
        camera.lookat[1] = np.nan
    else:
        setattr(camera, field, np.nan)
    with mujoco.Renderer(model, 8, 8) as renderer, pytest.raises(ValueError, match="no number: look at its lookat"):
        renderer.update_scene(data, camera)
        renderer.render()
