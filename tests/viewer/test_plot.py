"""`pliant plot`: curves where the numbers are, and what is refused."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pliant.viewer import RecordingError
from pliant.viewer.plot import nice_ticks, plot_svg
from pliant.viewer.recording import Recording
from test_pages import PROGRAM, ROOT


def test_ticks():
    assert nice_ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert nice_ticks(-3e-4, 7e-4) == pytest.approx([-2e-4, 0, 2e-4, 4e-4, 6e-4])
    assert nice_ticks(2, 2) == [2]


def curves(svg):
    root = ElementTree.fromstring(svg)
    lines = root.iter("{http://www.w3.org/2000/svg}polyline")
    return [np.array([p.split(",") for p in line.get("points").split()], float) for line in lines]


def test_curves_are_the_numbers():
    time = np.linspace(0, 2, 5001)
    spike = np.sin(time)
    spike[1234] = 7.0  # one number among thousands: it must be seen
    both = np.stack([spike, -time], 1)
    svg = plot_svg(Recording(time, {"qpos": both}, {"qpos": ["<a>", "b"]}))
    first, second = curves(svg)
    assert "&lt;a&gt;" in svg and len(first) < 2000
    # pixels are a linear map of the numbers
    assert np.isclose(first[:, 0][np.argmin(first[:, 1])], 70 + (960 - 290) * time[1234] / 2, atol=1)
    slope = (160 / 9) / ((960 - 290) / 2)  # 9 units in 160 pixels, 2 s in 670
    assert np.polyfit(second[:, 0], second[:, 1], 1)[0] == pytest.approx(slope, rel=0.01)
    assert len(curves(plot_svg(Recording(time, {"qpos": both}, {"qpos": ["a", "b"]}), ["b"]))) == 1


def test_what_is_refused():
    recording = Recording(np.arange(3.0), {"qpos": np.zeros((3, 2)), "ctrl": np.zeros((3, 0))}, {})
    with pytest.raises(RecordingError, match="no field 'qvel'; it has qpos, ctrl"):
        plot_svg(recording, ["qvel"])
    with pytest.raises(RecordingError, match="no numbers"):
        plot_svg(recording, ["ctrl"])
    assert plot_svg(Recording(np.arange(3.0), {"x": np.array([[1.0], [np.nan], [np.inf]])}, {}))


def test_the_command(tmp_path):
    def run(*words):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=tmp_path, capture_output=True, text=True)

    assert run("run", ROOT / "models" / "gripper.xml", "--seconds", "0.1", "--record", "r.npz").returncode == 0
    done = run("plot", "r.npz", "--fields", "qvel", "-o", "out.svg")
    assert done.returncode == 0 and done.stdout == "wrote out.svg\n", done.stderr
    assert len(re.findall("<polyline", (tmp_path / "out.svg").read_text())) == 9
    done = run("plot", "r.npz", "--fields", "nothing")
    assert done.returncode == 2 and "it has qpos, qvel" in done.stderr
    assert run("plot", "r.npz", "-o", "r.npz").returncode == 2


def test_gaps_are_seen():
    """Where a number is none the curve is broken, also among so many that it is thinned, and no peak is lost."""
    time = np.linspace(0, 1, 9001)
    values = np.sin(time)
    values[4000:5000] = np.nan
    values[6000] = -3.0
    for every in (1, 90):  # (6000 is not a multiple of 90's offset: only the long one has the peak)
        t, v = time[::every], values[::every]
        pieces = curves(plot_svg(Recording(t, {"x": v[:, None]}, {})))
        assert len(pieces) == 2
        left, right = pieces[0][-1, 0], pieces[1][0, 0]
        assert right - left > 0.9 * (960 - 290) / 9
    assert curves(plot_svg(Recording(time, {"x": values[:, None]}, {})))[1][:, 1].max() == pytest.approx(186, abs=0.2)
    alone = plot_svg(Recording(np.arange(3.0), {"x": np.array([[np.nan], [2.0], [np.inf]])}, {}))
    assert alone.count("<circle") == 1 and not curves(alone)


def test_numbers_beyond_half_of_what_there_is():
    """Their difference overflows."""
    svg = plot_svg(Recording(np.arange(3.0), {"x": np.array([[-1.7e308], [0.0], [1.7e308]])}, {}))
    assert "nan" not in svg and "inf" not in svg
    (line,) = curves(svg)
    assert line[1, 1] == pytest.approx((line[0, 1] + line[2, 1]) / 2) and line[0, 1] > line[2, 1]
    assert "e+308" in svg


def test_a_column_that_is_not_there():
    recording = Recording(np.arange(3.0), {"qpos": np.zeros((3, 2))}, {"qpos": ["qpos.elbow", "qpos.wrist"]})
    with pytest.raises(RecordingError, match="no column 'qpos.elbwo'; it has 2: did you mean 'qpos.elbow'"):
        plot_svg(recording, ["qpos.elbwo"])
    with pytest.raises(RecordingError, match=r"no column 'qpos\[7\]'; it has 2, such as 'qpos.elbow'"):
        plot_svg(recording, ["qpos[7]"])


def test_the_picture_is_svg_whatever_it_is_called(tmp_path):
    done = subprocess.run([PROGRAM, "plot", "r.plr", "-o", "r.png"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "ends in .svg" in done.stderr
