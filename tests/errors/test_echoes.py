"""One mistake, one error: what only follows from another error is not listed; what stands for itself is."""

import pytest

import pliant

HEAD = "<mujoco><default><default class='ball'><geom size='0.1'/></default></default><asset>{asset}</asset><worldbody>"
TAIL = "</worldbody>{rest}</mujoco>"


def errors(body, asset="", rest=""):
    with pytest.raises(pliant.LoadError) as refused:
        pliant.load_string(HEAD.format(asset=asset) + body + TAIL.format(rest=rest))
    texts = [d.text for d in refused.value.diagnostics if d.severity == "error"]
    return [text.split("error[")[1][:4] for text in texts]


# (what, codes that stay, body, asset, rest)
ONE_MISTAKE = [
    ("typo in an attribute", ["E202"], "<body><freejoint/><geom type='box' sze='1 1 1'/></body>", "", ""),
    ("bad number", ["E208"], "<body><freejoint/><geom size='0.1q'/></body>", "", ""),
    ("unknown element", ["E201"], "<body><freejoint/><geomm size='0.1'/></body>", "", ""),
    (
        "missing mesh",
        ["E414"],
        "<body><freejoint/><geom type='mesh' mesh='m'/></body>",
        "<mesh name='m' file='no.stl'/>",
        "",
    ),
    ("in a welded part", ["E208"], "<body><freejoint/><body><geom size='0.1q'/></body></body>", "", ""),
    ("unknown class", ["E303"], "<body><freejoint/><geom class='bal'/></body>", "", ""),
    ("unknown childclass", ["E303"], "<body childclass='bal'><freejoint/><geom/></body>", "", ""),
    ("sizes missing", ["E403"], "<body><freejoint/><geom type='box'/></body>", "", ""),
    (
        "lost name",
        ["E202"],
        "<body><joint nam='j'/><geom size='.1'/></body>",
        "",
        "<actuator><motor joint='j'/></actuator>",
    ),
    (
        "lost element",
        ["E201"],
        "<body><jint name='j'/><geom size='.1'/></body>",
        "",
        "<actuator><motor joint='j'/></actuator>",
    ),
    (
        "lost target",
        ["E202"],
        "<body><joint name='j'/><geom size='.1'/></body>",
        "",
        "<actuator><motor jiont='j'/></actuator>",
    ),
    ("range", ["E208"], "<body><joint limited='true' range='1q 2'/><geom size='.1'/></body>", "", ""),
    ("keyframe", ["E201"], "<body><jint/><geom size='.1'/></body>", "", "<keyframe><key qpos='1'/></keyframe>"),
]


@pytest.mark.parametrize("what, codes, body, asset, rest", ONE_MISTAKE, ids=[case[0] for case in ONE_MISTAKE])
def test_one_mistake_is_one_error(what, codes, body, asset, rest):
    assert errors(body, asset, rest) == codes


# two mistakes that have nothing to do with each other
TWO_MISTAKES = [
    ("another body", ["E404", "E208"], "<body><freejoint/></body><body><freejoint/><geom size='0.1q'/></body>", "", ""),
    ("a joint is no mass", ["E404", "E202"], "<body><joint dampng='1'/></body>", "", ""),
    ("friction is no size", ["E403", "E202"], "<body><freejoint/><geom type='box' frcition='1'/></body>", "", ""),
    ("a size of its own", ["E303", "E403"], "<body><freejoint/><geom class='bal' type='box' size='1'/></body>", "", ""),
    (
        "another name",
        ["E202", "E302"],
        "<body><joint nam='j'/><geom size='.1'/></body>",
        "",
        "<actuator><motor joint='k'/></actuator>",
    ),
    (
        "a mesh that this body does not have",
        ["E414", "E404"],
        "<geom type='mesh' mesh='m'/><body><freejoint/></body>",
        "<mesh name='m' file='no.stl'/>",
        "",
    ),
    (
        "a keyframe is too long",
        ["E208", "E413"],
        "<body><joint damping='q'/><geom size='.1'/></body>",
        "",
        "<keyframe><key qpos='1 2'/></keyframe>",
    ),
]


@pytest.mark.parametrize("what, codes, body, asset, rest", TWO_MISTAKES, ids=[case[0] for case in TWO_MISTAKES])
def test_two_mistakes_are_two_errors(what, codes, body, asset, rest):
    assert sorted(errors(body, asset, rest)) == sorted(codes)


DEFAULTS = """<mujoco><default>{top}<default class='a'><geom siez='0.1'/><default class='b'/></default>
<default class='c'/></default><worldbody><body><freejoint/><geom size='.1'/>{geom}</body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    "geom, top, codes",
    [
        ("<geom class='a'/>", "", ["E202"]),
        ("<geom class='b'/>", "", ["E202"]),
        ("<body childclass='b'><geom/></body>", "", ["E202"]),
        # neither its class nor one around that has the mistake
        ("<geom class='c'/>", "", ["E202", "E403"]),
        ("<geom/>", "", ["E202", "E403"]),
        ("<body childclass='a'><geom class='c'/></body>", "", ["E202", "E403"]),
        ("<geom class='c'/>", "<geom siez='1'/>", ["E202", "E202"]),
    ],
)
def test_an_error_in_a_default_hides_only_what_takes_from_it(geom, top, codes):
    with pytest.raises(pliant.LoadError) as refused:
        pliant.load_string(DEFAULTS.format(geom=geom, top=top))
    texts = [d.text for d in refused.value.diagnostics if d.severity == "error"]
    assert sorted(text.split("error[")[1][:4] for text in texts) == codes
