"""`make docs`: the site builds without a warning, asks nobody for anything, and can be searched from a file."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys

import pytest

import blocks

ROOT = blocks.ROOT

pytestmark = pytest.mark.skipif(
    not importlib.util.find_spec("mkdocs") or not importlib.util.find_spec("material"),
    reason="MkDocs is not installed: scripts/install-deps --docs",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, without the pages of the gallery, built in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, ROOT / "scripts" / "make-site", "--pages", folder / "pages"]
    subprocess.run(command, check=True)
    text = (ROOT / "mkdocs.yml").read_text()
    text = text.replace("docs_dir: build/site/pages", "docs_dir: pages").replace("site_dir: out/site", "site_dir: site")
    (folder / "mkdocs.yml").write_text(text)
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_every_page_is_there(site):
    names = re.findall(r": (\w[\w-]*)\.md$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert len(names) > 25
    assert [name for name in names if not (site / f"{name}.html").exists()] == []


def test_nothing_is_fetched_from_elsewhere(site):
    """No script, style, font or picture of another site: links to read are fine."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        found = re.findall(r"<(?:script|img|iframe|source)[^>]+src=\"?(https?:[^\s\">]+)", text)
        found += re.findall(
            r"<link[^>]+rel=\"?(?:stylesheet|preconnect|icon|preload)[^>]+href=\"?(https?:[^\s\">]+)", text
        )
        assert not found, f"{page.name}: {found}"


def test_search_finds_pages_without_a_server(site):
    """The offline plugin writes the index as a script, which pages opened from a file may read."""
    text = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("{") : text.rindex("}") + 1])
    found = {entry["location"].partition("#")[0] for entry in index["docs"] if "restitution" in entry["text"]}
    assert {"tuning.html", "coming_from_physx.html"} <= found


@pytest.mark.skipif(
    not importlib.util.find_spec("playwright") or not shutil.which("chromium"),
    reason="there is no browser: scripts/install-deps --browser",
)
def test_pages_open_in_a_browser_and_search(site):
    from playwright.sync_api import sync_playwright

    troubles = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)  # on a busy machine
        page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: request.url.startswith("http") and troubles.append(request.url))
        for name in ("index", "tuning", "python_reference", "cpp_reference", "gallery"):
            page.goto((site / f"{name}.html").as_uri())
        page.goto((site / "index.html").as_uri())
        page.click("input[name=query]")
        page.locator("input[name=query]").press_sequentially("restitution")
        page.wait_for_selector(".md-search-result__item")
        assert page.locator(".md-search-result__item").count() > 0
        browser.close()
    assert not troubles, troubles
