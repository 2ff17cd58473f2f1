"""Renderer, where MuJoCo's package has it."""

from pliant._render import Renderer

__all__ = ["Renderer"]
