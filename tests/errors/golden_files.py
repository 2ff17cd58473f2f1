"""Findings about a file, compared word for word with a golden file.

PLIANT_UPDATE_GOLDEN=1 rewrites the golden files; read the difference before you keep it.
"""

import os

import pliant

UPDATE = os.environ.get("PLIANT_UPDATE_GOLDEN") == "1"


def outcome(path):
    """All findings as text, then whether there is a model; and the findings."""
    try:
        findings, end = pliant.load(path).diagnostics, "loaded"
    except pliant.LoadError as error:
        findings, end = error.diagnostics, "refused"
    return "".join(finding.text + "\n" for finding in findings) + end + "\n", findings


def compare(case, folder, hide=""):
    """Loads `case` from the current folder; `hide` is a folder whose name is nobody's business. Returns the
    findings."""
    text, findings = outcome(case)
    assert text.endswith("refused\n") == any(finding.severity == "error" for finding in findings)
    if hide:
        text = text.replace(hide, "ROOT")
    golden = folder / (case.rpartition(".")[0] + ".txt")
    if UPDATE:
        golden.write_text(text, encoding="utf-8")
    assert golden.exists(), "no golden file: run with PLIANT_UPDATE_GOLDEN=1"
    assert text == golden.read_text(encoding="utf-8")
    return findings
