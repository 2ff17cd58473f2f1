"""COLLADA and glTF in hosts with threads, and in hosts that do odd things with their processes.
(tests/base/apart_test.cpp looks at the program that reads them.)"""

import concurrent.futures
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import pliant

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import seeds

FILES = {
    "m.dae": seeds.dae().encode(),
    "m.glb": seeds.glb(),
    "m.gltf": seeds.gltf().encode(),
    "n.gltf": seeds.gltf("a%20buffer.bin").encode(),
    "a buffer.bin": seeds.mesh_buffer(),
}


def load(file):
    mesh = f'<collision><geometry><mesh filename="{file}"/></geometry></collision>'
    return pliant.load_string(f'<robot name="r"><link name="a">{mesh}</link></robot>', assets=FILES)


def points(model):
    """Distances between all vertices, in order: meshes are kept in a frame of their own."""
    return np.sort(np.linalg.norm(model.mesh_vert[:, None] - model.mesh_vert[None], axis=-1).ravel())


@pytest.mark.parametrize("file", ["m.glb", "m.gltf", "n.gltf"])
def test_formats_say_the_same(file):
    assert np.allclose(points(load(file)), points(load("m.gltf")), atol=1e-6)
    corners = np.array(seeds.VERTICES, float) + [0.1, 0, 0]
    expected = np.unique(np.round(np.vstack([corners, np.array(seeds.VERTICES) * [1, -1, 1] + [0.1, 0, 0]]), 6), axis=0)
    model = load(file)
    assert model.mesh_vertnum[0] == len(expected)  # both nodes, the second mirrored, with what they share once
    assert points(model).max() == pytest.approx(
        np.linalg.norm(expected[:, None] - expected[None], axis=-1).max(), abs=1e-6
    )


def test_units_of_collada():
    small = FILES | {"m.dae": seeds.dae(unit=0.001).encode()}
    mesh = '<collision><geometry><mesh filename="m.dae"/></geometry></collision>'
    model = pliant.load_string(f'<robot name="r"><link name="a">{mesh}</link></robot>', assets=small)
    assert points(model).max() == pytest.approx(points(load("m.dae")).max() / 1000, rel=1e-5)


def test_eight_threads_at_once():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        models = list(pool.map(load, ["m.dae", "m.glb"] * 16))
    for model, expected in zip(models, [load("m.dae"), load("m.glb")] * 16):
        assert np.array_equal(model.mesh_vert, expected.mesh_vert) and np.array_equal(
            model.mesh_face, expected.mesh_face
        )


# Libraries stop their threads before a fork and start them again after it; scipy's hangs when two threads fork at once,
# so that nothing here may fork (tests/base/apart_test.cpp sees to that).
HOSTS = {
    "threads of scipy": "import numpy, scipy.linalg; scipy.linalg.inv(numpy.random.rand(100, 100))",
    "no standard streams": "import os; [os.close(i) for i in (0, 1)]",
    "children ignored": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "few files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))",
}


@pytest.mark.parametrize("host", HOSTS)
def test_hosts(host, tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    meshes = "".join(
        f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in FILES if name[1] == "."
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{meshes}</link></robot>')
    code = (
        HOSTS[host]
        + "\nimport pliant, sys\nfor _ in range(3):\n    model = pliant.load('r.urdf')\nassert model.nmesh == 4, "
        "model.diagnostics"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
