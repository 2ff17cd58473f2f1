"""`cmake --install` leaves a package that programs outside the tree can use: CMake, pkg-config, C and C++."""

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
MODEL, GEOMS = ROOT / "models" / "cushion.xml", ["pad", "ball"]


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def version():
    return re.search(r'kVersion = "([\d.]+)"', (ROOT / "include" / "pliant" / "version.h").read_text())[1]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """An installed Pliant, moved to another folder afterwards: nothing in it may know where it was."""
    first = tmp_path_factory.mktemp("installed") / "first"
    run("cmake", "--install", BUILD, "--prefix", first)
    moved = first.parent / "moved"
    first.rename(moved)
    return moved


@pytest.fixture(scope="module")
def outside(prefix):
    """The example project, copied out of the tree and built."""
    project = prefix.parent / "project"
    shutil.copytree(ROOT / "examples" / "outside", project)
    build = prefix.parent / "build"
    run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    return build


def test_the_package_is_whole(prefix):
    short = ".".join(version().split(".")[:2])
    libraries = {path.name for path in (prefix / "lib").glob("libpliant*")}
    assert libraries == {"libpliant.a", "libpliant.so", f"libpliant.so.{short}", f"libpliant.so.{version()}"}
    assert run(prefix / "bin" / "pliant", "--version").strip() == version()
    installed = {path.name for path in (prefix / "include" / "pliant").iterdir()}
    assert installed == {path.name for path in (ROOT / "include" / "pliant").iterdir()}
    assert not (prefix / "pliant").exists(), "the Python package is for wheels"


def test_no_file_knows_the_source_tree(prefix):
    for path in [*prefix.rglob("*.cmake"), *prefix.rglob("*.pc")]:
        assert str(ROOT) not in path.read_text(), path


def test_cpp_and_c_do_the_same(outside):
    cpp = run(outside / "bounce", MODEL, *GEOMS)
    c = run(outside / "bounce_c", MODEL, *GEOMS)
    assert "predicted: depth at rest" in cpp and "ball" in c
    # the same state, bit for bit, from the static library and the shared one
    assert re.search(r"state \w{16}", cpp)[0] == re.search(r"state \w{16}", c)[0]


def test_errors_have_their_place(outside, tmp_path):
    wrong = tmp_path / "wrong.xml"
    wrong.write_text('<mujoco>\n  <worldbody><geom frcition="1" size="1"/></worldbody>\n</mujoco>\n')
    for program in ("bounce", "bounce_c"):
        done = subprocess.run([outside / program, wrong, "a", "b"], capture_output=True, text=True)
        assert done.returncode == 1
        assert "wrong.xml:2:" in done.stderr and "friction" in done.stderr


@pytest.mark.skipif(not shutil.which("pkg-config"), reason="there is no pkg-config")
@pytest.mark.parametrize("kind", ["shared", "static"])
def test_pkg_config(prefix, tmp_path, kind):
    environment = {"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    ask = ["pkg-config", "--cflags", "--libs", "pliant"] + (["--static"] if kind == "static" else [])
    flags = run(*ask, env=environment).split()
    assert run("pkg-config", "--modversion", "pliant", env=environment).strip() == version()
    if kind == "static":
        flags = [f"{prefix}/lib/libpliant.a" if flag == "-lpliant" else flag for flag in flags]
    program = tmp_path / "bounce_c"
    run("cc", "-std=c11", ROOT / "examples" / "outside" / "bounce.c", "-o", program, *flags)
    out = run(program, MODEL, *GEOMS, env={"LD_LIBRARY_PATH": str(prefix / "lib")})
    assert re.search(r"state \w{16}", out)


def test_another_minor_version_is_refused(prefix, tmp_path):
    """Before 1.0 every minor version may break programs: find_package says so instead of the compiler."""
    major, minor, _ = map(int, version().split("."))
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(x LANGUAGES CXX)\n"
        f"find_package(pliant {major}.{minor + 1} REQUIRED)\n"
    )
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and version() in done.stderr


def test_one_header_is_all_of_it():
    folder = ROOT / "include" / "pliant"
    included = set(re.findall(r'#include "pliant/(\w+\.h)"', (folder / "pliant.h").read_text()))
    assert included == {path.name for path in folder.glob("*.h")} - {"pliant.h", "pliant_c.h"}


def test_the_version_has_one_place():
    """CMake and scikit-build-core read it from version.h; nobody writes it a second time."""
    assert "VERSION ${pliant_version}" in (ROOT / "CMakeLists.txt").read_text()
    assert 'input = "include/pliant/version.h"' in (ROOT / "pyproject.toml").read_text()
    assert re.search(rf"^## {re.escape(version())}(, |$)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
