"""The viewer in headless Chromium: opens models, obeys its buttons, serves two browsers, loses one."""

import os
import pathlib
import shutil
import time

import numpy as np
import pytest

pytest.importorskip("viser", reason="no viser: pip install -r requirements-viewer.txt")
playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: scripts/install-deps --browser")

from test_viewer_server import Live, do, wait_for  # noqa: E402

pytestmark = pytest.mark.slow
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = os.environ.get("PLIANT_MODELS")
SCENES = [
    *sorted(f"models/{path.name}" for path in (ROOT / "models").glob("*.xml")),
    "mujoco/humanoid/humanoid.xml",
    "mujoco/humanoid/100_humanoids.xml",
    "menagerie/franka_emika_panda/scene.xml",
    "menagerie/shadow_hand/scene_right.xml",
]


@pytest.fixture(scope="module")
def chromium():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("no chromium: scripts/install-deps --browser")
    with playwright.sync_playwright() as p:
        arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = p.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


class Visitor:
    """A browser window on a viewer; what goes wrong in it is kept."""

    def __init__(self, chromium, address, width=700):
        self.problems, self.elsewhere = [], []
        self.page = chromium.new_context(viewport={"width": width, "height": 500}).new_page()
        self.page.set_default_timeout(300_000)
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(f"{error} {error.stack}"))
        self.page.on("request", lambda r: None if self._here(r.url) else self.elsewhere.append(r.url))
        self.page.goto(address)
        self.page.get_by_role("tab", name="Run").wait_for()

    def _here(self, url):
        return url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))

    def click(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def leave(self):
        assert (self.problems, self.elsewhere) == ([], [])
        self.page.context.close()


def path_of(scene):
    if scene.startswith("models/"):
        return str(ROOT / scene)
    if not MODELS or not (pathlib.Path(MODELS) / scene).exists():
        pytest.skip(f"PLIANT_MODELS has no {scene}")
    return str(pathlib.Path(MODELS) / scene)


@pytest.mark.parametrize("scene", SCENES)
def test_models_open(chromium, scene):
    with Live(path_of(scene)) as session:
        visitor = Visitor(chromium, session.server.address)
        frames, now = session.frames, float(session.world.state.time[0])
        assert wait_for(lambda: session.frames > frames + 5 and session.world.state.time[0] > now)
        picture = visitor.page.screenshot()
        assert len(picture) > 10_000 and session.trouble == ""
        visitor.leave()


DRAGGED = """<mujoco><option gravity="0 0 0"/><worldbody><light pos="0 0 3"/>
  <body><freejoint/><geom size="0.4" rgba="0.8 0.3 0.2 1"/></body></worldbody></mujoco>"""


def test_dragging_pulls_a_body(chromium, tmp_path):
    (tmp_path / "ball.xml").write_text(DRAGGED)
    with Live(str(tmp_path / "ball.xml")) as session:
        visitor = Visitor(chromium, session.server.address, width=1200)
        # the ball is in the middle of the scene, and the panels are beside it
        box = visitor.page.locator("canvas").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        frames = session.frames
        assert wait_for(lambda: session.frames > frames + 5)
        mouse, keys = visitor.page.mouse, visitor.page.keyboard
        keys.down("Control")
        mouse.move(x, y)
        mouse.down()
        for i in range(1, 11):
            mouse.move(x + 8 * i, y)
            time.sleep(0.05)
        assert wait_for(lambda: session.grip is not None and "force" in session.grip)
        assert wait_for(lambda: np.linalg.norm(session.world.state.qvel[:3]) > 1e-3)
        mouse.up()
        keys.up("Control")
        assert wait_for(lambda: session.grip is None)
        assert not np.any(session.world.state.xfrc_applied)
        # viser's page itself says this when something is dragged
        visitor.problems = [p for p in visitor.problems if "preventDefault inside passive" not in p]
        visitor.leave()


def test_buttons_editing_and_two_browsers(chromium):
    with Live(str(ROOT / "models" / "rubber_balls.xml")) as session:
        model, state = session.model, session.world.state
        first = Visitor(chromium, session.server.address)
        second = Visitor(chromium, session.server.address)
        assert wait_for(lambda: len(session.server.viser.get_clients()) == 2)
        first.click("Pause")
        assert wait_for(lambda: not session.playing)
        second.page.get_by_role("button", name="Play", exact=True).wait_for()  # the other one sees it
        stopped = float(state.time[0])
        second.click("One step")
        assert wait_for(lambda: state.time[0] > stopped)
        assert state.time[0] == pytest.approx(stopped + model.opt.timestep)
        first.click("Reset")
        assert wait_for(lambda: state.time[0] == 0)
        # other numbers for a contact
        pair = model.id("geom", "hard"), model.id("geom", "floor")
        do(session, lambda: session.panels.contact.choose(*pair))
        first.page.get_by_role("tab", name="Contact").click()
        found = "[...document.querySelectorAll('input')].find(i => i.value === '0.02 0.2' && i.offsetParent)"
        first.page.wait_for_function(found)
        field = first.page.evaluate_handle(found).as_element()
        field.fill("0.1 1")
        field.press("Tab")
        assert wait_for(lambda: session.panels.contact.fields["solref"].value == "0.1 1")
        before = session.panels.contact.explanation.rest_depth
        first.click("Apply")
        assert wait_for(lambda: session.panels.contact.explanation.rest_depth > 5 * before)
        first.page.get_by_role("tab", name="Run").click()
        first.click("Play")
        assert wait_for(lambda: state.time[0] > 5)
        height = int(model.jnt_qposadr[model.id("joint", "hard")])
        predicted = session.panels.contact.explanation.rest_depth
        assert -(state.qpos[height] + 0.5) == pytest.approx(predicted, rel=0.05)
        # one that goes away disturbs nobody
        second.page.context.close()
        assert wait_for(lambda: len(session.server.viser.get_clients()) == 1)
        now = float(state.time[0])
        assert wait_for(lambda: state.time[0] > now)
        first.click("Close the viewer")
        assert wait_for(lambda: not session.running)
        time.sleep(0.1)
        assert [p for p in first.problems if "WebSocket" not in p] == [] and first.elsewhere == []
