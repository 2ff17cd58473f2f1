"""The page of `pliant explain --html`: for whatever numbers somebody slides or types there, the page says what
`pliant explain` says of a model that has these numbers. Node runs the page's own script."""

import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not NODE, reason="no node to run the script of the page")

SCENE = """<mujoco><option timestep="{timestep}" {option}/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 {height}"><freejoint/><geom name="thing" {shape} mass="{mass}" priority="1" condim="{condim}"
  friction="{friction} 0.005 0.0001" solref="{solref}" solimp="{solimp}"/></body>
  <body pos="3 0 1"><joint name="elbow" axis="0 1 0" range="-10 10" limited="true" solreflimit="{solref}"
  solimplimit="{solimp}"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="{mass}"/></body>
</worldbody></mujoco>"""
BALL, BOX = 'type="sphere" size="0.1"', 'type="box" size="0.1 0.15 0.05"'
PLAIN = {"timestep": 0.002, "option": "", "shape": BALL, "height": 0.1, "mass": 1.5, "condim": 3, "friction": 0.8,
         "solref": "0.02 1", "solimp": "0.9 0.95 0.001 0.5 2"}  # fmt: skip
# what was written, and what the page is then told
CASES = {
    "ball": ({}, {"solref": "0.03 0.4"}),
    "clamped": ({"solref": "0.001 1"}, {"timestep": 0.004}),
    "direct": ({"solref": "-4000 -20"}, {"solref": "-900 -6", "mass": 4}),
    "to direct": ({}, {"solref": "-2500 -30"}),
    "impedance": ({}, {"solimp": "0.3 0.8 0.01 0.4 3"}),
    "flat": ({}, {"solimp": "0.7 0.7 0.01 0.5 1"}),
    "mass": ({}, {"mass": 0.2}),
    "friction": ({}, {"friction": 0.3}),
    "elliptic": ({"option": 'cone="elliptic" impratio="3"'}, {"friction": 1.4, "solref": "0.05 0.7"}),
    "box": ({"shape": BOX, "height": 0.05}, {"solref": "0.01 0.5", "mass": 3}),
    "box elliptic": ({"shape": BOX, "height": 0.05, "option": 'cone="elliptic"'}, {"friction": 0.4}),
    "rolling": ({"condim": 6}, {"solref": "0.05 1"}),
    "frictionless": ({"condim": 1}, {"solref": "0.05 0.3"}),
    "TGS": ({"option": 'solver="TGS"'}, {"solref": "0.004 1"}),
    "RK4": ({"option": 'integrator="RK4"'}, {"solref": "0.01 0.3"}),
    "discrete": ({"option": 'integrator="discrete"'}, {"solref": "0.002 1", "mass": 2}),
}
NAMES = """load rest_depth restitution restitution_range contact_steps max_depth max_force settle_time creep_speed
creep_slope stiffness damping impact_stiffness impact_damping frequency dampratio stable_dt""".split()


def scene(folder, **changes):
    path = folder / "scene.xml"
    path.write_text(SCENE.format(**{**PLAIN, **changes}))
    return path


def explained(path, what):
    model = pliant.load(path)
    if what == "contact":
        return pliant.explain(model, geom1="thing", geom2="floor", impact=0.7)
    return pliant.explain(model, joint="elbow", impact=0.7)


def page_of(path, what):
    arguments = ["--geoms", "thing", "floor"] if what == "contact" else ["--joint", "elbow"]
    html = path.with_suffix(".html")
    command = [PROGRAM, "explain", path, *arguments, "--impact", "0.7", "--html", html]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return html.read_text()


def law_of(page):
    """The numbers and the law of a page, without what draws."""
    numbers = page[page.index("const E = ") : page.index("// Parts of the tuning pages")]
    return numbers + page[page.index("const TINY") : page.index("// The page of a contact")]


def said(page, told):
    """What the page says when the numbers in `told` are typed."""
    call = f"const p = {{...startOf(E), ...{json.dumps(told)}}}, b = makeLaw(E).behaviour(p);"
    call += """console.log(JSON.stringify(b, (_, x) => typeof x === "number" && !isFinite(x) ? null : x))"""
    done = subprocess.run([NODE, "-e", law_of(page) + call], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def typed(changes, felt):
    """Changes of the file as numbers of the page; `felt`: how the mass of the row follows the mass of the body."""
    out = {name: changes[name] for name in ("timestep", "friction") if name in changes}
    if "mass" in changes:
        out["mass"] = felt
    if "solref" in changes:
        values = [float(x) for x in changes["solref"].split()]
        out.update(direct=values[0] < 0, ref0=abs(values[0]), ref1=abs(values[1]))
    if "solimp" in changes:
        names = ("d0", "dwidth", "width", "midpoint", "power")
        out.update(zip(names, (float(x) for x in changes["solimp"].split()), strict=True))
    return out


def compare(shown, expected, names):
    for name in names:
        value = getattr(expected, name)
        if value is None or not np.all(np.isfinite(np.array(value, float))):
            assert shown[name] is None or None in np.atleast_1d(shown[name]), name
        else:
            assert shown[name] == pytest.approx(value, rel=1e-3, abs=1e-9), name


QUICK = {"ball", "to direct", "friction", "box", "discrete"}
ALL = [pytest.param(case, marks=[] if case in QUICK else [pytest.mark.slow]) for case in CASES]


@needs_node
@pytest.mark.parametrize("case", ALL)
def test_the_page_says_what_explain_says(tmp_path, case):
    before, after = CASES[case]
    page = page_of(scene(tmp_path, **before), "contact")
    compare(said(page, {}), explained(scene(tmp_path, **before), "contact"), NAMES)
    expected = explained(scene(tmp_path, **{**before, **after}), "contact")
    shown = said(page, typed(after, expected.mass))
    compare(shown, expected, NAMES)
    codes = {note["code"] for note in expected.clamped} - {"friction", "regularizer", "solreffriction"}
    assert set(shown["clamped"]) == codes


@needs_node
@pytest.mark.parametrize("case", [*ALL[:3], "mass", *ALL[-2:]])
def test_the_page_of_a_limit_too(tmp_path, case):
    before, after = CASES[case]
    page = page_of(scene(tmp_path, **before), "limit")
    expected = explained(scene(tmp_path, **{**before, **after}), "limit")
    names = [name for name in NAMES if not name.startswith("creep")]
    compare(said(page, typed(after, expected.mass)), expected, names)


@needs_node
def test_both_formats_ask_for_the_same_motion(tmp_path):
    page = page_of(scene(tmp_path, solref="0.03 0.4"), "contact")
    call = """const law = makeLaw(E), p = startOf(E), other = law.otherFormat(p), back = law.otherFormat(other);
    console.log(JSON.stringify([p, other, back, law.otherFormat({...other, ref1: 0}), law.behaviour(p).restitution,
      law.behaviour(other).restitution]))"""
    done = subprocess.run([NODE, "-e", law_of(page) + call], capture_output=True, text=True, check=True)
    p, other, back, none, one, two = json.loads(done.stdout)
    assert other["direct"] and other["ref0"] == pytest.approx(1 / (0.03 * 0.4) ** 2)
    assert back["ref0"] == pytest.approx(p["ref0"]) and back["ref1"] == pytest.approx(p["ref1"])
    assert none is None and one == pytest.approx(two, rel=1e-9) and one > 0.1


def test_a_page_may_link_to_one_that_plays(tmp_path):
    path, html = scene(tmp_path), tmp_path / "page.html"
    command = [PROGRAM, "explain", path, "--geoms", "thing", "floor", "--playing", "run </script>.html"]
    done = subprocess.run([*command, "--html", html], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"playing": "run \\u003c/script>.html"' in html.read_text()
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "--html" in refused.stderr


MIMIC = """<mujoco><option timestep="0.002" gravity="0 0 0" {option}/><worldbody>
  <body><joint name="leader" axis="0 0 1"/><geom size="0.1" mass="5" pos="1 0 0"/></body>
  <body pos="3 0 0"><joint name="follower" axis="0 0 1"/><geom size="0.1" mass="0.5" pos="1 0 0"/></body>
</worldbody><equality><mimic name="gear" joint1="follower" joint2="leader" gear="-1" {law}/></equality></mujoco>"""
LAWS = {
    "swings": 'mode="soft" naturalfreq="20" dampratio="0.3"',
    "closes": 'mode="soft" naturalfreq="60" dampratio="1"',
    "crawls": 'mode="soft" naturalfreq="5" dampratio="2"',
    "hard": 'mode="hard" erp="0.2"',
}


@needs_node
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("option", ["", 'solver="TGS"'], ids=["Newton", "TGS"])
def test_a_mimic_answers_a_step_and_a_load_as_its_page_shows(tmp_path, law, option):
    path, html = tmp_path / "mimic.xml", tmp_path / "mimic.html"
    path.write_text(MIMIC.format(law=LAWS[law], option=option))
    done = subprocess.run([PROGRAM, "explain", path, "--mimic", "gear", "--html", html], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = html.read_text()
    function = page[page.index("// How a mimic closes") : page.index("// The page of a mimic")]
    numbers = page[page.index("const E = ") : page.index("// Parts of the tuning pages")]
    call = """const p = {...E.tuning, timestep: E.timestep}, T = E.tuning;
    console.log(JSON.stringify([mimicPath(T, p, 0.01, 0, 0.3), mimicPath(T, p, 0, 2.5, 0.3), mimicBehaviour(T, p)]))"""
    shown = subprocess.run([NODE, "-e", numbers + function + call], capture_output=True, text=True, check=True).stdout
    step, load, behaviour = json.loads(shown)
    model = pliant.load(path)
    for curve, residual, force in ((step, 0.01, 0), (load, 0, 2.5)):
        state, data = pliant.State(model), pliant.Data(model)
        state.qpos[:] = [0, residual]
        state.qfrc_applied[:] = [-force, force]  # along the row: J = (-1, 1)
        assert len(curve) == 151
        scale = max(abs(value) for _, value in curve)
        for time, value in curve:
            assert time == pytest.approx(state.time, abs=1e-9)
            assert state.qpos[1] - state.qpos[0] == pytest.approx(value, abs=2e-4 * scale)
            pliant.step(model, state, data)
    if law == "closes":
        assert behaviour["per_load"] * 2.5 == pytest.approx(load[-1][1], rel=1e-3)
        assert behaviour["overshoot"] < 1e-6 and 0.05 < behaviour["settle_time"] < 0.12
