"""Bad input: every finding about the files in cases/ is compared, word for word, with golden/.

golden_files.py says how to rewrite them. Files in cases/parts are included by others and are no cases of their own.
"""

import pathlib

import pytest

import golden_files
import pliant

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
GOLDEN = HERE / "golden"


@pytest.fixture(autouse=True)
def in_cases(monkeypatch):
    # paths in the findings are then relative
    monkeypatch.chdir(CASES)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.glob("*.xml")))
def test_golden(case):
    golden_files.compare(case, GOLDEN)


def test_no_stray_golden_files():
    assert {path.stem for path in GOLDEN.iterdir()} == {path.stem for path in CASES.glob("*.xml")}


def test_missing_file():
    text, _ = golden_files.outcome("no_such_file.xml")
    assert text.startswith("no_such_file.xml: error[E101]")


def test_folder():
    text, _ = golden_files.outcome("parts")
    assert text.startswith("parts: error[E102]")


def refusal(xml, **options):
    with pytest.raises(pliant.LoadError) as error:
        pliant.load_string(xml, **options)
    return error.value.diagnostics


@pytest.mark.parametrize("depth", [1500, 100_000])
@pytest.mark.parametrize("tag", ["body", "frame", "default", "unknown"])
def test_deep_nesting(tag, depth):
    opening = f'<{tag} class="c">' if tag == "default" else f"<{tag}>"
    content = opening * depth + f"</{tag}>" * depth
    if tag != "default":
        content = f"<worldbody>{content}</worldbody>"
    codes = {finding.code for finding in refusal(f"<mujoco>{content}</mujoco>")}
    assert "E107" in codes


def test_bodies_may_nest_a_few_hundred_deep():
    depth = 300
    body = '<body><joint/><geom size="0.1"/>' * depth + "</body>" * depth
    assert pliant.load_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>").nv == depth


def test_many_attributes_and_long_values():
    names = " ".join(f'a{i}="1"' for i in range(2000))
    findings = refusal(f"<mujoco><option {names}/></mujoco>")
    assert sum(finding.code == "E202" for finding in findings) == 2000
    findings = refusal(f'<mujoco><option timestep="{"9" * 100_000}"/></mujoco>')
    assert findings[0].code == "E209" and len(findings[0].text) < 300


# What the reference accepts without a word; Pliant names each.
SILENT_IN_THE_REFERENCE = {
    '<option timestep="nan"/>': "E209",
    '<option timestep="0"/>': "E401",
    '<option timestep="-0.01"/>': "E401",
    '<worldbody><geom size="1" solref="0 0"/></worldbody>': "W602",
    '<worldbody><geom size="1" solimp="-5 7 -1"/></worldbody>': "W601",
    '<worldbody><geom size="1" mass="nan"/></worldbody>': "E209",
    '<worldbody><geom size="1" friction="-1"/></worldbody>': "W603",
    '<option impratio="-1"/>': "E419",
}


@pytest.mark.parametrize("xml", SILENT_IN_THE_REFERENCE, ids=lambda xml: xml.strip("<>/")[:60])
def test_named_where_the_reference_is_silent(xml):
    code = SILENT_IN_THE_REFERENCE[xml]
    document = f"<mujoco>{xml}</mujoco>"
    if code.startswith("E"):
        assert code in {finding.code for finding in refusal(document)}
    else:
        assert code in {finding.code for finding in pliant.load_string(document).diagnostics}


def test_every_code_is_explained():
    """Codes seen in the golden files are in the table, and the table is in order."""
    table = [number for number, title, meaning in pliant.code_table() if title and meaning]
    assert table == sorted(table) and len(table) == len(set(table))
    seen = set()
    for path in GOLDEN.iterdir():
        for part in path.read_text(encoding="utf-8").split("[")[1:]:
            code = part.split("]")[0]
            if len(code) == 4 and code[0] in "EW" and code[1:].isdigit():
                seen.add(int(code[1:]))
    assert seen <= set(table)
    assert len(seen) >= 45


def test_allow_unsupported_turns_errors_into_warnings():
    xml = (CASES / "unsupported_elements.xml").read_text()
    errors = refusal(xml)
    model = pliant.load_string(xml, allow_unsupported=True)
    assert [w.line for w in model.diagnostics] == [e.line for e in errors]
    assert {w.code for w in model.diagnostics} == {"W501"}


# One problem per stage: XML, schema, numbers, names, files, compilation.
PROBLEMS = {
    '<option timestep="fast"/>': "E208",
    '<option gravitty="0 0 0"/>': "E202",
    "<optoin/>": "E201",
    '<asset><mesh name="m1" file="meshes/truncated.stl"/></asset>': "E414",
    '<asset><mesh name="m2" vertex="0 0 0 1 0 0 0 1 0 nan 0 1"/></asset>': "E209",
    '<asset><hfield name="h" size="1 1 1 1" file="meshes/short.bin"/></asset>': "E414",
    '<worldbody><geom type="mesh" mesh="nobody"/></worldbody>': "E302",
    '<worldbody><geom size="0"/></worldbody>': "E403",
    "<worldbody><body><joint/></body></worldbody>": "E404",
    '<worldbody><attach model="nobody" prefix="x"/></worldbody>': "E302",
    '<sensor><gyro site="nobody"/></sensor>': "E302",
    '<keyframe><key qpos="1 2 3 4 5 6 7 8"/></keyframe>': "E413",
    '<include file="nowhere.xml"/>': "E109",
}
SOUND = '<worldbody><body><freejoint/><geom size="1"/></body></worldbody>'


@pytest.mark.parametrize("xml", PROBLEMS, ids=lambda xml: xml.strip("<>/")[:60])
def test_a_file_is_never_half_loaded(xml):
    """One problem anywhere, and there is no model; not even what has nothing to do with it."""
    assert pliant.load_string(f"<mujoco>{SOUND}</mujoco>").nbody == 2
    for document in (f"<mujoco>{SOUND}{xml}</mujoco>", f"<mujoco>{xml}{SOUND}</mujoco>"):
        assert PROBLEMS[xml] in {finding.code for finding in refusal(document)}


def test_all_problems_at_once():
    """Problems of different stages do not hide each other."""
    xml = [x for x in PROBLEMS if "qpos" not in x]  # what a keyframe must fit depends on the rest
    findings = refusal(f"<mujoco>{SOUND}\n" + "\n".join(xml) + "\n</mujoco>")
    found = {(finding.line, finding.code) for finding in findings}
    assert {(line, PROBLEMS[x]) for line, x in enumerate(xml, start=2)} <= found
