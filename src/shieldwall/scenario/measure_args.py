"""Checks the shape of measurements and their settings before anything is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shieldwall.scenario.poses import is_position
from shieldwall.scenario.schema import SIDES

MOST_TOLERANCE = 1  # beyond that almost anything would hold
METHODS = ("basic", "top-down", "volumetric", "true")


def about_problems(verb: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Every part of a measurement that has the wrong shape; names are checked later."""
    fits, wanted = ABOUT.get(verb, TEXT)
    if not fits(entry[verb]):
        yield f"{verb}: expected {wanted}, found {entry[verb]!r}"
    for key, (fits, wanted) in SETTINGS.items():
        if key in entry and verb in USED_BY[key] and not fits(entry[key]):
            yield f"{key}: expected {wanted}, found {entry[key]!r}"
    tolerance = entry.get("tolerance", 0.0)
    if type(tolerance) not in (int, float) or not 0 <= tolerance <= MOST_TOLERANCE:
        yield f"tolerance: expected a number from 0 to {MOST_TOLERANCE}, found {tolerance!r}"


def _is_name(value: object) -> bool:
    return isinstance(value, str)


def _is_end(value: object) -> bool:
    return isinstance(value, str) or is_position(value)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_end(end) for end in value)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, str) for end in value)


def _is_text(value: object) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _are_steps(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(step, dict) for step in value)
    )


def _are_faces(value: object) -> bool:
    faces = value if isinstance(value, list) else [value]
    return all(type(face) is int and 1 <= face <= 6 for face in faces)


def _are_numbers(value: object) -> bool:
    numbers = value if isinstance(value, list) else [value]
    return bool(numbers) and all(type(number) is int and number >= 1 for number in numbers)


Shape = tuple[Callable[[object], bool], str]

NAME: Shape = (_is_name, "the name of a unit")
PAIR: Shape = (_is_pair, "two things, each a name or a position such as [24, 10]")
NAMES: Shape = (_are_names, "two names of units or models")
SPOT: Shape = (_is_end, "a position such as [24, 10], or a name")
TEXT: Shape = (_is_text, "text")
STEPS: Shape = (_are_steps, "steps such as {activate: Pikes, action: rush, march: [forward 12]}")
SIDE: Shape = (lambda value: value in SIDES, "A or B")
NUMBER: Shape = (lambda value: type(value) is int and value > 0, "a number above 0")
SWITCH: Shape = (lambda value: isinstance(value, bool), "yes or no")

ABOUT: Mapping[str, Shape] = {
    **dict.fromkeys(("distance", "arc"), PAIR),
    **dict.fromkeys(("sight", "cover"), NAMES),
    **dict.fromkeys(("coherency", "rows", "occupies", "moves", "actions", "charges", "targets"), NAME),
    **dict.fromkeys(("terrain", "marker"), SPOT),
    "zone": SIDE,
    "army": SIDE,
    "terrain_turns": NUMBER,
    "legal": STEPS,
}
SETTINGS: Mapping[str, Shape] = {
    "heights": SWITCH,
    "any_direction": SWITCH,
    "method": (lambda value: value in METHODS, f"one of {', '.join(METHODS[:3])}"),
    "models": (_are_numbers, "numbers of models, from 1"),
    "points": NUMBER,
    "first": SIDE,
    "when": STEPS,
    "faces": (_are_faces, "faces of dice, 1 to 6"),
}
USED_BY: Mapping[str, tuple[str, ...]] = {
    "heights": ("distance",),
    "any_direction": ("sight",),
    "method": ("sight",),
    "models": ("cover",),
    "points": ("army",),
    "first": ("terrain_turns",),
    "when": ("need",),
    "faces": ("dice",),
}
