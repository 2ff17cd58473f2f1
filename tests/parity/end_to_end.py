"""Compares accelerations of whole forward passes with the reference, and explains what differs by contacts.

States lie along trajectories of the reference and at random places; both engines solve at tolerance 1e-15, Pliant with its
own contacts. A state agrees if qacc does within LIMIT. For the others the table says which pair of shapes makes the first
difference, or that contacts and rows are equal and only the solution is not. From the command line:

    end_to_end.py [FILE…] [--states N]          (without files: all models that test_model.py takes)
"""

import argparse
import collections
import sys

import mujoco
import numpy as np
from pliant import _pliant
from pliant._contact import _MjContactList

import compare
import conftest
import dynamics
import rows

LIMIT = 1e-6
# Searches of the reference for contacts of convex shapes stop 1e-6 m early by default; here they go on as far as they can.
SEARCH = {"ccd_tolerance": 1e-11, "ccd_iterations": 500}
SAME_PLACE = 1e-7  # of contacts [m]
SHAPES = [name.removeprefix("mjGEOM_").lower() for name in mujoco.mjtGeom.__members__]


def contacts_by_pair(contacts):
    """{(geom, geom): rows of dist, pos and normal, sorted}"""
    pairs = collections.defaultdict(list)
    for geom, dist, pos, frame in zip(contacts.geom, contacts.dist, contacts.pos, contacts.frame):
        pairs[tuple(sorted(map(int, geom)))].append([float(dist), *pos, *np.ravel(frame)[:3]])
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


def contact_difference(model, reference, mine):
    """The pair of shapes whose contacts differ most, in words; '' if all are in the same places."""
    if model.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP:
        return "bodies asleep in the reference"
    theirs, ours = contacts_by_pair(reference.contact), contacts_by_pair(mine)
    worst, reason = (0, 0), ""
    for pair in sorted(theirs.keys() | ours.keys()):
        none = np.zeros((0, 7))
        size, words = pair_difference(theirs.get(pair, none), ours.get(pair, none))
        # points along a rim or a face may lie anywhere on it: they count after depths
        weight = ("place" not in words, size)
        if words and weight > worst:
            types = "-".join(sorted(SHAPES[model.geom_type[geom]] for geom in pair))
            worst, reason = weight, f"{types}: {words}"
    return reason


def compare_file(path, count, seed=0):
    """(states that agree, states, {reason: [error of each other state]}); None if the model cannot be compared."""
    reference_model, _ = compare.load_reference(path)
    if reference_model is None or compare.out_of_scope(reference_model):
        return None
    reference_model, model = dynamics.load_pair(path, constraints=True)
    dynamics.fill_constants(reference_model, model)
    rows.set_options({**rows.CONVERGED, **SEARCH}, reference_model, model)
    data = mujoco.MjData(reference_model)
    state, mine = _pliant.State(model), _pliant.Data(model)
    agree, states, reasons = 0, 0, collections.defaultdict(list)
    for reference in rows.states(reference_model, data, count, seed):
        states += 1
        difference = rows.compare_forward(reference_model, reference, model, state, mine)["qacc"]
        if difference is None or difference.error <= LIMIT:
            agree += 1
            continue
        counts = _pliant.row_counts(mine)
        reason = contact_difference(reference_model, reference, _MjContactList(mine))
        if not reason:
            reason = "a contact at distance 0" if counts["nefc"] != reference.nefc else "solution of equal contacts"
        reasons[reason].append(difference.error)
    return agree, states, dict(reasons)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--verbose", action="store_true", help="a line for every model with a difference")
    arguments = parser.parse_args()
    files = arguments.files or [p.values[0] for p in conftest.model_files() if p.values[0]]
    agree = states = models = 0
    table = collections.defaultdict(list)
    for path in files:
        try:
            result = compare_file(path, arguments.states)
        except (ValueError, _pliant.LoadError):
            continue
        if result is None:
            continue
        models += 1
        agree += result[0]
        states += result[1]
        for reason, errors in result[2].items():
            table[reason] += [(error, str(path)) for error in errors]
            if arguments.verbose:
                print(f"{path}: {reason}: {len(errors)} states, worst {max(errors):.1e}", flush=True)
    print(f"{models} models, {agree} of {states} states within {LIMIT:g} ({100 * agree / max(1, states):.2f} %)")
    for reason, found in sorted(table.items(), key=lambda item: -len(item[1])):
        files = sorted({path for _, path in found})
        print(f"{len(found):5d}  {reason}: worst {max(found)[0]:.1e}, {len(files)} models, as {files[0]}")
    return agree < 0.99 * states


if __name__ == "__main__":
    sys.exit(main())
