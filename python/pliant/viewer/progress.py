"""How far a long command is, on standard error: what apps/pliant/progress.cpp says, for what is written in Python."""

import sys
import time

_FIRST, _REDRAW, _LINES = 0.2, 0.1, 2.0  # seconds


def duration_text(seconds):
    """'12 s', '3 min 20 s', '2 h 5 min'."""
    whole = int(-(-seconds // 1))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Progress:
    """One line that is drawn again on a terminal; with `wanted` a line every two seconds elsewhere."""

    def __init__(self, total, unit, *, wanted=False, silent=False):
        self.total, self.unit = total, unit
        self.redraw = sys.stderr.isatty()
        self.shown = wanted or (self.redraw and not silent)
        self.begin, self.drawn = time.monotonic(), False
        self.next = _FIRST if self.redraw else _LINES

    def update(self, done):
        wall = time.monotonic() - self.begin
        if not self.shown or wall < self.next or done <= 0:
            return
        self.next = wall + (_REDRAW if self.redraw else _LINES)
        self.drawn = True
        rate, share = done / wall, min(1.0, done / self.total)
        left = duration_text((self.total - done) / rate)
        line = (
            f"{100 * share:3.0f} %  {done:.4g} of {self.total:.10g} {self.unit}  {rate:.4g} {self.unit}/s  {left} left"
        )
        full = int(20 * share)
        bar = "\r\033[K[" + "=" * full + " " * (20 - full) + "] "
        print(bar + line if self.redraw else line, end="" if self.redraw else "\n", file=sys.stderr, flush=True)

    def close(self):
        if self.drawn and self.redraw:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
