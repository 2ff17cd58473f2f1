"""Every code block of the documentation runs (blocks.py says what that means for which language)."""

import os
import pathlib
import re
import subprocess
import sys
import warnings

import pytest

import blocks

ROOT = blocks.ROOT
HERE = pathlib.Path(__file__).parent
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
PAGES = {page.relative_to(ROOT).as_posix(): page for page in blocks.pages()}
RUN = [name for name, page in PAGES.items() if {part.kind for part in blocks.parts(page)} & {"python", "sh", "xml"}]

ROBOT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <camera name="side" pos="0 -2 0.5" xyaxes="1 0 0 0 0 1"/>
    <body pos="0 0 0.099"><joint name="lift" type="slide" axis="0 0 1"/><geom name="foot" size="0.1"/></body>
    <body pos="1 0 1"><joint name="wheel" axis="0 1 0"/><geom size="0.1"/></body>
  </worldbody>
  <equality><mimic name="gear" joint1="wheel" joint2="lift" gear="-5" mode="hard"/></equality>
  <actuator><motor joint="lift"/></actuator>
  <sensor><jointpos name="force" joint="lift"/></sensor>
  <keyframe><key name="home" qpos="0 0"/></keyframe>
</mujoco>"""
URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/>
  <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.fixture
def folder(tmp_path):
    """Where the pages are read: a copy of the tree, as far as they look at it, and a robot of the reader's own."""
    for name in ("models", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    for place in (tmp_path / "build" / "pliant", tmp_path / "bin" / "pliant"):
        place.parent.mkdir()
        place.symlink_to(PROGRAM)
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "robot.urdf").write_text(URDF)
    return tmp_path


def environment(folder):
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    places = [str(HERE), os.environ.get("PYTHONPATH", "")]
    # commands that are written in Python ask for it; no browser is to be opened
    more = {"PLIANT_PYTHON": sys.executable, "BROWSER": "true"}
    return {**os.environ, **more, "PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, places))}


def test_there_is_something_to_run():
    kinds = [part.kind for page in PAGES.values() for part in blocks.parts(page)]
    assert kinds.count("python") >= 20 and kinds.count("sh") >= 15 and kinds.count("xml") >= 2, kinds


def test_every_block_has_a_language_that_is_known():
    wrong = [
        f"{name}:{part.line}: ```{part.kind}"
        for name, page in PAGES.items()
        for part in blocks.parts(page)
        if part.kind not in blocks.LANGUAGES | {"hidden", "file", "needs"}
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", RUN)
def test_blocks_run(name, folder):
    command = [sys.executable, HERE / "page_program.py", PAGES[name]]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for line in done.stdout.splitlines():
        if line.startswith("not run, since "):
            warnings.warn(f"{name}: {line}", stacklevel=1)


def test_blocks_of_the_outside_project_are_its_files():
    files = {"c": "bounce.c", "cmake": "CMakeLists.txt"}
    seen = set()
    for name, page in PAGES.items():
        for part in blocks.parts(page):
            if part.kind in files:
                text = (ROOT / "examples" / "outside" / files[part.kind]).read_text()
                assert part.text.strip() in text, f"{name}:{part.line}: not in examples/outside/{files[part.kind]}"
                seen.add(part.kind)
    assert seen == set(files)


def cpp_program():
    """All C++ blocks as functions of one program, since most of the time goes into reading headers: whole programs get
    another name for main, pieces a function around them. Includes come first."""
    includes, functions = {"<pliant/pliant.h>", "<stdexcept>"}, []
    readme = [part for part in blocks.parts(ROOT / "README.md") if part.kind == "cpp"]
    for part in readme + [part for page in PAGES.values() for part in blocks.parts(page) if part.kind == "cpp"]:
        includes |= set(re.findall(r"^#include (.*)$", part.text, re.MULTILINE))
        text = re.sub(r"^#include .*\n", "", part.text, flags=re.MULTILINE)
        name = f"block{len(functions)}"
        whole = re.sub(r"^int main\(.*?\)", f"int {name}()", text, flags=re.MULTILINE)
        if whole != text:  # only main may end without a return
            functions.append(whole.rstrip().removesuffix("}") + "  return 0;\n}")
        else:
            functions.append(f"int {name}() {{\n{text}\nreturn 0;\n}}")
    calls = "".join(
        f"  if (const int status = block{i}(); status != 0) return status;\n" for i in range(len(functions))
    )
    heads = "".join(f"#include {name}\n" for name in sorted(includes))
    return heads + "\n".join(functions) + f"\nint main() {{\n{calls}  return 0;\n}}\n", len(functions)


def test_cpp_blocks_compile_and_run(folder):
    text, count = cpp_program()
    assert count >= 4
    (folder / "program.cpp").write_text(text)
    libraries = "-lpugixml -lpng -lz -lqhull_r -pthread".split()
    command = ["c++", "-std=c++20", "-O0", f"-I{ROOT / 'include'}", "program.cpp", ROOT / "build" / "libpliant.a"]
    built = subprocess.run([*command, *libraries, "-o", "program"], cwd=folder, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([folder / "program"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
