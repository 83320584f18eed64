"""Adverbials in unusual places: how often something happens, when, or under which condition.

English allows them behind the subject, in brackets, at the end, or in a sentence of their own. Where a text could not
be read as it stands, they are put to the front of their sentence, which is where the phrases expect them. They are
only moved where they can belong to nothing else: to nothing behind `and`, and not over a verb.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shieldwall.rules.reading.words import Word, words_of

Words = tuple[Word, ...]
STOPS = frozenset({".", "!"})
_JOINTS = frozenset({"and", "or", "but", ";", ":"})
_OPENERS = frozenset(
    {"if", "when", "while", "unless", "before", "after", "during", "until", "once", "at", "as"}
)
_VERBS = frozenset(
    [
        "get", "count", "ignore", "move", "strike", "hit", "deal", "take", "roll", "re-roll", "pick", "lose",
        "add", "subtract", "shoot", "pass", "recover", "treat", "give", "put", "place", "deploy", "remove",
        "is", "cast", "choose", "charge", "rush", "advance", "block",
    ]
)  # fmt: skip
_PERIODS = frozenset({"game", "round", "activation"})
_REMARKS = frozenset(
    [
        "this", "rule", "ability", "effect", "power", "may", "only", "be", "use", "used", "done", "it", "happen",
        "you", "do", "so", "is", "trigger", "triggered", "apply", "made", "works", "work", "each", "model", "unit",
    ]
)  # fmt: skip


def with_adverbials_in_front(words: Words) -> Iterator[Words]:
    """The words of a text with their adverbials at the front of their sentences; none if they all stand there."""
    moved = [_fronted(sentence) for sentence in _sentences(words)]
    remarks = [at for at, sentence in enumerate(moved) if at and _remark(sentence) is not None]
    if not remarks:
        again = _joined(moved)
        if [word.plain for word in again] != [word.plain for word in words]:
            yield again
        return
    at = remarks[0]
    found = _remark(moved[at])
    assert found is not None
    for before in range(at - 1, -1, -1):  # it goes for what was said just before, or for all of it
        sentences = [*moved[:before], (*found, _comma(found), *moved[before]), *moved[before + 1 :]]
        yield _joined(sentences[:at] + sentences[at + 1 :])


def _sentences(words: Words) -> list[Words]:
    """The sentences of a text, each with the stop at its end."""
    found: list[Words] = []
    start = 0
    for at, word in enumerate(words):
        if word.plain in STOPS:
            found.append(words[start : at + 1])
            start = at + 1
    return [*found, words[start:]] if start < len(words) else found


def _joined(sentences: list[Words]) -> Words:
    return tuple(word for sentence in sentences for word in sentence)


def _remark(sentence: Words) -> Words | None:
    """How often, where a sentence says nothing else: `This may only be done once per round`."""
    for at in range(len(sentence)):
        if _is_frequency(sentence, at):
            rest = (*sentence[:at], *sentence[at + 3 :])
            told = all(word.plain in _REMARKS or word.plain in STOPS | {"(", ")", ","} for word in rest)
            return sentence[at : at + 3] if told else None
    return None


def _is_frequency(words: Words, at: int) -> bool:
    plain = [word.plain for word in words[at : at + 3]]
    return len(plain) == 3 and plain[:2] == ["once", "per"] and plain[2] in _PERIODS


def _fronted(sentence: Words) -> Words:
    """A sentence with its first adverbial that stands elsewhere put to the front."""
    for at in range(1, len(sentence)):
        end = _adverbial(sentence, at)
        if end is not None:
            inner = _bare(sentence[at:end])
            rest = (*sentence[:at], *sentence[end:])
            return (*inner, _comma(inner), *rest)
    return sentence


def _adverbial(sentence: Words, at: int) -> int | None:
    """Where an adverbial ends that begins at a word and may be moved; none where there is none."""
    before = sentence[:at]
    first = sentence[at].plain
    if first == "(" and _is_frequency(sentence, at + 1) and _closes(sentence, at + 4):
        return at + 5
    if _is_frequency(sentence, at) and not any(word.plain in _JOINTS for word in before):
        end = at + 3
        behind = sentence[end].plain if end < len(sentence) else "."
        bare = sentence[at - 1].plain not in (",", "(")
        moves = behind in STOPS or not any(word.plain in _VERBS for word in before)
        return end if bare and moves and behind != "," else None
    if first == "," and at + 1 < len(sentence) and sentence[at + 1].plain in _OPENERS:
        if any(word.plain in _VERBS or word.plain == "," for word in before):
            return None
        return next((one + 1 for one in range(at + 2, len(sentence)) if sentence[one].plain == ","), None)
    return None


def _closes(sentence: Words, at: int) -> bool:
    return at < len(sentence) and sentence[at].plain == ")"


def _bare(words: Words) -> Words:
    """An adverbial without the brackets or commas around it."""
    return tuple(word for word in words if word.plain not in ("(", ")", ","))


def _comma(words: Words) -> Word:
    return replace(words_of(",")[0], start=words[-1].end, end=words[-1].end)
