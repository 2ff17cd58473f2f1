"""Errors of the compiler in the words that programs written for MuJoCo look for, after Pliant's own.

An error about an element ends with a line that names it; before that line comes what the reference says. One table:
what Pliant's message looks like, and the words.
"""

import re

from . import _pliant


def _size(match):
    return f"size {int(match['number']) - 1} must be positive in geom"


def _bits(match):
    bits, most = int(match["bits"]), int(match["most"])
    if bits <= 0:
        return f"data spec (intprm[0]) must be positive, got {bits}"
    fields = "mjNCONDATA" if most == 511 else "mjNRAYDATA"
    if not bits & most:
        return f"data spec intprm[0]={bits} must have at least one bit set of the first {fields} bits"
    return f"data spec intprm[0]={bits} has bits set beyond the first {fields} bits"


_WORDS = (
    (r"<geom[^\n]*> needs \d sizes? greater than 0; size (?P<number>\d) is [^\n]*", _size),
    (r"<hfield[^\n]*> has \d+ heights; nrow and ncol ask for \d+",
     lambda match: "elevation data length must match nrow*ncol"),
    (r"<sensor[^\n]*> needs bits of its data fields in intprm\[0\], from 1 to (?P<most>\d+), not (?P<bits>-?\d+)",
     _bits),
    (r"<sensor[^\n]*> needs a number of contacts greater than 0 in intprm\[2\], not (?P<number>-?\d+)",
     lambda match: f"num (intprm[2]) must be positive in sensor, got {match['number']}"),
    (r"<sensor[^\n]*> has no reduction with the number (?P<number>-?\d+) in intprm\[1\]",
     lambda match: f"unknown reduction criterion. got {match['number']}"),
    (r"<sensor[^\n]*> looks for contacts of a body, geom or site: objtype is another",
     lambda match: "first matching criterion: if set, must be (x)body, geom or site"),
    (r"<sensor[^\n]*> looks for contacts with a body or geom: reftype is another",
     lambda match: "second matching criterion: if set, must be (x)body or geom"),
)  # fmt: skip
_TABLE = [(re.compile(pattern + r"(?=\nElement name)"), words) for pattern, words in _WORDS]


def with_reference_words(error):
    """The same LoadError; what the reference says about an element stands before the line that names it."""
    text = str(error)
    for pattern, words in _TABLE:
        text = pattern.sub(lambda match, words=words: f"{match[0]}\nError: {words(match)}", text)
    return error if text == str(error) else _saying(text, error)


def with_line(error):
    """The same LoadError; "line 12" at its end, where programs look for the place in a text that they have written
    (PyMJCF then shows the line of Python that made the element)."""
    lines = [finding.line for finding in error.diagnostics if finding.severity == "error" and finding.line > 0]
    return _saying(f"{error}\nThe first error is in line {lines[0]}.", error) if lines else error


def _saying(text, error):
    other = _pliant.LoadError(text)
    other.diagnostics = error.diagnostics
    return other
