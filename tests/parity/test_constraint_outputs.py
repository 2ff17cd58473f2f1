"""Parameters of contacts mixed as the reference mixes them; residuals by name; messages about rows that are not
finite."""

import itertools

import mujoco
import numpy as np
import pytest

import conftest
import end_to_end
import pliant
import pliant.mujoco

TWO_GEOMS = """<mujoco><worldbody>
<geom type="plane" size="1 1 1" friction=".5 .02 .003" condim="4" margin=".01" gap=".002" solimp=".8 .9 .01 .3 3"/>
<body pos="0 0 .099"><freejoint/><geom size=".1" friction=".7 .01 .001" condim="3" margin=".003" gap=".001"
  solimp=".4 .6 .002 .7 1"/></body></worldbody></mujoco>"""
SOLREF = [(0.02, 1), (0.1, 0.3), (-500, -20), (-900, -5), (0, -7), (0.05, -2)]
SOLMIX = [0, 1, 2.5, 1e-16, 1e-15]
PRIORITY = [0, 1]


def test_mixing_equals_reference():
    """Every priority, weight and sign of solref on both sides."""
    m, n = mujoco.MjModel.from_xml_string(TWO_GEOMS), pliant.mujoco.MjModel.from_xml_string(TWO_GEOMS)
    d, e = mujoco.MjData(m), pliant.mujoco.MjData(n)
    says = list(itertools.product(PRIORITY, SOLMIX, SOLREF))
    for pair in itertools.product(says, says):
        for geom, (priority, solmix, solref) in enumerate(pair):
            for model in (m, n):
                model.geom_priority[geom], model.geom_solmix[geom], model.geom_solref[geom] = priority, solmix, solref
        mujoco.mj_fwdPosition(m, d)
        pliant.mujoco.mj_fwdPosition(n, e)
        for name in ("solref", "solimp", "friction", "includemargin", "dim", "solreffriction"):
            theirs, mine = getattr(d.contact, name), getattr(e.contact, name)
            assert np.allclose(theirs, mine, rtol=1e-15, atol=0), (pair, name, theirs, mine)


HELD = """<mujoco><worldbody>
<body name="a" pos="0 0 1"><freejoint/><geom name="ball" size=".1"/></body>
<body pos="1 0 1"><joint name="elbow" axis="0 1 0" range="-30 30"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<equality><connect name="hook" body1="a" anchor="0 0 0"/></equality></mujoco>"""


def test_residuals_by_name():
    model = pliant.load_string(HELD)
    state, data = pliant.State(model), pliant.Data(model)
    state.qpos[:2] += [0.03, 0.04]
    state.qpos[7] = 0.6
    assert pliant.forward(model, state, data) == 0
    hook, elbow = pliant.constraint_residuals(model, data)
    assert (hook["kind"], hook["name"], hook["origin"]) == ("connect", "hook", ":4:11")
    assert hook["value"] == pytest.approx(0.05) and hook["force"] > 0
    assert (elbow["kind"], elbow["name"]) == ("joint limit", "elbow")
    assert elbow["value"] == pytest.approx(np.deg2rad(30) - 0.6) and elbow["force"] > 0


def test_a_row_that_is_not_finite_is_named():
    model = pliant.mujoco.MjModel.from_xml_string(HELD)
    data = pliant.mujoco.MjData(model)
    model.eq_data[0, 0] = np.nan
    before = data.qpos.copy()
    with pytest.raises(
        pliant.StepError, match=r"row 0 \(equality 'hook' at line 4:11\) is nan .* state was not changed"
    ):
        pliant.mujoco.mj_step(model, data)
    assert np.array_equal(data.qpos, before) and data.time == 0


@pytest.mark.parametrize("path", conftest.own_models(), ids=lambda path: path.stem)
def test_own_models_agree_end_to_end(path):
    result = end_to_end.compare_file(path, 6)
    assert result.agree == result.states, result.reasons
