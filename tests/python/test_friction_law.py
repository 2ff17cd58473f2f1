"""The attribute friction_law of geoms and pairs: some contacts are anchored, others creep."""

import math
import pathlib
import subprocess

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SLOPE = math.radians(20)
SOLVERS = ["Newton", "CG", "PGS", "TGS"]
CONES = ["pyramidal", "elliptic"]


def boxes(laws, option="regularized", cone="elliptic", solver="Newton", floor="", pairs=""):
    """Boxes side by side on a slope that gravity makes; each with its own words."""
    bodies = "".join(
        f'<body pos="0 {k} .0499"><freejoint/><geom name="box{k}" type="box" size=".1 .1 .05" {words}/></body>'
        for k, words in enumerate(laws)
    )
    return (
        f'<mujoco><option friction="{option}" cone="{cone}" solver="{solver}" tolerance="1e-13" iterations="1000" '
        f'gravity="{9.81 * math.sin(SLOPE)} 0 {-9.81 * math.cos(SLOPE)}"/><worldbody>'
        f'<geom name="floor" type="plane" size="9 9 1" {floor}/>{bodies}</worldbody><contact>{pairs}</contact></mujoco>'
    )


def creep(text, seconds=4):
    """How far each box moves in the last second."""
    model = pliant.load_string(text)
    state, data = pliant.State(model), pliant.Data(model)
    per_second = round(1 / model.opt.timestep)
    for _ in range((seconds - 1) * per_second):
        pliant.step(model, state, data)
    before = state.qpos.reshape(-1, 7)[:, 0].copy()
    for _ in range(per_second):
        pliant.step(model, state, data)
    return np.abs(state.qpos.reshape(-1, 7)[:, 0] - before)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
def test_each_contact_has_its_own_law(cone, solver):
    held, creeping = creep(boxes(['friction_law="anchored"', ""], cone=cone, solver=solver))
    print(cone, solver, held, creeping)
    assert held <= 1e-9
    if solver != "TGS" or cone == "elliptic":  # (its pyramids creep less, and hop)
        assert creeping > 1e-4
    creeping, held = creep(boxes(['friction_law="regularized"', ""], "anchored", cone, solver, floor='priority="-1"'))
    assert held <= 1e-9
    if solver != "TGS" or cone == "elliptic":
        assert creeping > 1e-4


PAIR = '<pair geom1="floor" geom2="box0" {}/>'


@pytest.mark.parametrize(
    "box, floor, pair, option, anchored",
    [
        ("", "", None, "anchored", True),
        ("", "", None, "regularized", False),
        ("regularized", "", None, "anchored", False),
        ("regularized", "anchored", None, "regularized", True),  # the larger of two
        ("anchored", "regularized", None, "regularized", True),
        ("regularized", "anchored", 1, "regularized", False),  # higher priority alone decides
        ("", "regularized", 1, "anchored", True),  # and leaves it to the option
        ("anchored", "anchored", "", "regularized", False),  # a pair alone decides
        ("regularized", "regularized", 'friction_law="anchored"', "regularized", True),
        ("anchored", "anchored", 'friction_law="regularized"', "anchored", False),
    ],
)
def test_mixing(box, floor, pair, option, anchored):
    law = 'friction_law="{}"'.format
    words = (law(box) if box else "") + (' priority="1"' if pair == 1 else "")
    pairs = PAIR.format(pair) if isinstance(pair, str) else ""
    moved = creep(boxes([words], option, floor=law(floor) if floor else "", pairs=pairs), 3)
    print(moved)
    assert moved <= 1e-9 if anchored else moved > 1e-4


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
def test_all_geoms_anchored_is_the_option(cone, solver):
    """Identity: the same bits, and so the same hash of State, memory included."""
    states = []
    for text in (boxes(['friction_law="anchored"'], cone=cone, solver=solver), boxes([""], "anchored", cone, solver)):
        model = pliant.load_string(text)
        state, data = pliant.State(model), pliant.Data(model)
        for _ in range(300):
            pliant.step(model, state, data)
        states.append(state.hash())
    assert states[0] == states[1]


def test_kept_in_files(tmp_path):
    text = boxes(['friction_law="anchored"', ""], pairs=PAIR.format('friction_law="regularized"'))
    model = pliant.load_string(text)
    (tmp_path / "laws.xml").write_text(text)
    command = [ROOT / "build" / "pliant", "compile", tmp_path / "laws.xml", tmp_path / "laws.plm"]
    subprocess.run(command, check=True, capture_output=True)
    again = pliant.load(tmp_path / "laws.plm")
    for m in (model, again):
        assert list(m.geom_frictionlaw) == [0, 2, 0]
        assert list(m.pair_frictionlaw) == [1]


def test_written_between_steps():
    """Identity: a law that is written is that of the file."""
    model = pliant.load_string(boxes([""]))
    state, data = pliant.State(model), pliant.Data(model)
    model.geom_frictionlaw[1] = 2
    from_file = pliant.load_string(boxes(['friction_law="anchored"']))
    other, fresh = pliant.State(from_file), pliant.Data(from_file)
    for _ in range(200):
        pliant.step(model, state, data)
        pliant.step(from_file, other, fresh)
    assert state.hash() == other.hash()


def test_a_wrong_word_is_named():
    with pytest.raises(pliant.LoadError, match="friction_law"):
        pliant.load_string(boxes(['friction_law="sticky"']))
