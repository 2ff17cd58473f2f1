"""Damaged files: the loader returns a Model, or a LoadError with an error, and nothing else.

Valid documents are spoilt by bytes, tokens and values, and loaded in a process of their own, so
that a crash or a loop is a failure of this test and not the end of it. Seeds are fixed: a failure
names the document and the seed, and `python test_fuzz.py DOCUMENT SEED` writes the input that did it.
"""

import pathlib
import random
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

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


def spoilt(data, seed):
    """The same for the same seed; most documents are spoilt in one place, some in several."""
    rng = random.Random(seed)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if not data or not tokens(data):
            break
        spoil = rng.choice((spoil_bytes, spoil_tokens, spoil_values, spoil_values, spoil_values))
        data = spoil(data, rng)
    return data


# Loads each seed's document; prints the seed before, so that the last line names what killed it.
CHILD = """
import pathlib, sys
sys.path.insert(0, {here!r})
import pliant
from test_fuzz import spoilt
path = pathlib.Path({path!r})
data = path.read_bytes()
loaded = refused = 0
for seed in range({first}, {last}):
    print("seed", seed, flush=True)
    text = spoilt(data, seed)
    try:
        model = pliant.load(path, {{str(path): text}})
        loaded += 1
        assert all(finding.severity == "warning" for finding in model.diagnostics)
    except pliant.LoadError as error:
        refused += 1
        assert any(finding.severity == "error" for finding in error.diagnostics)
        for finding in error.diagnostics:
            assert finding.message and finding.code[0] in "EW" and finding.line >= 0
print("done", loaded, refused)
"""


def run_batch(path, first, last, seconds):
    code = CHILD.format(here=str(HERE), path=str(path), first=first, last=last)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=seconds,
            errors="replace",
        )
    except subprocess.TimeoutExpired as stopped:
        seen = (stopped.stdout or b"").decode(errors="replace").split()
        pytest.fail(f"{path.name} seed {seen[-1] if seen else first}: not done after {seconds} s")
    last_line = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else "no output"
    assert done.returncode == 0, f"{path.name} {last_line}: status {done.returncode}\n{done.stderr}"
    loaded, refused = map(int, last_line.split()[1:])
    assert loaded + refused == last - first
    return loaded, refused


def documents():
    found = sorted((ROOT / "models").glob("*.xml"))
    return found + sorted((ROOT / "tests" / "parity" / "cases").glob("*.xml"))


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_spoilt_documents(path):
    loaded, refused = run_batch(path, 0, 60, seconds=60)
    assert refused > 0


@pytest.mark.slow
@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_many_spoilt_documents(path):
    for first in range(1000, 6000, 500):
        run_batch(path, first, first + 500, seconds=300)


if __name__ == "__main__":
    sys.stdout.buffer.write(spoilt(pathlib.Path(sys.argv[1]).read_bytes(), int(sys.argv[2])))
