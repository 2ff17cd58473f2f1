"""Runs the code blocks of one page (see blocks.py): python page_program.py PAGE.md, in a folder of its own."""

import importlib.util
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import traceback

import blocks
import pliant

FILMS = (".mp4", ".mkv", ".gif")


def run_line(command):
    """A line of a shell block, or why it failed."""
    if command.startswith("make "):
        makefile = (blocks.ROOT / "Makefile").read_text()
        target = next(word for word in shlex.split(command)[1:] if "=" not in word)
        assert f"\n{target}:" in makefile, f"there is no target {target}"
        return
    if command.startswith(blocks.NOT_RUN):
        return
    words = shlex.split(command)
    assert words[0] in ("pliant", "build/pliant", "python"), f"blocks.py does not know how to run: {command}"
    if any(word.endswith(FILMS) for word in words) and not shutil.which("ffmpeg"):
        print(f"not run, since films need ffmpeg: {command}")
        return
    if words[0] == "python":
        words[0] = sys.executable
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\nstatus {done.returncode}\n{done.stdout}{done.stderr}"


# Where elements of a model belong that stand alone in a block.
INSIDE = {"body": "worldbody", "geom": "worldbody", "mimic": "equality", "joint": "equality", "pair": "contact"}


def load_xml(text):
    name = text.lstrip().lstrip("<").split()[0].rstrip(">/")
    if name not in ("mujoco", "robot"):
        inside = INSIDE.get(name)
        text = f"<mujoco><{inside}>{text}</{inside}></mujoco>" if inside else f"<mujoco>{text}</mujoco>"
    pliant.load_string(text)


def is_there(what):
    if what in ("ray", "torch"):
        return importlib.util.find_spec(what) is not None
    assert what == "cuda", f"needs {what}: only cuda, ray and torch are known"
    return not pliant.cuda_unavailable()


def main(page):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have had ignored
    names = {"__name__": "__main__"}
    wanted = True
    for part in blocks.parts(pathlib.Path(page)):
        try:
            if part.kind == "needs":
                wanted = is_there(part.word)
            elif not wanted:
                wanted = True
            elif part.kind in ("python", "hidden"):
                # lines of errors are those of the page
                exec(compile("\n" * part.line + part.text, page, "exec"), names)
            elif part.kind == "file":
                pathlib.Path(part.word).write_text(part.text)
            elif part.kind == "sh":
                for command in blocks.commands(part.text):
                    run_line(command)
            elif part.kind == "xml":
                load_xml(part.text)
        except BaseException:
            traceback.print_exc()
            sys.exit(f"{page}:{part.line}: this block failed:\n{part.text}")


if __name__ == "__main__":
    main(sys.argv[1])
