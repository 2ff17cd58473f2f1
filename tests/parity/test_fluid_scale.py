"""Fluid forces on ellipsoids of any size and speed: lift and its slope have no floor below which they fade.

(MuJoCo 3.12 divided by at least 1e-15; 4.0 does not.)
"""

import mujoco
import numpy as np
import pytest

import pliant.mujoco

XML = """<mujoco>
  <option density="1.2" viscosity="{viscosity}" gravity="0 0 0" integrator="implicit" timestep=".1"/>
  <worldbody><body>
    <freejoint/>
    <inertial pos="0 0 0" mass="{mass}" diaginertia="1 1 1"/>
    <geom type="ellipsoid" size="{size}" fluidshape="ellipsoid" fluidcoef="{coefficients}"/>
  </body></worldbody>
</mujoco>"""
SIZE, VELOCITY = np.array([0.025, 0.01, 0.001]), np.array([1.0, 2.0, 3.0, 0.3, 0.2, 0.1])
COEFFICIENTS = {"lift": "0 0 0 1 0", "drag": "1 .3 0 0 0", "turning": "0 .2 1 0 0", "all": ".5 .25 1.5 1 1"}


def moved(module, scale, speed, coefficients, velocity=VELOCITY):
    xml = XML.format(
        viscosity=0,
        mass=1e-2 * scale**2 * speed,
        size=" ".join(map(str, scale * SIZE)),
        coefficients=COEFFICIENTS[coefficients],
    )
    model = module.MjModel.from_xml_string(xml)
    data = module.MjData(model)
    data.qvel[:] = speed * velocity
    module.mj_forward(model, data)
    force = data.qfrc_passive.copy()
    module.mj_step(model, data)
    return force, data.qvel - speed * velocity


@pytest.mark.parametrize("coefficients", COEFFICIENTS)
@pytest.mark.parametrize("speed", [1, 0.1, 1e-3])
@pytest.mark.parametrize("scale", [10, 1, 0.1, 0.01])
def test_force_and_step_equal_the_reference(scale, speed, coefficients):
    for ours, theirs in zip(
        moved(pliant.mujoco, scale, speed, coefficients), moved(mujoco, scale, speed, coefficients), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.max(np.abs(theirs)))


@pytest.mark.parametrize("coefficients", ["lift", "drag"])
def test_forces_grow_with_area_and_the_square_of_speed(coefficients):
    """By dimension: force = density · area · speed² · a number of shape and direction."""
    still = np.array([*VELOCITY[:3], 0, 0, 0])  # spin brings in added mass, which grows with volume
    force, _ = moved(pliant.mujoco, 1, 1, coefficients, still)
    small, _ = moved(pliant.mujoco, 0.01, 1e-3, coefficients, still)
    np.testing.assert_allclose(small[:3], force[:3] * 0.01**2 * 1e-3**2, rtol=1e-9)


def test_no_flow_no_force():
    force, step = moved(pliant.mujoco, 1, 1, "all", np.zeros(6))
    assert not force.any() and not step.any()


@pytest.mark.parametrize("size", ["0 0 .1", "0 2 .1", "1 2 .1"])
def test_planes_in_a_fluid_have_no_added_mass_that_is_not_a_number(size):
    """A class with fluidshape="ellipsoid" may have a plane in it; the reference computes NaN for one without bounds."""
    xml = XML.format(viscosity=0, mass=1, size=".1 .1 .1", coefficients=COEFFICIENTS["all"]).replace(
        "<worldbody>", f'<worldbody><geom type="plane" pos="0 0 -5" size="{size}" fluidshape="ellipsoid"/>'
    )
    reference, model = (module.MjModel.from_xml_string(xml) for module in (mujoco, pliant.mujoco))
    bounded = np.isfinite(reference.geom_fluid)
    assert np.all(np.isfinite(model.geom_fluid)) and np.all(model.geom_fluid[~bounded] == 0)
    np.testing.assert_allclose(model.geom_fluid[bounded], reference.geom_fluid[bounded], rtol=1e-12)
    moved = []
    for module, made in ((mujoco, reference), (pliant.mujoco, model)):
        data = module.MjData(made)
        data.qvel[:] = VELOCITY
        module.mj_step(made, data)
        moved.append(np.array(data.qvel))
    np.testing.assert_allclose(*moved, rtol=1e-10)
