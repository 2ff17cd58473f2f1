"""Models in zip archives (.mjz): found, read from the archive alone, and refused with a reason when damaged."""

import io
import pathlib
import random
import struct
import subprocess
import sys
import zipfile

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "parity"))
import compare

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n"
MODEL = """<mujoco model="{name}"><compiler meshdir="assets"/><asset><mesh name="m" file="a.obj"/></asset>
<worldbody><geom type="mesh" mesh="m"/>{more}</worldbody></mujoco>"""


def packed(files, method=zipfile.ZIP_DEFLATED, comment=b""):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.comment = comment
    return buffer.getvalue()


def model(name="model", more=""):
    return MODEL.format(name=name, more=more)


def write(folder, name, *arguments, **options):
    path = folder / name
    path.write_bytes(packed(*arguments, **options))
    return str(path)


def refusal(path, **options):
    with pytest.raises(pliant.LoadError) as error:
        pliant.load(str(path), **options)
    return [f for f in error.value.diagnostics if f.severity == "error"]


LAYOUTS = {
    "model.xml first": {"model.xml": model("first"), "robot.xml": model("no"), "assets/a.obj": OBJ},
    "its own name": {"robot.xml": model("own"), "assets/a.obj": OBJ},
    "folder and name": {"robot/robot.xml": model("both"), "robot/model.xml": model("no"), "robot/assets/a.obj": OBJ},
    "folder": {"robot/model.xml": model("folder"), "robot/assets/a.obj": OBJ},
    "include": {
        "model.xml": model("include", '<body><include file="sub/inc.xml"/></body>'),
        "assets/a.obj": OBJ,
        "sub/inc.xml": '<mujocoinclude><geom size=".1"/></mujocoinclude>',
    },
    "dots": {"model.xml": model("dots").replace("a.obj", "../x/a.obj"), "x/a.obj": OBJ},
    "attached": {
        "model.xml": '<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody>'
        '<attach model="c" body="b" prefix="x_"/></worldbody></mujoco>',
        "c.xml": '<mujoco><asset><mesh name="m" file="a.obj"/></asset><worldbody><body name="b">'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        "a.obj": OBJ,
    },
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_layouts_as_the_reference(tmp_path, monkeypatch, layout, method):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "robot.mjz", LAYOUTS[layout], method)
    ours = pliant.mujoco.MjModel.from_xml_path("robot.mjz")
    theirs = mujoco.MjSpec.from_file("robot.mjz").compile()
    assert theirs.names == ours.names
    differences = compare.compare_models(theirs, ours).differences
    assert [d for d in differences if d.field not in ("npaths", "paths")] == []


def test_as_from_the_folder(tmp_path):
    """Without the reference: the archive means what its files mean."""
    files = LAYOUTS["include"]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    unpacked, archive = pliant.load(str(tmp_path / "model.xml")), pliant.load(write(tmp_path, "z.zip", files))
    for field in pliant.model_fields():
        if field["name"] not in ("paths", "mesh_pathadr"):
            before, after = (np.asarray(getattr(m, field["name"])) for m in (unpacked, archive))
            assert before.tobytes() == after.tobytes(), field["name"]


def test_nothing_outside_is_read(tmp_path):
    (tmp_path / "inc.xml").write_text('<mujocoinclude><geom size=".1"/></mujocoinclude>')
    path = write(
        tmp_path, "robot.mjz", {"model.xml": '<mujoco><worldbody><include file="inc.xml"/></worldbody></mujoco>'}
    )
    assert [f.code for f in refusal(path)] == ["E109"]


def test_attached_archive(tmp_path):
    write(tmp_path, "part.mjz", {"model.xml": model("part").replace("<geom", '<body name="b"><geom').replace(
        "/></worldbody>", "/></body></worldbody>"), "assets/a.obj": OBJ})  # fmt: skip
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><asset><model name="c" file="part.mjz"/></asset><worldbody>'
                    '<attach model="c" body="b" prefix="x_"/></worldbody></mujoco>')  # fmt: skip
    theirs = mujoco.MjModel.from_xml_path(str(main))
    ours = pliant.mujoco.MjModel.from_xml_path(str(main))
    assert [d for d in compare.compare_models(theirs, ours).differences if d.field not in ("npaths", "paths")] == []


def test_in_memory(tmp_path):
    loaded = pliant.load_string('<mujoco><asset><model name="c" file="part.mjz"/></asset><worldbody>'
                                '<attach model="c" prefix="x_"/></worldbody></mujoco>',
                                assets={"part.mjz": packed({"part.xml":
                                    "<mujoco><worldbody><body/></worldbody></mujoco>"})})  # fmt: skip
    assert loaded.nbody == 2


BAD = {
    "no model": (packed({"other.xml": model()}), "E114", "holds no model"),
    "not an archive": (b"PK\3\4 nonsense", "E114", "not a zip archive"),
    "empty": (b"", "E114", "not a zip archive"),
    "packed otherwise": (packed({"model.xml": model()}, zipfile.ZIP_BZIP2), "E114", "method 12"),
    "outside": (packed({"../model.xml": model(), "model.xml": model()}), "E114", "outside"),
    "absolute": (packed({"/etc/model.xml": model()}), "E114", "outside"),
    "cut": (packed({"model.xml": model()})[:-30], "E114", "not a zip archive"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_archives(tmp_path, case):
    content, code, words = BAD[case]
    path = tmp_path / "robot.mjz"
    path.write_bytes(content)
    (finding,) = refusal(path)
    assert finding.code == code and words in finding.message


def test_twice(tmp_path):
    with pytest.warns(UserWarning), zipfile.ZipFile(tmp_path / "robot.mjz", "w") as archive:
        archive.writestr("model.xml", model())
        archive.writestr("model.xml", model())
    (finding,) = refusal(tmp_path / "robot.mjz")
    assert "twice" in finding.message


def test_encrypted(tmp_path):
    content = bytearray(packed({"model.xml": model()}))
    content[content.rindex(b"PK\1\2") + 8] |= 1
    (tmp_path / "robot.mjz").write_bytes(content)
    (finding,) = refusal(tmp_path / "robot.mjz")
    assert "encrypted" in finding.message


def test_wrong_checksum(tmp_path):
    content = bytearray(packed({"model.xml": model()}, zipfile.ZIP_STORED))
    content[content.index(b"<mujoco") + 1] ^= 1
    (tmp_path / "robot.mjz").write_bytes(content)
    (finding,) = refusal(tmp_path / "robot.mjz")
    assert "checksum" in finding.message


def test_bombs_are_refused(tmp_path):
    bomb = packed({f"{i}": b"\0" * (100 << 20) for i in range(11)})
    assert len(bomb) < 2 << 20
    (tmp_path / "robot.mjz").write_bytes(bomb)
    (finding,) = refusal(tmp_path / "robot.mjz")
    assert finding.code == "E108" and "max_archive_bytes" in finding.hint


def test_sizes_that_lie(tmp_path):
    content = bytearray(packed({"model.xml": model()}))
    at = content.rindex(b"PK\1\2") + 24
    content[at : at + 4] = struct.pack("<I", 1 << 29)
    (tmp_path / "robot.mjz").write_bytes(content)
    (finding,) = refusal(tmp_path / "robot.mjz")
    assert "damaged" in finding.message


def test_comment_at_the_end(tmp_path):
    path = write(tmp_path, "robot.mjz", LAYOUTS["its own name"], comment=b"PK\5\6 and more" * 100)
    assert pliant.load(path).nmesh == 1


def test_any_damage_ends_in_findings(tmp_path):
    """Bytes changed, cut or repeated at random: a model or an error, never a crash (run apart)."""
    whole = packed(LAYOUTS["its own name"])
    rng = random.Random(1)
    for number in range(400):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(content))
            action = rng.randrange(3)
            if action == 0:
                content[at] = rng.randrange(256)
            elif action == 1:
                del content[at : at + rng.randint(1, 40)]
            else:
                content[at:at] = content[at : at + rng.randint(1, 40)]
        (tmp_path / f"{number}.mjz").write_bytes(content)
    program = (
        "import pathlib, pliant, sys\n"
        "fine = 0\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
        "    try:\n        pliant.load(str(path)); fine += 1\n"
        "    except pliant.LoadError as error:\n        assert error.diagnostics\n"
        "print(fine)\n"
    )
    child = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, child.stderr
    assert int(child.stdout) < 400


def test_command_line(tmp_path):
    path = write(tmp_path, "robot.mjz", LAYOUTS["its own name"])
    child = subprocess.run([sys.executable, "-m", "pliant", "info", path], capture_output=True, text=True)
    assert child.returncode == 0 and "own" in child.stdout, child.stderr
