"""Models with meshes compile where no more threads can be had, as in containers that limit them."""

import subprocess
import sys

import pytest

CODE = """
import _thread
import resource

import pliant

meshes = "".join(f"<mesh name='m{i}' vertex='0 0 0 {i + 1} 0 0 0 1 0 0 0 1'/>" for i in range(6))
geoms = "".join(f"<geom type='mesh' mesh='m{i}'/>" for i in range(6))
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (6 << 20), resource.RLIM_INFINITY))  # no room for a thread's stack
try:
    _thread.start_new_thread(id, (0,))
    print("a thread was had")
except RuntimeError:
    model = pliant.load_string(
        f"<mujoco><asset>{meshes}</asset><worldbody><body>{geoms}</body></worldbody></mujoco>")
    print(model.nmesh, round(model.body_mass[1], 6))
"""


def test_meshes_compile_without_more_threads():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if "a thread was had" in done.stdout:
        pytest.skip("stacks of threads are small here")
    assert done.stdout.split() == ["6", "3500.0"]  # six tetrahedra of 1/6, 2/6 ... m³
