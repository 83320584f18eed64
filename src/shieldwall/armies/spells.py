"""Spells of a list as text, and as the game plays them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.parse import describe_rule, parse_rules
from shieldwall.core.blocks import EVERY, Block, Gets, Lend, Modifier, Picks, TakeHits, TakeTest, When
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Spell
from shieldwall.core.values import MILLI
from shieldwall.rules.army import bind_blocks, bind_rules, playable
from shieldwall.rules.army.binding import Meanings, with_turned_defense
from shieldwall.rules.reading import read_spell

HITS_MAX = 99
_LENT = {
    ("morale", ()): "To Morale",
    ("block", ()): "To Block",
    ("hit", ()): "To Hit",
    ("hit", (When(attack="attack"),)): "To Hit",
    ("hit", (When(attack="shoot"),)): "To Shoot",
    ("hit", (When(attack="melee"),)): "To Strike",
}


class SpellSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """One spell as printed; lengths in inches, special rules as text.

    `hits` land with `rules`, `grants` are granted to each target until `until`; with a `test` they are granted to
    those that fail it. `moves` lets the caster's side move a target.
    """

    name: str = ""
    cost: int = 1
    range: float = 12.0
    whom: Literal["enemy", "friend", "self"] = "enemy"
    targets: int = 1
    hits: int = 0
    rules: str = ""
    grants: str = ""
    until: str = "round"
    test: Literal["", "morale", "danger"] = ""
    moves: float = 0.0
    text: str = ""


def read_spells(
    specs: Iterable[SpellSpec], meanings: Meanings | None = None, *, high_defense: bool = False
) -> tuple[Spell, ...]:
    """Spells by name, without duplicates; all problems of all spells are reported together.

    `meanings` is what the texts of the book say about the rules that spells name; `high_defense` means that Defense
    counts the other way in this edition, so that one named in a text is converted.
    """
    found: dict[str, Spell] = {}
    problems: list[str] = []
    for spec in specs:
        if spec.text and not is_explicit(spec):
            spell = spell_by_text(spec, meanings or {}, problems, high_defense=high_defense)
        else:
            plain = _spell(spec, problems)
            rules, grants = (bind_rules(given, meanings or {}) for given in (plain.rules, plain.grants))
            spell = replace(plain, rules=rules, grants=grants)
        if found.setdefault(spec.name, spell) != spell:
            problems.append(f"{spec.name}: two different spells have this name")
    if problems:
        raise MalformedError("spells", problems)
    return tuple(found.values())


def is_explicit(spec: SpellSpec) -> bool:
    """Whether a spell is defined without its text."""
    return bool(spec.hits or spec.grants or spec.test or spec.moves)


def spell_by_text(
    spec: SpellSpec, meanings: Meanings, problems: list[str], *, high_defense: bool = False
) -> Spell:
    """A spell from its text; a text that is not understood, or not played, is a problem."""
    reading = read_spell(spec.name, spec.text, list(meanings))
    found = with_turned_defense(reading.blocks) if high_defense else reading.blocks
    spell = None
    if reading.is_whole and len(found) == 1 and isinstance(found[0], Picks):
        spell = _cast(spec, bind_blocks(found, meanings)[0])
    if spell is None:
        stopped = reading.missed[0].text if reading.missed else spec.text
        problems.append(f"{spec.name}: not understood, or not played: {stopped}")
        return Spell(spec.name, max(1, spec.cost), 0)
    return spell


def _cast(spec: SpellSpec, pick: Block) -> Spell | None:
    """A spell from a pick: in the terms of book files if possible, else as a pick; None if it is not played."""
    if not isinstance(pick, Picks) or not playable(pick):
        return None
    plain = Spell(spec.name, max(1, spec.cost), pick.reach, pick.on, max(1, pick.count))
    match pick.then[0] if _is_plain(pick) else None:
        case TakeHits(hits, rules) if hits and pick.then[0] == TakeHits(hits, rules):
            return replace(plain, hits=min(hits, HITS_MAX), rules=rules)
        case Lend(blocks, until, False):
            return replace(plain, grants=(RuleRef(spec.name, 0, False, blocks),), until=until or "round")
        case Lend(_, until, True):
            return replace(plain, grants=(RuleRef(spec.name, 0, False, pick.then),), until=until or "round")
        case TakeTest("dangerous", ()):
            return replace(plain, test="danger")
    return replace(plain, grants=(RuleRef(spec.name, 0, False, (pick,)),))


def _is_plain(pick: Picks) -> bool:
    """Whether a pick only chooses targets and does one thing to them."""
    plain = Picks(pick.then, pick.on, "unit", pick.count, pick.reach, pick.sight, at="", often="")
    return pick == plain and pick.count != EVERY and len(pick.then) == 1


def spec_of_text(name: str, cost: int, text: str) -> SpellSpec | None:
    """A spell explained by its text; None if the text is not understood."""
    reading = read_spell(name, text)
    if not reading.is_whole or len(reading.blocks) != 1:
        return None
    pick = reading.blocks[0]
    assert isinstance(pick, Picks)
    spec = SpellSpec(name, cost, pick.reach / MILLI, pick.on, max(1, pick.count), text=text)
    return _in_file_terms(spec, pick) if _is_plain(pick) else spec


def _in_file_terms(spec: SpellSpec, pick: Picks) -> SpellSpec:
    """A spell whose effect a book file can express: plain hits, or one granted rule or modifier."""
    match pick.then[0]:
        case TakeHits(hits, rules) if hits and pick.then[0] == TakeHits(hits, rules):
            words = ", ".join(map(describe_rule, rules))
            return replace(spec, hits=min(hits, HITS_MAX), rules=words, until="round")
        case Lend((Gets(rule, _, ()),), until, False):
            return replace(spec, grants=describe_rule(rule), until=until)
        case Lend((Modifier(roll, amount, "own", _, whens),), until, False) if (roll, whens) in _LENT:
            return replace(spec, grants=f"{_LENT[roll, whens]}({amount:+d})", until=until)
    return spec


def played_spell(spec: SpellSpec, meanings: Meanings) -> Spell | None:
    """The spell of a text, if it is understood and can be cast; otherwise None."""
    problems: list[str] = []
    spell = spell_by_text(spec, meanings, problems)
    return None if problems else spell


def _spell(spec: SpellSpec, problems: list[str]) -> Spell:
    if not spec.name:
        problems.append("a spell has no name")
    if spec.cost < 1 or spec.targets < 1:
        problems.append(f"{spec.name}: cost and targets must be 1 or more")
    return Spell(
        name=spec.name,
        cost=spec.cost,
        reach=round(spec.range * MILLI),
        on=spec.whom,
        targets=spec.targets,
        hits=spec.hits,
        rules=_rules(spec.name, spec.rules, problems),
        grants=_rules(spec.name, spec.grants, problems),
        until=spec.until,
        test=spec.test,
        moves=round(spec.moves * MILLI),
    )


def _rules(name: str, text: str, problems: list[str]) -> tuple[RuleRef, ...]:
    try:
        return parse_rules(text)
    except MalformedError as error:
        problems += [f"{name}: {problem}" for problem in error.problems]
        return ()
