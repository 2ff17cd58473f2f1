"""Polygons with many corners in OBJ files: cut as the reference cuts them."""

import mujoco
import numpy as np
import pytest

import pliant.mujoco

XML = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'


def prism(corners, star=False, blanks=" "):
    """A right prism over a regular polygon, or over a star."""
    angles = 2 * np.pi * np.arange(corners) / corners
    radius = 1 + 0.3 * (np.arange(corners) % 2) if star else np.ones(corners)
    ring = radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lines = [f"v {x:.6f} {y:.6f} {z}" for z in (0, 1) for x, y in ring]
    bottom = [str(i + 1) for i in range(corners)]
    top = [str(corners + i + 1) for i in range(corners)]
    lines += ["f" + blanks + blanks.join(bottom[::-1]), "\tf" + blanks + blanks.join(top) + " "]
    for i in range(corners):
        j = (i + 1) % corners
        lines.append(f"f {bottom[i]} {bottom[j]} {top[j]} {top[i]}")
    return "\n".join(lines).encode()


@pytest.mark.parametrize("corners, star", [(5, True), (24, False), (99, True), (100, False)])
def test_polygons_are_cut_as_in_the_reference(corners, star):
    assets = {"m.obj": prism(corners, star)}
    ours = pliant.mujoco.MjModel.from_xml_string(XML, assets)
    theirs = mujoco.MjModel.from_xml_string(XML, assets)
    np.testing.assert_array_equal(ours.mesh_face, theirs.mesh_face)
    np.testing.assert_allclose(ours.body_inertia, theirs.body_inertia, rtol=1e-6)


@pytest.mark.parametrize("corners, star", [(101, False), (255, False), (256, False), (300, True), (1024, False)])
def test_larger_polygons_are_cut_too(corners, star):
    """The reference leaves out those with more than 100 corners, and the prism is open then."""
    blanks = "  \t" if corners == 300 else " "
    model = pliant.mujoco.MjModel.from_xml_string(XML, {"m.obj": prism(corners, star, blanks)})
    assert model.nmeshface == 2 * corners + 2 * (corners - 2)
    radii = np.array([1, 1.3 if star else 1])
    area = corners / 2 * radii.prod() * np.sin(2 * np.pi / corners)
    spec = XML.replace("<worldbody><geom", '<worldbody><body><freejoint/><geom density="1"').replace(
        "/></w", "/></body></w"
    )
    mass = pliant.mujoco.MjModel.from_xml_string(spec, {"m.obj": prism(corners, star, blanks)}).body_mass[1]
    assert mass == pytest.approx(area, rel=1e-5)


def test_too_many_corners_are_named():
    with pytest.raises(ValueError, match="a polygon with 1025 corners; at most 1024"):
        pliant.mujoco.MjModel.from_xml_string(XML, {"m.obj": prism(1025)})
