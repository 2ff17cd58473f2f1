"""pliant.scale without a cluster: names of parameters, sweeps and identification against closed forms."""

import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import pliant
from pliant import scale
from pliant.scale._paths import Path, rows_of

PENDULUM = """
<mujoco>
  <option timestep="0.002" integrator="RK4"/>
  <worldbody>
    <body name="bob">
      <joint name="pin" axis="0 1 0"/>
      <geom name="ball" type="sphere" size="0.01" mass="1" pos="0 0 -0.5"/>
    </body>
  </worldbody>
  <sensor><jointpos name="angle" joint="pin"/></sensor>
</mujoco>"""
SLIDER = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body name="cart"><joint name="rail" type="slide" axis="1 0 0"/><geom name="box" size="0.1" mass="2"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rail"/></actuator>
  <sensor><jointpos joint="rail"/><jointvel joint="rail"/></sensor>
</mujoco>"""


def test_sweep_of_lengths_has_the_periods_of_pendulums():
    """T = 2 π √((l² + 2/5 r²) / (g l)): small swings, whose zeros are counted."""
    model = pliant.load_string(PENDULUM)

    def period(model, state, sensordata):
        angle = sensordata[:, 0]
        down = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))
        at = down + angle[down] / (angle[down] - angle[down + 1])
        return {"period": np.diff(at).mean() * 0.002}

    lengths = [0.3, 0.5, 0.9]
    start = [0, 0.01, 0]
    # the geom is a part of the body: its place in the body's frame is body_ipos
    swept = scale.sweep(model, {"body_ipos[bob][2]": [-x for x in lengths]}, nstep=5000, initial_state=start,
                        measure=period)  # fmt: skip
    assert swept.shape == (3,) and (swept.status == 0).all()
    wanted = [2 * math.pi * math.sqrt((x**2 + 0.4 * 0.01**2) / (9.81 * x)) for x in lengths]
    assert np.allclose(swept.values["period"], wanted, rtol=2e-5)  # (0.01² / 16 of the amplitude, and RK4)
    point, value = swept.best("period")
    assert point == {"body_ipos[bob][2]": -0.3} and value == swept.values["period"][0]
    assert "period" in str(swept) and "3 points" in repr(swept)


def test_sweep_is_the_product_of_its_axes():
    model = pliant.load_string(SLIDER)
    swept = scale.sweep(model, {"body_mass[cart]": [1, 2, 4], "opt.timestep": [0.001, 0.002]},
                        control=np.ones((100, 1)), measure=lambda m, x, s: x[-1, 1] / x[-1, 0] ** 2)  # fmt: skip
    # semi-implicit Euler: x = (n + 1) / 2n · t² / m after n steps of constant force
    wanted = np.array([[0.5 * 101 / 100 / m] * 2 for m in (1, 2, 4)])
    assert np.allclose(swept.values["value"], wanted, rtol=1e-12)
    assert swept.points[1] == (1, 0.002)


def test_sweep_tells_of_simulations_that_stopped():
    model = pliant.load_string(SLIDER)
    with pytest.warns(RuntimeWarning, match=r"1 of 2 simulations stopped; first: body_mass\[cart\] = 1e-12, step"):
        swept = scale.sweep(model, {"body_mass[cart]": [1, 1e-12]}, control=np.full((20, 1), 1e3))
    assert swept.status[0] == 0 and swept.status[1] != 0
    assert swept.best("time", largest=True)[0] == {"body_mass[cart]": 1}


def test_identify_finds_mass_and_friction_again():
    """Readings of a cart with known mass and damping: both are found, and so is how well."""
    truth = pliant.load_string(SLIDER)
    truth.body_mass[1], truth.dof_damping[0] = 3.0, 1.5
    control = np.sin(0.02 * np.arange(400))[:, None]
    start = np.zeros(3)
    result = pliant.rollout(truth, start, control, parameters={"body_mass": truth.body_mass}, set_const=True)
    model = pliant.load_string(SLIDER)
    unknown = {"body_mass[cart]": (0.5, 10), "dof_damping[0]": (0, 5)}
    found = scale.identify(model, result.sensordata[0], unknown, control=control, initial_state=start)
    assert found.converged
    assert found.parameters["body_mass[cart]"] == pytest.approx(3, rel=1e-6)
    assert found.parameters["dof_damping[0]"] == pytest.approx(1.5, rel=1e-5)
    assert found.error < 1e-6 < found.start_error
    # noise of a known size: the deviation that is named covers the miss
    rng = np.random.default_rng(3)
    noise = 1e-3 * rng.standard_normal(result.sensordata[0].shape)
    noisy = scale.identify(model, result.sensordata[0] + noise, unknown, control=control, initial_state=start)
    miss = abs(noisy.parameters["body_mass[cart]"] - 3)
    assert 0 < miss < 4 * noisy.deviation["body_mass[cart]"] < 0.5
    assert "±" in str(noisy)


def test_what_readings_do_not_tell_is_infinitely_uncertain():
    model = pliant.load_string(SLIDER)
    measured = np.zeros((50, 2))
    found = scale.identify(model, measured, {"body_mass[cart]": (1, 3)}, starts=2)  # nothing moves
    assert found.deviation["body_mass[cart]"] == math.inf


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("body_mas[cart]", "Did you mean 'body_mass'"),
        ("body_mass[kart]", "there is no body 'kart'. Did you mean 'cart'"),
        ("body_mass[7]", "7 is not from 0 to 1"),
        ("body_ipos[cart][z]", "'z' should be a number from 0 to 2"),
        ("body_mass[cart][0]", "2 indices are too many"),
        ("geom_bodyid[0]", "not a real parameter"),
        ("opt.timestop", "not an option of one number"),
        ("body mass", "should be like"),
    ],
)
def test_names_that_mean_nothing(path, message):
    with pytest.raises(ValueError, match="(?s)" + message.replace("[", r"\[")):
        Path(pliant.load_string(SLIDER), path)


def test_rows_of_one_array_are_shared_by_its_paths():
    model = pliant.load_string(PENDULUM)
    paths = [Path(model, "body_ipos[bob][0]"), Path(model, "body_ipos[bob][2]")]
    parameters, models = rows_of(model, paths, [(1, 2), (3, 4)])
    assert models is None and list(parameters) == ["body_ipos"]
    assert parameters["body_ipos"][:, 1].tolist() == [[1, 0, 2], [3, 0, 4]]
    parameters, _ = rows_of(model, [Path(model, "body_ipos[*][1]")], [(5,)])
    assert parameters["body_ipos"][0, :, 1].tolist() == [5, 5]


def test_wrong_arguments():
    model = pliant.load_string(SLIDER)
    with pytest.raises(ValueError, match="grid is empty"):
        scale.sweep(model, {}, nstep=3)
    with pytest.raises(ValueError, match=r"\(nstep, nsensordata\) = \(5, 2\)"):
        scale.identify(model, np.zeros((5, 3)), {"body_mass[cart]": (1, 2)})
    with pytest.raises(ValueError, match="finite bounds"):
        scale.identify(model, np.zeros((5, 2)), {"body_mass": (1, 2)})
    with pytest.raises(TypeError, match="ray should be True or a pliant.scale.Cluster"):
        pliant.rollout(model, np.zeros(3), nstep=2, ray="yes")
    with pytest.raises(ValueError, match="give ray=True, too"):
        pliant.rollout(model, np.zeros(3), nstep=2, progress=True)


def test_a_missing_ray_has_a_hint():
    code = """
import sys
sys.modules["ray"] = None
import pliant.scale
try:
    pliant.scale.Cluster()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'pliant[ray]'" in done.stdout, done.stderr


def test_results_can_be_pickled():
    model = pliant.load_string(SLIDER)
    swept = scale.sweep(model, {"body_mass[cart]": [1, 2]}, nstep=3)
    again = pickle.loads(pickle.dumps(swept))
    assert again.points == swept.points and str(again) == str(swept)
