"""Labels and overlays as letters in pictures; edges in place of surfaces."""

import numpy as np
import pytest

import pliant.mujoco as mujoco
from pliant import _pliant
from scenes import EVERYTHING
from test_pictures import world

BLOCK = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>
  <quality numquads="{quads}"/><map znear=".1"/></visual><statistic extent="4" center="0 0 0"/>
  <worldbody><camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="4" projection="orthographic"/>
  <camera name="near" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="60"/>
  <body name="block"><freejoint/><geom name="box" type="box" size="1 .5 .7" rgba="0 1 0 1"/></body></worldbody>
  </mujoco>"""


def block(quads=1):
    model = mujoco.MjModel.from_xml_string(BLOCK.format(quads=quads))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def picture(model, data, camera, *, wires=False, cull=True, label=0, scale=None, size=(100, 100)):
    options = {} if scale is None else {"font_scale": scale}
    with mujoco.Renderer(model, *size, **options) as renderer:
        option = mujoco.MjvOption()
        option.label = int(label)
        renderer.update_scene(data, camera, option)
        renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_WIREFRAME)] = wires
        renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_CULL_FACE)] = cull
        return renderer.render()


def test_every_letter_is_another():
    seen = set()
    for code in range(32, 127):
        paper = np.zeros((12, 8, 3), np.uint8)
        _pliant._write_text(paper, 1, 9, chr(code), 1)
        assert code == 32 or (paper == 255).any()
        seen.add(paper.tobytes())
    assert len(seen) == 95
    assert _pliant._text_size("abc", 2) == (36, 20)
    # a letter of several bytes is one letter, and has a sign of its own
    assert _pliant._text_size("ü", 1) == _pliant._text_size("u", 1)
    paper = np.zeros((12, 8, 3), np.uint8)
    _pliant._write_text(paper, 1, 9, "ü", 1)
    assert paper.tobytes() not in seen


@pytest.mark.parametrize("place", [(-300, 5), (5, -300), (300, 5), (-3, 2), (18, 9), (2**31 - 2, 2), (3, -(2**31))])
def test_text_beyond_the_picture_is_left_out(place):
    paper = np.zeros((10, 20, 3), np.uint8)
    _pliant._write_text(paper, *place, "label", 2)
    assert paper.any() == (place in ((-3, 2), (18, 9)))


def test_a_label_stands_where_its_body_is():
    model, data = block()
    size = 100, 140
    plain = picture(model, data, "front", size=size)
    data.qpos[:3] = 0.5, 0, 0.25  # 25 pixels per metre: from the middle by 12.5 and 6.25 pixels
    mujoco.mj_forward(model, data)
    moved = picture(model, data, "front", size=size)
    for scale, large in ((100, 1), (150, 2)):
        named = picture(model, data, "front", label=mujoco.mjtLabel.mjLABEL_BODY, scale=scale, size=size)
        rows, columns = np.nonzero((named != moved).any(axis=2))
        # five letters, the last of which has four columns, and a rim
        assert (columns.min(), columns.max()) == (82 - 1, 82 + (4 * 6 + 4) * large)
        assert (rows.min(), rows.max()) == (43 - 7 * large - 1, 43)
        assert ((named == 255).all(axis=2)).sum() == large**2 * sum(
            bin(row).count("1") for row in (16, 16, 30, 17, 17, 17, 30, 12, 4, 4, 4, 4, 4, 14, 14, 17, 17, 17, 14, 15,
                                            16, 16, 16, 15, 16, 16, 18, 20, 24, 20, 18))  # fmt: skip
    assert not np.array_equal(plain, moved)
    # a label says nothing in depth and segmentation
    with mujoco.Renderer(model, 100, 100) as renderer:
        option = mujoco.MjvOption()
        option.label = int(mujoco.mjtLabel.mjLABEL_GEOM)
        renderer.update_scene(data, "front", option)
        renderer.enable_segmentation_rendering()
        assert {tuple(pair) for pair in renderer.render().reshape(-1, 2).tolist()} == {(-1, -1), (0, 5)}


def test_edges_of_a_block_are_where_they_must_be():
    model, data = block()
    wires = picture(model, data, "front", wires=True)
    lit = wires[..., 1] > 60
    # 25 pixels per metre: from 25 to 75 across, from 32.5 to 67.5 down; the lines are as wide as a pixel
    inside = lit[36:64, 29:71]
    assert not inside.any() and lit.any()
    rows, columns = np.nonzero(lit)
    assert columns.min() in (24, 25) and columns.max() in (74, 75) and rows.min() in (32, 33) and rows.max() in (66, 67)
    assert lit[32:34, 30:70].any(axis=0).all() and lit[66:68, 30:70].any(axis=0).all()
    # more lines where faces are divided
    finer = picture(*block(4), "front", wires=True)
    assert (finer[36:64, 29:71, 1] > 60).any()
    # in perspective the far side is behind the near one, and hidden
    near, through = (picture(model, data, "near", wires=True, cull=cull) for cull in (True, False))
    assert (through[..., 1] > 60).sum() > 1.3 * (near[..., 1] > 60).sum()


def test_everything_has_edges():
    model, data = world(EVERYTHING)
    with mujoco.Renderer(model, 120, 160) as renderer:
        renderer.update_scene(data)
        flags = renderer.scene.flags
        flags[int(mujoco.mjtRndFlag.mjRND_WIREFRAME)] = 1
        whole = renderer.render()
        assert np.array_equal(whole, renderer.render())
        count = renderer.scene.ngeom
        for i in range(count):  # every geom draws lines of its own
            geom = renderer.scene.geoms[i]
            before, geom.rgba[3] = float(geom.rgba[3]), 0
            changed = not np.array_equal(renderer.render(), whole)
            geom.rgba[3] = before
            assert changed or _out_of_sight(renderer, geom), (i, geom)


def _out_of_sight(renderer, geom):
    """Whether a picture of surfaces does not show the geom, either."""
    renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_WIREFRAME)] = 0
    renderer.enable_segmentation_rendering()
    seen = renderer.render()
    renderer.disable_segmentation_rendering()
    renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_WIREFRAME)] = 1
    return [geom.objid, geom.objtype] not in seen.reshape(-1, 2).tolist()


def test_nonsense_in_a_scene_of_edges_does_not_crash():
    model, data = world(EVERYTHING)
    rng = np.random.default_rng(5)
    values = [np.nan, np.inf, -1, 0, 1e300, 1e-300]
    with mujoco.Renderer(model, 24, 32) as renderer:
        renderer.update_scene(data)
        renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_WIREFRAME)] = 1
        for _ in range(60):
            geom = renderer.scene.geoms[rng.integers(renderer.scene.ngeom)]
            field = rng.choice(["pos", "size", "mat", "rgba", "type", "dataid", "label"])
            if field == "label":
                geom.label = bytes(rng.integers(1, 127, 50).tolist()).decode()
            elif field in ("pos", "size", "mat", "rgba"):
                getattr(geom, field).flat[rng.integers(3)] = rng.choice(values)
            else:
                setattr(geom, field, int(rng.integers(-2, 120)))
            assert renderer.render().shape == (24, 32, 3)


def test_overlays():
    model, data = block()
    scene, camera = mujoco.MjvScene(model, 100), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    context, view = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100), mujoco.MjrRect(0, 0, 120, 80)

    def read(*overlays):
        mujoco.mjr_render(view, scene, context)
        for place, left, right in overlays:
            mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, place, view, left, right, context)
        out = np.zeros((80, 120, 3), np.uint8)
        mujoco.mjr_readPixels(out, None, view, context)
        return out[::-1]

    plain, grid = read(), mujoco.mjtGridPos
    for place, rows, columns in ((grid.mjGRID_TOPLEFT, slice(0, 40), slice(0, 80)),
                                 (grid.mjGRID_BOTTOMRIGHT, slice(40, 80), slice(40, 120)),
                                 (grid.mjGRID_TOP, slice(0, 40), slice(20, 100))):  # fmt: skip
        written = read((place, "speed\ntime", b"1.5\n2"))
        changed = (written != plain).any(axis=2)
        assert (written[rows, columns] == 255).all(axis=2).any() and changed.sum() == changed[rows, columns].sum()
    assert np.array_equal(read((grid.mjGRID_TOP, "", None)), plain)
    with pytest.raises(mujoco.FatalError, match="viewport"):
        mujoco.mjr_overlay(0, 0, mujoco.MjrRect(0, 0, 1, 1), "a", "b", context)
