"""Keyframes of attached models where a part of them is copied once more by <attach> without a model.

The reference moves the values of what is copied: the copy has them, and the original is at rest in that keyframe.
Pliant leaves them where the keyframe put them (docs/differences.md). Here a difference is shown to
be that, number by number.
"""

import xml.etree.ElementTree

import mujoco
import numpy as np

import pliant.mujoco

JOINT_NUMBERS = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}  # positions and velocities: free, ball, slide, hinge
FIELDS = ("key_qpos", "key_qvel", "key_plastic", "key_act", "key_ctrl", "key_mpos", "key_mquat")


def self_attachments(files):
    """Prefixes of attachments of the model itself."""
    prefixes = []
    for file in files:
        for node in xml.etree.ElementTree.parse(file).iter("attach"):
            if "model" not in node.attrib and node.get("prefix"):
                prefixes.append(node.get("prefix"))
    return prefixes


def identities(model):
    """Names of bodies; one without has its place among its siblings behind that of its parent."""
    found, children = ["world"], [0] * model.nbody
    for b in range(1, model.nbody):
        parent = model.body_parentid[b]
        found.append(model.body(b).name or f"{found[parent]}/{children[parent]}")
        children[parent] += 1
    return found


def stretches(model):
    """{field: {(kind, name): slice}}: which numbers of a keyframe belong to which object."""
    found = {field: {} for field in FIELDS}

    def add(field, kind, name, first, count):
        if first >= 0 and count > 0 and name:
            found[field][kind, name] = slice(first, first + count)

    bodies = identities(model)
    for j in range(model.njnt):
        body, (positions, velocities) = model.jnt_bodyid[j], JOINT_NUMBERS[int(model.jnt_type[j])]
        name = model.joint(j).name or f"{bodies[body]}#{j - model.body_jntadr[body]}"
        add("key_qpos", "joint", name, model.jnt_qposadr[j], positions)
        add("key_qvel", "joint", name, model.jnt_dofadr[j], velocities)
        add("key_plastic", "joint", name, model.jnt_plasticadr[j], positions)
    for t in range(model.ntendon):
        add("key_plastic", "tendon", model.tendon(t).name, model.tendon_plasticadr[t], 2)
    for i in range(model.nactuator):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, i)
        add("key_act", "actuator", name, model.actuator_actadr[i], model.actuator_actnum[i])
        add("key_ctrl", "actuator", name, model.actuator_ctrladr[i], model.actuator_ctrlnum[i])
    for b in range(model.nbody):
        add("key_mpos", "body", bodies[b], 3 * model.body_mocapid[b], 3)
        add("key_mquat", "body", bodies[b], 4 * model.body_mocapid[b], 4)
    return found


def at_rest(model):
    data = pliant.mujoco.MjData(model)
    rest = (data.qpos, np.zeros(model.nv), data.plastic, np.zeros(model.na), np.zeros(model.nu), data.mocap_pos,
            data.mocap_quat)  # fmt: skip
    return {field: np.ravel(values) for field, values in zip(FIELDS, rest)}


def originals(name, prefixes):
    """What the object may be a copy of, copies of copies included."""
    found = {name[len(p) :] for p in prefixes if name.startswith(p) and len(name) > len(p)}
    return found | {further for one in found for further in originals(one, prefixes)}


def are_moved(reference, model, fields, files):
    """Whether in all these fields the reference has values of originals in their copies, and nothing else differs."""
    prefixes = self_attachments(files)
    if not prefixes or not set(fields) <= set(FIELDS):
        return False
    owners, rest = stretches(reference), at_rest(model)
    return all(
        is_moved(np.reshape(getattr(reference, field), (reference.nkey, -1)),
                 np.reshape(getattr(model, field), (model.nkey, -1)), owners[field], rest[field], prefixes)
        for field in fields
    )  # fmt: skip


def is_moved(theirs, ours, owners, rest, prefixes):
    def same(a, b):
        return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-9)

    above = {key: [(key[0], n) for n in originals(key[1], prefixes) if (key[0], n) in owners] for key in owners}
    copies = {}
    for copy, names in above.items():
        for name in names:
            copies.setdefault(name, []).append(copy)
    for his, mine in zip(theirs, ours):
        explained = np.isclose(his, mine, rtol=1e-9, atol=1e-9)
        for key, place in owners.items():
            if explained[place].all():
                continue
            given = same(mine[place], rest[place]) and any(same(his[place], mine[owners[o]]) for o in above[key])
            taken = same(his[place], rest[place]) and any(
                same(his[owners[c]], mine[place]) for c in copies.get(key, ())
            )
            explained[place] = given or taken
        if not explained.all():
            return False
    return True
