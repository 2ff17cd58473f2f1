"""Bodies that are fused: a parent without mass of its own gets the inertia of one geom in the frame of the geom."""

import mujoco
import numpy as np
import pytest

import compare
import pliant.mujoco

BOX = '<geom type="box" size=".065 .28 .1" euler="-99.86 -48.21 -128.4"/>'
FUSED = '<body pos="1 0 0" euler="10 20 30">{}</body>'
CASES = {
    "one geom": (FUSED.format(BOX), "", ""),
    "one geom, two levels": (FUSED.format(FUSED.format(BOX)), "", ""),
    "beside a geom without mass": (FUSED.format(BOX + '<geom size=".1" mass="0"/>'), '<geom size=".1" mass="0"/>', ""),
    "inertiafromgeom": (FUSED.format(BOX), "", 'inertiafromgeom="true"'),
    "group": (FUSED.format(BOX + '<geom size=".1" group="4"/>'), "", 'inertiagrouprange="0 2"'),
    "two geoms": (FUSED.format(BOX + '<geom size=".1" pos="1 0 0"/>'), "", ""),
    "two bodies": (FUSED.format(BOX) + '<body pos="2 0 0"><geom size=".1"/></body>', "", ""),
    "mass in the parent": (FUSED.format(BOX), '<geom size=".1"/>', ""),
    "inertial": (FUSED.format(BOX + '<inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5" euler="9 8 7"/>'), "", ""),
    "bounds": (FUSED.format(BOX), "", 'boundmass=".01" boundinertia="1e-3"'),
}


@pytest.mark.parametrize("name", CASES)
def test_fused_models_equal_the_reference(name):
    inside, own, compiler = CASES[name]
    xml = f"""<mujoco><compiler fusestatic="true" {compiler}/>
      <worldbody><body><joint type="slide"/>{own}{inside}</body></worldbody></mujoco>"""
    reference, model = (module.MjModel.from_xml_string(xml) for module in (mujoco, pliant.mujoco))
    assert reference.nbody == 2
    assert not compare.compare_models(reference, model).differences


@pytest.mark.parametrize("name", CASES)
def test_fusing_keeps_the_inertia(name):
    """About the joint, without the reference: mass matrices with and without fusing are equal."""
    inside, own, compiler = CASES[name]
    if "bound" in compiler:
        pytest.skip("every body is raised to the bound, and fusing makes fewer bodies")
    masses = []
    for fuse in ("true", "false"):
        model = pliant.mujoco.MjModel.from_xml_string(f"""<mujoco><compiler fusestatic="{fuse}" {compiler}/>
          <worldbody><body><freejoint/>{own}{inside}</body></worldbody></mujoco>""")
        data = pliant.mujoco.MjData(model)
        pliant.mujoco.mj_forward(model, data)
        full = np.zeros((6, 6))
        pliant.mujoco.mj_fullM(model, data, full)
        masses.append(full)
    np.testing.assert_allclose(*masses, rtol=1e-12, atol=1e-12)
