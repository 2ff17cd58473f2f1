"""Contacts equal the reference's: which pairs, how many, how deep, in which order, with which parameters.

Along trajectories of the reference for whole models; for single rules in small documents; for random mixtures of all
rules. Positions are the reference's, so a difference is one of collision.
"""

import copy
import itertools
import os
import pathlib
import pickle
import warnings

import mujoco
import numpy as np
import pytest

import conftest
import contacts
import pliant
import pliant.mujoco
from pliant import _pliant

SHARE = 0.995  # of states that agree, up to rounding of the reference where two directions are equally deep
RIGHT = 0.998  # of states that agree or in which the reference is proven wrong
ROOT = pathlib.Path(__file__).resolve().parents[2]
# A dozen models with many kinds of pairs; `make test-full` takes all.
FEW = """
    menagerie/shadow_hand/scene_right.xml menagerie/wonik_allegro/scene_right.xml
    menagerie/google_barkour_vb/scene.xml menagerie/agility_cassie/scene.xml menagerie/robotiq_2f85/scene.xml
    mujoco/humanoid/humanoid.xml mujoco/humanoid/22_humanoids.xml mujoco/cube/cube_3x3x3.xml mujoco/car/car.xml
""".split()


def check(result):
    assert result.order == []
    assert result.parameters == []
    for which in ("primitive", "mesh"):
        assert result.equal(which) >= SHARE, contacts.table(result)
        assert result.right(which) >= RIGHT, contacts.table(result)


def few_models(which):
    if which == "own":
        return conftest.own_models()
    folder = os.environ.get("PLIANT_MODELS")
    if not folder:
        pytest.skip("PLIANT_MODELS is not set")
    found = [pathlib.Path(folder) / name for name in FEW if (pathlib.Path(folder) / name).exists()]
    if not found:
        pytest.skip("PLIANT_MODELS has none of the few")
    if len(found) < len(FEW):
        warnings.warn(f"{len(FEW) - len(found)} of {len(FEW)} models are not in PLIANT_MODELS", stacklevel=2)
    return found


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("which", ["own", "others"])
def test_trajectories_of_a_few_models(which, whole):
    """From poses of geoms; and from joint positions, for primitive geoms only: see contacts.py."""
    paths = few_models(which)
    total = contacts.Result()
    for path in paths:
        pair, reason = contacts.load_pair(path)
        assert pair, f"{path.name}: {reason}"
        total.add(contacts.along_trajectory(*pair, steps=150, every=10, name=path.name, whole=whole))
    print(contacts.table(total))
    assert total.states == 15 * len(paths) and sum(kind.pairs for kind in total.kinds.values()) > 1000
    if whole:
        total.seen["mesh"] = 0
    check(total)


@pytest.mark.slow
@pytest.mark.alone  # side by side every process would have the shares of some models
def test_trajectories(model_path, model_name, contact_total):
    pair, reason = contacts.load_pair(model_path)
    if pair is None:
        pytest.skip(reason)
    result = contacts.along_trajectory(*pair, steps=500, every=5, name=model_name)
    # Shares are of models that people have: cases of the loader put geoms in the same place.
    if "parity/cases" not in pathlib.Path(model_path).as_posix():
        contact_total.add(result)
    assert result.order == []
    assert result.parameters == []


@pytest.fixture(scope="module")
def contact_total():
    """All models together: shares are a claim about all of them."""
    total = contacts.Result()
    yield total
    print("\n" + contacts.remainder_table(total) + "\n" + contacts.table(total))
    if total.states > 1000:
        check(total)


# ---- nativeccd off -------------------------------------------------------------------------------

SHAPES = {
    "hfield": 'hfield="h"',
    "sphere": 'size=".1"',
    "capsule": 'size=".05 .1"',
    "ellipsoid": 'size=".1 .07 .05"',
    "cylinder": 'size=".08 .1"',
    "box": 'size=".1 .08 .06"',
    "mesh": 'mesh="m"',
}
CONVEX_PAIRS = [
    (first, second)
    for first, second in itertools.combinations_with_replacement(SHAPES, 2)
    if second != "hfield" and (first, second) != ("capsule", "box")  # improved on purpose
]


@pytest.mark.parametrize("margin,multiccd", [(0, "enable"), (0, "disable"), (0.01, "enable")])
@pytest.mark.parametrize("first,second", CONVEX_PAIRS)
def test_pairs_with_nativeccd_off(first, second, margin, multiccd):
    """The search by portals is the reference's: as many points, dist, pos and normal to 1e-9."""
    if first == "hfield" and margin:
        pytest.skip("distances of height fields with a margin are true ones: a known difference")
    rng = np.random.default_rng([len(first), len(second)])
    points = " ".join(f"{x:.4f}" for x in (rng.normal(size=(40, 3)) / 8).ravel())
    heights = " ".join(f"{x:.3f}" for x in rng.uniform(size=49))
    free = "" if first == "hfield" else "<freejoint/>"
    xml = f"""<mujoco><option><flag nativeccd="disable" multiccd="{multiccd}"/></option><asset>
      <mesh name="m" vertex="{points}"/>
      <hfield name="h" nrow="7" ncol="7" size=".5 .5 .1 .1" elevation="{heights}"/></asset>
      <default><geom margin="{margin}"/></default><worldbody>
      <body>{free}<geom type="{first}" {SHAPES[first]}/></body>
      <body><freejoint/><geom type="{second}" {SHAPES[second]}/></body></worldbody></mujoco>"""
    reference, model = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    data, state, ours = mujoco.MjData(reference), _pliant.State(model), _pliant.Data(model)
    touching = 0
    for _ in range(60):
        for at in range(0, reference.nq, 7):
            spread = 0.15 if first == "hfield" else 0.05
            data.qpos[at : at + 7] = np.concatenate([rng.normal(size=3) * spread, rng.normal(size=4)])
            data.qpos[at + 3 : at + 7] /= np.linalg.norm(data.qpos[at + 3 : at + 7])
        state.qpos[:] = data.qpos
        mujoco.mj_forward(reference, data)
        mine = contacts.our_contacts(model, state, ours, data)
        assert len(mine) == data.ncon
        touching += data.ncon > 0
        np.testing.assert_allclose(mine["dist"], data.contact.dist, rtol=0, atol=1e-9)
        np.testing.assert_allclose(mine["pos"], data.contact.pos, rtol=0, atol=1e-9)
        normals = mine["frame"].reshape(-1, 9)[:, :3]
        np.testing.assert_allclose(normals, data.contact.frame[:, :3], rtol=0, atol=1e-9)
    assert touching > 20


# ---- single rules --------------------------------------------------------------------------------


def both(xml, change=None, steps=0):
    """Contacts of the reference and of Pliant for a document."""
    reference = mujoco.MjModel.from_xml_string(xml)
    model = pliant.mujoco.MjModel.from_xml_string(xml)
    for m in (reference, model):
        if change:
            change(m)
    data, state, ours = mujoco.MjData(reference), _pliant.State(model), _pliant.Data(model)
    for _ in range(steps):
        mujoco.mj_step(reference, data)
    state.qpos[:] = data.qpos
    mujoco.mj_kinematics(reference, data)
    mujoco.mj_comPos(reference, data)
    mujoco.mj_collision(reference, data)
    return reference, data.contact, contacts.our_contacts(model, state, ours)


def agree(xml, expected=None, change=None):
    reference, theirs, mine = both(xml, change)
    result = contacts.Result()
    contacts.compare_state(reference, theirs, mine, "", result)
    assert result.share("primitive") == 1, contacts.table(result)
    assert result.order == [] and result.parameters == []
    if expected is not None:
        assert len(mine) == expected
    return mine


LYING = """<mujoco><option><flag multiccd="enable"/></option><worldbody>
  <body><freejoint/><geom type="{0}" size=".08 .15 .1" margin="{2}"/></body>
  <body><freejoint/><geom type="{1}" size=".12 .1 .07" margin="{2}"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("margin", [0, 0.01])
@pytest.mark.parametrize("types", [("cylinder", "box"), ("cylinder", "cylinder"), ("capsule", "cylinder")])
def test_edges_along_faces(types, margin):
    """Shapes turned by quarters, mostly deep in each other: as many points as in the reference."""
    xml = LYING.format(*types, margin)
    reference, model = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    data, state, ours = mujoco.MjData(reference), _pliant.State(model), _pliant.Data(model)
    rng = np.random.default_rng(7)
    quarter = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]) / np.sqrt([[1], [2], [2], [2]])
    several = 0
    for k in range(150):
        yaw = rng.uniform(0, np.pi) if k % 2 else 0.0
        for body in (0, 1):
            quat = np.zeros(4)
            mujoco.mju_mulQuat(quat, np.array([np.cos(yaw), 0, 0, np.sin(yaw)]), quarter[rng.integers(4)])
            data.qpos[7 * body + 3 : 7 * body + 7] = quat
        way = 0.3 * rng.normal(size=3) + 2 * np.eye(3)[rng.integers(3)]
        data.qpos[7:10] = rng.uniform(0.1, 0.3) * way / np.linalg.norm(way)
        mujoco.mj_kinematics(reference, data)
        mujoco.mj_comPos(reference, data)
        mujoco.mj_collision(reference, data)
        state.qpos[:] = data.qpos
        mine = contacts.our_contacts(model, state, ours, data)
        several += len(mine) > 1
        assert len(mine) == data.ncon, (k, data.contact.pos, mine["pos"])
    assert several > 15


BALL = '<body pos="{0} 0 {1}"><freejoint/><geom size=".1" {2}/></body>'


def scene(*parts, rest="", option=""):
    return f"<mujoco>{option}<worldbody>{''.join(parts)}</worldbody>{rest}</mujoco>"


FLOOR = '<geom type="plane" size="1 1 1" {}/>'


@pytest.mark.parametrize(
    "bits1, bits2", [*itertools.product(itertools.product((0, 1, 2), (0, 1, 3)), itertools.product((1, 2), (0, 2)))]
)
def test_bits(bits1, bits2):
    a, b = (f'contype="{t}" conaffinity="{a}"' for t, a in (bits1, bits2))
    agree(scene(FLOOR.format(a), BALL.format(0, 0.05, b), BALL.format(0.1, 0.05, a)))


CHAIN = """
    <body name="a" pos="0 0 .05"><joint axis="0 1 0"/><geom size=".1"/>
      <body name="b" pos=".05 0 0"><geom size=".1"/>
        <body name="c" pos=".05 0 0"><joint axis="0 0 1"/><geom size=".1"/>
          <body name="d" pos=".05 0 0"><joint axis="1 0 0"/><geom size=".1"/></body></body></body></body>
    <body name="e" pos="0 0 .1"><geom size=".1"/></body>
"""


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_welds_and_parents(flag):
    agree(scene(FLOOR.format(""), CHAIN, option=f'<option><flag filterparent="{flag}"/></option>'))


@pytest.mark.parametrize("pair", [("a", "d"), ("d", "a"), ("b", "d"), ("world", "c"), ("e", "c")])
def test_exclude(pair):
    rest = f'<contact><exclude body1="{pair[0]}" body2="{pair[1]}"/></contact>'
    agree(scene(FLOOR.format(""), CHAIN, rest=rest))


PAIRS = """<contact>
    <pair geom1="f" geom2="y" friction="0.5" condim="4" margin="0.01" gap="0.02" solref="0.1 1"/>
    <pair geom1="x" geom2="y" solreffriction="0.3 1" solimp="0.5 0.6 0.1 0.2 3"/>
    <pair geom1="x" geom2="f" friction="0 0 0 0 0"/>
    <pair geom1="w" geom2="x" condim="1"/>
</contact>"""


@pytest.mark.parametrize("contype", [0, 1])
def test_explicit_pairs(contype):
    bits = f'contype="{contype}"'
    xml = scene(
        FLOOR.format(f'name="f" {bits}'),
        f'<geom name="w" size=".1" pos=".1 0 0" {bits}/>',
        BALL.format(0, 0.05, f'name="x" {bits}'),
        BALL.format(0.15, 0.11, f'name="y" {bits}'),
        rest=PAIRS,
    )
    agree(xml)


def test_same_body_by_explicit_pair():
    two = '<body pos="0 0 1"><freejoint/><geom name="p" size=".1"/><geom name="q" size=".1" pos=".1 0 0"/></body>'
    agree(scene(two, rest='<contact><pair geom1="p" geom2="q"/></contact>'), expected=1)


@pytest.mark.parametrize("flag", ["contact", "constraint", "midphase", "multiccd"])
def test_disable_flags(flag):
    box = (
        '<body pos="0 0 .08" euler="10 20 30"><freejoint/><geom type="box" size=".1 .1 .1"/>'
        '<geom size=".1" pos=".2 0 0"/></body>'
    )
    agree(scene(FLOOR.format(""), box, box.replace(".08", ".2"), option=f'<option><flag {flag}="disable"/></option>'))


def test_override():
    option = """<option o_margin="0.03" o_solref="0.2 0.7" o_solimp="0.1 0.2 0.3 0.4 5" o_friction="0 0.2 0.3 0.4 0.5">
                <flag override="enable"/></option>"""
    agree(scene(FLOOR.format('margin="0.5"'), BALL.format(0, 0.12, ""), BALL.format(0.21, 0.12, ""), option=option))


def test_bits_are_read_in_every_step():
    def change(m):
        m.geom_contype[1] = 0
        m.geom_conaffinity[1] = 0

    xml = scene(FLOOR.format(""), BALL.format(0, 0.05, ""), BALL.format(0.1, 0.05, ""))
    agree(xml, expected=3)
    agree(xml, change=change, expected=1)


# ---- all rules at once ---------------------------------------------------------------------------


def random_document(rng):
    # deep capsules in boxes differ on purpose (see the known differences), so they do not meet here
    kinds = [["sphere", "capsule"], ["sphere", "box"]][rng.integers(0, 2)]

    def numbers(low, high, n):
        return " ".join(f"{x:.4g}" for x in rng.uniform(low, high, n))

    def geom(name):
        kind = rng.choice(kinds)
        text = f'<geom name="{name}" type="{kind}" size="{numbers(0.05, 0.15, 3)}" pos="{numbers(-0.1, 0.1, 3)}"'
        text += f' euler="{numbers(0, 360, 3)}" contype="{rng.integers(0, 4)}" conaffinity="{rng.integers(0, 4)}"'
        text += f' priority="{rng.integers(0, 2)}" condim="{rng.choice([1, 3, 4, 6])}"'
        text += f' solmix="{rng.choice([0, 1, 2.5])}" friction="{numbers(0, 1, 3)}"'
        text += f' margin="{rng.choice([0, 0.02])}" gap="{rng.choice([0, 0.05])}" solimp="{numbers(0.1, 0.9, 3)}"'
        text += ' solref="-500 -10"' if rng.random() < 0.2 else f' solref="{numbers(0.01, 0.1, 2)}"'
        return text + (f' adhesion="{rng.uniform():.2f}"/>' if rng.random() < 0.2 else "/>")

    names, bodies, parts = [], [], []

    def body(depth):
        name = f"b{len(bodies)}"
        bodies.append(name)
        text = f'<body name="{name}" pos="{numbers(-0.3, 0.3, 3)}" euler="{numbers(0, 360, 3)}">'
        joint = rng.integers(0, 3)
        text += '<joint axis="0 1 0"/>' if joint else ("<freejoint/>" if depth == 0 and rng.random() < 0.7 else "")
        text += '<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
        for _ in range(rng.integers(0, 4)):
            names.append(f"g{len(names)}")
            text += geom(names[-1])
        while depth < 3 and rng.random() < 0.4:
            text += body(depth + 1)
        return text + "</body>"

    parts.append('<geom name="floor" type="plane" size="1 1 1" pos="0 0 -0.1"/>')
    for _ in range(rng.integers(0, 3)):
        names.append(f"g{len(names)}")
        parts.append(geom(names[-1]))
    parts += [body(0) for _ in range(rng.integers(2, 7))]
    rest = ""
    for _ in range(rng.integers(0, 4)):
        a, b = rng.choice([*bodies, "world"], 2, replace=False)
        rest += f'<exclude body1="{a}" body2="{b}"/>'
    if len(names) > 1:
        for _ in range(rng.integers(0, 4)):
            a, b = rng.choice([*names, "floor"], 2, replace=False)
            rest += f'<pair geom1="{a}" geom2="{b}" margin="{rng.choice([0, 0.05])}" condim="{rng.choice([1, 3])}"/>'
    flags = f'<flag filterparent="{rng.choice(["enable", "disable"])}" midphase="{rng.choice(["enable", "disable"])}"/>'
    return scene(*parts, rest=f"<contact>{rest}</contact>", option=f"<option>{flags}</option>")


def test_random_documents():
    total, rng = contacts.Result(), np.random.default_rng(1)
    for number in range(150):
        xml = random_document(rng)
        try:
            reference, theirs, mine = both(xml)
        except ValueError:
            continue  # excluded twice and the like: the reference refuses it
        contacts.compare_state(reference, theirs, mine, f"document {number}", total)
    assert total.states > 100 and sum(kind.pairs for kind in total.kinds.values()) > 1000
    assert total.order == [] and total.parameters == []
    assert total.share("primitive") == 1, contacts.table(total)


BAD = ['size="0"', 'size="-1"', 'size=".1" pos="nan 0 0"', 'type="box" size=".1 0 .1"', 'type="capsule" size="0 .1"',
       'type="ellipsoid" size="0 .1 .1"', 'size=".1" margin="nan"', 'type="box" size="1e200 1e200 1e200"']  # fmt: skip


@pytest.mark.parametrize("geom", BAD)
def test_impossible_geoms_are_found_at_load(geom):
    body = f'<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>\n<geom {geom}/></body>'
    with pytest.raises(pliant.LoadError) as caught:
        pliant.mujoco.MjModel.from_xml_string(scene(FLOOR.format(""), body))
    assert any(finding.line == 2 for finding in caught.value.diagnostics)


# ---- Python --------------------------------------------------------------------------------------


@pytest.fixture
def world():
    xml = scene(
        FLOOR.format(""),
        BALL.format(0, 0.09, ""),
        '<body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>',
    )
    reference = mujoco.MjModel.from_xml_string(xml)
    model = pliant.mujoco.MjModel.from_xml_string(xml)
    d, e = mujoco.MjData(reference), pliant.mujoco.MjData(model)
    for module, m, data in ((mujoco, reference, d), (pliant.mujoco, model, e)):
        module.mj_kinematics(m, data)
        module.mj_comPos(m, data)
        module.mj_collision(m, data)
    return reference, d, model, e


def columns(owner):
    return [name for name in dir(owner) if not name.startswith("_")]


def test_contact_list(world):
    _, d, _, e = world
    assert e.ncon == d.ncon == len(e.contact) == 5
    assert columns(e.contact) == columns(d.contact) and columns(e.contact[0]) == columns(d.contact[0])
    for name in columns(d.contact):
        theirs, mine = getattr(d.contact, name), getattr(e.contact, name)
        assert (theirs.shape, theirs.dtype) == (mine.shape, mine.dtype), name
        assert np.allclose(theirs, mine, atol=1e-14), name
        for i in range(d.ncon):
            a, b = getattr(d.contact[i], name), getattr(e.contact[i], name)
            assert type(a) is type(b) and np.allclose(a, b, atol=1e-14), name
    assert [c.dist for c in e.contact] == e.contact.dist.tolist()
    assert e.contact == e.contact and e.contact[0] == e.contact[0]
    with pytest.raises(IndexError):
        e.contact[5]
    with pytest.raises(AttributeError):
        e.contact.dist = 3


def test_contacts_are_views(world):
    _, _, model, e = world
    contact, all_contacts = e.contact[1], e.contact
    contact.dist = 5
    assert e.contact.dist[1] == 5
    e.contact.pos[1] = [1, 2, 3]
    assert contact.pos.tolist() == [1, 2, 3]
    kept = copy.copy(contact)
    contact.dist = 6
    assert kept.dist == 5 and pickle.loads(pickle.dumps(kept)).dist == 5
    assert copy.deepcopy(e).contact.dist[1] == 6
    assert pliant.mujoco.MjContact().dist == 0
    # the list is live, rows outlive everything
    pliant.mujoco.mj_resetData(model, e)
    assert e.ncon == len(all_contacts) == 0
    e.data.reserve_arena(1 << 20)
    del e, all_contacts
    assert isinstance(contact.dist, float)


def test_fixed_memory(world):
    _, _, model, e = world
    e.data.reserve_arena(1 << 14, fixed=True)
    pliant.mujoco.mj_collision(model, e)
    assert e.ncon == 5 and e.warning.number.sum() == 0
