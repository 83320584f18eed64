"""The rules a book explains in its texts, as an army brings them to a game: parsed, and played if possible.

The text of a book takes precedence over the edition's rule of the same name. A rule is played only if every word of its
text was understood and the engine plays all of it, including the rules it names; otherwise it is shown as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from shieldwall.armies.book import Book, every_rule, rules_of_unit
from shieldwall.armies.forge.systems import system_key
from shieldwall.armies.new_units import NamedUnit, brings_on, names_units, with_named_units
from shieldwall.core.blocks import BY_VALUE, ArmyRule, BlockBase, Blocks, Known, ListRule, Modifier, RuleRef
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.army import bind_rule, meanings_of, playable
from shieldwall.rules.army.binding import Meanings, with_turned_defense
from shieldwall.rules.army.coverage import keeps_conditions
from shieldwall.rules.bindings import Specials
from shieldwall.rules.reading import Read, Reading, read
from shieldwall.rules.reading.rulebook_texts import COMMON_RULES
from shieldwall.rules.ruleset import Ruleset

HOMES = {
    "aof": "regiments-3.5",
    "aofr": "regiments-3.5",
    "aofs": "skirmish-3.2",
}  # editions nearest to a game
WRITTEN_FOR: dict[
    str, dict[str, str]
] = {  # editions that books of a version were written for, or the nearest ones
    "2.": {"aof": "aof-2", "aofs": "skirmish-3.2", "gf": "aof-2", "gff": "skirmish-3.2"},
}
DEFENSE = "Defense"  # of gear: printed with a number, which is added to the dice to block
UNIQUE = "Unique"  # once in a list, even without a text
LATEST = "3."  # books of these versions refer to the rulebook of their time for rules they do not explain
HowPlayed = Literal["rulebook", "pattern", "class", "not played", "not understood"]
"""How a rule is played: by the rulebook's own rule, by sentence patterns, by a class for its exact text, or not."""


class RuleStanding(Struct, frozen=True):
    """A rule of a book in an edition: how it is played, and how its text was understood."""

    name: str
    how: HowPlayed
    text: str = ""
    blocks: Blocks | None = None

    @property
    def is_played(self) -> bool:
        """Whether the game does what its text says."""
        return self.how not in ("not played", "not understood")


def edition_of_its_time(book: Book) -> str:
    """The edition that a book of this version was written for; empty where several may be meant."""
    system = system_key(book.written_for or book.system)
    fitting = (found for told, found in WRITTEN_FOR.items() if book.version.startswith(told))
    return next((found[system] for found in fitting if system in found), "")


@cache
def readings_of(book: Book) -> dict[str, Reading]:
    """How the texts of a book were understood, by rule name."""
    names = frozenset(rule.name for rule in book.rules)
    found = {rule.name: read(rule.name, rule.text, names, on=rule.on) for rule in book.rules if rule.text}
    printed = {rule.name for rule in every_rule(book)}
    if UNIQUE in printed - found.keys():
        found[UNIQUE] = Reading(UNIQUE, "", (Read(0, 0, "", (ListRule(),)),), ())
    if DEFENSE in printed - found.keys():
        found[DEFENSE] = Reading(DEFENSE, "", (Read(0, 0, "", (Modifier("block", BY_VALUE),)),), ())
    for name in sorted(printed - found.keys()):
        if " " in name and (told := _told_by_name(name, names)) is not None:
            found[name] = told
    game = system_key(book.written_for or book.system)
    if game in ("aof", "aofs") and book.version.startswith(LATEST):
        mentioned = {ref.name for reading in found.values() for ref in named_rules(reading.blocks)}
        for name in sorted((printed | mentioned) - found.keys()):
            known = Known(name, "aofs" if game == "aofs" else "aof")
            if playable(known):
                found[name] = Reading(name, "", (Read(0, 0, "", (known,)),), ())
            elif name in COMMON_RULES:
                found[name] = read(name, COMMON_RULES[name], names)
    return with_named_units(found, sorted(printed), lambda named: _rules_of(book, named))


def _rules_of(book: Book, named: NamedUnit) -> list[str] | None:
    """The names of the rules printed on a unit of a book; None if the book does not have it."""
    unit = book.unit_named(named.unit)
    return None if unit is None else [rule.name for rule in rules_of_unit(unit)]


def _told_by_name(name: str, names: frozenset[str]) -> Reading | None:
    """The meaning of a rule without a text whose name is itself a sentence (`AP(1) in melee`); none for others."""
    reading = read(name, name, names)
    named = {ref.name.casefold() for ref in named_rules(reading.blocks)}
    is_known = any(ruleset(edition).specials.knows(name) for edition in EDITIONS)
    return reading if reading.is_whole and not is_known and name.casefold() not in named else None


@cache
def standings(book: Book, edition: str) -> dict[str, RuleStanding]:
    """How every rule with a text in a book is played in an edition."""
    found = standings_of(readings_of(book), ruleset(edition))
    for name in {rule.name for rule in every_rule(book)}:
        told = found.get(name)
        if told is not None and told.is_played and brings_on(told.blocks) and not names_units(told.blocks):
            found[name] = RuleStanding(name, "not played", told.text, told.blocks)  # it names no unit
    return found


def standings_of(readings: Mapping[str, Reading], rules: Ruleset) -> dict[str, RuleStanding]:
    """How rules that were parsed together are played in an edition."""
    meanings = meanings_of(_candidate(reading, rules) for reading in readings.values())
    return {name: _standing(reading, rules, meanings) for name, reading in readings.items()}


def standing_of(book: Book, edition: str, name: str) -> RuleStanding:
    """How a rule printed in a book is played in an edition, with or without a text."""
    found = standings(book, edition).get(name)
    if found is not None:
        return found
    return RuleStanding(name, "rulebook" if ruleset(edition).specials.knows(name) else "not understood")


def means_its_text(book: Book, edition: str, name: str) -> bool:
    """Whether an edition plays a rule as the book's own game means it, and not another rule of that name."""
    found = standing_of(book, edition, name)
    return found.is_played and (found.blocks is not None or is_same_rule(book, name, edition, name))


def is_same_rule(book: Book, name: str, edition: str, played: str) -> bool:
    """Whether the rule an edition plays under a name is the one that the book's own game means."""
    system = book.written_for or book.system
    home = edition_of_its_time(book) or HOMES.get(system_key(system)) or system
    if home not in EDITIONS:
        return True  # there is no way to tell
    theirs, ours = ruleset(home).specials.bindings.get(name), ruleset(edition).specials.bindings.get(played)
    return theirs is not None and ours is not None and theirs.rule is ours.rule


def most_in_list(book: Book, edition: str, name: str) -> int:
    """How often a unit with a rule may be in one list; 0 if the rule sets no limit."""
    blocks = standing_of(book, edition, name).blocks or ()
    return min((block.most for block in blocks if isinstance(block, ListRule)), default=0)


def army_rules(book: Book, edition: str) -> tuple[ArmyRule, ...]:
    """The rules of a book as part of an army; those that are not played in full are text only."""
    return tuple(
        ArmyRule(one.name, one.text, one.blocks if one.is_played else None)
        for one in standings(book, edition).values()
    )


def plays_blocks(blocks: Blocks, specials: Specials) -> bool:
    """Whether bound blocks are played in full: each of them, and every rule they name."""
    return all(map(playable, blocks)) and all(
        ref.blocks is not None or specials.knows(ref.name) for block in blocks for ref in named_rules(block)
    )


def plays_rules(rules: Iterable[RuleRef], specials: Specials) -> bool:
    """Whether bound rules are played in full."""
    return all(
        plays_blocks(rule.blocks, specials) if rule.blocks is not None else specials.knows(rule.name)
        for rule in rules
    )


def can_be_played(blocks: Blocks, rules: Ruleset) -> bool:
    """Whether an edition plays blocks in full, as read from a text without a book behind it."""
    return _can_play("", blocks, rules)


def _can_play(name: str, blocks: Blocks, rules: Ruleset) -> bool:
    """Whether an edition has steps for everything that bound blocks do."""
    if not all(map(playable, blocks)) or not keeps_conditions(blocks, rules.specials.build):
        return False
    if not rules.unasked:
        return True
    built = rules.specials.build((RuleRef(name, 1, False, blocks),))
    return rules.unasked.isdisjoint(hook for rule in built for hook in rule.hooks)


def _candidate(reading: Reading, rules: Ruleset) -> ArmyRule:
    """A rule as it would be played if possible; rulebook rules without a block are left to the edition."""
    blocks = _meaning(reading, rules) if reading.is_whole else None
    if blocks is not None and _is_rulebook(blocks) and not _can_play(reading.name, blocks, rules):
        blocks = None
    return ArmyRule(reading.name, reading.text, blocks)


def _standing(reading: Reading, rules: Ruleset, meanings: Meanings) -> RuleStanding:
    name, text, specials = reading.name, reading.text, rules.specials
    if not reading.is_whole:
        return RuleStanding(name, "not understood", text)
    blocks = _meaning(reading, rules)
    if _is_rulebook(blocks):
        if _can_play(name, blocks, rules):
            return RuleStanding(name, "rulebook", text, blocks)
        return RuleStanding(name, "rulebook" if specials.knows(name) else "not played", text)
    bound = bind_rule(RuleRef(name), meanings).blocks
    if bound is None or not plays_blocks(bound, specials) or not _can_play(name, bound, rules):
        return RuleStanding(name, "not played", text, blocks)
    return RuleStanding(name, "class" if reading.by_words else "pattern", text, blocks)


def _meaning(reading: Reading, rules: Ruleset) -> Blocks:
    """What a text says, in the numbers of an edition."""
    return with_turned_defense(reading.blocks) if rules.specials.high_defense else reading.blocks


def _is_rulebook(blocks: Blocks) -> bool:
    return bool(blocks) and all(isinstance(block, Known) for block in blocks)


def named_rules(value: object) -> Iterator[RuleRef]:
    """Every rule that a block names, at any depth."""
    if isinstance(value, RuleRef):
        yield value
        for inner in value.blocks or ():
            yield from named_rules(inner)
    elif isinstance(value, tuple):
        for item in value:
            yield from named_rules(item)
    elif isinstance(value, BlockBase):
        for name in value.__struct_fields__:
            yield from named_rules(getattr(value, name))
