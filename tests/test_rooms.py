"""A new kind of joint, equality, sensor, solver or actuator law has one room: scripts/rooms sees what is too much."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def rooms():
    loader = importlib.machinery.SourceFileLoader("rooms", str(ROOT / "scripts" / "rooms"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", loader))
    loader.exec_module(module)
    return module


def test_every_kind_has_one_room(rooms):
    found, patches = rooms.count()
    assert not found, "\n".join(found)
    assert patches >= len(rooms.KINDS) == 5


def added(name, *lines):
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,1 +1,2 @@\n old\n" + "".join(
        f"{line}\n" for line in lines
    )


GOOD = (
    added("src/joint/new.h", "+a", "+b")
    + added("include/pliant/joints.def", "+JOINT(New)")
    + added("src/load/mjcf_schema.cpp", "+row", "+row")
    + added("tests/test_new.py", "+test")
)


def test_a_kind_with_one_room_is_fine(rooms):
    assert rooms.what_is_wrong(GOOD) == []
    # a list may have all words of the schema
    assert rooms.what_is_wrong(GOOD.replace("src/load/mjcf_schema.cpp", "tests/test_new.py")) == []


@pytest.mark.parametrize(
    ("more", "finding"),
    [
        (added("src/joint/other.h", "+a"), "2 files of the part 'room'"),
        (added("src/load/mjcf_sensor.h", "+a"), "2 files of the part 'schema'"),
        (added("include/pliant/sensors.def", "+a"), "2 files of the part 'list'"),
        (added("tests/test_other.py", "+a"), "2 files of the part 'test'"),
        (added("python/pliant/_enums.py", "+a"), "no file of a kind"),
        (added("CMakeLists.txt", "+a"), "no file of a kind"),
        (added("src/joint/new.h", "-a"), "loses 1 lines"),
        (added("include/pliant/joints.def", "+a"), "gets 2 lines"),
        (added("src/load/mjcf_schema.cpp", *["+a"] * 4), "gets 6 lines"),
    ],
)
def test_more_is_found(rooms, more, finding):
    assert any(finding in text for text in rooms.what_is_wrong(GOOD + more))


@pytest.mark.parametrize("part", ["src/joint/new.h", "include/pliant/joints.def", "tests/test_new.py"])
def test_less_is_found(rooms, part):
    patch = "".join("diff " + piece for piece in GOOD.split("diff ")[1:] if part not in piece)
    assert any("0 files of the part" in text for text in rooms.what_is_wrong(patch))
