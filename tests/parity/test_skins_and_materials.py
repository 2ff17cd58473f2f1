"""What sites take from their mesh, and skins in files, where frames scale."""

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco
from random_models.late import skn

CUBE = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))


@pytest.mark.parametrize("own", ["", 'material="own"'])
def test_a_site_takes_the_material_of_its_mesh(own):
    xml = f"""<mujoco><asset><material name="own"/><material name="brought"/>
      <mesh name="m" vertex="{CUBE}" material="brought"/></asset>
      <worldbody><site type="mesh" mesh="m" {own}/><geom type="mesh" mesh="m" {own}/></worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    assert ours.site_matid.tolist() == theirs.site_matid.tolist() == [0 if own else 1]
    assert ours.geom_matid.tolist() == theirs.geom_matid.tolist()


SKIN = """<mujoco><asset><skin name="s" file="s.skn"/></asset><worldbody>
  <frame scale="{0}"><body name="a" pos="1 0 0"><geom size=".1"/></body></frame>
  <frame scale="{1}"><body name="b"><geom size=".1"/></body></frame></worldbody></mujoco>"""
VERTICES = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.5)]
FILE = skn(VERTICES, [(0, 1, 2)], [], [(name, [0.1, 0.2, 0.3, 1, 0, 0, 0], [0, 1, 2], [1, 1, 1]) for name in "ab"])


def test_a_skin_in_a_file_is_scaled():
    models = [m.MjModel.from_xml_string(SKIN.format(2, 2), {"s.skn": FILE}) for m in (mujoco, pliant.mujoco)]
    for name in ("skin_vert", "skin_bonebindpos", "skin_inflate"):
        np.testing.assert_array_equal(getattr(models[1], name), getattr(models[0], name), err_msg=name)
    np.testing.assert_allclose(models[1].skin_vert, 2 * np.array(VERTICES), rtol=1e-6)


def test_bones_of_different_scale_are_refused():
    with pytest.raises(ValueError, match="same scale"):
        mujoco.MjModel.from_xml_string(SKIN.format(2, 3), {"s.skn": FILE})
    with pytest.raises(pliant.LoadError, match="scaled differently"):
        pliant.mujoco.MjModel.from_xml_string(SKIN.format(2, 3), {"s.skn": FILE})
