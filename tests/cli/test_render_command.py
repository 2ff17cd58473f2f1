"""`pliant render`: pictures, films, numbers; what is refused and how."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest

import pliant
from test_cli import PROGRAM, ROOT, run

QUADRUPED = ROOT / "models/quadruped.xml"
SMALL = ["--size", "64x48"]
NO_DISPLAY = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}


def pixels(path):
    image = pytest.importorskip("PIL.Image", reason="Pillow reads pictures")
    return np.asarray(image.open(path))


def drawn(tmp_path, *arguments, name="out.png"):
    done = run("render", *arguments, "-o", tmp_path / name)
    assert done.returncode == 0, done.stderr
    return done


def test_picture_is_that_of_the_library(tmp_path):
    done = drawn(tmp_path, QUADRUPED, *SMALL)
    assert "64 x 48 pixels" in done.stdout and "t = 0" in done.stdout
    model = pliant.load(QUADRUPED)
    state, data = pliant.State(model), pliant.Data(model)
    pliant.forward(model, state, data)
    with pliant.Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data, state=state)
        assert np.array_equal(renderer.render(), pixels(tmp_path / "out.png"))


def test_names_hulls_and_edges(tmp_path):
    drawn(tmp_path, QUADRUPED, "--size", "160x120", name="plain.png")
    plain = pixels(tmp_path / "plain.png")
    for words in (["--labels", "bodies"], ["--labels", "geoms"], ["--labels", "sites"], ["--wireframe"]):
        drawn(tmp_path, QUADRUPED, "--size", "160x120", *words)
        changed = (pixels(tmp_path / "out.png") != plain).any(axis=2)
        assert 50 < changed.sum() < changed.size / (1 if "--wireframe" in words else 2), words
    (tmp_path / "cross.xml").write_text(CROSS)
    drawn(tmp_path, tmp_path / "cross.xml", *SMALL, "--segmentation", name="mesh.npy")
    drawn(tmp_path, tmp_path / "cross.xml", *SMALL, "--segmentation", "--hulls", name="hull.npy")
    mesh, hull = (np.load(tmp_path / name)[..., 0] == 0 for name in ("mesh.npy", "hull.npy"))
    assert mesh.sum() < 0.8 * hull.sum() and not (mesh & ~hull).any()  # what is hollow is filled


# two crossed triangles: their hull is a solid
CROSS = """<mujoco><asset><mesh name="cross" vertex="-1 0 0  1 0 0  0 0 1  0 -1 0  0 1 0  0 0 -.2"
  face="0 1 2 3 4 2 3 4 5 0 1 5" inertia="shell"/></asset>
  <worldbody><light pos="0 0 3"/><body><freejoint/><geom type="mesh" mesh="cross"/></body></worldbody></mujoco>"""


def test_cameras(tmp_path):
    drawn(tmp_path, QUADRUPED, *SMALL)
    for number, camera in enumerate((["--camera", "follow"], ["--camera", "0"], ["--azimuth", "20", "--distance", "2"],
                                     ["--track", "1"], ["--lookat", "0,0.1,0.2"])):  # fmt: skip
        drawn(tmp_path, QUADRUPED, *SMALL, *camera, name=f"{number}.png")
        assert not np.array_equal(pixels(tmp_path / "out.png"), pixels(tmp_path / f"{number}.png"))
    assert np.array_equal(pixels(tmp_path / "0.png"), pixels(tmp_path / "1.png"))


def test_depth_and_segmentation_as_numbers(tmp_path):
    drawn(tmp_path, QUADRUPED, *SMALL, "--depth", name="depth.npy")
    drawn(tmp_path, QUADRUPED, *SMALL, "--segmentation", name="ids.npy")
    depth, ids = np.load(tmp_path / "depth.npy"), np.load(tmp_path / "ids.npy")
    assert depth.shape == (48, 64) and depth.dtype == np.float32 and ids.shape == (48, 64, 2)
    assert depth.min() > 0.1 and len(np.unique(ids[..., 0])) > 5
    done = drawn(tmp_path, QUADRUPED, *SMALL, "--depth")
    assert "white is" in done.stdout
    grey = pixels(tmp_path / "out.png")
    assert np.array_equal(grey[..., 0], grey[..., 1]) and grey.max() == 255


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("recording") / "run.npz"
    assert run("run", QUADRUPED, "--seconds", "0.2", "--record", path).returncode == 0
    return path


def test_recording_names_its_model(recording, tmp_path):
    done = drawn(tmp_path, recording, *SMALL, "--from", "0.1", "--fps", "50", name="%02d.png")
    assert "6 pictures" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{i:02d}.png" for i in range(6)]
    # the same states by simulation
    drawn(tmp_path, QUADRUPED, *SMALL, "--seconds", "0.2", name="end.png")
    assert np.array_equal(pixels(tmp_path / "05.png"), pixels(tmp_path / "end.png"))


def test_recording_as_csv_and_by_numpy(recording, tmp_path):
    table = tmp_path / "run.csv"
    assert run("run", QUADRUPED, "--seconds", "0.2", "--record", table).returncode == 0
    drawn(tmp_path, recording, *SMALL, "--from", "0.2", name="npz.png")
    drawn(tmp_path, table, *SMALL, "--from", "0.2", "--model", QUADRUPED, name="csv.png")
    packed = tmp_path / "packed.npz"
    np.savez_compressed(packed, **{key: value for key, value in np.load(recording).items() if "_" not in key})
    drawn(tmp_path, packed, *SMALL, "--from", "0.2", "--model", QUADRUPED, name="packed.png")
    assert np.array_equal(pixels(tmp_path / "npz.png"), pixels(tmp_path / "csv.png"))
    assert np.array_equal(pixels(tmp_path / "npz.png"), pixels(tmp_path / "packed.png"))
    assert "does not say which model" in run("render", table, "-o", tmp_path / "x.png").stderr


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not installed")
@pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
def test_films(recording, tmp_path, name):
    drawn(tmp_path, recording, *SMALL, "--fps", "50", name=name)
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-count_frames",
        "-show_entries",
        "stream=width,height,nb_read_frames",
        "-of",
        "json",
    ]
    stream = json.loads(subprocess.run([*probe, tmp_path / name], capture_output=True, text=True).stdout)["streams"][0]
    assert (stream["width"], stream["height"], int(stream["nb_read_frames"])) == (64, 48, 11)
    assert [path.name for path in tmp_path.iterdir()] == [name]  # nothing else is left


def test_without_ffmpeg(recording, tmp_path):
    done = subprocess.run([PROGRAM, "render", recording, "-o", tmp_path / "film.mp4"], capture_output=True, text=True,
                          env=NO_DISPLAY | {"PATH": str(tmp_path)})  # fmt: skip
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    assert "apt install ffmpeg" in done.stderr and "frame_%04d.png" in done.stderr


def test_json_and_quiet(tmp_path):
    answer = json.loads(drawn(tmp_path, QUADRUPED, *SMALL, "--json").stdout)
    assert answer["ok"] and answer["pictures"] == 1 and (answer["width"], answer["height"]) == (64, 48)
    done = drawn(tmp_path, QUADRUPED, *SMALL, "--quiet")
    assert not done.stdout and not done.stderr
    done = run("render", QUADRUPED, "-o", tmp_path / "x.png", "--camera", "folow", "--json")
    assert done.returncode == 2 and not json.loads(done.stdout)["ok"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["models/quadruped.xml"], "-o is missing"),
        (["models/quadruped.xml", "-o", "x.jpg"], "a picture ends in .png"),
        (["models/quadruped.xml", "-o", "x.mp4"], "needs --seconds"),
        (["models/quadruped.xml", "-o", "x.png", "--camera", "folow"], "did you mean 'follow'?"),
        (["models/quadruped.xml", "-o", "x.png", "--camera", "7"], "there is no camera '7'; the model has 1"),
        (["models/quadruped.xml", "-o", "x.png", "--camera", "follow", "--azimuth", "3"], "place the free camera"),
        (["models/quadruped.xml", "-o", "x.png", "--size", "640"], "WIDTHxHEIGHT"),
        (["models/quadruped.xml", "-o", "x.png", "--size", "0x10"], "WIDTHxHEIGHT"),
        (["models/quadruped.xml", "-o", "x.png", "--groups", "0,9"], "groups are numbers 0 to 5"),
        (["models/quadruped.xml", "-o", "x.png", "--samples", "5"], "1, 4 or 16"),
        (["models/quadruped.xml", "-o", "x.png", "--depth", "--segmentation"], "exclude each other"),
        (["models/quadruped.xml", "-o", "x.png", "--shadows", "oof"], "did you mean 'off'?"),
        (["models/quadruped.xml", "-o", "x.png", "--lookat", "1,2"], "X,Y,Z"),
        (["models/quadruped.xml", "-o", "x.png", "--from", "3"], "there are states from 0 to 0 s"),
        (["models/quadruped.xml", "-o", "x.png", "--model", "models/drop.xml"], "belongs to a recording"),
        (["models/quadrupde.xml", "-o", "x.png"], "did you mean 'models/quadruped.xml'?"),
        (["nothing.npz", "-o", "x.png"], "cannot read nothing.npz"),
    ],
)
def test_refusals(arguments, message, tmp_path):
    (tmp_path / "models").symlink_to(ROOT / "models")
    done = run("render", *arguments, folder=tmp_path)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["models"]


def test_recordings_that_are_none(recording, tmp_path):
    good = recording.read_bytes()
    bad = tmp_path / "bad.npz"
    rng = np.random.default_rng(1)
    for damage in range(40):
        bytes_ = bytearray(good)
        if damage % 2:
            bytes_ = bytes_[: rng.integers(len(bytes_))]
        else:
            # in heads and directory, where lengths stand
            for _ in range(8):
                bytes_[-rng.integers(1, 400)] = rng.integers(256)
        bad.write_bytes(bytes_)
        done = run("render", bad, "-o", tmp_path / "x.png", "--size", "8x8", "--model", QUADRUPED)
        assert done.returncode in (0, 2), (damage, done.returncode, done.stderr)
    other = tmp_path / "other.npz"
    np.savez(other, time=np.zeros(2), qpos=np.zeros((2, 3)))
    done = run("render", other, "-o", tmp_path / "y.png", "--model", QUADRUPED)
    assert done.returncode == 2 and "of another model" in done.stderr


def test_the_model_is_not_overwritten(tmp_path):
    copy = tmp_path / "model.png"
    copy.write_bytes(QUADRUPED.read_bytes())
    done = run("render", copy, "-o", copy)
    assert done.returncode == 2 and copy.read_bytes() == QUADRUPED.read_bytes()
