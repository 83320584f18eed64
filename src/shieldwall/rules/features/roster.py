"""A whole army list in the form that an edition's requirements check, and the form of those requirements.

Each edition states its requirements in one `Forces` value, the only thing that list checks read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from shieldwall.core.state import Profile, Unit
from shieldwall.rules.features.army_lists import ListedUnit, ListProblem


class ForceRoster(Struct, frozen=True):
    """A list: its entries in order, the two halves of each combined entry, and the units they become.

    `halves` is keyed by the index of the entry. `units` has one unit for each entry, with a hero and its host as
    separate units, so that limits on single models can be checked. `books` are the ids of the army books used.
    """

    entries: tuple[ListedUnit, ...]
    halves: tuple[tuple[int, ListedUnit, ListedUnit], ...]
    units: tuple[Unit, ...]
    profiles: tuple[Profile, ...]
    books: tuple[str, ...] = ()


def no_advice(points: int) -> tuple[ListProblem, ...]:
    """No advice: most books give none on game sizes."""
    return ()


class Forces(Struct, frozen=True):
    """What an edition requires of lists.

    `picks` is the row about picking units and upgrades, `command` the one about how many command models a unit has,
    `sizes` the game sizes the book suggests. `problems` finds everything wrong for a game of a given size under some
    house rules. `organisation` is the switch that turns on further limits that players may agree on; empty if the
    book has none. `size` is the row about the one size that all lists of a game are made for; with `agreed` no list
    can be checked before the players have agreed on it. `advice` is what players should know about a game of a given
    size. `side` finds everything wrong with the lists of several players of one side; None if the book says nothing
    about allies.
    """

    picks: str
    command: str
    size: str
    sizes: Mapping[str, int]
    problems: Callable[[ForceRoster, int, Mapping[str, str]], tuple[ListProblem, ...]]
    organisation: str = ""
    agreed: bool = False
    advice: Callable[[int], tuple[ListProblem, ...]] = no_advice
    side: Callable[[Sequence[ForceRoster], int, Mapping[str, str]], tuple[ListProblem, ...]] | None = None
