"""Finds which options of a book explain a unit that is known only from its text."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod
from operator import mul

from msgspec import Struct

from shieldwall.armies.book import Book, BookUnit, Item, Section, UpgradeOption
from shieldwall.armies.forge.text_form import Printed, printed
from shieldwall.armies.forge.text_read import TextUnit, in_brackets
from shieldwall.armies.lists import UpgradePick
from shieldwall.armies.loadout import both_copies, is_for_all, outfit
from shieldwall.armies.parse import describe_rule, describe_weapon
from shieldwall.core.state import RuleRef, Weapon

TRIES = 20_000
SHARES = 500  # ways to divide purchases between two copies that are tried


class Match(Struct, frozen=True):
    """The unit of a book behind a text, its custom name if it has one, and what was bought.

    `exact` if everything fits; `unexplained` are words of the text that nothing in the book explains.
    """

    unit: BookUnit
    name: str
    picks: tuple[UpgradePick, ...]
    second: tuple[UpgradePick, ...] | None
    exact: bool
    unexplained: tuple[str, ...] = ()


def find_match(book: Book, told: TextUnit) -> Match | None:
    """The unit with the options that give exactly this text, or else the same weapons for the same points.

    None if the book has no such unit, or no choice of options fits.
    """
    unit, own = unit_named(book, told.name)
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
        if _unquoted(words.weapons) != _weapons(told):
            continue
        if _says_the_same(words, told):
            return Match(unit, own, picks, second, exact=True)
        if nearly is None:
            known = {*map(_plain, words.rules), *_unquoted(words.bought)}
            unexplained = tuple(text for text in _rules(told) if text not in known)
            nearly = Match(unit, own, picks, second, exact=False, unexplained=unexplained)
    return nearly


def unit_named(book: Book, name: str) -> tuple[BookUnit | None, str]:
    """The unit of that name, or of the name in brackets after a custom one."""
    unit = book.unit_named(name)
    if unit is not None:
        return unit, ""
    own, inside = in_brackets(name)
    return (book.unit_named(inside), own) if own else (None, "")


def _choices(
    book: Book, unit: BookUnit, told: TextUnit, doubled: bool
) -> Iterator[tuple[tuple[UpgradePick, ...], tuple[UpgradePick, ...] | None]]:
    """Choices of options that cost what the text says, smallest first."""
    offered = _relevant(book, unit, told)
    copies = 2 if doubled else 1
    spread = [_times(offered, place, unit, told, copies) for place in range(len(offered))]
    if prod(map(len, spread)) > TRIES:
        spread = [times[: copies + 1] for times in spread]
    prices = [option.price(unit.id) for _, option in offered]
    bought = told.cost - unit.cost * copies
    chosen = (
        times
        for times in itertools.islice(itertools.product(*spread), TRIES)
        if sum(map(mul, prices, times)) == bought
    )
    for times in sorted(chosen, key=sum):
        yield from _halves(offered, times, doubled)


def _halves(
    offered: Sequence[tuple[Section, UpgradeOption]], times: Sequence[int], doubled: bool
) -> Iterator[tuple[tuple[UpgradePick, ...], tuple[UpgradePick, ...] | None]]:
    """Everything for one copy; of two copies, the first gets as much as possible, and what is for all at most once."""
    if not doubled:
        yield _picks(offered, times), None
        return
    shares = [
        range(min(number, 1) if is_for_all(section) else number, -1, -1)
        for (section, _), number in zip(offered, times, strict=True)
    ]
    for first in itertools.islice(itertools.product(*shares), SHARES):
        second = [number - own for number, own in zip(times, first, strict=True)]
        yield _picks(offered, first), _picks(offered, second)


def _picks(offered: Sequence[tuple[Section, UpgradeOption]], times: Sequence[int]) -> tuple[UpgradePick, ...]:
    return tuple(
        UpgradePick(option.id)
        for (_, option), number in zip(offered, times, strict=True)
        for _ in range(number)
    )


def _relevant(book: Book, unit: BookUnit, told: TextUnit) -> list[tuple[Section, UpgradeOption]]:
    """Options whose gains all appear in the text; rules may have been bought for weapons."""
    on_weapons = {_words(rule) for weapon, _ in told.weapons for rule in weapon.rules}
    seen = {*_rules(told), *_weapons(told)}
    return [
        (section, option)
        for section in book.sections_of(unit)
        for option in section.options
        if {_words(gain.what) for gain in option.gains} <= (seen | on_weapons if section.targets else seen)
    ]


def _times(
    offered: Sequence[tuple[Section, UpgradeOption]], place: int, unit: BookUnit, told: TextUnit, copies: int
) -> range:
    """How often an option may have been bought; if nothing else can have brought something, it was certainly bought."""
    section, option = offered[place]
    most = _most(section, option, told, copies)
    others = {_words(gain.what) for _, other in offered if other is not option for gain in other.gains}
    others |= {_words(line.what) for line in unit.equipment} | set(map(_words, unit.rules))
    counts = [
        count
        for gain in option.gains
        if (count := _rules(told).get(_words(gain.what))) is not None and _words(gain.what) not in others
    ]
    if not counts or is_for_all(section):
        return range(1 if counts else 0, most + 1)
    return range(max(counts), max(counts) + 1) if max(counts) else range(1, most + 1)


def _most(section: Section, option: UpgradeOption, told: TextUnit, copies: int) -> int:
    if section.affects.kind not in ("any", "up to") and not told.size > 1:
        return 1
    if section.affects.kind == "all":
        return copies
    counts = {**{text: count or told.size for text, count in _rules(told).items()}, **_weapons(told)}
    return max(1, min((counts.get(_words(gain.what), 1) for gain in option.gains), default=1))


def _says_the_same(words: Printed, told: TextUnit) -> bool:
    """Whether a text has the rules and items of a unit, in the numbers it gives; some texts leave numbers out."""
    bought, rules = _unquoted(words.bought), _rules(told)
    if rules.keys() != {*map(_plain, words.rules), *bought}:
        return False
    return all(count in (0, bought.get(text, 0)) for text, count in rules.items() if text in bought)


def _rules(told: TextUnit) -> dict[str, int]:
    """The rules and items of a text with their numbers of bearers, 0 if it gives none."""
    return {_words(thing): count for thing, count in told.rules}


def _weapons(told: TextUnit) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for weapon, count in told.weapons:
        counted[_words(weapon)] += count
    return counted


def _unquoted(counted: Sequence[tuple[str, int]]) -> dict[str, int]:
    return {_plain(text): count for text, count in counted}


def _plain(text: str) -> str:
    """A text without quotes, which some tools print around the names of other units."""
    return text.replace('"', "")


def _words(thing: Item | RuleRef | Weapon) -> str:
    match thing:
        case RuleRef():
            return _plain(describe_rule(thing))
        case Weapon():
            return _plain(describe_weapon(thing))
        case Item():
            inside = [*map(describe_weapon, thing.weapons), *map(describe_rule, thing.rules)]
            return _plain(f"{thing.name}({', '.join(inside)})" if inside else thing.name)
