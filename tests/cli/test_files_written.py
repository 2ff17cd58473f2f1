"""Files that commands write: never over what they read, whole or not at all, with the cause named."""

import json
import os
import pathlib
import resource
import signal
import subprocess

import pytest

import pliant
from test_cli import PROGRAM, ROOT, run

ARM = """<mujoco>
  <asset><mesh name="part" file="part.obj"/></asset>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body name="arm" pos="0 0 1"><joint name="elbow" axis="0 1 0"/><geom name="mesh" type="mesh" mesh="part"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator>
</mujoco>"""
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1))
CUBE += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "arm.xml").write_text(ARM)
    (tmp_path / "part.obj").write_text(CUBE)
    (tmp_path / "main.xml").write_text('<mujoco><include file="arm.xml"/></mujoco>')
    (tmp_path / "ctrl.csv").write_text("motor\n0.5\n")
    (tmp_path / "link.xml").symlink_to("arm.xml")
    (tmp_path / "again").mkdir()
    return tmp_path


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- inputs are not overwritten

OVERWRITING = [
    ["convert", "arm.xml", "arm.xml"],
    ["convert", "arm.xml", "link.xml"],
    ["convert", "link.xml", "arm.xml"],
    ["convert", "arm.xml", "again/../arm.xml"],
    ["convert", "main.xml", "arm.xml"],
    ["convert", "arm.xml", "part.obj"],
    ["compile", "arm.xml", "arm.xml"],
    ["compile", "main.xml", "arm.xml"],
    ["compile", "arm.xml", "part.obj"],
    ["run", "arm.xml", "--ctrl", "ctrl.csv", "--record", "ctrl.csv"],
    ["run", "arm.xml", "--ctrl", "ctrl.csv", "--record", "again/../ctrl.csv"],
    ["solvers", "arm.xml", "--html", "arm.xml"],
    ["solvers", "main.xml", "--html", "arm.xml"],
    ["explain", "arm.xml", "--geoms", "mesh", "0", "--html", "arm.xml"],
    ["view", "arm.xml", "--html", "arm.xml"],
    ["view", "arm.xml", "--html", "part.obj"],
    ["view", "run.csv", "--model", "arm.xml", "--html", "arm.xml"],
]


@pytest.mark.parametrize("arguments", OVERWRITING, ids=" ".join)
def test_no_command_overwrites_what_it_reads(arguments, folder):
    before = contents(folder)
    done = run(*arguments, folder=folder)
    assert done.returncode == 2 and not done.stdout and "overwritten" in done.stderr, done.stderr
    assert contents(folder) == before


def test_force(folder):
    assert "--force" in run("convert", "main.xml", "main.xml", folder=folder).stderr
    done = run("convert", "main.xml", "main.xml", "--force", folder=folder)
    assert done.returncode == 0 and "include" not in (folder / "main.xml").read_text()
    assert run("compile", "main.xml", "main.xml", "--force", folder=folder).returncode == 0
    assert (folder / "main.xml").read_bytes().startswith(b"PLIANTM")


def test_other_outputs_may_be_written_again(folder):
    for _ in range(2):
        assert run("convert", "main.xml", "out.xml", folder=folder).returncode == 0
        assert run("compile", "main.xml", "out.plm", folder=folder).returncode == 0
        assert run("run", "main.xml", "--steps", 3, "--record", "out.csv", folder=folder).returncode == 0


def test_copied_assets_do_not_overwrite_assets(folder):
    """Two meshes of one name: the copy of the first would take the place of the second."""
    (folder / "again" / "part.obj").write_text(CUBE.replace("0.1", "0.2"))
    two = ARM.replace("</asset>", '<mesh name="second" file="again/part.obj"/></asset>')
    (folder / "arm.xml").write_text(two)
    before = contents(folder)
    done = run("convert", "arm.xml", "out.xml", "--copy-assets", "again", folder=folder)
    assert done.returncode == 2 and "again/part.obj" in done.stderr and contents(folder) == before
    done = run("convert", "arm.xml", "out.xml", "--copy-assets", "again", "--force", folder=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "again" / "part.obj").read_text() == CUBE
    assert (folder / "again" / "part_2.obj").read_text() == CUBE.replace("0.1", "0.2")
    # a file that is where its copy would be stays where it is
    assert run("convert", "out.xml", "once_more.xml", "--copy-assets", "again", folder=folder).returncode == 0


def test_python(folder):
    before = contents(folder)
    for call in (
        lambda: pliant.convert(folder / "arm.xml", folder / "arm.xml"),
        lambda: pliant.Spec(folder / "main.xml").save(folder / "link.xml"),
    ):
        with pytest.raises(pliant.LoadError, match="force=True"):
            call()
    assert contents(folder) == before
    pliant.convert(folder / "main.xml", folder / "main.xml", force=True)
    assert "include" not in (folder / "main.xml").read_text()


# ---- a full disk

FULL = pathlib.Path("/dev/full")
WRITING = [
    ["run", "arm.xml", "--record", "out.csv"],
    ["run", "arm.xml", "--record", "out.npz"],
    ["compile", "arm.xml", "out.plm"],
    ["convert", "arm.xml", "out.xml"],
    ["solvers", "arm.xml", "--html", "out.html"],
    ["explain", "arm.xml", "--geoms", "mesh", "0", "--html", "out.html"],
]


def target_of(arguments):
    return next(word for word in arguments if word.startswith("out."))


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_full_disk(arguments, folder):
    (folder / target_of(arguments)).symlink_to(FULL)
    done = run(*arguments, folder=folder)
    assert done.returncode == 2 and "No space left on device" in done.stderr and target_of(arguments) in done.stderr
    assert "recorded" not in done.stdout and target_of(arguments) not in done.stdout


def limited(arguments, folder, size):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run([PROGRAM, *arguments], cwd=folder, preexec_fn=limit, capture_output=True, text=True)


@pytest.mark.parametrize("there", [False, True], ids=["new", "replaces"])
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_nothing_is_left_of_a_file_that_cannot_be_whole(arguments, there, folder):
    if there:
        (folder / target_of(arguments)).write_text("what was there before")
    before = contents(folder)
    done = limited(arguments, folder, 300)
    assert done.returncode == 2 and "File too large" in done.stderr, done.stderr
    assert "recorded" not in done.stdout and target_of(arguments) not in done.stdout
    assert contents(folder) == before


def test_json_claims_no_recording(folder):
    done = limited(["run", "arm.xml", "--record", "out.csv", "--json"], folder, 10_000)
    data = json.loads(done.stdout)
    assert done.returncode == 2 and data["end"] == "recording failed" and not data["ok"] and "record" not in data
    assert "File too large" in data["message"] and data["steps"] > 0


@pytest.mark.parametrize("arguments", [["--help"], ["info", "models/drop.xml"], ["codes"], ["schema"]], ids=" ".join)
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_standard_output_on_a_full_disk(arguments):
    with FULL.open("w") as full:
        done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert done.returncode == 2 and "standard output: No space left on device" in done.stderr


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_places_that_cannot_be_written(arguments, folder):
    before = contents(folder)
    done = run(*[word.replace("out.", "nowhere/out.") for word in arguments], folder=folder)
    assert done.returncode == 2 and "No such file or directory" in done.stderr and contents(folder) == before
    (folder / target_of(arguments)).mkdir()
    done = run(*arguments, folder=folder)
    assert done.returncode == 2 and "Is a directory" in done.stderr


def test_permissions_and_links_of_outputs_stay(folder):
    (folder / "real.csv").write_text("old")
    os.chmod(folder / "real.csv", 0o640)
    (folder / "out.csv").symlink_to("real.csv")
    assert run("run", "arm.xml", "--steps", 3, "--record", "out.csv", folder=folder).returncode == 0
    assert (folder / "out.csv").is_symlink() and (folder / "real.csv").read_text().startswith("time,")
    assert (folder / "real.csv").stat().st_mode & 0o777 == 0o640


# ---- names of files


def test_write_errors_name_the_file(folder):
    done = run("convert", "arm.xml", "nowhere/out.xml", folder=folder)
    assert "<string>" not in done.stderr and done.stderr.startswith("nowhere/out.xml: error[E450] cannot write")
    with pytest.raises(pliant.LoadError, match="nowhere/out.xml: error"):
        pliant.convert(folder / "arm.xml", folder / "nowhere" / "out.xml")


# ---- the mesh cache, and the scripts


def test_a_mesh_cache_that_cannot_be_filled(folder):
    done = limited(["info", "arm.xml", "--cache", "cache"], folder, 300)
    assert done.returncode == 0 and "W613" in done.stdout and "File too large" in done.stdout
    assert list((folder / "cache").iterdir()) == []
    assert run("info", "arm.xml", "--cache", "cache", "--strict", folder=folder).returncode == 0
    assert [path.suffix for path in (folder / "cache").iterdir()] == [".mesh"]


def test_scripts_write_whole_files(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import output_file

    page = tmp_path / "page.html"
    page.write_text("old")
    page.chmod(0o604)
    (tmp_path / "link.html").symlink_to("page.html")
    output_file.write_text(tmp_path / "link.html", "new")
    assert page.read_text() == "new" and page.stat().st_mode & 0o777 == 0o604
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError, match="full"):
            output_file.write_text(page, "half")
    assert page.read_text() == "new" and sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "page.html"]
