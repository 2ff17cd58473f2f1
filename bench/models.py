"""Models of the benchmarks, by name: of others where PLIANT_MODELS has them, and scenes of our own."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "franka": "menagerie/franka_emika_panda/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "allegro": "menagerie/wonik_allegro/scene_right.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "cheetah": "gymnasium/half_cheetah.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
    "h1": "menagerie/unitree_h1/scene.xml",
    "robotiq": "menagerie/robotiq_2f85/scene.xml",
    "ant": "gymnasium/ant.xml",
    "22_humanoids": "mujoco/humanoid/22_humanoids.xml",
    "cube_3x3x3": "mujoco/cube/cube_3x3x3.xml",
    "stonehenge": "mujoco/replicate/stonehenge.xml",
    "dominos": "mujoco/sleep/dominos.xml",
    "bowl": "mujoco/replicate/bowl.xml",
}


def find(*names):
    """Paths by name; what is not there is said and left out."""
    folder = os.environ.get("PLIANT_MODELS")
    if not folder:
        print("bench: PLIANT_MODELS is not set, only scenes of our own")
    found = {}
    for name in names:
        own = ROOT / "models" / f"{name}.xml"
        path = own if name not in OTHERS else pathlib.Path(folder or "") / OTHERS[name]
        if path.exists() and (folder or path == own):
            found[name] = path
        elif folder:
            print(f"bench: skipped {name}: it is not there")
    return found
