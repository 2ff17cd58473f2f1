"""Checks in child processes, since either side may crash or never end: a child prints lines of JSON, {"begin": …}
before each case."""

import json
import subprocess


def entries_of(command, folder):
    """Runs a child. Returns its lines but those of beginnings, the case it had begun last, and the finished process."""
    child = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=3600)
    lines = [json.loads(line) for line in child.stdout.splitlines() if line.startswith("{")]
    begun = [line["begin"] for line in lines if "begin" in line]
    return [line for line in lines if "begin" not in line], begun[-1] if begun else None, child
