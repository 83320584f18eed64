"""Geometry on plain arrays, compiled ahead of time: distances, sweeps, moves, sight and cover.

The modules are ordinary Python; ahead_of_time.py compiles them. built.py says which form is imported.
"""

from pathlib import Path

from shieldwall.geometry.built import search_path

__path__ = search_path(Path(__file__).resolve().parent)
