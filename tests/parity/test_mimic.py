"""A mimic's row, written as the reference's joint equality, gives the reference's step.

R, K, B and d of our row are turned into solref and solimp: with the reference's estimate A = invweight0(1) +
invweight0(2) it uses R = A (1 - d) / d, K d = -solref[0] / d and B = -solref[1] / d, so that d = A / (A + R), solref =
(-d K d, -d B) reproduce them. That needs 0.0001 <= d <= 0.9999, one leader, and refsafe and the flags of equalities
left as they are. Cases it cannot express: several leaders, exact, hard (d = 1 - 1e-6 and more), and r that changes
along the way.
"""

import mujoco
import numpy as np
import pytest

from pliant import Data, Model, State, _pliant, forward, step

SCENE = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.004" integrator="{integrator}" tolerance="1e-16" iterations="500" solver="{solver}"/>
  <worldbody>
    <body pos="0 0 1">{base}
      <geom type="box" size="0.1 0.1 0.05"/>
      <body pos="0.1 0 0"><joint name="a" axis="0 1 0" ref="0.2" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
        <body pos="0.2 0 0"><joint name="c" axis="0 0 1" armature="0.01"/>
          <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02"/></body>
      </body>
      <body pos="-0.1 0 0"><joint name="b" type="{type}" axis="0 1 0" ref="-0.1" armature="0.02"/>
        <geom type="capsule" fromto="0 0 0 -0.2 0.1 0" size="0.02"/>
      </body>
    </body>
  </worldbody>
  <equality>{equality}</equality>
</mujoco>
"""


def ours(scene, qpos, qvel):
    model = Model(xml=scene)
    state, data = State(model), Data(model)
    state.qpos[:], state.qvel[:] = qpos, qvel
    forward(model, state, data)
    row = {name: _pliant.row_array(data, "row_" + name).copy() for name in ("R", "KBIP", "pos", "aref")}
    step(model, state, data)
    return state, data, row


@pytest.mark.parametrize("base", ["", "<freejoint/>"], ids=["fixed", "floating"])
@pytest.mark.parametrize("type", ["hinge", "slide"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_one_step_is_the_references(base, type, integrator, solver):
    rng = np.random.default_rng(1)
    gear, offset = -1.7, 0.3
    fill = {"base": base, "type": type, "integrator": integrator, "solver": solver}
    # the reference's estimate, and positions at qpos0
    plain = mujoco.MjModel.from_xml_string(SCENE.format(equality="", **fill))
    place = {j: plain.joint(j) for j in "ab"}
    estimate = sum(float(plain.dof_invweight0[place[j].dofadr[0]]) for j in "ab")
    q0 = {j: float(plain.qpos0[place[j].qposadr[0]]) for j in "ab"}
    for _ in range(20):
        frequency, ratio = rng.uniform(5, 60), rng.uniform(0.1, 2)
        mimic = (f'<mimic joint1="a" joint2="b" gear="{gear}" offset="{offset}" mode="soft" '
                 f'naturalfreq="{frequency!r}" dampratio="{ratio!r}"/>')  # fmt: skip
        qpos = plain.qpos0.copy()
        move = rng.normal(size=plain.nv) * 0.3
        mujoco.mj_integratePos(plain, qpos, move, 1)
        qvel = rng.normal(size=plain.nv)
        state, _, row = ours(SCENE.format(equality=mimic, **fill), qpos, qvel)

        R, (K, B, impedance, _) = float(row["R"][0]), map(float, row["KBIP"].ravel()[:4])
        d = estimate / (estimate + R)
        assert 1e-4 <= d <= 0.9999
        a0 = -gear * q0["b"] - q0["a"] - offset
        joint = (f'<joint joint1="a" joint2="b" polycoef="{a0!r} {-gear!r} 0 0 0" '
                 f'solref="{-d * K * impedance!r} {-d * B!r}" solimp="{d!r} {d!r} 1"/>')  # fmt: skip
        m = mujoco.MjModel.from_xml_string(SCENE.format(equality=joint, **fill))
        theirs = mujoco.MjData(m)
        theirs.qpos[:], theirs.qvel[:] = qpos, qvel
        mujoco.mj_forward(m, theirs)
        assert theirs.efc_pos[0] == pytest.approx(row["pos"][0], abs=1e-12)
        assert theirs.efc_R[0] == pytest.approx(R, rel=1e-9)
        assert theirs.efc_aref[0] == pytest.approx(row["aref"][0], rel=1e-9)
        mujoco.mj_step(m, theirs)
        assert np.abs(np.asarray(state.qvel) - theirs.qvel).max() < 1e-9
        assert np.abs(np.asarray(state.qpos) - theirs.qpos).max() < 1e-9
