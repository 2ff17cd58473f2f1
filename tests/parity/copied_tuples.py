"""Tuples that hold a copied <exclude> or <pair> beside something that is not copied.

<replicate> copies an exclusion of two replicated bodies, and Pliant every tuple that holds it; the reference leaves
such a tuple out without a word (docs/differences.md). Here a difference is shown to be that.
"""

import xml.etree.ElementTree

import mujoco

CONTACTS = (int(mujoco.mjtObj.mjOBJ_EXCLUDE), int(mujoco.mjtObj.mjOBJ_PAIR))
FIELDS = {"names", "names_map", "nnames", "nnames_map", "ntuple", "ntupledata"}


def tuples(model):
    """{name: [(type, name of the object, parameter)]}"""
    found = {}
    for i in range(model.ntuple):
        first = model.tuple_adr[i]
        found[mujoco_name(model, mujoco.mjtObj.mjOBJ_TUPLE, i)] = [
            (int(model.tuple_objtype[k]), mujoco_name(model, model.tuple_objtype[k], model.tuple_objid[k]),
             float(model.tuple_objprm[k]))
            for k in range(first, first + model.tuple_size[i])
        ]  # fmt: skip
    return found


def mujoco_name(model, kind, number):
    """Of an object of either engine's model."""
    field = {"TUPLE": "name_tupleadr", "XBODY": "name_bodyadr", "BODY": "name_bodyadr", "JOINT": "name_jntadr",
             "GEOM": "name_geomadr", "SITE": "name_siteadr", "CAMERA": "name_camadr", "LIGHT": "name_lightadr",
             "MESH": "name_meshadr", "SKIN": "name_skinadr", "HFIELD": "name_hfieldadr", "TEXTURE": "name_texadr",
             "MATERIAL": "name_matadr", "PAIR": "name_pairadr", "EXCLUDE": "name_excludeadr",
             "EQUALITY": "name_eqadr", "TENDON": "name_tendonadr", "ACTUATOR": "name_actuatoradr",
             "SENSOR": "name_sensoradr", "NUMERIC": "name_numericadr", "TEXT": "name_textadr",
             "KEY": "name_keyadr"}[mujoco.mjtObj(int(kind)).name.removeprefix("mjOBJ_")]  # fmt: skip
    start = int(getattr(model, field)[number])
    return bytes(model.names)[start:].split(b"\0", 1)[0].decode()


def are_left_out(reference, model, fields, files):
    """Whether the models differ by such tuples alone."""
    if not all(f in FIELDS or f.startswith("tuple_") or (f.startswith("name_") and f.endswith("adr")) for f in fields):
        return False
    theirs, ours = tuples(reference), tuples(model)
    extra = {name for name in ours if name not in theirs}
    if not extra or {name: ours[name] for name in theirs if name in ours} != theirs:
        return False
    their_names, our_names = (bytes(m.names).split(b"\0") for m in (reference, model))
    if [name for name in our_names if name.decode() not in extra] != their_names:
        return False
    written = {node.get("name") for file in files for node in xml.etree.ElementTree.parse(file).iter()} - {None, ""}

    def is_copy(name):  # copies have a suffix, what is attached a prefix only
        return not any(name.endswith(one) for one in written)

    return all(
        any(kind in CONTACTS and is_copy(name) for kind, name, _ in ours[one])
        and any(not is_copy(name) for _, name, _ in ours[one])
        for one in extra
    )
