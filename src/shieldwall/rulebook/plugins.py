"""Bots, rules and editions from installed packages, found by entry points and loaded on demand.

A package says in its `pyproject.toml`::

    [project.entry-points."shieldwall.bots"]
    veteran = "my_package:Veteran"

    [project.entry-points."shieldwall.rules"]
    Oathbound = "my_package:Oathbound"

    [project.entry-points."shieldwall.editions"]
    regiments-winter = "my_package:RULESET"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from shieldwall.rulebook.errors import ShieldwallError

BOTS, RULES, EDITIONS = "shieldwall.bots", "shieldwall.rules", "shieldwall.editions"


class PluginError(ShieldwallError, ImportError):
    """An installed package announces something that cannot be loaded."""


@cache
def announced(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name; nothing is imported yet."""
    return {point.name: point for point in entry_points(group=group)}


def load_plugin(group: str, name: str) -> Any:
    """The object of an entry point; the error names a package that fails to load."""
    point = announced(group)[name]
    try:
        return point.load()
    except Exception as error:
        package = point.dist.name if point.dist is not None else point.value
        raise PluginError(
            f"{name!r} of {group} comes from the package {package} ({point.value}), which cannot be loaded: "
            f"{error!r}. Repair or uninstall that package"
        ) from error
