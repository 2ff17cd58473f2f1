"""Every link of every page leads somewhere: files, and headings within pages. Other sites are not asked."""

import pathlib
import re
import subprocess
import sys
import unicodedata

import pytest

import blocks

ROOT = blocks.ROOT
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^()\s]+)\)")
TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree as readers of the site and of the repository see it, with the pages that are made for the site."""
    folder = tmp_path_factory.mktemp("tree")
    command = [sys.executable, ROOT / "scripts" / "make-site", "--pages", folder / "docs"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in TOP:
        (folder / name).write_text((ROOT / name).read_text())
    for name in ("LICENSE", "examples", "models", "tests", "src", "include", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def prose(text):
    """A page without its code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))


def anchors(text):
    """Names of the headings, as MkDocs makes them."""
    found = set()
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
        name = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        found.add(name if name not in found else f"{name}_1")
    return found


def broken_links(folder):
    for page in sorted([*(folder / "docs").rglob("*.md"), *(folder / name for name in TOP)]):
        text = page.read_text()
        for target in LINK.findall(prose(text)):
            if re.match(r"(https?|mailto):", target):
                continue
            path, _, anchor = target.partition("#")
            goal = (page.parent / path).resolve() if path else page
            name = page.relative_to(folder)
            if not goal.exists():
                yield f"{name}: {target}: there is no {path}"
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal.read_text()):
                yield f"{name}: {target}: {goal.name} has no heading #{anchor}"


def test_every_link_leads_somewhere(tree):
    broken = list(broken_links(tree))
    assert not broken, "\n".join(broken)


def test_broken_links_are_found(tree):
    page = tree / "docs" / "wrong.md"
    page.write_text("# Wrong\n[a](nowhere.md) [b](python.md#no-such-heading) [c](#wrong) [d](python.md#rollouts)\n")
    try:
        assert len(list(broken_links(tree))) == 2
    finally:
        page.unlink()


def test_every_page_is_in_the_navigation(tree):
    listed = set(re.findall(r": (\w[\w-]*\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert listed == {page.name for page in (tree / "docs").glob("*.md")}


def test_no_page_names_a_machine(tree):
    for page in [*(tree / "docs").rglob("*.md"), *(tree / name for name in TOP)]:
        found = re.findall(r"(?<![\w.])/(?:work|root|tmp)/\w*", page.read_text())
        assert not found, f"{page.name}: {found}"


def test_recipes_name_the_patches():
    """CONTRIBUTING has a line for every patch of tests/contract/rooms, which prove its recipes."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for patch in (ROOT / "tests" / "contract" / "rooms").glob("*.patch"):
        assert f"`{patch.name}`" in text, patch.name
    for name in re.findall(r"`((?:src|include|tests|scripts|apps|docs)/[\w./-]+)`", text):
        if not any(sign in name for sign in "<*"):
            assert pathlib.Path(ROOT / name).exists(), name
