"""Who includes whom: the tables of docs/architecture.md against every #include of the tree."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
SOURCES = ("*.h", "*.cpp", "*.cu", "*.def")
# folders that see the public headers and nothing else of ours
OUTSIDE = {"apps", "python", "examples"}


def table(title):
    """Rows of the table of the page whose first heading is `title`."""
    lines = PAGE.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {title} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def allowed_folders():
    """For each folder those it may include, itself among them. The table is written from the bottom up."""
    allowed = {}
    for names, may in table("folder"):
        reach = set()
        for entry in filter(None, (part.strip() for part in may.split(","))):
            folder = entry.removesuffix(" and below")
            assert folder in allowed, f"{names}: {folder} must stand further up in the table"
            reach |= allowed[folder] if entry.endswith(" and below") else {folder}
        for name in names.split(","):
            allowed[name.strip()] = reach | {name.strip()}
    return allowed


def header_owners():
    return {name.strip(): owner for names, owner in table("public header") for name in names.split(",")}


def folder_of(path):
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1]
    return "python/inside" if parts[:2] == ("python", "inside") else parts[0]


def our_sources():
    for top in ("src", "apps", "python", "examples"):
        for pattern in SOURCES:
            yield from (ROOT / top).rglob(pattern)


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s+[<"]([^">]+)[">]', line):
            yield number, match[1]


def target_folder(path, included):
    """The folder an include leads to; None for headers that are not ours."""
    if included.startswith("pliant/"):
        return "public"
    if (path.parent / included).exists():
        return folder_of((path.parent / included).resolve())
    if (ROOT / "src" / included).exists():
        return included.split("/")[0]
    if folder_of(path) == "python/inside" and (ROOT / "python" / included).exists():
        return "python"
    return None


def broken_rules():
    allowed, owners = allowed_folders(), header_owners()
    above_stages = {folder for folder, reach in allowed.items() if "step" in reach}
    for path in sorted(our_sources()):
        folder = folder_of(path)
        for line, included in includes(path):
            target = target_folder(path, included)
            where = f"{path.relative_to(ROOT)}:{line}: {folder} may not include {included}"
            if target == "public":
                if folder in OUTSIDE or folder == "python/inside":
                    continue
                owner = owners.get(included.removeprefix("pliant/"), "no folder: it is missing in the table")
                if not included.endswith(".def") and owner not in allowed[folder]:
                    yield f"{where}, which belongs to {owner}"
            elif target is None or (folder == "python/inside" and target == "python"):
                continue
            elif target not in allowed[folder]:
                yield f"{where}: {target} is not below it"
            elif included.endswith("/stages.h") and target != folder and folder not in above_stages:
                yield f"{where}: stages are run by the pipeline table only"


def test_every_include_obeys_the_table():
    broken = list(broken_rules())
    assert not broken, "\n".join(broken)


def test_every_folder_and_every_public_header_is_in_the_tables():
    folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    headers = {path.name for path in (ROOT / "include" / "pliant").glob("*.h")}
    assert folders - set(allowed_folders()) == set()
    assert headers == set(header_owners())


def test_public_headers_include_public_headers_only():
    for path in (ROOT / "include" / "pliant").glob("*.h"):
        for line, included in includes(path):
            ours = included.startswith("pliant/") or "/" not in included
            assert ours or included.startswith(("sys/",)), f"{path.name}:{line}: {included}"
            assert not (ROOT / "src" / included).exists(), f"{path.name}:{line}: {included} is not public"


# first part of a header's name → its line in the table of dependencies
LIBRARIES = {
    "pugixml.hpp": "pugixml",
    "png.h": "libpng",
    "libqhull_r": "qhull",
    "tiny_obj_loader.h": "tinyobjloader",
    "assimp": "Assimp",
    "fmt": "fmt",
    "nanobind": "nanobind",
}


def test_libraries_of_others_are_included_where_the_table_of_dependencies_says():
    places = {row[0]: re.findall(r"(?:src|apps|python)[\w/.]*", row[2]) for row in table("what")}
    used = set()
    for path in our_sources():
        name = path.relative_to(ROOT).as_posix()
        for line, included in includes(path):
            if library := LIBRARIES.get(included.split("/")[0]):
                used.add(library)
                assert any(name == place or name.startswith(place + "/") for place in places[library]), (
                    f"{name}:{line}: {included} belongs to {places[library]}"
                )
    assert used == set(LIBRARIES.values())


def test_the_test_sees_includes():
    """It would pass on an empty tree as well."""
    seen = sum(1 for path in our_sources() for _, included in includes(path) if target_folder(path, included))
    assert seen > 1000
    assert "collision" not in allowed_folders()["math"] and "math" in allowed_folders()["collision"]


def compiled_for_the_device():
    """Every file that a .cu of `make gpu-compile` includes, directly or not."""
    kinds = (ROOT / "include" / "pliant" / "equalities.def").read_text()
    rooms = [f"constraint/kinds/{file}_hd.h" for file in re.findall(r"^EQUALITY\(\w+, *\d+, *(\w+)", kinds, re.M)]
    seen, todo = set(), [*(ROOT / "src").rglob("*.cu"), *(ROOT / "tests").rglob("*.cu")]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        for _, included in includes(path):
            # rooms/equalities.h is made from the list
            for name in rooms if included == "rooms/equalities.h" else [included]:
                todo += [ROOT / top / name for top in ("src", "include", ".") if (ROOT / top / name).exists()]
    return seen


def test_headers_for_devices_are_compiled_for_one():
    """_hd: host and device. Who has that suffix is part of device code that `make gpu-compile` compiles."""
    seen = compiled_for_the_device()
    missing = [path.name for path in (ROOT / "src").rglob("*_hd.h") if path not in seen]
    assert not missing
    listed = (ROOT / "CMakeLists.txt").read_text()
    for path in seen:
        if path.suffix == ".cu":
            assert path.relative_to(ROOT).as_posix() in listed, f"{path.name} is not compiled"
