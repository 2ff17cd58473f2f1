"""Pictures of the reference's own Renderer, by OSMesa: a program of its own, because OpenGL is chosen when it starts.

    python reference_pictures.py OUT.npz WIDTH HEIGHT MODEL...

Prints one line that starts with "no" when there is no OSMesa.
"""

import os
import sys

os.environ["MUJOCO_GL"] = os.environ["PYOPENGL_PLATFORM"] = "osmesa"


def main():
    import mujoco
    import numpy as np

    out, width, height, *paths = sys.argv[1:]
    arrays = {}
    for number, path in enumerate(paths):
        model = mujoco.MjModel.from_xml_path(path)
        # triangles as fine as they get, for outlines that are compared with exact ones
        model.vis.quality.numslices, model.vis.quality.numstacks = 200, 100
        data = mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        mujoco.mj_forward(model, data)
        try:
            renderer = mujoco.Renderer(model, int(height), int(width))
        except (ImportError, AttributeError, RuntimeError) as problem:
            print("no OSMesa:", str(problem).splitlines()[0])
            return
        renderer.update_scene(data)
        arrays[f"rgb{number}"] = renderer.render().copy()
        renderer.enable_segmentation_rendering()
        arrays[f"seg{number}"] = renderer.render().copy()
        renderer.disable_segmentation_rendering()
        renderer.enable_depth_rendering()
        arrays[f"depth{number}"] = renderer.render().copy()
    np.savez(out, **arrays)
    sys.stdout.flush()
    os._exit(0)  # the reference's context cannot be freed in every version of PyOpenGL


if __name__ == "__main__":
    main()
