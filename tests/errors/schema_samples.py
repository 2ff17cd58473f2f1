"""Values for test_schema_effect: one for every attribute, and what it needs beside it.

CONTEXT names the attributes that an attribute needs, or that must go because they exclude it; they
hold for the document with and the one without the attribute.
"""

import xml.etree.ElementTree as ElementTree

from schema_documents import CORNERS, base

SAMPLES = {  # by (element, attribute), or by the attribute of any element
    ("compiler", "settotalmass"): "3",
    ("compiler", "inertiatolerance"): "0.1",
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
    ("texture", "embed"): "false",
    ("texture", "nchannel"): "4",
    ("flag", "ipc"): "enable",
    ("flag", "speculative"): "enable",
    **{(kind, "actuatorfrcrange"): "-1 1" for kind in ("spatial", "fixed", "tendon")},
    ("site", "mesh"): "mesh2",
    ("frame", "scale"): "2",
    ("frame", "massscale"): "3",
    ("key", "plastic"): "1",
    ("tactile", "cutoff"): "3",
    **{("texture", f"file{side}"): "b.png" for side in ("right", "left", "up", "down", "front", "back")},
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
    ("mimic", "joint1"): "m3",
    ("mimic", "joint2"): "m3",
    ("mimic", "mode"): "hard",
    ("mimic", "gear"): "2",
    "restitution": "0.5",
    "restitution_mode": "impact",
    "damping_contact": "20",
    **{(kind, "stiffness"): "3000" for kind in ("geom", "pair")},
    ("numeric", "size"): "3",
    "interval": "0.5 -0.1",
    "geom2": "floor",
    **{
        ("size", f"nuser_{kind}"): "5"
        for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
    },
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
CHILDREN = "-children"  # in CONTEXT: everything inside the element
SELF = "self"  # in CONTEXT: the element under test
CONTEXT = {
    ("compiler", "balanceinertia"): {"heavy": {"diaginertia": "1 1 4"}},
    ("compiler", "inertiatolerance"): {"heavy": {"diaginertia": "1 1 2.1"}},
    ("lengthrange", "useexisting"): {"muscle1": None},
    ("mesh", "file"): {SELF: {"vertex": None, "file": "cube.stl"}},
    ("mesh", "content_type"): {SELF: {"vertex": None, "file": "cube.dat"}},
    ("mesh", "builtin"): {SELF: {"vertex": None, "params": "1"}},
    ("mesh", "params"): {SELF: {"vertex": None, "builtin": "sphere", "params": "1"}},
    ("mesh", "smoothnormal"): {SELF: {"face": "0 2 1 0 1 3 0 3 2 1 2 3"}},
    ("default_mesh", "inertia"): {},
    ("mesh", "inertia"): {SELF: {"face": "0 2 1 0 1 3 0 3 2 1 2 3"}},
    ("hfield", "file"): {SELF: {"nrow": None, "ncol": None, "file": "a.png"}},
    ("hfield", "content_type"): {SELF: {"nrow": None, "ncol": None, "file": "a.dat"}},
    ("geom", "mesh"): {SELF: {"type": "mesh", "mesh": "mesh1", "size": None}},
    ("geom", "hfield"): {SELF: {"type": "hfield", "hfield": "hf1", "size": None}},
    ("geom", "fitscale"): {SELF: {"mesh": "mesh1", "size": None}},
    **{
        (kind, "restitution_mode"): {SELF: {"restitution": "0.5"}}
        for kind in ("geom", "pair", "default_geom", "default_pair")
    },
    **{("mimic", name): {SELF: {"mode": "soft", "naturalfreq": "10"}} for name in ("naturalfreq", "dampratio")},
    ("mimic", "erp"): {SELF: {"mode": "hard"}},
    ("skin", "file"): {SELF: {"vertex": None, "face": None, "texcoord": None, CHILDREN: None}},
    ("texture", "file"): {SELF: {"builtin": None, "width": None, "height": None, "file": "a.png"}},
    ("texture", "content_type"): {SELF: {"builtin": None, "width": None, "height": None, "file": "a.dat"}},
    **{("default_texture", name): {} for name in ("hflip", "vflip", "nchannel", "gridsize")},
    ("default_texture", "gridlayout"): {SELF: {"gridsize": "2 2"}},
    ("texture", "nchannel"): {SELF: {"builtin": None, "file": "a.png"}},
    ("texture", "markrgb"): {SELF: {"mark": "edge"}},
    ("texture", "random"): {SELF: {"mark": "random"}},
    ("texture", "hflip"): {SELF: {"builtin": None, "file": "a.png"}},
    ("texture", "vflip"): {SELF: {"builtin": None, "file": "a.png"}},
    ("texture", "gridsize"): {SELF: {"type": "cube", "builtin": None, "file": "a.png"}},
    ("texture", "gridlayout"): {
        SELF: {
            "type": "cube",
            "builtin": None,
            "file": "a.png",
            "gridsize": "2 2",
            "gridlayout": "RLUD",
        }
    },
    **{
        ("texture", f"file{side}"): {SELF: {"type": "cube", "builtin": None, f"file{side}": "a.png"}}
        for side in ("right", "left", "up", "down", "front", "back")
    },
    ("asset_model", "name"): {"attach": {"model": "arm"}, SELF: {"name": None}},
    ("joint", "limited"): {SELF: {"range": "0 1"}},
    ("joint", "actuatorfrclimited"): {SELF: {"actuatorfrcrange": "-1 1"}},
    ("freejoint", "align"): {"inertial": {"pos": "0.1 0 0"}},
    ("geom", "fromto"): {SELF: {"type": "capsule"}},
    ("geom", "fluidcoef"): {SELF: {"fluidshape": "ellipsoid"}},
    ("site", "fromto"): {SELF: {"type": "capsule"}},
    ("site", "mesh"): {SELF: {"type": "mesh", "mesh": "mesh1"}},
    ("body", "fuse"): {"freejoint": None, "compiler": {"fusestatic": "true"}},
    ("frame", "scaling"): {SELF: {"scale": "2"}},
    **{
        ("camera", name): {SELF: {"sensorsize": "1 1", "resolution": "100 100"}}
        for name in ("focal", "focalpixel", "principal", "principalpixel")
    },
    ("camera", "sensorsize"): {SELF: {"resolution": "100 100"}},
    ("inertial", "fullinertia"): {SELF: {"diaginertia": None}},
    ("body", "mocap"): {SELF: {CHILDREN: None}},
    **{
        (kind, site): {SELF: {"body1": None, "anchor": None, "site1": "s1", "site2": "s2"}}
        for kind in ("connect", "weld")
        for site in ("site1", "site2")
    },
    **{(kind, "actuatorfrclimited"): {SELF: {"actuatorfrcrange": "-1 1"}} for kind in ("spatial", "fixed", "tendon")},
    **{(kind, "limited"): {SELF: {"range": "0 1"}} for kind in ("spatial", "fixed", "tendon")},
    ("spatial", "armature"): {"tendon_geom": None},
    ("general", "actlimited"): {SELF: {"dyntype": "integrator", "actrange": "0 1"}},
    ("general", "actrange"): {SELF: {"dyntype": "integrator"}},
    **{
        (kind, "inheritrange"): {SELF: {"gainprm": "1", "biastype": "affine", "biasprm": "0 -1"}}
        for kind in ("general", "default_general")
    },
    ("general", "actdim"): {SELF: {"dyntype": "user"}},
    ("general", "input"): {SELF: {"gaintype": "pid", "gainprm": "0", "biastype": "affine"}},
    **{
        ("general", name): {SELF: {"gaintype": "pid", "gainprm": "0", "biastype": "affine", "input": "pos vel ff"}}
        for name in ("velrange", "ffrange")
    },
    **{("orientation", name): {SELF: {"joint": None, "site": "s1", "refsite": "s2"}} for name in ("site", "refsite")},
    ("pid", "imax"): {SELF: {"ki": "1"}},
    ("pid", "dampratio"): {SELF: {"kp": "20"}},
    ("default_pid", "dampratio"): {SELF: {"kp": "20"}},
    ("pid", "ffrange"): {SELF: {"input": "pos vel ff"}},
    ("dcmotor", "controller"): {SELF: {"input": "pos"}},
    ("sensor_user", "objtype"): {SELF: {"objtype": "body", "objname": "b1"}},
    ("sensor_user", "objname"): {SELF: {"objtype": "body", "objname": "b1"}},
    ("intvelocity", "actlimited"): {SELF: {"actrange": "0 1"}},
    "ctrllimited": {SELF: {"ctrlrange": "0 1"}},
    "forcelimited": {SELF: {"forcerange": "0 1"}},
    "delay": {SELF: {"nsample": "3"}},
    **{
        (f"default_{kind}", "cranklength"): {}
        for kind in (
            "general",
            "motor",
            "position",
            "velocity",
            "intvelocity",
            "pid",
            "damper",
            "cylinder",
            "muscle",
            "dcmotor",
        )
    },
    "cranklength": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "cranksite": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "slidersite": {SELF: {"joint": None, "cranksite": "s1", "slidersite": "s2", "cranklength": "1"}},
    "refsite": {SELF: {"joint": None, "site": "s1"}},
    "reftype": {SELF: {"reftype": "body", "refname": "b3"}},
    "refname": {SELF: {"reftype": "body", "refname": "b3"}},
    ("rangefinder", "camera"): {SELF: {"site": None, "camera": "cam1"}},
    **{
        (kind, f"body{i}"): {SELF: {f"geom{i}": None, f"body{i}": "b1"}}
        for kind in ("distance", "normal", "fromto")
        for i in (1, 2)
    },
}
# Rows that decide whether a document is accepted: exactly one of the two documents is.
VERDICTS = {
    ("texture", "embed"),
    *(("default_texture", name) for name in ("embed", "builtin", "width", "height")),
    ("flag", "ipc"),
    ("compiler", "autolimits"),
    ("compiler", "balanceinertia"),
    ("compiler", "inertiatolerance"),
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
NO_SIMULATION = "length ranges are found by simulation, which comes later"
EXCEPTIONS = {
    (
        "compiler",
        "passthrough",
    ): "textures in memory stay in the model: tests/parity/test_texture_references.py has files",
    **{
        (kind, "actlimited"): "the shortcut sets it itself, as in the reference; writing it is a finding"
        for kind in ("intvelocity", "default_intvelocity")
    },
    ("compiler", "conflict"): "matters beside attached models only: tests/spec/attach_test.cpp shows it",
    **{
        ("lengthrange", name): NO_SIMULATION
        for name in (
            "accel",
            "maxforce",
            "timeconst",
            "timestep",
            "inttotal",
            "interval",
            "tolrange",
        )
    },
    ("frame", "name"): "the model keeps no frames; only <attach frame=…> of another file uses it",
}

REFERENCES = {
    "body": "b2",
    "joint": "j2",
    "geom": "g2",
    "site": "s3",
    "camera": "cam2",
    "material": "mat1",
    "texture": "tex1",
    "tendon": "t2",
    "actuator": "a2",
    "mesh": "mesh2",
}


def numbers(attribute):
    """Numbers that differ from the default and from each other."""
    default = attribute["default"].split()
    count = attribute["max"] or max(len(default), 2)
    if attribute["kind"] == "int":
        return " ".join(str(int(default[i]) + 1 + i if i < len(default) else 1 + i) for i in range(count))
    return " ".join(f"{0.137 * (i + 1) + (float(default[i]) / 2 if i < len(default) else 0):.6g}" for i in range(count))


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
