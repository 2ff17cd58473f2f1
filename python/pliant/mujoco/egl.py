"""A context that needs no driver: pictures are drawn on the CPU (docs/rendering.md)."""

from pliant._render import GLContext

__all__ = ["GLContext"]
