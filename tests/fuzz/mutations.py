"""Random mutations of real models, each loaded in a worker process, so that a crash, an exit or a
hang is a finding and not the end of the run.

Bytes, tokens, values and the structure of the document are spoilt, and bytes of the mesh, height
field and image files it names. A mutation is made from the model's path and a number alone:

    python tests/fuzz/mutations.py --count 100000 --workers 2     # a run over all models
    python tests/fuzz/mutations.py --show MODEL SEED              # the files of one mutation

Either there is a Model without NaN or infinity outside its pending fields, or a LoadError that
carries an error. Models come from models/, from the test cases and, where PLIANT_MODELS is set,
from that folder; each gets about the same time, so small ones are mutated more often.
"""

import argparse
import collections
import copy
import math
import pathlib
import queue
import random
import re
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import seeds  # noqa: E402

# Processor seconds of one load; more is a finding unless the untouched model needs a good part of it.
SLOW_SECONDS = 1.0
# Wall-clock seconds after which a worker counts as hanging; generous, the machine may be busy.
HANG_SECONDS = 30.0
ASSET_SUFFIXES = (".stl", ".obj", ".msh", ".png", ".bin")

NUMBERS = (
    b"0",
    b"-1",
    b"1e308",
    b"-1e308",
    b"1e-320",
    b"nan",
    b"inf",
    b"2147483648",
    b"99999999999",
    b"1000000",
    b"0.5.5",
    b"1,5",
    b"",
    b"-0",
    b"1e",
    b"+",
    b"0 0 0 0 0 0 0 0",
)
WORDS = (
    b"geom",
    b"body",
    b"joint",
    b"replicate",
    b"count",
    b"size",
    b"pos",
    b"quat",
    b"class",
    b"name",
    b"true",
    b"auto",
    b"mesh",
    b"free",
    b"world",
    b"include",
    b"default",
    b"freejoint",
)
BYTES = (
    b"<",
    b">",
    b"/>",
    b"</body>",
    b'"',
    b"&amp;",
    b"&#0;",
    b"\xff",
    b"\xc3",
    b"\0",
    b"<!--",
    b"]]>",
    b"<![CDATA[",
    b"<?xml",
    b"'",
    b"=",
    b" ",
)


def tokens(data):
    """Places of words and numbers: (start, end)."""
    places, start = [], None
    for i, byte in enumerate(data):
        inside = chr(byte).isalnum() or byte in b"._-+"
        if inside and start is None:
            start = i
        elif not inside and start is not None:
            places.append((start, i))
            start = None
    return places


def spoil_bytes(data, rng):
    at, length = rng.randrange(len(data)), rng.choice((1, 1, 2, 10, 100))
    kind = rng.randrange(6)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[:at] + data[at : at + length] * 2 + data[at + length :]
    if kind == 3:
        return data[:at] + rng.choice(BYTES) + data[at:]
    if kind == 4:
        return data[:at] + bytes((rng.randrange(256),)) + data[at + 1 :]
    other = rng.randrange(len(data))
    low, high = sorted((at, other))
    return data[:low] + data[high : high + length] + data[low:high] + data[high + length :]


def spoil_tokens(data, rng):
    places = tokens(data)
    start, end = rng.choice(places)
    kind = rng.randrange(5)
    if kind == 0:
        new = rng.choice(NUMBERS)
    elif kind == 1:
        new = rng.choice(WORDS)
    elif kind == 2:
        a, b = rng.choice(places)
        new = data[a:b]
    elif kind == 3:
        new = b""
    else:
        new = data[start:end] + b" " + data[start:end]
    return data[:start] + new + data[end:]


def spoil_values(data, rng):
    """Changes one attribute value; the document stays well-formed."""
    values = [match.span(1) for match in re.finditer(rb'="([^"<]*)"', data)]
    if not values:
        return data
    start, end = rng.choice(values)
    words = data[start:end].split()
    kind = rng.randrange(6)
    if kind == 0 and words:
        words[rng.randrange(len(words))] = rng.choice(NUMBERS)
    elif kind == 1 and words:
        words.append(words[-1])
    elif kind == 2 and words:
        words.pop()
    elif kind == 3:
        words = [rng.choice(NUMBERS)] * rng.choice((1, len(words)))
    elif kind == 4:
        words = [rng.choice(WORDS)]
    else:
        a, b = rng.choice(values)
        words = [data[a:b]]
    return data[:start] + b" ".join(words) + data[end:]


def spoil_structure(data, rng):
    """Elements repeated, removed, moved, renamed or wrapped; attributes moved between elements."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError):
        return data
    parents = [element for element in root.iter() if len(element)]
    elements = list(root.iter())
    if not parents:
        return data
    parent = rng.choice(parents)
    child = rng.choice(list(parent))
    other = rng.choice(elements)
    kind = rng.randrange(7)
    if kind == 0:
        parent.append(copy.deepcopy(child))
    elif kind == 1:
        parent.remove(child)
    elif kind == 2:
        parent.remove(child)
        if other not in list(child.iter()):
            other.append(child)
    elif kind == 3:
        child.tag = other.tag
    elif kind == 4:
        wrapper = ElementTree.Element(rng.choice(("replicate", "frame", "body", "default")))
        if wrapper.tag == "replicate":
            wrapper.set("count", rng.choice(("2", "3", "0", "1000000")))
        parent.remove(child)
        wrapper.append(child)
        parent.append(wrapper)
    elif kind == 5 and other.attrib:
        name = rng.choice(list(other.attrib))
        child.set(name, other.get(name))
    elif child.attrib:
        del child.attrib[rng.choice(list(child.attrib))]
    return ElementTree.tostring(root)


def spoil_document(data, rng):
    """Most documents are spoilt in one place, some in several."""
    kinds = (spoil_bytes, spoil_tokens, spoil_values, spoil_values, spoil_structure)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if not data or not tokens(data):
            break
        data = rng.choice(kinds)(data, rng)
    return data


def spoil_asset(data, rng):
    """Flipped bits, cut ends, extreme 32-bit words."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if not data:
            break
        at, kind = rng.randrange(len(data)), rng.randrange(4)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            at -= at % 4
            word = rng.choice((0, 0x7F800000, 0x7FC00000, 0x7F7FFFFF, 0xFFFFFFFF, 0x7FFFFFFF))
            data[at : at + 4] = word.to_bytes(4, "little")
        else:
            data[at : at + 12] = rng.choice(NUMBERS) + b" "
    return bytes(data)


def assets_of(path):
    """Asset files that the document's folder holds and its text names."""
    text = path.read_text(errors="replace")
    found = []
    for file in sorted(path.parent.rglob("*")):
        if file.suffix.lower() in ASSET_SUFFIXES and file.name in text:
            found.append(file)
    return found


def mutated(path, seed):
    """{name: bytes} of the files that replace those on disk; the same for the same seed."""
    rng = random.Random(f"{path.name} {seed}")
    given = assets_of(path)
    files = {}
    if given and rng.random() < 0.4:
        asset = rng.choice(given)
        files[asset.name] = spoil_asset(asset.read_bytes(), rng)
    if not files or rng.random() < 0.2:
        files[str(path)] = spoil_document(path.read_bytes(), rng)
    return files


# ---- in the worker -------------------------------------------------------------------------------


def not_finite(model, fields):
    """Names of fields that hold NaN or infinity and are not pending."""
    import numpy

    bad = []
    for name in fields:
        values = getattr(model, name)
        if values.size and not numpy.isfinite(values).all() and name not in model.pending:
            bad.append(name)
    return bad


def work():
    """Reads lines `seed path`, answers each with one line `outcome seconds`."""
    import pliant

    fields = [f["name"] for f in pliant.model_fields() if f["dtype"] in ("float64", "float32")]
    for line in sys.stdin:
        seed, path = line.rstrip("\n").split(" ", 1)
        path = pathlib.Path(path)
        files = {} if seed == "none" else mutated(path, int(seed))
        start = time.process_time()
        try:
            model = pliant.load(path, files)
            seconds = time.process_time() - start
            bad = not_finite(model, fields)
            outcome = "notfinite:" + ",".join(bad) if bad else "loaded"
            if any(finding.severity != "warning" for finding in model.diagnostics):
                outcome = "loaded-with-errors"
        except pliant.LoadError as error:
            seconds = time.process_time() - start
            outcome = "refused"
            if not any(finding.severity == "error" for finding in error.diagnostics):
                outcome = "refused-without-error"
        except Exception as error:  # anything else is what this looks for
            seconds = time.process_time() - start
            outcome = f"exception:{type(error).__name__}"
        print(outcome.replace(" ", "_"), f"{seconds:.4f}", flush=True)


# ---- in the parent -------------------------------------------------------------------------------


class Worker:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).resolve()), "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def load(self, path, seed):
        """(outcome, seconds); the worker is gone after a crash or a hang."""
        watchdog = threading.Timer(HANG_SECONDS, self.process.kill)
        watchdog.start()
        start = time.monotonic()
        try:
            self.process.stdin.write(f"{seed} {path}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().split()
        except BrokenPipeError:
            answer = []
        watchdog.cancel()
        if len(answer) == 2:
            return answer[0], float(answer[1])
        seconds = time.monotonic() - start
        self.process.wait()
        if seconds >= HANG_SECONDS:
            return "hang", seconds
        return f"crash:{self.process.returncode}", seconds

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()


class Run:
    """Spreads mutations over workers and keeps what they found."""

    def __init__(self):
        self.outcomes = collections.Counter()
        self.findings = []
        self.slowest = (0.0, None, None)
        self.jobs = queue.SimpleQueue()
        self.lock = threading.Lock()

    def serve(self):
        worker = Worker()
        while True:
            try:
                path, seed, usual = self.jobs.get_nowait()
            except queue.Empty:
                break
            outcome, seconds = worker.load(path, seed)
            if worker.process.poll() is not None:
                worker.close()
                worker = Worker()
            with self.lock:
                self.outcomes[outcome.split(":")[0]] += 1
                if seconds - usual > self.slowest[0]:
                    self.slowest = (seconds - usual, path, seed)
                if outcome not in ("loaded", "refused"):
                    self.findings.append(f"{path} seed {seed}: {outcome}")
                elif seconds > SLOW_SECONDS + 2 * usual:
                    self.findings.append(f"{path} seed {seed}: {seconds:.1f} s")
        worker.close()

    def all(self, jobs, workers):
        for job in jobs:
            self.jobs.put(job)
        threads = [threading.Thread(target=self.serve) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


OWN = (ROOT / "models", ROOT / "tests" / "parity" / "cases")


def models(folders):
    """(path, seconds to load it) of every model that loads untouched."""
    worker = Worker()
    for folder in folders:
        for path in sorted(folder.rglob("*.xml")):
            outcome, seconds = worker.load(path, "none")
            if outcome == "loaded":
                yield path, seconds
    worker.close()


def plan(count, folders):
    """`count` jobs on the models in the folders; each model gets about the same time."""
    known = list(models(folders))
    overhead = 0.002  # making the mutation and looking at the result
    weights = [1 / (seconds + overhead) for _, seconds in known]
    total = sum(weights)
    jobs = []
    for (path, seconds), weight in zip(known, weights):
        share = max(1, math.ceil(count * weight / total))
        jobs += [(path, seed, seconds) for seed in range(share)]
    random.Random(0).shuffle(jobs)
    return jobs[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", nargs=2, metavar=("MODEL", "SEED"))
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work()
    if options.show:
        for name, data in mutated(pathlib.Path(options.show[0]), int(options.show[1])).items():
            print(f"--- {name}", flush=True)
            sys.stdout.buffer.write(data)
        return 0
    start = time.monotonic()
    run = Run()
    run.all(plan(options.count, filter(None, [*OWN, seeds.models_of_others()])), options.workers)
    seconds, path, seed = run.slowest
    print(
        f"{sum(run.outcomes.values())} mutations in {time.monotonic() - start:.0f} s: "
        f"{dict(run.outcomes)}; slowest beyond its model: {seconds:.2f} s ({path} seed {seed})"
    )
    for finding in run.findings:
        print(finding)
    return 1 if run.findings else 0


if __name__ == "__main__":
    sys.exit(main())
