"""The program `pliant`: exit status, text, JSON and ledger."""

import json
import os
import pathlib
import re
import subprocess

import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))

FINE = (
    '<mujoco model="fine"><worldbody><body name="ball"><freejoint name="root"/>'
    '<geom size="0.1" mass="2"/></body></worldbody></mujoco>'
)
WARNS = '<mujoco><worldbody><geom size="0.1" solimp="-5 7 -1"/></worldbody></mujoco>'
FAILS = '<mujoco>\n  <option timestep="0" gravty="0 0 0"/>\n</mujoco>'
UNSUPPORTED = '<mujoco><worldbody><body name="a"><composite type="cable"/></body></worldbody></mujoco>'


def run(*arguments, folder=ROOT):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=folder)


@pytest.fixture
def file(tmp_path):
    def write(text, name="model.xml"):
        (tmp_path / name).write_text(text)
        return name

    write.folder = tmp_path
    return write


def info(file, text, *options):
    return run("info", file(text), *options, folder=file.folder)


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout.strip()) == (0, pliant.__version__)


@pytest.mark.parametrize("arguments", [["--help"], ["info", "--help"], ["schema", "--help"], ["codes", "--help"]])
def test_help(arguments):
    done = run(*arguments)
    assert done.returncode == 0 and "Usage: pliant" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["info"], ["info", "a.xml", "--nonsense"]])
def test_wrong_usage(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr and not done.stdout


def test_info(file):
    done = info(file, FINE)
    assert done.returncode == 0 and not done.stderr
    sizes = dict(re.findall(r"^ +(n\w+) +(-?\d+)", done.stdout, re.M))
    assert sizes["nbody"] == "2" and sizes["nv"] == "6" and sizes["nu"] == "0"
    assert re.search(r"^model +fine$", done.stdout, re.M)
    assert re.search(r"^    ball  2 kg  free root$", done.stdout, re.M)
    assert "total mass 2 kg" in done.stdout and "findings: none" in done.stdout


@pytest.mark.parametrize("integrator", ["RK4", "implicit", "implicitfast", "discrete"])
def test_info_names_options(file, integrator):
    """Every integrator and every flag that differs from its default has its name."""
    flags = 'speculative="enable" speculative_exact="enable" diagexact="enable" refsafe="disable"'
    done = info(file, f'<mujoco><option integrator="{integrator}"><flag {flags}/></option></mujoco>')
    assert done.returncode == 0
    for name, value in (("integrator", integrator), ("flag speculative", "enable"), ("flag refsafe", "disable"),
                        ("flag speculative_exact", "enable"), ("flag diagexact", "enable")):  # fmt: skip
        assert re.search(rf"{name} *=? *{value}", done.stdout), done.stdout


@pytest.mark.parametrize("scene", sorted((ROOT / "models").glob("*.xml")), ids=lambda path: path.stem)
def test_our_own_scenes_load_without_a_warning(scene):
    done = run("info", scene, "--strict")
    assert done.returncode == 0, done.stdout + done.stderr


def test_warnings(file):
    done = info(file, WARNS)
    assert done.returncode == 0 and "model.xml:1:45: warning[W601]" in done.stdout
    assert info(file, WARNS, "--strict").returncode == 1
    assert info(file, FINE, "--strict").returncode == 0


def test_errors_go_to_standard_error(file):
    done = info(file, FAILS)
    assert done.returncode == 2 and not done.stdout
    lines = done.stderr.splitlines()
    assert lines[0].startswith("model.xml:2:21: error[E401]")
    assert lines[1].startswith("model.xml:2:24: error[E202]")
    assert lines[2] == "  hint: did you mean 'gravity'?"
    assert lines[-1] == "2 errors, 0 warnings"
    assert info(file, FAILS, "--strict").returncode == 2


def test_missing_file():
    done = run("info", "no/such/file.xml")
    assert done.returncode == 2 and "E101" in done.stderr


def test_json(file):
    done = info(file, FINE, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["ok"] and data["name"] == "fine"
    assert data["sizes"]["nbody"] == 2 and data["total_mass"] == 2
    ball = data["bodies"][1]
    assert ball["name"] == "ball" and ball["joints"][0]["type"] == "free"
    assert data["diagnostics"] == [] and "entries" not in data["ledger"]
    assert data["ledger"]["counts"]["kept"] == 5


def test_json_of_errors(file):
    done = info(file, FAILS, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 2 and not data["ok"] and not done.stderr
    assert [(d["code"], d["line"], d["column"]) for d in data["diagnostics"]] == [
        ("E401", 2, 21),
        ("E202", 2, 24),
    ]


def test_json_survives_odd_text(file):
    text = FINE.replace('model="fine"', 'model="a&quot;b\\ä&#9;"')
    assert json.loads(info(file, text, "--json").stdout)["name"] == 'a"b\\ä\t'


def test_ledger(file):
    done = info(file, FINE, "--ledger")
    kept = re.findall(r"^ +kept +model\.xml:1:\d+ +<(\w+)> (\w+)=", done.stdout, re.M)
    assert sorted(kept) == sorted(
        [
            ("mujoco", "model"),
            ("body", "name"),
            ("freejoint", "name"),
            ("geom", "size"),
            ("geom", "mass"),
        ]
    )
    assert "attributes: 5 kept, 0 approximated, 0 ignored, 0 unsupported" in done.stdout
    data = json.loads(info(file, FINE, "--ledger", "--json").stdout)
    assert len(data["ledger"]["entries"]) == 5


def test_ledger_counts_add_up():
    path = ROOT / "models" / "quadruped.xml"
    data = json.loads(run("info", path, "--ledger", "--json").stdout)
    entries = data["ledger"]["entries"]
    assert sum(data["ledger"]["counts"].values()) == len(entries) == len(pliant.load(path).ledger)


def test_allow_unsupported(file):
    assert info(file, UNSUPPORTED).returncode == 2
    done = info(file, UNSUPPORTED, "--allow-unsupported")
    assert done.returncode == 0 and "warning[W501]" in done.stdout
    assert info(file, UNSUPPORTED, "--allow-unsupported", "--strict").returncode == 1


def test_schema():
    elements = json.loads(run("schema", "--json").stdout)["elements"]
    ids = [element["id"] for element in elements]
    assert len(ids) == len(set(ids)) and "geom" in ids
    page = run("schema", "exclude").stdout
    assert page.startswith("## `<exclude>`") and "body1" in page
    assert run("schema", "nonsense").returncode == 2


def test_codes():
    assert run("codes", "E202").stdout.startswith("202  unknown attribute")
    assert run("codes", "w601").stdout.startswith("601 ")
    assert run("codes", "999").returncode == 2
    assert len(re.findall(r"^\d{3}  ", run("codes").stdout, re.M)) == len(pliant.code_table())
