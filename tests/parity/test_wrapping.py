"""Tendons around spheres and cylinders: lengths, points and moments equal the reference's, side sites anywhere."""

import mujoco
import numpy as np
import pytest

import pliant.mujoco

PER_MODEL = 150
TOLERANCE = 1e-9


def document(random, planar):
    """Tendons with a geom of their own each, between a fixed site and one that turns about all axes."""
    world, body, tendons = [], [], []
    depth = 0 if planar else 1
    for i in range(PER_MODEL):
        ends = random.uniform(-2, 2, (3, 3)) * [1, 1, depth]
        if random.random() < 0.3:  # a side site within, or near the rim
            ends[2] *= random.uniform(0, 0.4)
        radius = random.uniform(0.1, 1.2)
        kind = f'type="cylinder" size="{radius!r} 1"' if random.random() < 0.5 else f'size="{radius!r}"'
        from_, to, side = (" ".join(repr(float(x)) for x in end) for end in ends)
        world.append(f'<geom name="g{i}" {kind} contype="0" conaffinity="0"/>')
        world.append(f'<site name="a{i}" pos="{from_}"/><site name="s{i}" pos="{side}"/>')
        body.append(f'<site name="b{i}" pos="{to}"/>')
        sidesite = f' sidesite="s{i}"' if random.random() < 0.8 else ""
        tendons.append(f'<spatial><site site="a{i}"/><geom geom="g{i}"{sidesite}/><site site="b{i}"/></spatial>')
    joint = "<joint/>" if planar else '<joint type="ball"/>'
    return (
        f"<mujoco><worldbody>{''.join(world)}<body>{joint}<geom size='.1'/>{''.join(body)}</body></worldbody>"
        f"<tendon>{''.join(tendons)}</tendon></mujoco>"
    )


def tendons_at(module, model, qpos):
    data = module.MjData(model)
    data.qpos[:] = qpos
    module.mj_forward(model, data)
    return data


@pytest.mark.parametrize("seed", range(20))
def test_paths_equal_reference(seed):
    random = np.random.default_rng(seed)
    text = document(random, planar=seed % 2 == 0)
    theirs = mujoco.MjModel.from_xml_string(text)
    ours = pliant.mujoco.MjModel.from_xml_string(text)
    qpos = random.normal(size=theirs.nq)
    if theirs.nq == 4:
        qpos /= np.linalg.norm(qpos)
    a, b = tendons_at(mujoco, theirs, qpos), tendons_at(pliant.mujoco, ours, qpos)
    assert np.array_equal(a.ten_wrapnum, b.ten_wrapnum)
    assert set(np.unique(a.ten_wrapnum)) == {2, 4}
    assert np.abs(a.ten_length - b.ten_length).max() <= TOLERANCE
    assert np.abs(a.ten_J - b.ten_J).max() <= TOLERANCE
    used = int(a.ten_wrapnum.sum())
    points_a, points_b = a.wrap_xpos.reshape(-1, 3)[:used], b.wrap_xpos.reshape(-1, 3)[:used]
    assert np.abs(points_a - points_b).max() <= TOLERANCE
