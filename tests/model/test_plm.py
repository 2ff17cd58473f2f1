"""Binary models of real robots: the same bits as from MJCF, and a flipped bit is refused.

Models with meshes, height fields or textures, from the test cases and from PLIANT_MODELS.
"""

import os
import pathlib
import random
import subprocess

import numpy
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
FLIPS = 5


def documents():
    folders = {"models": ROOT / "models", "cases": ROOT / "tests" / "parity" / "cases"}
    if os.environ.get("PLIANT_MODELS"):
        folders["$PLIANT_MODELS"] = pathlib.Path(os.environ["PLIANT_MODELS"])
    for label, folder in folders.items():
        for path in sorted(folder.rglob("*.xml")):
            text = path.read_text(errors="replace")
            if "<mesh" in text or "<hfield" in text or "<texture" in text:
                yield pytest.param(path, id=f"{label}/{path.relative_to(folder).as_posix()}")


@pytest.mark.parametrize("path", list(documents()))
def test_round_trip(path, tmp_path):
    try:
        model = pliant.load(path)
    except pliant.LoadError:
        pytest.skip("no model of its own")
    binary = tmp_path / "model.plm"
    subprocess.run([PROGRAM, "compile", path, binary], check=True, capture_output=True)
    back = pliant.load(binary)
    for name, _ in pliant.model_sizes():
        assert getattr(model, name) == getattr(back, name), name
    for field in pliant.model_fields():
        one, two = (numpy.asarray(getattr(m, field["name"])) for m in (model, back))
        assert one.tobytes() == two.tobytes(), field["name"]
    assert model.pending == back.pending

    data = binary.read_bytes()
    rng = random.Random(path.name)
    for _ in range(FLIPS):
        at = rng.randrange(len(data))
        binary.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        with pytest.raises(pliant.LoadError) as refused:
            pliant.load(binary)
        assert refused.value.diagnostics[0].code == "E102"
