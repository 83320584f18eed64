"""Reads a text into blocks, sentence by sentence, and says what it did not understand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import EVERY, Block, Blocks, Picks
from shieldwall.rules.reading import (
    alternatives,
    attackers,
    auras,
    choices,
    clause_parts,
    conditions,
    counts,
    dooms,
    enemies,
    faces,
    fates,
    feats,
    hit_dice,
    lasting,
    marks,
    moves,
    natural_faces,
    numbers,
    options,
    own_time,
    picks,
    rerolls,
    rolls,
    rounds,
    sentences,
    singular_rules,
    standing,
    strikes,
    tables,
    targets,
    terms,
    times,
    victims,
    whom,
    wounds,
)
from shieldwall.rules.reading.adverbials import with_adverbials_in_front
from shieldwall.rules.reading.grammar import Grammar, Text
from shieldwall.rules.reading.meaning import settle
from shieldwall.rules.reading.nearby import of_units_nearby
from shieldwall.rules.reading.negations import negations
from shieldwall.rules.reading.restating import restated
from shieldwall.rules.reading.rewording import in_known_words, turned_words
from shieldwall.rules.reading.rulebook_texts import rulebook_rule
from shieldwall.rules.reading.shapes import shaped_rule
from shieldwall.rules.reading.words import Word, plain_word, words_of

TOPICS = (
    terms,
    conditions,
    standing,
    strikes,
    targets,
    rolls,
    moves,
    natural_faces,
    faces,
    numbers,
    rerolls,
    enemies,
    attackers,
    victims,
    alternatives,
    wounds,
    auras,
    times,
    whom,
    lasting,
    fates,
    dooms,
    marks,
    picks,
    choices,
    options,
    feats,
    own_time,
    hit_dice,
    rounds,
    counts,
    tables,
    singular_rules,
    sentences,
    clause_parts,
)
LONGEST = 4000  # letters of one text; no rule is longer
SETS_KEPT = 64  # of names, one for each army in use


class Misread(Struct, frozen=True):
    """A part of a text that was not understood: where it stands, and the word at which reading stopped."""

    start: int
    end: int
    stopped: int
    text: str


class Read(Struct, frozen=True):
    """A part of a text that was understood, with its blocks."""

    start: int
    end: int
    text: str
    blocks: Blocks


class Reading(Struct, frozen=True):
    """What a text was understood to say. `missed` is empty where every word of it was."""

    name: str
    text: str
    parts: tuple[Read, ...]
    missed: tuple[Misread, ...]
    by_words: bool = False  # whether the very words are known, as a rule that is like no other

    @property
    def blocks(self) -> Blocks:
        """All blocks, in the order of the text."""
        return tuple(block for part in self.parts for block in part.blocks)

    @property
    def is_whole(self) -> bool:
        """Whether all of the text was understood."""
        return bool(self.parts) and not self.missed


@cache
def _grammar() -> Grammar:
    grammar = Grammar(terms.TERMINALS)
    for topic in TOPICS:
        grammar.take(topic.PHRASES)
        grammar.take(negations(topic.PHRASES))
    grammar.check()
    return grammar


@cache
def vocabulary() -> frozenset[str]:
    """The words that phrases and turns of phrase are made of, in their plain form."""
    return _grammar().vocabulary() | turned_words()


def read(
    name: str, text: str, names: Iterable[str] = (), *, on: Literal["", "weapon", "model"] = ""
) -> Reading:
    """Read the text of a rule. `names` are rules known by name, for names that are written in small letters.

    `on` says what the rule is printed on where the text itself names nobody. A pick without a time is made once per
    activation, before attacking.
    """
    found = _read(name, text, _plain_names(names), on)
    if not any(isinstance(block, Picks) and not block.at for block in found.blocks):
        return found
    stray = tuple(part for part in found.parts if _is_timeless(part.blocks))
    kept = tuple(
        replace(part, blocks=tuple(map(_timed, part.blocks))) for part in found.parts if part not in stray
    )
    missed = (Misread(part.start, part.end, part.start, part.text) for part in stray)
    return Reading(name, text, kept, (*found.missed, *missed))


def _timed(block: Block) -> Block:
    if isinstance(block, Picks) and not block.at:
        return replace(block, at="before attacking", often="activation")
    return block


def _is_timeless(blocks: Blocks) -> bool:
    """Whether something happens to everybody in reach, and nobody says when."""
    return any(isinstance(block, Picks) and not block.at and block.count == EVERY for block in blocks)


def read_spell(name: str, text: str, names: Iterable[str] = ()) -> Reading:
    """Read the text of a spell; anything but picking units and doing something to them is not understood."""
    found = _read(name, text, _plain_names(names), "")
    kept = tuple(part for part in found.parts if _is_cast(part.blocks))
    stray = tuple(
        Misread(part.start, part.end, part.start, part.text) for part in found.parts if part not in kept
    )
    return Reading(name, text, kept, (*found.missed, *stray))


def _is_cast(blocks: Blocks) -> bool:
    return all(
        isinstance(block, Picks) and not (block.at or block.often) and (block.reach > 0 or block.on == "self")
        for block in blocks
    )


def _plain_names(names: Iterable[str]) -> frozenset[str]:
    """Names for comparing; those that end in a condition are left out, which is read as one instead."""
    return _plain_set(names if isinstance(names, frozenset) else frozenset(names))


@lru_cache(SETS_KEPT)
def _plain_set(names: frozenset[str]) -> frozenset[str]:
    plain = (" ".join(plain_word(word) for word in name.split()) for name in names)
    return frozenset(
        name
        for name in plain
        if not name.endswith((" in melee", " when shooting")) and not name.startswith("to ")
    )


@cache
def _read(name: str, text: str, names: frozenset[str], on: str) -> Reading:
    known = rulebook_rule(text)
    whole = (known,) if known is not None else shaped_rule(text)
    if whole is not None:
        return Reading(name, text, (Read(0, len(text), text, whole),), (), known is None)
    printed = words_of(text[:LONGEST])
    words = in_known_words(printed)
    who = on or ("weapon" if _speaks_of_weapon(printed) else "model")
    found = _sentences(name, text, words, names, who)
    if found.is_whole:
        return found
    others = (_sentences(name, text, other, names, who) for other in with_adverbials_in_front(words))
    return next((other for other in others if other.is_whole), found)


def _sentences(name: str, text: str, words: tuple[Word, ...], names: frozenset[str], who: str) -> Reading:
    """The words of a text, item by item."""
    parts: list[Read] = []
    missed: list[Misread] = []
    if len(text) > LONGEST:
        missed.append(Misread(LONGEST, len(text), LONGEST, text[LONGEST:]))
    heard = Text(words, names)
    at = 0
    while at < len(words):
        if words[at].plain in (".", "!"):
            at += 1
            continue
        end, blocks = _longest(heard, at, who)
        if blocks is not None:
            start, stop = _span(words[at:end])
            settled = tuple(settle(block, who) for block in blocks)
            who = _spoken_of(settled) or who  # a pronoun in the next sentence means the same
            parts.append(Read(start, stop, text[start:stop], settled))
        else:
            missed.append(_misread(text, words, at, end, heard.farthest))
        at = end
    return Reading(name, text, tuple(parts), tuple(missed))


def _spoken_of(blocks: Blocks) -> str:
    """Of whom a sentence speaks, where it names a unit and nobody else."""
    named = {getattr(block, "who", "") for block in blocks}
    return named.pop() if named in ({"unit"}, {"all"}, {"most"}) else ""


def _longest(heard: Text, at: int, on: str) -> tuple[int, Blocks | None]:
    """The item at a word that takes in most sentences; without one, the end of the sentence."""
    words = heard.words
    heard.farthest = at
    best: tuple[int, Blocks | None] = (at, None)
    for blocks, end in _grammar().parse(heard, "item", at):
        if end > best[0] and (end == len(words) or words[end].plain in (".", "!")):
            best = (end, blocks)
    if best[1] is None:
        best = of_units_nearby(_grammar(), heard, at)
    if best[1] is not None:
        return best if not _is_unconditional_at_its_end(words[at : best[0]]) else (best[0], None)
    end = _stop(words, at)
    blocks = _restated(heard, at, end, on)
    if blocks is None and (later := _stop(words, end + 1)) > end + 1:
        told = _restated(heard, at, later, on)
        if told is not None:
            return later, told
    return end, blocks


def _is_unconditional_at_its_end(sentence: tuple[Word, ...]) -> bool:
    """Whether a sentence that begins with a condition ends with what somebody `always` gets: not only then."""
    told = [word.plain for word in sentence]
    if "always" not in told or told[0] not in ("if", "when", "while", "unless"):
        return False
    place = told.index("always")
    return "and" in told[:place] and told[place - 1] in ("it", "they", "model", "unit")


def _stop(words: tuple[Word, ...], at: int) -> int:
    """Where the sentence ends that begins at a word."""
    return next((end for end in range(at, len(words)) if words[end].plain in (".", "!")), len(words))


def _restated(heard: Text, at: int, end: int, on: str) -> Blocks | None:
    """A sentence in an unusual order, read in the usual one."""
    farthest = heard.farthest
    for told in restated(_grammar(), heard, at, end, on):
        found = [_whole(Text(in_known_words(words), heard.names)) for words in told]
        if all(found):
            return tuple(block for blocks in found for block in blocks or ())
    heard.farthest = farthest
    return None


def _whole(said: Text) -> Blocks | None:
    """What a single sentence says, if all of it is understood."""
    return next(
        (blocks for blocks, stop in _grammar().parse(said, "item", 0) if stop == len(said.words)), None
    )


def _misread(text: str, words: tuple[Word, ...], at: int, end: int, farthest: int) -> Misread:
    stop = min(farthest, end, len(words) - 1)
    start, last = _span(words[at:end])
    return Misread(start, last, min(max(start, words[stop].start), last), text[start:last])


def _span(words: tuple[Word, ...]) -> tuple[int, int]:
    """Where words stand in their text; some of them may have changed places."""
    return min(word.start for word in words), max(word.end for word in words)


def _speaks_of_weapon(words: tuple[Word, ...]) -> bool:
    plain = [word.plain for word in words]
    return any(pair in (("this", "weapon"), ("this", "weapon's")) for pair in pairwise(plain))
