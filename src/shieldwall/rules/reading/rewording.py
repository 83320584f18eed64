"""Turns of phrase that say the same as shorter ones, put into the words that the grammar knows.

Each line is a turn of phrase and what it stands for. `{signed}`, `{num}`, `{inch}` and `{need}` stand for a word of
that kind and come back in the order of their numbers: `{1}` is the first that was caught. Words are compared in
their plain form; where a word stays, so does its place in the text.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from shieldwall.rules.reading.words import Word, words_of

_THIS = ("this model", "the bearer", "it")
_SAME: dict[str, str] = {
    # when, how often, how long
    "each time": "when",
    "any time": "when",
    "1 use only :": "once per game ,",
    "1 time per game": "once per game",
    "1 time per activation": "once per activation",
    "until the round ends": "until the end of the round",
    "until the end of the current round": "until the end of the round",
    "until this round ends": "until the end of the round",
    "for the rest of the round": "until the end of the round",
    "for the rest of this round": "until the end of the round",
    "for the remainder of the round": "until the end of the round",
    "until its activation ends": "until the end of its activation",
    "for the rest of its activation": "until the end of its activation",
    "for the rest of the activation": "until the end of the activation",
    "before the game starts": "before the game",
    "before the game begins": "before the game",
    "the effect applies": "the effect would apply",
    "the effect apply": "the effect would apply",
    # numbers added to rolls
    "a {signed} bonus to": "{1} to",
    "a bonus of {signed} to": "{1} to",
    "{signed} bonus to": "{1} to",
    "a {signed} penalty to": "{1} to",
    "a penalty of {signed} to": "{1} to",
    "a {signed} modifier to": "{1} to",
    "a {signed} to": "{1} to",
    "take {signed} to": "get {1} to",
    "{signed} AP": "AP ( {1} )",
    "{num} AP ( {num} ) hits": "{1} hits with AP ( {2} )",
    "Tough ( {num} ) +": "Tough ( {1} ) or more",
    "its rolls to hit": "its hit rolls",
    "their rolls to hit": "their hit rolls",
    "all rolls to hit": "all hit rolls",
    "to rolls to hit": "to hit rolls",
    "its rolls to block": "its defense rolls",
    "their rolls to block": "their defense rolls",
    "to rolls to block": "to defense rolls",
    "{signed} to block hits": "{1} to block",
    "{signed} when blocking hits": "{1} to block",
    "{signed} when blocking": "{1} to block",
    "{signed} when taking morale tests": "{1} to morale tests",
    "{signed} when taking a morale test": "{1} to morale tests",
    "{signed} when casting a spell": "{1} to casting rolls",
    "{signed} when casting spells": "{1} to casting rolls",
    "{signed} when casting": "{1} to casting rolls",
    "to the morale test": "to morale tests",
    "an extra hit": "1 extra hit",
    "an extra wound": "1 extra wound",
    "an extra attack": "1 extra attack",
    "an additional hit": "1 extra hit",
    "an additional wound": "1 extra wound",
    "an additional attack": "1 extra attack",
    "1 more hit": "1 extra hit",
    "1 more wound": "1 extra wound",
    "on a roll of {need}": "on a {1}",
    "on rolls of {need}": "on a {1}",
    "on a result of {need}": "on a {1}",
    "roll a die": "roll 1 die",
    "roll a d6": "roll 1 die",
    "roll one d6": "roll 1 die",
    "would take": "takes",
    # who is meant
    "in which all": "where all",
    "in which most": "where most",
    "in which each model has": "where all models have",
    "where each model has": "where all models have",
    "where each of its models has": "where all models have",
    "where only models have": "where all models have",
    "consisting only of models with this rule": "where all models have this rule",
    "consisting entirely of models with this rule": "where all models have this rule",
    "made up only of models with this rule": "where all models have this rule",
    "made up entirely of models with this rule": "where all models have this rule",
    "that only have models with this rule": "where all models have this rule",
    "the majority of the models": "most models",
    "the majority of its models": "most models",
    "the majority of models": "most models",
    "more than half of its models": "most models",
    "more than half of the models": "most models",
    "most of the models": "most models",
    "the unit it has joined": "its unit",
    "the unit it joined": "its unit",
    "the unit that it has joined": "its unit",
    "the unit it is part of": "its unit",
    "the unit this model is part of": "this model's unit",
    "the unit this model has joined": "this model's unit",
    "and all models in its unit": "and its unit",
    "and all other models in its unit": "and its unit",
    "and the rest of its unit": "and its unit",
    "while this model is in a unit , this model": "this model",
    "while it is part of a unit , this model": "this model",
    "charging models with this rule": "when charging , models with this rule",
    "shooting models with this rule": "when shooting , models with this rule",
    "the unit that killed it": "the attacker",
    "the unit that attacked it": "the attacker",
    "this model dies in melee": "this model is killed in melee",
    "it dies in melee": "it is killed in melee",
    "this model is destroyed in melee": "this model is killed in melee",
    # attacks and actions
    "in close combat": "in melee",
    "in combat": "in melee",
    "in hand-to-hand": "in melee",
    "at range": "when shooting",
    "with ranged weapons": "when shooting",
    "with melee weapons": "in melee",
    "with a ranged weapon": "when shooting",
    "with a melee weapon": "in melee",
    "with ranged attacks": "when shooting",
    "with melee attacks": "in melee",
    "making a charge": "charging",
    "making charges": "charging",
    "makes a charge": "charges",
    "declares a charge": "charges",
    "at a target over": "at targets over",
    "at a unit over": "at targets over",
    "at an enemy unit over": "at targets over",
    "get {sinch} movement on": "moves {1} on",
    "get {sinch} movement when using": "moves {1} when using",
    "mark {num} enemy": "pick {1} enemy",
    "pick another": "pick 1 other",
    "a single": "1",
    "take a hit": "take 1 hit",
    "( max {signed} )": "( up to a max of {1} )",
    "1 of those units": "1 of them",
    "weapons carried by this model": "this model's weapons",
    "all ranged weapons carried by this model": "this model's ranged weapons",
    "all melee weapons carried by this model": "this model's melee weapons",
    "once each round": "once per round",
    "target enemy unit within": "1 enemy unit within",
    "target friendly unit within": "1 friendly unit within",
    ", except against spells": "against hits not from spells",
    "except against spells": "against hits not from spells",
    "except those from spells": "against hits not from spells",
    "set up via Ambush": "using Ambush",
    "that deploy via Ambush": "using Ambush",
    "that arrive via Ambush": "using Ambush",
    "that use Ambush": "using Ambush",
    "enemy Ambush units": "enemies using Ambush",
    "must be placed over": "must be set up over",
    "must be deployed more than": "must be set up over",
    "must be set up more than": "must be set up over",
    "must be placed more than": "must be set up over",
    **{f"{who} uses a charge action": f"{who} charges" for who in _THIS},
    **{f"{who} makes a charge action": f"{who} charges" for who in _THIS},
}


def in_known_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a text with its turns of phrase put into the words of the grammar, longest first."""
    table = _table()
    found: list[Word] = []
    at = 0
    while at < len(words):
        for pattern, parts in table.get(words[at].plain, ()) + table.get("{}", ()):
            caught = _caught(pattern, words, at)
            if caught is not None:
                span = words[at : at + len(pattern)]
                found += [_placed(part, span, caught) for part in parts]
                at += len(pattern)
                break
        else:
            found.append(words[at])
            at += 1
    return tuple(found)


Phrase = tuple[tuple[str, ...], tuple[Word | int, ...]]


@cache
def _table() -> dict[str, tuple[Phrase, ...]]:
    """Turns of phrase by their first word, the longest first; those that begin with a number under `{}`."""
    table: dict[str, list[Phrase]] = {}
    for turn, meaning in sorted(_SAME.items(), key=lambda item: -len(item[0].split())):
        pattern = tuple(_token(word) for word in turn.split())
        first = "{}" if pattern[0].startswith("{") else pattern[0]
        table.setdefault(first, []).append((pattern, tuple(_part(word) for word in meaning.split())))
    return {first: tuple(phrases) for first, phrases in table.items()}


def _token(written: str) -> str:
    return written if written.startswith("{") else words_of(written)[0].plain


def _part(written: str) -> Word | int:
    return int(written[1:-1]) - 1 if written.startswith("{") else words_of(written)[0]


def _caught(pattern: tuple[str, ...], words: tuple[Word, ...], at: int) -> list[Word] | None:
    """The numbers that a turn of phrase catches at a word; none where it does not stand there."""
    if at + len(pattern) > len(words):
        return None
    caught = []
    for token, word in zip(pattern, words[at:], strict=False):
        if token.startswith("{"):
            if _kind(word) != token:
                return None
            caught.append(word)
        elif word.plain != token:
            return None
    return caught


def _kind(word: Word) -> str:
    has_sign = word.text[:1] in ("+", "-")
    if word.kind == "number":
        return "{signed}" if has_sign else "{num}"
    if word.kind == "inches":
        return "{sinch}" if has_sign else "{inch}"
    return "{need}" if word.kind == "need" else ""


def _placed(part: Word | int, span: tuple[Word, ...], caught: list[Word]) -> Word:
    """A word of the meaning, at the place of the turn of phrase that it stands for."""
    if isinstance(part, int):
        return caught[part]
    same = next((word for word in span if word.plain == part.plain), None)
    return same or replace(part, start=span[0].start, end=span[-1].end)
