"""Documents for test_schema_effect: a place for every element of the schema.

Each document marks the element under test with `_id`; the mark never reaches the loader.
"""

import struct
import zlib

from documents import schema


def png(shade, size=4):
    """A small grey image, the same from no two sides."""
    rows = b"".join(b"\0" + bytes(shade + i + 5 * k for i in range(size)) for k in range(size))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    data = zlib.compress(rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def stl(size):
    """A tetrahedron as a binary STL file."""
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    data = bytes(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<3f", 0, 0, 0)
        data += b"".join(struct.pack("<3f", *corners[i]) for i in face) + b"\0\0"
    return data


LEG = """<mujoco model="leg"><worldbody><frame name="fr"><geom name="fg" size="0.3"/></frame>
<body name="hip"><joint name="hj"/><geom name="hg" size="0.1"/></body>
<body name="toe"><joint name="tj"/><geom name="tg" size="0.2"/></body></worldbody></mujoco>"""
ASSETS = {
    "a.png": png(10),
    "b.png": png(99),
    "a.dat": png(10),
    "textures/a.png": png(55),
    "cube.stl": stl(1),
    "cube.dat": stl(1),
    "other.stl": stl(2),
    "meshes/cube.stl": stl(3),
    "leg.xml": LEG.encode(),
    "arm.xml": LEG.replace("leg", "arm").replace("0.1", "0.4").encode(),
}

# ---- documents -----------------------------------------------------------------------------

# class "other" differs from the defaults in something for every kind of object
CLASSES = """<default><default class="other">
  <joint armature="3"/><geom condim="6"/><site rgba="1 0 0 1"/><camera fovy="11"/>
  <light cutoff="22"/><mesh scale="2 2 2"/><material specular="0.9"/><texture rgb1="1 0 0"/><pair condim="6"/>
  <equality active="false"/><tendon margin="5"/>
  <general gear="7"/></default></default>"""
ASSET = """<asset>
  <texture name="tex1" type="2d" builtin="flat" width="4" height="4"/>
  <texture name="tex2" type="2d" builtin="flat" width="4" height="4"/>
  <material name="mat1"/><material name="mat2"/></asset>"""
TREE = """
  <geom name="floor" type="plane" size="1 1 1"/>
  <camera name="cam1"/><camera name="cam2"/><site name="s0" pos="0 0 2"/>
  <body name="b1" pos="0 0 1"><joint name="j1" range="-60 60"/><geom name="g1" size="0.1"/>
    <site name="s1"/><site name="s3" pos="0.5 0 0"/>
    <body name="b2" pos="0 0 0.5"><joint name="j2" range="-60 60" axis="1 0 0"/>
      <geom name="g2" type="cylinder" size="0.1 0.2"/><site name="s2" pos="0 0 0.3"/></body></body>
  <body name="b3" pos="1 0 0"><joint name="ball1" type="ball" range="0 40"/>
    <geom size="0.1"/></body>
  <body name="b4" pos="2 0 0"><joint name="ball2" type="ball" range="0 40"/>
    <geom size="0.1"/></body>
  <body name="m1" mocap="true"/>"""
TENDON = """<fixed name="t1" range="0 1"><joint joint="j1" coef="1"/></fixed>
  <fixed name="t2" range="0 1"><joint joint="j2" coef="1"/></fixed>"""
ACTUATOR = """<motor name="a1" joint="j1"/><motor name="a2" joint="j2"/>"""


def world(tree="", *, head="", tendon=TENDON, actuator=ACTUATOR, tail="", asset=ASSET):
    return (
        f'<mujoco _id="mujoco">{head}{CLASSES}{asset}<worldbody>{TREE}{tree}</worldbody>'
        f"<tendon>{tendon}</tendon><actuator>{actuator}</actuator>{tail}</mujoco>"
    )


CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 0 1 0 1 0 1 1 1 1 1"
MESHES = f"""<asset><mesh name="mesh1" vertex="{CORNERS}"/><mesh name="mesh2" file="other.stl"/>
  <hfield name="hf1" nrow="2" ncol="2" size="1 1 1 1"/>
  <hfield name="hf2" nrow="3" ncol="2" size="1 1 1 1"/></asset>"""
SKIN = """<asset><skin _id="skin" name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"
  texcoord="0 0 1 0 0 1">
  <bone _id="bone" body="b1" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
  <bone body="b2" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
  </skin></asset>"""
BODY = """<body _id="body" name="body" pos="3 0 0"><freejoint _id="freejoint" name="free"/>
  <inertial _id="inertial" pos="0 0 0" mass="1" diaginertia="1 1 1"/>
  <geom name="bg" size="0.1"/></body>"""
JOINT = '<body name="jb"><joint _id="joint" name="joint"/><geom size="0.1"/></body>'
FRAME = (
    '<frame _id="frame"><geom size="0.1"/><site name="fs"/><body><joint stiffness="1"/><geom size="0.1" pos="1 '
    '0 0"/></body>'
    "</frame>"
)
VISUAL = "".join(f'<{part} _id="{part}"/>' for part in ("global", "quality", "headlight", "map", "scale", "rgba"))
HEAD = (
    '<compiler _id="compiler"><lengthrange _id="lengthrange"/></compiler>'
    '<option _id="option"><flag _id="flag"/></option><size _id="size"/>'
    f'<statistic _id="statistic"/><visual>{VISUAL}</visual>'
)

DOCUMENTS = {
    **dict.fromkeys(
        (
            "mujoco",
            "option",
            "flag",
            "size",
            "statistic",
            "global",
            "quality",
            "headlight",
            "map",
            "scale",
            "rgba",
        ),
        world(head=HEAD),
    ),
    **dict.fromkeys(
        ("compiler", "lengthrange"),
        world(
            '<body euler="10 20 30"><freejoint/><geom size="0.1 0.2 0.3" type="ellipsoid"/>'
            '<inertial _id="heavy" pos="0.1 0 0" mass="2" diaginertia="1 1 1"/></body>'
            '<body><freejoint/><geom size="0.1"/><geom size="0.2" group="3"/></body>'
            '<body name="still"><geom name="visual" contype="0" conaffinity="0" size="0.1"/>'
            "</body>",
            head=HEAD,
            actuator=ACTUATOR + '<muscle _id="muscle1" joint="j1"/><muscle joint="j2" lengthrange="0 1"/>',
            tail='<asset><texture type="2d" name="a" file="textures/a.png"/>'
            '<texture type="2d" name="b" file="a.png"/></asset>',
        ),
    ),
    **dict.fromkeys(("body", "freejoint", "inertial"), world(BODY, head='<compiler _id="compiler"/>')),
    ("site", "mesh"): world('<site _id="site" name="site"/>', tail=MESHES),
    ("default_site", "mesh"): f'<mujoco><default><site _id="default_site" type="mesh" mesh="mesh1"/></default>{MESHES}'
    "<worldbody><site/></worldbody></mujoco>",
    "joint": world(JOINT),
    "geom": world('<body><freejoint/><geom _id="geom" name="geom" size="0.1 0.2 0.3"/></body>'),
    "site": world('<site _id="site" name="site"/>'),
    "camera": world('<camera _id="camera" name="camera"/>'),
    "light": world('<light _id="light" name="light"/>'),
    "frame": world(FRAME),
    "replicate": world('<replicate _id="replicate" count="2" offset="1 0 0"><geom name="r" size="0.1"/></replicate>'),
    "attach": world(
        '<attach _id="attach" model="leg" prefix="p_"/>',
        asset='<asset><model name="leg" file="leg.xml"/><model name="arm" file="arm.xml"/></asset>',
    ),
    "asset_model": world(
        '<attach _id="attach" model="leg" prefix="p_"/>',
        asset='<asset><model _id="asset_model" name="leg" file="leg.xml"/></asset>',
    ),
    **dict.fromkeys(("skin", "bone"), world(tail=SKIN)),
    "texture": world(
        tail='<asset><texture _id="texture" name="texture" type="2d" builtin="checker" width="4" height="4"/></asset>'
    ),
    "material": world(tail='<asset><material _id="material" name="material"/></asset>'),
    "layer": world(
        tail='<asset><material><layer _id="layer" texture="tex1" role="rgb"/></material></asset>'.replace(
            "<material>", '<material name="layered">'
        )
    ),
    "pair": world(
        '<body pos="4 0 0"><freejoint/><geom name="loose" size="0.1"/></body>',
        tail='<contact><pair _id="pair" geom1="floor" geom2="loose"/></contact>',
    ),
    "exclude": world(tail='<contact><exclude _id="exclude" body1="b1" body2="b2"/></contact>'),
    "connect": world(tail='<equality><connect _id="connect" body1="b1" anchor="0 0 0"/></equality>'),
    "weld": world(tail='<equality><weld _id="weld" body1="b1"/></equality>'),
    # (two joints of its own: what world() has are actuated, which an exact follower must not be)
    "mimic": world(
        tail='<worldbody><body><joint name="m1"/><geom size="0.1"/></body><body><joint name="m2"/><geom size="0.1"/>'
        "</body>"
        '<body><joint name="m3"/><geom size="0.1"/></body></worldbody>'
        '<equality><mimic _id="mimic" joint1="m1" joint2="m2"/></equality>'
    ),
    "equality_joint": world(tail='<equality><joint _id="equality_joint" joint1="j1"/></equality>'),
    "equality_tendon": world(tail='<equality><tendon _id="equality_tendon" tendon1="t1"/></equality>'),
    **dict.fromkeys(
        ("spatial", "tendon_site", "tendon_geom", "pulley"),
        world(
            tendon=TENDON
            + """
      <spatial _id="spatial" name="spatial"><site _id="tendon_site" site="s1"/>
      <geom _id="tendon_geom" geom="g1"/><site site="s2"/><pulley _id="pulley" divisor="2"/>
      <site site="s1"/><site site="s2"/></spatial>"""
        ),
    ),
    **dict.fromkeys(
        ("fixed", "tendon_joint"),
        world(
            tendon=TENDON
            + """
      <fixed _id="fixed" name="fixed"><joint _id="tendon_joint" joint="j1" coef="1"/></fixed>"""
        ),
    ),
    "numeric": world(tail='<custom><numeric _id="numeric" name="numeric" data="1"/></custom>'),
    "text": world(tail='<custom><text _id="text" name="text" data="a"/></custom>'),
    **dict.fromkeys(
        ("tuple", "tuple_element"),
        world(
            tail='<custom><tuple _id="tuple" name="tuple">'
            '<element _id="tuple_element" objtype="body" '
            'objname="b1"/></tuple></custom>'
        ),
    ),
    ("key", "plastic"): world(
        '<body><joint type="slide" springyield="1"/><geom size="0.1"/></body>',
        tail='<keyframe><key _id="key" name="key"/></keyframe>',
    ),
    "key": world(
        actuator='<general joint="j1" dyntype="filter"/>',
        tail='<keyframe><key _id="key" name="key"/></keyframe>',
    ),
    "mesh": world(
        '<body><freejoint/><geom type="mesh" mesh="mesh"/></body>',
        tail=f'<asset><mesh _id="mesh" name="mesh" vertex="{CORNERS}"/></asset>',
    ),
    "hfield": world(
        '<geom type="hfield" hfield="hfield"/>',
        tail='<asset><hfield _id="hfield" name="hfield" nrow="2" ncol="2" size="1 1 1 1"/></asset>',
    ),
    **{
        ("geom", name): world('<body><freejoint/><geom _id="geom" size="0.1"/></body>', tail=MESHES)
        for name in ("mesh", "hfield", "fitscale")
    },
    **{
        ("default_geom", name): f'<mujoco><default><geom _id="default_geom"/></default>{MESHES}'
        "<worldbody><body><freejoint/><geom/></body></worldbody></mujoco>"
        for name in ("mesh", "hfield", "fitscale")
    },
    ("compiler", "meshdir"): world(
        '<geom type="mesh" mesh="m"/>',
        head=HEAD,
        tail='<asset><mesh name="m" file="cube.stl"/></asset>',
    ),
    ("compiler", "fitaabb"): world('<geom type="box" mesh="mesh1"/>', head=HEAD, tail=MESHES),
    **{
        ("default_texture", name): '<mujoco><default><texture _id="default_texture"/></default>'
        f'<asset><texture name="t" type="{kind}" file="a.png"/></asset></mujoco>'
        for name, kind in (
            ("hflip", "2d"),
            ("vflip", "2d"),
            ("nchannel", "2d"),
            ("gridsize", "cube"),
            ("gridlayout", "cube"),
        )
    },
    **{
        ("default_texture", name): '<mujoco><default><texture _id="default_texture"/></default>'
        f'<asset><texture name="t" type="2d" {given}/></asset></mujoco>'
        for name, given in (
            ("builtin", 'width="4" height="4"'),
            ("width", 'builtin="flat" height="4"'),
            ("height", 'builtin="flat" width="4"'),
        )
    },
    "default": '<mujoco><default><default _id="default" class="a"><geom condim="6"/></default>'
    "</default>"
    '<worldbody><geom class="a" size="0.1"/></worldbody></mujoco>',
}

# what uses the settings of a default class, by the element that makes them
USERS = {
    "geom": '<asset><material name="mat1"/></asset><worldbody><body><freejoint/><geom/></body></worldbody>',
    "joint": '<worldbody><body><joint/><geom size="0.1"/></body></worldbody>',
    "site": '<asset><material name="mat1"/></asset><worldbody><site/></worldbody>',
    "camera": "<worldbody><camera/></worldbody>",
    "light": "<worldbody><light/></worldbody>",
    "texture": '<asset><texture name="t" builtin="checker" width="4"/></asset>',
    "material": '<asset><texture name="tex1" type="2d" builtin="flat" width="4" height="4"/>'
    '<material name="m"/></asset>',
    "pair": '<worldbody><geom name="a" size="0.1"/><body><freejoint/>'
    '<geom name="b" size="0.1"/></body>'
    '</worldbody><contact><pair geom1="a" geom2="b"/></contact>',
    "mesh": f'<asset><mesh name="m" vertex="{CORNERS}"/></asset><worldbody><body><freejoint/>'
    '<geom type="mesh" mesh="m"/></body></worldbody>',
    "equality": '<worldbody><body name="b"><freejoint/><geom size="0.1"/></body></worldbody>'
    '<equality><weld body1="b"/></equality>',
    "tendon": '<asset><material name="mat1"/></asset><worldbody><site name="a"/><body pos="0 0 1">'
    '<freejoint/><geom size="0.1"/><site name="b"/></body></worldbody><tendon>'
    '<spatial><site site="a"/><site site="b"/></spatial></tendon>',
}
USER_ACTUATORS = (
    '<worldbody><body name="b1"><joint name="j1" range="-60 60"/><geom size="0.1"/>'
    '<site name="s1"/><site name="s3" pos="1 0 0"/></body><body><joint name="ball1" '
    'type="ball"/><geom size="0.1"/></body></worldbody><actuator>{}</actuator>'
)

# what an actuator acts on in its document
TARGETS = {
    "orientation": 'joint="ball1"',
    "adhesion": 'body="b1" ctrlrange="0 1"',
    "dcmotor": 'joint="j1" motorconst="0.1" resistance="2"',
    "damper": 'joint="j1" ctrlrange="0 1"',
    "muscle": 'joint="j1" lengthrange="0 1"',
}

# attributes a sensor needs, by the name of the attribute
SENSOR_OBJECTS = {
    "site": "s1",
    "joint": "j1",
    "tendon": "t1",
    "actuator": "a1",
    "body": "b1",
    "camera": "cam1",
    "geom": "g1",
    "mesh": "mesh1",
    "objtype": "body",
    "objname": "b1",
    "dim": "2",
}
BALL_SENSORS = ("ballquat", "ballangvel")


def is_child(element, section):
    return section in schema()[element]["parents"]


def sensor_document(element):
    tag = schema()[element]["tag"]
    given = {}
    for attribute in schema()[element]["attributes"]:
        if attribute["required"]:
            given[attribute["name"]] = SENSOR_OBJECTS[attribute["name"]]
    if element in BALL_SENSORS:
        given["joint"] = "ball1"
    if element == "rangefinder":
        given["site"] = "s1"
    if element in ("distance", "normal", "fromto"):
        given |= {"geom1": "g1", "geom2": "g2"}
    text = " ".join(f'{name}="{value}"' for name, value in given.items())
    sensor = f'<sensor><{tag} _id="{element}" name="sensor" {text}/></sensor>'
    return world(tail=(MESHES if "mesh" in given else "") + sensor)


def default_document(element):
    name = element.removeprefix("default_")
    if name in USERS:
        size = ' size="0.1 0.2 0.3"' if name == "geom" else ""
        return f'<mujoco><default><{name} _id="{element}"{size}/></default>{USERS[name]}</mujoco>'
    target = TARGETS.get(name, 'joint="j1"')
    motor = ' motorconst="0.1" resistance="2"' if name == "dcmotor" else ""
    own = target.replace(motor, "").replace('ctrlrange="0 1"', "")
    limits = ' ctrlrange="0 1"' if "ctrlrange" in target else ""
    return (
        f'<mujoco><default><{name} _id="{element}"{motor}{limits}/></default>'
        + USER_ACTUATORS.format(f"<{name} {own}/>")
        + "</mujoco>"
    )


def base(element, name):
    for key in ((element, name), element):
        if key in DOCUMENTS:
            return DOCUMENTS[key]
    if element.startswith("default_"):
        return default_document(element)
    if is_child(element, "actuator"):
        target = TARGETS.get(element, 'joint="j1"')
        return world(actuator=f'{ACTUATOR}<{element} _id="{element}" name="act" {target}/>')
    if is_child(element, "sensor"):
        return sensor_document(element)
    raise KeyError(f"there is no document for <{element}>")
