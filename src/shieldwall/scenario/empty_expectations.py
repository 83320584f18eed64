"""Expectations that expect nothing: they hold whatever happens, which their author hardly meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.measure_args import MOST_TOLERANCE

# Lists of what must have happened, among other things; an empty one does not mean that nothing did.
INSTEAD = {
    "events": "to say that something must not happen, use `no_events` or `counts`",
    "rolls": "to say that no dice are rolled, use `no_rolls` or `dice_used`",
    "asked": "to say that a question is not asked, use `never_asked`",
}
LISTS = ("no_events", "counts", "never_asked", "no_rolls", "dice_used", *INSTEAD)
BY_NAME = ("units", "models", "objectives", "terrain")
NUMBERS = ("hits", "blocked", "wounds", "ignored", "removed")


def empty_problems(data: Mapping[str, Any]) -> Iterator[FileProblem]:
    """The empty expectations of a scenario, at its end and between its steps."""
    yield from _empty(data.get("expect"), ("expect",))
    play = data.get("play")
    for number, step in enumerate(play if isinstance(play, list) else [play]):
        if isinstance(step, dict):
            yield from _empty(step.get("expect"), ("play", number, "expect"))


def _empty(expect: object, where: Path) -> Iterator[FileProblem]:
    if not isinstance(expect, dict):
        return
    if not expect:
        yield FileProblem(where, "it expects nothing; leave it out, or say what must be true")
    for key in (*LISTS, *BY_NAME, *NUMBERS, "pending"):
        if expect.get(key, 0) in ([], {}):
            tip = f"; {INSTEAD[key]}" if key in INSTEAD else ""
            yield FileProblem((*where, key), f"it is empty and expects nothing{tip}")
    for key in BY_NAME:
        entries = expect.get(key)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                yield from _of_one(entry, (*where, key, name))
    options = expect["pending"].get("options") if isinstance(expect.get("pending"), dict) else None
    if options == {}:
        yield FileProblem((*where, "pending", "options"), "it expects nothing; give contain, lack or equal")


def _of_one(entry: Mapping[str, Any], where: Path) -> Iterator[FileProblem]:
    if not entry.keys() - {"tolerance"}:
        yield FileProblem(where, "it expects nothing; say what must be true")
    tolerance = entry.get("tolerance", 0)
    if isinstance(tolerance, (int, float)) and not 0 <= tolerance <= MOST_TOLERANCE:
        yield FileProblem((*where, "tolerance"), f"expected 0 to {MOST_TOLERANCE}, found {tolerance:g}")
