"""Documents and values for test_schema_effect: a place for every element, a value for every attribute.

Each document marks the element under test with `_id`; the mark never reaches the loader. CONTEXT names
the attributes that an attribute needs beside it, or that must go because they exclude it; they hold for
the document with and the one without the attribute.
"""

import struct
import xml.etree.ElementTree as ElementTree
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

# ---- documents -------------------------------------------------------------------------------------------

# class "other" differs from the defaults in something for every kind of object
CLASSES = """<default><default class="other">
  <joint armature="3"/><geom condim="6"/><site rgba="1 0 0 1"/><camera fovy="11"/><light cutoff="22"/>
  <mesh scale="2 2 2"/><material specular="0.9"/><pair condim="6"/><equality active="false"/><tendon margin="5"/>
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
  <body name="b3" pos="1 0 0"><joint name="ball1" type="ball" range="0 40"/><geom size="0.1"/></body>
  <body name="b4" pos="2 0 0"><joint name="ball2" type="ball" range="0 40"/><geom size="0.1"/></body>
  <body name="m1" mocap="true"/>"""
TENDON = """<fixed name="t1" range="0 1"><joint joint="j1" coef="1"/></fixed>
  <fixed name="t2" range="0 1"><joint joint="j2" coef="1"/></fixed>"""
ACTUATOR = """<motor name="a1" joint="j1"/><motor name="a2" joint="j2"/>"""


def world(tree="", *, head="", tendon=TENDON, actuator=ACTUATOR, tail="", asset=ASSET):
    return (f'<mujoco _id="mujoco">{head}{CLASSES}{asset}<worldbody>{TREE}{tree}</worldbody>'
            f"<tendon>{tendon}</tendon><actuator>{actuator}</actuator>{tail}</mujoco>")


CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 0 1 0 1 0 1 1 1 1 1"
MESHES = f"""<asset><mesh name="mesh1" vertex="{CORNERS}"/><mesh name="mesh2" file="other.stl"/>
  <hfield name="hf1" nrow="2" ncol="2" size="1 1 1 1"/>
  <hfield name="hf2" nrow="3" ncol="2" size="1 1 1 1"/></asset>"""
SKIN = """<asset><skin _id="skin" name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" texcoord="0 0 1 0 0 1">
  <bone _id="bone" body="b1" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
  <bone body="b2" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset>"""
BODY = """<body _id="body" name="body" pos="3 0 0"><freejoint _id="freejoint" name="free"/>
  <inertial _id="inertial" pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom name="bg" size="0.1"/></body>"""
JOINT = '<body name="jb"><joint _id="joint" name="joint"/><geom size="0.1"/></body>'
FRAME = '<frame _id="frame"><geom size="0.1"/><site name="fs"/></frame>'
VISUAL = "".join(f'<{part} _id="{part}"/>' for part in
                 ("global", "quality", "headlight", "map", "scale", "rgba"))
HEAD = ('<compiler _id="compiler"><lengthrange _id="lengthrange"/></compiler>'
        '<option _id="option"><flag _id="flag"/></option><size _id="size"/>'
        f'<statistic _id="statistic"/><visual>{VISUAL}</visual>')

DOCUMENTS = {
    **dict.fromkeys(("mujoco", "option", "flag", "size", "statistic", "global", "quality", "headlight",
                     "map", "scale", "rgba"), world(head=HEAD)),
    **dict.fromkeys(("compiler", "lengthrange"), world(
        '<body euler="10 20 30"><freejoint/><geom size="0.1 0.2 0.3" type="ellipsoid"/>'
        '<inertial _id="heavy" pos="0.1 0 0" mass="2" diaginertia="1 1 1"/></body>'
        '<body><freejoint/><geom size="0.1"/><geom size="0.2" group="3"/></body>'
        '<body name="still"><geom name="visual" contype="0" conaffinity="0" size="0.1"/></body>',
        head=HEAD, actuator=ACTUATOR + '<muscle _id="muscle1" joint="j1"/>'
        '<muscle joint="j2" lengthrange="0 1"/>',
        tail='<asset><texture type="2d" name="a" file="textures/a.png"/>'
        '<texture type="2d" name="b" file="a.png"/></asset>')),
    **dict.fromkeys(("body", "freejoint", "inertial"), world(BODY)),
    "joint": world(JOINT),
    "geom": world('<body><freejoint/><geom _id="geom" name="geom" size="0.1 0.2 0.3"/></body>'),
    "site": world('<site _id="site" name="site"/>'),
    "camera": world('<camera _id="camera" name="camera"/>'),
    "light": world('<light _id="light" name="light"/>'),
    "frame": world(FRAME),
    "replicate": world('<replicate _id="replicate" count="2" offset="1 0 0"><geom name="r" size="0.1"/>'
                       "</replicate>"),
    "attach": world('<attach _id="attach" model="leg" prefix="p_"/>',
                    asset='<asset><model name="leg" file="leg.xml"/><model name="arm" file="arm.xml"/>'
                    "</asset>"),
    "asset_model": world('<attach _id="attach" model="leg" prefix="p_"/>',
                         asset='<asset><model _id="asset_model" name="leg" file="leg.xml"/></asset>'),
    **dict.fromkeys(("skin", "bone"), world(tail=SKIN)),
    "texture": world(tail='<asset><texture _id="texture" name="texture" type="2d" builtin="checker" '
                     'width="4" height="4"/></asset>'),
    "material": world(tail='<asset><material _id="material" name="material"/></asset>'),
    "layer": world(tail='<asset><material><layer _id="layer" texture="tex1" role="rgb"/></material>'
                   "</asset>".replace("<material>", '<material name="layered">')),
    "pair": world(tail='<contact><pair _id="pair" geom1="floor" geom2="g1"/></contact>'),
    "exclude": world(tail='<contact><exclude _id="exclude" body1="b1" body2="b2"/></contact>'),
    "connect": world(tail='<equality><connect _id="connect" body1="b1" anchor="0 0 0"/></equality>'),
    "weld": world(tail='<equality><weld _id="weld" body1="b1"/></equality>'),
    "equality_joint": world(tail='<equality><joint _id="equality_joint" joint1="j1"/></equality>'),
    "equality_tendon": world(tail='<equality><tendon _id="equality_tendon" tendon1="t1"/></equality>'),
    **dict.fromkeys(("spatial", "tendon_site", "tendon_geom", "pulley"), world(tendon=TENDON + """
      <spatial _id="spatial" name="spatial"><site _id="tendon_site" site="s1"/>
      <geom _id="tendon_geom" geom="g1"/><site site="s2"/><pulley _id="pulley" divisor="2"/>
      <site site="s1"/><site site="s2"/></spatial>""")),
    **dict.fromkeys(("fixed", "tendon_joint"), world(tendon=TENDON + """
      <fixed _id="fixed" name="fixed"><joint _id="tendon_joint" joint="j1" coef="1"/></fixed>""")),
    "numeric": world(tail='<custom><numeric _id="numeric" name="numeric" data="1"/></custom>'),
    "text": world(tail='<custom><text _id="text" name="text" data="a"/></custom>'),
    **dict.fromkeys(("tuple", "tuple_element"), world(
        tail='<custom><tuple _id="tuple" name="tuple"><element _id="tuple_element" objtype="body" '
        'objname="b1"/></tuple></custom>')),
    "key": world(actuator='<general joint="j1" dyntype="filter"/>',
                 tail='<keyframe><key _id="key" name="key"/></keyframe>'),
    "mesh": world('<body><freejoint/><geom type="mesh" mesh="mesh"/></body>',
                  tail=f'<asset><mesh _id="mesh" name="mesh" vertex="{CORNERS}"/></asset>'),
    "hfield": world('<geom type="hfield" hfield="hfield"/>',
                    tail='<asset><hfield _id="hfield" name="hfield" nrow="2" ncol="2" '
                    'size="1 1 1 1"/></asset>'),
    **{("geom", name): world('<body><freejoint/><geom _id="geom" size="0.1"/></body>', tail=MESHES)
       for name in ("mesh", "hfield", "fitscale")},
    **{("default_geom", name): f'<mujoco><default><geom _id="default_geom"/></default>{MESHES}'
       "<worldbody><body><freejoint/><geom/></body></worldbody></mujoco>"
       for name in ("mesh", "hfield", "fitscale")},
    ("compiler", "meshdir"): world(
        '<geom type="mesh" mesh="m"/>', head=HEAD,
        tail='<asset><mesh name="m" file="cube.stl"/></asset>'),
    ("compiler", "fitaabb"): world('<geom type="box" mesh="mesh1"/>', head=HEAD, tail=MESHES),
    "default": '<mujoco><default><default _id="default" class="a"><geom condim="6"/></default></default>'
               '<worldbody><geom class="a" size="0.1"/></worldbody></mujoco>',
}

# what uses the settings of a default class, by the element that makes them
USERS = {
    "geom": '<asset><material name="mat1"/></asset><worldbody><body><freejoint/><geom/></body></worldbody>',
    "joint": '<worldbody><body><joint/><geom size="0.1"/></body></worldbody>',
    "site": '<asset><material name="mat1"/></asset><worldbody><site/></worldbody>',
    "camera": "<worldbody><camera/></worldbody>",
    "light": "<worldbody><light/></worldbody>",
    "material": '<asset><texture name="tex1" type="2d" builtin="flat" width="4" height="4"/>'
                '<material name="m"/></asset>',
    "pair": '<worldbody><geom name="a" size="0.1"/><body><freejoint/><geom name="b" size="0.1"/></body>'
            '</worldbody><contact><pair geom1="a" geom2="b"/></contact>',
    "mesh": f'<asset><mesh name="m" vertex="{CORNERS}"/></asset><worldbody><body><freejoint/>'
            '<geom type="mesh" mesh="m"/></body></worldbody>',
    "equality": '<worldbody><body name="b"><freejoint/><geom size="0.1"/></body></worldbody>'
                '<equality><weld body1="b"/></equality>',
    "tendon": '<asset><material name="mat1"/></asset><worldbody><site name="a"/><body pos="0 0 1">'
              '<freejoint/><geom size="0.1"/><site name="b"/></body></worldbody><tendon>'
              '<spatial><site site="a"/><site site="b"/></spatial></tendon>',
}
USER_ACTUATORS = ('<worldbody><body name="b1"><joint name="j1" range="-60 60"/><geom size="0.1"/>'
                  '<site name="s1"/><site name="s3" pos="1 0 0"/></body><body><joint name="ball1" '
                  'type="ball"/><geom size="0.1"/></body></worldbody><actuator>{}</actuator>')

# what an actuator acts on in its document
TARGETS = {"orientation": 'joint="ball1"', "adhesion": 'body="b1" ctrlrange="0 1"',
           "dcmotor": 'joint="j1" motorconst="0.1" resistance="2"',
           "damper": 'joint="j1" ctrlrange="0 1"',
           "muscle": 'joint="j1" lengthrange="0 1"'}

# attributes a sensor needs, by the name of the attribute
SENSOR_OBJECTS = {"site": "s1", "joint": "j1", "tendon": "t1", "actuator": "a1", "body": "b1",
                  "camera": "cam1", "objtype": "body", "objname": "b1", "dim": "2"}
BALL_SENSORS = ("ballquat", "ballangvel")


CHILDREN = "-children"  # in CONTEXT: everything inside the element


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
    return world(tail=f'<sensor><{tag} _id="{element}" name="sensor" {text}/></sensor>')


def default_document(element):
    name = element.removeprefix("default_")
    if name in USERS:
        size = ' size="0.1 0.2 0.3"' if name == "geom" else ""
        return (f'<mujoco><default><{name} _id="{element}"{size}/></default>{USERS[name]}</mujoco>')
    target = TARGETS.get(name, 'joint="j1"')
    motor = ' motorconst="0.1" resistance="2"' if name == "dcmotor" else ""
    own = target.replace(motor, "").replace('ctrlrange="0 1"', "")
    limits = ' ctrlrange="0 1"' if "ctrlrange" in target else ""
    return (f'<mujoco><default><{name} _id="{element}"{motor}{limits}/></default>'
            + USER_ACTUATORS.format(f"<{name} {own}/>") + "</mujoco>")


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


# ---- values ----------------------------------------------------------------------------------------------

SAMPLES = {  # by (element, attribute), or by the attribute of any element
    ("compiler", "settotalmass"): "3",
    ("compiler", "eulerseq"): "ZYX",
    ("compiler", "texturedir"): "textures",
    ("compiler", "assetdir"): "textures",
    ("compiler", "inertiafromgeom"): "true",
    ("compiler", "inertiagrouprange"): "0 2",
    ("option", "actuatorgroupdisable"): "1 3",
    ("size", "memory"): "1M",
    ("compiler", "meshdir"): "meshes",
    ("mesh", "file"): "other.stl",
    ("mesh", "content_type"): "model/stl",
    ("mesh", "vertex"): CORNERS.replace("1", "2"),
    ("mesh", "normal"): "1 0 0 " * 8,
    ("mesh", "texcoord"): "0.5 0.25 " * 8,
    ("mesh", "face"): "0 2 1 0 1 3 0 3 2 1 2 3",
    ("mesh", "maxhullvert"): "5",
    ("mesh", "inertia"): "shell",
    ("mesh", "builtin"): "sphere",
    ("mesh", "params"): "2",
    ("hfield", "file"): "b.png",
    ("hfield", "content_type"): "image/png",
    ("hfield", "nrow"): "3",
    ("hfield", "ncol"): "3",
    ("hfield", "size"): "1 1 1 2",
    ("hfield", "elevation"): "0 1 2 3",
    ("geom", "mesh"): "mesh2",
    ("geom", "hfield"): "hf2",
    ("skin", "file"): "skin.skn",
    ("skin", "vertex"): "0 0 0 2 0 0 0 2 0",
    ("skin", "texcoord"): "0 0 1 1 0 1",
    ("skin", "face"): "0 2 1",
    ("bone", "vertid"): "2 1 0",
    ("bone", "vertweight"): "1 2 3",
    ("texture", "type"): "skybox",
    ("texture", "file"): "b.png",
    ("texture", "content_type"): "image/png",
    ("texture", "gridsize"): "2 2",
    ("texture", "gridlayout"): "LRUD",
    ("texture", "random"): "0.5",
    **{("texture", f"file{side}"): "b.png"
       for side in ("right", "left", "up", "down", "front", "back")},
    ("layer", "texture"): "tex2",
    ("layer", "role"): "metallic",
    ("asset_model", "name"): "arm",
    ("asset_model", "file"): "arm.xml",
    ("freejoint", "align"): "true",
    ("geom", "type"): "box",
    ("site", "type"): "box",
    ("inertial", "fullinertia"): "2 2 2 0.1 0 0",
    ("attach", "model"): "arm",
    ("attach", "body"): "hip",
    ("attach", "frame"): "fr",
    ("exclude", "body2"): "b3",
    ("tuple_element", "objtype"): "xbody",
    ("tuple_element", "objname"): "b2",
    ("key", "qpos"): "1 2 1 0 0 0 0 1 0 0",
    ("key", "qvel"): "1 2 3 4 5 6 7 8",
    ("key", "act"): "1",
    ("key", "ctrl"): "1",
    ("key", "mpos"): "1 2 3",
    ("key", "mquat"): "0 1 0 0",
    ("general", "actdim"): "2",
    ("general", "input"): "pos vel ff",
    ("orientation", "input"): "quat",
    ("orientation", "forcerange"): "0 1",
    ("orientation", "site"): "s3",
    ("orientation", "refsite"): "s3",
    ("muscle", "force"): "50",
    ("muscle", "lmax"): "1.5",
    ("dcmotor", "controller"): "1 0.5",
    ("pair", "geom1"): "g2",
    ("numeric", "size"): "3",
    "interval": "0.5 -0.1",
    "geom2": "floor",
    **{("size", f"nuser_{kind}"): "5"
       for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")},
    ("orientation", "joint"): "ball2",
    ("pid", "input"): "pos",
    ("dcmotor", "input"): "vel",
    ("ballquat", "joint"): "ball2",
    ("ballangvel", "joint"): "ball2",
    ("insidesite", "objname"): "b2",
    ("user", "objname"): "b2",
    "objtype": "xbody",
    "reftype": "xbody",
    "objname": "b2",
    "refname": "b2",
    "geom1": "floor",
}
SELF = "self"  # in CONTEXT: the element under test
CONTEXT = {
    ("compiler", "balanceinertia"): {"heavy": {"diaginertia": "1 1 4"}},
    ("lengthrange", "useexisting"): {"muscle1": None},
    ("mesh", "file"): {SELF: {"vertex": None, "file": "cube.stl"}},
    ("mesh", "content_type"): {SELF: {"vertex": None, "file": "cube.dat"}},
    ("mesh", "builtin"): {SELF: {"vertex": None, "params": "1"}},
    ("mesh", "params"): {SELF: {"vertex": None, "builtin": "sphere", "params": "1"}},
    ("mesh", "smoothnormal"): {SELF: {"face": "0 2 1 0 1 3 0 3 2 1 2 3"}},
    ("mesh", "inertia"): {SELF: {"face": "0 2 1 0 1 3 0 3 2 1 2 3"}},
    ("hfield", "file"): {SELF: {"nrow": None, "ncol": None, "file": "a.png"}},
    ("hfield", "content_type"): {SELF: {"nrow": None, "ncol": None, "file": "a.dat"}},
    ("geom", "mesh"): {SELF: {"type": "mesh", "mesh": "mesh1", "size": None}},
    ("geom", "hfield"): {SELF: {"type": "hfield", "hfield": "hf1", "size": None}},
    ("geom", "fitscale"): {SELF: {"mesh": "mesh1", "size": None}},
    ("skin", "file"): {SELF: {"vertex": None, "face": None, "texcoord": None, CHILDREN: None}},
    ("texture", "file"): {SELF: {"builtin": None, "width": None, "height": None, "file": "a.png"}},
    ("texture", "content_type"): {
        SELF: {"builtin": None, "width": None, "height": None, "file": "a.dat"}},
    ("texture", "markrgb"): {SELF: {"mark": "edge"}},
    ("texture", "random"): {SELF: {"mark": "random"}},
    ("texture", "hflip"): {SELF: {"builtin": None, "file": "a.png"}},
    ("texture", "vflip"): {SELF: {"builtin": None, "file": "a.png"}},
    ("texture", "gridsize"): {SELF: {"type": "cube", "builtin": None, "file": "a.png"}},
    ("texture", "gridlayout"): {
        SELF: {"type": "cube", "builtin": None, "file": "a.png", "gridsize": "2 2", "gridlayout": "RLUD"}},
    **{("texture", f"file{side}"): {SELF: {"type": "cube", "builtin": None, f"file{side}": "a.png"}}
       for side in ("right", "left", "up", "down", "front", "back")},
    ("asset_model", "name"): {"attach": {"model": "arm"}, SELF: {"name": None}},
    ("joint", "limited"): {SELF: {"range": "0 1"}},
    ("joint", "actuatorfrclimited"): {SELF: {"actuatorfrcrange": "-1 1"}},
    ("freejoint", "align"): {"inertial": {"pos": "0.1 0 0"}},
    ("geom", "fromto"): {SELF: {"type": "capsule"}},
    ("geom", "fluidcoef"): {SELF: {"fluidshape": "ellipsoid"}},
    ("site", "fromto"): {SELF: {"type": "capsule"}},
    **{("camera", name): {SELF: {"sensorsize": "1 1", "resolution": "100 100"}}
       for name in ("focal", "focalpixel", "principal", "principalpixel")},
    ("camera", "sensorsize"): {SELF: {"resolution": "100 100"}},
    ("inertial", "fullinertia"): {SELF: {"diaginertia": None}},
    ("body", "mocap"): {SELF: {CHILDREN: None}},
    **{(kind, site): {SELF: {"body1": None, "anchor": None, "site1": "s1", "site2": "s2"}}
       for kind in ("connect", "weld") for site in ("site1", "site2")},
    **{(kind, "actuatorfrclimited"): {SELF: {"actuatorfrcrange": "-1 1"}}
       for kind in ("spatial", "fixed")},
    **{(kind, "limited"): {SELF: {"range": "0 1"}} for kind in ("spatial", "fixed", "tendon")},
    ("spatial", "armature"): {"tendon_geom": None},
    ("general", "actlimited"): {SELF: {"dyntype": "integrator", "actrange": "0 1"}},
    ("general", "actrange"): {SELF: {"dyntype": "integrator"}},
    ("general", "actdim"): {SELF: {"dyntype": "user"}},
    ("general", "input"): {SELF: {"gaintype": "pid", "gainprm": "0", "biastype": "affine"}},
    **{("general", name): {SELF: {"gaintype": "pid", "gainprm": "0", "biastype": "affine",
                                  "input": "pos vel ff"}} for name in ("velrange", "ffrange")},
    **{("orientation", name): {SELF: {"joint": None, "site": "s1", "refsite": "s2"}}
       for name in ("site", "refsite")},
    ("pid", "imax"): {SELF: {"ki": "1"}},
    ("pid", "ffrange"): {SELF: {"input": "pos vel ff"}},
    ("dcmotor", "controller"): {SELF: {"input": "pos"}},
    ("sensor_user", "objtype"): {SELF: {"objtype": "body", "objname": "b1"}},
    ("sensor_user", "objname"): {SELF: {"objtype": "body", "objname": "b1"}},
    ("intvelocity", "actlimited"): {SELF: {"actrange": "0 1"}},
    "ctrllimited": {SELF: {"ctrlrange": "0 1"}},
    "forcelimited": {SELF: {"forcerange": "0 1"}},
    "delay": {SELF: {"nsample": "3"}},
    **{(f"default_{kind}", "cranklength"): {} for kind in (
        "general", "motor", "position", "velocity", "intvelocity", "pid", "damper", "cylinder", "muscle",
        "dcmotor")},
    "cranklength": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "cranksite": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "slidersite": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "refsite": {SELF: {"joint": None, "site": "s1"}},
    "reftype": {SELF: {"reftype": "body", "refname": "b3"}},
    "refname": {SELF: {"reftype": "body", "refname": "b3"}},
    ("rangefinder", "camera"): {SELF: {"site": None, "camera": "cam1"}},
    **{(kind, f"body{i}"): {SELF: {f"geom{i}": None, f"body{i}": "b1"}}
       for kind in ("distance", "normal", "fromto") for i in (1, 2)},
}
# Rows that decide whether a document is accepted: exactly one of the two documents is.
VERDICTS = {
    ("compiler", "autolimits"),
    ("compiler", "balanceinertia"),
    ("compiler", "coordinate"),
    ("mesh", "name"),
    ("mesh", "content_type"),
    ("mesh", "builtin"),
    ("hfield", "name"),
    ("hfield", "content_type"),
    ("skin", "file"),
    ("asset_model", "name"),
    ("inertial", "fullinertia"),
    ("default", "class"),
    *((kind, "cutoff") for kind in ("ballquat", "framequat", "framexaxis", "frameyaxis", "framezaxis")),
}
NO_MESHES = "meshes and height fields are not read yet"
NO_SIMULATION = "length ranges are found by simulation, which comes later"
EXCEPTIONS = {
    ("mesh", "*"): NO_MESHES,
    ("default_mesh", "*"): NO_MESHES,
    ("hfield", "*"): NO_MESHES,
    ("compiler", "meshdir"): NO_MESHES,
    ("compiler", "fitaabb"): NO_MESHES,
    **{(kind, name): NO_MESHES for kind in ("geom", "default_geom")
       for name in ("hfield", "mesh", "fitscale")},
    **{("lengthrange", name): NO_SIMULATION for name in (
        "accel", "maxforce", "timeconst", "timestep", "inttotal", "interval", "tolrange")},
    ("frame", "name"): "the model keeps no frames; only <attach frame=…> of another file uses it",
}

REFERENCES = {"body": "b2", "joint": "j2", "geom": "g2", "site": "s3", "camera": "cam2",
              "material": "mat1", "texture": "tex1", "tendon": "t2", "actuator": "a2"}


def numbers(attribute):
    """Numbers that differ from the default and from each other."""
    default = attribute["default"].split()
    count = attribute["max"] or max(len(default), 2)
    if attribute["kind"] == "int":
        return " ".join(str(int(default[i]) + 1 + i if i < len(default) else 1 + i)
                        for i in range(count))
    return " ".join(f"{0.137 * (i + 1) + (float(default[i]) / 2 if i < len(default) else 0):.6g}"
                    for i in range(count))


def sample(element, attribute):
    name, kind = attribute["name"], attribute["kind"]
    for key in ((element, name), (element.removeprefix("default_"), name), name):
        if key in SAMPLES:
            return SAMPLES[key]
    if kind in ("real", "float", "int"):
        return numbers(attribute)
    if kind == "bool":
        return "false" if attribute["default"] == "true" else "true"
    if kind in ("keyword", "flags"):
        return next(word for word in attribute["keywords"] if word != attribute["default"])
    if kind == "reference":
        return REFERENCES[attribute["ref"]]
    if kind == "class":
        return "other"
    return "another"


def context(element, name):
    for key in ((element, name), (element.removeprefix("default_"), name), name):
        if key in CONTEXT:
            return CONTEXT[key]
    return {}


def document(element, name, value):
    """The document of an element, with the attribute set to the value or, for None, not set."""
    root = ElementTree.fromstring(base(element, name))
    marked = {found.get("_id"): found for found in root.iter() if found.get("_id")}
    beside = context(element, name)
    for mark, given in beside.items():
        target = marked[element if mark == SELF else mark]
        if given is None:
            next(parent for parent in root.iter() if target in parent).remove(target)
            continue
        for key, text in given.items():
            if key == CHILDREN:
                target[:] = []
            elif text is None:
                target.attrib.pop(key, None)
            else:
                target.set(key, text)
    if value is not None:
        marked[element].set(name, value)
    for found in marked.values():
        del found.attrib["_id"]
    return ElementTree.tostring(root, encoding="unicode")
