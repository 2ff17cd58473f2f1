"""Side by side with the reference's own pictures: outlines, depth, colours. Skipped where there is no OSMesa."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import pliant
from scenes import EVERYTHING, ROOT, label, others
from test_pictures import world

WIDTH, HEIGHT = 320, 240
MODELS = [
    EVERYTHING,
    *(ROOT / f"models/{name}.xml" for name in
      "drop quadruped tendon_finger gripper stack_of_boxes newtons_cradle bin_of_boxes cushion rubber_balls".split()),
    *others(),
]  # fmt: skip


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    out = tmp_path_factory.mktemp("reference") / "pictures.npz"
    program = pathlib.Path(__file__).parent / "reference_pictures.py"
    done = subprocess.run(
        [sys.executable, program, out, str(WIDTH), str(HEIGHT), *MODELS], capture_output=True, text=True
    )
    if done.stdout.startswith("no"):
        pytest.skip(done.stdout.strip() + "; libosmesa6 and PyOpenGL draw the reference's pictures")
    assert out.exists(), done.stderr[-2000:]
    return np.load(out)


@pytest.mark.parametrize("number", range(len(MODELS)), ids=[label(path) for path in MODELS])
def test_same_camera_same_picture(number, reference):
    model, data = world(MODELS[number])
    with pliant.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data)
        rgb = renderer.render()
        renderer.enable_segmentation_rendering()
        segmentation = renderer.render()
        renderer.enable_depth_rendering()
        depth = renderer.render()
    want = reference[f"seg{number}"]
    # outlines of everything but the ground, which fills most pictures
    ground = [i for i in range(model.ngeom) if model.geom_type[i] in (0, 1)]
    ours, theirs = (~np.isin(ids[..., 0], [-1, *ground]) | (ids[..., 1] > 5) for ids in (segmentation, want))
    assert theirs.sum() > 100
    overlap = (ours & theirs).sum() / (ours | theirs).sum()
    assert overlap >= 0.99, overlap
    assert np.all(segmentation == want, axis=-1).mean() >= 0.995
    # the reference's depth is what a buffer of single precision keeps
    same = np.all(segmentation == want, axis=-1) & (want[..., 0] >= 0)
    error = np.abs(depth - reference[f"depth{number}"])[same] / depth[same]
    assert np.median(error) < 1e-4 and np.quantile(error, 0.99) < 0.01
    difference = np.abs(rgb.astype(int) - reference[f"rgb{number}"]).mean()
    assert difference < 6, difference
