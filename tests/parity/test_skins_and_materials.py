"""What sites take from their mesh, and skins in files, where frames scale and models are attached."""

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


def attached(attachment, bodies="", skin='<skin name="s" file="s.skn"/>'):
    """Texts of a model that attaches one with bodies a and b, and a skin between them."""
    child = f"""<mujoco model="child"><asset>{skin}</asset><worldbody><body name="a"><geom size=".1"/></body>
      <body name="b" pos="1 0 0"><geom size=".1"/></body></worldbody></mujoco>"""
    parent = f"""<mujoco><asset><model name="child" file="child.xml"/></asset><worldbody>
      {"".join(f'<body name="{n}"><geom size=".2"/></body>' for n in bodies)}{attachment}</worldbody></mujoco>"""
    return parent, {"child.xml": child.encode(), "s.skn": FILE}


# attachment, bodies of the model that attaches
ATTACHMENTS = [
    ('<attach model="child" prefix="p-"/>', ""),
    ('<attach model="child" prefix="p-"/>', "ab"),  # of the names that the file has, without the prefix
    ('<frame pos="1 2 3"><attach model="child" prefix="p-"/></frame><attach model="child" prefix="q-"/>', "a"),
]


@pytest.mark.parametrize("skin", ['<skin name="s" file="s.skn"/>', '<skin file="s.skn"/>'])
@pytest.mark.parametrize("attachment,bodies", ATTACHMENTS)
def test_bones_in_a_file_are_bodies_of_the_attached_model(attachment, bodies, skin):
    text, files = attached(attachment, bodies, skin)
    theirs, ours = (m.MjModel.from_xml_string(text, files) for m in (mujoco, pliant.mujoco))
    assert ours.skin_bonebodyid.tolist() == theirs.skin_bonebodyid.tolist()
    names = [ours.body(i).name for i in ours.skin_bonebodyid]
    assert names == [prefix + n for prefix in ("p-", "q-")[: ours.nskin] for n in "ab"]
    for model, module in ((theirs, mujoco), (ours, pliant.mujoco)):
        assert module.mj_id2name(model, module.mjtObj.mjOBJ_SKIN, 0) == "p-s"


def test_bones_in_a_file_that_are_not_attached_are_refused():
    text, files = attached('<attach model="child" body="a" prefix="p-"/>', "ab")
    with pytest.raises(ValueError, match="unknown body 'p-b' in skin"):
        mujoco.MjModel.from_xml_string(text, files)
    with pytest.raises(pliant.LoadError, match="p-b"):
        pliant.mujoco.MjModel.from_xml_string(text, files)


def test_a_skin_of_a_model_attached_to_an_attached_one():
    text, files = attached('<attach model="child" prefix="p-"/>')
    files["middle.xml"] = text.encode()
    text = """<mujoco><asset><model name="middle" file="middle.xml"/></asset>
      <worldbody><attach model="middle" prefix="q-"/></worldbody></mujoco>"""
    theirs, ours = (m.MjModel.from_xml_string(text, files) for m in (mujoco, pliant.mujoco))
    assert [ours.body(i).name for i in ours.skin_bonebodyid] == ["q-p-a", "q-p-b"]
    assert ours.skin_bonebodyid.tolist() == theirs.skin_bonebodyid.tolist()


@pytest.mark.parametrize("attachment,bodies", ATTACHMENTS)
def test_a_written_model_has_the_skin_of_the_attached_one(attachment, bodies, tmp_path):
    text, files = attached(f'<frame scale="2 2 2">{attachment}</frame>', bodies)
    (tmp_path / "main.xml").write_text(text)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    pliant.Spec(tmp_path / "main.xml").save(tmp_path / "written.xml")
    before, after = (pliant.mujoco.MjModel.from_xml_path(str(tmp_path / f"{n}.xml")) for n in ("main", "written"))
    reference = mujoco.MjModel.from_xml_path(str(tmp_path / "written.xml"))
    for name in ("skin_bonebodyid", "skin_vert", "skin_bonebindpos", "skin_bonebindquat", "skin_bonevertweight"):
        assert getattr(after, name).tolist() == getattr(before, name).tolist(), name
        assert getattr(reference, name).tolist() == getattr(before, name).tolist(), name
