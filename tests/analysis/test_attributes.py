"""restitution, stiffness and their kin: in default classes, on pairs, with every solver and
cone, mixed, explained, in the binary form."""

import json
import os
import pathlib
import pickle
import subprocess

import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
RADIUS = 0.05


def scene(ball="", floor="", option="", more="", default=""):
    return (
        f"<mujoco><option {option}/>{default}<worldbody><geom name='floor' type='plane' size='5 5 1' {floor}/>"
        f"<body name='b' pos='0 0 1'><freejoint/><geom name='ball' size='{RADIUS}' mass='1' {ball}/></body>"
        f"</worldbody>{more}</mujoco>"
    )


def bounce(model, phases=4, speed=1.0):
    """Mean speed after over speed before."""
    mean = 0.0
    for i in range(phases):
        state, data, arrived, touched = pliant.State(model), pliant.Data(model), speed, False
        state.qpos[2], state.qvel[2] = RADIUS + (i + 0.5) / phases * speed * model.opt.timestep, -speed
        for _ in range(3000):
            if not touched:
                arrived = max(arrived, -state.qvel[2])
            if state.qpos[2] < RADIUS:
                touched = True
            elif touched:
                mean += state.qvel[2] / arrived / phases
                break
            pliant.step(model, state, data)
    return mean


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS", "TGS"])
def test_every_solver_and_cone(solver, cone):
    for wanted in (0, 0.3, 0.7, 1):
        for friction, condim in (("1", 3), ("0.3", 6)):
            ball = f"restitution='{wanted}' friction='{friction}' condim='{condim}'"
            model = pliant.load_string(scene(ball, "friction='0'", f"solver='{solver}' cone='{cone}'"))
            assert abs(bounce(model) - wanted) < 0.02, (wanted, friction, condim)


def test_in_a_class_and_on_a_pair():
    default = "<default><default class='rubber'><geom restitution='0.6'/></default></default>"
    assert abs(bounce(pliant.load_string(scene("class='rubber'", default=default))) - 0.6) < 0.02
    pair = "<contact><pair geom1='ball' geom2='floor' restitution='0.4'/></contact>"
    # a pair decides alone, as always
    assert abs(bounce(pliant.load_string(scene("restitution='0.9'", more=pair))) - 0.4) < 0.02


def test_of_two_the_harder_and_more_damped_one_decides():
    """As docs/physics.md says: the smaller numbers of both solrefs count, so the one that bounces less, if they are
    alike hard."""
    for first, second in ((0.3, 0.8), (0.8, 0.3)):
        model = pliant.load_string(scene(f"restitution='{first}'", f"restitution='{second}'"))
        assert abs(bounce(model) - 0.3) < 0.02
    # a partner without wishes has no say; priority has
    assert abs(bounce(pliant.load_string(scene("restitution='0.7'", "solref='0.05 1'"))) - 0.7) < 0.02
    assert bounce(pliant.load_string(scene("restitution='0.7'", "solref='0.05 1' priority='1'"))) < 0.3


def test_explained_with_its_place(tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(scene("restitution='0.7'"))
    done = subprocess.run(
        [PROGRAM, "explain", path, "--geoms", "ball", "floor", "--json"], capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    assert abs(found["restitution"] - 0.7) < 0.02
    assert any("scene.xml:1:" in origin for origin in found["sources"]["solref"]["origins"])


def test_two_sweeps_over_pyramids_are_enough():
    """TGS visits the edges of a pyramid together: a blow within one step is that of more sweeps."""
    for friction in ("0.3", "1"):
        ball = f"restitution='1' restitution_mode='impact' friction='{friction}'"
        few, many = (
            bounce(pliant.load_string(scene(ball, option=f"solver='TGS' cone='pyramidal' tgs_sweeps='{sweeps}'")))
            for sweeps in (2, 20)
        )
        assert abs(few - many) < 0.002


def test_binary_form_keeps_them():
    """(Written as text, for Pliant and for MuJoCo: tests/cli/test_convert_command.py.)"""
    pair = "<contact><pair geom1='ball' geom2='floor' restitution='0.5'/></contact>"
    model = pliant.load_string(scene("stiffness='4000' damping_contact='60'", more=pair))
    again = pickle.loads(pickle.dumps(model))
    for field in ("geom_solref", "geom_solimp", "geom_solmix", "pair_solref", "pair_solimp"):
        assert (getattr(again, field) == getattr(model, field)).all(), field
