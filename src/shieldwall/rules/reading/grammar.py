"""A small grammar of phrases: patterns of words, optional parts, choices and named slots.

In a pattern `[...]` may be missing, `(a|b)` is one of several, `{name}` or `{name:kind}` is a slot filled by another
phrase. Words are compared in their plain form, so that a pattern serves singular and plural alike. Every phrase may
be read in several ways; the reading of a whole text tries them in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from shieldwall.rules.reading.words import NUMBERS, Word, plain_word

Caught = Mapping[str, Any]
_Caught = tuple[dict[str, Any], int]  # what slots have caught so far, and the word behind it
Build = Callable[[Caught], Any]
Terminal = Callable[["Text", int], Iterator[tuple[Any, int]]]


class Text:
    """The words that are being read, with what is known of them so far."""

    def __init__(self, words: tuple[Word, ...], names: frozenset[str] = frozenset()) -> None:
        self.words = words
        self.plains: list[str | None] = [*(word.plain for word in words), None]  # none behind the end
        self.names = names  # rules that are known by name, in plain words
        self.memo: dict[tuple[str, int], list[tuple[Any, int]]] = {}
        self.farthest = 0

    def word(self, at: int) -> Word | None:
        """The word at a place; none behind the end."""
        self.farthest = max(self.farthest, at)
        return self.words[at] if at < len(self.words) else None

    def look_at(self, at: int) -> None:
        """Note that reading came to a word."""
        self.farthest = max(self.farthest, at)


class _Literal(Struct, frozen=True):
    plain: str


class _Slot(Struct, frozen=True):
    name: str
    kind: str


class _Mark(Struct, frozen=True):
    """A comma or a full stop, for which other words may stand."""

    mark: str


class _Way(Struct, frozen=True):
    """Parts that follow one another, and the words they may begin with: None for any.

    `behind` has the same for what follows each part.
    """

    parts: tuple[Any, ...]
    opening: frozenset[str] | None = None
    behind: tuple[frozenset[str] | None, ...] = ()


class _Maybe(Struct, frozen=True):
    inner: _Way


class _Either(Struct, frozen=True):
    ways: tuple[_Way, ...]


_Part = _Slot | _Mark | _Maybe | _Either


class ReadingRefused(Exception):
    """What was caught makes no sense together; another way of reading is tried."""


class Phrases:
    """The phrases of one topic as a table: the name of each, the patterns that express it and what it is read into."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, tuple[str, ...], Build]] = []

    def add(self, phrase: str, *patterns: str, build: Build) -> None:
        """One more meaning of a phrase, with the patterns that express it."""
        self.lines.append((phrase, patterns, build))

    def same(self, phrase: str, meanings: Mapping[str, Any]) -> None:
        """Patterns that stand for fixed values."""
        for pattern, value in meanings.items():
            self.add(phrase, pattern, build=lambda _, value=value: value)  # type: ignore[misc]


class Grammar:
    """Phrases by name. `add` gives a phrase one more pattern; patterns are tried in the order of adding."""

    def __init__(self, terminals: Mapping[str, Terminal]) -> None:
        self.phrases: dict[str, list[tuple[_Way, Build]]] = {}
        self.terminals = terminals
        self.openers: frozenset[str] = frozenset()  # words with which patterns begin
        self.seconds: frozenset[str] = frozenset()  # words that may stand behind those
        # patterns by the words they may begin with, and whether the second of those was looked at
        self.opened: dict[tuple[str, str, str], tuple[list[tuple[_Way, Build]], bool]] = {}

    def add(self, phrase: str, *patterns: str, build: Build) -> None:
        """One more meaning of a phrase, with the patterns that express it."""
        for pattern in patterns:
            self.phrases.setdefault(phrase, []).append((_Way(_compile(pattern)), build))

    def take(self, phrases: Phrases) -> None:
        """All phrases of a topic."""
        for phrase, patterns, build in phrases.lines:
            self.add(phrase, *patterns, build=build)

    def vocabulary(self) -> frozenset[str]:
        """The words that patterns are made of."""
        every = [way.parts for ways in self.phrases.values() for way, _ in ways]
        return frozenset(word for parts in every for word in _words_in(parts))

    def check(self) -> None:
        """Raise an error for slots that no phrase fills."""
        slots = {slot for ways in self.phrases.values() for way, _ in ways for slot in _slots(way.parts)}
        unknown = sorted(slots - self.phrases.keys() - self.terminals.keys())
        if unknown:
            raise ValueError(f"no phrase fills: {', '.join(unknown)}")
        self._find_openings()

    def _find_openings(self) -> None:
        """Work out the words with which each pattern may begin; most patterns need not be tried at a word."""
        known: dict[str, _Opening] = {phrase: (frozenset(), False) for phrase in self.phrases}
        known |= dict.fromkeys(self.terminals, (None, False))
        before: dict[str, _Opening] = {}
        while known != before:
            before = dict(known)
            for phrase, ways in self.phrases.items():
                known[phrase] = _either_opening([_opening(way.parts, known) for way, _ in ways])
        for phrase, ways in self.phrases.items():
            self.phrases[phrase] = [(_opened(way, known), build) for way, build in ways]
        every = [way for ways in self.phrases.values() for way, _ in ways]
        self.openers = frozenset().union(*(way.opening for way in every if way.opening is not None))
        self.seconds = frozenset().union(*(second for way in every if (second := _second(way)) is not None))

    def parse(self, text: Text, phrase: str, at: int) -> list[tuple[Any, int]]:
        """Every way to read a phrase that begins at a word: its value and the word behind it."""
        key = (phrase, at)
        known = text.memo.get(key)
        if known is None:
            terminal = self.terminals.get(phrase)
            if terminal is not None:
                known = list(terminal(text, at))
            else:
                text.memo[key] = []  # a phrase that begins with itself finds nothing new
                known = []
                for way, build in self._ways_at(text, phrase, at):
                    for caught, end in self._matches(text, way, at):
                        try:
                            found = (build(caught), end)
                        except ReadingRefused:
                            continue
                        if found not in known:
                            known.append(found)
            text.memo[key] = known
        return known

    def _ways_at(self, text: Text, phrase: str, at: int) -> list[tuple[_Way, Build]]:
        """The patterns of a phrase that may begin with the two words at a place; behind the end, the empty ones."""
        plain, next_plain = text.plains[at], text.plains[at + 1] if at < len(text.words) else None
        opener = plain if plain in self.openers else ""
        second = next_plain if next_plain in self.seconds else ""
        key = (phrase, opener or "", second or "")
        found = self.opened.get(key)
        if found is None:
            found = self.opened[key] = self._opened_by(*key)
        ways, has_looked_on = found
        text.look_at(at + has_looked_on)
        return ways

    def _opened_by(self, phrase: str, opener: str, second: str) -> tuple[list[tuple[_Way, Build]], bool]:
        """The patterns of a phrase that may begin with two words, and whether the second one made a difference."""
        every = self.phrases[phrase]
        ways = [(way, build) for way, build in every if way.opening is None or opener in way.opening]
        found = [(way, build) for way, build in ways if (said := _second(way)) is None or second in said]
        return found, len(found) < len(ways)

    def _matches(self, text: Text, way: _Way, at: int) -> list[_Caught]:
        """What a pattern catches that may begin with the word at a place. Most fail at their first two parts."""
        if not way.parts:
            return [({}, at)]
        first = way.parts[0]
        kind = type(first)
        if kind is _Literal:  # which was compared already
            return self._match(text, way, 1, at + 1, {})
        if kind is not _Slot:
            return self._match(text, way, 0, at, {})
        ends = text.memo.get((first.kind, at))
        if ends is None:
            ends = self.parse(text, first.kind, at)
        found: list[_Caught] = []
        behind = way.behind[0]
        for value, end in ends:
            if behind is None or text.plains[end] in behind:
                found += self._match(text, way, 1, end, {first.name: value})
            else:
                text.look_at(end)
        return found

    def _match(self, text: Text, way: _Way, index: int, at: int, caught: dict[str, Any]) -> list[_Caught]:
        """What the slots of a pattern catch that stands at a word, from a part of it on, and the word behind it."""
        parts, plains = way.parts, text.plains
        found: list[_Caught] = []
        while index < len(parts):
            part, behind = parts[index], way.behind[index]
            index += 1
            plain = plains[at]
            if type(part) is _Literal:
                if plain != part.plain:
                    text.look_at(at)
                    return found
                at += 1
                continue
            text.look_at(at)
            if type(part) is _Maybe and part.inner.opening is not None and plain not in part.inner.opening:
                if behind is not None and plain not in behind:
                    return found
                continue  # it is missing, as most that may be
            ways_on = self._part_at(text, part, at, caught)
            if behind is not None and ways_on:
                text.look_at(max([end for _, end in ways_on]))
                ways_on = [one for one in ways_on if plains[one[1]] in behind]
            if not ways_on:
                return found
            for more, end in ways_on[:-1]:
                found += self._match(text, way, index, end, more)
            caught, at = ways_on[-1]
        text.look_at(at - 1)
        found.append((caught, at))
        return found

    def _part_at(self, text: Text, part: _Part, at: int, caught: dict[str, Any]) -> list[_Caught]:
        """What is caught when a part of a pattern that is no word stands at a word, and the word behind it."""
        match part:
            case _Slot(name, kind):
                ends = text.memo.get((kind, at))
                if ends is None:
                    ends = self.parse(text, kind, at)
                return [({**caught, name: value}, end) for value, end in ends]
            case _Maybe(inner):
                return [*self._match(text, inner, 0, at, caught), (caught, at)]
            case _Either(ways):
                plain = text.plains[at]
                found: list[_Caught] = []
                for way in ways:
                    if way.opening is None or plain in way.opening:
                        found += self._match(text, way, 0, at, caught)
                return found
            case _Mark(mark):
                return [(caught, end) for end in _ends(text, mark, at)]


PAUSES = frozenset({",", ";", ":"})
STOPS = PAUSES | {"."}
_LOOSE_MARKS = frozenset({",", "."})  # which other words may stand for


def _ends(text: Text, mark: str, at: int) -> Iterator[int]:
    """Where a comma or a full stop of a pattern may end. A pause may be of any kind, `then`, or missing; a stop may
    be a pause, and `and`.
    """
    word = text.word(at)
    written = None if word is None else word.plain
    if mark == ",":
        if written in PAUSES:
            yield at + 1
            behind = text.word(at + 1)
            if behind is not None and behind.plain == "then":
                yield at + 2
        elif written == "then":
            yield at + 1
        yield at
    elif written in STOPS:
        yield at + 1
        behind = text.word(at + 1)
        if behind is not None and behind.plain in ("and", "then"):
            yield at + 2


_Opening = tuple[frozenset[str] | None, bool]  # the words it may begin with, and whether it may be empty


def _opening(parts: tuple[Any, ...], known: Mapping[str, _Opening]) -> _Opening:
    """The words with which a pattern may begin, by what is known of its slots."""
    found: frozenset[str] = frozenset()
    words: frozenset[str] | None
    for part in parts:
        match part:
            case _Mark(","):
                words, may_be_empty = PAUSES | {"then"}, True
            case _Mark():
                words, may_be_empty = STOPS, False
            case _Literal(plain):
                words, may_be_empty = frozenset({plain}), False
            case _Slot(_, kind):
                words, may_be_empty = known[kind]
            case _Maybe(inner):
                words, may_be_empty = _opening(inner.parts, known)[0], True
            case _Either(ways):
                words, may_be_empty = _either_opening([_opening(way.parts, known) for way in ways])
        if words is None:
            return None, False
        found |= words
        if not may_be_empty:
            return found, False
    return found, True


def _either_opening(ways: list[_Opening]) -> _Opening:
    """The words with which one of several patterns may begin."""
    if any(words is None for words, _ in ways):
        return None, any(may_be_empty for _, may_be_empty in ways)
    words = frozenset(word for found, _ in ways for word in found or ())
    return words, any(may_be_empty for _, may_be_empty in ways)


def _opened(way: _Way, known: Mapping[str, _Opening]) -> _Way:
    """A pattern with the words it may begin with, and those of its optional parts and choices."""
    words, may_be_empty = _opening(way.parts, known)
    parts: list[Any] = []
    for part in way.parts:
        match part:
            case _Maybe(inner):
                parts.append(_Maybe(_opened(inner, known)))
            case _Either(ways):
                parts.append(_Either(tuple(_opened(one, known) for one in ways)))
            case _:
                parts.append(part)
    behind = (_opening(way.parts[place:], known) for place in range(1, len(way.parts) + 1))
    return _Way(
        tuple(parts),
        None if may_be_empty else words,
        tuple(None if may_end else follow for follow, may_end in behind),
    )


def _second(way: _Way) -> frozenset[str] | None:
    """The words that may stand behind the first one, for a pattern that begins with a word; None for any."""
    return way.behind[0] if way.parts and type(way.parts[0]) is _Literal else None


def _slots(parts: tuple[Any, ...]) -> Iterator[str]:
    """The phrases that a pattern has slots for."""
    for part in parts:
        match part:
            case _Slot(_, kind):
                yield kind
            case _Maybe(inner):
                yield from _slots(inner.parts)
            case _Either(ways):
                for way in ways:
                    yield from _slots(way.parts)


def _words_in(parts: tuple[Any, ...]) -> Iterator[str]:
    """The words that a pattern is made of."""
    for part in parts:
        match part:
            case _Literal(plain) | _Mark(plain):
                yield plain
            case _Maybe(inner):
                yield from _words_in(inner.parts)
            case _Either(ways):
                for way in ways:
                    yield from _words_in(way.parts)


_PIECES = re.compile(r"\{\w+(?::\w+)?\}|[\[\]()|]|\\?[^\s\[\]()|{}]+|\\[()]")


def _compile(pattern: str) -> tuple[Any, ...]:
    pieces = _PIECES.findall(pattern.replace("\\(", " «").replace("\\)", " »"))
    parts, rest = _sequence(pieces)
    if rest:
        raise ValueError(f"brackets do not match in {pattern!r}")
    return parts


def _sequence(pieces: list[str]) -> tuple[tuple[Any, ...], list[str]]:
    parts: list[Any] = []
    while pieces and pieces[0] not in ("]", ")", "|"):
        piece, pieces = pieces[0], pieces[1:]
        if piece in ("[", "("):
            ways, pieces = _ways(pieces, "]" if piece == "[" else ")")
            either = ways[0] if len(ways) == 1 else (_Either(tuple(map(_Way, ways))),)
            is_pause = either == (_Mark(","),)  # which may be missing anyway
            parts += [_Maybe(_Way(either))] if piece == "[" and not is_pause else list(either)
        elif piece.startswith("{"):
            name, _, kind = piece[1:-1].partition(":")
            parts.append(_Slot(name, kind or name))
        else:
            parts += [_Mark(word) if word in _LOOSE_MARKS else _Literal(word) for word in _literals(piece)]
    return tuple(parts), pieces


def _ways(pieces: list[str], closing: str) -> tuple[list[tuple[Any, ...]], list[str]]:
    ways: list[tuple[Any, ...]] = []
    while True:
        way, pieces = _sequence(pieces)
        ways.append(way)
        if not pieces:
            raise ValueError(f"a bracket is not closed: {closing}")
        mark, pieces = pieces[0], pieces[1:]
        if mark == closing:
            return list(dict.fromkeys(ways)), pieces


def _literals(piece: str) -> list[str]:
    """The words of a piece; marks that stand at a word are words of their own."""
    found = re.findall(r"[^\W\d_]+(?:['&-][^\W\d_]+)*|\d+|«|»|[^\w\s]", piece)
    plain = ({"«": "(", "»": ")"}.get(word, plain_word(word)) for word in found)
    return [str(NUMBERS.get(word, word)) for word in plain]
