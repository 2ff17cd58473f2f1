#!/usr/bin/env python3
"""Compares contacts with the reference's, along trajectories of the reference.

    contacts.py [FILE...] [--steps N] [--every K] [--jobs J] [--whole] [--verbose]

Without files: all models that test_model.py takes. Cases of the loader (tests/parity/cases) are summed up apart: they
put geoms in the same place.

The reference steps with random controls. Every few steps both engines find contacts. As everywhere in these tests the
stage starts from the reference's own numbers, here the poses of geoms; with --whole, from its joint positions: poses
then differ in their last bits, which decide where a polygon of contacts has several equally good corners to keep
(stacked meshes), and nothing else. A pair of geoms agrees when both have as many contacts for it and their distances
differ by at most 1e-6 m. A state agrees when all its pairs do; states are judged once for pairs of primitive geoms and
once for pairs with a mesh or a height field. Prints a table by types of geoms.

Where convex geoms differ, the depth itself is computed here from their support functions, by search over directions.
A difference is the reference's error if the depth proves it: an overlap lost, a contact of geoms that are apart, or a
depth wrong by more than 1e-6 m where ours is right. It is rounding if the reference has our answer when one of the
geoms is moved by NUDGE: mirror images have two directions that are equally deep. Shares are given as they are, and with
such states counted as right. The remainder is listed pair by pair: for each reason the files, the types of geoms, in
how many states, and one example.
"""

import argparse
import collections
import dataclasses
import multiprocessing
import pathlib
import sys

import mujoco
import numpy as np

from pliant import _pliant

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare
import conftest

DISTANCE_LIMIT = 1e-6  # m
NUDGE, TRIES = 1e-13, 24  # m
ROUNDING = "decided by rounding in the reference"
PARAMETERS = ("includemargin", "friction", "solref", "solreffriction", "solimp", "adhesion", "dim", "exclude")
TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
LAYOUT = np.dtype(_pliant.contact_layout())
INPUTS = ("qpos", "mocap_pos", "mocap_quat")
POSES = ("geom_xpos", "geom_xmat", "xipos", "ximat")


@dataclasses.dataclass
class Kind:
    """What was seen of one pair of types."""

    pairs: int = 0  # pairs of geoms in contact in either engine, over all states
    agree: int = 0
    missing: int = 0  # contact only in the reference
    extra: int = 0  # contact only in ours
    count: int = 0  # another number of contacts
    distance: int = 0  # same number, distances differ
    proven: int = 0  # of all these: the reference is wrong and ours is right, or rounding decides there
    worst: float = 0.0  # largest difference of distances where numbers agree

    def add(self, other):
        for field in ("pairs", "agree", "missing", "extra", "count", "distance", "proven"):
            setattr(self, field, getattr(self, field) + getattr(other, field))
        self.worst = max(self.worst, other.worst)


@dataclasses.dataclass
class Remainder:
    """Differences of one reason between geoms of the same types in one file."""

    states: set = dataclasses.field(default_factory=set)
    pairs: int = 0
    example: str = ""


@dataclasses.dataclass
class Result:
    states: int = 0
    # per class of pairs: states in which there are any, and in which all of them agree
    seen: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    agree: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    proven: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # all others have proofs
    rounding: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # of these: all by rounding
    kinds: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(Kind))
    order: list = dataclasses.field(default_factory=list)  # states with equal sets in another order
    parameters: list = dataclasses.field(default_factory=list)  # parameters that differ
    remainder: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(Remainder)
    )  # (reason, file, types)

    def share(self, which):
        return self.agree[which] / self.seen[which] if self.seen[which] else 1.0

    def equal(self, which):
        """The share of states that agree, or would if the reference rounded otherwise."""
        return (self.agree[which] + self.rounding[which]) / self.seen[which] if self.seen[which] else 1.0

    def right(self, which):
        """The share of states that agree or in which all differences are proven errors or rounding of the reference."""
        return (self.agree[which] + self.proven[which]) / self.seen[which] if self.seen[which] else 1.0

    def add(self, other):
        self.states += other.states
        self.seen += other.seen
        self.agree += other.agree
        self.proven += other.proven
        self.rounding += other.rounding
        self.order += other.order
        self.parameters += other.parameters
        self.remainder.update(other.remainder)  # of other files
        for key, kind in other.kinds.items():
            self.kinds[key].add(kind)


def our_contacts(model, state, data, poses=None):
    """From the State, or from the poses of the reference's data."""
    for stage in ("poses", "com"):
        _pliant.run_stage(model, state, data, stage)
    for field in POSES if poses is not None else ():
        getattr(data, field)[:] = getattr(poses, field)
    _pliant.run_stage(model, state, data, "collision")
    return data.contact_memory().view(LAYOUT)[:, 0]


def by_pair(geoms, dists):
    groups = collections.defaultdict(list)
    for (a, b), dist in zip(geoms.tolist(), dists.tolist()):
        groups[a, b].append(dist)
    return {pair: sorted(values) for pair, values in groups.items()}


def same_distances(x, y):
    """Sorted ones."""
    return len(x) == len(y) and all(abs(p - q) <= DISTANCE_LIMIT for p, q in zip(x, y))


def is_rounding(reference, poses, pair, mine):
    """Whether the reference has our distances when the second geom is moved by NUDGE."""
    rng, nudged = np.random.default_rng(0), mujoco.MjData(reference)
    mujoco.mj_copyData(nudged, reference, poses)
    where = poses.geom_xpos[pair[1]].copy()
    for _ in range(TRIES):
        nudged.geom_xpos[pair[1]] = where + NUDGE * rng.normal(size=3)
        mujoco.mj_collision(reference, nudged)
        if same_distances(by_pair(nudged.contact.geom, nudged.contact.dist).get(pair, []), mine):
            return True
    return False


def reach(reference, poses, geom, directions):
    """How far a convex geom extends in unit directions: max of n . x over its points x, per row n."""
    size, kind, mesh = reference.geom_size[geom], TYPES[reference.geom_type[geom]], reference.geom_dataid[geom]
    first = reference.mesh_vertadr[mesh] if kind == "mesh" else 0
    local = directions @ poses.geom_xmat[geom].reshape(3, 3)
    along = np.abs(local[:, 2])
    far = {
        "sphere": lambda: np.full(len(local), size[0]),
        "capsule": lambda: size[0] + size[1] * along,
        "ellipsoid": lambda: np.linalg.norm(local * size, axis=1),
        "cylinder": lambda: size[0] * np.linalg.norm(local[:, :2], axis=1) + size[1] * along,
        "box": lambda: np.abs(local) @ size,
        "mesh": lambda: (local @ reference.mesh_vert[first : first + reference.mesh_vertnum[mesh]].T).max(axis=1),
    }[kind]()
    return far + directions @ poses.geom_xpos[geom]


def depth_along(reference, poses, pair, directions):
    """By how much two convex geoms overlap in unit directions, out of the first."""
    return reach(reference, poses, pair[0], directions) + reach(reference, poses, pair[1], -directions)


def overlap(reference, poses, pair, hints):
    """The least distance by which two convex geoms must be moved apart; negative: they are apart by more than that.

    Least value of the depth in direction n over all n: the best of many directions and of `hints`, then narrower and
    narrower cones about each of the best.
    """
    rng = np.random.default_rng(0)

    def depth(directions):
        return depth_along(reference, poses, pair, directions)

    def unit(vectors):
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    directions = unit(np.vstack([rng.normal(size=(2000, 3)), *hints]))
    values = depth(directions)
    starts = list(np.argsort(values)[:6]) + list(range(2000, len(directions)))
    least = np.inf
    for start in starts:
        best, value = directions[start], values[start]
        for step in 0.3 * 0.6 ** np.arange(42):
            near = unit(best + step * rng.normal(size=(48, 3)))
            found = depth(near)
            if found.min() < value:
                best, value = near[found.argmin()], found.min()
        least = min(least, value)
    return least


def depths(reference, poses, ours, pair, theirs, mine):
    """The depths that both searches found, negative; None: none. Points of clipped faces lie at other depths."""
    flat = all(TYPES[reference.geom_type[g]] in ("box", "mesh") for g in pair)
    found = [theirs[0] if theirs else None, mine[0] if mine else None]
    if flat and theirs:
        found[0] = mujoco.mj_geomDistance(reference, poses, *pair, 1.0, None)
    if flat and mine:
        found[1] = _pliant.mj_geomDistance(*ours, *pair, 1.0, None)
    return found


def reason_of(reference, poses, ours, pair, theirs, mine, hints):
    """(why contacts of a pair differ, whether the reference is wrong and ours right, or rounding decides there).

    `ours`: our Model and World; `theirs`, `mine`: sorted distances.
    """
    types = [TYPES[reference.geom_type[g]] for g in pair]
    if pair[0] == pair[1]:
        return "a geom does not touch itself", not mine
    if is_rounding(reference, poses, pair, mine):
        return ROUNDING, True
    if "hfield" in types:
        return "height field", False
    if types[0] == "plane":
        return f"plane and {types[1]}", False
    true = -overlap(reference, poses, pair, hints)
    their_depth, our_depth = depths(reference, poses, ours, pair, theirs, mine)
    if our_depth is None and true > 0:
        return "contact of geoms that are apart in the reference", True
    if our_depth is None or abs(our_depth - true) > DISTANCE_LIMIT:
        return "depth not proven", False
    if their_depth is not None and abs(their_depth - true) <= DISTANCE_LIMIT:
        return "same depth, " + ("other points" if len(theirs) == len(mine) else "another number of points"), False
    if types == ["capsule", "box"]:
        return "rod in a box", True
    if not theirs:
        centres = np.linalg.norm(poses.geom_xpos[pair[0]] - poses.geom_xpos[pair[1]])
        same = "same centre: " if centres < reference.opt.ccd_tolerance else ""
        return same + "overlap lost by the reference", True
    return f"depth too {'large' if theirs[0] < true else 'small'} in the reference", True


def compare_state(reference, theirs, mine, where, result, poses=None, ours=None):
    """One state: `theirs` is the reference's contact list, `mine` our structured array, `where` the file and the step.

    Reasons of differences are sought if `poses`, the reference's data, and `ours`, our Model and World, are given.
    """
    result.states += 1
    a, b = by_pair(theirs.geom, theirs.dist), by_pair(mine["geom"], mine["dist"])
    bad, errors, rounding = collections.Counter(), collections.Counter(), collections.Counter()
    seen = set()
    for pair in sorted(a.keys() | b.keys()):
        types = tuple(int(reference.geom_type[g]) for g in pair)
        which = "mesh" if types[1] == 7 or types[0] == 1 else "primitive"
        seen.add(which)
        kind = result.kinds[types]
        kind.pairs += 1
        x, y = a.get(pair, []), b.get(pair, [])
        if same_distances(x, y):
            kind.agree += 1
            kind.worst = max(kind.worst, max((abs(p - q) for p, q in zip(x, y)), default=0.0))
            continue
        bad[which] += 1
        if poses is not None:
            hints = [theirs.frame[:, :3][(theirs.geom == pair).all(axis=1)]]
            hints.append(mine["frame"].reshape(-1, 9)[(mine["geom"] == pair).all(axis=1)][:, :3])
            reason, error_there = reason_of(reference, poses, ours, pair, x, y, hints)
            errors[which] += error_there
            rounding[which] += reason == ROUNDING
            kind.proven += error_there
            rest = result.remainder[reason, where[0], type_name(types)]
            rest.states.add(where[1])
            rest.pairs += 1
            rest.example = rest.example or (f"step {where[1]}, geoms {pair}: reference {np.round(x, 9).tolist()}, "
                                            f"ours {np.round(y, 9).tolist()}")  # fmt: skip
        if not y:
            kind.missing += 1
        elif not x:
            kind.extra += 1
        elif len(x) != len(y):
            kind.count += 1
        else:
            kind.distance += 1
    for which in seen:
        result.seen[which] += 1
        result.agree[which] += bad[which] == 0
        result.proven[which] += 0 < bad[which] == errors[which]
        result.rounding[which] += 0 < bad[which] == rounding[which]
    if not bad:
        compare_rest(theirs, mine, where, result)


def compare_rest(theirs, mine, where, result):
    """Order and parameters, where the sets agree."""
    if not np.array_equal(theirs.geom, mine["geom"]):
        result.order.append(f"{where}: reference {theirs.geom.tolist()}, ours {mine['geom'].tolist()}")
        return
    for name in PARAMETERS:
        x, y = np.asarray(getattr(theirs, name)), mine[name]
        same = np.isclose(x, y, rtol=1e-13, atol=0)
        if name == "exclude":  # a distance within rounding of the margin
            same |= np.abs(theirs.dist - theirs.includemargin) < 1e-9
        if not same.all():
            result.parameters.append(f"{where}: {name}: reference {x[~same][:3]}, ours {y[~same][:3]}")


def load_pair(path):
    """Both models, or (None, why not)."""
    reference, message = compare.load_reference(path)
    if reference is None:
        return None, f"the reference refuses it: {message}"
    reason = compare.out_of_scope(reference)
    if reason:
        return None, f"out of scope: {reason}"
    if reference.nbody < 2 or reference.nv == 0:
        return None, "nothing moves"
    reference.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)  # sleeping bodies have no contacts there
    return (reference, _pliant.Model(str(path))), ""


def along_trajectory(reference, model, steps, every, name="", seed=0, whole=False):
    """Contacts from the positions of a trajectory with random controls."""
    rng = np.random.default_rng(seed)
    data, scratch = mujoco.MjData(reference), mujoco.MjData(reference)
    if reference.nkey:
        mujoco.mj_resetDataKeyframe(reference, data, 0)
    world = _pliant.World(model)
    state, ours = world.state, world.data
    low, high = control_ranges(reference)
    result = Result()
    for step in range(steps):
        if step % 25 == 0:
            data.ctrl[:] = rng.uniform(low, high)
        if step % every == 0:
            for field in INPUTS:
                getattr(scratch, field)[:] = getattr(data, field)
                getattr(state, field)[:] = getattr(data, field)
            mujoco.mj_kinematics(reference, scratch)
            mujoco.mj_comPos(reference, scratch)
            mujoco.mj_collision(reference, scratch)
            mine = our_contacts(model, state, ours, None if whole else scratch)
            compare_state(reference, scratch.contact, mine, (name, step), result, scratch, (model, world))
        mujoco.mj_step(reference, data)
        if not np.isfinite(data.qpos).all() or data.warning.number[: mujoco.mjtWarning.mjNWARNING].any():
            break  # blown up: what follows is noise
    return result


def control_ranges(reference):
    """Where random controls are drawn from, per control."""
    low, high = np.full(reference.nu, -1.0), np.full(reference.nu, 1.0)
    for i in range(reference.nu):
        if i < len(reference.actuator_ctrllimited) and reference.actuator_ctrllimited[i]:
            low[i], high[i] = reference.actuator_ctrlrange[i]
    return low, high


def type_name(types):
    return f"{TYPES[types[0]]}–{TYPES[types[1]]}"


def table(result):
    rows = [
        f"{'pair':<22}{'seen':>8}{'agree':>9}{'missing':>9}{'extra':>7}{'count':>7}{'dist':>6}{'proven':>8}"
        f"{'worst':>10}"
    ]
    for types, kind in sorted(result.kinds.items()):
        share = f"{100 * kind.agree / kind.pairs:.2f}%"
        rows.append(f"{type_name(types):<22}{kind.pairs:>8}{share:>9}{kind.missing:>9}{kind.extra:>7}{kind.count:>7}"
                    f"{kind.distance:>6}{kind.proven:>8}{kind.worst:>10.1e}")  # fmt: skip
    for which in ("primitive", "mesh"):
        if result.seen[which]:
            rows.append(f"states with {which} contacts: {result.seen[which]}, agree {100 * result.share(which):.2f}%, "
                        f"with "
                        f"rounding of the reference {100 * result.equal(which):.2f}%, with its proven errors "
                        f"{100 * result.right(which):.2f}%")  # fmt: skip
    rows.append(f"other order: {len(result.order)}, other parameters: {len(result.parameters)}")
    return "\n".join(rows)


def remainder_table(result):
    """Every reason, largest first, with its files."""
    by_reason = collections.defaultdict(list)
    for (reason, name, types), rest in result.remainder.items():
        by_reason[reason].append((len(rest.states), name, types, rest))
    rows = ["remainder:"]
    for reason, found in sorted(by_reason.items(), key=lambda item: -sum(count for count, *_ in item[1])):
        rows.append(f"{sum(count for count, *_ in found)} states, {sum(r.pairs for *_, r in found)} pairs: {reason}")
        for count, name, types, rest in sorted(found, key=lambda row: (-row[0], row[1], row[2])):
            rows.append(f"  {count:>5} states {rest.pairs:>6} pairs  {types:<20} {name}: {rest.example}")
    return "\n".join(rows)


def compare_file(path, name, arguments):
    """(result or None, in words)"""
    pair, reason = load_pair(path)
    if pair is None:
        return None, f"{name}: {reason}"
    result = along_trajectory(*pair, arguments.steps, arguments.every, name=name, whole=arguments.whole)
    words = (f"{name}: {result.states} states, primitive {100 * result.share('primitive'):.1f}%, mesh "
             f"{100 * result.share('mesh'):.1f}%, order {len(result.order)}, parameters "
             f"{len(result.parameters)}")  # fmt: skip
    return result, "\n  ".join([words, *result.order[:1], *result.parameters[:2]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="from joint positions in place of poses of geoms")
    parser.add_argument("--verbose", action="store_true", help="a line for every file")
    arguments = parser.parse_args()
    files = [(path, path.name) for path in arguments.files] or [p.values for p in conftest.model_files() if p.values[0]]
    models, cases = Result(), Result()
    with multiprocessing.Pool(arguments.jobs) as pool:
        waiting = [(path, pool.apply_async(compare_file, (path, name, arguments))) for path, name in files]
        for path, one in waiting:
            result, words = one.get()
            if arguments.verbose:
                print(words, flush=True)
            if result is not None:
                (cases if conftest.CASES in path.resolve().parents else models).add(result)
    for title, result in (("cases of the loader", cases), ("models", models)):
        print(f"---- {title} ----\n{remainder_table(result)}\n{table(result)}")


if __name__ == "__main__":
    main()
