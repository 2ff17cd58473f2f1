"""save_html and `pliant view --html`: what a page holds, what is refused; in a browser where there is one."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import zlib

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco
from pliant.viewer import RecordingError, marks, page_text, save_html, shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "pliant"
TYPES = {"f": "<f4", "h": "<i2", "H": "<u2", "I": "<u4", "b": "i1", "i": "<i4"}


def states(model, steps, key=None):
    state, data = pliant.State(model), pliant.Data(model)
    if key is not None:
        state.reset(model, key)
    rows = {"time": [], "qpos": [], "qvel": []}
    for _ in range(steps):
        rows["time"].append(float(state.time[0]))
        rows["qpos"].append(state.qpos.copy())
        rows["qvel"].append(state.qvel.copy())
        assert pliant.step(model, state, data) == 0
    return rows


class Page:
    """The arrays of a page, unpacked by other code than the page's own."""

    def __init__(self, text):
        self.text = text
        self.data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
        self.blob = zlib.decompress(base64.b64decode(re.search(r'id="blob">(.*?)</script>', text, re.S)[1]))

    def array(self, place, *shape):
        at, count, kind = place
        return np.frombuffer(self.blob, TYPES[kind], count, at).reshape(*shape)


def test_rows_that_are_no_numbers_are_refused(tmp_path):
    model = pliant.load(ROOT / "models" / "drop.xml")
    rows = np.tile(model.qpos0, (5, 1))
    rows[3, 2] = np.nan
    with pytest.raises(RecordingError, match=r"row 3 \(t = 0.006\) is not finite"):
        save_html(model, rows, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_a_page_holds_what_was_simulated():
    model = pliant.load(str(ROOT / "models" / "rubber_balls.xml"))
    rows = states(model, 600)
    page = Page(page_text(model, rows, fps=50))
    time = page.array(page.data["time"], -1)
    assert time[-1] == pytest.approx(rows["time"][-1]) and len(time) == 31
    pos = page.array(page.data["film"]["pos"], len(time), model.nbody, 3)
    quat = page.array(page.data["film"]["quat"], len(time), model.nbody, 4) / 32767
    state, data = pliant.State(model), pliant.Data(model)
    for frame in (0, 17, 30):
        state.qpos[:] = rows["qpos"][round(time[frame] / model.opt.timestep)]
        state.qvel[:] = rows["qvel"][round(time[frame] / model.opt.timestep)]
        pliant.forward(model, state, data)
        np.testing.assert_allclose(pos[frame], data.xpos, atol=1e-6)
        np.testing.assert_allclose(np.abs((quat[frame] * data.xquat).sum(1)), 1, atol=1e-4)
        start = page.array(page.data["film"]["contactStart"], -1)
        contact = page.array(page.data["film"]["contact"], -1, 12)[start[frame] : start[frame + 1]]
        assert len(contact) == data.ncon
    energy = page.data["film"]["series"][0]
    values = page.array(energy["rows"], len(time), 3)
    np.testing.assert_allclose(values[:, 2], values[:, 0] + values[:, 1], rtol=1e-5)
    assert values[0, 2] == pytest.approx(values[5, 2], rel=1e-3)  # nothing has hit the floor yet


def test_contact_forces_are_those_of_the_engine():
    for scene, cone in (("stack_of_boxes", 0), ("stack_of_boxes", 1), ("quadruped", 0)):
        model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{scene}.xml"))
        model.opt.cone = cone
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 200)
        assert data.ncon
        ours = marks.contact_forces(model, data.data)
        for i in range(data.ncon):
            force = np.zeros(6)
            mujoco.mj_contactForce(model, data, i, force)
            np.testing.assert_allclose(ours[i], data.contact[i].frame.reshape(3, 3).T @ force[:3], atol=1e-9)


@pytest.mark.parametrize("scene", sorted(p.stem for p in (ROOT / "models").glob("*.xml")))
def test_every_scene_becomes_a_page(scene):
    model = pliant.load(str(ROOT / "models" / f"{scene}.xml"))
    text = page_text(model, {"qpos": [model.qpos0.copy(), model.qpos0.copy()]})
    page = Page(text)
    assert sum(s["kind"] == "geom" for s in page.data["solids"]) == model.ngeom
    # nothing is fetched from anywhere
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text) and "http://" not in text.replace(
        "http://www.w3.org", ""
    )


def test_shapes_are_closed_and_face_outward():
    volumes = []
    for mesh in (shapes.unit_sphere(), shapes.unit_box(), shapes.unit_cylinder(), shapes.capsule(2.0)):
        a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
        volumes.append(np.einsum("ni,ni->n", a, np.cross(b, c)).sum() / 6)
        normal = np.cross(b - a, c - a)
        assert np.all(np.einsum("ni,ni->n", normal, mesh.normals[mesh.faces].mean(1)) > -1e-9)
    expected = [4 / 3 * np.pi, 8, 2 * np.pi, 4 / 3 * np.pi + 4 * np.pi]
    np.testing.assert_allclose(volumes, expected, rtol=0.03)


def test_quaternions_of_axes_and_matrices():
    rng = np.random.default_rng(0)
    axes = np.concatenate([rng.normal(size=(50, 3)), [[0, 0, -1], [0, 0, 1]]])
    for axis, quat in zip(axes, marks.quat_of_axis(axes)):
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, quat)
        np.testing.assert_allclose(turn.reshape(3, 3)[:, 2], axis / np.linalg.norm(axis), atol=1e-6)
        np.testing.assert_allclose(np.abs(marks.quat_of_matrix(turn.reshape(3, 3)) @ quat), 1, atol=1e-9)


def test_what_can_be_shown(tmp_path):
    model = pliant.load(str(ROOT / "models" / "gripper.xml"))
    rows = states(model, 30)
    full = pliant.rollout(model, np.zeros((1, pliant._pliant.mj_stateSize(model, 15))) + _full(model), nstep=20)[0]
    kept = [pliant.State(model), pliant.State(model)]
    kept[1].time[0] = 0.1
    for source in (rows, np.array(rows["qpos"]), full, kept):
        assert Page(page_text(model, source)).data["film"]["series"]
    for bad, why in (
        (np.zeros((3, 2)), "rows of states have nq"),
        ({"qvel": np.zeros((2, model.nv))}, "no qpos"),
        ({"time": [1.0, 0.5], "qpos": rows["qpos"][:2]}, "times of a recording must increase"),
        (tmp_path / "no.npz", "there is no such file"),
        (tmp_path / "no.txt", "there is no such file"),
        (np.zeros((0, model.nq)), "no rows"),
    ):
        with pytest.raises(RecordingError, match=why):
            page_text(model, bad)
    with pytest.raises(ValueError, match="there is no camera 'x'"):
        page_text(model, rows, camera="x")
    (tmp_path / "bad.npz").write_bytes(b"PK no archive")
    with pytest.raises(RecordingError, match="as a recording"):
        page_text(model, tmp_path / "bad.npz")
    with pytest.raises(OSError, match="cannot be written"):
        save_html(model, rows, tmp_path / "no" / "page.html")
    assert not list(tmp_path.glob("*.part"))


def _full(model):
    world = pliant._pliant.World(model)
    out = np.zeros(pliant._pliant.mj_stateSize(model, 15))
    pliant._pliant.mj_getState(model, world, out, 15)
    return out


def run(*words, folder):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True)


def test_the_command(tmp_path):
    model = ROOT / "models" / "drop.xml"
    for end in ("npz", "csv"):
        assert run("run", model, "--seconds", "0.2", "--record", f"r.{end}", folder=tmp_path).returncode == 0
    done = run("view", "r.npz", "--html", "r.html", folder=tmp_path)
    assert done.returncode == 0 and done.stdout == "wrote r.html\n", done.stderr
    done = run("view", "r.csv", "--html", "c.html", folder=tmp_path)
    assert done.returncode == 2 and "name it with --model" in done.stderr
    assert run("view", "r.csv", "--model", model, "--html", "c.html", folder=tmp_path).returncode == 0
    npz, csv = (Page((tmp_path / name).read_text()) for name in ("r.html", "c.html"))
    assert npz.blob == csv.blob  # numbers of a .csv read back exactly
    done = run("view", "r.npz", "--model", ROOT / "models" / "gripper.xml", "--html", "x.html", folder=tmp_path)
    assert done.returncode == 2 and "does not belong to this model" in done.stderr
    done = run("view", "no.xml", "--html", "x.html", folder=tmp_path)
    assert done.returncode == 2 and "E101" in done.stderr and not (tmp_path / "x.html").exists()


def test_a_python_without_the_package_is_told(tmp_path):
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\nexec python3 -I -S "$@"\n')
    fake.chmod(0o755)
    for python, why in ((fake, "Install Pliant there"), (tmp_path / "none", "cannot be started")):
        done = subprocess.run([PROGRAM, "view", "x.xml"], env={**os.environ, "PLIANT_PYTHON": str(python)},
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode in (1, 2) and why in done.stderr, done.stderr


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: scripts/install-deps --browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("no chromium: scripts/install-deps --browser")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        )
        yield browser
        browser.close()


def opened(chromium, path, problems, requests):
    page = chromium.new_context(offline=True, viewport={"width": 900, "height": 560}).new_page()
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_function("window.pliant && window.pliant.ready", timeout=60000)
    return page


def test_a_page_plays_offline_in_a_browser(chromium, tmp_path):
    model = pliant.load(str(ROOT / "models" / "rubber_balls.xml"))
    rows = states(model, 1500)
    save_html(model, rows, tmp_path / "run.html", story="<b>a & b</b>", table=[["what", "x"], ["<i>", "1"]])
    problems, requests = [], []
    page = opened(chromium, tmp_path / "run.html", problems, requests)
    assert page.text_content("#title p") == "<b>a & b</b>"
    assert page.evaluate("pliant.time") == 0 and not page.evaluate("pliant.playing")
    page.click("#play")
    page.wait_for_function("pliant.time > 0.05", timeout=30000)
    page.click("#play")
    assert not page.evaluate("pliant.playing")
    stopped = page.evaluate("pliant.frame")
    page.click("#next")
    assert page.evaluate("pliant.frame") == stopped + 1
    page.evaluate("pliant.seek(0.5)")
    # the poses of the page are those of the engine
    state, data = pliant.State(model), pliant.Data(model)
    frame = page.evaluate("pliant.frame")
    time = page.evaluate("pliant.time")
    state.qpos[:] = rows["qpos"][round(time / model.opt.timestep)]
    pliant.forward(model, state, data)
    shown = np.array([p["p"] for p in page.evaluate("pliant.poses()")])
    np.testing.assert_allclose(shown, data.xpos, atol=0.02)  # frames are 1/60 s apart
    assert frame > 0
    # something is drawn: the ball that is picked is where the engine has it
    box = page.locator("#view canvas").bounding_box()
    hit = page.evaluate(
        "([w, h]) => { for (let y = 10; y < h; y += 30) for (let x = 10; x < w; x += 30) {"
        " const i = pliant.pick(x, y); if (i > 0) return i; } return -1; }",
        [box["width"], box["height"]],
    )
    assert hit > 0
    page.click("#reset")
    assert page.evaluate("pliant.time") == 0
    assert problems == [] and [r for r in requests if not r.startswith(("file:", "data:", "blob:"))] == []


CUBE = """<mujoco><asset><texture name="t" type="cube" fileright="0.png" fileleft="1.png" fileup="2.png"
  filedown="3.png" filefront="4.png" fileback="5.png"/>
  <material name="m" texture="t" emission="1" specular="0"/></asset>
<visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><geom name="g" {shape} material="m"/></worldbody></mujoco>"""


@pytest.mark.parametrize("shape", ['type="box" size=".5 .5 .5"', 'type="box" size=".5 .2 .9"', 'size=".5"',
                                   'type="ellipsoid" size=".5 .3 .4"', 'type="cylinder" size=".4 .5"',
                                   'type="capsule" size=".3 .5"'])  # fmt: skip
def test_textures_around_cubes_are_where_the_renderer_draws_them(tmp_path, shape):
    """Six images of four squares each: colours of meshes, seen from six sides, against pictures."""
    rng = np.random.default_rng(1)
    for side in range(6):
        squares = rng.integers(40, 255, (2, 2, 3), dtype=np.uint8)
        pliant.save_png(tmp_path / f"{side}.png", squares.repeat(16, 0).repeat(16, 1))
    path = tmp_path / "cube.xml"
    path.write_text(CUBE.format(shape=shape))
    model = pliant.load(path)
    (solid,) = shapes.solids(model)
    assert solid.mesh[0] == "cube"
    mesh, pixels = shapes.make_mesh(model, solid.mesh), shapes.texture_pixels(model, solid.texture)
    corners, uv = (mesh.vertices * solid.scale)[mesh.faces], mesh.uv[mesh.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # places all over the triangles, and the colours that they have there
    shares = rng.dirichlet((1, 1, 1), (len(corners), max(1, 600 // len(corners))))
    middle, place = (np.einsum("tkc,tcx->tkx", shares, of).reshape(-1, of.shape[2]) for of in (corners, uv))
    normal = normal.repeat(shares.shape[1], 0)
    found = pixels[(place[:, 1] * len(pixels)).astype(int), (place[:, 0] * pixels.shape[1]).astype(int)]
    state, data = pliant.State(model), pliant.Data(model)
    pliant.forward(model, state, data)
    right = wrong = 0
    camera = mujoco.MjvCamera()
    camera.distance = 4
    with pliant.Renderer(model, 240, 240) as renderer:
        for azimuth, elevation in ((0, 0), (90, 0), (180, 0), (270, 0), (0, 89.9), (0, -89.9)):
            camera.azimuth, camera.elevation = azimuth, elevation
            renderer.update_scene(data, camera, state=state)
            picture, view = renderer.render(), renderer.scene.camera[0]
            side, to = np.cross(view.forward, view.up), middle - view.pos
            seen = (normal * to).sum(1) < -0.5 * np.linalg.norm(normal, axis=1) * np.linalg.norm(to, axis=1)
            scale = view.frustum_near / (to @ view.forward) / view.frustum_top * 120
            x, y = (120 + scale * (to @ side)).astype(int), (120 - scale * (to @ view.up)).astype(int)
            around = np.stack([picture[y + i, x + k] for i in (-3, 0, 3) for k in (-3, 0, 3)]).astype(int)
            clear = seen & (np.ptp(around, 0).max(1) < 3)  # a few pixels from the next square
            same = np.abs(picture[y, x].astype(int) - found).max(1) < 12
            right, wrong = right + int((clear & same).sum()), wrong + int((clear & ~same).sum())
    # of round shapes some triangles lie on two sides of the cube, and have the colours of one
    assert right > 100 and wrong <= (0.01 if "box" in shape else 0.08) * right, (right, wrong)
