"""Compares accelerations of whole forward passes with the reference, and explains what differs by contacts.

States lie along trajectories of the reference and at random places; both engines solve at tolerance 1e-15, Pliant with
its own contacts. A state agrees if qacc does within LIMIT, for one of two settings of the reference's search for
contacts of convex shapes: that of the model, which stops 1e-6 m early and finds further points by rounding, as Pliant
does; or SEARCH, which goes on as far as it can, so that depths and normals have all the digits it can give. For the
other states the table says which pair of shapes makes the largest difference, or that contacts and rows are equal and
only the solution is not; a state counts as proven if each pair of its contacts that differs is an error of the
reference by the depth that contacts.py computes from support functions, at one of the two settings; if the reference
disagrees with itself by more than LIMIT when positions and velocities change by their last digits, or jumps when they
change by NUDGES[-1] (where several points are equally deep, rounding decides which and how many it takes); or if Pliant
does better on purpose, by a rule of the known differences (ON_PURPOSE). From the command line:

    end_to_end.py [FILE…] [--states N]          (without files: all models that test_model.py takes)

Cases of the loader (tests/parity/cases) are summed up apart: they put geoms in the same place.
"""

import argparse
import collections
import dataclasses
import pathlib
import sys

import mujoco
import numpy as np

import compare
import conftest
import contacts
import dynamics
import rows
from pliant import _pliant
from pliant._contact import _MjContactList

LIMIT = 1e-6
SEARCH = {"ccd_tolerance": 1e-11, "ccd_iterations": 500}
SAME_PLACE = 1e-7  # of contacts [m]
NUDGES, TRIES = (1e-14, 1e-10), 16  # relative changes; how many of each
JUMP = 1000  # times the least change of the others of the same size: not a slope
SHAPES = [name.removeprefix("mjGEOM_").lower() for name in mujoco.mjtGeom.__members__]


def contacts_by_pair(contacts):
    """{(geom, geom): rows of dist, pos and normal, sorted}"""
    pairs = collections.defaultdict(list)
    for geom, dist, pos, frame in zip(contacts.geom, contacts.dist, contacts.pos, contacts.frame):
        pairs[tuple(map(int, geom))].append([float(dist), *pos, *np.ravel(frame)[:3]])
    return {pair: np.array(sorted(found)) for pair, found in pairs.items()}


def pair_difference(theirs, ours):
    """(size, in words) of the difference of the contacts of one pair; the words are '' if there is none."""
    if len(theirs) and len(ours):
        deepest = theirs[:, 0].min(), ours[:, 0].min()
        # the depth of an overlap is the least that separates: the smaller one is right
        if deepest[1] > deepest[0] + SAME_PLACE:
            return deepest[1] - deepest[0], "depth of the reference is not the least"
        if deepest[1] < deepest[0] - SAME_PLACE:
            return deepest[0] - deepest[1], "depth"
    if len(theirs) != len(ours):
        return 1e-6, "number of points"
    # the order of points is compared elsewhere: nearest ones belong together
    gap = np.abs(theirs[:, None] - ours[None]).max(axis=2)
    error = max(gap.min(axis=0).max(), gap.min(axis=1).max())
    return (error, "place or normal") if error > SAME_PLACE else (0, "")


def is_small_mesh_on_plane(model, pair):
    """Fewer than ten vertices: the reference takes the neighbours of a wrong vertex (docs/differences.md)."""
    types = {contacts.TYPES[model.geom_type[geom]]: geom for geom in pair}
    return set(types) == {"plane", "mesh"} and model.mesh_vertnum[model.geom_dataid[types["mesh"]]] < 10


ON_PURPOSE = (is_small_mesh_on_plane,)


def is_proven(model, reference, pair, theirs, ours):
    """Whether the contacts of a pair differ because the reference's depth or normal is not that of the least depth."""
    if any(rule(model, pair) for rule in ON_PURPOSE):
        return True
    if any(contacts.TYPES[model.geom_type[geom]] in ("plane", "hfield", "sdf") for geom in pair):
        return False

    def least(found):
        """Along the normals that were found; further points of a pair have normals that are turned on purpose."""
        return contacts.depth_along(model, reference, pair, found[:, 4:]).min()

    if len(theirs) and len(ours) and abs(theirs[:, 0].min() - ours[:, 0].min()) <= contacts.DISTANCE_LIMIT:
        return least(ours) < least(theirs)
    normals = np.vstack([theirs[:, 4:], ours[:, 4:]])
    true = -contacts.overlap(model, reference, pair, [normals])
    near = [len(found) > 0 and abs(found[:, 0].min() - true) <= contacts.DISTANCE_LIMIT for found in (theirs, ours)]
    return near == [False, True]


def contact_difference(model, reference, mine):
    """(the pair of shapes whose contacts differ most, in words, whether all differences are proven); '' if none
    differs."""
    theirs, ours = contacts_by_pair(reference.contact), contacts_by_pair(mine)
    worst, reason, proven = (0, 0), "", True
    for pair in sorted(theirs.keys() | ours.keys()):
        none = np.zeros((0, 7))
        both = theirs.get(pair, none), ours.get(pair, none)
        size, words = pair_difference(*both)
        if not words:
            continue
        proven = proven and is_proven(model, reference, pair, *both)
        # points along a rim or a face may lie anywhere on it: they count after depths
        weight = ("place" not in words, size)
        if weight > worst:
            types = "-".join(sorted(SHAPES[model.geom_type[geom]] for geom in pair))
            worst, reason = weight, f"{types}: {words}"
    return reason, proven


def is_rounding(model, reference):
    """Whether the reference disagrees with itself when positions and velocities change in their last digits."""
    rng, nudged = np.random.default_rng(0), mujoco.MjData(model)
    for size in NUDGES:
        errors = []
        for _ in range(TRIES):
            mujoco.mj_copyData(nudged, model, reference)
            for name in ("qpos", "qvel"):
                values = getattr(nudged, name)
                values[:] += size * rng.normal(size=len(values)) * (1 + np.abs(values))
            mujoco.mj_forward(model, nudged)
            difference = dynamics.worst("forward", "qacc", reference.qacc, nudged.qacc, rows.SMALL_ACCELERATION)
            errors.append(0 if difference is None else difference.error)
        if max(errors) > LIMIT and (size == NUDGES[0] or max(errors) > JUMP * min(errors)):
            return True
    return False


@dataclasses.dataclass
class Result:
    models: int = 0
    states: int = 0
    agree: int = 0
    proven: int = 0  # of the others: contacts of the reference are wrong, or decided by rounding
    reasons: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(list))  # [(error, file)]

    def add(self, other):
        for name in ("models", "states", "agree", "proven"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for reason, errors in other.reasons.items():
            self.reasons[reason] += errors


def compare_file(path, count, seed=0):
    """Result of one file; None if the model cannot be compared."""
    reference_model, _ = compare.load_reference(path)
    if reference_model is None or compare.out_of_scope(reference_model):
        return None
    reference_model, model = dynamics.load_pair(path, constraints=True)
    dynamics.fill_constants(reference_model, model)
    reference_model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)  # sleeping bodies have no contacts there
    rows.set_options(rows.CONVERGED, reference_model, model)
    usual = {name: getattr(reference_model.opt, name) for name in SEARCH}
    data = mujoco.MjData(reference_model)
    state, mine = _pliant.State(model), _pliant.Data(model)
    result = Result(models=1)
    for reference in rows.states(reference_model, data, count, seed):
        result.states += 1
        rounding = proven = False
        for search in (usual, SEARCH):
            rows.set_options(search, reference_model)
            mujoco.mj_forward(reference_model, reference)
            difference = rows.compare_forward(reference_model, reference, model, state, mine)["qacc"]
            if difference is None or difference.error <= LIMIT:
                break
            rounding = rounding or is_rounding(reference_model, reference)
            reason, by_depth = contact_difference(reference_model, reference, _MjContactList(mine))
            proven = proven or (by_depth and reason != "")
        else:
            if not reason:
                equal_rows = _pliant.row_counts(mine)["nefc"] == reference.nefc
                reason = "solution of equal contacts" if equal_rows else "a contact at distance 0"
            result.proven += proven or rounding
            result.reasons[reason + (" (proven)" if proven else " (rounding)" if rounding else "")].append(
                (difference.error, str(path))
            )
            rows.set_options(usual, reference_model)
            continue
        rows.set_options(usual, reference_model)
        result.agree += 1
    return result


def report(title, result):
    share, right = (100 * n / max(1, result.states) for n in (result.agree, result.agree + result.proven))
    print(f"{title}: {result.models} models, {result.agree} of {result.states} states within {LIMIT:g} "
          f"({share:.2f} %), with "
          f"proven errors and rounding of the reference {right:.2f} %")  # fmt: skip
    for reason, found in sorted(result.reasons.items(), key=lambda item: -len(item[1])):
        files = sorted({path for _, path in found})
        print(f"{len(found):5d}  {reason}: worst {max(found)[0]:.1e}, {len(files)} models, as {files[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--verbose", action="store_true", help="a line for every model with a difference")
    arguments = parser.parse_args()
    files = arguments.files or [p.values[0] for p in conftest.model_files() if p.values[0]]
    models, cases = Result(), Result()
    for path in files:
        try:
            result = compare_file(path, arguments.states)
        except (ValueError, _pliant.LoadError):
            continue
        if result is None:
            continue
        is_case = conftest.CASES in pathlib.Path(path).resolve().parents
        (cases if is_case else models).add(result)
        for reason, errors in result.reasons.items() if arguments.verbose else ():
            print(f"{path}: {reason}: {len(errors)} states, worst {max(errors)[0]:.1e}", flush=True)
    report("models", models)
    report("cases of the loader", cases)
    return models.agree + models.proven < 0.99 * models.states


if __name__ == "__main__":
    sys.exit(main())
