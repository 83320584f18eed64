"""Units of a list as the text that players paste into chats, and the parts by which such texts are compared."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from shieldwall.armies.book import Book, Item
from shieldwall.armies.forge.systems import key_of
from shieldwall.armies.lists import ArmyList, Entry
from shieldwall.armies.loadout import Loadout, totals
from shieldwall.armies.parse import describe_rule, describe_weapon
from shieldwall.armies.recruit import Books, loadout_of
from shieldwall.core.state import RuleRef, Weapon


class Printed(Struct, frozen=True):
    """What a unit's text says: rules of the whole unit, purchases with their numbers, weapons with theirs."""

    rules: tuple[str, ...]
    bought: tuple[tuple[str, int], ...]
    weapons: tuple[tuple[str, int], ...]


def printed(loadout: Loadout) -> Printed:
    """A unit as its text prints it."""
    things = totals(loadout)
    weapons = [(describe_weapon(thing), count) for thing, count in things if isinstance(thing, Weapon)]
    bought = [(_bought(thing), count) for thing, count in things if isinstance(thing, Item | RuleRef)]
    return Printed(
        rules=tuple(dict.fromkeys(map(describe_rule, loadout.unit.rules))),
        bought=tuple(Counter(dict(_summed(bought))).items()),
        weapons=tuple(Counter(dict(_summed(weapons))).items()),
    )


def _summed(pairs: list[tuple[str, int]]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for text, count in pairs:
        counted[text] += count
    return counted


def _bought(thing: Item | RuleRef) -> str:
    if isinstance(thing, RuleRef):
        return describe_rule(thing)
    inside = [*map(describe_weapon, thing.weapons), *map(describe_rule, thing.rules)]
    return f"{thing.name}({', '.join(inside)})" if inside else thing.name


def list_text(army: ArmyList, books: Books) -> str:
    """A list as text: a heading, then a block for each unit. A hero comes before the unit it joined."""
    known = [books[ref.id] for ref in army.books if ref.id in books]
    found = {entry.id: loadout_of(army, entry, books) for entry in army.entries}
    cost = sum(loadout.cost for loadout in found.values() if loadout is not None)
    guests = {entry.joins: entry for entry in army.entries if army.entry(entry.joins) is not None}
    blocks = [_heading(army, known, cost)]
    for entry in army.entries:
        if guests.get(entry.joins) is entry:
            continue
        lines = _block(entry, found[entry.id])
        guest = guests.get(entry.id)
        if guest is not None:
            lines = [*_block(guest, found[guest.id]), "| Joined to:", *lines]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _heading(army: ArmyList, books: list[Book], cost: int) -> str:
    names = ", ".join(f"{book.name} (v{book.version})" if book.version else book.name for book in books)
    points = f"{cost}/{army.points}" if army.points and army.points != cost else f"{cost}"
    units = sum(1 for entry in army.entries if not entry.joins)
    title = f"{army.name} - {names}" if names else army.name
    game = army.system or key_of(army.edition)
    heading = f"++ {title} [{game.upper()} {points}pts] [{units} Units] [{army.edition}] ++"
    return "\n".join([heading, *_note(army.note)])


def _block(entry: Entry, loadout: Loadout | None) -> list[str]:
    if loadout is None:
        return [f"# {entry.name or entry.unit}: no book has this unit", *_note(entry.note)]
    unit, told = loadout.unit, printed(loadout)
    name = f"{entry.name} ({unit.name})" if entry.name else unit.name
    bought = [f"{count}x {text}" for text, count in told.bought]
    head = f"{name} [{loadout.size}] Q{unit.quality}+ D{unit.defense}+ | {loadout.cost}pts"
    rules = ", ".join((*told.rules, *bought))
    weapons = ", ".join(text if count == 1 else f"{count}x {text}" for text, count in told.weapons)
    return [f"{head} | {rules}" if rules else head, *([weapons] if weapons else []), *_note(entry.note)]


def _note(note: str) -> list[str]:
    return [f"# {line}" for line in note.splitlines()]
