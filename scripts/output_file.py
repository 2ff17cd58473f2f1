"""Files written whole or not at all, as src/base/output_file.h does for the library."""

import os
import pathlib
import tempfile


def write_bytes(path, content):
    """Writes beside the target and renames: a failure leaves what was there before, and nothing else."""
    target = pathlib.Path(os.path.realpath(path))
    descriptor, temporary = tempfile.mkstemp(prefix=".pliant-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        if target.exists():
            mode = target.stat().st_mode & 0o7777
        else:
            mask = os.umask(0)  # there is no other way to ask for it
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def write_text(path, text):
    write_bytes(path, text.encode("utf-8"))
