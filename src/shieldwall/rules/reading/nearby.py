"""Sentences about units near the bearer that are put like those about its own unit.

Whatever can be said of `this unit` can be said of `friendly units within 6"`: their attacks, tests and wounds, and what
enemies do to them. Where such a sentence has no phrase of its own, it is read as one about the bearer's unit, and what
comes of that is an aura by distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from shieldwall.core import blocks as b
from shieldwall.rules.reading.grammar import Grammar, Text
from shieldwall.rules.reading.rewording import in_known_words
from shieldwall.rules.reading.words import Word, words_of

LENT = (
    b.Modifier, b.Gets, b.MoreAttacks, b.HitsTaken, b.DefenseIs, b.InCover, b.Ignores, b.FacesGet, b.ExtraHits,
    b.ExtraAttacks, b.ExtraWounds, b.BlocksAgain, b.RollsAgain, b.IgnoresWounds, b.Inches, b.Range, b.StrikeOrder,
    b.ShootsAfter, b.Crosses, b.PassesTests, b.Untiring, b.MayMove,
)  # fmt: skip
FIRST = frozenset({"friendly", "enemy", "friend", "all", "each", "any", "a", "an", "other"})
STAND_IN = words_of("this unit")


def of_units_nearby(grammar: Grammar, heard: Text, at: int) -> tuple[int, b.Blocks | None]:
    """The aura that a sentence beginning at a word tells of, and where it ends; none where it is no such sentence."""
    for start, end, crowd in _crowds(grammar, heard, at):
        words = (*heard.words[:start], *_standing_in(heard.words[start]), *heard.words[end:])
        if _names_bearer(words, at, start):
            continue
        words = (*words[:at], *in_known_words(words[at:]))
        found = grammar.parse(Text(words, heard.names), "item", at)
        for blocks, stop in sorted(found, key=lambda one: -one[1]):
            if (stop == len(words) or words[stop].plain in (".", "!")) and all(map(_is_lent, blocks)):
                return len(heard.words) - (len(words) - stop), (_aura(blocks, crowd),)
    return at, None


def _crowds(grammar: Grammar, heard: Text, at: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Where units near the bearer are named in a sentence, the longest way to name them first."""
    for start in range(at, len(heard.words)):
        plain = heard.words[start].plain
        if plain in (".", "!"):
            return
        if plain in FIRST:
            found = sorted(grammar.parse(heard, "crowd", start), key=lambda one: -one[1])
            yield from ((start, end, crowd) for crowd, end in found)
            if found:
                return


def _standing_in(place: Word) -> tuple[Word, ...]:
    return tuple(replace(word, start=place.start, end=place.end) for word in STAND_IN)


def _names_bearer(words: tuple[Word, ...], at: int, start: int) -> bool:
    """Whether a sentence speaks of its bearer, too: nobody could tell the two apart."""
    for place in range(at, len(words)):
        if place not in (start, start + 1) and words[place].plain in ("this", "bearer"):
            return True
    return False


def _is_lent(block: b.Block) -> bool:
    return isinstance(block, LENT) and getattr(block, "who", "") == "unit"


def _aura(blocks: b.Blocks, m: dict[str, Any]) -> b.Aura:
    others = bool(m.get("o", False)) and "own" not in m
    return b.Aura(blocks, "unit", 0, m["d"], m["side"], others, m.get("rule", ""), (), "starts" in m)
