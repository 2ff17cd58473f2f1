"""Code blocks of Markdown pages as programs.

A page is one program: its blocks run one after the other, in a folder with the models of this tree and a robot of the
reader's own, so that a block may use what the ones before it made.

    python   run; names stay for later blocks
    sh       lines that begin with `pliant`, `build/pliant` or `python` are run. Of `make` only the target is looked up;
             lines that install or build (pip, cmake …) are what other tests do
    xml      a model, or elements of one: it must load without errors
    text     no code: output, formulas, trees of folders
    cpp      see test_blocks.py
    c, cmake verbatim parts of examples/outside, which tests/package builds

What a block needs and a reader does not stands before it in a comment, which pages do not show:

    <!-- python
    ctrl = numpy.zeros((4096, model.nu))
    -->
    <!-- file hand.xml
    <mujoco/>
    -->
    <!-- needs cuda -->          the block that follows runs where a GPU is
    <!-- needs ray -->           likewise where Ray is installed
    <!-- needs torch -->         or torch
"""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {"python", "sh", "xml", "text", "cpp", "c", "cmake"}
NOT_RUN = ("make ", "pip ", "cmake ", "cd ", "git ", "python3 -m venv", "scripts/")

# A block, indented or not, or a comment of the kinds above; comments of other kinds are nobody's business.
PART = re.compile(
    r"^(?P<indent> *)```(?P<language>[^\n]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$"
    r"|^<!-- (?P<kind>python|file|needs)(?P<word>[^\n]*?)(?:-->|\n(?P<hidden>.*?)^-->)",
    re.MULTILINE | re.DOTALL,
)


class Part(NamedTuple):
    kind: str  # a language, "hidden", "file" or "needs"
    word: str  # name of the file, or what is needed
    text: str
    line: int


def parts(path):
    text = path.read_text(encoding="utf-8")
    found = []
    for match in PART.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["language"] is not None:
            body = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
            found.append(Part(match["language"].strip(), "", body, line))
        else:
            kind = "hidden" if match["kind"] == "python" else match["kind"]
            found.append(Part(kind, match["word"].strip(), match["hidden"] or "", line))
    return found


def pages():
    return sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"])


def commands(text):
    """Lines of a shell block without comments; a backslash at the end of a line continues it."""
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        if command := re.sub(r"(^|\s)#.*", "", line).strip():
            yield command
