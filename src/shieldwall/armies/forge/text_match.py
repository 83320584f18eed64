"""Which options of a book lie behind a unit that is known from its text only."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct

from shieldwall.armies.book import Book, BookUnit, Item, Option, Section
from shieldwall.armies.forge.text_form import printed
from shieldwall.armies.forge.text_read import TextUnit
from shieldwall.armies.lists import Pick
from shieldwall.armies.loadout import both_copies, is_for_all, outfit
from shieldwall.armies.parse import describe_rule, describe_weapon
from shieldwall.core.state import RuleRef, Weapon

TRIES = 20_000
_NAMED = re.compile(r"^(?P<own>.+?)\s+\((?P<unit>[^()]+)\)$")


class Match(Struct, frozen=True):
    """The unit of a book behind a text, its own name if it has one, and what was bought; `exact` if all fits."""

    unit: BookUnit
    name: str
    picks: tuple[Pick, ...]
    second: tuple[Pick, ...] | None
    exact: bool


def find_match(book: Book, told: TextUnit) -> Match | None:
    """The unit with the options that give exactly this text, or else the same weapons for the same points.

    None where the book has no such unit, or no choice of options fits.
    """
    unit, own = _unit_named(book, told.name)
    if unit is None or told.size not in (unit.size, 2 * unit.size):
        return None
    doubled = told.size == 2 * unit.size
    nearly = None
    for picks, second in _choices(book, unit, told, doubled):
        loadout = outfit(book, unit, picks)
        if second is not None:
            loadout = both_copies(loadout, outfit(book, unit, second))
        if loadout.problems:
            continue
        words = printed(loadout)
        if words.key == _key(told):
            return Match(unit, own, picks, second, exact=True)
        if nearly is None and frozenset(words.weapons) == _key(told)[2]:
            nearly = Match(unit, own, picks, second, exact=False)
    return nearly


def _unit_named(book: Book, name: str) -> tuple[BookUnit | None, str]:
    """The unit of that name, or of the name in brackets after one of its own."""
    unit = book.unit_named(name)
    if unit is not None:
        return unit, ""
    named = _NAMED.match(name)
    return (book.unit_named(named["unit"]), named["own"]) if named else (None, "")


def _choices(
    book: Book, unit: BookUnit, told: TextUnit, doubled: bool
) -> Iterator[tuple[tuple[Pick, ...], tuple[Pick, ...] | None]]:
    """Choices of options that cost what the text says, fewest things first."""
    offered = _relevant(book, unit, told)
    spread = [range(_most(section, option, told) + 1) for section, option in offered]
    if prod(map(len, spread)) > TRIES:
        spread = [range(min(2, len(times))) for times in spread]
    copies = 2 if doubled else 1
    base = unit.cost * copies
    chosen = (
        times
        for times in itertools.islice(itertools.product(*spread), TRIES)
        if base + _cost(unit, offered, times, copies) == told.cost
    )
    for times in sorted(chosen, key=sum):
        yield from _halves(offered, times, doubled)


def _cost(
    unit: BookUnit, offered: Sequence[tuple[Section, Option]], times: Sequence[int], copies: int
) -> int:
    return sum(
        option.price(unit.id) * number * (copies if is_for_all(section) else 1)
        for (section, option), number in zip(offered, times, strict=True)
    )


def _halves(
    offered: Sequence[tuple[Section, Option]], times: Sequence[int], doubled: bool
) -> Iterator[tuple[tuple[Pick, ...], tuple[Pick, ...] | None]]:
    """What is for all goes to both copies; the rest to the first, or shared out where that is too much."""
    numbered = list(zip(offered, times, strict=True))
    first = tuple(Pick(option.id) for (_, option), number in numbered for _ in range(number))
    if not doubled:
        yield first, None
        return
    shared = tuple(
        Pick(option.id)
        for (section, option), number in numbered
        for _ in range(number)
        if is_for_all(section)
    )
    yield first, shared
    split = tuple(
        Pick(option.id)
        for (section, option), number in numbered
        for _ in range(number if is_for_all(section) else number - number // 2)
    )
    other = tuple(
        Pick(option.id)
        for (section, option), number in numbered
        for _ in range(number if is_for_all(section) else number // 2)
    )
    if split != first:
        yield split, other


def _relevant(book: Book, unit: BookUnit, told: TextUnit) -> list[tuple[Section, Option]]:
    """Options all of whose gains can be seen in the text."""
    _, bought, weapons = _key(told)
    seen = {text for text, _ in (*bought, *weapons)}
    return [
        (section, option)
        for section in book.sections_of(unit)
        for option in section.options
        if all(_words(gain.what) in seen for gain in option.gains)
    ]


def _most(section: Section, option: Option, told: TextUnit) -> int:
    if section.affects.kind not in ("any", "up to") and not told.size > 1:
        return 1
    if section.affects.kind == "all":
        return 1
    _, bought, weapons = _key(told)
    counts = dict((*bought, *weapons))
    return max(1, min((counts.get(_words(gain.what), 1) for gain in option.gains), default=1))


def _key(told: TextUnit) -> tuple[frozenset[str], frozenset[tuple[str, int]], frozenset[tuple[str, int]]]:
    """The text in the terms that a unit of the book is compared by; on a lone model all rules count once."""
    unit_rules = frozenset(
        _words(thing) for thing, count in told.rules if not count and isinstance(thing, RuleRef)
    )
    bought = frozenset(
        (_words(thing), count or told.size) for thing, count in told.rules if count or isinstance(thing, Item)
    )
    weapons = frozenset((describe_weapon(weapon), count) for weapon, count in told.weapons)
    return unit_rules, bought, weapons


def _words(thing: Item | RuleRef | Weapon) -> str:
    match thing:
        case RuleRef():
            return describe_rule(thing)
        case Weapon():
            return describe_weapon(thing)
        case Item():
            inside = [*map(describe_weapon, thing.weapons), *map(describe_rule, thing.rules)]
            return f"{thing.name}({', '.join(inside)})" if inside else thing.name
