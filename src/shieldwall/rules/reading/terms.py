"""The smallest phrases: numbers, lengths, rolls, faces and the names of rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shieldwall.core.blocks import BY_VALUE, RuleRef
from shieldwall.rules.reading.grammar import Phrases, Terminal, Text
from shieldwall.rules.reading.words import inches_of

# words that begin with a capital and are no names of rules
_NO_NAMES = frozenset(
    [
        "advance",
        "rush",
        "charge",
        "hold",
        "defense",
        "quality",
        "when",
        "if",
        "on",
        "shaken",
        "fatigued",
        "once",
        "pick",
        "against",
        "this",
        "the",
        "roll",
        "for",
        "routed",
        "friendly",
        "enemy",
        "unit",
        "model",
        "place",
        "difficult",
        "dangerous",
        "terrain",
        "regains",
        "heroes",
        "at",
        "after",
        "before",
        "while",
        "during",
        "until",
        "in",
        "melee",
        "shooting",
        "a",
        "an",
        "its",
    ]
)
_JOINTS = frozenset({"&", "the", "of"})  # small words inside a name


def _number(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    word = text.word(at)
    if word is not None and word.kind == "number" and word.text[0] not in "+-":
        yield (BY_VALUE if word.plain in ("x", "y") else int(word.plain)), at + 1


def _signed(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    word = text.word(at)
    if word is not None and word.kind == "number" and word.text[0] in "+-":
        sign = -1 if word.text[0] == "-" else 1
        rest = word.plain[1:]
        yield sign * (BY_VALUE if rest in ("x", "y") else int(rest)), at + 1


def _inches(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    word = text.word(at)
    if word is not None and word.kind == "inches":
        length, die, has_sign = inches_of(word)
        if not die and not has_sign:
            yield length, at + 1


def _more_inches(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    word = text.word(at)
    if word is not None and word.kind == "inches":
        length, die, has_sign = inches_of(word)
        if not die and has_sign:
            yield length, at + 1


def _rolled_inches(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """A length that may have a die in it: the length and the die."""
    word = text.word(at)
    if word is not None and word.kind == "inches":
        length, die, has_sign = inches_of(word)
        if not has_sign:
            yield (length, die), at + 1


def _need(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """The roll that is needed: `4+`, `4 or more`, or the faces `5-6`."""
    word = text.word(at)
    if word is None:
        return
    if word.kind == "need":
        yield (BY_VALUE if word.plain == "x+" else int(word.plain[0])), at + 1
    elif word.kind == "faces" and word.plain[-1] == "6":
        yield int(word.plain[0]), at + 1
    elif word.kind == "number" and word.plain.isdigit():
        behind = [text.word(at + 1), text.word(at + 2)]
        told = [word.plain for word in behind if word is not None]
        if told in (["or", "more"], ["or", "higher"], ["or", "better"]):
            yield int(word.plain), at + 3
        elif word.plain == "5" and told == ["or", "6"]:
            yield 5, at + 3
        elif word.plain == "6":
            yield 6, at + 1  # there is nothing above it


def _faces(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """Natural faces: the lowest and the highest."""
    word = text.word(at)
    if word is None:
        return
    if word.kind == "faces":
        yield (int(word.plain[0]), int(word.plain[-1])), at + 1
    elif word.kind == "number" and word.plain.isdigit() and 1 <= int(word.plain) <= 6:
        face = int(word.plain)
        yield from _next_face(text, at, face)
        yield (face, face), at + 1
    elif word.kind == "need" and word.plain[0].isdigit():
        yield (int(word.plain[0]), 6), at + 1


def _next_face(text: Text, at: int, face: int) -> Iterator[tuple[Any, int]]:
    """Two faces in a row: `5 or 6`."""
    joint, other = text.word(at + 1), text.word(at + 2)
    if joint is None or other is None or joint.plain not in ("or", "and"):
        return
    if other.kind == "number" and other.plain == str(face + 1):
        yield (face, face + 1), at + 3


def _die(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """A die that is rolled for a number: how many more are added, and its faces."""
    word = text.word(at)
    if word is not None and word.kind == "dice" and word.plain[0] == "d":
        faces, _, more = word.plain[1:].partition("+")
        yield (int(more or 0), int(faces)), at + 1


def _rule_name(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """The name of a rule, longest first: words with capitals, or the words of a name that is known."""
    ends: list[int] = []
    end = at
    while (word := text.word(end)) is not None and word.kind == "word":
        if word.text[0].isupper():
            end += 1
            if end > at + 1 or word.plain not in _NO_NAMES or _is(text, end, "("):
                ends.append(end)
        elif end > at and word.plain in _JOINTS:
            end += 1
        else:
            break
    seen = set[int]()
    for end in reversed(ends):
        seen.add(end)
        yield _written(text, at, end), end
    for end in range(min(at + 5, len(text.words)), at, -1):
        if end not in seen and " ".join(word.plain for word in text.words[at:end]) in text.names:
            yield _written(text, at, end), end


TOKENS = frozenset({"marker", "token", "counter", "trophy", "skull", "point", "stack"})
TOKEN_NAMES = frozenset(
    [
        "blood", "fury", "rage", "grudge", "glory", "rot", "soul", "kill", "hate", "wrath", "trophy", "skull", "power",
        "honour", "honor", "vengeance", "faith", "fear", "frenzy", "luck", "fate", "doom", "war", "battle", "game",
        "hunt", "prey", "momentum", "charge", "plague", "poison", "curse", "fire", "frost", "storm", "hunger", "valour",
        "valor", "victory", "strength", "growth", "corruption", "ancestor", "oath", "bone", "death", "life", "focus",
    ]
)  # fmt: skip


def _token(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """A marker, whatever the book calls it: `marker`, `blood token`, `grudge counter`."""
    for end in (at + 1, at + 2):
        word = text.word(end - 1)
        if word is None or word.kind != "word":
            return
        if word.plain in TOKENS:
            yield word.plain, end
        elif word.plain not in TOKEN_NAMES:
            return


def _pause(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """A comma that is really there."""
    if _is(text, at, ","):
        yield None, at + 1


def _is(text: Text, at: int, plain: str) -> bool:
    word = text.word(at)
    return word is not None and word.plain == plain


def _written(text: Text, at: int, end: int) -> str:
    return " ".join(word.text for word in text.words[at:end])


TITLE_WORDS = 6


def _title(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """The title of a line in a list, up to its colon; what it is called changes nothing."""
    first = text.word(at)
    if first is None or first.kind != "word" or not first.text[0].isupper():
        return
    for end in range(at + 1, at + TITLE_WORDS + 1):
        if _is(text, end, ":"):
            yield None, end
        word = text.word(end)
        if word is None or word.kind != "word":
            return


def _kind_name(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """What a book calls the lines of a list, such as `orders` or `fighting styles`; it changes nothing."""
    for end in (at + 1, at + 2):
        word = text.word(end - 1)
        if word is None or word.kind != "word" or word.text[0].isupper() or word.plain in ("and", "or", "it"):
            return
        yield None, end


def _several(text: Text, at: int) -> Iterator[tuple[Any, int]]:
    """Nothing itself: whether a noun in the plural follows, as in `friendly units`."""
    for word in text.words[at : at + 4]:
        if word.kind != "word":
            return
        if word.plain in ("unit", "model", "hero", "friend", "enemy", "caster") and word.text[-1] in "sS":
            yield None, at
            return


TERMINALS: dict[str, Terminal] = {
    "num": _number,
    "signed": _signed,
    "inch": _inches,
    "sinch": _more_inches,
    "dinch": _rolled_inches,
    "need": _need,
    "faces": _faces,
    "die": _die,
    "rulename": _rule_name,
    "title": _title,
    "kindname": _kind_name,
    "pause": _pause,
    "several": _several,
    "token": _token,
}

PHRASES = Phrases()
add = PHRASES.add

add(
    "rule",
    "{name:rulename} \\( {value:signed} \\)",
    build=lambda m: RuleRef(m["name"], m["value"], m["value"] > 0),
)
add("rule", "{name:rulename} \\( {value:num} \\)", build=lambda m: RuleRef(m["name"], m["value"]))
add("rule", "{name:rulename}", build=lambda m: RuleRef(m["name"]))
add("rules", "{one:rule} and {more:rules}", build=lambda m: (m["one"], *m["more"]))
add("rules", "{one:rule} , [and] {more:rules}", build=lambda m: (m["one"], *m["more"]))
add("rules", "{one:rule}", build=lambda m: (m["one"],))
