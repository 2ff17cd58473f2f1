"""What anchored friction costs (callgrind): instructions of a step beside the same step with regularised friction."""

import pathlib
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import instructions  # noqa: E402

BOX = '<body pos="0 0 .0499"><freejoint/><geom type="box" size=".1 .1 .05"/></body>'
TOWER = "".join(
    f'<body pos="{0.0003 * (k % 3)} 0 {0.0499 + 0.0998 * k}"><freejoint/><geom type="box" size=".05 .05 .05"/></body>'
    for k in range(10)
)
LEGS = "".join(
    f"""<body pos="{x} {y} -.02"><joint axis="0 1 0" range="-60 60" damping="1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02"/><body pos="0 0 -.2"><joint axis="0 1 0" damping="1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".015"/></body></body>"""
    for x in (-0.2, 0.2)
    for y in (-0.1, 0.1)
)
ROBOT = f"""<body pos="0 0 .4329"><freejoint/><geom type="box" size=".25 .1 .05"/>{LEGS}</body>"""


def steps_cost(folder, name, bodies, cone, law):
    path = folder / f"{name}_{cone}_{law}.xml"
    path.write_text(
        f'<mujoco><option friction="{law}" cone="{cone}"/><worldbody><geom type="plane" size="9 9 1"/>{bodies}'
        "</worldbody></mujoco>"
    )
    return instructions.per_step(ROOT / "build" / "pliant", path, 100, 40)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(
    "name, bodies, most",
    [("box", BOX, 0.07), ("tower", TOWER, 0.06), ("robot", ROBOT, 0.05)],
    ids=["box", "tower", "robot"],
)
def test_anchors_cost_little(name, bodies, most, cone, tmp_path):
    """A box and a tower do nothing but touch, with four contacts per body; a robot does more."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind to count instructions with")
    anchored, regularized = (steps_cost(tmp_path, name, bodies, cone, law) for law in ("anchored", "regularized"))
    print(f"{name} {cone}: {regularized:,.0f} to {anchored:,.0f} instructions a step, {anchored / regularized - 1:.1%}")
    assert anchored <= (1 + most) * regularized
