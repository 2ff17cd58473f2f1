"""`pliant explain` and `pliant design`: text, JSON, page, Python; the page in a browser where there is one."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import pliant
import pliant.mujoco

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))

SCENE = """<mujoco>
  <default><default class="hard"><geom solref="0.001 1"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 1"><freejoint/><geom name="ball" class="hard" size="0.1" priority="1"/></body>
    <body pos="1 0 1"><freejoint/><geom name="bouncy" size="0.1" mass="2" restitution="0.7"/></body>
    <body name="arm" pos="2 0 1"><joint name="elbow" axis="0 1 0" range="-10 10" limited="true"/>
      <geom name="ghost" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0" conaffinity="0"/></body>
  </worldbody>
</mujoco>"""
ATTRIBUTES = """rest_depth restitution restitution_range contact_steps settle_time creep_speed stiffness damping
frequency dampratio stable_dt clamped sources""".split()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scene.xml").write_text(SCENE)
    return tmp_path


def run(folder, *arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=folder)


def test_text_names_places_and_clamps_within_a_hundred_columns(folder):
    done = run(folder, "explain", "scene.xml", "--geoms", "ball", "floor")
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    assert "scene.xml:2:" in done.stdout and "class 'hard'" in done.stdout
    assert "refsafe" in done.stdout and "two timesteps" in done.stdout


def test_json_equals_python(folder):
    printed = json.loads(
        run(folder, "explain", "scene.xml", "--geoms", "ball", "floor", "--impact", "0.5", "--json").stdout
    )
    model = pliant.load(folder / "scene.xml")
    found = pliant.explain(model, geom1="ball", geom2="floor", impact=0.5)
    for name in ATTRIBUTES:
        assert hasattr(found, name), name
    for name in ("rest_depth", "restitution", "settle_time", "stiffness", "frequency"):
        assert getattr(found, name) == printed[name]
    assert [note["code"] for note in found.clamped] == ["refsafe"]


def test_python_prints_what_the_command_line_prints(folder):
    """Numbers and words; of their origins only the object's place, since a Model does not know which class set them."""

    def without_origins(text):
        return [line for line in text.strip().splitlines() if ".xml" not in line and "set)" not in line and
                "(class" not in line]  # fmt: skip

    model = pliant.load(folder / "scene.xml")
    command = [sys.executable, "-m", "pliant", "explain", folder / "scene.xml"]
    for words, found in (
        (["--geoms", "ball", "floor"], pliant.explain(model, "ball", "floor")),
        (["--joint", "elbow"], pliant.explain(model, joint="elbow")),
        (["--all"], pliant.explain(model)),
    ):
        printed = subprocess.run([*command, *words], capture_output=True, text=True, check=True).stdout
        lines = without_origins(printed)
        assert len(lines) > 15 and without_origins(str(found)) == lines
    wishes = ["--restitution", "0.7", "--impact", "3", "--timestep", "0.002"]
    printed = subprocess.run([sys.executable, "-m", "pliant", "design", *wishes], capture_output=True, text=True).stdout
    assert str(pliant.design(restitution=0.7, impact=3, timestep=0.002)).strip() == printed.strip() != ""


def test_limits_and_all(folder):
    model = pliant.load(folder / "scene.xml")
    limit = pliant.explain(model, joint="elbow")
    assert limit.kind == "joint limit" and limit.rest_depth > 0
    assert any(e.kind == "joint limit" for e in pliant.explain(model))
    assert run(folder, "explain", "scene.xml", "--all").returncode == 0


def test_geoms_that_never_touch_are_explained(folder):
    done = run(folder, "explain", "scene.xml", "--geoms", "ghost", "floor")
    assert done.returncode == 2 and "contype" in done.stderr


def test_attribute_bounces(folder):
    model = pliant.load(folder / "scene.xml")
    assert abs(pliant.explain(model, geom1="bouncy", geom2="floor").restitution - 0.7) < 0.02


def test_design(folder):
    made = pliant.design(restitution=0.8, timestep=0.001)
    assert made.possible and abs(made.restitution - 0.8) < 0.02 and "solref" in made.attributes
    refused = pliant.design(restitution=0.5, max_depth=1e-5)
    assert not refused.possible and "nearest" in refused.refusal
    assert pliant.design(restitution=0.5, max_depth=refused.nearest["max_depth"]).possible
    done = run(folder, "design", "--stiffness", "20000", "--damping", "50", "--mass", "1.5")
    assert done.returncode == 0 and max(len(line) for line in done.stdout.splitlines()) <= 100
    assert run(folder, "design", "--restitution", "3").returncode == 1
    with pytest.raises(ValueError):
        pliant.design(material="cheese")
    with pytest.raises(TypeError, match="restitution should be a number, not 'much'"):
        pliant.design(restitution="much")
    with pytest.raises(TypeError, match="material should be a word"):
        pliant.design(material=3)
    with pytest.raises(ValueError, match="no mimic 'left'"):
        pliant.explain(pliant.load(folder / "scene.xml"), mimic="left")


def test_design_for_an_integrator(folder):
    """Other numbers under discrete, from Python, the command line and a file; what they do is said in plain words."""
    made = {name: pliant.design(restitution=0.7, integrator=name) for name in ("Euler", "implicitfast", "discrete")}
    assert made["Euler"].solref == made["implicitfast"].solref != made["discrete"].solref
    assert made["discrete"].stable_dt is None or made["discrete"].stable_dt > 1
    done = run(folder, "design", "--restitution", "0.7", "--integrator", "discrete")
    assert done.returncode == 0 and "any timestep" in done.stdout and "never" not in done.stdout
    assert "keep moving" in run(folder, "design", "--restitution", "1").stdout
    with pytest.raises(ValueError, match="there are Euler"):
        pliant.design(restitution=0.7, integrator="leapfrog")
    xml = """<mujoco><option integrator="discrete" cone="elliptic"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .1"><freejoint/><geom size=".05" restitution=".7" condim="1"/></body></worldbody></mujoco>"""
    model = pliant.mujoco.MjModel.from_xml_string(xml)
    assert tuple(model.geom_solref[1]) == pytest.approx(tuple(made["discrete"].solref), rel=1e-6)
    data = pliant.mujoco.MjData(model)
    data.qvel[2] = -1
    speeds = []
    while data.time < 0.2:
        pliant.mujoco.mj_step(model, data)
        speeds.append(data.qvel[2])
    assert max(speeds) / -min(speeds) == pytest.approx(0.7, abs=0.06)


@pytest.mark.parametrize("command", ["explain", "design"])
def test_help_has_examples(folder, command):
    shown = run(folder, command, "--help").stdout
    assert "Examples:" in shown and f"pliant {command}" in shown


def test_page_is_self_contained(folder):
    done = run(folder, "explain", "scene.xml", "--geoms", "ball", "floor", "--html", "page.html")
    assert done.returncode == 0, done.stderr
    page = (folder / "page.html").read_text()
    assert "http" not in page and "<script>" in page


@pytest.fixture
def open_page():
    """A function that opens a file in Chromium, offline; at the end there must have been no errors."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: scripts/install-deps --browser")
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        pytest.skip("no chromium: scripts/install-deps --browser")
    problems = []
    with playwright.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=browser, args=["--no-sandbox"])

        def open_file(path):
            page = chromium.new_context(offline=True).new_page()
            page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.goto(path.as_uri())
            return page

        yield open_file
        chromium.close()
    assert problems == []


SLIDERS = {"ref0": "drop", "ref1": "drop", "d0": "impedance", "dwidth": "force", "width": "impedance", "mass": "force",
           "midpoint": "impedance", "power": "impedance", "timestep": "drop", "impact": "drop"}  # fmt: skip


def settled(page):
    page.wait_for_function("document.body.dataset.rows === 'current'")


@pytest.mark.parametrize(
    "option", ["", '<option solver="TGS"/>', '<option integrator="RK4"/>'], ids=["Newton", "TGS", "RK4"]
)
def test_page_in_a_browser(folder, open_page, option):
    (folder / "scene.xml").write_text(SCENE.replace("<mujoco>", "<mujoco>" + option))
    done = run(folder, "explain", "scene.xml", "--geoms", "ball", "floor", "--html", "page.html", "--json")
    numbers = json.loads(done.stdout)
    page = open_page(folder / "page.html")
    settled(page)
    rows = [name.removeprefix("json-") for name in page.eval_on_selector_all("[id^=json-]", "l => l.map(e => e.id)")]
    assert {"rest_depth", "settle_time", "creep_speed", "stable_dt", "max_force", "load"} <= set(rows)
    for name in rows:
        shown = page.text_content(f"#json-{name}")
        if name != "restitution_range":
            assert (None if shown == "unlimited" else float(shown)) == numbers[name]
        # the page's own law, before a number is changed, says the same of every row
        value = json.loads(page.get_attribute(f"#now-{name}", "data-value"))
        expected = numbers[name]
        assert value == (None if expected is None else pytest.approx(expected, rel=1e-3, abs=1e-9)), name
    for slider, plot in SLIDERS.items():
        page.click("#reset")
        before = page.inner_html(f"#{plot}")
        page.evaluate(
            f"const s = document.getElementById('slider-{slider}'); s.value = s.max; s.dispatchEvent(new "
            f"Event('input'))"
        )
        assert page.inner_html(f"#{plot}") != before, slider


def test_numbers_are_typed_copied_and_written_in_both_formats(folder, open_page):
    run(folder, "explain", "scene.xml", "--geoms", "ball", "floor", "--html", "page.html", "--playing", "run.html")
    page = open_page(folder / "page.html")
    settled(page)
    assert page.text_content("#line") == 'solref="0.001 1" solimp="0.9 0.95 0.001 0.5 2"'
    assert "refsafe" in page.text_content("#clamps") and page.get_attribute("#playing", "href") == "run.html"
    assert page.is_hidden("#option")
    page.fill("#number-ref0", "0.05")
    page.fill("#number-ref1", "0.5")
    page.fill("#number-friction", "0.7")
    page.fill("#number-timestep", "0.001")
    settled(page)
    assert page.text_content("#line") == 'solref="0.05 0.5" solimp="0.9 0.95 0.001 0.5 2" friction="0.7 0.005 0.0001"'
    assert page.text_content("#option") == '<option timestep="0.001"/>' and "nothing" in page.text_content("#clamps")
    bounce = page.text_content("#now-restitution")
    assert page.locator("td.changed").count() > 5
    page.click("#format")
    settled(page)
    assert page.text_content("#line").startswith('solref="-1600 -40"') and bounce == page.text_content(
        "#now-restitution"
    )
    # nonsense is named and changes nothing
    page.fill("#number-mass", "-1")
    assert "mass" in page.text_content("#problem") and "-1600" in page.text_content("#line")
    page.fill("#number-mass", "3")
    assert page.text_content("#problem") == ""
    page.fill("#number-ref1", "0")
    page.click("#format")
    assert "above 0" in page.text_content("#problem")
    page.get_by_role("button", name="copy").first.click()
    page.wait_for_function("[...document.querySelectorAll('button')].some(b => /copied|Ctrl-C/.test(b.textContent))")


def test_the_page_of_a_mimic_in_a_browser(tmp_path, open_page):
    model = ROOT / "models" / "mimic_gripper.xml"
    names = [line.split('name="')[1].split('"')[0] for line in model.read_text().splitlines() if "<mimic " in line]
    for name in names:
        page = tmp_path / "mimic.html"
        subprocess.run([PROGRAM, "explain", model, "--mimic", name, "--html", page], check=True, capture_output=True)
        shown = open_page(page)
        assert name in shown.text_content("#title")
        if shown.locator("#number-naturalfreq").count():
            before = shown.inner_html("#step"), shown.inner_html("#load"), shown.text_content("#now-settle_time")
            shown.fill("#number-naturalfreq", "31")
            shown.fill("#number-dampratio", "0.4")
            after = shown.inner_html("#step"), shown.inner_html("#load"), shown.text_content("#now-settle_time")
            assert all(a != b for a, b in zip(before, after, strict=True))
            assert shown.text_content("#line") == 'mode="soft" naturalfreq="31" dampratio="0.4"'


@pytest.mark.slow
def test_demo_in_a_browser(open_page):
    done = subprocess.run([sys.executable, ROOT / "scripts" / "demo"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    page = open_page(ROOT / "out" / "demo" / "index.html")
    assert page.locator("h2").count() >= 6 and page.locator("svg").count() >= 40
    folder = ROOT / "out" / "demo"
    links = set(page.eval_on_selector_all("a", "list => list.map(a => a.getAttribute('href'))"))
    scenes = [path.stem for path in (ROOT / "models").glob("*.xml")]
    for scene in scenes:
        assert {f"{scene}_plays.html", f"{scene}.html"} <= links
        assert f'<a href="{scene}_plays.html">' in (folder / f"{scene}.html").read_text()
    tuned = [link for link in links if link.endswith("_tune.html")]
    assert len(tuned) > 10 and all((folder / link).exists() for link in links)
    shown = open_page(folder / tuned[0])
    assert shown.get_attribute("#playing", "href") == tuned[0].replace("_tune", "_plays")


def test_the_page_of_a_mimic_is_about_a_mimic(tmp_path):
    model = ROOT / "models" / "mimic_gripper.xml"
    names = [line.split('name="')[1].split('"')[0] for line in model.read_text().splitlines() if "<mimic " in line]
    for name in names:
        page = tmp_path / "mimic.html"
        done = subprocess.run(
            [PROGRAM, "explain", model, "--mimic", name, "--html", page], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        html = page.read_text()
        for nonsense in ("impedance d(r)", "restitution of", "dwidth", "impact speed", "slow press", "deepest"):
            assert nonsense not in html
        assert "residual" in html and name in html
        assert "depth at rest" not in done.stdout and "impedance" not in done.stdout
