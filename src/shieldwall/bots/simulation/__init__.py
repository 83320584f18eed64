"""Playouts of a simplified battle, compiled ahead of time; see shieldwall.geometry."""

from pathlib import Path

from shieldwall.geometry.built import search_path

__path__ = search_path(Path(__file__).resolve().parent)
