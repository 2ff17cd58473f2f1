"""Earlier releases of the reference, for packages that were made for those (scripts/compat, scripts/compat-packages)."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv-compat"


def release_of(package):
    """The release of the reference that the package's file in tests/compat names; None: that of the environment."""
    text = (ROOT / "tests/compat" / f"run_{package}.py").read_text()
    found = re.search(r'^REFERENCE = "([\d.]+)"$', text, re.MULTILINE)
    return found[1] if found else None


def folder_of(release):
    """Folder with that release, to be put in front of the module path."""
    folder = VENV / f"mujoco-{release}"
    if not folder.exists():
        print(f"compat: installing mujoco {release}", flush=True)
        pip = [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        subprocess.run([*pip, "--no-deps", "--target", folder, f"mujoco=={release}"], check=True)
    return folder
