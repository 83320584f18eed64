"""Decorative parts of miniatures, such as banners and flames; the players agree whether they count."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import Base, Profile, State, option


class FancyPart(Struct, frozen=True):
    """What a part adds to a model: how high it reaches, and the footprint including it.

    The footprint matters only for models without a base; for others the base is the measuring point.
    """

    top: int = 0
    footprint: Base | None = None


def with_parts(state: State, parts: Mapping[str, FancyPart]) -> State:
    """The state with decorative parts, by profile name, treated as the players agreed."""
    if option(state, "decorative-parts") == "ignored":
        return state
    profiles = tuple(_grown(profile, parts.get(profile.name)) for profile in state.profiles)
    return replace(state, profiles=profiles)


def _grown(profile: Profile, part: FancyPart | None) -> Profile:
    if part is None:
        return profile
    return replace(profile, height=max(profile.height, part.top), base=part.footprint or profile.base)
