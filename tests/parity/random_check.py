#!/usr/bin/env python3
"""Compares Pliant with the reference on random documents, and shrinks those on which they disagree.

    .venv/bin/python tests/parity/random_check.py FIRST COUNT [--shrink] [--out FOLDER]

prints one line per disagreement and a table of verdicts. Documents are checked in child processes, so
that a crash of either side is one more verdict.
"""

import argparse
import collections
import dataclasses
import faulthandler
import json
import multiprocessing
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy: its threads wait for each other on a busy machine

import mujoco
import numpy as np

import children
import compare
import copied_tuples
import fused_angles
import moved_keys
import pliant
import pliant.mujoco
import random_models

EQUAL, DIFFERENT = "equal", "different"
BOTH_REFUSE = "both refuse"
ONLY_PLIANT_REFUSES, ONLY_REFERENCE_REFUSES = "only pliant refuses", "only the reference refuses"
KNOWN_REFUSAL = "only the reference refuses, for a known reason"
KNOWN_DIFFERENCE = "different, for a known reason"
CRASH, REFERENCE_CRASHES = "crash", "the reference crashes or never ends"
LONGEST = 20  # seconds of processor time for one document; the reference never ends on some


@dataclasses.dataclass
class Verdict:
    kind: str
    key: str = ""  # what the disagreement is about: equal keys have, most likely, equal causes
    detail: str = ""


def message_kind(message):
    """A message without names and numbers."""
    message = re.sub(r"'[^']*'", "'…'", message.strip().splitlines()[0] if message.strip() else "")
    return re.sub(r"[-+]?\d[\d.e+-]*", "#", message)[:160]


# Constants made with the inverse of the mass matrix. Two joints of nearly the same effect make rounding errors of that
# inverse large: both engines are right to within that.
NEED_INVERSE_MASS = {
    "body_invweight0", "dof_invweight0", "tendon_invweight0", "actuator_acc0", "jnt_stiffness", "dof_damping",
}  # fmt: skip


def inverse_error(reference):
    """Relative error that rounding may leave in the inverse of the mass matrix: infinite if it has none."""
    data = mujoco.MjData(reference)
    # not mj_forward: the reference crashes in the actuation of some models with many inputs
    for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_tendon, mujoco.mj_makeM):
        stage(reference, data)
    # (only the diagonal at the end of each row is needed of the whole)
    diagonal = data.M[reference.M_rowadr + reference.M_rownnz - 1]
    if not np.all(np.isfinite(data.M)) or np.any(diagonal <= 0):
        return np.inf
    # Entries are made about the centre of mass of a tree: small ones beside large ones have lost as many digits, and
    # so have those of a body far from it.
    condition = max(condition_of_mass(reference, data, 1 / np.sqrt(diagonal)), condition_of_mass(reference, data))
    lost = max(summands_of_diagonal(reference, data) / diagonal)
    error = 10 * np.finfo(float).eps * max(condition, lost)
    return error if error < 1e-2 else np.inf


def condition_of_mass(reference, data, scale=None):
    """Condition of the mass matrix, its rows and columns scaled. Each kinematic tree has a block: as one matrix,
    thousands of small trees would take minutes."""
    largest, smallest = 0.0, np.inf
    for first, count in zip(reference.tree_dofadr, reference.tree_dofnum):
        block = np.zeros((count, count))
        for i in range(count):
            row = reference.M_rowadr[first + i]
            entries = slice(row, row + reference.M_rownnz[first + i])
            columns = reference.M_colind[entries] - first
            block[i, columns] = block[columns, i] = data.M[entries]
        if scale is not None:
            block *= np.outer(scale[first : first + count], scale[first : first + count])
        sizes = np.abs(np.linalg.eigvalsh(block))
        largest, smallest = max(largest, sizes.max()), min(smallest, sizes.min())
    return largest / smallest if smallest > 0 else np.inf


def summands_of_diagonal(reference, data):
    """Sizes of the numbers of which the diagonal of the mass matrix is the sum: |a|'|I||a|, a of cdof, I of crb."""
    sizes = np.zeros(reference.nv)
    for i, body in enumerate(reference.dof_bodyid):
        a, crb = np.abs(data.cdof[i]), np.abs(data.crb[body])
        inertia = np.zeros((6, 6))
        inertia[:3, :3] = [[crb[0], crb[3], crb[4]], [crb[3], crb[1], crb[5]], [crb[4], crb[5], crb[2]]]
        inertia[:3, 3:] = [[0, crb[8], crb[7]], [crb[8], 0, crb[6]], [crb[7], crb[6], 0]]
        inertia[3:, :3] = inertia[:3, 3:].T
        inertia[3:, 3:] = crb[9] * np.eye(3)
        sizes[i] = a @ inertia @ a
    return sizes


# What only the reference refuses, and why Pliant does not (docs/differences.md).
KNOWN_REFUSALS = {
    "Error: engine error: tendon equality does not yet support sleeping": "nothing sleeps in Pliant",
    "Error: engine error: mj_stackAlloc: out of memory": "<size memory> is the reference's own memory",
    "Error: engine error: Could not allocate memory": "likewise: hundreds of copies, which Pliant has room for",
    "Error: engine error: discrete inverse dynamics is not supported by RK#": "Pliant warns: invdiscrete has no effect",
}
# The same, of documents with copies (<replicate>, <attach>): the reference renames references to what is not copied.
KNOWN_REFUSALS_OF_COPIES = {
    "Error: unknown target body in light": "copies of a light look at the target outside of what is copied",
    "Error: unknown target body in camera": "copies of a camera look at the target outside of what is copied",
    "Error: unknown texture in light": "copies of a light share its texture",
    "Error: base site '…' not found for actuator #": "an actuator between a replica and something else is copied",
    "Error: reference site '…' not found for actuator #": "likewise",
    "Error: geom '…' not found in tendon #, wrap #": "a tendon between a copy and something else is copied",
    "Error: site '…' not found in wrap #": "a tendon between a replica and something else is copied",
    "Error: unrecognized object '…' in tuple #": "a tuple of something that is replicated is copied",
    "Error: body '…' not found in bodypair #": "an exclusion between a replica and something else is copied",
    "Error: geom '…' not found in collision #": "a pair between a replica and something else is copied",
    "Error: repeated name '…' in key": "keyframes without a name have the prefix of an attachment for one: two clash",
    "XML Error: repeated name '…' in key": "likewise",
}


def looks_for_skin_twice(message, path):
    """Whether the file of a skin in an included document is in 'meshdir', and the reference wants it beside the main
    one as well."""
    missing = re.search(r"Error opening file '(.*\.skn)'", message)
    if not missing:
        return False
    file, folder = pathlib.Path(missing[1]), pathlib.Path(path).parent
    texts = [one.read_text() for one in folder.rglob("*.xml")]
    says = all(any(word in text for text in texts) for word in ("<include", "meshdir"))
    return says and file.parent == folder and not file.exists() and any(folder.glob(f"*/{file.name}"))


def is_known_refusal(message, path):
    if message.startswith(tuple(KNOWN_REFUSALS)):
        return True
    files = pathlib.Path(path).parent.rglob("*.xml")
    copies = any(tag in file.read_text() for file in files for tag in ("<replicate", "<attach"))
    return copies and message in KNOWN_REFUSALS_OF_COPIES


def is_not_finite(reference, error):
    """Whether Pliant refuses numbers that cannot be simulated, and the reference has such numbers."""
    field = error.message.split()[0]
    found = " is not finite" in error.message and getattr(reference, field, None)
    return isinstance(found, np.ndarray) and not np.all(np.isfinite(found))


def differences_of(reference, model):
    """What differs by more than rounding explains, and the bodies whose axes it decides."""
    result = compare.compare_models(reference, model, by_tensor=True)
    if any(d.field in NEED_INVERSE_MASS for d in result.differences):
        most = inverse_error(reference)
        result.differences = [
            d for d in result.differences if d.field not in NEED_INVERSE_MASS or (d.error > most and np.isfinite(most))
        ]
    return result.differences, result.undetermined


def differences_at(path):
    """Of a file that both must read; None when one does not."""
    reference, _ = compare.load_reference(path)
    if reference is None:
        return None
    return differences_of(reference, pliant.mujoco.MjModel.from_xml_path(str(path)))[0]


def check_path(path):
    reference, message = compare.load_reference(path)
    try:
        model = pliant.mujoco.MjModel.from_xml_path(str(path))
    except pliant.LoadError as error:
        errors = [finding for finding in error.diagnostics if finding.severity == "error"]
        key = " | ".join(sorted({f"{e.code} {message_kind(e.message)}" for e in errors}))
        if reference is None:
            return Verdict(BOTH_REFUSE, f"{message_kind(message)} / {key}", f"{message}\n{error}")
        if all(is_not_finite(reference, e) for e in errors):
            return Verdict(KNOWN_DIFFERENCE, "numbers of the reference that are not finite", str(error))
        return Verdict(ONLY_PLIANT_REFUSES, key, str(error))
    if reference is None:
        kind = message_kind(message)
        known = is_known_refusal(kind, path) or looks_for_skin_twice(message, path)
        return Verdict(KNOWN_REFUSAL if known else ONLY_REFERENCE_REFUSES, kind, message)
    differences, undetermined = differences_of(reference, model)
    if not differences:
        return Verdict(EQUAL, detail=f"axes of bodies {undetermined}" if undetermined else "")
    fields = sorted(difference.field for difference in differences)
    detail = "\n".join(map(str, differences[:30]))
    files = list(pathlib.Path(path).parent.rglob("*.xml"))
    if moved_keys.are_moved(reference, model, fields, files):
        return Verdict(KNOWN_DIFFERENCE, "keyframe values moved to copies", detail)
    if copied_tuples.are_left_out(reference, model, fields, files):
        return Verdict(KNOWN_DIFFERENCE, "tuples of copied contacts that the reference leaves out", detail)
    if fused_angles.explain(path, differences_at):
        return Verdict(KNOWN_DIFFERENCE, "Euler angles of fused bodies of attached models", detail)
    return Verdict(DIFFERENT, " ".join(fields), detail)


def check(document):
    with tempfile.TemporaryDirectory() as folder:
        return check_path(document.write(folder))


def limit_time():
    """Ends the process, with a traceback, when this document has taken too long."""
    faulthandler.register(signal.SIGPROF, chain=True)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)


def check_apart(document):
    """As check, in a process of its own, since either side may crash or never end."""
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def work():
        limit_time()
        sender.send(check(document))

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    sender.close()
    try:
        verdict = receiver.recv()
    except EOFError:
        verdict = Verdict(CRASH)
    child.join()
    return verdict


# ---- shrinking ------------------------------------------------------------------------------------------


def same_disagreement(a, b, focus=None):
    """Whether b still shows what a showed: the field `focus`, or the first field that differs."""
    if a.kind != b.kind:
        return False
    if a.kind == DIFFERENT:
        return (focus or a.key.split()[0]) in b.key.split()
    return a.key == b.key


def candidates(document):
    """Documents with something less, the most promising first."""
    for name in list(document.files)[1:]:
        smaller = document.copy()
        del smaller.files[name]
        for root in smaller.files.values():
            for node in root.walk():
                node.children = [c for c in node.children if c.attributes.get("file") != name]
        yield smaller
    for name, root in document.files.items():
        nodes = list(root.walk())
        for number, node in enumerate(nodes):
            for i in reversed(range(len(node.children))):
                smaller = document.copy()
                del list(smaller.files[name].walk())[number].children[i]
                yield smaller
        for number, node in enumerate(nodes):
            for i, child in enumerate(node.children):
                if child.children and child.tag in ("frame", "replicate", "body", "default"):
                    smaller = document.copy()
                    twin = list(smaller.files[name].walk())[number]
                    twin.children[i : i + 1] = twin.children[i].children
                    yield smaller
        for number, node in enumerate(nodes):
            for attribute in node.attributes:
                smaller = document.copy()
                del list(smaller.files[name].walk())[number].attributes[attribute]
                yield smaller


def shrink(document, verdict, focus=None, seconds=60):
    """The smallest document found on which both sides disagree in the same way."""
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for smaller in candidates(document):
            if time.monotonic() > end:
                break
            if same_disagreement(verdict, check_apart(smaller), focus):
                document, progress = smaller, True
                break
    return document


# ---- many documents -------------------------------------------------------------------------------------


def document(seed, slips):
    return random_models.mutated(seed) if slips else random_models.document(seed)


def worker(first, last, slips):
    """Runs in a child process: one line of JSON per document."""
    faulthandler.enable()
    for seed in range(first, last):
        print(json.dumps({"begin": seed}), flush=True)
        limit_time()
        verdict = check(document(seed, slips))
        print(json.dumps({"seed": seed, **dataclasses.asdict(verdict)}), flush=True)


def verdicts(first, count, slips=False, batch=200):
    """(seed, Verdict) of each document."""
    at, end = first, first + count
    while at < end:
        command = [sys.executable, __file__, "--worker", str(at), str(min(at + batch, end)), str(int(slips))]
        with tempfile.TemporaryDirectory() as folder:  # the reference leaves a log in the current folder
            entries, begun, child = children.entries_of(command, folder)
        for entry in entries:
            seed = entry.pop("seed")
            yield seed, Verdict(**entry)
            at = seed + 1
        begun = at if begun is None else begun
        if child.returncode != 0:
            lines = child.stderr.strip().splitlines()
            stack = [line.split("/")[-1] for line in lines if line.startswith("  File")]
            theirs = bool(stack) and stack[0].endswith("in load_reference")
            key = stack[0] if stack else lines[-1] if lines else ""
            yield begun, Verdict(REFERENCE_CRASHES if theirs else CRASH, key, child.stderr)
            at = begun + 1


def main():
    if sys.argv[1:2] == ["--worker"]:
        return worker(*map(int, sys.argv[2:]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--shrink", action="store_true", help="shrink the first document of each kind")
    parser.add_argument("--out", type=pathlib.Path, help="write shrunken documents here")
    parser.add_argument("--refused", action="store_true", help="list what the reference refuses, too")
    parser.add_argument("--slips", action="store_true", help="documents with a few mistakes in them")
    arguments = parser.parse_args()
    kinds = collections.Counter()
    found = {}
    for seed, verdict in verdicts(arguments.first, arguments.count, arguments.slips):
        kinds[verdict.kind] += 1
        if verdict.kind not in (EQUAL, BOTH_REFUSE, KNOWN_REFUSAL, KNOWN_DIFFERENCE):
            print(f"{seed}: {verdict.kind}: {verdict.key[:160]}", flush=True)
        elif seed % 100 == 99:
            print(f"{seed}: {dict(kinds)}", flush=True)
        found.setdefault((verdict.kind, verdict.key), []).append((seed, verdict))
    for (kind, key), cases in sorted(found.items(), key=lambda item: -len(item[1])):
        if kind in (EQUAL, KNOWN_REFUSAL, KNOWN_DIFFERENCE) or (kind == BOTH_REFUSE and not arguments.refused):
            continue
        seed, verdict = cases[0]
        print(f"{kind}: {len(cases)} × {key[:160]}\n    seeds {[s for s, _ in cases[:8]]}")
        if kind in (DIFFERENT, ONLY_PLIANT_REFUSES, CRASH):
            print("    " + verdict.detail.replace("\n", "\n    ")[:1500])
        if arguments.shrink and kind in (DIFFERENT, ONLY_PLIANT_REFUSES):
            smaller = shrink(document(seed, arguments.slips), verdict)
            print(smaller.text())
            if arguments.out:
                smaller.write(arguments.out / f"seed{seed}")
    print(dict(kinds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
