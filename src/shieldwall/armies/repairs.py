"""Repairs for the problems of a list: small changes, each tested by checking the changed list.

Nothing here knows a rule. The repair of a problem is the smallest change after which checking no longer finds it and
finds no new errors: remove an option or a unit, detach a hero, uncombine a unit, set a size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.book import Book
from shieldwall.armies.check import Checked, Finding, check_list, default_size
from shieldwall.armies.lists import ArmyList, Entry, UpgradePick
from shieldwall.armies.recruit import Books, books_of, loadout_of

MOST_STEPS = 24  # repairs in a row; a list that needs more is better rewritten


class Repair(Struct, frozen=True):
    """A change that fixes a problem of a list: what to do, in words, and the resulting list."""

    problem: str
    words: str
    army: ArmyList


class Checking(Struct, frozen=True):
    """How a list is checked: with which books, at which size, with which house rules."""

    books: tuple[Book, ...] = ()
    points: int = 0
    options: Mapping[str, str] | None = None
    strict: bool = False

    def of(self, army: ArmyList) -> Checked:
        """Check a list this way."""
        return check_list(army, self.books, points=self.points, options=self.options, strict=self.strict)


def repairs_of(army: ArmyList, how: Checking, checked: Checked | None = None) -> tuple[Repair, ...]:
    """One repair for each error of a list, in the order of the errors; none for errors that no change can fix."""
    before = checked or how.of(army)
    errors = [one for one in before.findings if one.level == "error"]
    if not errors:
        return ()
    tried = [(words, other, how.of(other)) for words, other in _changes(army, how)]
    found = [_best(problem, before, tried) for problem in errors]
    return tuple(one for one in found if one is not None)


def repaired(army: ArmyList, how: Checking) -> tuple[ArmyList, tuple[Repair, ...]]:
    """A list with repairs applied one after another until no error is left, or none that can be fixed."""
    made: list[Repair] = []
    while len(made) < MOST_STEPS:
        found = repairs_of(army, how)
        if not found:
            break
        made.append(found[0])
        army = found[0].army
    return army, tuple(made)


def _best(problem: Finding, before: Checked, tried: Sequence[tuple[str, ArmyList, Checked]]) -> Repair | None:
    """The change that fixes a problem and leaves the fewest errors; of several, the one that costs the least."""
    errors = _errors(before)
    able = [
        (len(_errors(after)), abs(before.cost - after.cost), place)
        for place, (_, _, after) in enumerate(tried)
        if problem.text not in _errors(after) and _is_better(before, after, errors)
    ]
    if not able:
        return None
    words, army, _ = tried[min(able)[2]]
    return Repair(problem.text, words, army)


def _is_better(before: Checked, after: Checked, errors: list[str]) -> bool:
    """Whether a change brings a list closer to being legal: fewer errors, or as many and fewer excess points."""
    left = _errors(after)
    if len(left) < len(errors):
        return True
    too_many, still = before.cost - before.points, after.cost - after.points
    return len(left) == len(errors) and 0 < still < too_many


def _errors(checked: Checked) -> list[str]:
    return [one.text for one in checked.findings if one.level == "error"]


def _changes(army: ArmyList, how: Checking) -> Iterator[tuple[str, ArmyList]]:
    """Every small change of a list that could fix something, with a description."""
    known = books_of(army, how.books)
    if not army.points and not how.points:
        size = default_size(army.edition)
        yield f"play it at {size} points", replace(army, points=size)
    for entry in army.entries:
        yield from _changes_of(army, entry, known)


def _changes_of(army: ArmyList, entry: Entry, known: Books) -> Iterator[tuple[str, ArmyList]]:
    loadout = loadout_of(army, entry, known)
    name = entry.name or (loadout.unit.name if loadout is not None else entry.unit)
    if entry.joins:
        yield f"do not join {name} to a unit", _with(army, entry, replace(entry, joins=""))
    if entry.second is not None:
        yield (
            f"remove one copy of {name} from the combined unit",
            _with(army, entry, replace(entry, second=None)),
        )
    source = known.get(army.book_of(entry))
    if loadout is None and source is not None:
        near = get_close_matches(entry.unit, [unit.id for unit in source.units], n=1)
        for unit in near:
            yield f"take {unit!r} instead of {entry.unit!r}", _with(army, entry, replace(entry, unit=unit))
    for pick in dict.fromkeys(entry.picks):
        less = replace(entry, picks=_less(entry.picks, pick))
        yield f"take {_named(pick, entry, army, known)} off {name}", _with(army, entry, less)
    for pick in dict.fromkeys(entry.second or ()):
        less = replace(entry, second=_less(entry.second or (), pick))
        yield f"remove {_named(pick, entry, army, known)} from the second {name}", _with(army, entry, less)
    cost = f" ({loadout.cost} points)" if loadout is not None else ""
    rest = tuple(
        replace(one, joins="") if one.joins == entry.id else one for one in army.entries if one is not entry
    )
    yield f"take {name} out{cost}", replace(army, entries=rest)


def _named(pick: UpgradePick, entry: Entry, army: ArmyList, known: Books) -> str:
    """An option by the name in its book."""
    source = known.get(army.book_of(entry))
    unit = next((one for one in source.units if one.id == entry.unit), None) if source is not None else None
    found = (
        source.find_option(unit, pick.option, pick.section)
        if source is not None and unit is not None
        else None
    )
    return found[1].name if found is not None else repr(pick.option)


def _less(picks: Sequence[UpgradePick], pick: UpgradePick) -> tuple[UpgradePick, ...]:
    """Picks with the last one of a kind removed."""
    last = max(place for place, one in enumerate(picks) if one == pick)
    return tuple(one for place, one in enumerate(picks) if place != last)


def _with(army: ArmyList, entry: Entry, other: Entry) -> ArmyList:
    return replace(army, entries=tuple(other if one is entry else one for one in army.entries))
