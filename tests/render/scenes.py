"""Scenes that the tests of pictures draw: our own models, cases of the parity tests, and one with everything in it."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVERYTHING = ROOT / "tests/render/everything.xml"
CASES = """
    cameras_and_lights dynamics_tendon_wraps textures named_objects fusestatic sensors_of_contacts
""".split()
OWN = [
    EVERYTHING,
    *sorted((ROOT / "models").glob("*.xml")),
    *(ROOT / f"tests/parity/cases/{name}.xml" for name in CASES),
]
# of PLIANT_MODELS, as far as they are there
OTHERS = """
    mujoco/humanoid/humanoid.xml mujoco/humanoid/22_humanoids.xml mujoco/car/car.xml mujoco/mug/mug.xml
    mujoco/cube/cube_3x3x3.xml menagerie/franka_emika_panda/scene.xml menagerie/shadow_hand/scene_left.xml
    menagerie/agility_cassie/scene.xml menagerie/google_barkour_vb/scene_hfield_mjx.xml dm_control_suite/humanoid.xml
""".split()


def others():
    folder = os.environ.get("PLIANT_MODELS")
    return [path for name in OTHERS if folder and (path := pathlib.Path(folder) / name).exists()]


def label(path):
    return path.stem if path.stem != "scene" else path.parent.name
