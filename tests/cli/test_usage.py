"""Wrong usage is refused with the name, the value and what is allowed; slips get a suggestion."""

import json
import re
import shlex

import pytest

from test_cli import ROOT, run

COMMANDS = "info run render view plot recording replay contacts explain design doctor solvers compile convert".split()
COMMANDS += ["schema", "codes"]
DROP = "models/drop.xml"


def refused(*arguments):
    done = run(*arguments)
    assert done.returncode == 2 and not done.stdout, (done.returncode, done.stdout)
    assert max(len(line) for line in done.stderr.splitlines()) < 200, done.stderr
    return done.stderr


# ---- numbers

# command, option, values below, at and above what is allowed
NUMBERS = [
    (["run", DROP], "--steps", ["-5", "-1", "99999999999999999999", "1000000000000001"]),
    (["run", DROP], "--seconds", ["-1", "1e999"]),
    (["run", DROP], "--every", ["0", "-3", "99999999999999999999"]),
    (["run", DROP], "--flight-seconds", ["-1", "1e999"]),
    (["replay", "x.plr"], "--from", ["1e999"]),
    (["replay", "x.plr"], "--to", ["1e999"]),
    (["replay", "x.plr"], "--world", ["-1", "99999999999999999999"]),
    (["contacts", DROP], "--after", ["-0.5", "1e7"]),
    (["render", DROP, "-o", "x.png"], "--samples", ["0", "17"]),
    (["render", DROP, "-o", "x.png"], "--threads", ["-1", "1025"]),
    (["render", DROP, "-o", "x.png"], "--seconds", ["-1", "1e999"]),
    (["render", DROP, "-o", "x.png"], "--fps", ["0", "-1", "1e9"]),
    (["render", DROP, "-o", "x.png"], "--from", ["1e999"]),
    (["render", DROP, "-o", "x.png"], "--to", ["1e999"]),
    (["render", DROP, "-o", "x.png"], "--distance", ["0", "-1"]),
    (["render", DROP, "-o", "x.png"], "--azimuth", ["1e999"]),
    (["render", DROP, "-o", "x.png"], "--elevation", ["1e999"]),
    (["view", DROP], "--seconds", ["-1", "0"]),
    (["view", DROP], "--speed", ["-1", "0"]),
    (["view", DROP], "--fps", ["-1", "0", "1e9"]),
    (["view", DROP], "--port", ["-1", "65536", "99999999999999999999"]),
    (["doctor", DROP], "--seconds", ["-1", "1e7"]),
    (["solvers", DROP], "--after", ["-0.5", "1e7"]),
    (["solvers", DROP], "--curve", ["0", "1001"]),
    (["explain", "models/gripper.xml", "--all"], "--impact", ["0", "-1"]),
    (["design"], "--restitution", ["-0.1"]),
    (["design", "--restitution", "0.5"], "--impact", ["0", "-1"]),
    (["design"], "--max-depth", ["0", "-1"]),
    (["design"], "--stiffness", ["0", "-1"]),
    (["design"], "--damping", ["-1"]),
    (["design", "--restitution", "0.5"], "--mass", ["0", "-1"]),
    (["design"], "--rest-depth", ["0", "-1"]),
    (["design"], "--settle", ["0", "-1"]),
    (["design", "--restitution", "0.5"], "--timestep", ["0", "-1"]),
    (["design", "--restitution", "0.5"], "--substeps", ["0", "-1", "99999999999999999999"]),
    (["design", "--restitution", "0.5"], "--gravity", ["0", "-1"]),
]
MALFORMED = ["x", "1x", "1,5", "0x10", "--", "nan", "inf", "1 2"]


@pytest.mark.parametrize(
    ("command", "option", "values"), NUMBERS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_number_is_checked(command, option, values):
    for value in [*values, *MALFORMED]:
        said = refused(*command, option, value)
        assert option in said, said
        if value != "--":
            assert f"'{value}'" in said and re.search(r"it takes a (whole )?number", said), said


def test_every_option_with_a_number_is_in_the_list():
    listed = {(command[0], option) for command, option, _ in NUMBERS}
    seen = set()
    words = {"N", "S", "V", "E", "D", "K", "B", "M", "T", "DT", "G"}
    for command in COMMANDS:
        for option, value in re.findall(r"^  (--[\w-]+) (\S+)  ", run(command, "--help").stdout, re.M):
            if value in words:
                seen.add((command, option))
    assert seen == listed


def test_whole_numbers_are_whole():
    for value in ("1.5", "1e3"):
        assert f"'{value}' is not a whole number; it takes a whole number from 0 to" in refused(
            "run", DROP, "--steps", value
        )
    assert run("run", DROP, "--steps", "+3").returncode == 0


def test_seconds_that_are_too_many_steps():
    said = refused("run", DROP, "--seconds", "1e300")
    assert "--seconds" in said and "steps" in said


# ---- names


@pytest.mark.parametrize(
    ("word", "meant"), [("rum", "run"), ("expalin", "explain"), ("solver", "solvers"), ("RUN", "run")]
)
def test_unknown_command(word, meant):
    said = refused(word, DROP)
    assert f"there is no command '{word}'; did you mean '{meant}'?" in said and "subcommand is required" not in said


def test_no_command_and_a_file_instead_of_a_command():
    assert "name a command" in refused() and "pliant info models/drop.xml" in refused(DROP)
    assert "did you mean '--version'?" in refused("--versoin")
    for command in COMMANDS:
        assert command in refused()


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["run", DROP, "--stpes", "5"], "--steps"),
        (["run", DROP, "--time"], "--timers"),
        (["info", DROP, "--legder"], "--ledger"),
        (["convert", DROP, "x.xml", "--for-mujcoo"], "--for-mujoco"),
        (["explain", DROP, "--geom", "a", "b"], "--geoms"),
        (["design", "--restitutoin=0.5"], "--restitution"),
    ],
)
def test_misspelt_options(arguments, meant):
    assert f"did you mean '{meant}'?" in refused(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["explain", "models/gripper.xml", "--geoms", "blok", "table"],
            "there is no geom 'blok'; did you mean 'block'?",
        ),
        (["explain", "models/gripper.xml", "--geoms", "99", "table"], "there is no geom '99'; the model has "),
        (["explain", DROP, "--geoms", "ball", "floor"], "there is no geom 'ball'"),
        (
            ["explain", "models/quadruped.xml", "--joint", "FL_kne"],
            "there is no joint 'FL_kne'; did you mean 'FL_knee'?",
        ),
        (["explain", "models/gripper.xml", "--equality", "miror"], "did you mean 'mirror'?"),
        (["explain", "models/mimic_gripper.xml", "--mimic", "indicatr"], "did you mean 'indicator'?"),
        (["run", "models/quadruped.xml", "--key", "stnad"], "there is no keyframe 'stnad'"),
        (["run", DROP, "--key", "7"], "there is no keyframe '7'; the model has none"),
        (["design", "--material", "rubbr"], "--material: there is no 'rubbr'; did you mean 'rubber'?"),
        (["design", "--mode", "sprign"], "--mode: there is no 'sprign'; did you mean 'spring'?"),
        (["design", "--for", "geoms"], "did you mean 'geom'?"),
        (["info", DROP, "--actuators", "efort"], "--actuators: there is no 'efort'; did you mean 'effort'?"),
        (["schema", "goem"], "did you mean 'geom'?"),
    ],
)
def test_misspelt_objects(arguments, message):
    assert message in refused(*arguments)


@pytest.mark.parametrize("command", ["info", "run", "contacts", "doctor", "solvers"])
@pytest.mark.parametrize("name", ["models/dorp.xml", "models/drop.xlm", "model/drop.xml", "models/drop"])
def test_misspelt_files(command, name):
    done = run(command, name)
    assert done.returncode == 2 and "did you mean 'models/drop.xml'?" in (done.stdout + done.stderr)


def test_misspelt_files_of_other_kinds(tmp_path):
    assert run("compile", ROOT / DROP, tmp_path / "drop.plm").returncode == 0
    assert "drop.plm'?" in run("run", "dorp.plm", folder=tmp_path).stderr
    (tmp_path / "control.csv").write_text("1,2\n")
    said = run("run", ROOT / "models" / "gripper.xml", "--ctrl", "contrl.csv", folder=tmp_path).stderr
    assert "contrl.csv: cannot open" in said and "did you mean 'control.csv'?" in said
    (tmp_path / "main.xml").write_text('<mujoco><include file="prat.xml"/></mujoco>')
    (tmp_path / "part.xml").write_text("<mujoco/>")
    assert "did you mean 'part.xml'?" in run("info", "main.xml", folder=tmp_path).stderr


# ---- the parser itself


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "FILE is missing"),
        (["convert", DROP], "OUT is missing"),
        (["run", DROP, "again.xml"], "one argument too many: 'again.xml'"),
        (["run", DROP, "--steps"], "--steps needs N"),
        (["run", DROP, "--key", "--json"], "--key needs KEY, but '--json' follows"),
        (["explain", DROP, "--geoms", "floor"], "--geoms needs A B"),
        (["run", DROP, "--steps", "1", "--steps", "2"], "--steps is given twice"),
        (["run", DROP, "--steps", "1", "--seconds", "2"], "--steps and --seconds exclude each other"),
        (["schema", "--json", "--markdown"], "exclude each other"),
        (["explain", DROP, "--all", "--joint", "x"], "exclude each other"),
        (["info", DROP, "--ledger=yes"], "--ledger takes no value"),
        (["info", DROP, "--cache="], "--cache: the value is empty"),
        (["info", DROP, "-x"], "there is no option '-x'"),
    ],
)
def test_usage(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2 and message in done.stderr


def test_values_with_equals_and_names_that_look_like_options(tmp_path):
    assert "steps      3 " in run("run", DROP, "--steps=3").stdout
    (tmp_path / "-odd.xml").write_bytes((ROOT / DROP).read_bytes())
    assert run("info", "--", "-odd.xml", folder=tmp_path).returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_and_names_every_option(command):
    done = run(command, "--help")
    assert done.returncode == 0 and not done.stderr and run(command, "-h").stdout == done.stdout
    assert done.stdout.splitlines()[2].startswith(f"Usage: pliant {command}")
    # (an example is one line, however long)
    assert max(len(line) for line in done.stdout.splitlines() if "pliant " not in line) <= 100
    assert re.search(r"^Examples?[:,]", done.stdout, re.M)


# ---- what --help shows, works


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_of_help_runs(command, tmp_path):
    # as from the root of the source tree, but with a place to write to
    (tmp_path / "models").symlink_to(ROOT / "models")
    shown = run(command, "--help").stdout
    examples = re.findall(r"^(?:Example:|  ) *pliant (.*)$", shown[shown.find("\nExample") :], re.M)
    assert examples
    for example in examples:
        done = run(*shlex.split(example), folder=tmp_path)
        assert done.returncode == 0, (example, done.stdout, done.stderr)


# ---- codes


def test_codes_keep_their_letter():
    doctor = run("codes", "D201").stdout
    assert doctor.startswith("D201 geoms overlap") and "unknown element" not in doctor
    assert run("codes", "d201").stdout == doctor
    assert run("codes", "E201").stdout.startswith("201  unknown element")
    assert run("codes", "E201").stdout == run("codes", "201").stdout == run("codes", "W201").stdout


def test_every_code_can_be_looked_up():
    loader = re.findall(r"^(\d{3})  ", run("codes").stdout, re.M)
    doctor = re.findall(r"^(D\d{3})  ", run("doctor", "--codes").stdout, re.M)
    assert (
        len(loader) > 60
        and len(doctor) > 20
        and set(doctor) <= set(re.findall(r"^(D\d{3}) ", run("codes").stdout, re.M))
    )
    for code in (*doctor[::7], *loader[::17]):
        assert run("codes", code).stdout.startswith(code)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("X201", "did you mean '201' or 'D201' or 'C201'?"),
        ("D208", "did you mean '208'?"),
        ("D809", "did you mean 'D80"),
        ("20", "did you mean '20"),
        ("nonsense", "'pliant codes' lists all"),
    ],
)
def test_unknown_codes_get_a_suggestion(code, hint):
    said = refused("codes", code)
    assert f"there is no code '{code}'" in said and hint in said


# ---- JSON on every failure


@pytest.mark.parametrize("command", ["info", "run", "contacts", "solvers", "explain", "doctor"])
def test_json_on_a_load_error(command, tmp_path):
    (tmp_path / "bad.xml").write_text('<mujoco>\n  <option gravty="0 0 0"/>\n</mujoco>')
    more = ["--all"] if command == "explain" else []
    done = run(command, "bad.xml", "--json", *more, folder=tmp_path)
    data = json.loads(done.stdout)
    assert done.returncode == 2 and data["file"] == "bad.xml"
    if command == "doctor":
        assert not data["loaded"] and data["findings"][0]["code"] == "E202"
        return
    [finding] = [d for d in data["diagnostics"] if d["severity"] == "error"]
    assert not data["ok"] and (finding["code"], finding["line"], finding["column"]) == ("E202", 2, 11)
    assert finding["hint"] == "did you mean 'gravity'?"


def test_json_of_other_failures():
    for arguments in (
        ["run", DROP, "--key", "up", "--json"],
        ["run", DROP, "--steps", "x", "--json"],
        ["explain", DROP, "--json", "--geoms", "a", "b"],
        ["design", "--json", "--mass", "-1"],
    ):
        done = run(*arguments)
        data = json.loads(done.stdout)
        assert done.returncode == 2 and data["ok"] is False and data["message"] and data["message"] in done.stderr


def test_json_tells_success_and_warnings(tmp_path):
    (tmp_path / "warns.xml").write_text(
        '<mujoco><worldbody><body><freejoint/><geom size="0.1" solimp="-5 7 -1"/></body></worldbody></mujoco>'
    )
    for command in ("run", "contacts", "solvers"):
        data = json.loads(run(command, "warns.xml", "--json", folder=tmp_path).stdout)
        assert data["ok"] and [d["code"] for d in data["diagnostics"]] == ["W601"]


def test_warnings_of_one_kind_are_grouped(tmp_path):
    """Three of each kind and a count; `pliant info` and JSON have them all, and errors are never left out."""
    geoms = "".join(f'<geom name="g{i}" size="0.1" solimp="-5 7 -1"/>' for i in range(9))
    xml = f"<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
    (tmp_path / "many.xml").write_text(xml)
    done = run("run", "many.xml", "--steps", 1, folder=tmp_path)
    assert done.returncode == 0 and done.stderr.count("warning[W601]") == 3
    assert "6 more warnings of the kind W601\n0 errors, 9 warnings; pliant info lists them all" in done.stderr
    assert run("info", "many.xml", folder=tmp_path).stdout.count("warning[W601]") == 9
    data = json.loads(run("run", "many.xml", "--steps", 1, "--json", folder=tmp_path).stdout)
    assert len(data["diagnostics"]) == 9
    (tmp_path / "bad.xml").write_text(xml.replace("solimp", "solipm"))
    assert run("run", "bad.xml", folder=tmp_path).stderr.count("error[E") == 9


# ---- words that are no commands, and arguments that would be ignored


def test_words_that_other_programs_know():
    assert "write pliant --help, or pliant COMMAND --help" in refused("help", "run")
    assert "did you mean '--version'?" in refused("version")


def test_codes_of_the_doctor_take_no_model():
    assert "looks at no model" in refused("doctor", "--codes", DROP)


def test_a_picture_that_is_too_large_says_what_is_allowed():
    assert "each from 1 to 32768" in refused("render", DROP, "-o", "x.png", "--size", "100000x9")
